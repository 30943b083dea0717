//! `mc-eval doctor`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use comfy_table::{ContentArrangement, Table, presets};
use sandbox::{Interpreter, Level, Trial, diagnose};

use super::judge::Isolation;
use super::{exit, output};

/// Tell what isolation this machine gives, what is missing and how to get it.
///
/// Each line is found out by trying. The exit code is 0 if the isolation asked for can be had, else 5.
#[derive(Debug, Args)]
pub struct DoctorArgs {
    /// The Python interpreter, 3.9 or later.
    #[arg(long, value_name = "PATH")]
    python: Option<PathBuf>,

    /// The isolation asked for.
    #[arg(long, value_enum, default_value_t = Isolation::Full)]
    isolation: Isolation,

    /// Print the findings as JSON.
    #[arg(long)]
    json: bool,
}

/// Look, and tell.
pub fn run(args: DoctorArgs) -> miette::Result<ExitCode> {
    let level: Level = args.isolation.into();
    let interpreter = Interpreter::find(args.python.as_deref());
    let findings = diagnose(interpreter.as_ref(), level);
    let fit = findings.iter().all(|finding| finding.ok || !finding.needed);
    let text = if args.json {
        serde_json::to_string_pretty(&findings).expect("findings have only string keys") + "\n"
    } else {
        render(&findings, fit)
    };
    output::to_stdout(&text)?;
    Ok(ExitCode::from(if fit {
        exit::FINE
    } else {
        exit::ISOLATION
    }))
}

fn render(findings: &[Trial], fit: bool) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_content_arrangement(ContentArrangement::Disabled);
    for finding in findings {
        let mark = match (finding.ok, finding.needed) {
            (true, _) => "ok",
            (false, true) => "MISSING",
            (false, false) => "none",
        };
        table.add_row([mark, finding.name, &finding.detail]);
    }
    let hints = findings.iter().filter_map(|finding| {
        let hint = finding.hint?;
        Some(format!("\nto get {}: {hint}\n", finding.name))
    });
    let verdict = if fit {
        "programs can be judged here"
    } else {
        "programs cannot be judged here with these settings"
    };
    format!(
        "{}\n{}\n{verdict}\n",
        table.trim_fmt(),
        hints.collect::<String>()
    )
}
