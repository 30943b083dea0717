//! The loop of training.

use std::path::{self, Path};
use std::sync::Arc;
use std::time::Instant;

use super::RunError;
use super::batch::{TrainBatch, stays, weigh};
use super::cursor::{Data, Orders};
use super::evaluate::evaluate;
use super::folder::{Folder, Start};
use super::metrics::{Record, StepRecord};
use super::rollout::{Sampled, sample};
use super::setup::{Prompt, PromptSet, RunContext};
use super::update::{Updated, Updating, update};
use super::{checkpoint, probe, samples};
use crate::algorithm::context::max_length;
use crate::algorithm::groups::ZeroVariance;
use crate::algorithm::schedule::learning_rate;
use crate::algorithm::temperature::staged;
use crate::chance::{self, Purpose};
use crate::config::{Config, TemperatureBy};
use crate::memory::Workload;
use crate::model::Qwen;
use crate::optimizer::AdamW;

/// Train for `steps` steps, and write the model to `out/model`.
pub fn train(config: Config, out: &Path, resume: bool) -> Result<(), RunError> {
    let mut run = GrpoRun::open(config, out, resume)?;
    run.begin()?;
    while run.folder.progress.step < run.config.steps {
        let sampled = run.rollout()?;
        let batch = weigh(
            &sampled,
            &run.config,
            run.folder.progress.step,
            run.max_tokens(),
        );
        let updated = run.update(&batch)?;
        run.record(&sampled, &batch, &updated)?;
        run.context.follow()?;
        run.evaluate()?;
        run.save()?;
    }
    run.finish()
}

/// The configuration with a folder for a server's weights. It is not saved so: the run's folder may be moved.
fn exchanging(config: &Config, out: &Path) -> Result<Config, RunError> {
    let mut config = config.clone();
    if config.server.weights.is_none() {
        let weights = path::absolute(out.join("weights")).map_err(RunError::Write)?;
        config.server.weights = Some(weights);
    }
    Ok(config)
}

/// A run in progress.
struct GrpoRun {
    config: Config,
    folder: Folder,
    context: RunContext,
    optimizer: AdamW,
    reference: Option<Qwen>,
    prompts: Vec<Arc<Prompt>>,
    held_out: PromptSet,
    orders: Orders,
    /// How long this step's updates took.
    update_seconds: f64,
}

impl GrpoRun {
    fn open(config: Config, out: &Path, resume: bool) -> Result<GrpoRun, RunError> {
        let start = Start::find(out, resume)?;
        let context =
            RunContext::open(&exchanging(&config, out)?, start.weights(), Workload::Grpo)?;
        let prompts = context
            .prompts(&config.data.problems, "data.problems")?
            .list;
        let held_out = context.held_out(&config)?;
        let optimizer = start.optimizer(&context.model, &config.optimizer)?;
        let reference = match config.loss.kl_beta != 0.0 {
            true => Some(context.placement.reference(&config.model, config.seed)?),
            false => None,
        };
        let tokens = prompts.iter().map(|prompt| &prompt.tokens[..]);
        let folder = start.begin(&config, Data::new(config.seed, tokens))?;
        Ok(GrpoRun {
            orders: Orders::new(config.seed, prompts.len()),
            config,
            folder,
            context,
            optimizer,
            reference,
            prompts,
            held_out,
            update_seconds: 0.0,
        })
    }

    /// What comes before the first step: a probe that picks the temperature, and an evaluation to compare with.
    fn begin(&mut self) -> Result<(), RunError> {
        self.context.follow()?;
        if self.folder.resumed {
            return Ok(());
        }
        if self.config.temperature.by == TemperatureBy::Diversity {
            let probe = probe::probe(&self.context, &self.prompts, &self.config)?;
            eprintln!("probe: training at temperature {}", probe.temperature);
            self.folder.progress.temperature = Some(probe.temperature);
        }
        self.evaluate()
    }

    /// The limit of a response, in tokens, at this step.
    fn max_tokens(&self) -> usize {
        let rollout = &self.config.rollout;
        max_length(
            rollout.max_tokens,
            &rollout.stages,
            self.folder.progress.step,
        )
    }

    /// The sampling temperature of this step.
    fn temperature(&self) -> f64 {
        let config = &self.config.temperature;
        match config.by {
            TemperatureBy::Constant => config.value,
            TemperatureBy::Stages => {
                staged(config.value, &config.stages, self.folder.progress.step)
            }
            TemperatureBy::Diversity => self.folder.progress.temperature.unwrap_or(config.value),
        }
    }

    /// Sample and judge, again where groups without variance are to be made up for.
    fn rollout(&mut self) -> Result<Sampled, RunError> {
        let refills = match self.config.rollout.zero_variance {
            ZeroVariance::Refill => self.config.rollout.refills,
            _ => 0,
        };
        let mut sampled = Sampled::default();
        for round in 0..=refills {
            let kept = sampled
                .groups
                .iter()
                .filter(|group| stays(group, &self.config));
            let missing =
                self.config.rollout.prompts - kept.count().min(self.config.rollout.prompts);
            if missing == 0 {
                break;
            }
            let prompts: Vec<_> = (0..missing).map(|_| self.next_prompt()).collect();
            let number = (self.folder.progress.step as u64) << 16 | round as u64;
            let seed = chance::seed(self.config.seed, Purpose::Rollout, number);
            let sampling = self
                .context
                .sampling(self.temperature(), self.max_tokens(), seed);
            let more = sample(
                &self.context,
                &prompts,
                self.config.rollout.samples,
                &sampling,
            )?;
            self.remember(&more);
            sampled.extend(more);
        }
        Ok(sampled)
    }

