//! A model that helps, behind a loopback server: translation, ratings and samples, in each of the modes.

use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use crate::server::Server;
use crate::support::{Workshop, dropped, fixture};

const RUSSIAN: &str = "Даны два целых числа a и b, каждое из которых не превосходит 1000 по модулю. Выведите сумму этих чисел.\n\n\
    Входные данные\nВ единственной строке записаны два числа.\n\nВыходные данные\nВыведите одно число.\n";
const ENGLISH: &str = "You are given two integers a and b, each of which is at most 1000 in absolute value. Print their sum.\n\n\
    Input\nThe only line holds two numbers.\n\nOutput\nPrint one number.\n";

fn row(id: &str, statement: &str) -> Value {
    json!({"id": id, "kind": "stdin", "statement": statement, "tests": [{"input": "1 2\n", "output": "3\n"}],
        "code": "print(sum(map(int, input().split())))\n"})
}

fn shop(rows: &[Value]) -> Workshop {
    let shop = Workshop::new();
    let text: String = rows.iter().map(|row| format!("{row}\n")).collect();
    fs::write(shop.path("own.jsonl"), text).unwrap();
    shop.run(&["collect", "own.jsonl", "-o", "raw.jsonl"]);
    shop
}

fn asked_of(request: &Value) -> &str {
    request["messages"][0]["content"].as_str().unwrap()
}

fn process<'a>(out: &'a str, mode: &'a str, url: &'a str) -> Vec<&'a str> {
    let mut arguments = vec!["process", "raw.jsonl", "-o", out, "--llm-mode", mode];
    arguments.extend(["--llm-model", "tiny", "--llm-cache", "answers"]);
    if !url.is_empty() {
        arguments.extend(["--llm-base-url", url]);
    }
    arguments
}

#[test]
fn statements_in_other_languages_are_translated() {
    let shop = shop(&[row("foreign", RUSSIAN), row("own", ENGLISH)]);
    let server = Server::new(|request| {
        assert!(asked_of(request).contains("Даны два"), "{request}");
        assert_eq!(request["model"], "tiny");
        Ok(ENGLISH.to_owned())
    });
    shop.run(&process("processed.jsonl", "live", &server.url));
    assert_eq!(server.asked(), 1, "what is English is not asked about");
    let records = shop.records("processed.jsonl");
    assert_eq!(records[0]["statement"], ENGLISH.trim());
    assert_eq!(records[0]["written_in"], "eng");
    let change = &records[0]["changes"][0];
    assert_eq!(change["what"], "translated from rus by tiny");
    assert_eq!(records[1]["changes"], Value::Null);
}

/// No server: a run whose answers are in the repository.
#[test]
fn a_run_replays_what_was_recorded() {
    let shop = Workshop::new();
    let settings = format!(
        "folder = \"out\"\n\n[[collect]]\npaths = [\"{}\"]\n\n[llm]\nmode = \"replay\"\nmodel = \"recorded\"\ncache = \"{}\"\n",
        fixture("foreign.jsonl"),
        fixture("llm-answers")
    );
    fs::write(shop.path("pipeline.toml"), settings).unwrap();
    shop.run(&["run", "pipeline.toml"]);
    let record = &shop.records("out/verified.jsonl")[0];
    assert_eq!(dropped(record), None);
    assert_eq!(
        record["changes"][0]["what"],
        "translated from deu by recorded"
    );
    assert!(
        record["statement"]
            .as_str()
            .unwrap()
            .starts_with("You are given two integers")
    );
}

#[test]
fn without_a_model_nothing_is_translated() {
    let shop = shop(&[row("foreign", RUSSIAN)]);
    shop.run(&["process", "raw.jsonl", "-o", "processed.jsonl"]);
    let records = shop.records("processed.jsonl");
    assert_eq!(records[0]["statement"], RUSSIAN);
    assert_eq!(records[0]["written_in"], "rus");
    let keep = [
        "filter",
        "processed.jsonl",
        "-o",
        "english.jsonl",
        "--languages",
        "eng",
    ];
    shop.run(&keep);
    let records = shop.records("english.jsonl");
    assert_eq!(dropped(&records[0]), Some(("foreign", "language")));
}

