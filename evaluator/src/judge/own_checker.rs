//! Runs a problem's own checker on an output: boxed, and with nothing to see but input, answer and output.
//!
//! What it says decides. Where it says that it fails, crashes or runs out of a limit, it is run once more without the
//! candidate: on the expected answer, or as an interactor to which nothing is said. What does well there was brought to its
//! end by what the candidate wrote. So was what fails on purpose, by an assertion or a status of its own, once it has read
//! of an output: which one would do, it need not say.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use blake3::{Hash, Hasher};
use sandbox::{Files, LaunchError, Limits, Outcome, OwnFile, SandboxError, Termination};

use super::checker_word::{self, LeftWords, Undecided, wrong};
use super::context::{JudgeContext, Task};
use super::controls::Control;
use super::interaction;
use super::made_up::{LONG, NO_TEXT, PLAIN_OUTPUTS, is_refusal, made_of};
use super::runtimes::{Runtimes, Side};
use super::transcript::Transcript;
use super::tried::Compared;
use crate::checker::{CheckerStyle, OwnChecker};
use crate::grading::Earned;
use crate::languages::{Compiled, Invocation, Languages, Source, Toolchain, toolchain};
use crate::transcripts::TranscriptFolder;
use crate::verdict::Decision;
use crate::{Checker, SourceFile};

/// The most files and bytes that a checker may leave behind.
const MOST_FILES: u64 = 64;
const MOST_BYTES: u64 = 64 << 20;

/// The folder of what a checker is given, below the folder of its own files.
const GIVEN: &str = "given";

/// The folder in which it leaves its feedback.
const FEEDBACK: &str = "/tmp/";

/// CPU time that a checker may take for any output.
const ALLOWED: Duration = Duration::from_secs(1);

/// How many times what it takes without the candidate it may take with it.
const TIMES: u32 = 2;

/// How long an interactor to which nothing is said sleeps before it waits for that.
const WAITS: Duration = Duration::from_secs(2);

/// The points of a right answer, where it is not known how many there are.
const ONE: Option<Earned> = Some(Earned::Score(1.0));

/// A checker that is compiled.
#[derive(Clone)]
pub(super) struct ReadyChecker {
    pub own: Arc<OwnChecker>,
    /// Of all that it is made of.
    key: Hash,
    compiled: Arc<Compiled>,
    /// The problem has rules of its own for points.
    is_graded: bool,
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
    /// How many passes were before, all with outputs of the candidate's.
    pub turn: u32,
    /// What it left behind when it was asked about the pass before.
    pub feedback: &'a [OwnFile],
}

