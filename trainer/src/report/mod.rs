//! Reports: the figures and the table of the paper, for our runs.
//!
//! Curves over steps with several runs overlaid (figures 2 to 5, 7 to 9), seconds per phase (the right of figure 6), and
//! avg@k by platform and difficulty (table 1). Figures are SVG files; `index.html` holds them all and needs nothing else.
//! Runs of one name are drawn as one curve: their mean at each step, in the band from the least to the most.

mod figures;
mod history;
pub mod table;

use fs_err as fs;
use std::io;
use std::path::Path;

use crate::algorithm::temperature::Probed;
use crate::run::metrics::{EvaluationRecord, StepRecord};
use crate::run::probe::Probe;

pub use history::{Named, Variant};
use history::{Series, Spread};

/// A figure of curves: its file, its title, and what it measures.
struct Curve {
    file: &'static str,
    title: &'static str,
    of: Of,
}

/// Of what a figure measures something.
enum Of {
    Step(fn(&StepRecord) -> f64),
    Evaluation(fn(&EvaluationRecord) -> f64),
}

const CURVES: [Curve; 14] = [
    Curve {
        file: "accuracy",
        title: "Held-out accuracy (avg@k)",
        of: Of::Evaluation(|e| e.accuracy),
    },
    Curve {
        file: "reward",
        title: "Training reward",
        of: Of::Step(|s| s.reward),
    },
    Curve {
        file: "length",
        title: "Response length (tokens)",
        of: Of::Step(|s| s.response_length),
    },
    Curve {
        file: "diversity",
        title: "Diversity (mean pairwise 1 - Jaccard of token 4-grams)",
        of: Of::Step(|s| s.diversity),
    },
    Curve {
        file: "entropy",
        title: "Entropy (nats per token)",
        of: Of::Step(|s| s.entropy),
    },
    Curve {
        file: "truncated",
        title: "Truncated responses (share)",
        of: Of::Step(|s| s.truncated),
    },
    Curve {
        file: "masked",
        title: "Masked responses (share)",
        of: Of::Step(|s| s.masked),
    },
    Curve {
        file: "zero-variance",
        title: "Groups whose rewards are all equal (share)",
        of: Of::Step(|s| s.zero_variance),
    },
    Curve {
        file: "temperature",
        title: "Sampling temperature",
        of: Of::Step(|s| s.temperature),
    },
    Curve {
        file: "gradient-norm",
        title: "Gradient norm before clipping",
        of: Of::Step(|s| s.gradient_norm),
    },
    Curve {
        file: "clipped-low",
        title: "Tokens clipped below (share)",
        of: Of::Step(|s| s.clipped_low),
    },
    Curve {
        file: "clipped-high",
        title: "Tokens clipped above (share)",
        of: Of::Step(|s| s.clipped_high),
    },
    Curve {
        file: "approximate-kl",
        title: "How far a step moves the policy (nats per token)",
        of: Of::Step(|s| s.approximate_kl),
    },
    Curve {
        file: "mismatch",
        title: "Sampler against trainer (mean difference of log-probabilities)",
        of: Of::Step(|s| s.mismatch),
    },
];

impl Curve {
    /// A line for each variant; of evaluations, one for each limit of a response.
    fn series(&self, variant: &Variant) -> Vec<Series> {
        let of = match self.of {
            Of::Step(of) => {
                return vec![variant.series(|run| run.steps.iter().map(move |s| (s.step, of(s))))];
            }
            Of::Evaluation(of) => of,
        };
        let limits = variant.limits();
        let several = limits.len() > 1;
        let line = |limit: usize| {
            let mut series = variant.series(|run| {
                let at = run
                    .evaluations
                    .iter()
                    .filter(move |e| e.max_tokens == limit);
                at.map(move |e| (e.step, of(e)))
            });
            if several {
                series.name += &format!(", {limit} tokens");
            }
            series
        };
        limits.into_iter().map(line).collect()
    }
}

/// Draw runs into the folder `out`.
pub fn write(variants: &[Variant], out: &Path) -> io::Result<()> {
    fs::create_dir_all(out)?;
    let mut drawn = Vec::new();
    for curve in &CURVES {
        let series: Vec<Series> = variants.iter().flat_map(|one| curve.series(one)).collect();
        drawn.push((curve.file, figures::curves(curve.title, "step", &series)?));
    }
    drawn.push(("phases", figures::phases(variants)?));
    for (file, svg) in &drawn {
        fs::write(out.join(format!("{file}.svg")), svg)?;
    }
    let rows = rows(variants);
    fs::write(out.join("table.txt"), table::text(&rows))?;
    let figures: Vec<&str> = drawn.iter().map(|(_, svg)| &svg[..]).collect();
    fs::write(out.join("index.html"), page(&figures, &table::page(&rows)))
}

/// Each variant's last evaluations, one row for each limit of a response.
fn rows(variants: &[Variant]) -> Vec<table::Row<'_>> {
    let mut rows = Vec::new();
    for variant in variants {
        for limit in variant.limits() {
            let last = variant.runs.iter().filter_map(|run| {
                let mut at = run.evaluations.iter().rev();
                at.find(|record| record.max_tokens == limit)
            });
            rows.push((&variant.name[..], last.collect()));
        }
    }
    rows
}

/// Write a probe as JSON to `out`, and beside it its figure: diversity and accuracy over temperature.
pub fn write_probe(probe: &Probe, out: &Path) -> io::Result<()> {
    fs::write(out, serde_json::to_string_pretty(probe)?)?;
    let line = |name: &str, of: fn(&Probed) -> f64| Series {
        name: name.to_owned(),
        points: probe
            .probed
            .iter()
            .filter_map(|p| Some((p.temperature, Spread::of(&[of(p)])?)))
            .collect(),
    };
    let series = [
        line("diversity", |p| p.diversity),
        line("accuracy", |p| p.accuracy),
    ];
    let svg = figures::curves(
        "Diversity (pairwise 1 - Jaccard of token 4-grams) and accuracy",
        "temperature",
        &series,
    )?;
    fs::write(out.with_extension("svg"), svg)
}

/// # Panics
/// Never: the template is part of the program, and every value it takes has a form in HTML.
fn page(figures: &[&str], table: &table::Page) -> String {
    let mut environment = minijinja::Environment::new();
    environment
        .add_template("page.html", include_str!("page.html"))
        .expect("a template that parses");
    let template = environment.get_template("page.html").expect("added above");
    // The name ends in .html: whatever is put in is escaped, but for figures, which are SVG.
    let context = serde_json::json!({ "figures": figures, "table": table });
    let page = template.render(minijinja::Value::from(minijinja::value::Serde(context)));
    page.expect("a context with all that the template takes")
}
