//! New inputs for a record: like those that are known.

use std::collections::HashSet;

use evaluator::Value;
use evaluator::fingerprint::key;
use rand::RngExt;

use super::bounds::{Stated, widened};
use super::draw::Draw;
use super::form::Form;
use super::sample::Place;
use super::shape::Fields;
use crate::python::{Constants, parameters};
use crate::record::{Record, Role};
use crate::verify::settings::Verify;

/// Inputs that are tried for each test that is wanted: some are refused, and of the others the best are kept.
const TRIED: usize = 10;
/// How often in a row a known input is changed at the most.
const CHANGES: usize = 3;
/// Bytes of an input or an answer: a test is a line of a file.
pub const LONGEST: usize = 64 << 10;

/// New inputs of a record, and the references that are to answer them.
pub struct Inputs {
    /// How they stand in a test.
    pub form: Form,
    /// Each with how it was made.
    pub rows: Vec<(Vec<Value>, &'static str)>,
    /// Programs that are right.
    pub references: Vec<String>,
}

/// New inputs for a record, if anything can be said of what it admits.
pub fn inputs(record: &Record, verify: &Verify) -> Option<Inputs> {
    let verified = record.solutions.iter();
    let verified = verified.filter(|one| one.role == Role::Verified);
    let references: Vec<String> = verified
        .take(verify.references)
        .map(|one| one.code.clone())
        .collect();
    // An answer that a checker has to judge is none that a test could hold.
    let is_out = !record.is_live() || record.checker.is_some();
    if is_out || references.len() < verify.agreeing.max(1) {
        return None;
    }
    let (form, known) = Form::of(record)?;
    let known_rows: Vec<&[Value]> = known.iter().map(Vec::as_slice).collect();
    let seen = Fields::of(&known_rows)?;
    let names = record.fn_name.as_deref();
    let names = names.and_then(|name| parameters(&references[0], name));
    let maker = Maker {
        stated: Stated::of(record.statement.as_deref().unwrap_or_default()),
        names: names.unwrap_or_default(),
        known,
    };
    let mentioned = Constants::of(references.iter().map(String::as_str));
    let mut draw = Draw::new(key(&record.id) as u64, mentioned);
    let rows = maker.rows(seen, verify.generate * TRIED, &mut draw);
    let rows: Vec<_> = rows
        .into_iter()
        .filter(|(row, _)| form.stdin(row).is_some_and(|text| text.len() <= LONGEST))
        .collect();
    (!rows.is_empty()).then_some(Inputs {
        form,
        rows,
        references,
    })
}

/// Makes inputs for one problem.
struct Maker {
    stated: Stated,
    /// What the arguments are called, where they have names.
    names: Vec<String>,
    known: Vec<Vec<Value>>,
}

impl Maker {
    /// At most `most` inputs, none of them known, each with how it was made.
    fn rows(&self, seen: Fields, most: usize, draw: &mut Draw) -> Vec<(Vec<Value>, &'static str)> {
        let wide = widened(seen.clone(), &self.names, &self.stated);
        let near = widened(seen, &[], &Stated::default());
        let mut had: HashSet<String> = self.known.iter().map(|row| format!("{row:?}")).collect();
        let mut rows = Vec::new();
        for turn in 0..most * 4 {
            let (row, how) = self.row(turn, &near, &wide, draw);
            let fits = self.stated.admit(&self.names, &row);
            if rows.len() < most && fits && had.insert(format!("{row:?}")) {
                rows.push((row, how));
            }
        }
        rows
    }

    /// One of each kind, in turns.
    fn row(
        &self,
        turn: usize,
        near: &Fields,
        wide: &Fields,
        draw: &mut Draw,
    ) -> (Vec<Value>, &'static str) {
        match turn {
            0 => (near.sample(Place::Lowest, draw), "boundary"),
            1 => (wide.sample(Place::Lowest, draw), "boundary"),
            2 => (wide.sample(Place::Highest, draw), "largest"),
            _ if turn.is_multiple_of(6) => (near.sample(Place::Anywhere, draw), "random"),
            _ if turn % 6 == 1 => (wide.sample(Place::Anywhere, draw), "random"),
            _ => {
                let known = &self.known[draw.rng.random_range(0..self.known.len())];
                let changes = draw.rng.random_range(1..=CHANGES);
                let row = (0..changes).fold(known.clone(), |row, _| near.near(&row, draw));
                (row, "near a known input")
            }
        }
    }
}
