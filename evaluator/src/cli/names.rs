//! Options whose values are names of a fixed set.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use evaluator::{Level, Profile};

/// Reads the name of one of `all`.
pub fn by_name<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let names = all.iter().map(move |it| name(*it));
    PossibleValuesParser::new(names).map(move |given| {
        let named = all.iter().find(|it| name(**it) == given);
        *named.expect("one of the possible values")
    })
}

/// Reads the name of a profile.
pub fn profiles() -> impl TypedValueParser<Value = Profile> {
    by_name(Profile::ALL, Profile::name)
}

/// The levels that protect something.
pub const PROTECTING: &[Level] = &[Level::Full, Level::Reduced];
/// All levels of isolation.
pub const LEVELS: &[Level] = &[Level::Full, Level::Reduced, Level::None];

/// Reads the name of one of these levels of isolation.
pub fn levels(all: &'static [Level]) -> impl TypedValueParser<Value = Level> {
    by_name(all, |level| match level {
        Level::Full => "full",
        Level::Reduced => "reduced",
        Level::None => "none",
    })
}
