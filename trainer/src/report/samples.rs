//! The samples of a run, read back from what [`crate::run::samples`] wrote: headings, and texts that are indented.

use std::io;
use std::path::Path;

use fs_err as fs;
use serde::Serialize;

/// The samples of a step.
#[derive(Debug, Serialize)]
pub(super) struct StepSamples {
    pub(super) step: usize,
    groups: Vec<SampleGroup>,
}

/// A prompt and the responses to it.
#[derive(Debug, Default, Serialize)]
struct SampleGroup {
    prompt: String,
    responses: Vec<Response>,
}

#[derive(Debug, Serialize)]
struct Response {
    /// Verdict, reward, advantage and length.
    heading: String,
    accepted: bool,
    text: String,
}

/// The samples in a run's folder, the latest first; none where it has none.
pub(super) fn read(folder: &Path) -> io::Result<Vec<StepSamples>> {
    let folder = folder.join("samples");
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut samples = Vec::new();
    for entry in fs::read_dir(&folder)? {
        let path = entry?.path();
        let name = path.file_stem().unwrap_or_default().display().to_string();
        let step = name
            .strip_prefix("step-")
            .and_then(|step| step.parse().ok());
        if let Some(step) = step {
            let groups = parse(&fs::read_to_string(&path)?);
            samples.push(StepSamples { step, groups });
        }
    }
    samples.sort_by_key(|one| std::cmp::Reverse(one.step));
    Ok(samples)
}

fn parse(text: &str) -> Vec<SampleGroup> {
    let mut groups: Vec<SampleGroup> = Vec::new();
    for line in text.lines() {
        if line == "## Prompt" {
            groups.push(SampleGroup::default());
            continue;
        }
        let Some(group) = groups.last_mut() else {
            continue;
        };
        if let Some(heading) = line.strip_prefix("### ") {
            group.responses.push(Response {
                heading: heading.to_owned(),
                accepted: heading.starts_with("accepted,"),
                text: String::new(),
            });
        } else if let Some(line) = line.strip_prefix("    ") {
            let prompt = &mut group.prompt;
            let text = group
                .responses
                .last_mut()
                .map_or(prompt, |one| &mut one.text);
            *text += &format!("{line}\n");
        }
    }
    groups
}