/// What a checker says.
pub(super) struct Said {
    pub compared: Compared,
    /// CPU time that what the candidate wrote had it take, beyond what is allowed; and the wait for an interactor that it broke.
    pub beyond: Duration,
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
            key: source.key(),
            compiled,
            is_graded: task.problem.grading.is_some(),
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
        let (outcome, left) = self.run(runtimes, question)?;
        self.settled(runtimes, question, &outcome, left, ALLOWED)
    }

    /// Run it on an output.
    fn run(
        &self,
        runtimes: &mut Runtimes,
        question: &Question<'_>,
    ) -> Result<(Outcome, Vec<OwnFile>), LaunchError> {
        let stdin = match self.own.style {
            CheckerStyle::Kattis => question.output.unwrap_or_default(),
            _ => &[],
        };
        let mut boxed = self.launch(runtimes, question)?;
        boxed.begin(Files::new(stdin)?, &self.limits(), 0)?;
        let outcome = boxed.finish()?;
        Ok((outcome, left(&mut boxed)?))
    }

    /// What a run that ended so comes to.
    fn settled(
        &self,
        runtimes: &mut Runtimes,
        question: &Question<'_>,
        outcome: &Outcome,
        mut feedback: Vec<OwnFile>,
        allowed: Duration,
    ) -> Result<Said, LaunchError> {
        let next = checker_word::take(&mut feedback, "nextpass.in");
        let words = LeftWords::take(&mut feedback, next.is_some());
        let word = checker_word::read(&self.own, outcome, words);
        let took = outcome.usage.real_cpu;
        let mut waited = Duration::ZERO;
        let compared = match word {
            Ok(compared) if next.is_none() && self.gave_points(&compared) => {
                self.in_full(runtimes, question, compared)?
            }
            Ok(compared) => compared,
            // What it is asked then comes of what the candidate said, so that no run without that tells anything.
            Err(undecided) if question.turn > 0 => self.broken(&undecided, "in a later pass"),
            Err(undecided) => {
                let control = self.control(runtimes, question)?;
                if self.own.interactive {
                    waited = WAITS;
                }
                self.blamed(undecided, control)
            }
        };
        let free = match took > allowed && !self.own.interactive {
            true => allowed.max(self.control(runtimes, question)?.cpu * TIMES),
            false => allowed,
        };
        Ok(Said {
            compared,
            beyond: took.saturating_sub(free) + waited,
            feedback,
            next,
        })
    }

    /// Whether it gave points, and nothing but how many they are says whether the output is right.
    fn gave_points(&self, compared: &Compared) -> bool {
        compared.verdict == Decision::Accepted && compared.earned.is_some() && !self.is_graded
    }

    /// An accepted output with points, which is right only if these are all that there are: one whole, or as many as the expected
    /// answer earns.
    fn in_full(
        &self,
        runtimes: &mut Runtimes,
        question: &Question<'_>,
        compared: Compared,
    ) -> Result<Compared, LaunchError> {
        let is_full = match compared.earned {
            None => true,
            Some(Earned::Share(share)) => share >= 1.0,
            Some(Earned::Score(_)) if self.own.interactive => compared.earned == ONE,
            Some(Earned::Score(points)) => match self.control(runtimes, question)?.points {
                Some(most) => points >= most,
                None => compared.earned == ONE,
            },
        };
        Ok(match is_full {
            true => compared,
            false => Compared {
                verdict: Decision::WrongAnswer,
                strategy: None,
                ..compared
            },
        })
    }

    /// Whose doing it is that it did not decide.
    fn blamed(&self, undecided: Undecided, control: Control) -> Compared {
        if control.failure.as_ref() == Some(&undecided.how) {
            return self.fails(&undecided.how);
        }
        let shown = match self.own.interactive {
            _ if control.refuses => "having read what it was given",
            true => "and not before the solution says a word",
            false => "and not on the expected answer",
        };
        self.broken(&undecided, shown)
    }

    /// By what the candidate said.
    fn broken(&self, undecided: &Undecided, shown: &str) -> Compared {
        let (noun, how) = (self.own.noun(), &undecided.how);
        wrong(Some(format!("the problem's {noun} {how} ({shown})")))
    }

    /// What it does about a question where the candidate has no part in it.
    fn control(
        &self,
        runtimes: &mut Runtimes,
        question: &Question<'_>,
    ) -> Result<Control, LaunchError> {
        let key = self.key_of(question);
        if let Some(known) = runtimes.controls().get(key) {
            return Ok(known);
        }
        let control = match self.own.interactive {
            true => self.hears_nothing(runtimes, question)?,
            false => self.on_the_answer(runtimes, question)?,
        };
        runtimes.controls().keep(key, control.clone());
        Ok(control)
    }

    fn on_the_answer(
        &self,
        runtimes: &mut Runtimes,
        question: &Question<'_>,
    ) -> Result<Control, LaunchError> {
        let question = Question {
            output: Some(question.answer),
            ..*question
        };
        let (word, cpu) = self.tries(runtimes, &question)?;
        let mut refuses = false;
        let (failure, points) = match word {
            Ok(compared) => (None, points_of(&compared)),
            Err(failure) => {
                let mut outputs = [&*PLAIN_OUTPUTS, &*made_of(question.answer)].concat();
                if is_refusal(&failure) {
                    outputs.push(NO_TEXT.to_vec());
                }
                let mut said = outputs.iter().map(|output| {
                    let question = Question {
                        output: Some(output),
                        ..question
                    };
                    Ok(self.tries(runtimes, &question)?.0.err())
                });
                let failure = match always(failure, &mut said)? {
                    Some(how) if is_refusal(&how) && self.reads(runtimes, &question, &how)? => {
                        refuses = true;
                        None
                    }
                    failure => failure,
                };
                (failure, None)
            }
        };
        Ok(Control {
            failure,
            refuses,
            cpu,
            points,
        })
    }

    /// Whether it reads of an output before it fails so: what takes in a long word needs room for it.
    fn reads(
        &self,
        runtimes: &mut Runtimes,
        question: &Question<'_>,
        failure: &str,
    ) -> Result<bool, LaunchError> {
        let mut needs = |word: &[u8]| {
            let question = Question {
                output: Some(word),
                ..*question
            };
            let (outcome, mut left) = self.run(runtimes, &question)?;
            let word = checker_word::read(&self.own, &outcome, LeftWords::take(&mut left, false));
            let fails_so = word.is_err_and(|undecided| undecided.how == failure);
            Ok::<_, LaunchError>(fails_so.then_some(outcome.usage.memory))
        };
        let (short, long) = (needs(b"a")?, needs(&vec![b'a'; LONG])?);
        Ok(short
            .zip(long)
            .is_none_or(|(short, long)| long > short + LONG as u64 / 2))
    }

    /// What it decides about an output, or how it fails to, and the CPU time that it takes.
    fn tries(
        &self,
        runtimes: &mut Runtimes,
        question: &Question<'_>,
    ) -> Result<(Result<Compared, String>, Duration), LaunchError> {
        let (outcome, mut left) = self.run(runtimes, question)?;
        let goes_on = checker_word::take(&mut left, "nextpass.in").is_some();
        let word = checker_word::read(&self.own, &outcome, LeftWords::take(&mut left, goes_on));
        Ok((
            word.map_err(|undecided| undecided.how),
            outcome.usage.real_cpu,
        ))
    }

    fn hears_nothing(
        &self,
        runtimes: &mut Runtimes,
        question: &Question<'_>,
    ) -> Result<Control, LaunchError> {
        let (failure, cpu) = self.hears(runtimes, question, &[])?;
        let failure = match failure {
            None => None,
            // It may have waited by a clock of its own, and not for long.
            Some(failure) => {
                let mut said = PLAIN_OUTPUTS
                    .iter()
                    .map(|words| Ok(self.hears(runtimes, question, words)?.0));
                always(failure, &mut said)?
            }
        };
        Ok(Control {
            failure,
            refuses: false,
            cpu,
            points: None,
        })
    }

    /// How an interactor fails that hears these words and no more, if it neither waits for others nor refuses these, and the
    /// CPU time that it takes.
    fn hears(
        &self,
        runtimes: &mut Runtimes,
        question: &Question<'_>,
        words: &[u8],
    ) -> Result<(Option<String>, Duration), LaunchError> {
        let mut boxed = self.launch(runtimes, question)?;
        let (outcome, has_read) =
            interaction::monologue(&mut boxed, words, &self.patient_limits())?;
        let mut left = left(&mut boxed)?;
        let word = checker_word::read(&self.own, &outcome, LeftWords::take(&mut left, false));
        let has_waited = outcome.termination == Termination::IdleLimit || waited(&outcome);
        let failure = word
            .err()
            .filter(|_| !has_waited)
            .map(|undecided| undecided.how);
        Ok((
            failure.filter(|failure| !has_read || !is_refusal(failure)),
            outcome.usage.real_cpu,
        ))
    }

    /// Of all that a run without the candidate depends on.
    fn key_of(&self, question: &Question<'_>) -> Hash {
        let mut hasher = Hasher::new();
        let mut field = |bytes: &[u8]| {
            hasher.update(&(bytes.len() as u64).to_le_bytes());
            hasher.update(bytes);
        };
        field(self.key.as_bytes());
        field(self.own.style.name().as_bytes());
        field(&[u8::from(self.own.interactive)]);
        field(&self.own.time.as_nanos().to_le_bytes());
        field(&self.own.memory.to_le_bytes());
        field(format!("{:?} {:?}", self.own.score, question.flags).as_bytes());
        field(question.input);
        field(question.answer);
        for file in question.feedback {
            field(file.path.as_os_str().as_encoded_bytes());
            field(&file.content);
        }
        hasher.finalize()
    }

    /// What an interactor says that ended so, after a talk with a solution that may take `limit` itself.
    pub(super) fn after_talk(
        &self,
        runtimes: &mut Runtimes,
        question: &Question<'_>,
        boxed: &mut sandbox::Box,
        outcome: &Outcome,
        limit: Duration,
    ) -> Result<Said, LaunchError> {
        let left = left(boxed)?;
        self.settled(runtimes, question, outcome, left, ALLOWED + limit * TIMES)
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

    /// The same of one that may wait for words which nobody says.
    fn patient_limits(&self) -> Limits {
        Limits {
            idle: WAITS,
            ..self.limits()
        }
    }

    /// The exit status by which it accepts.
    pub(super) fn accepting(&self) -> i32 {
        checker_word::accepting(self.own.style)
    }

    pub(super) fn fails(&self, how: &str) -> Compared {
        Compared {
            message: Some(format!("the problem's {} {how}", self.own.noun())),
            ..Compared::plainly(Decision::JudgeFailed)
        }
    }
}

