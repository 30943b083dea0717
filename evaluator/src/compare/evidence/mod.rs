//! What a problem's statement says about comparing outputs: tolerances, order, letter case, printed places.
//!
//! Reads phrases, not meaning. A phrase counts only in a sentence that speaks of the answer: "tasks can be completed in
//! any order" admits nothing. What is not understood is not evidence.

mod aside;
mod asking;
mod bearer;
mod brackets;
mod case_kept;
mod columns;
mod computed;
mod concept;
mod condition;
mod count;
mod error_words;
mod form_shown;
mod free_order;
mod gap_words;
mod grammar;
mod inner_form;
mod inputs;
mod items;
mod known;
mod laid_out;
mod leading;
mod letter_case;
mod named_line;
mod nested;
mod number_words;
mod one_case;
mod order_words;
mod orders;
mod parts;
mod phrases;
mod placed;
mod places;
mod plain;
mod prompt;
mod remainder;
mod reworded;
mod section;
mod sentence;
mod several;
mod share;
mod some_tests;
mod space_words;
mod taken_back;
mod text_task;
mod things;
mod to_the_digit;
mod tolerance;
mod unasked;
mod vocabulary;
mod whole;
mod within;
mod word_class;
mod words;

use crate::problem::Declared;
use aside::{gives_places, is_of_example};
use asking::{
    asks_for_values, frees_letters, frees_rows, frees_several_lines, goes_by_parts,
    has_several_on_each_line, is_single, is_sorted, is_spread, things_in,
};
use case_kept::{is_of_another_or_a_case, is_of_what_is_read, keeps_case};
use columns::{has_columns, is_record, shows_columns};
use count::{count_of, counts_what_moves};
use form_shown::{shows_empty, shows_list, shows_places};
use free_order::{Asked, is_free};
use inner_form::{gives_members_places, orders_something};
use known::{is_beside_the_point, is_known};
use leading::{asks_for_a_thing_and_others, is_behind, leads, leads_each_line, leads_on_its_line};
use letter_case::{is_condition, is_of_printing};
use named_line::NamedLines;
use nested::Nesting;
use number_words::{
    AS_MANY_PLACES, CONVERSION, EXACT, FORM, FORM_OF_PARTS, JUDGES_FORM, LOGARITHM, NO_EXPONENT,
    NO_NEGATIVE_ZERO, NOT_FINITE, OF_VALUE, PLACES, POINTED, REAL, WHOLE,
};
use order_words::{
    BEHIND, BY_PLACE, COMMAS, COMPOUND, FIRST, FOR_EACH, GROUP_OF_PLACES, GROUPS, HOW_MANY,
    IF_THEN, LINE_EACH, LINE_OF_TEST, LISTS_OF, MEMBERS_OF_EACH, NAMED_LINE, NEXT_PART,
    OF_EACH_ITEM, OF_GIVEN, ORDER_OF_MEMBERS, RANGE, RANKED, SMALLER_FIRST, THE_ANSWER,
    WITH_THEIRS,
};
use orders::Orders;
use parts::{cannot_be_told_apart, stand_beside_others};
use placed::{is_of_a_part, is_placed};
use plain::{plain, quote, sentences};
use remainder::{comes_behind, leaves_a_remainder, without_description};
use section::Section;
use sentence::Sentence;
use share::Shares;
use some_tests::SomeTests;
use space_words::{
    BRACKETS, COMPACT, EMPTY_LINE, GAPS, JSON, LINE_BETWEEN_TESTS, LINE_OF_ANSWER, LIST, LITERAL,
    MAY_BE_EMPTY, PARTS, SPACED, TEXT_WITH_SPACE, WIDTHS, speaks_of_space,
};
use taken_back::{takes_all_back, takes_case_back, takes_order_back};
use text_task::{is_about_text, is_on_text, keeps_gaps};
use to_the_digit::{has_few_digits, is_exact, is_text};
use unasked::ByName;
use whole::Whole;
use within::{Freed, freed, is_distributive, is_of_each};
use words::{
    AND, ANY_CASE, CASE_MATTERS, CONDITION, MANY_TESTS, NODES, NODES_GIVEN, NOT_HERE, OF_ANOTHER,
    OF_THE_ANSWER, OF_TWO, OTHER_CASE, OUTPUT, PRINTS_IT, TESTS_OF_THE_JUDGE, YES_NO_CASE,
};

