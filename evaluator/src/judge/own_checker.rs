//! Runs a problem's own checker on an output: boxed, and with nothing to see but input, answer and output.
//!
//! What it says decides. A checker that crashes, runs out of a limit or says that it fails decides nothing: that is never
//! a verdict on the candidate.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use sandbox::{Files, LaunchError, Limits, Outcome, OwnFile, SandboxError, Termination};

use super::context::{JudgeContext, Task};
use super::ending::last_line;
use super::runtimes::{Runtimes, Side};
use super::transcript::Transcript;
use super::tried::Compared;
use crate::checker::{CheckerStyle, OwnChecker, ScoreRule};
use crate::grading::{Earned, fault_of_points};
use crate::languages::{Compiled, Invocation, Languages, Source, Toolchain, toolchain};
use crate::transcripts::TranscriptFolder;
use crate::verdict::{AcceptedBy, Decision, OwnProgram};
use crate::{Checker, SourceFile};

/// What the exit status of a Kattis validator says.
const ACCEPTED: i32 = 42;
const REJECTED: i32 = 43;

/// The most files and bytes that a checker may leave behind.
const MOST_FILES: u64 = 64;
const MOST_BYTES: u64 = 64 << 20;

/// The folder of what a checker is given, below the folder of its own files.
const GIVEN: &str = "given";

/// The folder in which it leaves its feedback.
const FEEDBACK: &str = "/tmp/";

/// A checker that is compiled.
#[derive(Clone)]
pub(super) struct ReadyChecker {
    pub own: Arc<OwnChecker>,
    compiled: Arc<Compiled>,
    /// Where transcripts are kept, if they are, and of which problem and submission.
    transcripts: Option<(Arc<TranscriptFolder>, [String; 2])>,
}

/// What a checker is asked about.
pub(super) struct Question<'a> {
    pub input: &'a [u8],
    pub answer: &'a [u8],
    /// None for an interactor, which hears it from the solution.
    pub output: Option<&'a [u8]>,
    pub flags: &'a [String],
    /// What it left behind when it was asked about the pass before.
    pub feedback: &'a [OwnFile],
}

/// What a checker says.
pub(super) struct Said {
    pub compared: Compared,
    /// What it left behind.
    pub feedback: Vec<OwnFile>,
    /// The input of another pass.
    pub next: Option<Vec<u8>>,
}

/// Compile the checker of a problem, if it has one of its own. An error that is not the host's tells why there is none.
pub(super) fn prepare(
    context: &mut JudgeContext<'_>,
    task: &Task,
) -> Result<Option<ReadyChecker>, LaunchError> {
    let Some(Checker::Own(own)) = &task.problem.checker else {
        return Ok(None);
    };
    let noun = own.noun();
    let cannot =
        |why: String| LaunchError::Rejected(format!("the problem's {noun} cannot be run: {why}"));
    let testlib = context.settings.testlib.as_deref();
    let source = source(own.language.as_deref(), &own.files, testlib).map_err(cannot)?;
    match context.runtimes.compiled(context.gate, &source) {
        Ok(compiled) => Ok(Some(ReadyChecker {
            own: own.clone(),
            compiled,
            transcripts: context.settings.transcripts.as_ref().map(|folder| {
                let ids = [&task.problem.id, &task.submission.id].map(Clone::clone);
                (folder.clone(), ids)
            }),
        })),
        Err(LaunchError::Rejected(why)) => Err(cannot(format!("it does not compile: {why}"))),
        Err(host) => Err(host),
    }
}

/// What is compiled of a program in a problem; without a language, its scripts say how.
pub(super) fn source(
    language: Option<&str>,
    files: &[SourceFile],
    testlib: Option<&[u8]>,
) -> Result<Source, String> {
    const TESTLIB: &str = "testlib.h";
    let toolchain = match language {
        None => Toolchain::of_scripts()?,
        Some(name) => toolchain(Languages::get().known(name)?)?,
    };
    let mut files: Vec<(PathBuf, Vec<u8>)> = files
        .iter()
        .map(|file| (PathBuf::from(&file.name), file.content.to_vec()))
        .collect();
    let (main, text) = files.first_mut().ok_or("it has no files")?;
    let is_text = language.is_some() && !toolchain.language.has_ending(main);
    if is_text {
        *main = PathBuf::from(toolchain.language.file_name(&String::from_utf8_lossy(text)));
    }
    let main = main.clone();
    let names_it =
        |(_, text): &(PathBuf, Vec<u8>)| memchr::memmem::find(text, TESTLIB.as_bytes()).is_some();
    let has_it = files.iter().any(|(path, _)| path.ends_with(TESTLIB));
    if !has_it && files.iter().any(names_it) {
        let testlib = testlib
            .ok_or("it includes testlib.h, which it does not bring: --testlib FILE gives it")?;
        files.push((PathBuf::from(TESTLIB), testlib.to_vec()));
    }
    // What is no file of its language is a text, and that holds bytes in base64 where the language has it so.
    let is_text = is_text && toolchain.language.base64;
    Ok(Source::new(toolchain, main, files, is_text))
}

