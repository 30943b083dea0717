//! Checkers and interactors that are WebAssembly, or are compiled to it.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

use crate::lab::{Lab, outline, script, with};

/// A Kattis validator that wants the sum of both files and its flag: all that a checker sees by a name.
const SUM: &str = r#"
#include <stdio.h>
#include <stdlib.h>
static long number(const char *path) {
    long value = 0;
    FILE *file = fopen(path, "r");
    if (!file || fscanf(file, "%ld", &value) != 1) exit(9);
    return value;
}
int main(int count, char **arguments) {
    if (count != 5) return 8;
    long wanted = number(arguments[1]) + number(arguments[2]) + atol(arguments[4]), found;
    if (scanf("%ld", &found) != 1) abort();
    char path[64];
    snprintf(path, sizeof path, "%sjudgemessage.txt", arguments[3]);
    FILE *words = fopen(path, "w");
    fprintf(words, "wanted %ld, found %ld", wanted, found);
    return found == wanted ? 42 : 43;
}"#;

/// The same question in testlib's way, as far as exit codes go.
const WORDS: &str = r#"
#include <stdio.h>
#include <string.h>
int main(int count, char **arguments) {
    char output[64] = "", answer[64] = "";
    FILE *ours = fopen(arguments[2], "r"), *theirs = fopen(arguments[3], "r");
    if (!ours || !theirs || fopen("/etc/passwd", "r") || fopen(arguments[3], "w")) return 3;
    fscanf(ours, "%63s", output);
    fscanf(theirs, "%63s", answer);
    fprintf(stderr, "%s instead of %s", output, answer);
    return strcmp(output, answer) == 0 ? 0 : 1;
}"#;

/// Accepts what begins with a `y`, and fails on nothing.
const YES: &str = r#"(module
  (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
  (memory (export "memory") 1)
  (func (export "_start")
    (i32.store (i32.const 0) (i32.const 16))
    (i32.store (i32.const 4) (i32.const 1))
    (drop (call $read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 8)))
    (if (i32.eqz (i32.load (i32.const 8))) (then unreachable))
    (call $exit (select (i32.const 42) (i32.const 43)
      (i32.eq (i32.load8_u (i32.const 16)) (i32.const 121))))))"#;

/// Thinks of a number and wants to hear it, after a hint.
const HINT: &str = r#"
#include <stdio.h>
int main(int count, char **arguments) {
    long wanted = 0, found = 0;
    fscanf(fopen(arguments[1], "r"), "%ld", &wanted);
    printf("%ld\n", wanted - 1);
    fflush(stdout);
    return scanf("%ld", &found) == 1 && found == wanted ? 42 : 43;
}"#;

fn checked(id: &str, code: &str, checker: &Value) -> Value {
    with(script(id, code, &[("20", "4")]), "checker", checker.clone())
}

fn judged(checker: &Value, programs: &[(&str, &str)]) -> String {
    let solutions = programs.iter();
    let solutions: Vec<Value> = solutions
        .map(|(id, code)| checked(id, code, checker))
        .collect();
    outline(&Lab::new().judge(&solutions, &[]))
}

#[test]
fn a_module_sees_its_files_and_flags_and_leaves_words() {
    let checker = json!({"language": "c-wasi", "source": SUM, "style": "kattis", "flags": ["7"]});
    let programs = [
        ("right", "print(31)"),
        ("wrong", "print(30)"),
        ("silent", ""),
    ];
    insta::assert_snapshot!(judged(&checker, &programs), @r"
    right accepted 1/1 [accepted checker wanted 31, found 31]
    wrong wrong_answer 0/1 [wrong_answer wanted 31, found 30]
    silent wrong_answer 0/1 [wrong_answer the problem's checker was ended by signal 6: wasm trap: wasm `unreachable` instruction executed (and not on the expected answer)]
    ");
}

#[test]
fn a_module_reads_what_it_is_given_and_nothing_else() {
    let checker = json!({"language": "c-wasi", "source": WORDS, "style": "testlib"});
    let programs = [("right", "print(4)"), ("wrong", "print(5)")];
    insta::assert_snapshot!(judged(&checker, &programs), @r"
    right accepted 1/1 [accepted checker 4 instead of 4]
    wrong wrong_answer 0/1 [wrong_answer 5 instead of 4]
    ");
}

#[test]
fn a_checker_is_text_base64_or_a_file() {
    let programs = [
        ("right", "print('y')"),
        ("wrong", "print('n')"),
        ("none", ""),
    ];
    let binary = wat::parse_str(YES).unwrap();
    let text = json!({"language": "wat", "source": YES, "style": "kattis"});
    let base64 = BASE64_STANDARD.encode(&binary);
    let base64 = json!({"language": "wasm", "source": base64, "style": "kattis"});
    let found = judged(&text, &programs);
    insta::assert_snapshot!(found, @r"
    right accepted 1/1 [accepted checker]
    wrong wrong_answer 0/1 [wrong_answer]
    none wrong_answer 0/1 [wrong_answer the problem's checker was ended by signal 6: wasm trap: wasm `unreachable` instruction executed (and not on the expected answer)]
    ");
    assert_eq!(judged(&base64, &programs), found);
    let lab = Lab::new();
    lab.write("check.wasm", &binary);
    let file = json!({"language": "wasm", "path": "check.wasm", "style": "kattis"});
    let solutions = programs.map(|(id, code)| checked(id, code, &file));
    assert_eq!(outline(&lab.judge(&solutions, &[])), found);
}

#[test]
fn a_module_talks_to_a_solution() {
    let interactor =
        json!({"language": "c-wasi", "source": HINT, "style": "kattis", "interactive": true});
    let programs = [
        ("right", "print(int(input()) + 1)"),
        ("wrong", "print(input())"),
        ("silent", ""),
        ("crash", "input(); 1/0"),
    ];
    insta::assert_snapshot!(judged(&interactor, &programs), @r"
    right accepted 1/1 [accepted interactor]
    wrong wrong_answer 0/1 [wrong_answer]
    silent wrong_answer 0/1 [wrong_answer]
    crash runtime_error 0/1 [runtime_error exit=1]
    ");
}
