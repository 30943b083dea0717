//! Chat templates: Jinja as transformers sets it up, rendered by minijinja.

use super::error::TokenizerError;
use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, Error, ErrorKind, Value};
use minijinja_contrib::pycompat::unknown_method_callback;
use std::collections::BTreeMap;
use std::path::Path;

/// One turn of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// `system`, `user` or `assistant`.
    pub role: String,
    /// What is said.
    pub content: String,
}

/// A template, compiled, and the special tokens that it may name.
#[derive(Debug)]
pub(super) struct ChatTemplate {
    environment: Environment<'static>,
    tokens: BTreeMap<&'static str, String>,
}

impl ChatTemplate {
    /// The template of a model's folder, from chat_template.jinja or else tokenizer_config.json; None where neither has one.
    pub(super) fn read(
        dir: &Path,
        config: &serde_json::Value,
    ) -> Result<Option<ChatTemplate>, TokenizerError> {
        let path = dir.join("chat_template.jinja");
        let source = if path.exists() {
            Some(fs_err::read_to_string(&path)?)
        } else {
            configured(config)
        };
        source
            .map(|source| ChatTemplate::compile(source, config))
            .transpose()
    }

    fn compile(source: String, config: &serde_json::Value) -> Result<ChatTemplate, TokenizerError> {
        let mut environment = Environment::new();
        let syntax = SyntaxConfig::builder()
            .trim_blocks(true)
            .lstrip_blocks(true)
            .build();
        environment.set_syntax(syntax.map_err(|error| failed(&error))?);
        environment.set_unknown_method_callback(unknown_method_callback);
        environment.add_function("raise_exception", raise_exception);
        environment
            .add_template_owned("chat", source)
            .map_err(|error| failed(&error))?;
        let roles = ["bos_token", "eos_token", "pad_token", "unk_token"];
        let tokens = roles
            .into_iter()
            .filter_map(|role| Some((role, special(config, role)?)))
            .collect();
        Ok(ChatTemplate {
            environment,
            tokens,
        })
    }

    pub(super) fn render(
        &self,
        messages: &[Message],
        thinking: Option<bool>,
    ) -> Result<String, TokenizerError> {
        let turn = |message: &Message| {
            Value::from(BTreeMap::from([
                ("role", message.role.clone()),
                ("content", message.content.clone()),
            ]))
        };
        let turns: Vec<Value> = messages.iter().map(turn).collect();
        let mut context = BTreeMap::from([
            ("messages", Value::from(turns)),
            ("add_generation_prompt", Value::from(true)),
        ]);
        context.extend(
            self.tokens
                .iter()
                .map(|(role, token)| (*role, Value::from(token.as_str()))),
        );
        context.extend(thinking.map(|thinking| ("enable_thinking", Value::from(thinking))));
        let template = self
            .environment
            .get_template("chat")
            .map_err(|error| failed(&error))?;
        template
            .render(Value::from(context))
            .map_err(|error| failed(&error))
    }
}

/// `chat_template` of tokenizer_config.json: a text, or a list of named ones of which `default` is taken.
fn configured(config: &serde_json::Value) -> Option<String> {
    let field = config.get("chat_template")?;
    let named = || {
        field
            .as_array()?
            .iter()
            .find(|one| one.get("name").and_then(|name| name.as_str()) == Some("default"))
    };
    let text = field
        .as_str()
        .or_else(|| named()?.get("template")?.as_str());
    text.map(str::to_owned)
}

/// What templates call to refuse a conversation.
fn raise_exception(problem: String) -> Result<String, Error> {
    Err(Error::new(ErrorKind::InvalidOperation, problem))
}

fn failed(error: &Error) -> TokenizerError {
    TokenizerError::Template(format!("{error:#}"))
}

/// A special token by its role: a string, or an object with its `content`.
pub(super) fn special(config: &serde_json::Value, role: &str) -> Option<String> {
    let token = config.get(role)?;
    token
        .as_str()
        .or_else(|| token.get("content")?.as_str())
        .map(str::to_owned)
}
