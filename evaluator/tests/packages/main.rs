//! Packages through the binary: those of fixtures/packages come to what their authors expect of each solution, as folders
//! and as zips, and what a package must not hold is refused.

mod graders;

use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use evaluator::readers::{TimeRule, package};
use serde_json::Value;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../fixtures/packages")
        .join(name)
}

fn mc_eval(arguments: &[&str], paths: &[PathBuf]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mc-eval"));
    let run = command.args(arguments).args(paths).output();
    run.expect("mc-eval runs")
}

/// The rows of `verify --json`.
fn verified(paths: &[PathBuf]) -> (Option<i32>, Vec<Value>) {
    let done = mc_eval(&["verify", "--json"], paths);
    let lines = String::from_utf8(done.stdout).expect("text");
    let rows = lines.lines().map(serde_json::from_str);
    let rows: Result<Vec<Value>, _> = rows.collect();
    (done.status.code(), rows.expect("rows"))
}

fn complaint(path: &Path) -> String {
    package(path).expect_err("it is refused").to_string()
}

#[test]
fn every_solution_comes_to_what_its_author_expects() {
    let names = ["addition", "thirds", "squares", "graded"];
    let (code, rows) = verified(&names.map(fixture));
    let missed: Vec<&Value> = rows.iter().filter(|row| row["meets"] != true).collect();
    assert!(missed.is_empty(), "{missed:#?}");
    assert_eq!(code, Some(0));
    let scores: Vec<(&str, f64)> = rows
        .iter()
        .filter_map(|row| Some((row["id"].as_str()?, row["score"].as_f64()?)))
        .collect();
    let expected = [
        ("accepted/exact.py", 100.0),
        ("partially_accepted/floats.py", 40.0),
        ("wrong_answer/halves.py", 0.0),
        ("accepted/square.py", 100.0),
        ("mixed/no_zero.py", 30.0),
        ("mixed/positive.py", 80.0),
        ("accepted/echo.py", 8.0),
        ("partially_accepted/digits.py", 4.0),
        ("wrong_answer/zero.py", 0.0),
    ];
    assert_eq!(scores, expected);
}

/// A group may accept what earns some of its points; a reward for what is right takes all of them.
#[test]
fn rewards_take_all_points_that_there_are() {
    for (rule, of_some) in [("binary", 0.0), ("coarse", -0.3), ("score", 0.4)] {
        let done = mc_eval(&["judge", "--reward", rule], &[fixture("thirds")]);
        let text = String::from_utf8(done.stdout).expect("text");
        let rows = text.lines().map(serde_json::from_str);
        let rows: Vec<Value> = rows.collect::<Result<_, _>>().expect("rows");
        let of = |id: &str| rows.iter().find(|row| row["id"] == id).expect("its row");
        let some = of("partially_accepted/floats.py");
        assert_eq!(
            (&some["verdict"], &some["score"]),
            (&"accepted".into(), &40.0.into())
        );
        assert_eq!(some["reward"], of_some, "{rule}");
        assert_eq!(of("accepted/exact.py")["reward"], 1.0, "{rule}");
    }
}

#[test]
fn own_validators_and_interactors_decide() {
    let (code, rows) = verified(&["parts", "seek", "twice"].map(fixture));
    let missed: Vec<&Value> = rows.iter().filter(|row| row["meets"] != true).collect();
    assert!(missed.is_empty(), "{missed:#?}");
    assert_eq!((code, rows.len()), (Some(0), 13));
    let of = |id: &str| rows.iter().find(|row| row["id"] == id).expect("its row");
    let wrong = &of("wrong_answer/same.py")["why"];
    assert_eq!(wrong, "sample/1: 5 + 5");
    for id in ["no_flush.py", "falls_silent.py"] {
        let waiting = of(&format!("time_limit_exceeded/{id}"))["why"].to_string();
        assert!(waiting.contains("was output not flushed"), "{waiting}");
    }
    let costliest_pass = of("accepted/slow_at_first.py")["seconds"].as_f64();
    assert!(costliest_pass >= Some(0.3), "{costliest_pass:?}");
}

#[test]
fn a_validator_may_come_with_scripts_that_build_and_run_it() {
    let (code, rows) = verified(&[fixture("scripted")]);
    let missed: Vec<&Value> = rows.iter().filter(|row| row["meets"] != true).collect();
    assert!(missed.is_empty(), "{missed:#?}");
    assert_eq!((code, rows.len()), (Some(0), 5));
}