pub(crate) use laid_out::LineEvidence;
pub(crate) use named_line::FreeLine;
pub(crate) use phrases::Phrases;
pub use several::several_answers;
pub(crate) use share::Share;

/// What speaks for admitting a loose strategy: what the problem declares, and its statement.
#[derive(Debug, Clone, Copy, Default)]
pub struct Evidence<'a> {
    /// What the problem declares.
    pub declared: Declared,
    /// The problem's statement.
    pub statement: Option<&'a str>,
}

/// Bytes of a statement beyond which it is not read: none is as long that was written for a reader.
const LONGEST: usize = 64 << 10;

/// Sentences that free an order, each of which is held against all that the statement asks for.
const MOST_FREED: usize = 32;

/// What a statement says, or may say where it is too long to be read.
pub(crate) fn heard(statement: &str) -> Phrases {
    match statement.len() <= LONGEST {
        true => read(statement),
        false => Phrases::of_unread(),
    }
}

/// Read a statement.
fn read(statement: &str) -> Phrases {
    // What is linked or a tree shows in the code as well.
    let told = plain(&prompt::without_code(statement));
    let plain = plain(statement);
    let whole = Whole::new(&plain);
    let all = sentence::read(&told);
    let mut reading = Reading::default();
    for sentence in &all {
        reading.take(sentence, &whole);
    }
    let phrases = reading.finish();
    Phrases {
        reals: REAL.is_in(&plain),
        of_text: is_about_text(&whole, all.iter().map(|sentence| &*sentence.text)),
        lists: LIST.is_in(&plain) && !BRACKETS.is_in(&plain),
        case_of_all: phrases.case_of_all && !CASE_MATTERS.is_in(&plain),
        exact_places: phrases
            .exact_places
            .or_else(|| phrases.said_places.filter(|_| JUDGES_FORM.is_in(&plain)))
            .or(phrases.shown_places),
        many_tests: MANY_TESTS.is_in(&TESTS_OF_THE_JUDGE.taken_from(&plain))
            || inputs::are_several(&all),
        empty_shown: shows_empty(statement),
        tabs: gap_words::names_tab(statement),
        headed: all.iter().any(|sentence| sentence.is_headed),
        nodes: (NODES.is_in(&plain) || NODES_GIVEN.is_in(&plain))
            && !sentences(&plain).any(asks_for_values),
        vocabulary: vocabulary::of(statement, phrases.case_of_named),
        ..phrases
    }
}

/// What has been read of a statement.
#[derive(Debug, Default)]
struct Reading<'a> {
    phrases: Phrases,
    asked: Asked<'a>,
    orders: Orders,
    lines: NamedLines<'a>,
    shares: Shares<'a>,
    nesting: Nesting,
    by_name: ByName<'a>,
    some_tests: SomeTests,
    /// The last sentence that frees an order.
    freeing: &'a str,
}

impl<'a> Reading<'a> {
    fn take(&mut self, read: &'a Sentence<'_>, statement: &Whole<'_>) {
        let is_of_some = self.some_tests.take(read);
        self.take_back(read);
        self.note_phrases(read, statement, is_of_some);
        self.note_shares(read);
        if self.goes_on_with_line(read, statement, is_of_some) {
            self.asked.before = &read.text;
            return;
        }
        self.by_name.note(read);
        self.note_asked(read);
        self.note_parts(read);
        self.asked.come_behind(&read.text);
    }

    /// What a sentence permits by itself, unless that holds for some of the tests alone.
    fn note_phrases(&mut self, read: &'a Sentence<'_>, statement: &Whole<'_>, is_of_some: bool) {
        let sentence = &*read.text;
        if !read.is_told && !is_of_some && read.section != Section::Input {
            if self.phrases.note_tolerance(sentence, &self.asked) {
                self.shares.note_tolerance(sentence);
            }
            let asked = self.asked.right_before();
            self.phrases.note_case(sentence, asked, statement);
        }
        // Of so many digits at least: that is said of the answer as a whole, or not known of what.
        if THE_ANSWER.is_in(sentence) && places::at_least(sentence).is_some() {
            self.shares.note_tolerance(sentence);
        }
        self.phrases.computed.note(sentence, read.section);
        let is_of_output = read.section == Section::Output;
        self.phrases.note(sentence, &self.asked, is_of_output);
        if OUTPUT.is_in(sentence) {
            self.phrases.note_of_output(sentence, read.is_told);
        }
        self.phrases.note_text(sentence, statement);
        if read.section.may_be_of_output() {
            let asked = self.asked.right_before();
            self.phrases
                .note_space(sentence, asked.is_some() || is_of_output);
        }
    }