impl ReadyChecker {
    /// A transcript, where it is wanted and there is something to hear.
    pub(super) fn new_transcript(&self) -> Option<Transcript> {
        let wanted = self.own.interactive && self.transcripts.is_some();
        wanted.then(Transcript::new)
    }

    /// Keep the transcript of a test.
    pub(super) fn keep(&self, transcript: &Transcript, test: &str) -> Result<(), SandboxError> {
        let Some((folder, [problem, submission])) = &self.transcripts else {
            return Ok(());
        };
        let kept = folder.keep([problem, submission, test], &transcript.written());
        kept.map_err(|source| SandboxError::Host {
            doing: "keep a transcript",
            source,
        })
    }

    /// Ask about an output.
    pub(super) fn ask(
        &self,
        runtimes: &mut Runtimes,
        question: &Question<'_>,
    ) -> Result<Said, LaunchError> {
        let stdin = match self.own.style {
            CheckerStyle::Kattis => question.output.unwrap_or_default(),
            _ => &[],
        };
        let mut boxed = self.launch(runtimes, question)?;
        boxed.begin(Files::new(stdin)?, &self.limits(), 0)?;
        let outcome = boxed.finish()?;
        self.read(&mut boxed, &outcome)
    }

    /// A box with the checker and what it is asked about.
    pub(super) fn launch(
        &self,
        runtimes: &mut Runtimes,
        question: &Question<'_>,
    ) -> Result<sandbox::Box, LaunchError> {
        let program = self.compiled.program(&Invocation {
            arguments: &self.arguments(question),
            memory: self.limits().memory,
            files: &self.files(question),
            // What it left behind after the pass before is there again.
            scratch: question.feedback,
        })?;
        let runtime = runtimes.native(Side::TestCode, self.compiled.toolchain())?;
        runtime.launch(&program, &self.limits())
    }

    fn arguments(&self, question: &Question<'_>) -> Vec<String> {
        let place = |name: &str| format!("{}/{GIVEN}/{name}", sandbox::Executable::PLACE);
        let (input, output, answer) = (place("input"), place("output"), place("answer"));
        let talks = question.output.is_none();
        let files = match self.own.style {
            CheckerStyle::Kattis => vec![input, answer, FEEDBACK.to_owned()],
            // An interactor writes its own notes where a checker reads the output.
            CheckerStyle::Testlib if talks => vec![input, format!("{FEEDBACK}notes"), answer],
            CheckerStyle::Testlib => vec![input, output, answer],
            CheckerStyle::Codeforces => vec![input, answer, output],
        };
        let flags = question.flags.iter().cloned();
        files.into_iter().chain(flags).collect()
    }

    fn files(&self, question: &Question<'_>) -> Vec<OwnFile> {
        let file = |name: &str, content: &[u8]| OwnFile {
            path: PathBuf::from(GIVEN).join(name),
            executable: false,
            content: content.to_vec(),
        };
        let mut files = vec![
            file("input", question.input),
            file("answer", question.answer),
        ];
        if self.own.style != CheckerStyle::Kattis
            && let Some(output) = question.output
        {
            files.push(file("output", output));
        }
        files
    }

    /// What it may use.
    pub(super) fn limits(&self) -> Limits {
        let wall = self.own.time * 2 + Duration::from_secs(10);
        let limits = Limits {
            cpu: self.own.time,
            wall,
            idle: wall,
            memory: self.own.memory << 20,
            output: MOST_BYTES,
            scratch_bytes: MOST_BYTES,
            ..Limits::default()
        };
        self.compiled.toolchain().limits(limits)
    }

    /// The exit status by which it accepts.
    pub(super) fn accepting(&self) -> i32 {
        match self.own.style {
            CheckerStyle::Kattis => ACCEPTED,
            _ => 0,
        }
    }

    /// What it says, from how it ended and what it left behind.
    pub(super) fn read(
        &self,
        boxed: &mut sandbox::Box,
        outcome: &Outcome,
    ) -> Result<Said, LaunchError> {
        let left = boxed.collect(MOST_FILES, MOST_BYTES)?;
        let mut feedback = left.files;
        let mut take = |name: &str| {
            let place = feedback
                .iter()
                .position(|file| file.path.as_os_str() == name)?;
            Some(feedback.remove(place).content)
        };
        let next = take("nextpass.in");
        let (score, share) = (take("score.txt"), take("score_multiplier.txt"));
        let compared = match self.own.style {
            CheckerStyle::Kattis => {
                let words = feedback
                    .iter()
                    .find(|file| file.path.as_os_str() == "judgemessage.txt");
                let words = words
                    .map(|file| text(&file.content))
                    .filter(|it| !it.is_empty());
                self.kattis(outcome, words, score, share, next.is_some())
            }
            CheckerStyle::Testlib => self.testlib(outcome),
            CheckerStyle::Codeforces => self.codeforces(outcome),
        };
        Ok(Said {
            compared,
            feedback,
            next,
        })
    }