/// A validator that goes on until the solution says the right thing is not at fault where that never does.
#[test]
fn a_solution_that_needs_too_many_passes_is_wrong() {
    let (code, rows) = verified(&[fixture("steps")]);
    assert_eq!((code, rows.len()), (Some(0), 3), "{rows:#?}");
    let stays = rows.iter().find(|row| row["id"] == "wrong_answer/stays.py");
    assert_eq!(
        stays.expect("its row")["why"],
        "secret/1: the problem's checker asked for more than 4 passes"
    );
}

/// What a validator keeps of the first pass is the solution's, and so is its failure over that in the second.
#[test]
fn a_validator_that_fails_on_what_an_earlier_pass_said_decides() {
    let (code, rows) = verified(&[fixture("coded")]);
    assert_eq!((code, rows.len()), (Some(0), 4), "{rows:#?}");
    let none = rows.iter().find(|row| row["id"] == "wrong_answer/none.py");
    let why = none.expect("its row")["why"].to_string();
    assert!(why.contains("(in a later pass)"), "{why}");
}

#[test]
fn what_both_sides_say_can_be_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let kept = folder.path().join("kept");
    let arguments = ["judge", "--keep-transcripts", kept.to_str().expect("text")];
    let done = mc_eval(&arguments, &[fixture("seek"), fixture("flood")]);
    assert_eq!(done.status.code(), Some(0));
    let lines = |path: &str| -> Vec<Value> {
        let text = fs_err::read_to_string(kept.join(path)).expect("a transcript");
        let lines = text.lines().map(serde_json::from_str);
        lines.collect::<Result<_, _>>().expect("lines of JSON")
    };
    let talk = lines("seek/accepted%2Fhalve.py/secret%2F1.jsonl");
    let said = |who: &str| -> String {
        let theirs = talk.iter().filter(|line| line["from"] == who);
        theirs.filter_map(|line| line["text"].as_str()).collect()
    };
    let guesses: Vec<u32> = said("solution").lines().flat_map(str::parse).collect();
    let answers = said("interactor");
    let answers: Vec<&str> = answers.lines().collect();
    assert_eq!(guesses.len(), answers.len());
    let number: u32 = fs_err::read_to_string(fixture("seek").join("data/secret/1.in"))
        .expect("the input")
        .trim()
        .parse()
        .expect("a number");
    for (guess, answer) in guesses.iter().zip(answers) {
        let right = match guess.cmp(&number) {
            std::cmp::Ordering::Less => "higher",
            std::cmp::Ordering::Equal => "right",
            std::cmp::Ordering::Greater => "lower",
        };
        assert_eq!(answer, right, "{guess}");
    }
    // In the order in which they spoke, and with the end of each.
    let times: Vec<f64> = talk.iter().flat_map(|line| line["ms"].as_f64()).collect();
    assert!(times.is_sorted() && times.len() == talk.len(), "{talk:#?}");
    assert_eq!(talk[0]["from"], "solution");
    assert_eq!(talk[1]["from"], "interactor");
    assert_eq!(
        talk.iter().filter(|line| line["ended"].is_string()).count(),
        2
    );
    // However much they say.
    let flood = lines("flood/accepted%2Fsum.py/secret%2F1.jsonl");
    let bytes = flood.iter().filter_map(|line| line["text"].as_str());
    assert_eq!(bytes.map(str::len).sum::<usize>(), 1 << 20);
    assert_eq!(flood.iter().filter(|line| line["cut"] == true).count(), 1);
}

#[test]
fn a_side_of_a_talk_that_has_ended_holds_up_nobody() {
    let (code, rows) = verified(&[fixture("flood")]);
    let missed: Vec<&Value> = rows.iter().filter(|row| row["meets"] != true).collect();
    assert!(missed.is_empty(), "{missed:#?}");
    assert_eq!((code, rows.len()), (Some(0), 6));
}

#[test]
fn who_ended_first_is_told_however_long_a_talk_was() {
    let (code, rows) = verified(&[fixture("late")]);
    let missed: Vec<&Value> = rows.iter().filter(|row| row["meets"] != true).collect();
    assert!(missed.is_empty(), "{missed:#?}");
    assert_eq!((code, rows.len()), (Some(0), 4));
}