#[test]
fn a_translation_that_loses_a_number_is_refused() {
    let shop = shop(&[row("foreign", RUSSIAN)]);
    let server = Server::new(|_| Ok(ENGLISH.replace("1000", "some number")));
    shop.run(&process("processed.jsonl", "live", &server.url));
    let records = shop.records("processed.jsonl");
    assert_eq!(records[0]["statement"], RUSSIAN);
    let note = &records[0]["notes"][0];
    assert_eq!(note["what"], "not_translated");
    assert!(
        note["evidence"].as_str().unwrap().contains("1000"),
        "{note}"
    );
}

#[test]
fn modes_differ_in_where_answers_come_from() {
    let shop = shop(&[row("foreign", RUSSIAN)]);
    let count = AtomicUsize::new(0);
    let server = Server::new(move |_| {
        let number = count.fetch_add(1, Ordering::SeqCst) + 1;
        Ok(format!("{ENGLISH}\nAnswer {number}."))
    });
    let answer = |out: &str| {
        let records = shop.records(out);
        let statement = records[0]["statement"].as_str().unwrap().to_owned();
        statement.chars().rev().nth(1)
    };
    let said = shop.fails(&process("none.jsonl", "replay", ""), 3);
    assert!(said.contains("no answer is recorded in answers/"), "{said}");
    assert!(said.contains("--llm-mode record"), "{said}");

    shop.run(&process("first.jsonl", "live", &server.url));
    assert_eq!((server.asked(), answer("first.jsonl")), (1, Some('1')));
    shop.run(&process("again.jsonl", "live", &server.url));
    assert_eq!(
        (server.asked(), answer("again.jsonl")),
        (1, Some('1')),
        "it is kept"
    );
    shop.run(&process("anew.jsonl", "record", &server.url));
    assert_eq!(
        (server.asked(), answer("anew.jsonl")),
        (2, Some('2')),
        "it is asked anew"
    );
    shop.run(&process("replayed.jsonl", "replay", ""));
    assert_eq!((server.asked(), answer("replayed.jsonl")), (2, Some('2')));
    shop.run(&process("off.jsonl", "off", &server.url));
    assert_eq!(server.asked(), 2);
    assert_eq!(shop.records("off.jsonl")[0]["statement"], RUSSIAN);
    assert_eq!(fs::read_dir(shop.path("answers")).unwrap().count(), 1);
}