    /// What is asked for, and what of it has to be exact.
    fn note_shares(&mut self, read: &'a Sentence<'_>) {
        let sentence = &*read.text;
        let is_output = OUTPUT.is_in(sentence);
        if (is_output || self.asked.right_before().is_some()) && EXACT.is_in(sentence) {
            self.shares.note_exact(sentence);
        }
        if is_output && read.section.may_be_of_output() && !read.is_told {
            self.shares.ask(sentence, read.section);
        }
    }

    /// What a sentence says of the order. Whether it only goes on with a line that was named before.
    fn goes_on_with_line(
        &mut self,
        read: &'a Sentence<'_>,
        statement: &Whole<'_>,
        is_of_some: bool,
    ) -> bool {
        let sentence = &*read.text;
        let (is_output, freed) = (OUTPUT.is_in(sentence), freed(sentence, statement));
        let is_distributive = is_distributive(sentence);
        let of_parts = is_distributive || matches!(freed, Freed::Within | Freed::Both);
        let is_free = !self.is_too_much()
            && !is_of_some
            && is_free(sentence, &self.asked, of_parts)
            && !one_case::frees_in_a_case(sentence);
        self.orders.note_case(read, is_free);
        if is_free {
            self.freeing = sentence;
            if !of_parts {
                self.by_name.free(sentence);
            }
            self.lines.free(sentence, self.asked.last);
            self.nesting.note_free(sentence);
            self.nesting.note_free(self.asked.last);
            self.free(sentence, freed, is_distributive);
            self.orders.times_freed += 1;
            self.orders.freed_here |= read.section == Section::Output;
        } else if is_output && self.lines.take_behind(sentence) {
            return true;
        } else if self.is_of_output(read.section, is_output) {
            self.note_order(read, is_output);
        } else if read.section == Section::Aside {
            self.orders.of_output |= gives_places(sentence);
        }
        false
    }

    /// What a sentence on the output that frees nothing says of the order.
    fn note_order(&mut self, read: &Sentence<'_>, is_output: bool) {
        let sentence = &*read.text;
        self.orders.goes_on |= is_output && BEHIND.is_in(sentence);
        let is_open = match read.section {
            Section::Output => !is_known(sentence, self.orders.freed_here),
            // What comes before is the story.
            _ => self.orders.times_freed > 0 && !is_beside_the_point(sentence),
        };
        self.orders.of_output |= is_open || is_placed(sentence);
        self.phrases.compound |= COMPOUND.is_in(sentence);
        self.orders.leads |= is_output && asks_for_a_thing_and_others(sentence);
    }

    /// What a sentence asks for, and how many things that is.
    fn note_asked(&mut self, read: &'a Sentence<'_>) {
        let sentence = &*read.text;
        let is_output = OUTPUT.is_in(sentence);
        if is_output && !(read.section == Section::Examples && is_of_example(sentence)) {
            self.ask(sentence);
        }
        // What the story asks for, the section on the output asks for again.
        if read.section == Section::Output && !self.orders.has_section {
            self.orders.has_section = true;
            self.orders.asked_for = 0;
        }
        if is_output && read.section.may_be_of_output() {
            self.lines.ask(sentence);
            self.orders.asked_for += things_in(sentence);
        }
        self.orders.counts |= self.is_of_output(read.section, is_output)
            && HOW_MANY.is_in(&OF_GIVEN.taken_from(sentence));
    }

    /// What a sentence says of the parts of the answer.
    fn note_parts(&mut self, read: &'a Sentence<'_>) {
        let sentence = &*read.text;
        self.orders.of_members |=
            ORDER_OF_MEMBERS.is_in(sentence) || gives_members_places(sentence);
        if read.section.may_be_of_output() {
            self.nesting.note(sentence, read.section);
            self.orders.of_something |= orders_something(sentence);
            self.orders.leads_items |= leads_each_line(sentence);
            self.orders.has_columns |= has_columns(sentence);
            self.orders.has_records |= is_record(sentence);
        }
        self.orders.of_output |= FIRST.is_in(sentence) || is_spread(sentence);
    }

