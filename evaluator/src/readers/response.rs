//! The program in a model's full text.
//!
//! It is the last fenced block of the wanted language, Python if none is named, that is not blank, outside what the model wrote while thinking. A block
//! without a language counts only where none is labelled with it. A block that the text breaks off in is still the
//! program: the response was truncated, and how far it got is what is judged. Fences follow CommonMark (section 4.5),
//! but may be indented at will, and a tag may follow the closing one.

use crate::Submission;
use crate::languages::{Language, Languages, PYTHON};

/// How many blocks of Markdown are looked into, one inside the other.
const MAX_NESTED: usize = 4;

/// Find the program in a model's full text: the content of its last fenced block of Python. None where there is no such block.
pub fn program(text: &str) -> Option<String> {
    block(text, &is_python).or_else(|| bare(text))
}

/// A program found in a model's full text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FoundProgram {
    pub(crate) code: String,
    /// Its language, where the text itself says another than Python, and nobody asked for one.
    pub(crate) language: Option<String>,
}

impl Submission {
    /// Make a program that was found in a response its own; `None` if there was none.
    pub(crate) fn answer(&mut self, found: Option<FoundProgram>) {
        if let Some(language) = found.as_ref().and_then(|answer| answer.language.clone()) {
            self.chose_language = true;
            self.language = language;
        }
        self.code = found.map(|answer| answer.code);
    }
}

impl FoundProgram {
    /// Find it: the last block of the language `wanted`, or else of Python, or else of any known one.
    pub(crate) fn find(text: &str, wanted: Option<&Language>) -> Option<FoundProgram> {
        let languages = Languages::get();
        let is = |label: &str, wanted: &Language| {
            let language = languages.named(label);
            language.is_some_and(|language| language.name == wanted.name)
        };
        let code = match wanted {
            Some(wanted) if wanted.name != PYTHON => block(text, &|label| is(label, wanted)),
            _ => block(text, &is_python),
        };
        let other = || block_of_other_language(text).filter(|_| wanted.is_none());
        let plainly = |code| FoundProgram {
            code,
            language: None,
        };
        code.map(plainly)
            .or_else(other)
            .or_else(|| bare(text).map(plainly))
    }
}

fn block_of_other_language(text: &str) -> Option<FoundProgram> {
    let languages = Languages::get();
    let known = |label: &str| languages.named(label).is_some();
    let (label, code) = labelled_block(text, &known)?;
    let language = languages.named(&label)?.name.clone();
    Some(FoundProgram {
        code,
        language: Some(language),
    })
}

fn block(text: &str, wanted: &dyn Fn(&str) -> bool) -> Option<String> {
    labelled_block(text, wanted).map(|(_, code)| code)
}

fn labelled_block(text: &str, wanted: &dyn Fn(&str) -> bool) -> Option<(String, String)> {
    last_block(without_open_thought(text), MAX_NESTED, wanted)
}

/// The last block that no language is named for.
fn bare(text: &str) -> Option<String> {
    block(text, &str::is_empty)
}

/// The program in a field that holds code, but in which chat models fence it. Only a fence at the start, or one of Python at
/// the start of a line, is taken for that: a docstring may hold an indented one.
pub(super) fn unfenced(text: &str) -> String {
    let is_fenced = ["```", "~~~"]
        .iter()
        .any(|fence| text.trim_start().starts_with(fence))
        || text.lines().any(|line| {
            let labelled = |it: Fence| it.marker == '`' && is_python(&it.label);
            line.starts_with("```") && fence(line, 0).is_some_and(labelled)
        });
    let block = is_fenced.then(|| program(text)).flatten();
    block.unwrap_or_else(|| before_closing_fence(text).to_owned())
}

/// The code before the only fence of a text: where the prompt had opened the block, the model has but closed it. A fence
/// within a text of several lines closes nothing.
fn before_closing_fence(text: &str) -> &str {
    let Some((code, rest)) = text.split_once("```") else {
        return text;
    };
    let stands_alone =
        code.ends_with('\n') && rest.lines().next().is_none_or(|end| end.trim().is_empty());
    let is_last = rest.trim().is_empty();
    let is_quoted = ["\"\"\"", "'''"]
        .iter()
        .any(|quote| code.matches(quote).count() % 2 == 1);
    if (stands_alone || is_last) && !is_quoted && !rest.contains("```") {
        code
    } else {
        text
    }
}

fn last_block(
    text: &str,
    nested: usize,
    wanted: &dyn Fn(&str) -> bool,
) -> Option<(String, String)> {
    let mut blocks = blocks(text).into_iter().rev();
    blocks.find_map(|block| match block.label.as_str() {
        "markdown" | "md" if nested > 0 => last_block(&block.content, nested - 1, wanted),
        label if wanted(label) => Some((block.label, block.content)),
        _ => None,
    })
}

/// Whether a language's name, as on a fence, means Python 3, whichever implementation.
fn is_python(name: &str) -> bool {
    let name = name.trim().to_lowercase();
    let version = name.strip_prefix("python").unwrap_or("none");
    matches!(name.as_str(), "py" | "py3" | "pypy" | "pypy3" | "cpython")
        || version.is_empty()
        || (version.starts_with('3') && version.chars().all(|c| c == '.' || c.is_ascii_digit()))
}

/// Many templates put `<think>` into the prompt, so that the response holds only its end.
fn without_open_thought(text: &str) -> &str {
    match text.split_once("</think>") {
        Some((thought, answer))
            if !thought.contains("<think>") && !is_in_program(thought, answer) =>
        {
            answer
        }
        _ => text,
    }
}