#[test]
fn scripts_that_fail_are_no_verdict_on_the_candidate() {
    let cases = [
        (
            "build",
            "#!/bin/sh\necho 'no such compiler' >&2; exit 3\n",
            "no such compiler",
        ),
        ("build", "#!/bin/sh\nrm run\n", "there is no run"),
        ("run", "#!/bin/sh\nexit 1\n", "exited with status 1"),
    ];
    for (script, text, wanted) in cases {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().join("scripted");
        copy(&fixture("scripted"), &root);
        fs_err::write(root.join("output_validator").join(script), text).expect("written");
        let (code, rows) = verified(&[root]);
        assert_eq!(code, Some(1), "{script}");
        let row = rows.iter().find(|row| row["id"] == "accepted/both.py");
        let row = row.expect("its row");
        assert_eq!(row["verdict"], "judge_failed", "{row}");
        assert!(row["why"].to_string().contains(wanted), "{script}: {row}");
    }
}

#[test]
fn files_of_a_test_are_in_the_working_directory_as_they_were() {
    let (code, rows) = verified(&[fixture("beside")]);
    let missed: Vec<&Value> = rows.iter().filter(|row| row["meets"] != true).collect();
    assert!(missed.is_empty(), "{missed:#?}");
    assert_eq!((code, rows.len()), (Some(0), 5));
}

#[test]
fn what_is_disabled_is_passed_over_and_what_cannot_be_run_says_why() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("languages");
    copy(&fixture("addition"), &root);
    let accepted = root.join("submissions/accepted");
    fs_err::write(accepted.join("old.py.disabled"), "print(0)\n").expect("written");
    fs_err::create_dir(accepted.join("folder.disabled")).expect("made");
    fs_err::write(accepted.join("folder.disabled/main.py"), "print(0)\n").expect("written");
    fs_err::write(accepted.join("sum.lisp"), "(print 0)\n").expect("written");
    let (code, rows) = verified(&[root]);
    assert_eq!(code, Some(1));
    let missed: Vec<&Value> = rows.iter().filter(|row| row["meets"] != true).collect();
    assert_eq!(missed.len(), 1, "{missed:#?}");
    assert_eq!(missed[0]["id"], "accepted/sum.lisp");
    let why = missed[0]["why"].to_string();
    assert!(
        why.contains("no language is called \\\"lisp\\\"; known are c, "),
        "{why}"
    );
}

#[test]
fn a_validator_that_fails_on_one_output_alone_rejects_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("undecided");
    copy(&fixture("parts"), &root);
    let strange = root.join("submissions/wrong_answer/strange.py");
    fs_err::write(strange, "print(666, 0)\n").expect("written");
    let odd = root.join("submissions/wrong_answer/odd.py");
    fs_err::write(odd, "print(667, 0)\n").expect("written");
    let own = root.join("submissions/wrong_answer/own.py");
    fs_err::write(own, "print(668, 0)\n").expect("written");
    let check = root.join("output_validators/check/check.cpp");
    let text = fs_err::read_to_string(&check).expect("read");
    let says =
        "std::ofstream(arguments[3] + std::string(\"judgeerror.txt\")) << \"better than ours\";";
    let more = format!(
        "return 0;\n    }}\n    if (a == 667) {{\n        {says}\n        return 1;\n    }}\n    if (a == 668) {{\n        return 9;"
    );
    fs_err::write(check, text.replace("return 0;", &more)).expect("written");
    let (code, rows) = verified(&[root]);
    assert_eq!(code, Some(0));
    let row = |id: &str| rows.iter().find(|row| row["id"] == id).expect("its row");
    let odd = row("wrong_answer/odd.py");
    assert_eq!(odd["verdict"], "wrong_answer");
    let why = odd["why"].to_string();
    assert!(why.contains("better than ours"), "{odd}");
    for (id, status) in [("wrong_answer/strange.py", 0), ("wrong_answer/own.py", 9)] {
        let row = row(id);
        assert_eq!(row["verdict"], "wrong_answer");
        let why = row["why"].to_string();
        assert!(
            why.contains(&format!("exited with status {status}")),
            "{row}"
        );
    }
}

#[test]
fn a_program_that_names_its_interpreter_is_in_that_language() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("interpreters");
    copy(&fixture("addition"), &root);
    let accepted = root.join("submissions/accepted");
    let programs = [
        ("two.py", "#!/usr/bin/env python2\nprint 0\n"),
        (
            "three.py",
            "#!/usr/bin/python3\nprint(int(input()) + int(input()))\n",
        ),
    ];
    for (name, text) in programs {
        fs_err::write(accepted.join(name), text).expect("written");
    }
    let (_, rows) = verified(&[root]);
    let of = |id: &str| rows.iter().find(|row| row["id"] == id).expect("its row");
    assert_eq!(of("accepted/two.py")["language"], "python2");
    assert_eq!(of("accepted/two.py")["verdict"], "judge_failed");
    assert_eq!(of("accepted/three.py")["language"], "python");
}

