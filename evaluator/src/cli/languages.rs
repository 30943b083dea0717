//! `mc-eval languages`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use comfy_table::{ContentArrangement, Table, presets};
use evaluator::languages::{Language, Languages, toolchain};
use serde::Serialize;

use super::exit::{self, CliError};
use super::output;

/// List the languages that submissions may be written in, with the versions found on this machine.
///
/// A submission in a language that is not installed cannot be judged: its verdict is `judge_failed`, with the reason.
#[derive(Debug, Args)]
pub struct LanguagesArgs {
    #[command(flatten)]
    table: LanguageTable,

    /// Print the list as JSON.
    #[arg(long)]
    json: bool,
}

/// Which languages there are.
#[derive(Debug, Args)]
pub struct LanguageTable {
    /// A table of languages in TOML that extends or overrides the built-in one: what it states of a language stands in place of
    /// what is built in.
    #[arg(long, value_name = "FILE")]
    languages: Option<PathBuf>,
}

impl LanguageTable {
    /// Make them the languages of this process; before any is asked for.
    pub fn choose(&self) -> Result<(), CliError> {
        let Some(file) = &self.languages else {
            return Ok(());
        };
        let languages = Languages::extended_by(file);
        let languages = languages.map_err(|why| CliError::new(exit::INPUT, why))?;
        let unasked = "languages are chosen before one is asked for";
        languages.choose().expect(unasked);
        Ok(())
    }
}

/// A language in the list.
#[derive(Debug, Serialize)]
struct Listed {
    name: &'static str,
    /// `null` where it is not installed.
    version: Option<String>,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<String>,
    names: &'static [String],
    endings: &'static [String],
}

/// Print them.
pub fn run(args: LanguagesArgs) -> Result<ExitCode, CliError> {
    args.table.choose()?;
    let listed: Vec<Listed> = Languages::get().all().iter().map(look).collect();
    output::print(&if args.json {
        serde_json::to_string_pretty(&listed).expect("a list of texts") + "\n"
    } else {
        render(&listed)
    })
}

fn look(language: &'static Language) -> Listed {
    let found = toolchain(language);
    Listed {
        name: &language.name,
        missing: found.as_ref().err().cloned(),
        version: found.ok().map(|toolchain| toolchain.version.clone()),
        names: &language.names,
        endings: &language.endings,
    }
}

fn render(listed: &[Listed]) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_content_arrangement(ContentArrangement::Disabled);
    for language in listed {
        let found = language.version.as_ref().or(language.missing.as_ref());
        table.add_row([
            language.name,
            found.map_or("", |found| found),
            &language.names.join(" "),
        ]);
    }
    format!("{}\n", table.trim_fmt())
}
