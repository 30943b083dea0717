//! The kinds of problem whose answers are compared: text in and out, and one call of a function.

use std::fs::File;

use sandbox::{Files, Outcome, SandboxError, content, memory_file, memory_file_of};

use crate::checker::{Points, Rejection, StandardChecker};
use crate::value::{DataBudget, Returned, wire};
use crate::verdict::Decision;
use crate::{Comparator, Comparison, TestCase, Value};

/// What a run is given, and where its result will be, for kinds that have one besides standard output.
pub(super) struct Given {
    pub files: Files,
    pub result: Option<File>,
}

/// A run that ended well and yet gave nothing that can be compared: what that is, and why.
pub(super) type NoAnswer = (Decision, String);

/// What a checker says of an output.
pub(super) type CheckerWord = Result<Option<Points>, Rejection>;

/// How the cases of one kind of problem are run and compared.
pub(super) trait Kind {
    type Case: Sync;
    /// What a run gives beside its outcome.
    type Answer: Sync;

    fn given(case: &Self::Case) -> Result<Given, SandboxError>;

    /// Input and expected output, of the kinds that a problem's own checker can look at.
    fn texts(_: &Self::Case) -> Option<(&str, &str)> {
        None
    }

    /// The answer of a run that ended well.
    fn answer(
        case: &Self::Case,
        outcome: &Outcome,
        result: Option<&File>,
    ) -> Result<Result<Self::Answer, NoAnswer>, SandboxError>;

    /// Whether an answer is the expected one, with nothing to overlook.
    fn is_same(case: &Self::Case, outcome: &Outcome, answer: &Self::Answer) -> bool;

    fn compare(
        comparator: &Comparator,
        case: &Self::Case,
        outcome: &Outcome,
        answer: &Self::Answer,
    ) -> Comparison;

    /// What a checker with these flags decides, for the kinds whose answers are text.
    fn check(_: StandardChecker, _: &[String], _: &Self::Case, _: &Outcome) -> Option<CheckerWord> {
        None
    }
}

/// Standard input and expected standard output.
pub(super) struct Text;

impl Kind for Text {
    type Case = TestCase<String, String>;
    type Answer = ();

    fn texts(case: &Self::Case) -> Option<(&str, &str)> {
        Some((&case.input, &case.expected))
    }

    fn given(case: &Self::Case) -> Result<Given, SandboxError> {
        Ok(Given {
            files: Files::new(case.input.as_bytes())?,
            result: None,
        })
    }

    fn answer(
        _: &Self::Case,
        _: &Outcome,
        _: Option<&File>,
    ) -> Result<Result<(), NoAnswer>, SandboxError> {
        Ok(Ok(()))
    }

    fn is_same(case: &Self::Case, outcome: &Outcome, (): &()) -> bool {
        case.expected.as_bytes() == outcome.stdout
    }

    fn compare(
        comparator: &Comparator,
        case: &Self::Case,
        outcome: &Outcome,
        (): &(),
    ) -> Comparison {
        comparator.compare_text(case.expected.as_bytes(), &outcome.stdout)
    }

    fn check(
        checker: StandardChecker,
        flags: &[String],
        case: &Self::Case,
        outcome: &Outcome,
    ) -> Option<CheckerWord> {
        Some(checker.check(flags, case.expected.as_bytes(), &outcome.stdout))
    }
}

/// Positional arguments and the expected result.
pub(super) struct Call;

impl Kind for Call {
    type Case = TestCase<Vec<Value>, Value>;
    type Answer = Value;

    fn given(case: &Self::Case) -> Result<Given, SandboxError> {
        let arguments = wire::encode_arguments(&case.input);
        let arguments = memory_file_of("arguments", arguments.as_bytes())?;
        let result = memory_file("result")?;
        // The box closes its end with the run; ours stays, to be read then.
        let theirs = result.try_clone().map_err(|source| SandboxError::Host {
            doing: "share the result file",
            source,
        })?;
        Ok(Given {
            files: Files::new(&[])?.give(arguments).give(theirs),
            result: Some(result),
        })
    }

    fn answer(
        case: &Self::Case,
        _: &Outcome,
        result: Option<&File>,
    ) -> Result<Result<Value, NoAnswer>, SandboxError> {
        let written = result.map(content).transpose()?.unwrap_or_default();
        Ok(result_of(&case.expected, &written))
    }

    fn is_same(case: &Self::Case, _: &Outcome, answer: &Value) -> bool {
        case.expected == *answer
    }

    fn compare(
        comparator: &Comparator,
        case: &Self::Case,
        _: &Outcome,
        answer: &Value,
    ) -> Comparison {
        comparator.compare_value(&case.expected, answer)
    }
}

/// The same by standard streams, for executables: the arguments are standard input, and the result standard output, to which
/// the candidate itself does not write.
pub(super) struct CallByStreams;

impl Kind for CallByStreams {
    type Case = TestCase<Vec<Value>, Value>;
    type Answer = Value;

    fn given(case: &Self::Case) -> Result<Given, SandboxError> {
        let arguments = wire::encode_arguments(&case.input);
        Ok(Given {
            files: Files::new(arguments.as_bytes())?,
            result: None,
        })
    }

    fn answer(
        case: &Self::Case,
        outcome: &Outcome,
        _: Option<&File>,
    ) -> Result<Result<Value, NoAnswer>, SandboxError> {
        Ok(result_of(&case.expected, &outcome.stdout))
    }

    fn is_same(case: &Self::Case, outcome: &Outcome, answer: &Value) -> bool {
        Call::is_same(case, outcome, answer)
    }

    fn compare(
        comparator: &Comparator,
        case: &Self::Case,
        outcome: &Outcome,
        answer: &Value,
    ) -> Comparison {
        Call::compare(comparator, case, outcome, answer)
    }
}

/// What a harness wrote of the result of a call.
fn result_of(expected: &Value, written: &[u8]) -> Result<Value, NoAnswer> {
    match wire::returned(written, &DataBudget::of_result(expected)) {
        Some(Returned::Value(value)) => Ok(value),
        Some(Returned::Refused(why)) => {
            let why = format!("the result was refused: {why}");
            Err((Decision::WrongAnswer, why))
        }
        None => {
            let why = "it exited before the function returned";
            Err((Decision::RuntimeError, why.to_owned()))
        }
    }
}