#[test]
fn a_verdict_line_tells_what_is_expected() {
    let done = mc_eval(&["judge"], &[fixture("addition")]);
    assert_eq!(done.status.code(), Some(0));
    let text = String::from_utf8(done.stdout).expect("text");
    let line = text.lines().find(|line| line.contains("mixed/either.py"));
    let verdict: Value = serde_json::from_str(line.expect("its line")).expect("a verdict");
    assert_eq!(verdict["problem_id"], "addition");
    assert_eq!(verdict["verdict"], "runtime_error");
    assert_eq!(verdict["expected"][0], "wrong_answer");
    // The second sample decides, and what comes after it is not run.
    assert_eq!(verdict["cases"][1]["name"], "sample/2");
    assert_eq!(verdict["not_run"], 3);
}

#[test]
fn a_solution_that_does_otherwise_is_listed() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("changed");
    copy(&fixture("addition"), &root);
    let wrong = root.join("submissions/accepted/wrong.py");
    fs_err::write(wrong, "print(0)\n").expect("written");
    let done = mc_eval(&["verify"], &[root]);
    assert_eq!(done.status.code(), Some(6));
    let text = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(text.contains("accepted/wrong.py"), "{text}");
    assert!(!text.contains("accepted/sum.py"), "{text}");
    assert!(text.contains("9 solutions, 1 not as expected"), "{text}");
}

#[test]
fn a_package_without_its_secret_tests_is_said_to_be_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("sampled");
    copy(&fixture("addition"), &root);
    let whole = mc_eval(&["verify"], std::slice::from_ref(&root));
    let said = String::from_utf8_lossy(&whole.stderr);
    assert!(!said.contains("data/secret"), "{said}");
    fs_err::remove_dir_all(root.join("data/secret")).expect("removed");
    let done = mc_eval(&["verify"], &[root]);
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(said.contains("no tests in data/secret"), "{said}");
}

#[test]
fn what_its_author_set_aside_is_no_solution() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("set-aside");
    copy(&fixture("thirds"), &root);
    let (_, before) = verified(std::slice::from_ref(&root));
    for name in ["wrong.py.disabled", "wrong.py.template", "_wrong.py"] {
        let path = root.join("submissions/accepted").join(name);
        fs_err::write(path, "print(0)\n").expect("written");
    }
    let (code, rows) = verified(&[root]);
    assert_eq!((code, rows.len()), (Some(0), before.len()));
}

#[test]
fn a_zip_is_the_same_package() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("thirds.zip");
    zipped(&fixture("thirds"), "thirds/", &path);
    let (from_zip, from_folder) = (verified(&[path]), verified(&[fixture("thirds")]));
    let told = |rows: &[Value]| -> Vec<String> {
        let parts = |row: &Value| format!("{} {} {}", row["id"], row["verdict"], row["score"]);
        rows.iter().map(parts).collect()
    };
    assert_eq!(from_zip.0, Some(0));
    assert_eq!(told(&from_zip.1), told(&from_folder.1));
}

#[test]
fn links_are_followed_within_a_package_and_nowhere_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("linked");
    copy(&fixture("addition"), &root);
    let link = root.join("submissions/accepted/again.py");
    std::os::unix::fs::symlink("sum.py", &link).expect("a link");
    let read = package(&root).expect("a package");
    let linked = read
        .submissions
        .iter()
        .find(|it| it.id == "accepted/again.py");
    assert!(
        linked
            .expect("it")
            .code
            .as_ref()
            .expect("its code")
            .contains("map(float")
    );
    fs_err::remove_file(&link).expect("removed");
    std::os::unix::fs::symlink("/etc/hostname", &link).expect("a link");
    let why = complaint(&root);
    assert!(why.contains("again.py is a link that leads out"), "{why}");
}

#[test]
fn a_zip_that_leads_out_of_itself_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("escape.zip");
    for name in ["../outside.py", "/etc/outside.py"] {
        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        let options = SimpleFileOptions::default();
        archive
            .start_file("problem.yaml", options)
            .expect("started");
        archive.start_file(name, options).expect("started");
        fs_err::write(&path, archive.finish().expect("a zip").into_inner()).expect("written");
        let why = complaint(&path);
        assert!(why.contains("leads out of it"), "{why}");
    }
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default();
    archive
        .start_file("problem.yaml", options)
        .expect("started");
    let link = archive.add_symlink("data/secret", "../../etc", options);
    link.expect("a link");
    fs_err::write(&path, archive.finish().expect("a zip").into_inner()).expect("written");
    let why = complaint(&path);
    assert!(
        why.contains("data/secret is a link that leads out"),
        "{why}"
    );
}

