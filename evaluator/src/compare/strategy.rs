//! The strategies, and the profiles that admit them.

/// Which strategies are admitted, and when.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    Default,
    serde::Serialize,
    serde::Deserialize,
    schemars::JsonSchema,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Profile {
    /// Sound: a loose strategy is admitted only on evidence.
    #[default]
    Standard,
    /// LiveCodeBench's rule exactly.
    Lcb,
    /// Byte for byte.
    Exact,
    /// The paper's full chain, always-on set comparison and rounding.
    Paper,
}

impl Profile {
    /// All of them.
    pub const ALL: &[Profile] = <Profile as strum::VariantArray>::VARIANTS;

    /// Its name in options and records.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// One way to compare two outputs, strictest first.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    serde::Serialize,
    serde::Deserialize,
    schemars::JsonSchema,
    strum::IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Strategy {
    /// The same bytes or the same value.
    Exact,
    /// The same but for line ends, trailing space and blank lines.
    Whitespace,
    /// The same tokens.
    Tokens,
    /// The same numbers.
    Numeric,
    /// The same Python or JSON literal, with conversion.
    Typed,
    /// The same after rounding.
    Rounding,
    /// The same but for the case of yes/no-like words.
    WordCase,
    /// The same lines or items, each as often, in any order.
    Multiset,
    /// The same lines or items in any order and number.
    Set,
    /// LiveCodeBench's own rule.
    Lcb,
}

impl Strategy {
    /// Its name in records.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// The chain, strictest first.
pub const CHAIN: [Strategy; 9] = [
    Strategy::Exact,
    Strategy::Whitespace,
    Strategy::Tokens,
    Strategy::Numeric,
    Strategy::Typed,
    Strategy::Rounding,
    Strategy::WordCase,
    Strategy::Multiset,
    Strategy::Set,
];
