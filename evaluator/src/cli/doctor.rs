//! `mc-eval doctor`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use comfy_table::{ContentArrangement, Table, presets};
use evaluator::languages::{Language, Languages, PYTHON, toolchain};
use evaluator::{Interpreter, Level};
use sandbox::{Diagnosis, diagnose};

use super::exit::{self, CliError};
use super::names::{PROTECTING, levels};
use super::output;

/// Show what isolation this machine provides, what is missing and how to get it.
///
/// Every line reports something that was tried. The exit code is 0 if the required isolation is available, otherwise 5.
#[derive(Debug, Args)]
pub struct DoctorArgs {
    /// The Python interpreter, version 3.9 or later.
    #[arg(long, value_name = "PATH")]
    python: Option<PathBuf>,

    /// The required isolation.
    #[arg(long, value_name = "LEVEL", default_value = "full", value_parser = levels(PROTECTING))]
    isolation: Level,

    /// Print the findings as JSON.
    #[arg(long)]
    json: bool,
}

/// Look, and tell.
pub fn run(args: DoctorArgs) -> Result<ExitCode, CliError> {
    let interpreter = Interpreter::find(args.python.as_deref());
    let mut findings = diagnose(interpreter.as_ref(), args.isolation);
    findings.extend(languages());
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

/// What is there of the languages other than Python. None is needed.
fn languages() -> Vec<Diagnosis> {
    let others = Languages::get().all().iter();
    let others = others.filter(|language| language.name != PYTHON);
    let look = |language: &Language| {
        let found = toolchain(language);
        let hint = match language.package.as_str() {
            "" => format!("install what submissions in {} need", language.name),
            package => format!(
                "install {package}, or what else has it, if submissions are in {}",
                language.name
            ),
        };
        Diagnosis {
            name: language.name.clone().into(),
            ok: found.is_ok(),
            needed: false,
            hint: found.is_err().then(|| hint.into()),
            detail: found.map_or_else(|why| why, |toolchain| toolchain.version.clone()),
        }
    };
    others.map(look).collect()
}

fn render(findings: &[Diagnosis], fit: bool) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_content_arrangement(ContentArrangement::Disabled);
    for finding in findings {
        let mark = match (finding.ok, finding.needed) {
            (true, _) => "ok",
            (false, true) => "MISSING",
            (false, false) => "absent",
        };
        table.add_row([mark, &finding.name, &finding.detail]);
    }
    let hints = findings.iter().filter_map(|finding| {
        let hint = finding.hint.as_ref()?;
        Some(match finding.needed {
            true => format!("\nto get {}: {hint}\n", finding.name),
            false => format!("\noptional: {hint}\n"),
        })
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
