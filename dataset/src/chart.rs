//! Bar charts and waterfalls as SVG, for papers and pages.

use std::fmt::Write;

const WIDTH: usize = 640;
const LABELS: usize = 180;
const NUMBERS: usize = 70;
const ROW: usize = 24;
const BAR: usize = 16;
const TITLE: usize = 36;

/// A horizontal bar for each label, as long as its count.
pub fn bars(title: &str, counts: &[(&str, usize)]) -> String {
    let most = counts.iter().map(|(_, count)| *count).max();
    let most = most.unwrap_or(0).max(1);
    let mut svg = opened(title, counts.len());
    for (row, (label, count)) in counts.iter().enumerate() {
        let length = (WIDTH - LABELS - NUMBERS) * count / most;
        bar(&mut svg, row, label, *count, (0, length), "#4878a8");
    }
    svg.push_str("</svg>\n");
    svg
}

/// A step of a waterfall.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// So many are there.
    Level(String, usize),
    /// So many go.
    Fall(String, usize),
}

/// What is there at first, what goes step by step, and what is left: each step a bar that begins where the one before ended.
pub fn waterfall(title: &str, steps: &[Step]) -> String {
    let most = steps.iter().map(|step| match step {
        Step::Level(_, count) | Step::Fall(_, count) => *count,
    });
    let most = most.max().unwrap_or(0).max(1);
    let scaled = |count: usize| (WIDTH - LABELS - NUMBERS) * count / most;
    let mut svg = opened(title, steps.len());
    let mut there = 0;
    for (row, step) in steps.iter().enumerate() {
        let (label, count, from, color) = match step {
            Step::Level(label, count) => {
                there = *count;
                (label, *count, 0, "#4878a8")
            }
            Step::Fall(label, count) => {
                there = there.saturating_sub(*count);
                (label, *count, there, "#c05a4a")
            }
        };
        bar(
            &mut svg,
            row,
            label,
            count,
            (scaled(from), scaled(count).max(1)),
            color,
        );
    }
    svg.push_str("</svg>\n");
    svg
}

/// The head of a chart of so many rows.
fn opened(title: &str, rows: usize) -> String {
    let height = TITLE + ROW * rows + ROW / 2;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#ffffff\"/>\n\
         <text x=\"12\" y=\"24\" font-size=\"15\" font-weight=\"bold\">{}</text>\n",
        escaped(title)
    )
}

/// A row: its label, its bar from so far and so long, and its number.
fn bar(
    svg: &mut String,
    row: usize,
    label: &str,
    count: usize,
    (from, length): (usize, usize),
    color: &str,
) {
    let top = TITLE + ROW * row;
    let (line, label, from) = (top + 13, escaped(label), LABELS + from);
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{line}\" text-anchor=\"end\">{label}</text>\
         <rect x=\"{from}\" y=\"{top}\" width=\"{length}\" height=\"{BAR}\" fill=\"{color}\"/>\
         <text x=\"{}\" y=\"{line}\">{count}</text>",
        LABELS - 8,
        from + length + 6,
    );
}

/// As text of a page.
pub fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;");
    text.replace('<', "&lt;").replace('>', "&gt;")
}
