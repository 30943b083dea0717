//! Runs a program on text or on arguments, and compares what it gives.

use std::fs::File;
use std::time::Duration;

use rayon::prelude::*;
use sandbox::{Files, LaunchError, Limits, Outcome, Usage, thread_cpu_time};

use super::budget::Budget;
use super::checker_word::wrong;
use super::ending::{case, failure};
use super::gate::CpuGate;
use super::interaction::{self, Interactor};
use super::kinds::{CheckerWord, Kind};
use super::launched::Launched;
use super::own_checker::{Question, ReadyChecker, Said};
use super::own_programs::OwnPrograms;
use super::reruns::{Company, Reruns};
use super::settings::Settings;
use super::transcript::Transcript;
use super::tried::{Attempt, Compared, Tried, enough};
use crate::checker::{Points, Rejection};
use crate::grading::Earned;
use crate::languages::Toolchain;
use crate::verdict::{AcceptedBy, CaseResult, Clock, Decision};
use crate::{Checker, Comparator, Comparison, Problem, StandardChecker};

/// Outputs of at least so many bytes are compared under the profiles side by side.
const LARGE: usize = 1 << 20;

/// How far apart the seeds of two passes of a test are: no pass repeats the pseudo-random numbers of another.
const SEEDS_OF_A_PASS: u64 = 1 << 24;

/// How the tests of one submission are run.
pub(super) struct Run<'a> {
    pub settings: &'a Settings,
    pub gate: &'a CpuGate,
    /// The main profile's, then the others'.
    pub comparators: &'a [Comparator],
    /// What says which checker decides in their place, for every profile alike.
    pub problem: &'a Problem,
    /// The problem's own programs, if it has any.
    pub own: OwnPrograms,
    /// What may be lost on tests that run out of time.
    pub budget: Budget,
    /// CPU time per test.
    pub limit: Duration,
    /// The limits of a test among others.
    pub limits: Limits,
    /// The limits of a test that is run again alone.
    pub alone: Limits,
}

