//! Languages besides Python: which one a submission is in, what is not installed, and what `--languages` changes.

use serde_json::{Value, json};

use crate::lab::Lab;

fn sum() -> Value {
    json!({"id": "sum", "kind": "stdin", "tests": [{"input": "20 22\n", "output": "42\n"}]})
}

const C: &str = "#include <stdio.h>\nint main() { int a, b; scanf(\"%d %d\", &a, &b); printf(\"%d\\n\", a + b); }\n";

#[test]
fn a_response_holds_the_program_in_its_language() {
    let lab = Lab::new();
    lab.lines("p.jsonl", &[sum()]);
    let python = "print(sum(map(int, input().split())))";
    let both = format!("In C:\n```c\n{C}```\nIn Python:\n```python\n{python}\n```\n");
    let answer = |id: &str, fields: Value| {
        let mut line = json!({"id": id, "problem_id": "sum"});
        line.as_object_mut()
            .unwrap()
            .extend(fields.as_object().unwrap().clone());
        line
    };
    lab.lines(
        "s.jsonl",
        &[
            answer("wanted", json!({"language": "C", "response": both})),
            answer("python", json!({"response": both})),
            answer("label", json!({"response": format!("```c\n{C}```\n")})),
            answer(
                "bare",
                json!({"language": "c", "response": format!("```\n{C}```\n")}),
            ),
            answer(
                "none",
                json!({"language": "c", "response": format!("```python\n{python}\n```\n")}),
            ),
        ],
    );
    let run = lab.run(&["judge", "s.jsonl", "--problems", "p.jsonl"]);
    let verdicts: Vec<Value> = run
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let got: Vec<_> = verdicts
        .iter()
        .map(|verdict| verdict["verdict"].as_str().unwrap())
        .collect();
    assert_eq!(
        got,
        [
            "accepted",
            "accepted",
            "accepted",
            "accepted",
            "compile_error"
        ],
        "{}",
        run.stderr
    );
    assert_eq!(
        verdicts[4]["message"],
        "the response contains no c code block"
    );
}

#[test]
fn an_unknown_language_is_an_error_of_the_line() {
    let lab = Lab::new();
    lab.lines("p.jsonl", &[sum()]);
    lab.lines(
        "s.jsonl",
        &[json!({"id": "a", "problem_id": "sum", "language": "Klingon", "code": "x"})],
    );
    let run = lab.run(&["judge", "s.jsonl", "--problems", "p.jsonl"]);
    assert_eq!(run.code, Some(3));
    assert!(
        run.stderr.contains("s.jsonl:1")
            && run
                .stderr
                .contains("\"Klingon\", which is none of these: c, "),
        "{}",
        run.stderr
    );
}

/// The table decides what is installed: here a language of its own that no machine has.
const KLINGON: &str = "[klingon]\nnames = [\"tlhIngan\"]\nmain = \"main.kl\"\nrun = [\"there-is-no-such-executable\"]\nversion = [\"true\"]\npackage = \"mu-ghom\"\n";

#[test]
fn a_language_that_is_not_installed_fails_the_judge_and_not_the_run() {
    let lab = Lab::new();
    lab.write("table.toml", KLINGON);
    lab.lines("p.jsonl", &[sum()]);
    let fenced = "```klingon\nHIja'\n```\n";
    lab.lines(
        "s.jsonl",
        &[
            json!({"id": "asked", "problem_id": "sum", "language": "klingon", "code": "HIja'"}),
            json!({"id": "chosen", "problem_id": "sum", "response": fenced}),
            json!({"id": "python", "problem_id": "sum", "code": "print(42)"}),
        ],
    );
    let run = lab.run(&[
        "judge",
        "s.jsonl",
        "--problems",
        "p.jsonl",
        "--languages",
        "table.toml",
    ]);
    let verdicts: Vec<Value> = run
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert_eq!(verdicts[0]["verdict"], "judge_failed");
    assert_eq!(verdicts[0]["reward"], Value::Null);
    let why = "klingon is not installed here: there is no there-is-no-such-executable (Debian has it in mu-ghom)";
    assert_eq!(verdicts[0]["message"], why);
    // A candidate cannot choose to be left unjudged.
    assert_eq!(verdicts[1]["verdict"], "compile_error");
    assert_eq!(verdicts[1]["reward"], 0.0);
    assert_eq!(verdicts[2]["verdict"], "accepted");
    let listed = lab.run(&["languages", "--languages", "table.toml", "--json"]);
    let listed: Vec<Value> = serde_json::from_str(&listed.stdout).unwrap();
    let klingon = listed
        .iter()
        .find(|language| language["name"] == "klingon")
        .unwrap();
    assert_eq!(klingon["version"], Value::Null);
    assert_eq!(klingon["missing"], why);
}