    /// What was allowed before a sentence that takes it back.
    fn take_back(&mut self, read: &Sentence<'_>) {
        let sentence = &*read.text;
        let is_aside = matches!(read.section, Section::Input | Section::Examples);
        if is_aside || is_of_example(sentence) {
            return;
        }
        if takes_all_back(sentence) {
            self.phrases.tolerance = None;
            self.phrases.any_case = None;
            self.orders.of_output |= self.orders.times_freed > 0;
        }
        self.phrases.case_kept |= self.phrases.any_case.is_some() && takes_case_back(sentence);
        self.orders.of_output |=
            self.orders.times_freed > 0 && takes_order_back(sentence, self.freeing);
    }

    /// Whether there is more than is held against one another: then no order is free.
    fn is_too_much(&self) -> bool {
        self.orders.times_freed > MOST_FREED || self.asked.is_too_much()
    }

    /// Whether a sentence may be about the output: it says so, or stands behind one that does.
    fn is_of_output(&self, section: Section, says_so: bool) -> bool {
        section.may_be_of_output()
            && (says_so || section == Section::Output || !self.asked.all.is_empty())
    }

    fn free(&mut self, sentence: &str, freed: Freed, is_distributive: bool) {
        let (phrases, asked, orders) = (&mut self.phrases, &self.asked, &mut self.orders);
        let are_parts = matches!(freed, Freed::Within | Freed::Both);
        orders.of_output |= cannot_be_told_apart(sentence, asked, freed)
            || !(orders.leads || orders.leads_items) && stand_beside_others(sentence, asked)
            || !are_parts && leaves_a_remainder(sentence, asked)
            || !are_parts && frees_several_lines(sentence, asked)
            || leads_on_its_line(sentence);
        // In an order that is told by its first there is no other.
        orders.of_output |= SMALLER_FIRST.is_in(sentence) && !frees_rows(sentence, asked);
        phrases.any_order.get_or_insert_with(|| quote(sentence));
        phrases.count = count_of(sentence, asked.last);
        phrases.commas |= COMMAS.is_in(sentence);
        phrases.counts_items |= counts_what_moves(sentence, &asked.all);
        let has_several = freed == Freed::Items && has_several_on_each_line(asked);
        let are_rows = has_several || freed != Freed::Numbers && frees_rows(sentence, asked);
        // Those of the line that it names, not of others.
        let are_numbers = freed == Freed::Numbers && !NAMED_LINE.is_in(sentence);
        let are_single = freed == Freed::Items
            && !are_rows
            && !LINE_EACH.is_in(sentence)
            && !NAMED_LINE.is_in(sentence)
            && is_single(sentence, asked)
            && !LISTS_OF.is_in(sentence);
        phrases.compound |= COMPOUND.is_in(sentence) && !frees_letters(sentence);
        phrases.rows |= are_rows || WITH_THEIRS.is_in(sentence);
        orders.numbers |= are_numbers || are_single;
        orders.items |= freed != Freed::Within && !are_numbers && !are_single;
        orders.within |= are_parts;
        let of_each = is_distributive || is_of_each(sentence, asked.last);
        orders.each |= of_each && matches!(freed, Freed::Items | Freed::Numbers);
        // Columns that move within their lines are none.
        orders.of_output |= (orders.within || orders.each) && shows_columns(sentence);
        orders.leads_free |= leads(sentence)
            || comes_behind(sentence, asked)
            || is_behind(sentence, asked, orders.goes_on);
        orders.goes_on = false;
    }

    fn ask(&mut self, sentence: &'a str) {
        // What is printed for each of several things is one item.
        let is_item = FOR_EACH.is_in(sentence) && !MANY_TESTS.is_in(sentence);
        let leads = leads(sentence);
        self.orders.leads |= leads && !is_item;
        self.orders.leads_items |= leads && is_item;
        let is_sorted = is_sorted(sentence);
        let of_each = OF_EACH_ITEM.is_in(sentence) || FOR_EACH.is_in(sentence);
        // For each of them what it has: that is no order of these.
        let is_of_members = of_each && MEMBERS_OF_EACH.is_in(sentence);
        self.orders.of_members |= is_sorted && is_of_members;
        let is_sorted = is_sorted && !is_of_members;
        self.orders.of_items |= is_sorted && !of_each;
        self.orders.of_output |= NEXT_PART.count_in(without_description(sentence)) > 1
            || goes_by_parts(sentence)
            || is_sorted && of_each
            || RANKED.is_in(sentence)
            || BY_PLACE.is_in(sentence);
        if !CONDITION.is_in(sentence) {
            self.asked.last = sentence;
        }
        self.asked.sentences.push(sentence);
        self.asked.all.push_str(sentence);
        self.asked.all.push(' ');
    }

