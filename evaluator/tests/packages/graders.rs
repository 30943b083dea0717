//! A package's own grader.

use super::{copy, fixture, verified};

#[test]
fn a_grader_that_does_not_decide_is_no_verdict_on_the_candidate() {
    let cases = [
        ("raise SystemExit(3)\n", "exited with status 3"),
        ("", "wrote \\\"\\\", of the group secret"),
        ("print('AC many')\n", "wrote \\\"AC many"),
        ("print('JE 0')\n", "wrote \\\"JE 0"),
        ("print('AC 1 2')\n", "wrote \\\"AC 1 2"),
        ("print(\n", "exited with status 1: SyntaxError"),
    ];
    for (text, wanted) in cases {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().join("graded");
        copy(&fixture("graded"), &root);
        fs_err::write(root.join("graders/share.py"), text).expect("written");
        fs_err::write(root.join(".timelimit"), "1").expect("written");
        let (code, rows) = verified(&[root]);
        assert_eq!(code, Some(1), "{text}");
        let row = rows.iter().find(|row| row["id"] == "accepted/echo.py");
        let row = row.expect("its row");
        assert_eq!(row["verdict"], "judge_failed", "{row}");
        assert!(row["why"].to_string().contains(wanted), "{text}: {row}");
    }
}

/// What a program came to has no grader fail that grades as many right answers.
#[test]
fn a_grader_that_fails_on_what_a_program_came_to_rejects_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("graded");
    copy(&fixture("graded"), &root);
    let grader =
        "import sys\nif 'AC' not in sys.stdin.read(): raise SystemExit(3)\nprint('AC 1')\n";
    fs_err::write(root.join("graders/share.py"), grader).expect("written");
    fs_err::write(root.join(".timelimit"), "1").expect("written");
    let silent = root.join("submissions/wrong_answer");
    fs_err::create_dir_all(&silent).expect("created");
    fs_err::write(silent.join("silent.py"), "pass\n").expect("written");
    let (_, rows) = verified(&[root]);
    let of = |id: &str| rows.iter().find(|row| row["id"] == id).expect("its row");
    assert_eq!(of("accepted/echo.py")["verdict"], "accepted");
    assert_eq!(of("wrong_answer/silent.py")["verdict"], "wrong_answer");
}
