//! Between whole numbers of any size and doubles, without loss.

use num_bigint::{BigInt, Sign};

/// The double nearest to a whole number; infinite where it is larger than any.
pub(crate) fn nearest_double(whole: &BigInt) -> f64 {
    const MOST_BITS: u64 = 1100;
    if whole.bits() <= MOST_BITS {
        return whole.to_string().parse().unwrap_or(f64::NAN);
    }
    match whole.sign() {
        Sign::Minus => f64::NEG_INFINITY,
        _ => f64::INFINITY,
    }
}

/// The whole number that a real is exactly.
pub(crate) fn whole_of(real: f64) -> Option<BigInt> {
    const FRACTION_BITS: u32 = 52;
    if !real.is_finite() || real.fract() != 0.0 {
        return None;
    }
    // Doubles below 2^63 convert without loss.
    if real.abs() < 9.2e18 {
        return Some(BigInt::from(real as i64));
    }
    let bits = real.to_bits();
    let fraction = bits & ((1 << FRACTION_BITS) - 1) | 1 << FRACTION_BITS;
    let exponent = ((bits >> FRACTION_BITS) & 0x7ff) as u32 - 1023 - FRACTION_BITS;
    let magnitude = BigInt::from(fraction) << exponent;
    Some(if real < 0.0 { -magnitude } else { magnitude })
}
