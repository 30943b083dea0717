//! The program around a candidate's function that is called once for each test, in languages other than Python: a small
//! harness of the language's own reads the arguments as JSON from standard input, and writes the result as JSON to what was
//! standard output.
//!
//! It shares its process with the candidate, which may so write there what it likes: it could have returned that as well.

use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

use regex::{Captures, Regex};
use serde_json::json;

use super::compiler::Source;
use super::outline::{outline, without_texts};
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
    /// So it is whatever it gives back.
    pub is_void: bool,
    /// The kinds of node that the problem speaks of, for a language without types.
    pub nodes: Vec<&'static str>,
    /// How many arguments it is called with, if that is the same in every test.
    pub arguments: Option<usize>,
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
        // C++ has a type for what is just beyond 2^63.
        Value::BigInt(whole) if harness == CallHarness::Cpp && u64::try_from(whole).is_err() => {
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
    says(text, &pattern)
}

/// The class of LeetCode.
const SOLUTION: &str = "Solution";

/// The nodes of LeetCode.
const NODES: [&str; 2] = ["ListNode", "TreeNode"];

/// A `main` of the candidate's own, with which it may have been tried, is none. What stands behind its text has no word that
/// its macros are likely to change: `int` may be another type.
fn cpp(text: &str, called: &CallTarget<'_>) -> Vec<NamedText> {
    let own = NODES.iter().filter(|node| defines(text, node));
    let own: String = own.map(|node| format!("#define MC_OWN_{node}\n")).collect();
    let call = cpp_call(text, called);
    let main = format!(
        "{own}#include \"call.h\"\n#include \"prelude.h\"\n#define main candidate_main\n#include \"solution.h\"\n\
         #undef main\nsigned main() {{ return {call}; }}\n"
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

/// By its address, which tells the types of the parameters; or by its name, where that has several functions, or parameters with
/// defaults.
fn cpp_call(text: &str, called: &CallTarget<'_>) -> String {
    let answer = match (called.in_place, called.is_void) {
        (false, _) => "mc::Answer::given",
        (true, false) => "mc::Answer::given_or_changed",
        (true, true) => "mc::Answer::changed",
    };
    let (class, name) = cpp_function(text, called.name);
    let full_name = class.map_or(format!("::{name}"), |class| format!("::{class}::{name}"));
    let Some(count) = called.arguments.filter(|_| is_overloaded(text, name)) else {
        return format!("mc::call({answer}, &{full_name})");
    };
    let (object, callee) = match class {
        Some(class) => (
            format!("::{class} mc_object; "),
            format!("mc_object.{name}"),
        ),
        None => (String::new(), full_name),
    };
    format!(
        "mc::call_with<{count}>({answer}, [](auto &...mc_given) -> decltype(auto) \
         {{ {object}return {callee}(mc_given...); }})"
    )
}

/// The class and the name of a function. What is asked for plainly may be a method of LeetCode's class, and a method may be
/// written plainly.
fn cpp_function<'n>(text: &str, name: &'n str) -> (Option<&'n str>, &'n str) {
    let outline = outline(text);
    let class = |name: &str| says(&outline, &format!(r"\b(?:class|struct)\s+{name}\b"));
    let function = |name: &str| says(&outline, &format!(r"\b{name}\s*\("));
    match name.split_once('.') {
        Some((kind, method)) if function(method) && !class(kind) => (None, method),
        Some((kind, method)) => (Some(kind), method),
        None if class(SOLUTION) && !function(name) => (Some(SOLUTION), name),
        None => (None, name),
    }
}

/// Whether more than one function is defined by this name, or one that can be called with fewer arguments.
fn is_overloaded(text: &str, name: &str) -> bool {
    let pattern = format!(r"(?:\w\s+|[>&*]\s*){name}\s*\(([^(){{}};]*)\)\s*[^;{{}}()=]*\{{");
    let pattern = Regex::new(&pattern).expect("a pattern around a name");
    let code = without_texts(text);
    let mut definitions = pattern.captures_iter(&code);
    let has_defaults = |found: &Captures<'_>| found[1].contains('=');
    definitions
        .next()
        .is_some_and(|first| has_defaults(&first) || definitions.next().is_some())
}

fn says(text: &str, pattern: &str) -> bool {
    let pattern = Regex::new(pattern).expect("a pattern around a name");
    pattern.is_match(text)
}

/// What LeetCode's editor imports, in the candidate's first line, so that the compiler counts lines as its author does. Its
/// classes are those of no package, from which the harness could not see them.
fn java(text: &str, called: &CallTarget<'_>) -> Vec<NamedText> {
    const IMPORTS: &str =
        "import java.util.*; import java.util.function.*; import java.util.stream.*; ";
    static PACKAGE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?m)^[ \t]*package\s+[\w.]+\s*;").expect("a pattern that was tested")
    });
    let text = PACKAGE.replace(text, "");
    let harness = include_str!("../../harness/calls/Call.java")
        .replace("$NAME", called.name)
        .replace("$IN_PLACE", &called.in_place.to_string())
        .replace("$IS_VOID", &called.is_void.to_string());
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
        if !defines(&text, node) {
            files.push((file, content.to_owned()));
        }
    }
    files
}

fn javascript(text: &str, called: &CallTarget<'_>) -> Vec<NamedText> {
    let told = json!({ "name": called.name, "inPlace": called.in_place, "isVoid": called.is_void, "nodes": called.nodes });
    vec![
        (
            "call.js",
            include_str!("../../harness/calls/call.js").to_owned(),
        ),
        ("call.json", told.to_string()),
        ("solution.js", text.to_owned()),
    ]
}
