//! The `standard` profile's rules for one problem, as its strategies take them.

use std::sync::Arc;

use super::evidence::FreeLine;
use super::number::Tolerance;
use super::places::Places;
use super::word_case::Case;

/// The admitted strategies of the `standard` profile, as settings.
#[derive(Debug, Clone)]
pub(crate) struct Rules {
    /// How far a real may be off.
    pub(crate) tolerance: Tolerance,
    /// Which numbers may be off by it.
    pub(crate) tolerated: Tolerated,
    /// Other rules hold of some of the things that are printed.
    pub(crate) some: Option<Arc<OfSome>>,
    /// Whether what is read as a real may be written in another way.
    pub(crate) writing: Writing,
    /// A number has no exponent, or a zero no sign, that the expected one lacks: the statement forbids it.
    pub(crate) forbidden: Forbidden,
    /// What stands for no finite number is a word that the statement asks for: `NaN`, not `nan`.
    pub(crate) names_infinity: bool,
    /// A real may have been printed with fewer places.
    pub(crate) rounding: Rounding,
    /// Whether letter case matters.
    pub(crate) case: Case,
    /// Whether lines or items may come in any order.
    pub(crate) order: Order,
    /// Nothing at all may stand for an empty linked list or tree.
    pub(crate) nodes: bool,
    /// Whether tokens may be laid out in other lines.
    pub(crate) layout: Layout,
    /// Which blank lines say something.
    pub(crate) blanks: Blanks,
    /// Which gaps do.
    pub(crate) gaps: GapsKept,
    /// A tab that is expected is no space.
    pub(crate) tabs: bool,
    /// How a list may be written.
    pub(crate) literals: Literals,
    /// Brackets that hold nothing are an empty list, rather than a text of brackets.
    pub(crate) lists: bool,
    /// More than one thing is asked for, so that a number may be another's name.
    pub(crate) several: bool,
    /// A whole number is asked for, be it beside others.
    pub(crate) whole: bool,
    /// Whether so does the space that all lines begin with.
    pub(crate) indents: SetIn,
    /// A list of one may stand for the value in it.
    pub(crate) list_of_one: bool,
}

/// What holds of some of the things that are printed, and not of the others.
#[derive(Debug, Clone)]
pub(crate) struct OfSome {
    /// Where these stand.
    pub(crate) places: Places,
    /// What holds of them.
    pub(crate) rules: Rules,
}

/// Which numbers may be off by a tolerance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tolerated {
    /// All of them.
    All,
    /// Those that are written as reals: whole ones beside them are asked for as well.
    Reals,
    /// The same, where a whole one may be a real that was printed without its zeros.
    RealsWithWholes,
    /// One thing of several, by its name: the only real of a line.
    OneOfALine,
    /// The only real of the output.
    One,
}

/// How a real may be written that has the value of the expected one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Writing {
    /// In any way.
    Free,
    /// With as many decimal places: the statement has another number say how many.
    AsMany,
    /// With so many decimal places, where the expected one has them: the statement asks for exactly that.
    Places(usize),
    /// In any way, but for a zero that an expected one ends with behind another digit: `3.10` may be a name where the statement
    /// speaks of nothing that is a real.
    Zeros,
    /// Like that, but as it is expected where the expected output has a real beside words, which is text then.
    BesideWords,
    /// As it is expected: what has a point there is no real, such as a version.
    Same,
}

/// What may not be in a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Forbidden {
    /// An exponent.
    pub(crate) exponent: bool,
    /// The sign of a zero.
    pub(crate) negative_zero: bool,
    /// Digits alone, where a point is expected.
    pub(crate) whole: bool,
}

/// How a list in a text may be written that has the items of the expected one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Literals {
    /// However it is spaced, quoted and spelled.
    Free,
    /// So, but with as much space as is expected: the statement shows its form.
    Spaced,
    /// However it is quoted and spelled, but without space where the expected one has none: whoever wrote that did not have Python print it.
    Compact,
    /// However it is spaced and so on, but as JSON.
    Json,
    /// As it is expected.
    Same,
}

/// Between which words gaps are part of the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GapsKept {
    /// None, but in drawings and the like.
    None,
    /// Those between words: how they are spaced is the task.
    Words,
    /// All, to the character: the statement says what stands there.
    All,
}

/// Whether the space that all lines begin with says something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SetIn {
    /// It does not.
    Overlooked,
    /// Where it is expected: the statement speaks of space, or of a text that is changed.
    WhereExpected,
    /// Where it is not expected: the statement forbids it.
    WhereNotExpected,
    /// It does.
    Count,
}

/// Which blank lines say something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Blanks {
    /// None, but for those of a figure.
    Overlooked,
    /// Those between lines, where they are expected: each may be an answer. Not behind a zero, which says that nothing follows.
    Between,
    /// These, and those before the first line that holds something: the statement has a line for each answer.
    ToTheLast,
    /// Those between lines, and those before the first where fewer lines hold something than the statement names.
    OfNamed(usize),
    /// All.
    Count,
}

