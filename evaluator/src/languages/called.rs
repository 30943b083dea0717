//! The program around a candidate's function that is called once for each test, in languages other than Python: a small
//! harness of the language's own reads the arguments as JSON from standard input, and writes the result as JSON to what was
//! standard output.
//!
//! It shares its process with the candidate, which may so write there what it likes: it could have returned that as well.

use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

use regex::Regex;
use serde_json::json;

use super::compiler::Source;
use super::toolchain::Toolchain;
use crate::Value;

/// A harness of a language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CallHarness {
    Cpp,
    Java,
    JavaScript,
}

/// The function to be called.
pub(crate) struct CallTarget<'a> {
    /// Its name; that of a method behind its class.
    pub name: &'a str,
    /// Where it gives nothing back, its first argument is the answer.
    pub in_place: bool,
}

/// A file of a program, by its name.
type NamedText = (&'static str, String);

impl CallHarness {
    fn of(language: &str) -> Result<CallHarness, String> {
        match language {
            "cpp" => Ok(CallHarness::Cpp),
            "java" => Ok(CallHarness::Java),
            "javascript" => Ok(CallHarness::JavaScript),
            other => Err(format!(
                "no function in {other} can be called: only those in cpp, java, javascript and, as one text, python"
            )),
        }
    }

    fn files(self, text: &str, called: &CallTarget<'_>) -> Vec<NamedText> {
        match self {
            CallHarness::Cpp => cpp(text, called),
            CallHarness::Java => java(text, called),
            CallHarness::JavaScript => javascript(text, called),
        }
    }
}

/// Why functions of `language` cannot be called so.
///
/// # Errors
/// There is no harness for it, or nothing like one of the arguments.
pub(crate) fn callable<'a>(
    language: &str,
    calls: impl Iterator<Item = &'a [Value]>,
) -> Result<(), String> {
    let harness = CallHarness::of(language)?;
    for (test, arguments) in calls.enumerate() {
        if let Some(kind) = without_like(harness, arguments) {
            return Err(format!(
                "the arguments of test {test} hold {kind}, which has no like in {language}"
            ));
        }
    }
    Ok(())
}

/// What among these values the language has nothing for.
fn without_like(harness: CallHarness, values: &[Value]) -> Option<&'static str> {
    values.iter().find_map(|value| match value {
        Value::Complex(..) => Some("a complex number"),
        Value::Bytes(_) => Some("bytes"),
        Value::Dict(pairs) if harness == CallHarness::JavaScript => {
            let mut all = pairs.iter().map(|(key, item)| [key.clone(), item.clone()]);
            all.find_map(|pair| without_like(harness, &pair))
        }
        Value::Dict(_) => Some("a dict"),
        Value::BigInt(_) if harness == CallHarness::Cpp => {
            Some("a whole number of more than 64 bits")
        }
        Value::List(items)
        | Value::Tuple(items)
        | Value::Set(items)
        | Value::Array(items)
        | Value::ListNode(items)
        | Value::TreeNode(items) => without_like(harness, items),
        _ => None,
    })
}

impl Source {
    /// The program that calls a function of `text`.
    ///
    /// # Errors
    /// There is no harness for its language, or the function's name is none in it.
    pub(crate) fn of_call(
        toolchain: &Arc<Toolchain>,
        text: &str,
        called: &CallTarget<'_>,
    ) -> Result<Source, String> {
        static NAME: LazyLock<Regex> =
            LazyLock::new(|| Regex::new(r"^[A-Za-z_]\w*(\.[A-Za-z_]\w*)?$").expect("a pattern"));
        let name = called.name;
        if !NAME.is_match(name) {
            return Err(format!("\"{name}\" is no name of a function or a method"));
        }
        let files = CallHarness::of(&toolchain.language.name)?.files(text, called);
        let files = files.into_iter();
        let files: Vec<_> = files
            .map(|(name, content)| (PathBuf::from(name), content.into_bytes()))
            .collect();
        let main = files[0].0.clone();
        Ok(Source::new(toolchain.clone(), main, files, false))
    }
}

/// Whether a program defines a class itself. A comment, in which many repeat LeetCode's, begins its lines with a star.
fn defines(text: &str, class: &str) -> bool {
    let pattern = format!(r"(?m)^\s*(?:(?:public|final)\s+)*(?:struct|class)\s+{class}\b");
    Regex::new(&pattern).expect("a pattern").is_match(text)
}

/// The nodes of LeetCode.
const NODES: [&str; 2] = ["ListNode", "TreeNode"];

/// A `main` of the candidate's own, with which it may have been tried, is none.
fn cpp(text: &str, called: &CallTarget<'_>) -> Vec<NamedText> {
    let own = NODES.iter().filter(|node| defines(text, node));
    let own: String = own.map(|node| format!("#define MC_OWN_{node}\n")).collect();
    // From the outermost scope: the standard library has functions of many names.
    let function = format!("::{}", called.name.replace('.', "::"));
    let in_place = called.in_place;
    let main = format!(
        "{own}#include \"prelude.h\"\n#define main candidate_main\n#include \"solution.h\"\n#undef main\n\
         #include \"call.h\"\nint main() {{ return mc::call({in_place}, &{function}); }}\n"
    );
    vec![
        ("main.cpp", main),
        (
            "prelude.h",
            include_str!("../../harness/calls/prelude.h").to_owned(),
        ),
        (
            "call.h",
            include_str!("../../harness/calls/call.h").to_owned(),
        ),
        ("solution.h", text.to_owned()),
    ]
}

/// What LeetCode's editor imports, in the candidate's first line, so that the compiler counts lines as its author does.
fn java(text: &str, called: &CallTarget<'_>) -> Vec<NamedText> {
    const IMPORTS: &str =
        "import java.util.*; import java.util.function.*; import java.util.stream.*; ";
    let harness = include_str!("../../harness/calls/Call.java")
        .replace("$NAME", called.name)
        .replace("$IN_PLACE", &called.in_place.to_string());
    let mut files = vec![
        ("Call.java", harness),
        ("Solution.java", format!("{IMPORTS}{text}")),
    ];
    let nodes = [
        (
            "ListNode",
            "ListNode.java",
            include_str!("../../harness/calls/ListNode.java"),
        ),
        (
            "TreeNode",
            "TreeNode.java",
            include_str!("../../harness/calls/TreeNode.java"),
        ),
    ];
    for (node, file, content) in nodes {
        if !defines(text, node) {
            files.push((file, content.to_owned()));
        }
    }
    files
}

fn javascript(text: &str, called: &CallTarget<'_>) -> Vec<NamedText> {
    let told = json!({ "name": called.name, "inPlace": called.in_place });
    vec![
        (
            "call.js",
            include_str!("../../harness/calls/call.js").to_owned(),
        ),
        ("call.json", told.to_string()),
        ("solution.js", text.to_owned()),
    ]
}
