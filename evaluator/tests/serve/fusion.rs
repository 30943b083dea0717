//! SandboxFusion's paths for programs in several languages, and with files.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

use crate::server::Server;

/// By SandboxFusion's own names: a program that adds one to the number it reads, one that does not compile, and whether
/// compiling is a step of its own.
const PROGRAMS: [(&str, &str, &str, bool); 7] = [
    ("python", "print(int(input()) + 1)", "print(", false),
    (
        "nodejs",
        "console.log(Number(require('fs').readFileSync(0, 'utf8')) + 1)",
        "console.log(",
        false,
    ),
    (
        "cpp",
        "#include <iostream>\nint main() { int n; std::cin >> n; std::cout << n + 1 << '\\n'; }",
        "int main() { return",
        true,
    ),
    (
        "c",
        "#include <stdio.h>\nint main(void) { int n; scanf(\"%d\", &n); printf(\"%d\\n\", n + 1); }",
        "int main(void) { return",
        true,
    ),
    (
        "go",
        "package main\nimport \"fmt\"\nfunc main() { var n int; fmt.Scan(&n); fmt.Println(n + 1) }",
        "package main\nfunc main() {",
        true,
    ),
    (
        "java",
        "public class Plus { public static void main(String[] a) {\
         System.out.println(new java.util.Scanner(System.in).nextInt() + 1); } }",
        "public class Plus {",
        true,
    ),
    (
        "rust",
        "fn main() { let mut line = String::new(); std::io::stdin().read_line(&mut line).unwrap();\
         println!(\"{}\", line.trim().parse::<i32>().unwrap() + 1); }",
        "fn main() {",
        true,
    ),
];

fn run(server: &Server, language: &str, code: &str, more: Value) -> Value {
    let mut request =
        json!({"code": code, "language": language, "stdin": "41\n", "compile_timeout": 60});
    let fields = request.as_object_mut().unwrap();
    fields.extend(more.as_object().unwrap().clone());
    server.post("/run_code", &request).json()
}

/// What a result is by SandboxFusion's rules.
fn outline(result: &Value) -> (Value, Value) {
    (result["status"].clone(), result["return_code"].clone())
}

fn finished(code: i32) -> (Value, Value) {
    (json!("Finished"), json!(code))
}

#[test]
fn a_program_of_any_language_is_compiled_and_run() {
    let server = Server::start(&[]);
    for (language, right, _, compiled) in PROGRAMS {
        let answer = run(&server, language, right, json!({}));
        assert_eq!(answer["status"], "Success", "{language}: {answer}");
        assert_eq!(answer["run_result"]["stdout"], "42\n", "{language}");
        assert_eq!(outline(&answer["run_result"]), finished(0), "{language}");
        let step = &answer["compile_result"];
        match compiled {
            true => assert_eq!(outline(step), finished(0), "{language}"),
            false => assert_eq!(*step, Value::Null, "{language}"),
        }
    }
}

#[test]
fn what_does_not_compile_fails_where_its_language_finds_out() {
    let server = Server::start(&[]);
    for (language, _, broken, compiled) in PROGRAMS {
        let answer = run(&server, language, broken, json!({}));
        assert_eq!(answer["status"], "Failed", "{language}: {answer}");
        let (fails, other) = match compiled {
            true => ("compile_result", "run_result"),
            false => ("run_result", "compile_result"),
        };
        assert_eq!(outline(&answer[fails]), finished(1), "{language}");
        assert_ne!(answer[fails]["stderr"], "", "{language}");
        assert_eq!(answer[other], Value::Null, "{language}");
    }
}

#[test]
fn compiling_and_running_have_a_limit_each() {
    let server = Server::start(&[]);
    let late = (json!("TimeLimitExceeded"), Value::Null);
    let heavy = "#include <bits/stdc++.h>\nint main() {}";
    let answer = run(&server, "cpp", heavy, json!({"compile_timeout": 0.05}));
    assert_eq!(answer["status"], "Failed", "{answer}");
    assert_eq!(outline(&answer["compile_result"]), late);
    assert_eq!(answer["run_result"], Value::Null);
    // The same text with more time is another matter.
    assert_eq!(run(&server, "cpp", heavy, json!({}))["status"], "Success");
    let endless = "int main() { for (volatile int i = 0;; i++); }";
    let answer = run(&server, "cpp", endless, json!({"run_timeout": 0.5}));
    assert_eq!(answer["status"], "Failed", "{answer}");
    assert_eq!(outline(&answer["run_result"]), late);
    let crashing = "#include <stdlib.h>\nint main() { abort(); }";
    let answer = run(&server, "c", crashing, json!({}));
    assert_eq!(
        (answer["status"].clone(), outline(&answer["run_result"])),
        (json!("Failed"), finished(-6))
    );
}

