//! Plain data: what may cross between a boxed process and the supervisor.

pub(crate) mod wire;

use num_bigint::BigInt;

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
    /// A `list` (a `deque` too).
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
