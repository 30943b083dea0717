//! `mc-eval lcb`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use evaluator::Verdict;
use evaluator::rates::pass_at_k;
use evaluator::verdict::LcbResult;
use serde_json::{Value, json};

use super::exit::{self, CliError};
use super::output;
use super::verdicts::{empty, read};

/// Print the `..._eval.json` that LiveCodeBench's custom evaluator would write, from verdicts of `judge --harness lcb`.
///
/// It is a list of three items: pass@k over all problems and for each one; the test results of each sample; and the metadata
/// of each sample, as JSON text. Problems are numbered in the order of their ids.
#[derive(Debug, Args)]
pub struct LcbArgs {
    /// A verdict file.
    verdicts: PathBuf,
}

/// The k for which pass@k is told where every problem has as many samples.
const KS: [u32; 13] = [1, 5, 10, 20, 40, 50, 75, 100, 125, 150, 200, 500, 1000];

/// Print it.
pub fn run(args: LcbArgs) -> Result<ExitCode, CliError> {
    let mut problems: BTreeMap<String, Vec<LcbResult>> = BTreeMap::new();
    for verdict in read(&args.verdicts)? {
        let verdict = verdict?;
        let result = result(&args.verdicts, &verdict)?;
        problems.entry(verdict.problem_id).or_default().push(result);
    }
    if problems.is_empty() {
        return Err(empty(&args.verdicts));
    }
    let samples: Vec<Vec<LcbResult>> = problems.into_values().collect();
    let text = serde_json::to_string_pretty(&evaluation(&samples));
    output::print(&format!("{}\n", text.expect("it has only string keys")))
}

fn result(path: &Path, verdict: &Verdict) -> Result<LcbResult, CliError> {
    verdict.lcb.clone().ok_or_else(|| {
        let (path, id) = (path.display(), &verdict.id);
        let message = format!("{path}: the verdict on {id} has no LiveCodeBench result");
        CliError::new(exit::INPUT, message).hint("judge with --harness lcb --profile lcb")
    })
}

fn evaluation(samples: &[Vec<LcbResult>]) -> Value {
    let results = samples.iter().enumerate();
    let results = results.map(|(problem, all)| {
        let all: Vec<_> = all.iter().map(|sample| &sample.results).collect();
        (problem.to_string(), json!(all))
    });
    let metadata = samples.iter().map(|all| {
        let texts = all.iter().map(|sample| json!(sample.metadata).to_string());
        texts.collect::<Vec<_>>()
    });
    let results: serde_json::Map<String, Value> = results.collect();
    json!([metrics(samples), results, metadata.collect::<Vec<_>>()])
}

/// pass@k over all problems, and in `detail` for each.
fn metrics(samples: &[Vec<LcbResult>]) -> Value {
    let fewest = samples.iter().map(Vec::len).min().unwrap_or(0);
    let mut metrics = serde_json::Map::new();
    let mut detail = serde_json::Map::new();
    for k in KS.into_iter().filter(|k| *k as usize <= fewest) {
        let passes: Vec<f64> = samples.iter().map(|all| pass(all, k)).collect();
        let mean = passes.iter().sum::<f64>() / passes.len() as f64;
        let each = passes.iter().enumerate();
        let each = each.map(|(problem, pass)| (problem.to_string(), json!(pass)));
        metrics.insert(format!("pass@{k}"), json!(mean));
        detail.insert(format!("pass@{k}"), Value::Object(each.collect()));
    }
    metrics.insert("detail".to_owned(), Value::Object(detail));
    Value::Object(metrics)
}

fn pass(samples: &[LcbResult], k: u32) -> f64 {
    let accepted = samples.iter().filter(|sample| sample.passes()).count();
    pass_at_k(samples.len() as u32, accepted as u32, k)
}