/// Whether tokens may be laid out in other lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Lines keep their tokens.
    Kept,
    /// Numbers on one line may stand one a line, and the reverse: the statement asks for no lines.
    Column,
    /// They may stand on any: it says how many there are.
    SoMany,
    /// A number and so many others that follow it may.
    Counted,
    /// Any white space does: the statement says so.
    Free,
}

/// Whether lines or items may come in any order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// They may not.
    Kept,
    /// The statement says so; the lines must look alike, and a head line stays in its place if `head`.
    Stated {
        /// The output has a part before the lines that may move.
        head: bool,
        /// One thing comes before those that may move, on a line with them maybe.
        leads: bool,
        /// The output holds answers of several tests, whose order is fixed.
        many_tests: bool,
        /// It is said of each part of the answer: what stands in one may move.
        each: bool,
        /// Lines may move, not what stands in one.
        rows: bool,
        /// Each item has a line of its own, however many words that has.
        own_lines: bool,
        /// Each item is several numbers: one by itself is none.
        compound: bool,
        /// The items are groups, and what stands in one may move too.
        groups: bool,
        /// The items are groups, of whatever size, and what stands in one may not.
        ordered_groups: bool,
        /// What stands in an item may move, and the items may not.
        within: bool,
        /// What may move are numbers, or the like.
        numbers: bool,
        /// What several rows or lists of such numbers are.
        nested: Nested,
        /// A comma stands between each two items.
        commas: bool,
        /// How many items there are, if the statement says so: `the two roots`.
        count: Option<usize>,
        /// So may the output: the statement asks for how many there are.
        counted: bool,
        /// Nothing else is asked for: every line may be what moves.
        alone: bool,
        /// Nor how many they are: a number at the head is one of them.
        bare: bool,
        /// The line that they are asked for on, if it is told by its place and others come before it.
        line: Option<usize>,
    },
    /// The statement says so of one line alone.
    OnLine(FreeLine),
    /// The problem declares it.
    Declared,
}

/// What several rows or lists of numbers are that may come in any order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Nested {
    /// It is not known. Rows of as many numbers each, no more than a few, may be either.
    #[default]
    Unknown,
    /// Lists of them: those of each may move.
    Lists,
    /// Items of several numbers each, which may move as wholes.
    Items,
}

impl Nested {
    /// More numbers than that are no item of several.
    const MOST: usize = 3;

    /// Whether numbers may move within rows of so many each.
    pub(crate) fn frees_within(self, mut widths: impl Iterator<Item = usize>) -> bool {
        let first = widths.next().unwrap_or(0);
        match self {
            Nested::Lists => true,
            Nested::Items => false,
            Nested::Unknown => first > Nested::MOST || widths.any(|width| width != first),
        }
    }
}

/// Which expected reals may have been rounded where they were printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rounding {
    /// None: the places that are printed were asked for.
    None,
    /// Those with six places or more.
    Places,
    /// These, and where a text was printed so those with six significant digits.
    Short,
    /// Those with six significant digits, too.
    Digits,
}

impl Rules {
    /// Nothing admitted.
    pub(crate) const STRICT: Rules = Rules {
        tolerance: Tolerance::Unstated,
        tolerated: Tolerated::All,
        some: None,
        writing: Writing::Free,
        forbidden: Forbidden {
            exponent: false,
            negative_zero: false,
            whole: false,
        },
        names_infinity: false,
        rounding: Rounding::None,
        case: Case::Strict,
        order: Order::Kept,
        nodes: false,
        layout: Layout::Kept,
        blanks: Blanks::Overlooked,
        gaps: GapsKept::None,
        tabs: false,
        literals: Literals::Free,
        lists: true,
        several: false,
        whole: false,
        indents: SetIn::Overlooked,
        list_of_one: false,
    };

    /// The rules of a line, by its place among those that hold something.
    pub(crate) fn of_line(&self, at: usize) -> &Rules {
        match self.some.as_deref() {
            Some(some) if some.places.has_line(at) => &some.rules,
            _ => self,
        }
    }

    /// The rules of what begins at a place of an expected line.
    pub(crate) fn of_value(&self, line: &[u8], start: usize) -> &Rules {
        match self.some.as_deref() {
            Some(some) if some.places.has_value(line, start) => &some.rules,
            _ => self,
        }
    }

    /// Whether the statement lets letter case be as it may.
    pub(crate) fn is_case_free(&self) -> bool {
        !matches!(self.case, Case::Strict | Case::Ignored)
    }

    /// Whether problem or statement give a tolerance, and so ask for reals.
    pub(crate) fn tolerance_stated(&self) -> bool {
        self.tolerance != Tolerance::Unstated
    }
}
