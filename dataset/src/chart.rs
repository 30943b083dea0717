//! Bar charts as SVG, for papers and pages.

use std::fmt::Write;

const WIDTH: usize = 640;
const LABELS: usize = 180;
const NUMBERS: usize = 70;
const ROW: usize = 24;
const BAR: usize = 16;
const TITLE: usize = 36;

/// A horizontal bar for each label, as long as its count.
pub fn bars(title: &str, counts: &[(&str, usize)]) -> String {
    let height = TITLE + ROW * counts.len() + ROW / 2;
    let most = counts
        .iter()
        .map(|(_, count)| *count)
        .max()
        .unwrap_or(0)
        .max(1);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#ffffff\"/>\n\
         <text x=\"12\" y=\"24\" font-size=\"15\" font-weight=\"bold\">{}</text>\n",
        escaped(title)
    );
    for (row, (label, count)) in counts.iter().enumerate() {
        let top = TITLE + ROW * row;
        let length = (WIDTH - LABELS - NUMBERS) * count / most;
        let (line, label) = (top + 13, escaped(label));
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{line}\" text-anchor=\"end\">{label}</text>\
             <rect x=\"{LABELS}\" y=\"{top}\" width=\"{length}\" height=\"{BAR}\" fill=\"#4878a8\"/>\
             <text x=\"{}\" y=\"{line}\">{count}</text>",
            LABELS - 8,
            LABELS + length + 6,
        );
    }
    svg.push_str("</svg>\n");
    svg
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;");
    text.replace('<', "&lt;").replace('>', "&gt;")
}
