//! The paths of other servers.

use serde_json::{Value, json};

use crate::judging::{RIGHT, sum};
use crate::server::{Reply, Server};

#[test]
fn sandbox_fusion_runs_a_program() {
    let server = Server::start(&[]);
    let run = |code: &str, more: Value| {
        let mut request = json!({"code": code, "language": "python"});
        request
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        server.post("/run_code", &request).json()
    };
    let outline = |answer: &Value| {
        let result = &answer["run_result"];
        (
            answer["status"].clone(),
            result["status"].clone(),
            result["return_code"].clone(),
        )
    };
    let right = run("print(int(input()) + 1)", json!({"stdin": "41"}));
    assert_eq!(
        outline(&right),
        (json!("Success"), json!("Finished"), json!(0))
    );
    assert_eq!(right["run_result"]["stdout"], "42\n");
    assert_eq!(
        (&right["compile_result"], &right["files"]),
        (&Value::Null, &json!({}))
    );
    let raised = run("raise ValueError('no')", json!({"stdin": null}));
    assert_eq!(
        outline(&raised),
        (json!("Failed"), json!("Finished"), json!(1))
    );
    assert!(
        raised["run_result"]["stderr"]
            .as_str()
            .unwrap()
            .contains("ValueError: no")
    );
    let broken = run("def f(:", json!({}));
    assert_eq!(
        outline(&broken),
        (json!("Failed"), json!("Finished"), json!(1))
    );
    assert!(
        broken["run_result"]["stderr"]
            .as_str()
            .unwrap()
            .contains("SyntaxError")
    );
    let asleep = run("import time\ntime.sleep(60)", json!({"run_timeout": 0.5}));
    assert_eq!(
        outline(&asleep),
        (json!("Failed"), json!("TimeLimitExceeded"), Value::Null)
    );
    let busy = run("while True: pass", json!({"run_timeout": 0.5}));
    assert_eq!(
        outline(&busy),
        (json!("Failed"), json!("TimeLimitExceeded"), Value::Null)
    );
    let large = run("x = bytearray(1 << 29)", json!({"memory_limit_MB": 64}));
    assert_eq!(large["status"], "Failed");
    let klingon = server
        .post("/run_code", &json!({"code": "", "language": "klingon"}))
        .json();
    assert_eq!(klingon["status"], "SandboxError");
    assert!(klingon["message"].as_str().unwrap().contains("klingon"));
}

#[test]
fn sandbox_fusion_judges_a_completion() {
    let server = Server::start(&[]);
    let tests = json!([
        {"input": {"stdin": "1 2"}, "output": {"stdout": "3"}},
        {"input": {"stdin": "2 2"}, "output": {"stdout": "4"}},
    ]);
    let submit = |code: &str, data: Value, extra: Value| {
        let config = json!({"dataset_type": "CommonOJDataset", "language": "python", "provided_data": data, "extra": extra});
        let completion = format!("```python\n{code}\n```");
        let request = json!({"dataset": "d", "id": 7, "completion": completion, "config": config});
        server.post("/submit", &request).json()
    };
    let right = submit(
        RIGHT,
        json!({"id": 7, "test": tests.to_string()}),
        json!({}),
    );
    assert_eq!(
        (&right["id"], &right["accepted"]),
        (&json!(7), &json!(true))
    );
    assert_eq!(
        right["tests"][1]["exec_info"]["run_result"]["stdout"],
        "4\n"
    );
    assert_eq!(right["tests"][1]["test_info"], tests[1]);
    let wrong = submit(
        "print(0)",
        json!([{"id": 6}, {"id": 7, "test": tests}]),
        json!({}),
    );
    assert_eq!(
        (&wrong["accepted"], wrong["tests"].as_array().unwrap().len()),
        (&json!(false), 1)
    );
    let all = submit(
        "print(0)",
        json!({"test": tests}),
        json!({"run_all_cases": true}),
    );
    assert_eq!(all["tests"].as_array().unwrap().len(), 2);
    let own = submit(RIGHT, sum(), json!({}));
    assert_eq!(own["accepted"], true);
    let unknown = submit(RIGHT, Value::Null, json!({}));
    assert_eq!(unknown["field"], "id");
}

