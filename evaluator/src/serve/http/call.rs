//! Asks the engine on behalf of a request. A request whose client hangs up is dropped, and its work with it.

use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use tokio::sync::mpsc::{self, UnboundedReceiver};
use tokio::time::{Instant, sleep};

use super::error::HttpError;
use super::state::Shared;
use crate::judge::{Ran, Settings, Task};
use crate::serve::{Answer, Answered, Client, Full, Job, Work};
use crate::verdict::{Decision, Verdict};
use crate::worker::PANICKED;

/// How long a client waits for room that can wait, and how often it looks.
const FOR_ROOM: Duration = Duration::from_secs(10);
const LOOK: Duration = Duration::from_millis(20);

/// What is done where there is no room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoRoom {
    /// Say so at once: the client is to try again.
    Refuse,
    /// Wait a while, then answer with the one status after which clients of SandboxFusion try again.
    Wait,
}

/// Jobs that were handed in, and their answers as they come.
pub(super) struct Pending {
    client: Client,
    answers: UnboundedReceiver<Option<Answered>>,
    shared: Arc<Shared>,
}

impl Pending {
    /// Hand in jobs.
    pub async fn begin(
        shared: &Arc<Shared>,
        settings: Arc<Settings>,
        mut jobs: Vec<Job>,
        no_room: NoRoom,
    ) -> Result<Pending, HttpError> {
        let (tell, answers) = mpsc::unbounded_channel();
        // A request that is gone misses nothing.
        let tell = move |answered| tell.send(answered).unwrap_or_default();
        let client = shared.engine.client(settings, tell);
        let deadline = Instant::now() + FOR_ROOM;
        loop {
            match client.submit(&mut jobs) {
                Ok(()) => break,
                Err(Full::Now) if no_room == NoRoom::Wait && Instant::now() < deadline => {
                    sleep(LOOK).await;
                }
                Err(Full::Now) if no_room == NoRoom::Wait => {
                    return Err(HttpError::later(StatusCode::GATEWAY_TIMEOUT));
                }
                Err(full) => return Err(full.into()),
            }
        }
        Ok(Pending {
            client,
            answers,
            shared: shared.clone(),
        })
    }

    /// The next answer, when it comes; `None` if none comes any more.
    pub fn poll(
        &mut self,
        context: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Answered>> {
        self.answers.poll_recv(context).map(|answered| {
            let answered = answered??;
            self.shared.metrics.answered(&answered);
            self.client.passed_on(&answered.answer);
            Some(answered)
        })
    }

    async fn next(&mut self) -> Result<Answered, HttpError> {
        let answered = std::future::poll_fn(|context| self.poll(context)).await;
        answered.ok_or_else(|| HttpError::failed(PANICKED))
    }
}

/// Judge these, and wait for all verdicts, in their order. A client of this kind knows nothing but numbers, so that a
/// failure of the host is one of the request: it must not become a score.
pub(super) async fn judge(
    shared: &Arc<Shared>,
    settings: Settings,
    tasks: Vec<Task>,
    no_room: NoRoom,
) -> Result<Vec<Verdict>, HttpError> {
    let count = tasks.len();
    let jobs = tasks.into_iter().zip(0..).map(|(task, row)| Job {
        row,
        bytes: task.submission.code.as_ref().map_or(0, String::len),
        work: Work::Judge(task),
    });
    let mut call = Pending::begin(shared, Arc::new(settings), jobs.collect(), no_room).await?;
    let mut verdicts: Vec<Option<Verdict>> = vec![None; count];
    for _ in 0..count {
        let answered = call.next().await?;
        if let Answer::Verdict(verdict) = answered.answer {
            decided(&verdict)?;
            verdicts[answered.row as usize] = Some(*verdict);
        }
    }
    let all: Option<Vec<Verdict>> = verdicts.into_iter().collect();
    all.ok_or_else(|| HttpError::failed("a submission was not answered by a verdict"))
}

fn decided(verdict: &Verdict) -> Result<(), HttpError> {
    if verdict.verdict != Decision::JudgeFailed {
        return Ok(());
    }
    let why = verdict.message.as_deref().unwrap_or("the judge failed");
    Err(HttpError::failed(why))
}

/// Run a program without judging it.
pub(super) async fn run(
    shared: &Arc<Shared>,
    run: crate::judge::PlainRun,
    no_room: NoRoom,
) -> Result<Ran, HttpError> {
    let job = Job {
        row: 0,
        bytes: run.source.len() + run.stdin.len(),
        work: Work::Run(Box::new(run)),
    };
    let mut call = Pending::begin(shared, shared.settings.clone(), vec![job], no_room).await?;
    match call.next().await?.answer {
        Answer::Ran(ran) => Ok(ran),
        Answer::Verdict(_) => Err(HttpError::failed("a run was answered by a verdict")),
    }
}
