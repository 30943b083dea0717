//! The shapes that rows come in beside a line each, the fields that samples go by, and files that are no rows at all.

use evaluator::Tests;
use evaluator::readers;
use tempfile::{TempDir, tempdir};

use crate::{results, written};

const PROBLEM: &str = r#"{"id":"p","kind":"stdin","tests":[{"input":"","output":"1"}]}"#;

fn folder() -> TempDir {
    tempdir().unwrap()
}

/// Id and program of each submission in a file of this content; or the error.
fn programs(content: &str) -> Vec<Result<(String, Option<String>), String>> {
    let folder = folder();
    let path = written(&folder, "s.jsonl", content.as_bytes());
    let place = format!("{}:", path.display());
    let program = |item: readers::Item| (item.submission.id, item.submission.code);
    let said = |error: readers::ReadError| error.to_string().replacen(&place, "", 1);
    results(&path)
        .into_iter()
        .map(|result| result.map(program).map_err(said))
        .collect()
}

/// The program of the only submission.
fn program(row: &serde_json::Value) -> Option<String> {
    let mut programs = programs(&row.to_string());
    assert_eq!(programs.len(), 1, "{programs:?}");
    programs.remove(0).unwrap().1
}

fn ids(content: &str) -> Vec<String> {
    let folder = folder();
    let path = written(&folder, "p.jsonl", content.as_bytes());
    let (problems, errors) = readers::problems(&[path]);
    assert_eq!(errors, []);
    problems.iter().map(|problem| problem.id.clone()).collect()
}

#[test]
fn samples_go_by_several_names() {
    let code = "print(1)\n";
    let response = "So:\n```python\nprint(1)\n```\n";
    for row in [
        serde_json::json!({"task_id": "a", "code": code}),
        serde_json::json!({"question_id": "a", "code": code}),
        serde_json::json!({"task_id": "a", "response": response}),
        serde_json::json!({"question_id": "a", "response": response}),
        serde_json::json!({"task_id": "a", "solution": code}),
        serde_json::json!({"task_id": "a", "solution": response}),
    ] {
        assert_eq!(program(&row).as_deref(), Some(code), "{row}");
    }
    let named = serde_json::json!({"id": "mine", "task_id": "a", "code": code});
    assert_eq!(programs(&named.to_string())[0].as_ref().unwrap().0, "mine");
    let nothing = serde_json::json!({"task_id": "a", "answer": code}).to_string();
    assert!(programs(&nothing)[0].is_err());
}

/// A fenced completion often holds the whole function; it then starts on a line of its own behind the prompt.
#[test]
fn fenced_completions() {
    let completion =
        |text: &str| program(&serde_json::json!({"task_id": "a", "completion": text})).unwrap();
    assert_eq!(completion("    return 1\n"), "    return 1\n");
    assert_eq!(completion("```python\n    return 1\n```"), "    return 1\n");
    assert_eq!(
        completion("Here it is:\n```python\ndef f():\n    return 1\n```\nDone."),
        "\ndef f():\n    return 1\n"
    );
    let docstring = "    \"\"\"Use:\n    ```python\n    f()\n    ```\n    \"\"\"\n    return 1\n";
    assert_eq!(completion(docstring), docstring, "a docstring's own fence");
}

/// Where the prompt opened the block, the completion only closes it.
#[test]
fn a_fence_may_close_what_the_prompt_opened() {
    let completion =
        |text: &str| program(&serde_json::json!({"task_id": "a", "completion": text})).unwrap();
    let solution =
        |text: &str| program(&serde_json::json!({"task_id": "a", "solution": text})).unwrap();
    assert_eq!(completion("return 1\n```\nIt gives 1."), "return 1\n");
    assert_eq!(completion("    return 1```\n"), "    return 1");
    assert_eq!(solution("x = 1\n```"), "x = 1\n");
    for whole in [
        "print('```')\n",
        "x = '''\n```\n'''\n",
        "'''\n```\nf()\n```\n'''\nx = 1\n",
    ] {
        assert_eq!(solution(whole), whole);
    }
}

