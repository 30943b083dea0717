//! The folder of a run: `config.toml`, `metrics.jsonl`, `checkpoints/`, `samples/`, `tensorboard/`, and `model/` at the end.

use fs_err as fs;
use std::path::{Path, PathBuf};

use super::RunError;
use super::changes::changes;
use super::checkpoint::{self, Progress};
use super::cursor::Data;
use super::metrics::{Lines, MetricsSink, Record};
use super::policy::optimizer;
use super::tensorboard::TensorBoard;
use crate::config::load::to_text;
use crate::config::{Config, OptimizerConfig};
use crate::model::Qwen;
use crate::optimizer::AdamW;

/// Where a run begins, as its folder tells. Nothing has been written yet: what a run reads is read before that, so that an input
/// that is missing leaves the folder as it was.
pub struct Start {
    path: PathBuf,
    /// The checkpoint to go on from, and where the run stood in it.
    checkpoint: Option<(PathBuf, Progress)>,
}

impl Start {
    /// A new run, or with `resume` the one in the folder. A run that was ended before its first checkpoint begins anew.
    pub fn find(path: &Path, resume: bool) -> Result<Start, RunError> {
        let checkpoint = checkpoint::newest(&path.join("checkpoints"))?;
        if !resume && (checkpoint.is_some() || path.join("metrics.jsonl").exists()) {
            let problem = "already holds a run; resume it with --resume, or choose another folder";
            return Err(refused(path, problem));
        }
        let with_progress = |checkpoint: PathBuf| {
            let progress = checkpoint::progress(&checkpoint)?;
            Ok::<_, RunError>((checkpoint, progress))
        };
        Ok(Start {
            path: path.to_path_buf(),
            checkpoint: checkpoint.map(with_progress).transpose()?,
        })
    }

    /// The weights to go on from.
    pub fn weights(&self) -> Option<PathBuf> {
        let (checkpoint, _) = self.checkpoint.as_ref()?;
        Some(checkpoint.join("model"))
    }

    /// AdamW over all weights of a model, as far as it had come.
    pub fn optimizer(&self, model: &Qwen, config: &OptimizerConfig) -> Result<AdamW, RunError> {
        let mut optimizer = optimizer(model, config);
        if let Some((checkpoint, _)) = &self.checkpoint {
            checkpoint::restore(checkpoint, &mut optimizer)?;
        }
        Ok(optimizer)
    }

    /// Make the folder, or go on with it.
    ///
    /// # Errors
    /// A run that took its items from other data, or with another seed. What the file system says.
    pub fn begin(self, config: &Config, data: Data) -> Result<Folder, RunError> {
        let resumed = self.checkpoint.is_some();
        let progress = match self.checkpoint {
            Some((_, progress)) if progress.data != data => {
                let problem = "holds a run with other data or another seed; choose another folder";
                return Err(refused(&self.path, problem));
            }
            Some((_, progress)) => progress,
            None => Progress {
                data,
                ..Progress::default()
            },
        };
        make(&self.path.join("checkpoints"))?;
        let file = self.path.join("config.toml");
        let text = to_text(config);
        if resumed {
            let before = fs::read_to_string(&file).unwrap_or_default();
            for change in changes(&before, &text) {
                eprintln!("--resume: {change}");
            }
        }
        fs::write(&file, text).map_err(RunError::Write)?;
        Folder::open(self.path, config, progress, resumed)
    }
}

fn refused(path: &Path, problem: &'static str) -> RunError {
    RunError::unusable(path, problem)
}

fn make(folder: &Path) -> Result<(), RunError> {
    fs::create_dir_all(folder).map_err(RunError::Write)
}

/// The folder of a run.
pub struct Folder {
    path: PathBuf,
    /// Where the run stands.
    pub progress: Progress,
    /// Whether it goes on from a checkpoint.
    pub resumed: bool,
    /// Steps with an evaluation.
    evaluated: Vec<usize>,
    sinks: Vec<Box<dyn MetricsSink>>,
}

impl Folder {
    fn open(
        path: PathBuf,
        config: &Config,
        progress: Progress,
        resumed: bool,
    ) -> Result<Folder, RunError> {
        let metrics = path.join("metrics.jsonl");
        if !resumed && metrics.exists() {
            fs::remove_file(&metrics).map_err(RunError::Write)?;
        }
        let (lines, kept) = Lines::open(&metrics, progress.step)?;
        let mut sinks: Vec<Box<dyn MetricsSink>> = vec![Box::new(lines)];
        if config.output.tensorboard {
            make(&path.join("tensorboard"))?;
            let events = TensorBoard::create(&path.join("tensorboard"));
            sinks.push(Box::new(events.map_err(RunError::Write)?));
        }
        let mut folder = Folder {
            path,
            progress,
            resumed,
            evaluated: Vec::new(),
            sinks,
        };
        kept.iter().for_each(|record| folder.note(record));
        Ok(folder)
    }

    fn note(&mut self, record: &Record) {
        if let Record::Evaluation(evaluation) = record {
            self.evaluated.push(evaluation.step);
        }
    }

    /// Whether an evaluation after so many steps has been told of.
    pub fn evaluated(&self, step: usize) -> bool {
        self.evaluated.contains(&step)
    }

    /// A folder or file in it.
    pub fn join(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Tell every sink.
    pub fn log(&mut self, record: &Record) -> Result<(), RunError> {
        for sink in &mut self.sinks {
            sink.record(record)?;
        }
        self.note(record);
        Ok(())
    }
}