#[test]
fn what_a_table_does_not_mean_is_named() {
    let lab = Lab::new();
    for (text, message) in [
        (
            "[cpp]\ncompil = []\n",
            "table.toml: \"cpp.compil\": unknown field `compil`",
        ),
        ("[cpp]\nrun = 3\n", "table.toml: \"cpp.run\": invalid type"),
        (
            "[new]\nnames = []\n",
            "table.toml: \"new\": missing field `main`",
        ),
        (
            "[cpp]\nrun = []\n",
            "table.toml: \"cpp\": `run` names no command",
        ),
        (
            "[java]\nnamed_after = \"(\"\n",
            "table.toml: \"java\": `named_after` is no regular expression",
        ),
        ("cpp = 1\n", "table.toml: \"cpp\" is no table of a language"),
        ("[cpp\n", "table.toml: TOML parse error at line 1"),
    ] {
        lab.write("table.toml", text);
        let run = lab.run(&["languages", "--languages", "table.toml"]);
        assert_eq!(run.code, Some(3), "{text}");
        assert!(run.stderr.contains(message), "{text}: {}", run.stderr);
    }
}

/// A language whose home is that of the distribution: among its libraries are links to anything, `/dev/null` too.
const OF_THE_DISTRIBUTION: &str = r#"
[concatenation]
names = []
main = "main.txt"
home = ["echo", "/usr"]
run = ["cat", "{source}"]
run_reads = ["{home}/lib"]
version = ["cat", "--version"]
libraries = true
"#;

#[test]
fn a_home_that_all_of_the_system_shares_is_shown_without_what_its_links_lead_to() {
    let lab = Lab::new();
    lab.write("table.toml", OF_THE_DISTRIBUTION);
    lab.lines("p.jsonl", &[sum()]);
    let line = json!({"id": "a", "problem_id": "sum", "language": "concatenation", "code": "42\n"});
    lab.lines("s.jsonl", &[line]);
    let asked = ["judge", "s.jsonl", "--problems", "p.jsonl"];
    let run = lab.run(&[&asked[..], &["--languages", "table.toml"]].concat());
    let verdict: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(verdict["verdict"], "accepted", "{verdict}");
}

/// A compiler whose result is never the same twice.
const DICE: &str = r#"
[dice]
names = []
main = "main.dice"
compile = ["od", "-An", "-N8", "-tu8", "/dev/urandom"]
run = ["cat", "{files}/main.dice"]
version = ["od", "--version"]
libraries = true
"#;

#[test]
fn equal_sources_are_compiled_once() {
    let lab = Lab::new();
    // `od` writes to standard output alone; the shell is what makes it a file.
    let table = DICE.replace(
        "[\"od\", \"-An\", \"-N8\", \"-tu8\", \"/dev/urandom\"]",
        "[\"sh\", \"-c\", \"od -An -N8 -tu8 /dev/urandom > {out}/main.dice\"]\ntools = [\"od\"]",
    );
    lab.write("table.toml", table);
    lab.lines("p.jsonl", &[sum()]);
    let line = |id: u32| json!({"id": id.to_string(), "problem_id": "sum", "language": "dice", "code": (id / 30).to_string()});
    let lines: Vec<Value> = (0..60).map(line).collect();
    lab.lines("s.jsonl", &lines);
    let run = lab.run(&[
        "judge",
        "s.jsonl",
        "--problems",
        "p.jsonl",
        "--languages",
        "table.toml",
        "--no-dedup",
        "-j",
        "3",
        "--keep-output",
        "99",
    ]);
    let outputs: Vec<String> = run
        .stdout
        .lines()
        .map(|line| {
            let verdict: Value = serde_json::from_str(line).unwrap();
            assert_eq!(verdict["verdict"], "wrong_answer", "{verdict}");
            verdict["cases"][0]["stdout"].as_str().unwrap().to_owned()
        })
        .collect();
    assert_eq!(outputs.len(), 60, "{}", run.stderr);
    let (first, second) = outputs.split_at(30);
    assert!(
        first.iter().all(|output| *output == first[0])
            && second.iter().all(|output| *output == second[0]),
        "{outputs:?}"
    );
    assert_ne!(first[0], second[0]);
}

#[test]
fn a_compilation_has_a_limit_of_its_own() {
    let lab = Lab::new();
    lab.write("table.toml", "[cpp]\ncompile_time = 2\n");
    lab.lines("p.jsonl", &[sum()]);
    let bomb = "template <int N, int M> struct B { static const int v = B<N - 1, M>::v + B<N - 1, M + (1 << N)>::v; };\n\
                template <int M> struct B<0, M> { static const int v = M; };\nint main() { return B<24, 0>::v; }\n";
    lab.lines(
        "s.jsonl",
        &[json!({"id": "bomb", "problem_id": "sum", "language": "c++", "code": bomb})],
    );
    let run = lab.run(&[
        "judge",
        "s.jsonl",
        "--problems",
        "p.jsonl",
        "--languages",
        "table.toml",
    ]);
    let verdict: Value = serde_json::from_str(run.stdout.lines().next().unwrap()).unwrap();
    assert_eq!(verdict["verdict"], "compile_error");
    assert_eq!(
        verdict["message"],
        "compiling took more than 2s of CPU time"
    );
}