#[test]
fn a_fence_may_close_behind_the_last_line_of_code() {
    let response = |text: &str| program(&serde_json::json!({"problem_id": "a", "response": text}));
    for (text, code) in [
        ("```python\nprint(1)```\nIt prints 1.", "print(1)\n"),
        ("```python\nprint(1)```", "print(1)\n"),
        (
            "```python\nx = 1```\nBetter:\n```python\nprint(1)\n```",
            "print(1)\n",
        ),
        // What is closed as it should be may hold a fence in its own text.
        (
            "```python\na = 1 # not ```\nprint(a)\n```",
            "a = 1 # not ```\nprint(a)\n",
        ),
    ] {
        assert_eq!(response(text).as_deref(), Some(code), "{text}");
    }
}

#[test]
fn pretty_printed_objects() {
    let pretty = serde_json::to_string_pretty(&serde_json::json!({"id": "q", "kind": "stdin",
        "tests": [{"input": "", "output": "1"}]}))
    .unwrap();
    assert_eq!(ids(&pretty), ["q"]);
    assert_eq!(
        ids(&format!("{pretty}\n{}\n", pretty.replace("\"q\"", "\"r\""))),
        ["q", "r"]
    );
    let torn = &pretty[..pretty.len() - 1];
    let error = programs(torn).remove(0).unwrap_err();
    assert!(error.contains("the object is cut off"), "{error}");
    let late = "{\n\"problem_id\":\"a\",\n\"code\":\"1\"}\n{\n\"problem_id\":\"a\",\n\"code\":7}";
    assert_eq!(
        programs(late)[1].as_ref().unwrap_err(),
        "4: field \"code\": must be a string, not a number"
    );
}

#[test]
fn rows_in_an_object() {
    let listed = |row: &str| format!("{{\"features\":[],\"rows\":[{row}],\"num_rows_total\":1}}");
    assert_eq!(ids(&listed(PROBLEM)), ["p"]);
    let numbered = |cut: &str| {
        listed(&format!(
            "{{\"row_idx\":0,\"row\":{PROBLEM},\"truncated_cells\":[{cut}]}}"
        ))
    };
    assert_eq!(ids(&numbered("")), ["p"]);
    let error = programs(&numbered("\"tests\"")).remove(0).unwrap_err();
    assert!(
        error.contains("is not in any known format; its fields are: row_idx, row, truncated_cells"),
        "{error}"
    );
}

#[test]
fn folders_without_rows_are_told_what_to_do() {
    let folder = folder();
    std::fs::create_dir(folder.path().join("HumanEval_0")).unwrap();
    std::fs::create_dir(folder.path().join("notes")).unwrap();
    let of_folder = readers::submissions(&[folder.path().to_owned()])
        .err()
        .unwrap();
    assert!(
        of_folder
            .message
            .starts_with("is a folder; name the files in it")
    );
    let (_, errors) = readers::problems(&[folder.path().to_owned()]);
    assert_eq!(errors[0].message, of_folder.message);
    std::fs::remove_dir(folder.path().join("notes")).unwrap();
    let (_, errors) = readers::problems(&[folder.path().to_owned()]);
    assert!(
        errors[0].message.starts_with("holds no samples"),
        "{errors:?}"
    );
    assert!(errors[0].file.ends_with("HumanEval_0"), "{errors:?}");
}

/// The files were written by pyarrow, with another compression each and several row groups.
#[cfg(feature = "parquet")]
#[test]
fn parquet_holds_what_json_lines_hold() {
    for name in ["code_contests", "codeforces", "verl", "open_instruct"] {
        let path = crate::fixture(&format!("parquet/{name}.parquet"));
        let (of_parquet, errors) = readers::problems(std::slice::from_ref(&path));
        assert_eq!(errors, [], "{name}");
        let (of_lines, _) = readers::problems(&[crate::fixture(&format!("{name}.jsonl"))]);
        assert!(of_parquet.len() > 1, "{name}");
        for problem in of_parquet.iter() {
            assert_eq!(Some(problem), of_lines.get(&problem.id), "{name}");
        }
        assert_eq!(readers::count_rows(&[path]), Some(of_parquet.len() as u64));
    }
    let solutions = results(&crate::fixture("parquet/solutions.parquet"));
    let of_lines = results(&crate::fixture("solutions/codeforces.jsonl"));
    assert_eq!(solutions.len(), of_lines.len());
    for (one, other) in solutions.into_iter().zip(of_lines) {
        assert_eq!(one.unwrap().submission, other.unwrap().submission);
    }
}