/// Whether what stands between these is a word of a program: beside others on a line, in a block that begins before it and
/// ends behind it.
fn is_in_program(before: &str, after: &str) -> bool {
    let beside = [before.rsplit('\n').next(), after.split('\n').next()];
    let is_alone = beside.iter().flatten().all(|rest| rest.trim().is_empty());
    let ScanState::Inside(fence, _) = scan(before).1 else {
        return false;
    };
    let fences = |line: &&str| line.trim_start().starts_with(fence.marker);
    let next = after.lines().skip(1).find(fences);
    !is_alone && next.is_none_or(|line| closes(&fence, line))
}

struct Block {
    label: String,
    content: String,
}

/// An opening fence.
struct Fence {
    marker: char,
    length: usize,
    indent: usize,
    label: String,
}

enum ScanState {
    Outside,
    Thinking,
    Inside(Fence, String),
}

fn blocks(text: &str) -> Vec<Block> {
    let (mut blocks, state) = scan(text);
    // The response was cut off: what there is of the program is still its answer.
    if let ScanState::Inside(fence, content) = state {
        keep(&mut blocks, fence, content);
    }
    blocks
}

/// The blocks that end within a text, and in what it ends itself.
fn scan(text: &str) -> (Vec<Block>, ScanState) {
    let mut blocks = Vec::new();
    let mut state = ScanState::Outside;
    let lines: Vec<&str> = text.lines().collect();
    let opens_next = opens_next(&lines);
    for (line, opens_next) in lines.into_iter().zip(opens_next) {
        state = match state {
            ScanState::Thinking => match line.split_once("</think>") {
                Some((_, rest)) => outside(rest),
                None => ScanState::Thinking,
            },
            ScanState::Outside => outside(line),
            ScanState::Inside(fence, content) if closes(&fence, line) => {
                keep(&mut blocks, fence, content);
                ScanState::Outside
            }
            ScanState::Inside(fence, mut content) if opens_next && closes_behind(&fence, line) => {
                content.push_str(unindented(line, fence.indent).trim_end_matches(fence.marker));
                content.push('\n');
                keep(&mut blocks, fence, content);
                ScanState::Outside
            }
            ScanState::Inside(fence, mut content) => {
                content.push_str(unindented(line, fence.indent));
                content.push('\n');
                ScanState::Inside(fence, content)
            }
        };
    }
    (blocks, state)
}

fn keep(blocks: &mut Vec<Block>, fence: Fence, content: String) {
    if !content.trim().is_empty() {
        let label = fence.label;
        blocks.push(Block { label, content });
    }
}

fn outside(mut line: &str) -> ScanState {
    while let Some(thought) = line.trim_start().strip_prefix("<think>") {
        match thought.split_once("</think>") {
            Some((_, rest)) => line = rest,
            None => return ScanState::Thinking,
        }
    }
    let trimmed = line.trim_start();
    let item = list_item(trimmed);
    let fence = fence(item, line.len() - item.len()).or_else(|| late_fence(item));
    fence.map_or(ScanState::Outside, |fence| {
        ScanState::Inside(fence, String::new())
    })
}

/// What stands behind the marker of a list item: `- ` or `1. `.
fn list_item(line: &str) -> &str {
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = if digits.len() < line.len() {
        digits.strip_prefix(['.', ')'])
    } else {
        line.strip_prefix(['-', '*', '+'])
    };
    let item = rest.filter(|rest| rest.starts_with(' '));
    item.map_or(line, str::trim_start)
}

fn fence(trimmed: &str, indent: usize) -> Option<Fence> {
    let marker = trimmed.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let info = trimmed.trim_start_matches(marker);
    let length = trimmed.len() - info.len();
    if length < 3 || (marker == '`' && info.contains('`')) {
        return None;
    }
    Some(Fence {
        marker,
        length,
        indent,
        label: label(info),
    })
}

/// Models also open a block behind other text on its line: `The answer: ```python`. Only a label makes that certain.
fn late_fence(line: &str) -> Option<Fence> {
    let at = line.find("```")?;
    let known = |label: &str| is_python(label) || Languages::get().named(label).is_some();
    fence(&line[at..], 0).filter(|fence| known(&fence.label))
}

/// The language of an info string: `python`, `python title="a"`, `python:a.py`, `{.python .numberLines}`.
fn label(info: &str) -> String {
    let info = info.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '{' | '.'));
    let end = |c: char| c.is_whitespace() || matches!(c, ',' | ':' | ';' | '{' | '}' | '=' | '(');
    info.split(end).next().unwrap_or_default().to_lowercase()
}

/// Beyond CommonMark, a tag may follow on the line: templates and tokenizers put `</answer>` or `<|im_end|>` there.
fn closes(fence: &Fence, line: &str) -> bool {
    let line = line.trim();
    let rest = line.trim_start_matches(fence.marker);
    let length = line.len() - rest.len();
    length >= fence.length && (rest.is_empty() || rest.trim_start().starts_with('<'))
}

/// Whether a fence stands behind the last line of code: `return n````.
fn closes_behind(fence: &Fence, line: &str) -> bool {
    let line = line.trim_end();
    let code = line.trim_end_matches(fence.marker);
    line.len() - code.len() >= fence.length && !code.trim().is_empty()
}

/// For each line, whether the next fence after it opens a block or there is none: only then can a fence behind a line of
/// code have closed one.
fn opens_next(lines: &[&str]) -> Vec<bool> {
    let mut opens = vec![true; lines.len()];
    for place in (1..lines.len()).rev() {
        let next = fence(lines[place].trim_start(), 0);
        opens[place - 1] = next.map_or(opens[place], |fence| !fence.label.is_empty());
    }
    opens
}

fn unindented(line: &str, indent: usize) -> &str {
    let blank = line.len() - line.trim_start_matches([' ', '\t']).len();
    &line[blank.min(indent)..]
}