    fn finish(self) -> Phrases {
        let is_too_much = self.is_too_much();
        let Reading {
            mut phrases,
            orders,
            lines,
            shares,
            nesting,
            by_name,
            ..
        } = self;
        let is_within = orders.each || orders.within && !orders.items && !orders.numbers;
        let of_items = orders.of_items && !is_within
            || orders.each && orders.has_records
            || orders.in_one_case && orders.ordered_in_another;
        let is_of_another = by_name.is_something_else_free();
        phrases.any_order.take_if(|_| {
            is_too_much
                || is_of_another
                || orders.of_output
                || of_items
                || orders.goes_on
                || lines.are_parallel()
        });
        phrases.free_line = lines.found();
        phrases.last_line = lines.last();
        phrases.named_lines = lines.named();
        phrases.tolerance = phrases.tolerance.or(phrases.least_places.take());
        phrases.give_tolerance_to(shares.shared());
        phrases.any_case.take_if(|_| phrases.case_kept);
        // A record moves as a whole: neither its members nor numbers by themselves.
        let are_records = orders.has_columns && !is_within;
        phrases.rows |= are_records;
        phrases.compound |= are_records;
        // Where members are freed by a word of their own, what has an order is something else.
        let has_order = orders.of_members || orders.of_something && !orders.within;
        phrases.ordered_groups = phrases.groups && has_order && !are_records;
        phrases.groups =
            (phrases.groups || orders.items && orders.within) && !has_order && !are_records;
        phrases.each = orders.each;
        // The number and what it counts are two things.
        phrases.counted &= orders.asked_for == 2;
        phrases.alone = orders.asked_for < 2;
        phrases.bare = phrases.alone && phrases.own_lines && !phrases.parts && !orders.counts;
        phrases.within = orders.within && !orders.items;
        phrases.leads = orders.leads_free || orders.leads || phrases.within && orders.leads_items;
        phrases.numbers = orders.numbers && !orders.items && !are_records;
        phrases.nested = nesting.rows();
        phrases.compound |= phrases.numbers && nesting.are_several();
        phrases
    }
}

impl Phrases {
    /// Whether nothing but a real is asked for that a program computes, so that it may have printed six digits of it.
    pub(crate) fn asks_for_a_computed_real(&self) -> bool {
        self.computed.is_all() && self.alone && !self.as_many_places
    }

    /// Whether the sentence states a tolerance.
    fn note_tolerance(&mut self, sentence: &str, asked: &Asked<'_>) -> bool {
        let found = tolerance::tolerance(sentence, asked)
            .filter(|_| !one_case::has_tolerance_of_a_case(sentence))
            .filter(|_| brackets::leave_tolerance(sentence));
        if let Some(found) = found {
            let tighter = match &self.tolerance {
                Some((known, _)) => tolerance::tightest(*known, found),
                None => found,
            };
            self.tolerance = Some((tighter, quote(sentence)));
        }
        found.is_some()
    }

