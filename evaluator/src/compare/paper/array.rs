//! Values as numpy makes arrays of them.

use ndarray::{ArrayD, IxDyn, Zip};

use super::slack::{ALLCLOSE, LONG};
use crate::Value;
use crate::compare::value::items;

/// `numpy.allclose` of two arrays of one shape; `None` where a value is no array of numbers.
///
/// numpy would stretch a shape to fit the other. An empty array fits any, so that it would be close to all of them.
pub(super) fn all_close(left: &Value, right: &Value) -> Option<bool> {
    let (left, right) = (array(left)?, array(right)?);
    let close = |left: &f64, right: &f64| ALLCLOSE.admits(*left, *right);
    Some(left.shape() == right.shape() && Zip::from(&left).and(&right).all(close))
}

/// Nested lists of numbers that all have one shape.
fn array(value: &Value) -> Option<ArrayD<f64>> {
    let shape = shape(value)?;
    let mut numbers = Vec::new();
    gather(value, &shape, &mut numbers)?;
    ArrayD::from_shape_vec(IxDyn(&shape), numbers).ok()
}

/// The lengths of the lists within one another, told by the first of each; a scalar has none.
fn shape(value: &Value) -> Option<Vec<usize>> {
    let mut lengths = Vec::new();
    let mut inner = items(value)?;
    loop {
        lengths.push(inner.len());
        match inner.first().and_then(items) {
            Some(next) => inner = next,
            None => return Some(lengths),
        }
    }
}

fn gather(value: &Value, shape: &[usize], numbers: &mut Vec<f64>) -> Option<()> {
    let Some((length, inner)) = shape.split_first() else {
        numbers.push(number(value)?);
        return Some(());
    };
    let items = items(value).filter(|items| items.len() == *length)?;
    items
        .iter()
        .try_for_each(|item| gather(item, inner, numbers))
}

/// A number that a double holds.
fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Int(whole) if whole.unsigned_abs() < LONG => Some(*whole as f64),
        Value::Float(real) => Some(*real),
        _ => None,
    }
}