impl<'a> Run<'a> {
    /// As `settings` have it for `problem`.
    pub(super) fn new(
        settings: &'a Settings,
        gate: &'a CpuGate,
        comparators: &'a [Comparator],
        problem: &'a Problem,
    ) -> Run<'a> {
        let limit = settings.cpu_limit(problem);
        Run {
            settings,
            gate,
            comparators,
            problem,
            own: OwnPrograms::default(),
            budget: Budget::new(settings, limit),
            limit,
            limits: settings.limits(problem, gate.allowance(limit)),
            alone: settings.limits_alone(problem, limit),
        }
    }

    /// The same with what programs of another language get.
    pub(super) fn in_language(mut self, toolchain: &Toolchain) -> Run<'a> {
        self.limit = self.limit.mul_f64(toolchain.language.time_factor);
        self.limits = toolchain.limits(self.limits);
        self.alone = toolchain.limits(self.alone);
        self
    }

    /// Run a launched program on the cases one after another, until enough is known.
    pub(super) fn all<K: Kind>(
        &self,
        program: &mut Launched<'_>,
        cases: &[K::Case],
    ) -> Result<Attempt, LaunchError> {
        let mut tried = Vec::with_capacity(cases.len());
        let mut reruns = Reruns::default();
        for (place, case) in cases.iter().enumerate() {
            if self.budget.ends(&mut tried, program.compiling_again()) {
                break;
            }
            let done = self.one::<K>(program, case, place, &mut reruns)?;
            tried.push(done.kept_behind(&tried));
            if enough(self.settings, &tried) {
                break;
            }
        }
        Ok(Attempt::of(tried))
    }

    /// One case.
    pub(super) fn one<K: Kind>(
        &self,
        program: &mut Launched<'_>,
        case: &K::Case,
        place: usize,
        reruns: &mut Reruns,
    ) -> Result<Tried, LaunchError> {
        reruns.settle(self.gate, self.limit, |company| {
            let limits = match company {
                Company::Others => &self.limits,
                Company::Alone => &self.alone,
            };
            self.run::<K>(program, case, place, limits)
        })
    }

    fn run<K: Kind>(
        &self,
        program: &mut Launched<'_>,
        case: &K::Case,
        place: usize,
        limits: &Limits,
    ) -> Result<Tried, LaunchError> {
        let details = self.problem.details.get(place);
        if let Some(details) = details {
            program.call_with(&details.arguments, &details.files)?;
        }
        let mut tried = self.run_nameless::<K>(program, case, place, limits)?;
        tried.case.name = details.map(|details| details.name.clone());
        Ok(tried)
    }

    fn run_nameless<K: Kind>(
        &self,
        program: &mut Launched<'_>,
        case: &K::Case,
        place: usize,
        limits: &Limits,
    ) -> Result<Tried, LaunchError> {
        if let (Some(checker), Some(texts)) = (&self.own.checker, K::texts(case)) {
            let transcript = checker.new_transcript();
            let heard = transcript.as_ref();
            let tried = self.by_own_checker(program, checker, texts, place, limits, heard)?;
            if let Some(transcript) = heard {
                let details = self.problem.details.get(place);
                let name = details.map_or_else(|| place.to_string(), |it| it.name.clone());
                checker.keep(transcript, &name)?;
            }
            return Ok(tried);
        }
        let given = K::given(case)?;
        // Each case has pseudo-random numbers of its own.
        let seed = place as u64 + 1;
        program.begin(given.files, limits, seed)?;
        let (outcome, read) = timed(|| program.finish());
        let outcome = outcome?;
        let (tried, looked) = match failed(program, &outcome, limits) {
            Some((decision, clock)) => {
                let same = self.same(decision);
                (self.tried(&outcome, same, clock, None), Duration::ZERO)
            }
            None => self.answered::<K>(case, place, &outcome, given.result.as_ref())?,
        };
        let tried = tried.looked_at(read + looked);
        Ok(tried.after_sleeping(outcome.usage.slept))
    }

    /// A run that ended well, and the CPU time that looking at its answer took.
    fn answered<K: Kind>(
        &self,
        case: &K::Case,
        place: usize,
        outcome: &Outcome,
        result: Option<&File>,
    ) -> Result<(Tried, Duration), LaunchError> {
        let (answer, read) = timed(|| K::answer(case, outcome, result));
        let (tried, compared) = match answer? {
            Ok(answer) => {
                let (compared, time) = self.compare::<K>(case, place, outcome, &answer);
                (self.tried(outcome, compared, None, None), time)
            }
            Err((decision, why)) => {
                let same = self.same(decision);
                (self.tried(outcome, same, None, Some(why)), Duration::ZERO)
            }
        };
        Ok((tried, read + compared))
    }

    /// Run the program on a test, as many times as its own checker wants, and let that decide.
    fn by_own_checker(
        &self,
        program: &mut Launched<'_>,
        checker: &ReadyChecker,
        (input, answer): (&str, &str),
        place: usize,
        limits: &Limits,
        transcript: Option<&Transcript>,
    ) -> Result<Tried, LaunchError> {
        let mut input = input.as_bytes().to_vec();
        let mut feedback = Vec::new();
        let mut before = Vec::new();
        let of_test = self.problem.details.get(place);
        let flags = of_test.map_or(&checker.own.flags, |details| &details.checker_flags);
        for turn in 0..checker.own.passes {
            let seed = place as u64 + 1 + u64::from(turn) * SEEDS_OF_A_PASS;
            let question = Question {
                input: &input,
                answer: answer.as_bytes(),
                output: None,
                flags,
                turn,
                feedback: &feedback,
            };
            let (tried, said) = match checker.own.interactive {
                true => self.talked(program, checker, &question, seed, limits, transcript)?,
                false => self.pass(program, checker, question, seed, limits)?,
            };
            let tried = tried.costing_at_least(&before);
            let Some(said) = said.filter(|said| said.compared.verdict == Decision::Accepted) else {
                return Ok(tried);
            };
            match said.next {
                None => return Ok(tried),
                Some(_) if checker.own.passes == 1 => return Ok(tried),
                Some(next) => input = next,
            }
            feedback = said.feedback;
            before.push(tried);
        }
        let why = format!(
            "the problem's checker asked for more than {} passes",
            checker.own.passes
        );
        // It may go on until the solution says the right thing.
        let compared = vec![wrong(Some(why)); self.comparators.len()];
        let tried = self.tried(&Outcome::default(), compared, None, None);
        Ok(tried.costing_at_least(&before))
    }

    /// One pass. Where it ended before the checker had a say, there is none.
    fn pass(
        &self,
        program: &mut Launched<'_>,
        checker: &ReadyChecker,
        question: Question<'_>,
        seed: u64,
        limits: &Limits,
    ) -> Result<(Tried, Option<Said>), LaunchError> {
        program.begin(Files::new(question.input)?, limits, seed)?;
        let (outcome, read) = timed(|| program.finish());
        let outcome = outcome?;
        let slept = outcome.usage.slept;
        if let Some((decision, clock)) = failed(program, &outcome, limits) {
            let tried = self.tried(&outcome, self.same(decision), clock, None);
            return Ok((tried.looked_at(read).after_sleeping(slept), None));
        }
        let question = Question {
            output: Some(&outcome.stdout),
            ..question
        };
        let said = checker.ask(program.runtimes(), &question)?;
        let tried = self.by_word(&outcome, &said).looked_at(read);
        Ok((tried.after_sleeping(slept), Some(said)))
    }

    /// What a checker says of a run, as its result.
    fn by_word(&self, outcome: &Outcome, said: &Said) -> Tried {
        let compared = vec![said.compared.clone(); self.comparators.len()];
        self.tried(outcome, compared, None, None)
            .burdening(said.beyond)
    }

    /// One pass in which the solution talks to the interactor. Who is to blame, in this order: an interactor that fails itself; the
    /// solution, where the interactor ended first and rejects; the solution, for how it ended; and last what the interactor says.
    fn talked(
        &self,
        program: &mut Launched<'_>,
        checker: &ReadyChecker,
        question: &Question<'_>,
        seed: u64,
        limits: &Limits,
        transcript: Option<&Transcript>,
    ) -> Result<(Tried, Option<Said>), LaunchError> {
        let limits = interaction::limits(limits);
        let mut interactor = checker.launch(program.runtimes(), question)?;
        let theirs = checker.limits();
        let side = Interactor {
            boxed: &mut interactor,
            limits: Limits {
                wall: limits.wall + theirs.wall,
                idle: limits.wall + theirs.wall,
                ..theirs
            },
            accepts: checker.accepting(),
        };
        transcript.into_iter().for_each(Transcript::next_pass);
        let ended = interaction::talk(program, side, &limits, seed, transcript)?;
        let runtimes = program.runtimes();
        let heard = &ended.interactor;
        let said = checker.after_talk(runtimes, question, &mut interactor, heard, limits.cpu)?;
        let outcome = ended.solution;
        // While one of them works, the other may sleep.
        let slept = [heard, &outcome]
            .map(|side| side.usage.slept)
            .iter()
            .sum::<Duration>();
        let slept = slept.saturating_sub(outcome.usage.wall.max(heard.usage.wall));
        let failed = failed(program, &outcome, &limits);
        let decided = match (said.compared.verdict, failed) {
            (Decision::JudgeFailed, _) => None,
            (Decision::WrongAnswer, _) if ended.interactor_first => None,
            (_, failed) => failed,
        };
        let Some((decision, clock)) = decided else {
            let tried = self.by_word(&outcome, &said);
            return Ok((tried.after_sleeping(slept), Some(said)));
        };
        let silent = matches!(clock, Some(Clock::Wall | Clock::Idle));
        let why = silent.then(|| SILENT.to_owned());
        let tried = self.tried(&outcome, self.same(decision), clock, why);
        Ok((tried.burdening(said.beyond).after_sleeping(slept), None))
    }

    /// What each profile says of a case, the main one first, as its result.
    fn tried(
        &self,
        outcome: &Outcome,
        compared: Vec<Compared>,
        clock: Option<Clock>,
        message: Option<String>,
    ) -> Tried {
        let mut compared = compared.into_iter();
        let main = compared.next().expect("the main profile's comparator");
        Tried {
            case: CaseResult {
                strategy: main.strategy,
                diff: main.diff,
                clock,
                message: message.or(main.message),
                score: main.earned.map(|earned| match earned {
                    Earned::Score(points) | Earned::Share(points) => points,
                }),
                ..case(outcome, main.verdict, self.settings.keep_output)
            },
            also: compared.collect(),
            earned: main.earned,
            burden: Duration::ZERO,
            looked: Duration::ZERO,
            slept: Duration::ZERO,
            unmetered: unmetered(&outcome.usage, self.limit),
            is_idle: false,
        }
    }

    /// What every profile says where nothing is to be compared.
    fn same(&self, verdict: Decision) -> Vec<Compared> {
        vec![Compared::plainly(verdict); self.comparators.len()]
    }

    /// What every profile says of an answer, which is the checker's word where there is one; and the CPU time that took.
    fn compare<K: Kind>(
        &self,
        case: &K::Case,
        place: usize,
        outcome: &Outcome,
        answer: &K::Answer,
    ) -> (Vec<Compared>, Duration) {
        if let (Some(compared), time) = timed(|| self.checked::<K>(case, place, outcome)) {
            return (vec![compared; self.comparators.len()], time);
        }
        let is_same = K::is_same(case, outcome, answer);
        let by = |comparator: &Comparator| {
            // That is no doing of this answer.
            if !is_same {
                comparator.prepare();
            }
            timed(|| compared(K::compare(comparator, case, outcome, answer)))
        };
        let all: Vec<_> = if outcome.stdout.len() < LARGE || self.comparators.len() == 1 {
            self.comparators.iter().map(by).collect()
        } else {
            self.comparators.par_iter().map(by).collect()
        };
        let (compared, times): (_, Vec<Duration>) = all.into_iter().unzip();
        (compared, times.iter().sum())
    }

    /// What the problem's checker says, if it has one.
    fn checked<K: Kind>(
        &self,
        case: &K::Case,
        place: usize,
        outcome: &Outcome,
    ) -> Option<Compared> {
        let Checker::Standard(checker, flags) = self.problem.checker.as_ref()? else {
            return None;
        };
        let of_test = self.problem.details.get(place);
        let flags = of_test.map_or(flags, |details| &details.checker_flags);
        Some(said(*checker, K::check(*checker, flags, case, outcome)?))
    }
}

