//! `mc-eval schema`.

use std::process::ExitCode;

use clap::Args;

use super::exit::CliError;
use super::output;

/// Print the JSON Schema of a verdict line.
#[derive(Debug, Args)]
pub struct SchemaArgs {}

/// Print it.
pub fn run(_: SchemaArgs) -> Result<ExitCode, CliError> {
    let schema = serde_json::to_string_pretty(&evaluator::verdict::schema());
    output::print(&format!(
        "{}\n",
        schema.expect("a schema has only string keys")
    ))
}