#[cfg(feature = "parquet")]
#[test]
fn broken_parquet_is_an_error_of_its_file() {
    let folder = folder();
    let whole = std::fs::read(crate::fixture("parquet/codeforces.parquet")).unwrap();
    let cut = written(&folder, "cut.parquet", &whole[..whole.len() / 2]);
    let error = readers::submissions(std::slice::from_ref(&cut))
        .unwrap()
        .next();
    let error = error.unwrap().unwrap_err();
    assert!(
        error
            .message
            .starts_with("is a Parquet file that cannot be read"),
        "{error}"
    );
    let mut damaged = whole;
    damaged[8..200].fill(0xff);
    let damaged = written(&folder, "damaged.parquet", &damaged);
    let (_, errors) = readers::problems(std::slice::from_ref(&damaged));
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert_eq!(errors[0].line, Some(1));
}

/// What nobody asks for costs nothing and cannot be at fault; what is asked for can.
#[test]
fn fields_that_nobody_reads_stay_unread() {
    let deep = format!("{}{}", "[".repeat(500), "]".repeat(500));
    let wide = format!("[{}1]", "1,".repeat(6_000_000));
    for content in [&deep, &wide] {
        let unread = PROBLEM.replacen('{', &format!("{{\"extra\":{content},"), 1);
        assert_eq!(ids(&unread), ["p"]);
    }
    let read = PROBLEM.replacen('{', &format!("{{\"statement\":{deep},"), 1);
    let error = programs(&read).remove(0).unwrap_err();
    assert!(
        error.contains("is nested deeper than 100 levels"),
        "{error}"
    );
}

#[test]
fn rows_are_counted_without_reading_them() {
    let folder = folder();
    let lines = written(&folder, "a.jsonl", b"{}\n\nnot JSON\n{}\n");
    let array = written(&folder, "b.json", b"[1,\n2, 3]");
    assert_eq!(readers::count_rows(&[lines.clone(), array]), Some(6));
    assert_eq!(readers::count_rows(&[lines, "-".into()]), None);
}

/// EvalPlus's own rows: types that JSON has lost are restored, and problems with several right answers are compared so.
#[test]
fn mbpp_plus_rows() {
    let row = |task: u32, function: &str, input: &str| {
        format!(
            "{{\"task_id\":\"Mbpp/{task}\",\"prompt\":\"\\\"\\\"\\\"Do it.\\\"\\\"\\\"\\n\",\"entry_point\":\"{function}\",\
             \"canonical_solution\":\"def {function}(*a): return a\\n\",\"base_input\":[{input}],\"plus_input\":[],\"atol\":0}}"
        )
    };
    let code = |row: &str| {
        let folder = folder();
        let (problems, errors) = readers::problems(&[written(&folder, "p.jsonl", row.as_bytes())]);
        assert_eq!(errors, []);
        match &problems.iter().next().unwrap().tests {
            Tests::Assert { cases, .. } => cases[0].clone(),
            tests => panic!("{tests:?}"),
        }
    };
    for (task, input, restored) in [
        (2, "[[3,4],[5]]", "[(3,4,),(5,),]"),
        (63, "[[[2,4],[6,7]]]", "[[(2,4,),(6,7,),],]"),
        (259, "[[[1,3]],[[6,7]]]", "[((1,3,),),((6,7,),),]"),
        (75, "[[[6,24]],6]", "[[(6,24,),],6,]"),
        (250, "[[10,8],[1]]", "[(10,8,),[1,],]"),
        (106, "[[5],[9,10]]", "[[5,],(9,10,),]"),
        (580, "[[4,[7,[1]]]]", "[(4,(7,(1,),),),]"),
        (115, "[[[1,2],[]]]", "[[{1,2,},{},],]"),
        (278, "[[1,[4,6]]]", "[(1,(4,6,),),]"),
        (722, "[{\"a\":[1.5,2]},3]", "[{\"a\":(1.5e0,2,),},3,]"),
        (252, "[\"(1-2j)\"]", "[complex(1.0, -2.0),]"),
        (124, "[\"0.0\",\"1e-05j\"]", "[0e0,complex(0.0, 1e-5),]"),
        (3, "[[3,4]]", "[[3,4,],]"),
    ] {
        let code = code(&row(task, "f", input));
        assert!(
            code.contains(&format!("_input = {restored}\n")),
            "{task}: {code}"
        );
    }
    assert!(
        code(&row(2, "similar_elements", "[[1],[2]]"))
            .ends_with("assert set(_actual) == set(_expected)\n")
    );
    assert!(
        code(&row(3, "is_not_prime", "[2]")).ends_with("_assert_same(_actual, _expected, 0.0)\n")
    );
    let error = programs(&row(124, "f", "[\"0.0\",\"i\"]"))
        .remove(0)
        .unwrap_err();
    assert!(
        error.contains("base_input[0]\": contains \"i\", which is not a complex number"),
        "{error}"
    );
}