#[test]
fn what_is_wrong_in_a_package_is_told_with_its_file_and_field() {
    let cases = [
        (
            "problem.yaml",
            "limits:\n  memory: much\n",
            "problem.yaml: field \"limits.memory\"",
        ),
        (
            "problem.yaml",
            "validator_flags: nothing\n",
            "\"nothing\" is not a flag",
        ),
        ("problem.yaml", "name: [", "problem.yaml: is not YAML"),
        (
            "problem.yaml",
            "problem_format_version: 1999-01\n",
            "known are legacy",
        ),
        (
            "data/testdata.yaml",
            "on_reject: perhaps\n",
            "data/testdata.yaml: field \"on_reject\"",
        ),
        (
            "data/testdata.yaml",
            "grading: custom\n",
            "data/testdata.yaml: asks for the package's own grader, but graders holds none",
        ),
        ("domjudge-problem.ini", "timelimit = soon\n", "\"soon\""),
        (
            "submissions/submissions.yaml",
            "accepted:\n  permitted: [OK]\n",
            "contains \"OK\"",
        ),
        (
            "data/secret/9.in",
            "1 2\n",
            "data/secret/9.ans: is missing beside data/secret/9.in",
        ),
        (
            "data/secret/9.ans",
            "3\n",
            "data/secret/9.in: is missing beside data/secret/9.ans",
        ),
    ];
    for (file, text, wanted) in cases {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().join("broken");
        copy(&fixture("addition"), &root);
        fs_err::write(root.join(file), text).expect("written");
        let why = complaint(&root);
        assert!(why.contains(wanted), "{file}: {why}");
    }
}

#[test]
fn the_time_limit_follows_the_rules_of_its_format() {
    let legacy = TimeRule::Legacy { multiplier: 5.0 };
    assert_eq!(
        [0.01, 0.29, 0.31].map(|slowest| legacy.limit(slowest)),
        [1.0, 1.0, 2.0]
    );
    let newer = TimeRule::Multiple {
        multiplier: 2.0,
        resolution: 0.5,
    };
    assert_eq!(
        [0.01, 0.25, 0.26].map(|slowest| newer.limit(slowest)),
        [0.5, 0.5, 1.0]
    );
}

#[test]
fn a_limit_that_is_not_stated_is_measured() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("measured");
    copy(&fixture("addition"), &root);
    fs_err::remove_file(root.join("domjudge-problem.ini")).expect("removed");
    let yaml = "limits:\n  time_multiplier: 100000\nvalidator_flags: float_tolerance 1e-6\n";
    fs_err::write(root.join("problem.yaml"), yaml).expect("written");
    fs_err::remove_dir_all(root.join("submissions/time_limit_exceeded")).expect("removed");
    let (code, rows) = verified(&[root]);
    assert_eq!(code, Some(0));
    let limit = rows[0]["time_limit"].as_f64().expect("a limit");
    assert!(limit > 1.0 && limit.fract() == 0.0, "{limit}");
}

#[test]
fn where_nothing_shows_the_limit_it_is_said_what_became_of_one_that_should() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("limitless");
    copy(&fixture("graded"), &root);
    let accepted = root.join("submissions/accepted/echo.py");
    fs_err::write(accepted, "print(0)\n").expect("written");
    let done = mc_eval(&["verify"], &[root]);
    let why = String::from_utf8_lossy(&done.stderr);
    assert!(
        why.contains("accepted/echo.py is not: wrong_answer"),
        "{why}"
    );
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs_err::read_dir(folder).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let all = paths.flat_map(|path| match path.is_dir() {
        true => files(&path),
        false => vec![path],
    });
    all.collect()
}

fn copy(from: &Path, to: &Path) {
    for file in files(from) {
        let path = to.join(file.strip_prefix(from).expect("below"));
        fs_err::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs_err::copy(&file, &path).expect("copied");
    }
}

fn zipped(folder: &Path, prefix: &str, path: &Path) {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for file in files(folder) {
        let name = file.strip_prefix(folder).expect("below").display();
        let options = SimpleFileOptions::default();
        let started = archive.start_file(format!("{prefix}{name}"), options);
        started.expect("started");
        let content = fs_err::read(&file).expect("read");
        archive.write_all(&content).expect("written");
    }
    fs_err::write(path, archive.finish().expect("a zip").into_inner()).expect("written");
}