    fn kattis(
        &self,
        outcome: &Outcome,
        words: Option<String>,
        score: Option<Vec<u8>>,
        share: Option<Vec<u8>>,
        goes_on: bool,
    ) -> Compared {
        let accepts = match outcome.termination {
            Termination::Exited(ACCEPTED) => true,
            Termination::Exited(REJECTED) => false,
            _ => return self.failed(outcome, words),
        };
        let gave = score.is_some() || share.is_some();
        // Points that a problem must give come with the last pass.
        let rule = match self.own.score {
            ScoreRule::Required if goes_on => ScoreRule::Allowed,
            rule => rule,
        };
        if let Some(why) = fault_of_points(rule, accepts, gave) {
            return self.fails(why);
        }
        if goes_on && !accepts {
            return self.fails("asked for another pass of what it did not accept");
        }
        let earned = match (score, share) {
            (Some(_), Some(_)) => return self.fails("gave both a score and a multiplier"),
            (Some(score), None) => number(&score).map(Earned::Score),
            (None, Some(share)) => number(&share)
                .filter(|it| (0.0..=1.0).contains(it))
                .map(Earned::Share),
            (None, None) if accepts => return self.accepted(words, None),
            (None, None) => return wrong(words),
        };
        match earned {
            Some(earned) => self.accepted(words, Some(earned)),
            None => self.fails("gave a score that is no number"),
        }
    }

    fn testlib(&self, outcome: &Outcome) -> Compared {
        let words = Some(text(&outcome.stderr)).filter(|it| !it.is_empty());
        match outcome.termination {
            Termination::Exited(0) => self.accepted(words, None),
            Termination::Exited(1 | 2 | 4 | 8) => wrong(words),
            Termination::Exited(7) => {
                let said = words
                    .as_deref()
                    .and_then(|it| it.split_whitespace().find_map(|word| word.parse().ok()));
                match said {
                    Some(points) => self.points(words, points),
                    None => self.fails("gave points, but said no number"),
                }
            }
            // Partly right, by so many hundredths.
            Termination::Exited(status @ 16..=116) => {
                self.points(words, f64::from(status - 16) / 100.0)
            }
            _ => self.failed(outcome, words),
        }
    }

    fn codeforces(&self, outcome: &Outcome) -> Compared {
        let said = text(&outcome.stdout);
        let points: Option<f64> = said
            .split_whitespace()
            .next()
            .and_then(|word| word.parse().ok());
        match (outcome.termination, points) {
            (Termination::Exited(0), Some(points)) if points >= 1.0 => self.accepted(None, None),
            (Termination::Exited(0), Some(points)) => Compared {
                earned: (points > 0.0).then_some(Earned::Score(points)),
                ..wrong(Some(said))
            },
            _ => self.failed(outcome, Some(said).filter(|it| !it.is_empty())),
        }
    }

    /// What earned no points is no right answer.
    fn points(&self, words: Option<String>, points: f64) -> Compared {
        match points > 0.0 {
            true => self.accepted(words, Some(Earned::Score(points))),
            false => Compared {
                earned: Some(Earned::Score(0.0)),
                ..wrong(words)
            },
        }
    }

    fn accepted(&self, words: Option<String>, earned: Option<Earned>) -> Compared {
        let by = match self.own.interactive {
            true => OwnProgram::Interactor,
            false => OwnProgram::Checker,
        };
        Compared {
            strategy: Some(AcceptedBy::Own(by)),
            message: words,
            earned,
            ..Compared::plainly(Decision::Accepted)
        }
    }

    /// It did not decide, as its end tells.
    fn failed(&self, outcome: &Outcome, words: Option<String>) -> Compared {
        let how = match outcome.termination {
            Termination::Exited(status) => format!("exited with status {status}"),
            Termination::Signaled(signal) => format!("was ended by signal {signal}"),
            Termination::CpuLimit | Termination::WallLimit | Termination::IdleLimit => {
                "ran out of time".to_owned()
            }
            Termination::MemoryLimit => "ran out of memory".to_owned(),
            Termination::OutputLimit => "wrote too much".to_owned(),
        };
        let said = words.unwrap_or_else(|| last_line(&outcome.stderr));
        match said.is_empty() {
            true => self.fails(&how),
            false => self.fails(&format!("{how}: {said}")),
        }
    }

    pub(super) fn fails(&self, how: &str) -> Compared {
        Compared {
            message: Some(format!("the problem's {} {how}", self.own.noun())),
            ..Compared::plainly(Decision::JudgeFailed)
        }
    }
}

fn wrong(words: Option<String>) -> Compared {
    Compared {
        message: words,
        ..Compared::plainly(Decision::WrongAnswer)
    }
}

/// The start of what a checker wrote.
fn text(bytes: &[u8]) -> String {
    const MOST: usize = 2000;
    let bytes = bytes.trim_ascii();
    String::from_utf8_lossy(&bytes[..bytes.len().min(MOST)]).into_owned()
}

fn number(bytes: &[u8]) -> Option<f64> {
    let number: f64 = text(bytes).parse().ok()?;
    number.is_finite().then_some(number)
}
