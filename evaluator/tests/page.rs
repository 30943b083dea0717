//! `mc-eval report` and `mc-eval view`: the page as a browser shows it, and as it is served.

#[path = "support/browser.rs"]
mod browser;
#[path = "support/devtools.rs"]
mod devtools;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use evaluator::jsonl::{read_all, to_line};
use evaluator::verdict::VerdictRecord;
use serde_json::{Value, json};
use tempfile::TempDir;

use devtools::Page;

fn mc_eval(folder: &TempDir, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mc-eval"));
    let output = command.args(arguments).current_dir(folder.path()).output();
    let output = output.unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{arguments:?}: {said}");
    said
}

fn write_lines(folder: &TempDir, file: &str, rows: &[Value]) {
    let lines: String = rows.iter().map(|row| format!("{row}\n")).collect();
    fs::write(folder.path().join(file), lines).unwrap();
}

/// A folder with problems, solutions and two runs of verdicts on them.
fn judged() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let numbers = |count: i32| (1..=count).map(|n| format!("{n}\n")).collect::<String>();
    write_lines(
        &folder,
        "problems.jsonl",
        &[
            json!({"id": "sum", "kind": "stdin", "platform": "alpha", "difficulty": "easy",
                "tests": [{"input": "1 2\n", "output": "3\n"}, {"input": "2 2\n", "output": "4\n"}]}),
            json!({"id": "count", "kind": "stdin", "platform": "beta", "difficulty": "hard",
                "statement": "Count. If there are multiple answers, print any of them.",
                "tests": [{"input": "9\n", "output": numbers(9)}]}),
        ],
    );
    let solution = |id: &str, problem: &str, code: &str| json!({"id": id, "problem_id": problem, "code": code});
    write_lines(
        &folder,
        "solutions.jsonl",
        &[
            solution("right", "sum", "print(sum(map(int, input().split())))"),
            solution("half", "sum", "print(3)  # </script><b id=injected>"),
            solution("raises", "sum", "raise ValueError('<b id=injected>')"),
            solution(
                "counts",
                "count",
                "for n in range(int(input())): print(n + 1)",
            ),
            solution(
                "slips",
                "count",
                "for n in range(int(input())): print(n + 1 + 60 * (n == 5))",
            ),
            solution("on-one-line", "count", "print(*range(1, int(input()) + 1))"),
        ],
    );
    let judge = |out: &str, more: &[&str]| {
        let inputs = [
            "judge",
            "solutions.jsonl",
            "--problems",
            "problems.jsonl",
            "--out",
            out,
        ];
        mc_eval(
            &folder,
            &[&inputs[..], &["--keep-output", "1000"], more].concat(),
        );
    };
    judge("verdicts.jsonl", &["--also", "lcb"]);
    judge("before.jsonl", &["--profile", "exact"]);
    folder
}

/// The page as a browser has it once its script has run.
fn shown(page: &Path, state: &str) -> String {
    let address = format!("file://{}#{state}", page.display());
    let text = browser::document(&address, "data-ready");
    // What is read here is what is shown, not what it is made of.
    let body = text.split_once("<body").unwrap().1;
    body.split_once("<script").unwrap().0.to_owned()
}

/// The part of a page between two marks.
fn between<'a>(text: &'a str, from: &str, to: &str) -> &'a str {
    let rest = text
        .split_once(from)
        .unwrap_or_else(|| panic!("no {from} in {text}"))
        .1;
    rest.split_once(to).unwrap().0
}

/// The submissions in the list, in their order.
fn listed(page: &str) -> Vec<&str> {
    let list = between(page, "id=\"rows\"", "<article");
    let rows = list.split("class=\"row").skip(1);
    rows.map(|row| between(row, "<span>", "</span>")).collect()
}

/// What the programs and the inputs are read from.
const FILES: [&str; 4] = [
    "--solutions",
    "solutions.jsonl",
    "--problems",
    "problems.jsonl",
];

/// The page of the verdicts in `folder`, with what changed since those before them.
fn reported(folder: &TempDir) -> PathBuf {
    let report = [
        "report",
        "verdicts.jsonl",
        "--before",
        "before.jsonl",
        "-o",
        "out",
    ];
    mc_eval(folder, &[&report[..], &FILES].concat());
    folder.path().join("out/index.html")
}

#[test]
fn a_file_that_is_given_twice_is_refused() {
    let folder = judged();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_mc-eval"));
    let arguments = ["report", "verdicts.jsonl", "./verdicts.jsonl", "-o", "page"];
    let done = command.current_dir(folder.path()).args(arguments).output();
    let done = done.expect("mc-eval runs");
    assert_eq!(done.status.code(), Some(3));
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(said.contains("./verdicts.jsonl: is given twice"), "{said}");
}

