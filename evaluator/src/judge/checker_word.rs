//! What a problem's own checker says, by how it ended and what it left behind.

use sandbox::{Outcome, OwnFile, Termination};

use super::ending::last_line;
use super::tried::Compared;
use crate::OwnChecker;
use crate::checker::{CheckerStyle, ScoreRule};
use crate::grading::{Earned, fault_of_points};
use crate::verdict::{AcceptedBy, Decision, OwnProgram};

/// What the exit status of a Kattis validator says.
const ACCEPTED: i32 = 42;
const REJECTED: i32 = 43;

/// How a checker fails by its own word.
pub(super) const SAYS_IT_FAILS: &str = "says that it fails";

/// A checker that did not decide.
pub(super) struct Undecided {
    /// How it ended: a fragment.
    pub how: String,
}

/// What a checker left behind, of that which is its word.
pub(super) struct LeftWords {
    words: Option<String>,
    of_failure: Option<String>,
    score: Option<Vec<u8>>,
    share: Option<Vec<u8>>,
    goes_on: bool,
}

impl LeftWords {
    /// Take them out of `feedback`; whether there is another pass is known already.
    pub(super) fn take(feedback: &mut Vec<OwnFile>, goes_on: bool) -> LeftWords {
        let words = |name: &str| {
            let file = feedback.iter().find(|file| file.path.as_os_str() == name)?;
            Some(text(&file.content)).filter(|it| !it.is_empty())
        };
        LeftWords {
            words: words("judgemessage.txt"),
            of_failure: words("judgeerror.txt"),
            score: take(feedback, "score.txt"),
            share: take(feedback, "score_multiplier.txt"),
            goes_on,
        }
    }
}

/// Take a file out of what was left behind.
pub(super) fn take(feedback: &mut Vec<OwnFile>, name: &str) -> Option<Vec<u8>> {
    let named = |file: &OwnFile| file.path.as_os_str() == name;
    let place = feedback.iter().position(named)?;
    Some(feedback.remove(place).content)
}

/// The exit status by which a checker of this style accepts.
pub(super) fn accepting(style: CheckerStyle) -> i32 {
    match style {
        CheckerStyle::Kattis => ACCEPTED,
        _ => 0,
    }
}

/// What it decides, if it does.
pub(super) fn read(
    own: &OwnChecker,
    outcome: &Outcome,
    left: LeftWords,
) -> Result<Compared, Undecided> {
    match own.style {
        CheckerStyle::Kattis => kattis(own, outcome, left),
        CheckerStyle::Testlib => testlib(own, outcome),
        CheckerStyle::Codeforces => codeforces(own, outcome),
    }
}

fn kattis(own: &OwnChecker, outcome: &Outcome, left: LeftWords) -> Result<Compared, Undecided> {
    let LeftWords {
        words,
        of_failure,
        score,
        share,
        goes_on,
    } = left;
    let accepts = match outcome.termination {
        _ if of_failure.is_some() => return Err(says_that_it_fails(of_failure)),
        Termination::Exited(ACCEPTED) => true,
        Termination::Exited(REJECTED) => false,
        _ => return Err(undecided(outcome, words)),
    };
    let gave = score.is_some() || share.is_some();
    // Points that a problem must give come with the last pass.
    let rule = match own.score {
        ScoreRule::Required if goes_on => ScoreRule::Allowed,
        rule => rule,
    };
    if let Some(why) = fault_of_points(rule, accepts, gave) {
        return Err(against_its_rules(why));
    }
    if goes_on && !accepts {
        let why = "asked for another pass of what it did not accept";
        return Err(against_its_rules(why));
    }
    let earned = match (score, share) {
        (Some(_), Some(_)) => {
            return Err(against_its_rules("gave both a score and a multiplier"));
        }
        (Some(score), None) => number(&score).map(Earned::Score),
        (None, Some(share)) => number(&share)
            .filter(|it| (0.0..=1.0).contains(it))
            .map(Earned::Share),
        (None, None) if accepts => return Ok(accepted(own, words, None)),
        (None, None) => return Ok(wrong(words)),
    };
    match earned {
        Some(earned) => Ok(accepted(own, words, Some(earned))),
        None => Err(against_its_rules("gave a score that is no number")),
    }
}

