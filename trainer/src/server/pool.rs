//! Many requests at a time.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use super::{Answer, Request, Server, ServerError};

impl Server {
    /// Ask for all. `on_answer` gets each response as soon as it comes, with its place in `requests`, and may break off.
    /// Gives the requests that failed, each for itself.
    ///
    /// # Errors
    /// What makes all further asking vain; no new request is made then, and those under way still come to `on_answer`.
    pub fn ask_all(
        &self,
        requests: &[Request<'_>],
        on_answer: &mut dyn FnMut(usize, Answer) -> ControlFlow<()>,
    ) -> Result<Vec<ServerError>, ServerError> {
        let queue = WorkQueue {
            server: self,
            requests,
            next: AtomicUsize::new(0),
            answered: AtomicUsize::new(0),
            closed: AtomicBool::new(false),
        };
        let (replies, heard) = channel();
        let (mut failed, mut end) = (Vec::new(), None);
        thread::scope(|scope| {
            for _ in 0..self.parallel.min(requests.len()) {
                let replies = replies.clone();
                scope.spawn(|| queue.serve(replies));
            }
            drop(replies);
            for (place, reply) in heard {
                match reply {
                    Reply::Answer(answer) => {
                        if on_answer(place, answer).is_break() {
                            queue.close();
                        }
                    }
                    Reply::Failed(error) => failed.push(error),
                    // Of several that say the server is gone, the first says why.
                    Reply::Fatal(error) => {
                        end.get_or_insert(error);
                    }
                }
            }
        });
        end.map_or(Ok(failed), Err)
    }
}

/// What came of a request.
enum Reply {
    Answer(Answer),
    /// Nothing, for this one.
    Failed(ServerError),
    /// Nothing, and nothing will come of any other.
    Fatal(ServerError),
}

/// Where threads take the next request.
struct WorkQueue<'a> {
    server: &'a Server,
    requests: &'a [Request<'a>],
    next: AtomicUsize,
    answered: AtomicUsize,
    closed: AtomicBool,
}

impl WorkQueue<'_> {
    fn serve(&self, replies: Sender<(usize, Reply)>) {
        while !self.closed.load(Ordering::Relaxed) {
            let place = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(request) = self.requests.get(place) else {
                return;
            };
            let reply = self.ask(request);
            if matches!(reply, Reply::Fatal(_)) {
                self.close();
            }
            // The receiver lives as long as this thread's scope.
            replies.send((place, reply)).unwrap_or_default();
        }
    }

    /// A server that has answered nothing at all while one request was tried to the end is gone.
    fn ask(&self, request: &Request<'_>) -> Reply {
        let before = self.answered.load(Ordering::Relaxed);
        let given_up = || self.closed.load(Ordering::Relaxed);
        match self.server.ask(request, &given_up) {
            Ok(answer) => {
                self.answered.fetch_add(1, Ordering::Relaxed);
                Reply::Answer(answer)
            }
            Err(error @ ServerError::Lost { .. })
                if self.answered.load(Ordering::Relaxed) == before =>
            {
                Reply::Fatal(error)
            }
            Err(error) if error.refuses_all() => Reply::Fatal(error),
            Err(error) => Reply::Failed(error),
        }
    }

    fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
    }
}
