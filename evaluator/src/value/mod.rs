//! Plain data: what may cross between a boxed process and the supervisor, and every form it is written in.
//!
//! `wire` is the JSON of a box's border, `literal` what Python and numpy print, `json` the JSON of data sets. One
//! `budget` bounds what is read of any of them.

mod budget;
pub(crate) mod json;
pub mod literal;
pub mod wire;

pub use budget::DataBudget;
pub(crate) use budget::Exceeded;

use num_bigint::BigInt;

/// Digits of a whole number for which it counts as one value more.
const VALUE_DIGITS: usize = 64;

/// A Python value as plain data. Not a live object: it has no identity, no methods and no class of a program's own.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `None`
    None,
    /// `True`, `False`
    Bool(bool),
    /// An `int` that fits 64 bits.
    Int(i64),
    /// Any other `int`.
    BigInt(BigInt),
    /// A `float`; NaN and the infinities too.
    Float(f64),
    /// A `complex`: real and imaginary part.
    Complex(f64, f64),
    /// A `str`.
    Str(String),
    /// `bytes` or `bytearray`.
    Bytes(Vec<u8>),
    /// A `list`.
    List(Vec<Value>),
    /// A `tuple`.
    Tuple(Vec<Value>),
    /// A `set` or `frozenset`, in no order.
    Set(Vec<Value>),
    /// A `dict`, in insertion order; keys of any hashable kind.
    Dict(Vec<(Value, Value)>),
    /// A numpy array as nested lists.
    Array(Vec<Value>),
    /// The values of a linked list of `ListNode`.
    ListNode(Vec<Value>),
    /// The values of a tree of `TreeNode` in level order, `None` for a missing child, no trailing `None`.
    TreeNode(Vec<Value>),
}

impl Value {
    /// How much it holds: its values, in all, and the bytes of its texts.
    pub(crate) fn extent(&self) -> usize {
        let all = |items: &[Value]| items.iter().map(Value::extent).sum::<usize>();
        1 + match self {
            Value::None | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Complex(..) => {
                0
            }
            // A decimal digit takes more than three bits.
            Value::BigInt(whole) => {
                usize::try_from(whole.bits()).map_or(0, |bits| bits / VALUE_DIGITS)
            }
            Value::Str(text) => text.len(),
            Value::Bytes(bytes) => bytes.len(),
            Value::List(items)
            | Value::Tuple(items)
            | Value::Set(items)
            | Value::Array(items)
            | Value::ListNode(items)
            | Value::TreeNode(items) => all(items),
            Value::Dict(pairs) => pairs
                .iter()
                .map(|(key, value)| key.extent() + value.extent())
                .sum(),
        }
    }
}

/// What a called function gave back.
#[derive(Debug, Clone, PartialEq)]
pub enum Returned {
    /// Plain data.
    Value(Value),
    /// Something that is not plain data, or too large or too deep: why it was refused, naming the type.
    Refused(String),
}

impl From<BigInt> for Value {
    /// An `int`, in its smallest form.
    fn from(number: BigInt) -> Value {
        i64::try_from(&number).map_or(Value::BigInt(number), Value::Int)
    }
}