fn testlib(own: &OwnChecker, outcome: &Outcome) -> Result<Compared, Undecided> {
    let words = Some(text(&outcome.stderr)).filter(|it| !it.is_empty());
    match outcome.termination {
        Termination::Exited(0) => Ok(accepted(own, words, None)),
        Termination::Exited(1) if words.as_deref().is_some_and(is_of_crash) => {
            Err(undecided(outcome, words))
        }
        Termination::Exited(1 | 2 | 4 | 8) => Ok(wrong(words)),
        Termination::Exited(3) => Err(says_that_it_fails(words)),
        Termination::Exited(7) => {
            let said = words
                .as_deref()
                .and_then(|it| it.split_whitespace().find_map(|word| word.parse().ok()))
                .filter(|points: &f64| points.is_finite());
            match said {
                Some(number) => Ok(points(own, words, Earned::Score(number))),
                None => Err(against_its_rules("gave points, but said no number")),
            }
        }
        // Partly right, by so many hundredths.
        Termination::Exited(status @ 16..=116) => {
            let share = f64::from(status - 16) / 100.0;
            Ok(points(own, words, Earned::Share(share)))
        }
        _ => Err(undecided(outcome, words)),
    }
}

/// Whether it is what a runtime says of an exception that nothing caught: that is no finding, though the exit status is that
/// of a wrong answer.
fn is_of_crash(words: &str) -> bool {
    let is_of_python = words.starts_with("Traceback (most recent call last):")
        || words.starts_with("File \"") && words.contains("Error: ");
    let is_of_java = words.starts_with("Exception in thread \"") && words.contains("\tat ");
    let is_of_node = words.contains("\nNode.js v") && words.contains("\n    at ");
    is_of_python || is_of_java || is_of_node
}

fn codeforces(own: &OwnChecker, outcome: &Outcome) -> Result<Compared, Undecided> {
    let said = text(&outcome.stdout);
    let points: Option<f64> = said
        .split_whitespace()
        .next()
        .and_then(|word| word.parse().ok());
    match (outcome.termination, points) {
        (Termination::Exited(0), Some(1.0)) => Ok(accepted(own, None, None)),
        (Termination::Exited(0), Some(points)) if points.is_finite() => Ok(Compared {
            earned: (points > 0.0).then_some(Earned::Score(points)),
            ..wrong(Some(said))
        }),
        _ => Err(undecided(outcome, Some(said).filter(|it| !it.is_empty()))),
    }
}

/// What earned no points is no right answer.
fn points(own: &OwnChecker, words: Option<String>, earned: Earned) -> Compared {
    let (Earned::Score(points) | Earned::Share(points)) = earned;
    match points > 0.0 {
        true => accepted(own, words, Some(earned)),
        false => Compared {
            earned: Some(Earned::Score(0.0)),
            ..wrong(words)
        },
    }
}

fn accepted(own: &OwnChecker, words: Option<String>, earned: Option<Earned>) -> Compared {
    let by = match own.interactive {
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

/// A rejection with these words.
pub(super) fn wrong(words: Option<String>) -> Compared {
    Compared {
        message: words,
        ..Compared::plainly(Decision::WrongAnswer)
    }
}

/// It did not decide, as its end tells.
fn undecided(outcome: &Outcome, words: Option<String>) -> Undecided {
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
    Undecided {
        how: match said.is_empty() {
            true => how,
            false => format!("{how}: {said}"),
        },
    }
}

fn says_that_it_fails(words: Option<String>) -> Undecided {
    Undecided {
        how: words.map_or_else(
            || SAYS_IT_FAILS.to_owned(),
            |words| format!("{SAYS_IT_FAILS}: {words}"),
        ),
    }
}

fn against_its_rules(how: &str) -> Undecided {
    Undecided {
        how: how.to_owned(),
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