#[test]
fn files_are_laid_out_and_fetched() {
    let server = Server::start(&[]);
    let files = json!({
        "data.txt": BASE64_STANDARD.encode("seven"),
        "deep/er.bin": BASE64_STANDARD.encode([0, 255]),
        "absent": null,
    });
    let more =
        json!({"files": files, "fetch_files": ["data.txt", "./out/put.bin", "never", ".hidden"]});
    let python = "import os\n\
        assert not os.path.exists('absent')\n\
        text = open('data.txt').read()\n\
        open('data.txt', 'a').write(' ' + input())\n\
        os.mkdir('out')\n\
        open('out/put.bin', 'wb').write(open('deep/er.bin', 'rb').read() * 2)\n\
        print(text)";
    let answer = run(&server, "python", python, more.clone());
    assert_eq!(answer["run_result"]["stdout"], "seven\n", "{answer}");
    let fetched = json!({
        "data.txt": BASE64_STANDARD.encode("seven 41"),
        "./out/put.bin": BASE64_STANDARD.encode([0, 255, 0, 255]),
    });
    assert_eq!(
        (&answer["files"], &answer["status"]),
        (&fetched, &json!("Success"))
    );
    let cpp = "#include <filesystem>\n#include <fstream>\n#include <iostream>\n\
        int main() {\n\
        std::string text, word; std::ifstream(\"data.txt\") >> text; std::cin >> word;\n\
        std::ofstream(\"data.txt\", std::ios::app) << ' ' << word;\n\
        std::filesystem::create_directory(\"out\");\n\
        std::ifstream in(\"deep/er.bin\", std::ios::binary); char bytes[2]; in.read(bytes, 2);\n\
        std::ofstream out(\"out/put.bin\", std::ios::binary); out.write(bytes, 2); out.write(bytes, 2);\n\
        std::cout << text << '\\n'; }";
    let answer = run(&server, "cpp", cpp, more);
    assert_eq!(answer["run_result"]["stdout"], "seven\n", "{answer}");
    assert_eq!(answer["files"], fetched);
    // Without any given, what a program leaves is fetched all the same, however it ends.
    let leaves = "open('out.txt', 'w').write('left')\nraise SystemExit(3)";
    let answer = run(
        &server,
        "python",
        leaves,
        json!({"fetch_files": ["out.txt"]}),
    );
    assert_eq!(outline(&answer["run_result"]), finished(3));
    assert_eq!(
        answer["files"],
        json!({"out.txt": BASE64_STANDARD.encode("left")})
    );
}

#[test]
fn a_program_is_built_with_the_files_beside_it() {
    let server = Server::start(&[]);
    let given = |name: &str, text: &str| json!({"files": {name: BASE64_STANDARD.encode(text)}});
    let header = given("plus.h", "static int plus(int n) { return n + 1; }");
    let code = "#include <stdio.h>\n#include \"plus.h\"\n\
        int main(void) { int n; scanf(\"%d\", &n); printf(\"%d\\n\", plus(n)); }";
    let python = given("plus.py", "def plus(n): return n + 1");
    let importing = "from plus import plus\nprint(plus(int(input())))";
    let node = given("plus.js", "module.exports = n => n + 1");
    let requiring = "const plus = require('./plus.js')\n\
        console.log(plus(Number(require('fs').readFileSync(0, 'utf8'))))";
    for (language, code, files) in [
        ("c", code, header),
        ("python", importing, python),
        ("nodejs", requiring, node),
    ] {
        let answer = run(&server, language, code, files);
        assert_eq!(answer["run_result"]["stdout"], "42\n", "{answer}");
    }
}

#[test]
fn what_cannot_be_had_is_said_and_is_no_programs_fault() {
    let server = Server::start(&[]);
    let message = |language: &str, more: Value| {
        let answer = run(&server, language, "", more);
        assert_eq!(answer["status"], "SandboxError", "{answer}");
        assert_eq!(
            (&answer["compile_result"], &answer["run_result"]),
            (&Value::Null, &Value::Null)
        );
        answer["message"].as_str().unwrap().to_owned()
    };
    for language in ["bash", "typescript", "pytest", ""] {
        let told = message(language, json!({}));
        assert!(
            told.contains(&format!("\"{language}\"")) && told.contains("rust"),
            "{told}"
        );
    }
    assert!(message("wat", json!({"fetch_files": ["a"]})).contains("files"));
    let refused = |field: &str, value: Value| {
        let request = json!({"code": "", "language": "python", field: value});
        server.post("/run_code", &request).refusal()
    };
    for name in ["../out", "/etc/passwd", ""] {
        for (field, value) in [
            ("files", json!({name: ""})),
            ("fetch_files", json!(["a", name])),
        ] {
            let named = json!(format!("{field}[{name:?}]"));
            assert_eq!(refused(field, value), (400, named));
        }
    }
    let garbled = refused("files", json!({"a": "%"}));
    assert_eq!(garbled, (400, json!("files[\"a\"]")));
}

#[test]
fn a_completion_in_another_language_is_judged() {
    let server = Server::start(&[]);
    let tests = json!([{"input": {"stdin": "41"}, "output": {"stdout": "42"}}]);
    let submit = |language: &str, label: &str, code: &str| {
        let config = json!({"dataset_type": "CommonOJDataset", "language": language,
            "provided_data": {"id": 1, "test": tests}});
        let completion = format!("So:\n```{label}\n{code}\n```\n");
        let request = json!({"dataset": "d", "id": 1, "completion": completion, "config": config});
        server.post("/submit", &request)
    };
    for (language, right, broken, compiled) in PROGRAMS {
        let answer = submit(language, language, right).json();
        assert_eq!(answer["accepted"], true, "{language}: {answer}");
        let extracted = answer["extracted_code"].as_str().unwrap();
        assert_eq!(extracted.trim_end(), right);
        let answer = submit(language, language, broken).json();
        assert_eq!(answer["accepted"], false, "{language}");
        let told = &answer["tests"][0];
        let fails = if compiled {
            "compile_result"
        } else {
            "run_result"
        };
        assert_eq!(outline(&told["exec_info"][fails]), finished(1), "{answer}");
        assert_eq!(
            (&told["passed"], &told["test_info"]),
            (&json!(false), &tests[0])
        );
    }
    // A block of another language than the one that was asked for is no answer.
    let other = submit("cpp", "python", "print(42)").json();
    assert_eq!(
        (&other["accepted"], &other["extracted_type"]),
        (&json!(false), &json!("empty"))
    );
    assert_eq!(
        submit("bash", "bash", "echo 42").refusal(),
        (400, json!("config.language"))
    );
}