#[test]
fn what_cannot_be_called_is_refused() {
    let lab = Lab::new();
    let call = json!({"id": "call", "kind": "call", "fn_name": "f", "tests": [{"input": [1], "output": 1}]});
    lab.lines("p.jsonl", &[call]);
    lab.lines(
        "s.jsonl",
        &[
            json!({"id": "asked", "problem_id": "call", "language": "rust", "code": "fn f() {}"}),
            json!({"id": "chosen", "problem_id": "call", "response": "```rust\nfn f() {}\n```"}),
        ],
    );
    let run = lab.run(&["judge", "s.jsonl", "--problems", "p.jsonl"]);
    let verdicts: Vec<Value> = run
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(verdicts[0]["verdict"], "judge_failed");
    assert_eq!(verdicts[1]["verdict"], "compile_error");
    assert!(
        verdicts[0]["message"].as_str().unwrap().contains("in rust"),
        "{verdicts:?}"
    );
}

/// Go makes an archive of what is no program, and says nothing.
#[test]
fn a_go_package_that_is_no_program_does_not_compile() {
    let lab = Lab::new();
    lab.lines("p.jsonl", &[sum()]);
    let code = "package solution\n\nfunc main() {}\n";
    let library = json!({"id": "library", "problem_id": "sum", "language": "go", "code": code});
    lab.lines("s.jsonl", &[library]);
    let run = lab.run(&["judge", "s.jsonl", "--problems", "p.jsonl"]);
    let verdict: Value = serde_json::from_str(run.stdout.lines().next().unwrap()).unwrap();
    assert_eq!(verdict["verdict"], "compile_error", "{verdict}");
    let message = verdict["message"].as_str().unwrap();
    assert!(message.contains("package main"), "{message}");
}

/// A compiler that cannot find what it includes, as one without the libraries for its target.
const WITHOUT_LIBRARY: &str = "[c]\nsample = \"#include <there/is/no/such.h>\"\n";

#[test]
fn a_compiler_without_its_libraries_fails_the_judge_and_not_the_candidate() {
    let lab = Lab::new();
    lab.write("table.toml", WITHOUT_LIBRARY);
    lab.lines("p.jsonl", &[sum()]);
    lab.lines(
        "s.jsonl",
        &[json!({"id": "a", "problem_id": "sum", "language": "c", "code": C})],
    );
    let judge = ["judge", "s.jsonl", "--problems", "p.jsonl"];
    let run = lab.run(&[&judge[..], &["--languages", "table.toml"]].concat());
    let verdict: Value = serde_json::from_str(run.stdout.trim()).unwrap();
    assert_eq!(verdict["verdict"], "judge_failed");
    let said = verdict["message"].as_str().unwrap();
    assert!(said.starts_with("c is not installed here: its compiler fails on an empty program"));
    assert!(said.contains("there/is/no/such.h"), "{said}");
    let listed = lab.run(&["languages", "--languages", "table.toml"]);
    assert!(
        listed
            .stdout
            .contains("its compiler fails on an empty program")
    );
}

/// `-Xshare:on` ends a JVM that cannot map the archive of classes that came with it.
const ARCHIVE_OR_NOTHING: &str = "[java]\nrun = [\"java\", \"-Xshare:on\", \"-XX:+UseSerialGC\", \"-Xss64m\", \
                                  \"-Xmx{memory}m\", \"-cp\", \"{files}\", \"{class}\"]\n";

#[test]
fn a_jvm_starts_from_its_archive_of_classes() {
    let lab = Lab::new();
    lab.write("table.toml", ARCHIVE_OR_NOTHING);
    lab.lines("p.jsonl", &[sum()]);
    let java = "import java.util.*;\npublic class Main {\n  public static void main(String[] arguments) {\n    \
                Scanner in = new Scanner(System.in);\n    System.out.println(in.nextInt() + in.nextInt());\n  }\n}\n";
    lab.lines(
        "s.jsonl",
        &[json!({"id": "a", "problem_id": "sum", "language": "java", "code": java})],
    );
    let judge = ["judge", "s.jsonl", "--problems", "p.jsonl"];
    let run = lab.run(&[&judge[..], &["--languages", "table.toml"]].concat());
    let verdict: Value = serde_json::from_str(run.stdout.trim()).unwrap();
    assert_eq!(verdict["verdict"], "accepted", "{verdict}");
}
