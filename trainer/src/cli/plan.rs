//! `mc-train plan`: what a run would take.

use std::path::PathBuf;

use clap::Args;
use comfy_table::{CellAlignment, ContentArrangement, Table, TableStyle};
use trainer::config::{self, Compute, load};
use trainer::memory::{self, Machine, Plan, Size, Workload};
use trainer::run::policy;

use super::exit::CliError;

/// Show how much memory a run needs, phase by phase, without loading anything
///
/// Only the model's config.json is read, and not even that for the models that trainer/presets name. With --memory no GPU is
/// needed. Exits with 3 if the run does not fit.
#[derive(Debug, Args)]
pub(super) struct PlanArgs {
    /// Settings file (TOML)
    config: PathBuf,

    /// Plan for a GPU with so much memory, such as 80GiB; by default, for this machine
    #[arg(long, value_name = "SIZE")]
    memory: Option<Size>,

    /// Override one setting; may be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
}

impl PlanArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let config = load(Some(&self.config), &self.set)?;
        let shape = memory::shape(&config.model.path).map_err(CliError::input)?;
        let machine = self.machine(&config)?;
        let plan = Plan::of(&shape, &config, Workload::Grpo, machine);
        println!("{}", table(&plan));
        Ok(plan.check()?)
    }

    fn machine(&self, config: &config::Config) -> Result<Machine, CliError> {
        let half = |gpu: bool| match config.model.compute {
            Compute::Auto => gpu,
            fixed => fixed == Compute::Bfloat16,
        };
        let machine = |memory: Size, gpu: bool| Machine {
            memory,
            gpu,
            half: half(gpu),
            replays: gpu && half(gpu),
        };
        if let Some(memory) = self.memory {
            let gpu = config.model.device != config::Device::Cpu;
            return Ok(machine(memory, gpu));
        }
        let device = policy::device(config.model.device)?;
        let memory = memory::available(device).ok_or_else(|| {
            CliError::usage("this machine does not tell its memory: use --memory")
        })?;
        Ok(machine(memory, device.is_cuda()))
    }
}

/// A column for each phase, a row for each thing that any of them needs.
fn table(plan: &Plan) -> Table {
    let mut table = Table::new();
    table.load_style(TableStyle::new());
    table.set_content_arrangement(ContentArrangement::Disabled);
    let names = plan.phases.iter().map(|phase| phase.name.to_owned());
    table.set_header(std::iter::once(String::new()).chain(names));
    let mut parts: Vec<&str> = Vec::new();
    for part in plan.phases.iter().flat_map(|phase| &phase.parts) {
        if part.size.0 > 0 && !parts.contains(&part.what) {
            parts.push(part.what);
        }
    }
    let mut row = |name: &str, cell: &dyn Fn(&memory::Phase) -> Option<String>| {
        let cells = plan
            .phases
            .iter()
            .map(|phase| cell(phase).unwrap_or_else(|| "-".to_owned()));
        table.add_row(std::iter::once(name.to_owned()).chain(cells));
    };
    for what in parts {
        row(what, &|phase| {
            let part = phase
                .parts
                .iter()
                .find(|part| part.what == what && part.size.0 > 0)?;
            Some(part.size.to_string())
        });
    }
    row("sequences", &|phase| {
        Some(phase.sequences?.size().to_string())
    });
    row("total", &|phase| Some(phase.size().to_string()));
    row("available", &|_| Some(plan.machine.memory.to_string()));
    row("tokens of a micro-batch", &|phase| {
        let cut = plan.cut.micro_batch_tokens.to_string();
        phase.sequences.is_none().then_some(cut)
    });
    row("tokens of a sequence", &|phase| {
        Some(phase.sequences?.tokens.to_string())
    });
    row("tokens of all sequences", &|phase| {
        Some(phase.sequences?.held.to_string())
    });
    row("sequences at full length", &|phase| {
        Some(phase.sequences?.at_full_length().to_string())
    });
    row("slots", &|phase| Some(phase.sequences?.slots.to_string()));
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}
