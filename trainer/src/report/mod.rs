//! Reports: the figures and the table of the paper, for our runs.
//!
//! Curves over steps with several runs overlaid (figures 2 to 5, 7 to 9), seconds per phase (the right of figure 6), and
//! avg@k by platform and difficulty (table 1). Figures are SVG files; `index.html` holds them all, with the samples of the runs,
//! and needs nothing else. [`watch`] serves the page while runs go on.
//! Runs of one name are drawn as one curve: their mean at each step, in the band from the least to the most.

mod axis;
mod figures;
mod history;
mod samples;
pub mod table;
mod template;
pub mod watch;

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use evaluator::rates::difficulty_rank;
use fs_err as fs;
use serde::Serialize;

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
    fn draw(&self, variants: &[Variant]) -> String {
        let series: Vec<Series> = match self.of {
            Of::Step(of) => {
                let line = |variant: &Variant| {
                    variant.series(|run| run.steps.iter().map(move |s| (s.step, of(s))))
                };
                variants.iter().map(line).collect()
            }
            Of::Evaluation(of) => evaluations(variants, |record| Some(of(record))),
        };
        figures::curves(self.title, "step", &series)
    }
}

/// A line of evaluations for each variant and each limit of a response.
fn evaluations(variants: &[Variant], of: impl Fn(&EvaluationRecord) -> Option<f64>) -> Vec<Series> {
    let of = &of;
    let lines = |variant: &Variant| {
        let limits = variant.limits();
        let several = limits.len() > 1;
        let line = |limit: usize| {
            let mut series = variant.series(|run| {
                let at = run.evaluations.iter();
                let at = at.filter(move |record| record.max_tokens == limit);
                at.filter_map(|record| Some((record.step, of(record)?)))
            });
            if several {
                series.name += &format!(", {limit} tokens");
            }
            series
        };
        limits.into_iter().map(line).collect::<Vec<_>>()
    };
    variants.iter().flat_map(lines).collect()
}

/// Held-out accuracy over steps for each difficulty, where there are several: file and figure.
fn by_difficulty(variants: &[Variant]) -> Vec<(String, String)> {
    let runs = variants.iter().flat_map(|variant| &variant.runs);
    let records = runs.flat_map(|run| &run.evaluations);
    let all: BTreeSet<&String> = records
        .filter_map(|record| record.by.get("all"))
        .flat_map(|cells| cells.keys())
        .filter(|difficulty| *difficulty != "all")
        .collect();
    let mut all: Vec<&String> = all.into_iter().collect();
    all.sort_by_key(|difficulty| (difficulty_rank(difficulty), *difficulty));
    if all.len() < 2 {
        return Vec::new();
    }
    let figure = |difficulty: &String| {
        let series = evaluations(variants, |record| {
            record.by.get("all")?.get(difficulty)?.accuracy
        });
        let title = format!("Held-out accuracy (avg@k), {difficulty}");
        let file = difficulty.replace(|c: char| !c.is_alphanumeric(), "-");
        let svg = figures::curves(&title, "step", &series);
        (format!("accuracy-{file}"), svg)
    };
    all.into_iter().map(figure).collect()
}

/// Draw runs into the folder `out`.
pub fn write(variants: &[Variant], out: &Path) -> io::Result<()> {
    let figures = draw(variants);
    let page = page(variants, &figures, None)?;
    fs::create_dir_all(out)?;
    for (file, svg) in &figures {
        fs::write(out.join(format!("{file}.svg")), svg)?;
    }
    fs::write(out.join("table.txt"), table::text(&rows(variants)))?;
    fs::write(out.join("index.html"), page)
}

/// Every figure: its file and itself.
fn draw(variants: &[Variant]) -> Vec<(String, String)> {
    let curve = |curve: &Curve| (curve.file.to_owned(), curve.draw(variants));
    let (accuracy, others) = CURVES.split_at(1);
    let accuracy = accuracy.iter().map(curve);
    accuracy
        .chain(by_difficulty(variants))
        .chain(others.iter().map(curve))
        .chain([("phases".to_owned(), figures::phases(variants))])
        .collect()
}

/// What the page shows.
#[derive(Serialize)]
struct Page<'a> {
    figures: Vec<&'a str>,
    table: table::PageTable,
    samples: Vec<RunSamples>,
    /// Seconds from one look at a live run to the next.
    live: Option<u64>,
}

/// The samples of a run.
#[derive(Serialize)]
struct RunSamples {
    folder: String,
    steps: Vec<samples::StepSamples>,
}

fn page(
    variants: &[Variant],
    figures: &[(String, String)],
    live: Option<u64>,
) -> io::Result<String> {
    let runs = variants.iter().flat_map(|variant| &variant.runs);
    let samples = runs.map(|run| {
        Ok(RunSamples {
            folder: run.folder.display().to_string(),
            steps: samples::read(&run.folder)?,
        })
    });
    let mut samples = samples.collect::<io::Result<Vec<RunSamples>>>()?;
    samples.retain(|run| !run.steps.is_empty());
    let page = Page {
        figures: figures.iter().map(|(_, svg)| &svg[..]).collect(),
        table: table::page(&rows(variants)),
        samples,
        live,
    };
    Ok(template::render("page.html", &page))
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
        run: name.to_owned(),
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
    );
    fs::write(out.with_extension("svg"), svg)
}
