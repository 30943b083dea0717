//! Samples: some prompts with their responses, verdicts and advantages, for people to read.

use fs_err as fs;
use std::fmt::Write;
use std::path::Path;

use super::RunError;
use super::batch::Weighted;
use crate::tokenizer::Tokenizer;

/// Write the first `count` groups of a step that have a response with a reward to `folder`.
pub fn write(
    folder: &Path,
    step: usize,
    count: usize,
    tokenizer: &Tokenizer,
    groups: &[Vec<Weighted<'_>>],
) -> Result<(), RunError> {
    let path = folder.join(format!("step-{step:06}.md"));
    let mut text = format!("# Step {step}\n");
    let there = groups
        .iter()
        .filter_map(|group| Some((group.first()?, group)));
    for (first, group) in there.take(count) {
        text.push_str(&of_group(&tokenizer.decode(first.prompt)?, group));
    }
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(&path, text))
        .map_err(RunError::Write)
}

fn of_group(prompt: &str, group: &[Weighted<'_>]) -> String {
    let mut text = format!("\n## Prompt\n\n{}\n", quoted(prompt));
    for weighted in group {
        let rollout = weighted.rollout;
        let reward = rollout
            .verdict
            .reward
            .map_or("absent".to_owned(), |reward| reward.to_string());
        let end = if rollout.truncated { ", truncated" } else { "" };
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "\n### {}, reward {reward}, advantage {:+.3}, {} tokens{end}\n\n{}\n",
            rollout.verdict.verdict.name(),
            weighted.advantage,
            rollout.tokens.len(),
            quoted(&rollout.text),
        );
    }
    text
}

/// As an indented block: whatever fences the text has stay part of it.
fn quoted(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect()
}
