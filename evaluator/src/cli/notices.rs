//! What commands that serve others say on standard error. Whoever started them may have closed it, or may let it fill up
//! unread: neither ends them nor holds them up.

use std::io::Write;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::Duration;

/// Notices that wait to be written; those beyond are dropped.
const WAITING: usize = 64;
/// How long the end of the program waits for the last of them to be written.
const LAST: Duration = Duration::from_secs(1);

/// Writes notices, on a thread of its own.
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

/// Say this on standard error, on a line; where nobody can hear it, the run goes on all the same.
pub fn say(words: &str) {
    let _ = writeln!(anstream::stderr(), "{words}");
}