/// The points of an output that a checker takes for right, where there are any. One that accepts the expected answer without a word
/// of points gives them to what is right in part.
fn points_of(compared: &Compared) -> Option<f64> {
    match (compared.verdict, compared.earned) {
        (Decision::Accepted, Some(Earned::Score(points))) => Some(points),
        (Decision::Accepted, None) => Some(f64::INFINITY),
        _ => None,
    }
}

/// How a problem's own program fails that fails so where the candidate has no part in it; if it does so whatever else is `said`.
///
/// The expected answer may be no output at all: the best length, or a word for there being many. So it is asked about what is
/// made up. It reads that if it decides, or fails in another way.
fn always(
    failure: String,
    said: &mut dyn Iterator<Item = Result<Option<String>, LaunchError>>,
) -> Result<Option<String>, LaunchError> {
    for other in said {
        if other?.as_ref() != Some(&failure) {
            return Ok(None);
        }
    }
    Ok(Some(failure))
}

/// Whether an interactor waited for a word before it ended, by a clock of its own maybe.
fn waited(outcome: &Outcome) -> bool {
    outcome.usage.wall > outcome.usage.real_cpu + WAITS / 3
}

/// What a run left behind.
fn left(boxed: &mut sandbox::Box) -> Result<Vec<OwnFile>, SandboxError> {
    Ok(boxed.collect(MOST_FILES, MOST_BYTES)?.files)
}