#[test]
fn a_page_shows_rates_and_submissions() {
    let folder = judged();
    let page = reported(&folder);
    let all = shown(&page, "");
    let ids = ["right", "half", "raises", "counts", "slips", "on-one-line"];
    assert_eq!(listed(&all), ids);
    // One of three is right: the interval is Wilson's for a third of one problem.
    assert!(
        between(&all, "<td>alpha</td>", "</tr>").contains("33.3<small> 2.5–90.6"),
        "{all}"
    );
    assert!(between(&all, "id=\"profiles\"", "</section>").contains("<td>lcb</td><td>2</td>"));
    let problems = between(&all, "id=\"problems\"", "</section>");
    assert!(problems.contains(">count</span>") && !problems.contains(">sum</span>"));
    let changes = between(&all, "id=\"changes\"", "</section>");
    assert!(
        changes.contains("Different verdicts for 1 of 6 submissions"),
        "{changes}"
    );

    let filtered = |state: &str| listed(&shown(&page, state)).join(" ");
    assert_eq!(filtered("verdict=wrong_answer"), "half slips");
    assert_eq!(filtered("platform=beta&amp=&strategy=exact"), "counts");
    assert_eq!(filtered("also=lcb"), "on-one-line");
    assert_eq!(filtered("flip=all"), "on-one-line");
    assert_eq!(filtered("text=ON"), "on-one-line");
    assert_eq!(filtered("flag=1"), "slips");
    assert_eq!(filtered("sort=id&platform=alpha"), "half raises right");
}

#[test]
fn a_submission_is_shown_with_its_first_difference_in_context() {
    let folder = judged();
    mc_eval(
        &folder,
        &[&["report", "verdicts.jsonl", "-o", "out"][..], &FILES].concat(),
    );
    let page = folder.path().join("out/index.html");
    let slips = shown(&page, "id=slips");
    let detail = between(&slips, "id=\"detail\"", "</article>");
    assert!(detail.contains("60 * (n == 5)"), "{detail}");
    assert!(
        detail.contains("first difference at line 6, column 1"),
        "{detail}"
    );
    assert!(detail.contains("<mark>   6  66\n</mark>"), "{detail}");
    assert!(
        detail.contains("   3  3\n")
            && detail.contains("   9  9\n")
            && !detail.contains("   2  2\n")
    );
    // Whatever a program says is text.
    let raises = shown(&page, "id=raises");
    assert!(
        raises.contains("ValueError: &lt;b id=injected&gt;"),
        "{raises}"
    );
    let half = shown(&page, "id=half");
    assert!(half.contains("&lt;/script&gt;&lt;b id=injected&gt;") && !half.contains("<b id"));
    // Without the inputs of the run, the page tells what its verdicts tell.
    mc_eval(&folder, &["report", "verdicts.jsonl", "-o", "bare"]);
    let bare = shown(&folder.path().join("bare/index.html"), "id=slips");
    assert!(
        bare.contains("expected: 6") && bare.contains("actual: 66") && !bare.contains("n == 5")
    );
}

/// The row of the list that shows this submission.
fn row(id: &str) -> String {
    format!(
        "[...document.querySelectorAll('.row')].find(row => row.firstChild.innerText === '{id}')"
    )
}

/// The submissions in the list of an open page.
fn rows(page: &mut Page) -> Value {
    page.value(
        "[...document.querySelectorAll('.row')].map(row => row.firstChild.innerText).join(' ')",
    )
}

#[test]
fn one_clicks_through_to_a_submission() {
    let folder = judged();
    let index = reported(&folder);
    let mut page = Page::open(&format!("file://{}", index.display()));
    assert_eq!(page.text("#detail"), "Choose a submission.");

    // From a bar of the figures to those of that verdict, and to one of them.
    page.click("[...document.querySelectorAll('.bar')].find(bar => bar.innerText.includes('wrong_answer'))");
    assert_eq!(rows(&mut page), "half slips");
    page.click(&row("slips"));
    page.until("document.querySelector('#detail h3')?.innerText.startsWith('slips')");
    let detail = page.text("#detail");
    assert!(
        detail.contains("first difference at line 6, column 1"),
        "{detail}"
    );
    assert!(detail.contains("60 * (n == 5)"), "{detail}");
    // Arrow keys move through the list.
    page.press("ArrowUp");
    page.until("document.querySelector('#detail h3')?.innerText.startsWith('half')");
    let shown = "document.querySelector('#detail').innerText.includes('accepted by')";
    assert_eq!(page.value(shown), json!(true));

    // The filters: one is taken back, another is typed.
    page.value("(() => { const it = document.querySelector('[name=verdict]'); it.value = ''; it.dispatchEvent(new Event('change')); })()");
    page.click("document.querySelector('[name=text]')");
    page.enter("COUNT");
    assert_eq!(rows(&mut page), "counts slips on-one-line");
    assert_eq!(page.text("#count"), "3 of 6");
    // The heads sort, and sort the other way round.
    let head = "[...document.querySelectorAll('#head span')].find(head => head.innerText === 'submission')";
    page.click(head);
    assert_eq!(rows(&mut page), "counts on-one-line slips");
    page.click(head);
    assert_eq!(rows(&mut page), "slips on-one-line counts");

    // What has changed since the other run, from its table; the address holds all that was chosen.
    page.value("location.hash = ''");
    page.until("document.querySelectorAll('.row').length === 6");
    page.click("document.querySelector('#changes .link')");
    assert_eq!(rows(&mut page), "on-one-line");
    page.click(&row("on-one-line"));
    page.until("document.querySelector('#detail')?.innerText.includes('before: wrong_answer')");
    let address = page.value("location.href");
    let mut other = Page::open(address.as_str().unwrap());
    assert_eq!(rows(&mut other), "on-one-line");
    other.until("document.querySelector('#detail h3')?.innerText.startsWith('on-one-line')");
}

