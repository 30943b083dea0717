//! Files that are not what they should be: what is said of them, and with which exit code.

use std::io::Write;
use std::process::Command;

use serde_json::json;

use crate::lab::{Lab, Ran, script, with};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A verdict file `v.jsonl`, of a program that fails after it has written much.
fn judged() -> Lab {
    let lab = Lab::new();
    let code = "import sys\nprint('first ' + 'x' * 3000, file=sys.stderr)\n1 / 0";
    lab.lines("s.jsonl", &[script("a", code, &[("", "1\n")])]);
    let judged = lab.run(&["judge", "s.jsonl", "-o", "v.jsonl", "--keep-output", "5"]);
    assert_eq!(judged.code, Some(0), "{}", judged.stderr);
    lab
}

fn said(ran: &Ran) -> String {
    format!("{:?}\n{}", ran.code, ran.stderr)
}

#[test]
fn a_verdict_file_may_be_compressed() {
    let lab = judged();
    lab.write("v.gz", gzip(lab.text("v.jsonl").as_bytes()));
    let plain = lab.run(&["show", "v.jsonl", "a"]);
    assert_eq!(plain.code, Some(0));
    assert_eq!(lab.run(&["show", "v.gz", "a"]).stdout, plain.stdout);
    let same = lab.run(&["diff", "v.jsonl", "v.gz"]).stdout;
    assert!(
        same.starts_with("different verdicts for 0 of 1 submission"),
        "{same}"
    );
}

#[test]
fn both_ends_of_a_stream_are_shown() {
    let shown = judged().run(&["show", "v.jsonl", "a"]).stdout;
    assert!(shown.contains("  standard error:\n    first\n"), "{shown}");
    assert!(shown.contains("  end of standard error:\n"), "{shown}");
    assert!(
        shown.contains("ZeroDivisionError: division by zero"),
        "{shown}"
    );
}

#[test]
fn a_changed_verdict_is_no_verdict() {
    let lab = judged();
    lab.write(
        "w.jsonl",
        lab.text("v.jsonl").replace("\"passed\":0", "\"passed\":1"),
    );
    insta::assert_snapshot!(said(&lab.run(&["show", "w.jsonl", "a"])), @r"
    Some(3)
    error: w.jsonl:1: not a verdict: its checksum is wrong
    hint: a line is read as `judge` wrote it; one that was changed, or was not all written, is damaged
    ");
    assert_eq!(lab.run(&["diff", "v.jsonl", "w.jsonl"]).code, Some(3));
}

#[test]
fn what_is_no_json_is_named() {
    let lab = Lab::new();
    let row = with(script("a", "print(1)", &[("", "1\n")]), "note", json!(7)).to_string();
    lab.write("nan", row.replace('7', "NaN"));
    lab.write(
        "wide",
        row.encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect::<Vec<_>>(),
    );
    lab.write("table", "id,problem_id,code\na,p,print(1)\n");
    let random: String = (0..9999_u32)
        .map(|i| format!("{} ", i.wrapping_mul(i) % 9973))
        .collect();
    let packed =
        gzip(format!("{row}\n{}", with(script("b", &random, &[]), "x", json!(1))).as_bytes());
    lab.write("cut", &packed[..packed.len() / 2]);
    let said = ["nan", "wide", "table", "cut"].map(|name| said(&lab.run(&["judge", name])));
    insta::assert_snapshot!(said.join("\n"), @r"
    Some(3)
    error: nan:1: is not valid JSON at column 108: expected value; JSON has no NaN, write it as a string or as null
    hint: --skip-invalid skips invalid lines

    Some(3)
    error: wide: is UTF-16, but only UTF-8 is read; convert it first: iconv -f UTF-16 -t UTF-8 IN > OUT

    Some(3)
    error: table: is no JSON; it looks like a table of values separated by commas or tabs, which is not read: write it as JSON lines first

    Some(3)
    error: cut: failed to read beyond line 2: incomplete deflate stream
    ");
}

#[test]
fn skipped_lines_are_no_success_where_nothing_was_judged() {
    let lab = Lab::new();
    lab.write("s.jsonl", "{}\n");
    assert_eq!(
        lab.run(&["judge", "s.jsonl", "--skip-invalid"]).code,
        Some(3)
    );
}

#[test]
fn files_that_cannot_be_had() {
    let lab = judged();
    let nowhere = lab.run(&["judge", "s.jsonl", "-o", "none/v.jsonl"]);
    let both = lab.run_with_input(&["compare", "-", "-"], b"1\n");
    let lists = lab.text("s.jsonl");
    lab.write("problems.jsonl", lists);
    lab.write("lists.json", "[[\"print(1)\"], [\"print(1)\"]]");
    let ordered = [
        "judge",
        "lists.json",
        "--problems",
        "problems.jsonl",
        "--by-order",
    ];
    let said = [nowhere, both, lab.run(&ordered)].map(|ran| said(&ran));
    insta::assert_snapshot!(said.join("\n"), @r#"
    Some(3)
    error: failed to open file `none/v.jsonl`: No such file or directory (os error 2)
    hint: the folder of --out has to exist

    Some(2)
    error: standard input can be only one of the two outputs

    Some(3)
    error: lists.json:1: field "problem_id": the file has 2 lists of solutions, but there are 1 problems
    hint: --skip-invalid skips invalid lines
    "#);
}

/// A write beyond the limit fails like one on a full disk.
#[test]
fn a_limit_on_files_is_an_error() {
    let lab = judged();
    let limited = Command::new("prlimit")
        .args([
            "--fsize=1024:",
            env!("CARGO_BIN_EXE_mc-eval"),
            "judge",
            "s.jsonl",
        ])
        .current_dir(lab.path("."))
        .output()
        .expect("prlimit of util-linux");
    assert!(limited.status.code().is_some(), "{limited:?}");
    let said = String::from_utf8_lossy(&limited.stderr);
    assert!(said.contains("File too large"), "{said}");
}
