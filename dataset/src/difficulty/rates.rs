//! How often problems are solved: by a model whose samples were judged, and what a reference model would make of them.

use std::collections::HashMap;
use std::path::PathBuf;

use evaluator::Decision;
use evaluator::verdict::{Verdict, VerdictRecord};

use crate::error::DataError;
use crate::record::Solved;
use crate::stage::RecordLines;

/// How often each problem is solved, by its id.
pub type Rates = HashMap<String, Solved>;

/// Those of files of verdicts.
pub fn read(verdicts: &[PathBuf]) -> Result<Rates, DataError> {
    let mut rates = Rates::new();
    for path in verdicts {
        for line in RecordLines::<VerdictRecord>::open(path)? {
            count(&mut rates, line?.verdict);
        }
    }
    Ok(rates)
}

/// Count a verdict. Where the judge failed nothing is known.
pub fn count(rates: &mut Rates, verdict: Verdict) {
    if verdict.verdict == Decision::JudgeFailed {
        return;
    }
    let solved = rates.entry(verdict.problem_id).or_default();
    solved.samples += 1;
    solved.accepted += usize::from(verdict.verdict == Decision::Accepted);
}

/// From one model's shares to another's: the monotone steps that fit best, in the least squares, the problems that both have
/// tried. Where a model solves more, the other is never said to solve less.
pub struct Calibration {
    /// The end of each step among the one's shares, and the other's share there, both ascending.
    steps: Vec<(f64, f64)>,
}

/// Problems of one step so far.
struct Block {
    upto: f64,
    sum: f64,
    count: f64,
}

impl Calibration {
    /// Of what both have tried.
    pub fn fit(of: &Rates, to: &Rates) -> Result<Calibration, DataError> {
        let both = of.iter().filter_map(|(id, solved)| {
            let other = to.get(id)?;
            Some((solved.share()?, other.share()?))
        });
        let mut both: Vec<(f64, f64)> = both.collect();
        if both.is_empty() {
            return Err(DataError::Setting(
                "no problem has verdicts both on the model's and on the reference model's samples"
                    .to_owned(),
            ));
        }
        both.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut blocks: Vec<Block> = Vec::new();
        for (share, other) in both {
            match blocks.last_mut() {
                Some(last) if last.upto == share => {
                    last.sum += other;
                    last.count += 1.0;
                }
                _ => blocks.push(Block {
                    upto: share,
                    sum: other,
                    count: 1.0,
                }),
            }
        }
        let steps = pooled(blocks).into_iter();
        Ok(Calibration {
            steps: steps
                .map(|block| (block.upto, block.sum / block.count))
                .collect(),
        })
    }

    /// The reference model's share where the model has this one.
    pub fn share(&self, share: f64) -> f64 {
        let step = self.steps.iter().find(|(upto, _)| share <= *upto);
        let step = step.or(self.steps.last());
        step.map_or(share, |(_, other)| *other)
    }
}

/// Neighbours that would descend made one, until none does.
fn pooled(blocks: Vec<Block>) -> Vec<Block> {
    let mut done: Vec<Block> = Vec::new();
    for mut block in blocks {
        while let Some(last) = done.pop() {
            if last.sum / last.count < block.sum / block.count {
                done.push(last);
                break;
            }
            block.sum += last.sum;
            block.count += last.count;
        }
        done.push(block);
    }
    done
}
