//! Rows that a trainer takes: verl's, with a reward model beside the prompt, and those of open-instruct and AceCoder, whose
//! problem is a conversation or a question.

use super::cases::Hints;
use super::content::{Content, all_unnamed};
use super::node::{Fault, Node};
use super::{apps, ground_truth};
use crate::Value;
use crate::problem::{Prelude, Problem};

/// The ground truth of a row of verl, with its path.
pub(super) fn of_reward_model(row: &Node<'_>) -> Result<(String, Value), Fault> {
    let truth = row.need("reward_model")?.need("ground_truth")?;
    Ok((truth.path().to_owned(), ground_truth::value(&truth)?))
}

/// Read a row of verl, whose ground truth is `truth`; `made_id` names one that has no id of its own.
pub(super) fn verl(row: &Node<'_>, truth: &Node<'_>, made_id: &str) -> Result<Content, Fault> {
    let extra = row.find("extra_info");
    let extra = extra.as_ref();
    let named = extra.and_then(|extra| extra.find("id"));
    let id = match named {
        Some(id) => id.label()?,
        None => apps::id(row, made_id)?,
    };
    let reference = extra.and_then(|extra| extra.find("reference"));
    let solutions: Vec<String> = match reference {
        Some(code) if !code.text()?.trim().is_empty() => vec![apps::code(&code)?],
        _ => Vec::new(),
    };
    let (tests, compare) = ground_truth::tests(truth, &Hints::of(row, &solutions)?)?;
    Ok(Content {
        submissions: all_unnamed(&id, solutions),
        problem: Some(Problem {
            statement: row.read("prompt", asked)?,
            // verl judges such rows with the evaluator of APPS.
            prelude: Prelude::Apps,
            compare,
            platform: row.find_text("data_source")?,
            ..Problem::new(id, tests)
        }),
        ..Content::default()
    })
}

/// Read a row with its tests in the field `tests`: `ground_truth` in open-instruct's data, `test_cases` in AceCoder's.
pub(super) fn with_tests(row: &Node<'_>, tests: &str, made_id: &str) -> Result<Content, Fault> {
    let id = apps::id(row, made_id)?;
    let field = row.need(tests)?;
    let truth = ground_truth::value(&field)?;
    let truth = Node::at(field.path(), &truth);
    let (tests, compare) = ground_truth::tests(&truth, &Hints::of(row, &[])?)?;
    let statement = row.read("messages", asked)?;
    Ok(Content {
        problem: Some(Problem {
            statement: statement.or(row.find_text("question")?),
            compare,
            ..Problem::new(id, tests)
        }),
        ..Content::default()
    })
}

/// What the user says last in a conversation; or the text, where it is none.
fn asked(prompt: &Node<'_>) -> Result<String, Fault> {
    if let Ok(text) = prompt.text() {
        return Ok(text.to_owned());
    }
    let messages = prompt.items()?;
    let by_user = messages.iter().rfind(|message| {
        message
            .find("role")
            .is_some_and(|role| role.text() == Ok("user"))
    });
    let message = by_user.ok_or_else(|| prompt.fault("holds nothing that a user says"))?;
    message.need("content")?.text().map(str::to_owned)
}
