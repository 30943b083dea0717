//! The options of commands that may ask a model.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use dataset::DataError;
use dataset::llm::{Llm, LlmSettings, Mode};

/// Which model is asked, and how.
#[derive(Debug, Args)]
#[command(next_help_heading = "A model that helps")]
pub struct LlmArgs {
    /// Ask a server that speaks the OpenAI protocol: http://127.0.0.1:8000
    #[arg(long, value_name = "URL")]
    llm_base_url: Option<String>,

    /// The model's name there
    #[arg(long, value_name = "NAME")]
    llm_model: Option<String>,

    /// Where answers come from; live if there is a URL, else off
    #[arg(long, value_enum)]
    llm_mode: Option<ModeArg>,

    /// The folder in which answers are kept, each by the hash of all that was asked
    #[arg(long, value_name = "FOLDER", default_value = "llm-answers")]
    llm_cache: PathBuf,

    /// The environment variable that holds the server's key
    #[arg(long, value_name = "NAME")]
    llm_key_variable: Option<String>,
}

/// Where answers come from.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum ModeArg {
    /// Nothing is asked
    Off,
    /// From the folder, and from the server what is not there
    Live,
    /// From the server, all of it anew
    Record,
    /// From the folder alone; what is not there is an error
    Replay,
}

impl LlmArgs {
    /// The model, if one is to be asked.
    pub fn open(&self) -> Result<Option<Llm>, DataError> {
        let mode = self.llm_mode.map(|mode| match mode {
            ModeArg::Off => Mode::Off,
            ModeArg::Live => Mode::Live,
            ModeArg::Record => Mode::Record,
            ModeArg::Replay => Mode::Replay,
        });
        let settings = LlmSettings {
            mode,
            base_url: self.llm_base_url.clone(),
            model: self.llm_model.clone(),
            cache: self.llm_cache.clone(),
            key_variable: self.llm_key_variable.clone(),
            ..LlmSettings::default()
        };
        Ok(Llm::open(&settings)?)
    }
}
