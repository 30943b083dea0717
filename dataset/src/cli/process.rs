//! `mc-data process`.

use std::process::ExitCode;

use clap::Args;
use dataset::process::Process;
use dataset::record::Kind;

use super::exit::CliError;
use super::files::FileArgs;
use super::llm::LlmArgs;

/// Make statements plain text and tests single assertions, and drop statements that are cut off
///
/// With a model that helps, statements in other languages than English are translated.
#[derive(Debug, Args)]
pub struct ProcessArgs {
    #[command(flatten)]
    files: FileArgs,

    /// Leave test code of several assertions in one piece
    #[arg(long)]
    keep_tests: bool,

    /// Make problems of functions problems of whole programs, or the reverse
    #[arg(long, value_enum, value_name = "KIND")]
    convert: Option<Convert>,

    #[command(flatten)]
    llm: LlmArgs,
}

/// What problems become.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Convert {
    /// Programs that read arguments as JSON and print what is returned as JSON
    Stdin,
    /// Functions that are given all input as a text and return what is to be printed
    Call,
}

/// Process, and print what came of it.
pub fn run(args: ProcessArgs) -> Result<ExitCode, CliError> {
    let process = Process {
        split_tests: !args.keep_tests,
        convert: args.convert.map(|convert| match convert {
            Convert::Stdin => Kind::Stdin,
            Convert::Call => Kind::Call,
        }),
    };
    let llm = args.llm.open()?;
    let files = &args.files;
    let report = process.run(&files.input, &files.out, files.resume, llm.as_ref())?;
    println!("{}", report.table());
    Ok(ExitCode::SUCCESS)
}