    /// `in_section`: it is in the section on the output.
    fn note(&mut self, sentence: &str, asked: &Asked<'_>, in_section: bool) {
        self.blank_between_tests |= LINE_BETWEEN_TESTS.is_in(sentence);
        self.gaps |= GAPS.is_in(sentence) || keeps_gaps(sentence);
        self.widths |= WIDTHS.is_in(sentence);
        self.indents |= TEXT_WITH_SPACE.is_in(sentence);
        let before = asked.right_before();
        let is_asked = in_section || before.is_some();
        self.literal |= COMPACT.is_in(sentence) || is_asked && LITERAL.is_in(sentence);
        self.list_shown |= shows_list(sentence, is_asked);
        self.json |= JSON.is_in(sentence);
        self.no_exponent |= NO_EXPONENT.is_in(sentence);
        self.no_negative_zero |= NO_NEGATIVE_ZERO.is_in(sentence);
        self.as_many_places |= AS_MANY_PLACES.is_in(sentence) && !OF_VALUE.is_in(sentence)
            || shows_places(sentence, before, in_section);
        if PLACES.is_in(sentence) {
            self.fixed_places.get_or_insert_with(|| quote(sentence));
            self.exact_places = self.exact_places.or_else(|| places::exactly(sentence));
            let is_asked = OUTPUT.is_in(sentence);
            self.said_places = self
                .said_places
                .or_else(|| places::so_many(sentence).filter(|_| is_asked));
            self.shown_places = self
                .shown_places
                .or_else(|| places::shown(sentence).filter(|_| is_asked));
            let at_least = places::at_least(sentence).map(|tolerance| (tolerance, quote(sentence)));
            self.least_places = self.least_places.take().or(at_least);
        }
        self.groups |=
            GROUPS.is_in(sentence) && !GROUP_OF_PLACES.is_in(&RANGE.taken_from(sentence));
        let is_pointed =
            POINTED.is_in(sentence.trim_end_matches('.')) && !LOGARITHM.is_in(sentence);
        let is_asked = OUTPUT.is_in(sentence) || CONVERSION.is_in(sentence);
        // What has a tolerance beside a name is a number.
        let has_form = FORM.is_in(sentence) && tolerance::tolerance(sentence, asked).is_none();
        if is_asked && (is_pointed || has_form)
            || FORM_OF_PARTS.is_in(sentence)
            || is_text(sentence)
            || has_few_digits(sentence)
        {
            self.pointed.get_or_insert_with(|| quote(sentence));
        }
        if is_exact(sentence, before.is_some()) {
            self.to_the_digit.get_or_insert_with(|| quote(sentence));
        }
        if !OUTPUT.is_in(sentence) && before.is_some() {
            self.line_of_each |= MAY_BE_EMPTY.is_in(sentence);
            self.lines.note_any_space(sentence);
            self.lines.note_gap(sentence);
        }
    }

    fn note_text(&mut self, sentence: &str, statement: &Whole<'_>) {
        let is_on_text = is_on_text(sentence, statement);
        self.set_in |= is_on_text || keeps_gaps(sentence) || speaks_of_space(sentence);
        if is_on_text {
            self.pointed.get_or_insert_with(|| quote(sentence));
        }
    }

    fn note_case(&mut self, sentence: &str, asked: Option<&str>, statement: &Whole<'_>) {
        self.case_kept |= keeps_case(sentence);
        if asked.is_none() && !OUTPUT.is_in(sentence) {
            return;
        }
        let of_all = ANY_CASE.is_in(sentence);
        let is_free = of_all || YES_NO_CASE.is_in(sentence);
        let is_of_answer = OUTPUT.is_in(sentence) || OF_THE_ANSWER.is_in(sentence);
        if is_free
            && is_of_answer
            && !OF_ANOTHER.is_in(sentence)
            && !OTHER_CASE.is_in(sentence)
            && !NOT_HERE.is_in(sentence)
            && !is_condition(sentence)
            && !is_of_another_or_a_case(sentence)
            && !is_of_what_is_read(sentence, asked)
            && brackets::leave_case(sentence)
            && is_of_printing(sentence, statement)
        {
            self.case_of_all |= of_all;
            self.case_of_named |= vocabulary::names_words(sentence);
            self.any_case.get_or_insert_with(|| quote(sentence));
        }
    }

    fn note_of_output(&mut self, sentence: &str, is_told: bool) {
        self.whole |= !is_told && WHOLE.is_in(sentence);
        self.so_many |= count::is_number_of_numbers(sentence);
        self.counted |= count::is_number_and_items(sentence);
        self.names_infinity |= NOT_FINITE.is_in(sentence);
        self.blanks |= EMPTY_LINE.is_in(sentence);
        self.line_of_each |= LINE_OF_ANSWER.is_in(sentence) || MAY_BE_EMPTY.is_in(sentence);
        self.literal |= LITERAL.is_in(sentence);
        self.several |= self.parts
            || !is_told && AND.is_in(&OF_TWO.taken_from(&PRINTS_IT.taken_from(sentence)));
        self.indents |= SPACED.is_in(sentence);
        self.parts |= PARTS.is_in(&IF_THEN.taken_from(sentence)) && !is_of_a_part(sentence);
        let of_test = MANY_TESTS.is_in(sentence) && LINE_OF_TEST.is_in(sentence);
        let has_lines = LINE_EACH.is_in(sentence) && !of_test;
        self.rows |= has_lines;
        self.own_lines |= has_lines;
        self.lines.note(sentence);
    }
}
