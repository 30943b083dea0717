//! Runs an interpreter outside any box, on scripts of our own.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;
use std::process::{Command, Output};
use std::thread;
use std::time::{Duration, Instant};

use sandbox_guard::descriptors;

/// How long an interpreter may take to tell about itself.
const ANSWER: Duration = Duration::from_secs(30);

/// Run an interpreter outside any box, on a script of our own; an error if it does not end in time.
pub(crate) fn ask(command: &Path, arguments: &[&str], stdin: File) -> io::Result<Output> {
    let file = |name| descriptors::memory_file(name);
    let (mut stdout, mut stderr) = (file("stdout")?, file("stderr")?);
    let mut child = Command::new(command)
        .args(arguments)
        .stdin(stdin)
        .stdout(stdout.try_clone()?)
        .stderr(stderr.try_clone()?)
        .spawn()?;
    let deadline = Instant::now() + ANSWER;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if Instant::now() > deadline {
            child.kill()?;
            child.wait()?;
            let seconds = ANSWER.as_secs();
            return Err(io::Error::other(format!("gives no answer in {seconds} s")));
        }
        thread::sleep(Duration::from_millis(2));
    };
    Ok(Output {
        status,
        stdout: content(&mut stdout)?,
        stderr: content(&mut stderr)?,
    })
}

fn content(file: &mut File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}
