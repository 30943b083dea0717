//! Files as such: compression, arrays, damage, ids, and sizes beyond the common.

use std::io::Write;
use std::path::{Path, PathBuf};

use evaluator::readers::{self, Item, ReadError};

use crate::{results, stdin, written};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let level = niffler::Level::One;
    let mut writer = niffler::get_writer(
        Box::new(&mut out),
        niffler::compression::Format::Zstd,
        level,
    )
    .unwrap();
    writer.write_all(bytes).unwrap();
    drop(writer);
    out
}

const LINE: &str = r#"{"problem_id":"p","code":"x"}"#;

fn codes(path: &Path) -> Vec<Result<String, (Option<usize>, String)>> {
    let result = |result: Result<Item, ReadError>| match result {
        Ok(item) => Ok(item.submission.id),
        Err(error) => Err((error.line, error.message)),
    };
    results(path).into_iter().map(result).collect()
}

#[test]
fn compression_is_told_by_the_first_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let plain = format!("{LINE}\n{LINE}\n");
    // Two gzip members in one file are one text.
    let members = [gzip(plain.as_bytes()), gzip(LINE.as_bytes())].concat();
    let ids = |count: usize| (0..count).map(|n| Ok(format!("p#{n}"))).collect::<Vec<_>>();
    assert_eq!(codes(&written(&folder, "a", plain.as_bytes())), ids(2));
    assert_eq!(
        codes(&written(&folder, "b", &gzip(plain.as_bytes()))),
        ids(2)
    );
    assert_eq!(codes(&written(&folder, "c", &members)), ids(3));
    assert_eq!(
        codes(&written(&folder, "d.gz", &zstd(plain.as_bytes()))),
        ids(2)
    );
}

#[test]
fn harmless_differences_of_files_are_borne() {
    let folder = tempfile::tempdir().unwrap();
    let dressed = format!("\u{feff}\r\n{LINE}\r\n\r\n   \n{LINE}");
    let both = [Ok("p#0".to_owned()), Ok("p#1".to_owned())];
    assert_eq!(codes(&written(&folder, "a", dressed.as_bytes())), both);
    let array = format!("\u{feff}\n [\n{LINE},\r\n\n{LINE}]\n");
    assert_eq!(codes(&written(&folder, "b", array.as_bytes())), both);
}

/// After a broken line the next is read; after a broken file nothing more of it.
#[test]
fn broken_files_are_errors_with_their_line() {
    let folder = tempfile::tempdir().unwrap();
    let errors = |name: &str, bytes: &[u8]| codes(&written(&folder, name, bytes));
    let latin = [LINE.as_bytes(), b"\n\"caf\xe9\"\n", LINE.as_bytes()].concat();
    let first = || Ok("p#0".to_owned());
    let second = || Ok("p#1".to_owned());
    let fault = |line, message: &str| Err((Some(line), message.to_owned()));
    assert_eq!(
        errors("a", &latin),
        [first(), fault(2, "is not UTF-8 at byte 5"), second()]
    );
    let cut = format!("{LINE}\n{}", &LINE[..20]);
    assert_eq!(
        errors("b", cut.as_bytes()),
        [
            first(),
            fault(2, "is cut off at column 20: EOF while parsing a string"),
        ]
    );
    let array = format!("[\n{LINE},\n{{\"problem_id\":1}},\n{LINE}]");
    let found = errors("c", array.as_bytes());
    assert_eq!(found, [first(), fault(3, "is missing"), second()]);
    let cut = format!("[\n{LINE},\n{LINE}");
    let message = "the array is cut off at column 29: EOF while parsing a list";
    assert_eq!(errors("d", cut.as_bytes()), [fault(3, message)]);
    let whole = |message: &str| Err((None, message.to_owned()));
    assert_eq!(errors("e", b""), [whole("contains no rows")]);
    assert_eq!(errors("f", b"\n\n"), [whole("contains no rows")]);
    assert_eq!(errors("g", b"[]"), [whole("contains no rows")]);
    assert_eq!(
        errors("h", b"{}"),
        [fault(1, "is not in any known format; its fields are: ")]
    );
}