/// MBPP's numbers are EvalPlus's ids without `Mbpp/`, however that is written.
#[test]
fn mbpp_problems_are_found_by_either_id() {
    let folder = folder();
    let row = "{\"task_id\":2,\"text\":\"t\",\"code\":\"c\",\"test_list\":[\"assert f()\"]}\n\
               {\"task_id\":\"Mbpp/3\",\"text\":\"t\",\"code\":\"c\",\"test_list\":[\"assert f()\"]}\n";
    let (problems, _) = readers::problems(&[written(&folder, "p.jsonl", row.as_bytes())]);
    let found = |id: &str| problems.get(id).map(|problem| problem.id.as_str());
    assert_eq!(
        ["2", "Mbpp/2", "3", "Mbpp/3"].map(found),
        [Some("2"), Some("2"), Some("Mbpp/3"), Some("Mbpp/3")]
    );
    assert_eq!(["mbpp/2", "MBPP/2"].map(found), [Some("2"); 2]);
    assert_eq!(["mbpp/3", "MBPP/3"].map(found), [Some("Mbpp/3"); 2]);
    assert_eq!(["Mbpp/4", "MBPP2", "Mbpp/Mbpp/3"].map(found), [None; 3]);
}

/// EvalPlus numbers the samples of a problem in their ids.
#[test]
fn a_numbered_sample_is_one_of_its_problem() {
    let folder = folder();
    let row = |id: &str| {
        format!(
            "{{\"task_id\":\"{id}\",\"text\":\"t\",\"code\":\"c\",\"test_list\":[\"assert f()\"]}}\n"
        )
    };
    let rows = row("2") + &row("Mbpp/5#1");
    let (problems, _) = readers::problems(&[written(&folder, "p.jsonl", rows.as_bytes())]);
    let found = |id: &str| problems.get(id).map(|problem| problem.id.as_str());
    assert_eq!(
        [
            "Mbpp/2#0", "2#17", "Mbpp/5#1", "Mbpp/2#", "Mbpp/2#x", "Mbpp/3#0", "#0", "Mbpp/5#2"
        ]
        .map(found),
        [
            Some("2"),
            Some("2"),
            Some("Mbpp/5#1"),
            None,
            None,
            None,
            None,
            None
        ]
    );
}

/// Only LiveCodeBench orders its problems by id; for any other the order must be asked for.
#[test]
fn places_in_a_list_of_lists_need_a_known_order() {
    let folder = folder();
    let problems = ["q10", "q9"].map(|id| PROBLEM.replace("\"p\"", &format!("\"{id}\"")));
    let path = written(&folder, "p.jsonl", problems.join("\n").as_bytes());
    let (problems, _) = readers::problems(&[path]);
    assert!(problems.get("#1/2").is_none());
    let problems = problems.in_file_order();
    let placed = |id: &str| problems.get(id).map(|problem| problem.id.as_str());
    assert_eq!(
        ["#1/2", "#2/2", "#3/2", "#1/3"].map(placed),
        [Some("q10"), Some("q9"), None, None]
    );
}

/// The constants and imports of a LeetCodeDataset row's prompt stand before its test code; its classes do not.
#[test]
fn the_prompt_of_a_leetcode_row_belongs_to_its_test_code() {
    let prompt = "import random\nfrom typing import *\n\ninf = float('inf')\n\nclass ListNode:\n    val = 0\n\ndef helper(x):\n    y = x\n    return y\n";
    let row = serde_json::json!({"task_id": "t", "entry_point": "Solution().f", "prompt": prompt,
        "test": "def check(candidate):\n    assert candidate(1) == inf\n", "completion": "class Solution:\n    def f(self, x):\n        return float('inf')\n"});
    let folder = folder();
    let (problems, errors) =
        readers::problems(&[written(&folder, "p.jsonl", row.to_string().as_bytes())]);
    assert_eq!(errors, []);
    let Tests::Assert { cases, .. } = &problems.get("t").unwrap().tests else {
        panic!("no test code");
    };
    assert!(
        cases[0].starts_with("import random\nfrom typing import *\ninf = float('inf')\ndef check("),
        "{}",
        cases[0]
    );
}