#[test]
fn of_many_submissions_few_are_drawn_and_all_are_counted() {
    let folder = judged();
    let records: Vec<VerdictRecord> = read_all(&folder.path().join("verdicts.jsonl")).unwrap();
    let copies = (0..20_000).map(|n: usize| {
        let mut record = records[n % records.len()].clone();
        record.verdict.id = format!("copy-{n}");
        to_line(&record)
    });
    fs::write(folder.path().join("many.jsonl"), copies.collect::<String>()).unwrap();
    mc_eval(&folder, &["report", "many.jsonl", "-o", "out"]);
    let page = folder.path().join("out/index.html");
    let size = fs::metadata(&page).unwrap().len();
    assert!(size < 4 << 20, "{size} bytes");
    let last = shown(&page, "id=copy-19999&text=9");
    let drawn = listed(&last).len();
    assert!((10..200).contains(&drawn), "{drawn} rows");
    let nines = (0..20_000).filter(|n| n.to_string().contains('9')).count();
    assert!(last.contains(&format!("{nines} of 20000")), "{last}");
    assert!(between(&last, "id=\"detail\"", "</article>").contains("copy-19999: "));
}

#[test]
fn what_holds_no_verdicts_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("empty.jsonl"), "").unwrap();
    fs::write(folder.path().join("other.jsonl"), "{}\n").unwrap();
    for (file, word) in [
        ("empty.jsonl", "no verdicts"),
        ("other.jsonl", "not a verdict"),
        ("none", "none"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mc-eval"));
        let output = command
            .args(["report", file, "-o", "out"])
            .current_dir(folder.path())
            .output();
        let output = output.unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(
            output.status.code() == Some(3) && said.contains(word),
            "{file}: {said}"
        );
    }
}

/// A server of the page, ended with the test.
struct Viewer {
    child: Child,
    address: String,
}

impl Viewer {
    fn start(folder: &TempDir, file: &str) -> Viewer {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mc-eval"));
        command
            .args(["view", file, "--port", "0"])
            .current_dir(folder.path());
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stderr.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let address = line.trim().strip_prefix("http://").expect(&line).to_owned();
        Viewer { child, address }
    }

    /// Status and body.
    fn get(&self, path: &str, host: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, body.to_owned())
    }

    /// The data, if there is more than of this stamp.
    fn data(&self, stamp: &str) -> Option<Value> {
        let (status, body) = self.get(&format!("/data?have={stamp}"), "localhost");
        (status == 200).then(|| serde_json::from_str(&body).unwrap())
    }
}

impl Drop for Viewer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_file_that_is_being_written_is_followed() {
    let folder = judged();
    let text = fs::read_to_string(folder.path().join("verdicts.jsonl")).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let file = folder.path().join("running.jsonl");
    fs::write(&file, lines[..2].concat()).unwrap();
    let viewer = Viewer::start(&folder, "running.jsonl");
    let (status, page) = viewer.get("/", &viewer.address);
    assert!(status == 200 && page.contains("const LIVE = 2;"));
    let first = viewer.data("").unwrap();
    assert_eq!(first["columns"]["id"], json!(["right", "half"]));
    let stamp = first["stamp"].as_str().unwrap();
    assert_eq!(viewer.data(stamp), None);
    // Half a line is not there yet.
    let append = |text: &str| {
        let mut opened = fs::OpenOptions::new().append(true).open(&file).unwrap();
        opened.write_all(text.as_bytes()).unwrap();
    };
    let (start, end) = lines[2].split_at(40);
    append(start);
    assert_eq!(viewer.data(stamp), None);
    append(end);
    let more = viewer.data(stamp).unwrap();
    assert_eq!(more["columns"]["id"], json!(["right", "half", "raises"]));
    assert_ne!(more["stamp"], first["stamp"]);
    // A browser that looks on sees what comes, and keeps what was chosen.
    let mut seen = Page::open(&format!("http://{}/", viewer.address));
    assert_eq!(rows(&mut seen), "right half raises");
    seen.click(&row("half"));
    append(&lines[3..].concat());
    seen.until("document.querySelectorAll('.row').length === 6");
    assert_eq!(seen.text(".row.chosen span"), "half");
    // Another name for this machine is one that a page of the web has given it.
    assert_eq!(viewer.get("/", "example.org").0, 403);
    assert_eq!(viewer.get("/verdicts.jsonl", "localhost").0, 404);
}