/// Why a solution and an interactor may wait for one another.
const SILENT: &str = "solution and interactor waited for one another: was output not flushed, or more input read than there is?";

/// How a run failed by itself, if it did.
fn failed(
    program: &Launched<'_>,
    outcome: &Outcome,
    limits: &Limits,
) -> Option<(Decision, Option<Clock>)> {
    match failure(outcome, limits.cpu)? {
        (Decision::RuntimeError, _) if program.ran_out_of_memory(outcome) => {
            Some((Decision::MemoryLimit, None))
        }
        failure => Some(failure),
    }
}

/// What a run took in fact beyond its limit and what it is charged with.
fn unmetered(usage: &Usage, limit: Duration) -> Duration {
    usage.real_cpu.saturating_sub(usage.cpu.max(limit))
}

/// What some work gives, and the CPU time that it takes on this thread.
fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let before = thread_cpu_time();
    let done = work();
    (done, thread_cpu_time().saturating_sub(before))
}

fn said(checker: StandardChecker, checked: CheckerWord) -> Compared {
    let rejection = match checked {
        Ok(points) => return accepted(AcceptedBy::Checker(checker), points),
        Err(rejection) => rejection,
    };
    let decision = match rejection {
        Rejection::Wrong(_) | Rejection::Malformed(_) | Rejection::Partial(..) => {
            Decision::WrongAnswer
        }
        Rejection::Undecided(_) => Decision::JudgeFailed,
    };
    let earned = match rejection {
        Rejection::Partial(points, _) => Some(Earned::Score(points)),
        _ => None,
    };
    Compared {
        message: Some(rejection.words()),
        earned,
        ..Compared::plainly(decision)
    }
}

/// The points of the one checker that is known by name and gives any are how far an answer is off.
fn accepted(by: AcceptedBy, points: Option<Points>) -> Compared {
    let is_off = points.as_ref().is_some_and(|it| it.points != 0.0);
    let decision = match is_off {
        true => Decision::WrongAnswer,
        false => Decision::Accepted,
    };
    Compared {
        strategy: (!is_off).then_some(by),
        message: points.map(|it| it.words),
        ..Compared::plainly(decision)
    }
}

fn compared(comparison: Comparison) -> Compared {
    match comparison {
        Comparison::Accepted(strategy) => Compared {
            strategy: Some(AcceptedBy::Strategy(strategy)),
            ..Compared::plainly(Decision::Accepted)
        },
        Comparison::Rejected(diff) => Compared {
            diff: Some(diff),
            ..Compared::plainly(Decision::WrongAnswer)
        },
    }
}