#[test]
fn a_truncated_archive_is_an_error_after_its_whole_lines() {
    let folder = tempfile::tempdir().unwrap();
    let lines: String = (0..20_000)
        .map(|n| format!("{{\"problem_id\":{n},\"code\":\"\"}}\n"))
        .collect();
    for (name, packed) in [("a", gzip(lines.as_bytes())), ("b", zstd(lines.as_bytes()))] {
        let found = codes(&written(&folder, name, &packed[..packed.len() / 2]));
        let (last, whole) = found.split_last().unwrap();
        assert!(
            whole.len() > 1000 && whole.iter().all(Result::is_ok),
            "{}",
            whole.len()
        );
        let (line, message) = last.as_ref().unwrap_err();
        // Where it is cut lies in the file's compressed form, and is no place in a row.
        assert_eq!(*line, None);
        let told = format!("failed to read beyond line {}: ", found.len());
        assert!(message.starts_with(&told), "{message}");
    }
}

#[test]
fn a_missing_file_is_an_error_at_once() {
    let missing = PathBuf::from("no/such/file.jsonl");
    let error = readers::submissions(std::slice::from_ref(&missing))
        .err()
        .unwrap();
    assert!(
        error
            .to_string()
            .starts_with("no/such/file.jsonl: failed to open: "),
        "{error}"
    );
    let (_, errors) = readers::problems(&[missing]);
    assert_eq!(errors, [error]);
}

#[test]
fn ids_are_unique() {
    let folder = tempfile::tempdir().unwrap();
    let given = |id: &str| format!("{{\"id\":\"{id}\",\"problem_id\":\"p\",\"code\":\"x\"}}");
    let text = [
        given("p#0"),
        LINE.into(),
        given("a"),
        given("a"),
        LINE.into(),
    ]
    .join("\n");
    let path = written(&folder, "a", text.as_bytes());
    let repeated = Err((
        Some(4),
        "\"a\" is the id of an earlier submission".to_owned(),
    ));
    let ok = |id: &str| Ok(id.to_owned());
    assert_eq!(
        codes(&path),
        [ok("p#0"), ok("p#1"), ok("a"), repeated, ok("p#2")]
    );

    let problem = |output: &str| {
        format!(r#"{{"id":"p","kind":"stdin","tests":[{{"input":"","output":"{output}"}}]}}"#)
    };
    let text = [problem("1"), problem("1"), problem("2")].join("\n");
    let (problems, errors) = readers::problems(&[written(&folder, "b", text.as_bytes())]);
    assert_eq!(problems.len(), 1);
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0].line, Some(3));
    assert_eq!(
        errors[0].message,
        "an earlier, different problem has the id \"p\""
    );
}

/// 100 MB in one line: one test's input.
#[test]
fn very_long_lines_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let input = "12345678 ".repeat(11_000_000);
    let line =
        format!(r#"{{"id":"p","kind":"stdin","tests":[{{"input":"{input}","output":""}}]}}"#);
    let (problems, errors) = readers::problems(&[written(&folder, "a", line.as_bytes())]);
    assert_eq!(errors, []);
    assert!(problems.get("p").unwrap().tests == stdin(&[(&input, "")]));
}

/// Deep nesting in each text that is parsed, with the stack of a test thread.
#[test]
fn nesting_bombs_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let deep = "[".repeat(1_000_000);
    let closed = format!("{deep}{}", "]".repeat(1_000_000));
    let objects = "{\\\"a\\\":".repeat(1_000_000);
    let rows = [
        format!(r#"{{"problem_id":"p","code":{deep}"#),
        format!(r#"{{"problem_id":"p","code":{closed}}}"#),
        format!(r#"{{"id":"p","question":"q","input_output":"{closed}"}}"#),
        format!(r#"{{"id":"p","question":"q","input_output":"{objects}"}}"#),
        format!(
            r#"{{"id":"p","problem":"q","tests":"{}"}}"#,
            "(".repeat(1_000_000)
        ),
        format!(
            r#"{{"id":"p","problem":"q","tests":"{}1"}}"#,
            "-".repeat(1_000_000)
        ),
    ];
    for row in rows {
        let found = codes(&written(&folder, "a", row.as_bytes()));
        assert!(
            matches!(found.as_slice(), [Err((Some(1), _))]),
            "{}",
            &row[..60]
        );
    }
    let thoughts = "<think></think>".repeat(1_000_000);
    let markdown = "```md\\n~~~md\\n".repeat(100_000);
    for response in [thoughts, markdown] {
        let row = format!(r#"{{"problem_id":"p","response":"{response}"}}"#);
        let found = results(&written(&folder, "a", row.as_bytes()));
        assert_eq!(found[0].as_ref().unwrap().submission.code, None);
    }
    let found = codes(&written(&folder, "b", closed.as_bytes()));
    assert!(matches!(found.as_slice(), [Err(_)]), "{found:?}");
}
