//! `mc-train config`: what can be set.

use clap::Args;
use trainer::config::describe::describe;
use trainer::config::schema::schema;

/// Print every setting with its meaning, the values it takes and its default
///
/// The output is itself a settings file, of defaults alone. With --schema it is a JSON schema, by which editors complete and
/// check settings files.
#[derive(Debug, Args)]
pub(super) struct ConfigureArgs {
    /// Print a JSON schema instead
    #[arg(long)]
    schema: bool,
}

impl ConfigureArgs {
    pub(super) fn run(&self) {
        let schema = schema();
        match self.schema {
            true => println!("{schema:#}"),
            false => print!("{}", describe(&schema)),
        }
    }
}
