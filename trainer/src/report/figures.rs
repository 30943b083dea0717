//! Figures as SVG: places are reckoned here, and `figure.xml` writes them.

use serde::Serialize;

use crate::run::metrics::Seconds;

use super::axis::{Axis, Tick};
use super::history::{Series, Spread, Variant};
use super::template;

const WIDTH: f64 = 640.0;
/// Where the plot begins and ends, from the left and from the top.
const ACROSS: [f64; 2] = [64.0, 628.0];
const DOWN: [f64; 2] = [40.0, 336.0];
/// Where the legend begins, and how high a line of it is, which has two names.
const LEGEND: f64 = 388.0;
const LINE: f64 = 18.0;

/// Colours that differ for most kinds of sight (Okabe and Ito).
const COLOURS: [&str; 7] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000",
];

fn colour(index: usize) -> &'static str {
    COLOURS[index % COLOURS.len()]
}

/// What the template writes.
#[derive(Debug, Default, Serialize)]
struct Plot<'a> {
    title: &'a str,
    width: f64,
    height: f64,
    across: [f64; 2],
    down: [f64; 2],
    /// What the horizontal axis measures.
    measure: &'a str,
    x_ticks: Vec<Tick>,
    y_ticks: Vec<Tick>,
    lines: Vec<PlotLine<'a>>,
    bars: Vec<Bar<'a>>,
    names: Vec<Name<'a>>,
    legend: Vec<Entry<'a>>,
}

/// A line in its band.
#[derive(Debug, Serialize)]
struct PlotLine<'a> {
    run: &'a str,
    colour: &'a str,
    band: String,
    points: Vec<Point>,
}

/// A point of a line, and what it says when pointed at.
#[derive(Debug, Serialize)]
struct Point {
    x: f64,
    y: f64,
    says: String,
}

/// One part of a stacked bar.
#[derive(Debug, Serialize)]
struct Bar<'a> {
    name: &'a str,
    colour: &'a str,
    x: f64,
    y: f64,
    width: f64,
    height: f64,
    says: String,
}

/// The name below a bar.
#[derive(Debug, Serialize)]
struct Name<'a> {
    name: &'a str,
    x: f64,
}

#[derive(Debug, Serialize)]
struct Entry<'a> {
    name: &'a str,
    /// The variant that it is of; none in the legend of bars.
    run: Option<&'a str>,
    colour: &'a str,
    x: f64,
    y: f64,
}

impl<'a> Plot<'a> {
    fn new(title: &'a str, measure: &'a str, legend: &[&'a str]) -> Plot<'a> {
        let entry = |(index, name): (usize, &&'a str)| Entry {
            name,
            run: None,
            colour: colour(index),
            x: ACROSS[0] + 290.0 * (index % 2) as f64,
            y: LEGEND + LINE * (index / 2) as f64,
        };
        Plot {
            title,
            width: WIDTH,
            height: LEGEND + LINE * legend.len().div_ceil(2) as f64,
            across: ACROSS,
            down: DOWN,
            measure,
            legend: legend.iter().enumerate().map(entry).collect(),
            ..Plot::default()
        }
    }

    fn draw(&self) -> String {
        template::render("figure.xml", self)
    }
}

/// Curves, several in one figure.
pub(super) fn curves(title: &str, measure: &str, series: &[Series]) -> String {
    let names: Vec<&str> = series.iter().map(|one| &one.name[..]).collect();
    let points = || series.iter().flat_map(|one| &one.points);
    let values = points().flat_map(|(_, y)| [y.least, y.most * 1.05, 0.0]);
    let x = Axis::over(points().map(|point| point.0), ACROSS[0], ACROSS[1]);
    let y = Axis::over(values, DOWN[1], DOWN[0]);
    let line = |(index, one)| line(one, colour(index), measure, [x, y]);
    let mut figure = Plot {
        x_ticks: x.ticks(),
        y_ticks: y.ticks(),
        lines: series.iter().enumerate().map(line).collect(),
        ..Plot::new(title, measure, &names)
    };
    for (entry, one) in figure.legend.iter_mut().zip(series) {
        entry.run = Some(&one.run);
    }
    figure.draw()
}

fn line<'a>(series: &'a Series, colour: &'a str, measure: &str, [x, y]: [Axis; 2]) -> PlotLine<'a> {
    let drawn = || {
        series
            .points
            .iter()
            .filter(|(_, spread)| spread.mean.is_finite())
    };
    // Along its least values and back along its most. Without area where they are the same.
    let least = drawn().map(|(at, spread)| (*at, spread.least));
    let most = drawn().rev().map(|(at, spread)| (*at, spread.most));
    let corners = least.chain(most);
    let corners = corners.map(|(at, value)| format!("{},{}", x.place(at), y.place(value)));
    let point = |(at, spread): &(f64, Spread)| {
        let mut says = format!("{}, {measure} {at}: {:.4}", series.name, spread.mean);
        if spread.least < spread.most {
            says += &format!(" ({:.4} to {:.4})", spread.least, spread.most);
        }
        Point {
            x: x.place(*at),
            y: y.place(spread.mean),
            says,
        }
    };
    PlotLine {
        run: &series.run,
        colour,
        band: corners.collect::<Vec<_>>().join(" "),
        points: drawn().map(point).collect(),
    }
}

/// Between a bar and the edge of its place, as a share of that.
const GAP: f64 = 0.2;

const PHASES: [&str; 3] = ["generation", "reward (waiting)", "update"];

/// Mean seconds per phase of a step, stacked, one bar per name.
pub(super) fn phases<'a>(variants: &'a [Variant]) -> String {
    let bars: Vec<[f64; 3]> = variants.iter().map(seconds).collect();
    let tops = bars.iter().map(|bar| bar.iter().sum::<f64>() * 1.1);
    let y = Axis::over(tops.chain([0.0]), DOWN[1], DOWN[0]);
    let room = (ACROSS[1] - ACROSS[0]) / variants.len().max(1) as f64;
    let left = |place: usize| ACROSS[0] + place as f64 * room;
    let part = |place: usize, phase: usize| {
        let (bar, name) = (&bars[place], &variants[place].name[..]);
        let below: f64 = bar[..phase].iter().sum();
        let top = y.place(below + bar[phase]);
        Bar {
            name,
            colour: colour(phase),
            x: left(place) + GAP * room,
            y: top,
            width: room * (1.0 - 2.0 * GAP),
            height: y.place(below) - top,
            says: format!("{name}, {}: {:.2} s", PHASES[phase], bar[phase]),
        }
    };
    let name = |(place, variant): (usize, &'a Variant)| Name {
        name: &variant.name,
        x: left(place) + 0.5 * room,
    };
    let parts =
        (0..bars.len()).flat_map(|place| (0..PHASES.len()).map(move |phase| (place, phase)));
    Plot {
        y_ticks: y.ticks(),
        bars: parts.map(|(place, phase)| part(place, phase)).collect(),
        names: variants.iter().enumerate().map(name).collect(),
        ..Plot::new("Seconds per step, by phase", "", &PHASES)
    }
    .draw()
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
