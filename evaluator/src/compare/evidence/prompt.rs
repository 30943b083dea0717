//! What a prompt says around a statement: of the code that it asks for, of how to answer and of how to think.
//!
//! Collections of problems put such words before and behind each statement: `Write Python code to solve the problem. Think step
//! by step.` They say nothing of the output. Left in, they would seem to, as they have words such as `print`, `following` or
//! `first` in them, and no order would be free beside them.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::concept::Concept;
use super::plain::pattern;
use super::section::Section;

/// A block of code between fences, which no example is.
static CODE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"```[ \t]*(?:(?:python3?|py|cpp|c\+\+|java|javascript|js|typescript|go|rust|ruby|kotlin)[ \t]*\r?\n.*?|[ \t]*\r?\n[^`]*?(?:\bdef \w+\(|\bclass \w+|^import \w+|# ?your code)[^`]*?)(?:```|\z)(?:\s*\n([a-z]))?",
    )
});

/// That a sentence is about code, or about how to answer.
static OF_CODE: Concept = Concept::new(&[
    (
        r"python\d?|java|rust|javascript|(?:code )?snippet|programmer|coding|programming|starter|markdown|backticks?|delimiters?|boxed",
        "Write Python code to solve the problem.",
    ),
    (
        r"stdin|stdout|standard (?:input|output)|call[- ]based",
        "Read the inputs from stdin and write the answer to stdout.",
    ),
    (
        r"step[- ]by[- ]step|function body|let['’]s think|think carefully|(?:solve|answer) the (?:problem|question|task|following)|passes? all|self[- ]contained",
        "Think step by step.",
    ),
]);

/// The same of what may be an item as well: `Print the code first.`
static OF_CODE_PERHAPS: Concept = Concept::new(&[(r"code|script", "Return only the code.")]);

/// A place that an item may have.
static PLACE: Concept = Concept::new(&[(
    r"first|last|before|after|ahead|end|start",
    "The code is first.",
)]);

/// That something is printed there.
static PRINTED_THERE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:print|output|display|list|report|return|write|put|place|give)\b.*\b(?:first|last|before|after|ahead|end|start)\b",
    )
});

/// The words of which such sentences are made: none for an item of an output, or for a place of one.
static WORDS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"^(?:",
        "python|java|c|cpp|rust|javascript|js|go|language|languages|version|",
        "code|snippet|script|program|programs|programmer|coding|programming|function|functions|method|class|module|algorithm|",
        "implementation|signature|body|starter|template|definition|markdown|block|blocks|backticks?|delimiters?|boxed|tags?|fence[ds]?|",
        "stdin|stdout|standard|triple|input|inputs|output|outputs|format|formats|call|based|console|samples?|examples?|tests?|cases?|",
        "problem|problems|question|questions|task|tasks|specification|statement|challenge|competitive|prompt|text|",
        "solution|answer|response|result|reasoning|explanation|explanations|comments?|anything|nothing|else|",
        "solve|solves|solving|write|writes|writing|complete|implement|implements|provide|provides|present|generate|return|read|reads|print|prints|",
        "enclose|wrap|put|place|use|uses|using|run|runs|think|reason|invoking|running|testing|written|explain|make|ensure|pass|passes|match|matches|define|call|give|given|",
        "generated|generating|provided|enclosed|wrapped|following|follow|follows|below|above|here|now|then|please|directly|precisely|exactly|correctly|",
        "correct|efficient|executable|complete|valid|working|expert|helpful|assistant|self|contained|necessary|single|only|just|final|all|full|",
        "step|steps|carefully|let|lets|us|first|before|after|end|start|",
        "you|your|yours|i|we|our|it|its|this|that|these|the|an?|and|or|but|not|no|nt|don|do|does|should|must|will|can|could|may|need|needs|have|has|",
        "are|is|be|was|as|at|by|for|from|in|into|inside|within|between|of|on|off|to|with|without|when|which|so|sure|up|out|any|each|one|except|expected|test|s|t|\\d+",
        r")$",
    ))
});

/// What may be done better, asked of the reader: `Follow-up: Can you come up with an algorithm`.
static FOLLOW_UP: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^\W*(?:follow[- ]?up\b(?: question)?\W{0,3}|challenge: ?)(?:could|can|would|what|how|is|are|do|does|if|try)\b|^\W*(?:could|can) you (?:solve|do|come up|find|implement|write|think|optimi[sz]e|improve|minimi[sz]e)\b",
    )
});

/// A statement without its blocks of code.
pub(super) fn without_code(statement: &str) -> Cow<'_, str> {
    CODE.replace_all(statement, |found: &Captures<'_>| match found.get(1) {
        // It stands within a sentence: `Present the code in ... at the end.`
        Some(rest) => format!("Python code {}", rest.as_str()),
        None => "\n\n".to_owned(),
    })
}

/// Whether a sentence belongs to a prompt, and not to the statement.
pub(super) fn is_of_prompt(sentence: &str) -> bool {
    let is_heading = Section::default().followed_by(sentence) != Section::default();
    FOLLOW_UP.is_match(sentence)
        || !is_heading && is_of_code(sentence) && has_no_other_word(sentence)
}

/// Whether a sentence is about code, and no code is an item that has a place.
fn is_of_code(sentence: &str) -> bool {
    OF_CODE.is_in(sentence) && !PRINTED_THERE.is_match(sentence)
        || OF_CODE_PERHAPS.is_in(sentence) && !PLACE.is_in(sentence)
}

/// Whether each of its words is one that says nothing of an output.
fn has_no_other_word(sentence: &str) -> bool {
    let mut words = sentence
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    words.all(|word| WORDS.is_match(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_in_its_sentence() {
        for concept in [&OF_CODE, &OF_CODE_PERHAPS, &PLACE] {
            concept.assert_examples();
        }
    }

    #[test]
    fn prompts() {
        for sentence in [
            "Please complete the following python code precisely:",
            "Please solve the programming task below using a self-contained code snippet in a markdown code block",
            "You are an expert Python programmer",
            "You will be given a question (problem specification) and will generate a correct Python program that matches the specification and passes all tests",
            "### Format: Read the inputs from stdin solve the problem and write the answer to stdout (do not directly test on the sample inputs)",
            "Enclose your code within delimiters as follows",
            "### Answer: (use the provided format with backticks)",
            "Use Standard Input format ANSWER:",
            "Now solve the problem and return the code",
            "Think step by step",
            "Follow-up: Can you come up with an algorithm that is less than O(n^2) time complexity",
        ] {
            assert!(is_of_prompt(sentence), "{sentence}");
        }
        for sentence in [
            "Write Python code to print the leader first",
            "Print the answer",
            "Print the code first",
            "The code is first",
            "Return the solution in any order",
            "Write a program that prints the largest number at the end",
            "Print the codes of the doors before their names",
        ] {
            assert!(!is_of_prompt(sentence), "{sentence}");
        }
    }

    #[test]
    fn code() {
        let statement = "Print k.\n```python\nclass Solution:\n    pass\n```\nIn this format:\n```\nk\na b\n```\n";
        let told = without_code(statement);
        assert!(!told.contains("class") && told.contains("a b"), "{told}");
    }
}