    /// The next problem that the curriculum admits; where it admits none of all, the next.
    fn next_prompt(&mut self) -> Arc<Prompt> {
        let progress = &mut self.folder.progress;
        let mut prompt = &self.prompts[self.orders.next(&mut progress.cursor)];
        for _ in 1..self.prompts.len() {
            if self
                .config
                .data
                .curriculum
                .admits(&prompt.problem.id, &progress.pass_rates)
            {
                break;
            }
            prompt = &self.prompts[self.orders.next(&mut progress.cursor)];
        }
        prompt.clone()
    }

    /// Note the pass rates, for the curriculum.
    fn remember(&mut self, sampled: &Sampled) {
        for group in &sampled.groups {
            if let Some(rate) = group.accuracy() {
                self.folder
                    .progress
                    .pass_rates
                    .insert(group.prompt.problem.id.clone(), rate);
            }
        }
    }

    fn update(&mut self, batch: &TrainBatch<'_>) -> Result<Updated, RunError> {
        let start = Instant::now();
        let step = self.folder.progress.step;
        let updating = Updating {
            model: &self.context.model,
            reference: self.reference.as_ref(),
            config: &self.config,
            step: step + 1,
            temperature: self.temperature(),
            max_tokens: self.max_tokens(),
            learning_rate: learning_rate(&self.config.optimizer.schedule, step, self.config.steps),
            micro_batch_tokens: self.context.placement.plan.cut.micro_batch_tokens,
        };
        let updated = update(&updating, &mut self.optimizer, &batch.groups)?;
        self.update_seconds = start.elapsed().as_secs_f64();
        Ok(updated)
    }

    /// Close the step: measure it, watch over its diversity, tell of it, and write samples.
    fn record(
        &mut self,
        sampled: &Sampled,
        batch: &TrainBatch<'_>,
        updated: &Updated,
    ) -> Result<(), RunError> {
        let mut record = StepRecord::of(sampled, batch, updated);
        let step = self.folder.progress.step;
        record.step = step + 1;
        record.temperature = self.temperature();
        record.max_tokens = self.max_tokens();
        record.learning_rate =
            learning_rate(&self.config.optimizer.schedule, step, self.config.steps);
        record.seconds.update = self.update_seconds;
        let diversity = self.watch(record.diversity);
        let signs = self.folder.progress.health.observe(&record.signs());
        let ruin = (!signs.is_empty())
            .then(|| format!("{}: the learning rate may be too high", signs.join(", ")));
        let warnings: Vec<String> = diversity.into_iter().chain(ruin).collect();
        record.warning = (!warnings.is_empty()).then(|| warnings.join("; "));
        eprintln!("{}", record.line(self.config.steps));
        let output = &self.config.output;
        if output.samples_every > 0 && record.step.is_multiple_of(output.samples_every) {
            let folder = self.folder.join("samples");
            let tokenizer = &self.context.tokenizer;
            samples::write(
                &folder,
                record.step,
                output.samples,
                tokenizer,
                &batch.groups,
            )?;
        }
        self.folder.progress.step += 1;
        self.folder.log(&Record::Step(Box::new(record)))
    }

    /// Warn of a sustained decline of diversity, and where diversity decides the temperature, raise it.
    fn watch(&mut self, diversity: f64) -> Option<String> {
        let config = &self.config.temperature;
        if !self
            .folder
            .progress
            .watch
            .observe(diversity, &config.decline)
        {
            return None;
        }
        let warning = format!("diversity has declined to {diversity:.3}");
        if config.by != TemperatureBy::Diversity {
            return Some(warning);
        }
        let now = self.temperature();
        let stages = config.stages.iter().map(|stage| stage.value);
        let next = stages.filter(|value| *value > now).min_by(f64::total_cmp);
        self.folder.progress.temperature = next.or(Some(now));
        Some(match next {
            Some(next) => format!("{warning}: temperature {now} -> {next}"),
            None => format!("{warning}: no higher temperature is left in temperature.stages"),
        })
    }

    /// Evaluate where it is due.
    fn evaluate(&mut self) -> Result<(), RunError> {
        let step = self.folder.progress.step;
        let config = &self.config.evaluation;
        let due =
            config.every > 0 && (step.is_multiple_of(config.every) || step == self.config.steps);
        if self.held_out.list.is_empty() || !due {
            return Ok(());
        }
        let seed = self.config.seed;
        for record in evaluate(&self.context, &self.held_out, config, seed, step)? {
            eprintln!("evaluation: step {step} {}", record.line());
            self.folder.log(&Record::Evaluation(Box::new(record)))?;
        }
        Ok(())
    }

    /// Write a checkpoint where it is due.
    fn save(&mut self) -> Result<(), RunError> {
        let step = self.folder.progress.step;
        let output = &self.config.output;
        if step.is_multiple_of(output.checkpoint_every) || step == self.config.steps {
            let folder = self.folder.join("checkpoints");
            let progress = &self.folder.progress;
            checkpoint::save(
                &folder,
                output.keep,
                progress,
                &self.context,
                &self.optimizer,
            )?;
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), RunError> {
        let model = self.folder.join("model");
        checkpoint::export_final(&self.context, &self.config, &model)?;
        eprintln!(
            "finished {} steps; the model is in {}",
            self.config.steps,
            model.display()
        );
        Ok(())
    }
}