#[test]
fn openrlhf_gets_rewards() {
    let server = Server::start(&[]);
    let registered = server
        .post("/v1/problems", &json!({"problems": [sum()]}))
        .json();
    let hash = registered["problems"][0]["registered"].clone();
    let prompt = "Add. Do not write ```python\nprint(0)\n```\n";
    let right = format!("{prompt}```python\n{RIGHT}\n```");
    let request = json!({
        "query": [right, format!("{prompt}I cannot."), "```python\nprint(3)\n```"],
        "prompts": [prompt, prompt, prompt],
        "labels": [hash, hash, sum().to_string()],
    });
    let rewards = server.post("/get_reward", &request).json();
    assert_eq!(rewards["rewards"], json!([1.0, 0.0, 0.0]));
    assert_eq!(rewards["scores"], rewards["rewards"]);
    assert_eq!(rewards["extra_logs"]["passed"], json!([1.0, 0.0, 0.5]));
    assert_eq!(
        rewards["extra_logs"]["compile_error"],
        json!([0.0, 1.0, 0.0])
    );
    let short = json!({"query": ["a", "b"], "labels": ["x"]});
    assert_eq!(
        server.post("/get_reward", &short).refusal(),
        (400, json!("labels"))
    );
    let unknown = json!({"query": ["a"], "labels": ["x"]});
    assert_eq!(
        server.post("/get_reward", &unknown).refusal(),
        (400, json!("labels[0]"))
    );
}

#[test]
fn open_instruct_gets_results() {
    let server = Server::start(&[]);
    let program = "def inc(x):\n    return x + 1 if x < 2 else x";
    let tests = [
        "assert inc(1) == 2",
        "assert inc(2) == 3",
        "assert inc(0) == 1",
    ];
    let request = json!({"program": program, "tests": tests, "max_execution_time": 2.0});
    let answer = server.post("/test_program", &request).json();
    assert_eq!(answer["results"], json!([1, 0, 1]));
    assert_eq!(answer["runtimes"].as_array().unwrap().len(), 3);
    let broken = json!({"program": "def", "tests": tests});
    let answer = server.post("/test_program", &broken).json();
    assert_eq!(
        answer,
        json!({"results": [0, 0, 0], "runtimes": [-1.0, -1.0, -1.0]})
    );
    let stdio = json!({"program": RIGHT, "tests": sum()["tests"], "max_execution_time": 2});
    assert_eq!(
        server.post("/test_program_stdio", &stdio).json()["results"],
        json!([1, 1])
    );
    let none = json!({"program": RIGHT, "tests": []});
    assert_eq!(
        server.post("/test_program", &none).refusal(),
        (400, json!("tests"))
    );
}

#[test]
fn it_tells_about_itself() {
    let server = Server::start(&[]);
    server.judge_lines(&[json!({"problem": sum(), "code": RIGHT})]);
    let metrics = server.get("/metrics").body;
    assert!(
        metrics.contains("mc_eval_verdicts_total{verdict=\"accepted\"} 1"),
        "{metrics}"
    );
    assert!(
        metrics.contains("mc_eval_requests_total{path=\"/v1/judge\",status=\"200\"} 1"),
        "{metrics}"
    );
    assert!(metrics.ends_with("# EOF\n"));
    let interface = server.get("/openapi.json").json();
    let paths = interface["paths"].as_object().unwrap();
    for path in paths.keys() {
        let path = path.replace("{hash}", "0");
        // Every path that is told of is there.
        let status = server.get(&path).status;
        assert!(status != 404 || path.starts_with("/v1/problems/"), "{path}");
    }
    assert_eq!(paths.len(), 11);
    assert_eq!(server.get("/nowhere").refusal().0, 404);
    assert_eq!(server.get("/v1/judge").refusal().0, 405);
}

#[test]
fn what_a_model_wrote_may_end_within_a_character() {
    let server = Server::start(&[]);
    let answer = |path: &str, body: Value| {
        let cut = body.to_string().replace("CUT", r"\ud83d");
        Reply::read(server.begin(path, "application/json", cut.as_bytes())).json()
    };
    let code = "print(1) # CUT";
    let ran = answer("/run_code", json!({"code": code, "language": "python"}));
    assert_eq!(ran["run_result"]["stdout"], "1\n", "{ran}");
    let response = format!("```python\n{RIGHT}\n```\nCUT");
    let tests = json!([{"input": {"stdin": "1 2"}, "output": {"stdout": "3"}}]);
    let config = json!({"language": "python", "provided_data": {"test": tests}});
    let completion = json!({"id": 1, "completion": &response, "config": config});
    assert_eq!(answer("/submit", completion)["accepted"], true);
    let labels = [sum().to_string()];
    let queries = json!({"query": [&response], "prompts": ["CUT"], "labels": labels});
    assert_eq!(answer("/get_reward", queries)["rewards"], json!([1.0]));
    let program = json!({"program": "x = 1 # CUT", "tests": ["assert x == 1"]});
    assert_eq!(answer("/test_program", program)["results"], json!([1]));
    let solution = json!({"problem": sum(), "response": &response});
    assert_eq!(
        answer("/v1/judge", json!({"submissions": [solution]}))["verdict"],
        "accepted"
    );
}
