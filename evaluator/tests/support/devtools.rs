//! A page in a browser without a window, moved by Chromium's DevTools protocol over two pipes.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::browser::command;

/// How long a page may take to come to show something. A busy machine is slow.
const PATIENCE: Duration = Duration::from_secs(120);

/// A page that is open.
pub struct Page {
    browser: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
    session: Value,
    last: u64,
    _profile: TempDir,
}

impl Page {
    /// Open an address, and wait until the page says that it is ready.
    pub fn open(address: &str) -> Page {
        let profile = tempfile::tempdir().unwrap();
        // The protocol's pipes are descriptors 3 and 4.
        let mut shell = Command::new("sh");
        shell.args(["-c", "exec \"$@\" 3<&0 4>&1 </dev/null >/dev/null", "sh"]);
        let browser = command(&profile);
        shell.arg(browser.get_program()).args(browser.get_args());
        shell
            .arg("--remote-debugging-pipe")
            .arg("--window-size=1280,4000");
        shell
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut browser = shell.spawn().unwrap();
        let mut page = Page {
            requests: browser.stdin.take().unwrap(),
            answers: BufReader::new(browser.stdout.take().unwrap()),
            browser,
            session: Value::Null,
            last: 0,
            _profile: profile,
        };
        let target = page.ask("Target.createTarget", json!({ "url": address }));
        let target = json!({"targetId": target["targetId"], "flatten": true});
        page.session = page.ask("Target.attachToTarget", target)["sessionId"].take();
        page.until("document.body?.dataset.ready > 0");
        page
    }

    /// What an expression of the page is.
    pub fn value(&mut self, expression: &str) -> Value {
        let asked = json!({"expression": expression, "returnByValue": true});
        let mut answer = self.ask("Runtime.evaluate", asked);
        assert!(answer["exceptionDetails"].is_null(), "{answer}");
        answer["result"]["value"].take()
    }

    /// The text that an element shows.
    pub fn text(&mut self, selector: &str) -> String {
        let shown = self.value(&format!("document.querySelector({selector:?}).innerText"));
        shown.as_str().unwrap().to_owned()
    }

    /// Wait until an expression is true.
    pub fn until(&mut self, expression: &str) {
        let start = Instant::now();
        while self.value(expression) != json!(true) {
            assert!(start.elapsed() < PATIENCE, "never: {expression}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Press and release the mouse over the middle of what an expression finds, which must be in sight there.
    pub fn click(&mut self, element: &str) {
        let place = self.value(&format!(
            "(() => {{ const found = {element}; found.scrollIntoView({{block: 'nearest'}});
               const box = found.getBoundingClientRect();
               const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
               return found.contains(document.elementFromPoint(x, y)) ? [x, y] : null; }})()"
        ));
        assert!(place.is_array(), "{element} is not in sight");
        for kind in ["mousePressed", "mouseReleased"] {
            let at = json!({"type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1});
            self.ask("Input.dispatchMouseEvent", at);
        }
    }

    /// Type into what has the focus.
    pub fn enter(&mut self, text: &str) {
        self.ask("Input.insertText", json!({ "text": text }));
    }

    /// Press and release a key by its name.
    pub fn press(&mut self, key: &str) {
        for kind in ["keyDown", "keyUp"] {
            let code = match key {
                "ArrowUp" => 38,
                "ArrowDown" => 40,
                _ => panic!("{key}"),
            };
            let pressed =
                json!({"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code});
            self.ask("Input.dispatchKeyEvent", pressed);
        }
    }

    /// One request, and its answer; what else the browser tells is passed over.
    fn ask(&mut self, method: &str, parameters: Value) -> Value {
        self.last += 1;
        let mut request = json!({"id": self.last, "method": method, "params": parameters});
        if !self.session.is_null() {
            request["sessionId"] = self.session.clone();
        }
        write!(self.requests, "{request}\0").unwrap();
        self.requests.flush().unwrap();
        loop {
            let mut told = Vec::new();
            self.answers.read_until(0, &mut told).unwrap();
            assert!(!told.is_empty(), "the browser has ended");
            let mut told: Value = serde_json::from_slice(&told[..told.len() - 1]).unwrap();
            if told["id"] == json!(self.last) {
                assert!(told["error"].is_null(), "{method}: {told}");
                return told["result"].take();
            }
        }
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = self.browser.kill();
        let _ = self.browser.wait();
    }
}