#[test]
fn an_answer_that_was_tampered_with_is_named() {
    let shop = shop(&[row("foreign", RUSSIAN)]);
    let server = Server::new(|_| Ok(ENGLISH.to_owned()));
    shop.run(&process("first.jsonl", "record", &server.url));
    let file = fs::read_dir(shop.path("answers"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    let kept = fs::read_to_string(&file).unwrap();
    fs::write(&file, kept.replace("\"tiny\"", "\"huge\"")).unwrap();
    let said = shop.fails(&process("again.jsonl", "replay", ""), 3);
    assert!(said.contains("answers another request"), "{said}");
    fs::write(&file, &kept[..kept.len() / 2]).unwrap();
    let said = shop.fails(&process("broken.jsonl", "replay", ""), 3);
    assert!(
        said.contains("answers/") && said.contains(".json: "),
        "{said}"
    );
}

#[test]
fn a_server_that_fails_for_a_while_is_asked_again_and_one_that_refuses_is_not() {
    let busy = shop(&[row("foreign", RUSSIAN)]);
    let count = AtomicUsize::new(0);
    let server = Server::new(move |_| match count.fetch_add(1, Ordering::SeqCst) {
        0 => Err(503),
        _ => Ok(ENGLISH.to_owned()),
    });
    busy.run(&process("processed.jsonl", "live", &server.url));
    assert_eq!(server.asked(), 2);

    let refused = shop(&[row("foreign", RUSSIAN)]);
    let server = Server::new(|_| Err(401));
    let said = refused.fails(&process("processed.jsonl", "live", &server.url), 1);
    assert!(
        said.contains("status 401") && said.contains(&server.url),
        "{said}"
    );
    assert_eq!(server.asked(), 1);
    // Nothing is lost: the same command goes on once the server answers.
    let server = Server::new(|_| Ok(ENGLISH.to_owned()));
    let mut again = process("processed.jsonl", "live", &server.url);
    again.push("--resume");
    refused.run(&again);
    assert_eq!(refused.records("processed.jsonl")[0]["written_in"], "eng");
}

#[test]
fn a_key_and_a_name_are_asked_for() {
    let shop = shop(&[row("foreign", RUSSIAN)]);
    let server = Server::new(|_| Ok(ENGLISH.to_owned()));
    let unnamed = [
        "process",
        "raw.jsonl",
        "-o",
        "a.jsonl",
        "--llm-base-url",
        &server.url,
    ];
    let said = shop.fails(&unnamed, 2);
    assert!(said.contains("none is named"), "{said}");
    let mut keyed = process("b.jsonl", "live", &server.url);
    keyed.extend(["--llm-key-variable", "PATH"]);
    shop.run(&keyed);
    assert!(
        server.keys()[0].starts_with("Bearer /"),
        "{:?}",
        server.keys()
    );
    keyed[3] = "c.jsonl";
    keyed.pop();
    keyed.push("NO_SUCH_VARIABLE_IS_SET");
    let said = shop.fails(&keyed, 2);
    assert!(
        said.contains("NO_SUCH_VARIABLE_IS_SET is not set"),
        "{said}"
    );
}

#[test]
fn a_rating_is_the_weighted_mean_of_five_dimensions() {
    let mut known = row("known", "A sum, called hard by its platform.");
    known["difficulty"] = json!("hard");
    let shop = shop(&[row("rated", "A sum."), known, row("muddled", "A muddle.")]);
    let server = Server::new(|request| {
        Ok(match asked_of(request) {
            asked if asked.contains("A muddle.") => "I would rather not.".to_owned(),
            _ => "Thought first.\n```json\n{\"algorithms\": 4, \"insight\": 2, \"implementation\": 3, \"edge_cases\": 5, \
                  \"efficiency\": 1}\n```"
                .to_owned(),
        })
    });
    let rate = [
        "difficulty",
        "raw.jsonl",
        "-o",
        "chosen.jsonl",
        "--rate",
        "--llm-model",
        "tiny",
    ];
    shop.run(&[&rate[..], &["--llm-base-url", &server.url]].concat());
    let records = shop.records("chosen.jsonl");
    // .3 * 4 + .3 * 2 + .2 * 3 + .1 * 5 + .1 * 1
    assert_eq!(records[0]["rated"]["score"], 3.0);
    assert_eq!(records[0]["rated"]["dimensions"]["edge_cases"], 5.0);
    assert_eq!(records[0]["rated"]["by"], "tiny");
    assert_eq!(records[0]["level"], "medium");
    assert_eq!(
        records[1]["level"], "hard",
        "the platform's own word counts first"
    );
    assert_eq!(records[2]["rated"], Value::Null);
    assert_eq!(records[2]["notes"][0]["what"], "not_rated");
    assert_eq!(records[2]["level"], Value::Null);
    let without = ["difficulty", "raw.jsonl", "-o", "none.jsonl", "--rate"];
    let said = shop.fails(&without, 2);
    assert!(said.contains("need a model"), "{said}");
}

#[test]
fn samples_of_a_model_are_judged() {
    let rows = ["always", "half", "never"].map(|id| row(id, &format!("Print the sum: {id}.")));
    let shop = shop(&rows);
    let server = Server::new(|request| {
        let right = match asked_of(request) {
            asked if asked.contains("always") => true,
            asked if asked.contains("half") => request["seed"].as_u64() < Some(2),
            _ => false,
        };
        let program = if right {
            "print(sum(map(int, input().split())))"
        } else {
            "print(4)"
        };
        Ok(format!("Here:\n```python\n{program}\n```\n"))
    });
    let choose = [
        "difficulty",
        "raw.jsonl",
        "-o",
        "chosen.jsonl",
        "--samples",
        "4",
        "--llm-model",
        "tiny",
    ];
    let window = [
        "--min-pass-rate",
        "0.1",
        "--max-pass-rate",
        "0.9",
        "--llm-base-url",
        &server.url,
    ];
    shop.run(&[&choose[..], &window].concat());
    assert_eq!(server.asked(), 12);
    let records = shop.records("chosen.jsonl");
    let accepted = records
        .iter()
        .map(|record| record["solved"]["accepted"].as_u64());
    assert_eq!(accepted.collect::<Vec<_>>(), [Some(4), Some(2), Some(0)]);
    let reasons: Vec<_> = records.iter().filter_map(dropped).collect();
    assert_eq!(reasons, [("always", "pass_rate"), ("never", "pass_rate")]);
}
