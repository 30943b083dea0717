//! What commands say on standard error. Whoever started them may have closed it, or may let it fill up unread: neither
//! ends them nor holds them up.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

/// Notices that wait to be written; those beyond are dropped.
const WAITING: usize = 64;
/// How long is waited for one to be written.
const LAST: Duration = Duration::from_secs(1);

/// Writes notices of commands that serve others, who never wait for that.
#[derive(Clone)]
pub struct Notices(SyncSender<Notice>);

enum Notice {
    Words(String),
    /// All before this was written.
    Written(Sender<()>),
}

impl Notices {
    /// Write what is said from now on, and what panics say.
    pub fn open() -> Notices {
        let (notices_in, notices) = sync_channel(WAITING);
        thread::spawn(move || write(&notices));
        let notices = Notices(notices_in);
        let heard = notices.clone();
        std::panic::set_hook(Box::new(move |panic| heard.say(panic.to_string())));
        notices
    }

    /// Say this, on a line.
    pub fn say(&self, words: impl Into<String>) {
        // A reader so far behind is no reader.
        let _ = self.0.try_send(Notice::Words(words.into()));
    }

    /// Wait until all is written, but not for long.
    pub fn end(&self) {
        let (written, all) = channel();
        if self.0.try_send(Notice::Written(written)).is_ok() {
            let _ = all.recv_timeout(LAST);
        }
    }
}

fn write(notices: &Receiver<Notice>) {
    for notice in notices {
        match notice {
            Notice::Words(words) => say(&words),
            Notice::Written(all) => all.send(()).unwrap_or_default(),
        }
    }
}

/// Say this on standard error, on a line. Where nobody can hear it, or lets it wait for long, the run goes on all the same.
pub fn say(words: &str) {
    static VOICE: OnceLock<Voice> = OnceLock::new();
    VOICE.get_or_init(Voice::open).say(words);
}

/// Writes lines on a thread of its own, each before the next is taken.
struct Voice {
    lines: SyncSender<(String, Sender<()>)>,
    /// A line waits to be read.
    is_held_up: Arc<AtomicBool>,
}

impl Voice {
    fn open() -> Voice {
        let (lines, to_write) = sync_channel::<(String, Sender<()>)>(WAITING);
        let is_held_up = Arc::new(AtomicBool::new(false));
        let held_up = Arc::clone(&is_held_up);
        thread::spawn(move || {
            for (words, written) in to_write {
                let _ = writeln!(anstream::stderr(), "{words}");
                held_up.store(false, Ordering::Relaxed);
                written.send(()).unwrap_or_default();
            }
        });
        Voice { lines, is_held_up }
    }

    fn say(&self, words: &str) {
        if self.is_held_up.load(Ordering::Relaxed) {
            return;
        }
        let (written, all) = channel();
        let is_taken = self.lines.try_send((words.to_owned(), written)).is_ok();
        if !is_taken || all.recv_timeout(LAST).is_err() {
            self.is_held_up.store(true, Ordering::Relaxed);
        }
    }
}
