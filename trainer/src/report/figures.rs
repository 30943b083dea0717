//! Figures as SVG.

use std::error::Error;
use std::io;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::run::metrics::Seconds;

use super::history::{Series, Variant};

const WIDTH: u32 = 640;
const HEIGHT: u32 = 380;
/// Of a line of the legend, which has two names.
const LINE: u32 = 18;

/// Colours that differ for most kinds of sight (Okabe and Ito).
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
];

fn colour(index: usize) -> RGBColor {
    COLOURS[index % COLOURS.len()]
}

/// Curves, several in one figure.
pub(super) fn curves(title: &str, across: &str, series: &[Series]) -> io::Result<String> {
    let mut svg = String::new();
    draw_curves(&mut svg, title, across, series)
        .map_err(|error| io::Error::other(error.to_string()))?;
    Ok(svg)
}

type Drawn = Result<(), Box<dyn Error>>;

fn draw_curves(svg: &mut String, title: &str, across: &str, series: &[Series]) -> Drawn {
    let names: Vec<&str> = series.iter().map(|one| &one.name[..]).collect();
    let area = above_legend(svg, &names)?;
    let points = || series.iter().flat_map(|one| &one.points);
    let (left, right) = bounds(points().map(|point| point.0));
    let (low, high) = bounds(points().flat_map(|point| [point.1.least, point.1.most, 0.0]));
    let mut chart = ChartBuilder::on(&area)
        .caption(title, ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(52)
        .build_cartesian_2d(left..right, low..high * 1.05)?;
    chart
        .configure_mesh()
        .x_desc(across)
        .x_label_formatter(&|x| format!("{}", (x * 100.0).round() / 100.0))
        .light_line_style(WHITE)
        .draw()?;
    for (index, one) in series.iter().enumerate() {
        let style = colour(index).stroke_width(2);
        chart.draw_series([Polygon::new(band(one), colour(index).mix(0.15))])?;
        let means = one.points.iter().map(|(x, y)| (*x, y.mean));
        chart.draw_series(LineSeries::new(means, style))?;
    }
    area.present()?;
    Ok(())
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Room for a chart, above names in the order of the colours.
fn above_legend<'a>(svg: &'a mut String, names: &[&str]) -> Result<Area<'a>, Box<dyn Error>> {
    let lines = names.len().div_ceil(2) as u32;
    let size = (WIDTH, HEIGHT + LINE * lines + 8);
    let area = SVGBackend::with_string(svg, size).into_drawing_area();
    area.fill(&WHITE)?;
    let (chart, legend) = area.split_vertically(HEIGHT);
    for (index, name) in names.iter().enumerate() {
        let (column, line) = (index as i32 % 2, index as i32 / 2);
        let (x, y) = (56 + 290 * column, LINE as i32 * line + 6);
        let sample = [(x, y - 5), (x + 14, y + 5)];
        legend.draw(&Rectangle::new(sample, colour(index).filled()))?;
        legend.draw(&Text::new(*name, (x + 20, y - 6), ("sans-serif", 13)))?;
    }
    Ok(chart)
}

/// Around a line: along its least values and back along its most. Without area where they are the same.
fn band(series: &Series) -> Vec<(f64, f64)> {
    let least = series.points.iter().map(|(x, y)| (*x, y.least));
    let most = series.points.iter().rev().map(|(x, y)| (*x, y.most));
    least.chain(most).collect()
}

/// The least and the most of some values, apart from each other.
fn bounds(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let finite: Vec<f64> = values.filter(|value| value.is_finite()).collect();
    let low = finite.iter().copied().fold(f64::INFINITY, f64::min);
    let high = finite.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    match low < high {
        true => (low, high),
        false if low == high => (low, low + 1.0),
        false => (0.0, 1.0),
    }
}

/// Between a bar and the edge of its place, as a share of that.
const GAP: f64 = 0.2;

const PHASES: [&str; 3] = ["generation", "reward (waiting)", "update"];

/// Mean seconds per phase of a step, stacked, one bar per name.
pub(super) fn phases(variants: &[Variant]) -> io::Result<String> {
    let mut svg = String::new();
    draw_phases(&mut svg, variants).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(svg)
}

fn draw_phases(svg: &mut String, variants: &[Variant]) -> Drawn {
    let area = above_legend(svg, &PHASES)?;
    let bars: Vec<[f64; 3]> = variants.iter().map(seconds).collect();
    let most = bars
        .iter()
        .map(|bar| bar.iter().sum())
        .fold(0.0, f64::max)
        .max(1e-3);
    let mut chart = ChartBuilder::on(&area)
        .caption("Seconds per step, by phase", ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(52)
        .build_cartesian_2d(0.0..bars.len().max(1) as f64, 0.0..most * 1.15)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_labels(0)
        .light_line_style(WHITE)
        .draw()?;
    for phase in 0..PHASES.len() {
        let style = colour(phase).filled();
        let bar = |(place, bar): (usize, &[f64; 3])| {
            let below: f64 = bar[..phase].iter().sum();
            let left = place as f64 + GAP;
            let right = (place + 1) as f64 - GAP;
            Rectangle::new([(left, below), (right, below + bar[phase])], style)
        };
        chart.draw_series(bars.iter().enumerate().map(bar))?;
    }
    let centred = ("sans-serif", 13)
        .into_text_style(&area)
        .pos(Pos::new(HPos::Center, VPos::Top));
    let name = |(place, variant): (usize, &Variant)| {
        // Just below the axis.
        let at = (place as f64 + 0.5, -0.02 * most);
        Text::new(variant.name.clone(), at, centred.clone())
    };
    chart.draw_series(variants.iter().enumerate().map(name))?;
    area.present()?;
    Ok(())
}

fn seconds(variant: &Variant) -> [f64; 3] {
    let steps = || variant.runs.iter().flat_map(|run| &run.steps);
    let mean = |of: fn(&Seconds) -> f64| {
        steps().map(|step| of(&step.seconds)).sum::<f64>() / steps().count().max(1) as f64
    };
    [
        mean(|s| s.generation),
        mean(|s| s.reward),
        mean(|s| s.update),
    ]
}
