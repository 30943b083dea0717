//! What reading a statement comes to.

use std::collections::BTreeSet;

use super::computed::Computed;
use super::laid_out::LineEvidence;
use super::named_line::FreeLine;
use super::share::{Share, WhoseTolerance};
use crate::compare::number::Tolerance;
use crate::compare::rules::Nested;

/// What a statement says, each with the words that say it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Phrases {
    /// How far a real may be off.
    pub(crate) tolerance: Option<(Tolerance, String)>,
    /// That this is said of one thing that is printed, by its name.
    pub(crate) tolerance_of_one: bool,
    /// Which of the things that are printed it is said of, if not of all.
    pub(crate) share: Option<Share>,
    /// That the answer may come in any order.
    pub(crate) any_order: Option<String>,
    /// The line alone for which this holds, while others follow it.
    pub(crate) free_line: Option<FreeLine>,
    /// The line alone for which it holds, while others come before it.
    pub(crate) last_line: Option<usize>,
    /// That it does where words are printed: in capitals, or as shown.
    pub(super) case_kept: bool,
    /// That letter case does not matter.
    pub(crate) any_case: Option<String>,
    /// That this is said of more than yes and no.
    pub(crate) case_of_all: bool,
    /// That the sentence which says so sets off the words whose case is free.
    pub(super) case_of_named: bool,
    /// The words that the statement asks to print, in lower case.
    pub(crate) vocabulary: BTreeSet<String>,
    /// That places are fixed with which a real is to be printed.
    pub(crate) fixed_places: Option<String>,
    /// How many they are, where it has to be exactly so many.
    pub(crate) exact_places: Option<usize>,
    /// That they are to be as many as are expected.
    pub(crate) as_many_places: bool,
    /// That no exponent is to be printed.
    pub(crate) no_exponent: bool,
    /// That a zero has no sign.
    pub(crate) no_negative_zero: bool,
    /// With how many it asks for one, exactly or so.
    pub(super) said_places: Option<usize>,
    /// With how many it is to be shown.
    pub(super) shown_places: Option<usize>,
    /// With how many at least, as a tolerance.
    pub(super) least_places: Option<(Tolerance, String)>,
    /// That each item has a line of its own.
    pub(crate) own_lines: bool,
    /// That it says how many numbers to print.
    pub(crate) so_many: bool,
    /// That a number and so many others behind it are all that is asked for.
    pub(crate) counted: bool,
    /// That what is printed with a point in it is no real.
    pub(crate) pointed: Option<String>,
    /// That the task is on text, in which a number beside words is a part of it.
    pub(crate) of_text: bool,
    /// That each digit of a number counts.
    pub(crate) to_the_digit: Option<String>,
    /// What it says of reals that are computed.
    pub(super) computed: Computed,
    /// That it speaks of what is a real as a rule.
    pub(crate) reals: bool,
    /// That one output holds the answers of several tests.
    pub(crate) many_tests: bool,
    /// That the output has parts, one after the other.
    pub(crate) parts: bool,
    /// That one thing comes before what may come in any order, on a line with that maybe.
    pub(crate) leads: bool,
    /// That what may come in any order are lines, or items of several tokens.
    pub(crate) rows: bool,
    /// That each of these items is several numbers.
    pub(crate) compound: bool,
    /// That these items are groups, whose own order says nothing either.
    pub(crate) groups: bool,
    /// That they are groups in which the order says something.
    pub(crate) ordered_groups: bool,
    /// That what may come in any order is not the items, but what stands in each of them.
    pub(crate) within: bool,
    /// That it is numbers, which may stand in several lists.
    pub(crate) numbers: bool,
    /// What several rows of these are.
    pub(crate) nested: Nested,
    /// That it is said of each part of the answer: within one of them.
    pub(crate) each: bool,
    /// That a comma stands between each two of them.
    pub(crate) commas: bool,
    /// How many of these items there are, if it says so.
    pub(crate) count: Option<usize>,
    /// That how many they are is asked for as well.
    pub(crate) counts_items: bool,
    /// That nothing else is asked for.
    pub(crate) alone: bool,
    /// Nor anything that may be how many they are.
    pub(crate) bare: bool,
    /// That more than one thing is asked for.
    pub(crate) several: bool,
    /// That a whole number is.
    pub(crate) whole: bool,
    /// That it has a word for what is no finite number.
    pub(crate) names_infinity: bool,
    /// That linked lists or trees go in and out, for which nothing at all is the empty one.
    pub(crate) nodes: bool,
    /// That an empty line may be an answer.
    pub(crate) blanks: bool,
    /// That one stands between the answers to two tests.
    pub(crate) blank_between_tests: bool,
    /// That the gaps between words are part of the answer.
    pub(crate) gaps: bool,
    /// What stands in each gap.
    pub(crate) widths: bool,
    /// That it speaks of tabs: those that are expected are no spaces.
    pub(crate) tabs: bool,
    /// That it speaks of lists, rather than of brackets.
    pub(crate) lists: bool,
    /// That the writing of a list is.
    pub(crate) literal: bool,
    /// That its form is shown.
    pub(crate) list_shown: bool,
    /// That a list is written in JSON.
    pub(crate) json: bool,
    /// That the output has a section below a heading, as where a judge compares what is printed.
    pub(crate) headed: bool,
    /// That the output is a text whose leading space is part of it.
    pub(crate) indents: bool,
    /// That it may be: space is spoken of, or a text that is changed.
    pub(crate) set_in: bool,
    /// That none may stand before all else on a line.
    pub(crate) no_space_before: bool,
    /// How many lines of the output it tells by their place, from the first on.
    pub(crate) named_lines: Option<usize>,
    /// That a real has a point, be it whole.
    pub(crate) point_kept: bool,
    /// That it shows how an empty list or set is written.
    pub(crate) empty_shown: bool,
    /// That each answer has a line, which may be empty.
    pub(crate) line_of_each: bool,
    /// Whether it matters which token is on which line.
    pub(crate) lines: LineEvidence,
}

impl Phrases {
    /// Let the tolerance be of those things that have it.
    pub(super) fn give_tolerance_to(&mut self, whose: WhoseTolerance) {
        match whose {
            WhoseTolerance::All => {}
            WhoseTolerance::Unknown => self.tolerance_of_one = true,
            WhoseTolerance::None => self.tolerance = None,
            WhoseTolerance::Some { share, is_of_one } => {
                self.tolerance_of_one = is_of_one;
                self.share = Some(share);
            }
        }
    }

    /// What a statement may say that is too long to be read: then no answer may be written in another way.
    pub(super) fn of_unread() -> Phrases {
        let said = || Some("more than is read of one".to_owned());
        Phrases {
            fixed_places: said(),
            pointed: said(),
            to_the_digit: said(),
            no_exponent: true,
            no_negative_zero: true,
            names_infinity: true,
            parts: true,
            several: true,
            whole: true,
            blanks: true,
            widths: true,
            literal: true,
            indents: true,
            lines: LineEvidence::Matter,
            ..Phrases::default()
        }
    }
}
