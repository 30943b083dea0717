//! Why a checker does not accept an output, in testlib's words.

/// What a checker without points decides: nothing to say, or why the output is not accepted.
pub(super) type Checked = Result<(), Rejection>;

/// What an accepted output earned.
#[derive(Debug, Clone, PartialEq)]
pub struct Points {
    /// The points.
    pub points: f64,
    /// The checker's words.
    pub words: String,
}

impl Points {
    /// Points as testlib's `quitp` tells of them.
    pub(super) fn of_testlib(points: f64, why: &str) -> Points {
        let shown = format!("{points:.10}");
        let shown = shown.trim_end_matches('0');
        let zero = if shown.ends_with('.') { "0" } else { "" };
        Points {
            points,
            words: format!("points {shown}{zero} {why}"),
        }
    }
}

/// Why a checker does not accept an output.
#[derive(Debug, Clone, PartialEq)]
pub enum Rejection {
    /// It is a wrong answer.
    Wrong(String),
    /// It is not in the form of an answer.
    Malformed(String),
    /// The expected output is not in the form of an answer, so that nothing is decided.
    Undecided(String),
    /// It is right only in part, and earns these points of one.
    Partial(f64, String),
}

impl Rejection {
    /// What testlib's checker would say.
    pub fn words(&self) -> String {
        let (opening, why) = match self {
            Rejection::Wrong(why) => ("wrong answer", why),
            Rejection::Malformed(why) => ("wrong output format", why),
            Rejection::Undecided(why) => ("FAIL", why),
            Rejection::Partial(_, why) => ("partially right:", why),
        };
        format!("{opening} {why}")
    }

    /// The exit status with which testlib's checker would end.
    pub fn status(&self) -> i32 {
        match self {
            Rejection::Wrong(_) => 1,
            Rejection::Malformed(_) => 2,
            Rejection::Undecided(_) => 3,
            Rejection::Partial(..) => 7,
        }
    }
}

/// A wrong answer, for this reason.
pub(super) fn wrong(why: impl Into<String>) -> Rejection {
    Rejection::Wrong(why.into())
}

/// What a message shows of a text: all of a short one, both ends of a long one.
pub(super) fn excerpt(text: &[u8]) -> String {
    const LONGEST: usize = 64;
    let shown = if text.len() <= LONGEST {
        text.to_vec()
    } else {
        [&text[..30], b"...", &text[text.len() - 31..]].concat()
    };
    String::from_utf8_lossy(&shown).replace('\0', "~")
}

/// A place in a sequence: `1st`, `12th`.
pub(super) fn ordinal(place: usize) -> String {
    let ending = match (place % 100 / 10, place % 10) {
        (1, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{place}{ending}")
}
