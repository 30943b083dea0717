//! Means and how far they can be trusted.

/// The mean; of nothing, none.
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The standard deviation of a sample (n - 1); of fewer than two values 0.
pub fn deviation(values: &[f64]) -> f64 {
    let (Some(mean), true) = (mean(values), values.len() > 1) else {
        return 0.0;
    };
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (squares / (values.len() - 1) as f64).sqrt()
}

/// The standard error of the mean; of fewer than two values 0.
pub fn standard_error(values: &[f64]) -> f64 {
    deviation(values) / (values.len().max(1) as f64).sqrt()
}
