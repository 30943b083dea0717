//! Boxes on kernels that offer less than this one.
//!
//! A test of this kind starts itself once more, where what it needs is in force.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use sandbox::{Harness, Image, LaunchError, Level, Limits, Sandbox, SandboxError, Termination};
use tempfile::TempDir;

use super::{a_moment, interpreter, limits, runtime, sandbox, script};

/// Set in a test that was started by itself.
const INSIDE: &str = "SANDBOX_TEST_INSIDE";

/// Have `command` run the test `name` again; false in that second run.
fn runs_inside(name: &str, mut command: Command) -> bool {
    if std::env::var_os(INSIDE).is_some() {
        return false;
    }
    let name = format!("kernels::{name}");
    command.args(["--exact", &name]).env(INSIDE, "1");
    let ran = command.output().expect("the test starts again");
    let said = String::from_utf8_lossy(&ran.stdout);
    assert!(said.contains("1 passed"), "{ran:?}");
    true
}

fn myself() -> PathBuf {
    std::env::current_exe().expect("this test is a file")
}

/// This test, started on another kernel.
fn on_kernel(option: &str, value: &str) -> Command {
    let mut command = Command::new(interpreter().executable);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/run/other_kernel.py");
    command.args([script, option, value]).arg(myself());
    command
}

#[test]
fn a_signal_to_the_group_stays_in_the_box_where_landlock_knows_no_signals() {
    if runs_inside(
        "a_signal_to_the_group_stays_in_the_box_where_landlock_knows_no_signals",
        on_kernel("--landlock", "5"),
    ) {
        return;
    }
    let isolation = sandbox().isolation().clone();
    assert_eq!(isolation.landlock, 5);
    assert_eq!(isolation.landlock_gaps(), ["signals", "abstract sockets"]);
    let runtime = runtime();
    // Several times, as the worker would not die at once.
    for _ in 0..3 {
        let program = script("import os\nos.kill(0, 9)");
        let mut boxed = runtime.launch(&program, &limits()).expect("it compiles");
        let outcome = boxed.run(b"", &limits(), 0).expect("the host is sound");
        assert_eq!(outcome.termination, Termination::Signaled(9));
    }
    assert!(runtime.is_usable());
}

#[test]
fn a_cage_that_cannot_be_made_is_no_compile_error() {
    if runs_inside(
        "a_cage_that_cannot_be_made_is_no_compile_error",
        on_kernel("--without", "capset"),
    ) {
        return;
    }
    let launched = runtime().launch(&script("print(1)"), &limits());
    match launched {
        Err(LaunchError::Host(SandboxError::Worker(why))) => {
            assert!(why.contains("capabilities"), "{why}")
        }
        other => panic!("{other:?}"),
    }
}

/// Each mechanism with a call that it rests on, and a word of what is said without it.
const MECHANISMS: [(&str, &str); 7] = [
    ("unshare", "namespace"),
    ("mount", "mounts"),
    ("pivot_root", "root"),
    ("sethostname", "host name"),
    ("seccomp", "filter"),
    ("landlock_create_ruleset", "landlock"),
    ("landlock_restrict_self", "landlock"),
];

#[test]
fn without_any_one_mechanism_nothing_runs() {
    const WORD: &str = "SANDBOX_TEST_WORD";
    let started_again = MECHANISMS.iter().all(|(call, word)| {
        let mut command = on_kernel("--without", call);
        command.env(WORD, word);
        runs_inside("without_any_one_mechanism_nothing_runs", command)
    });
    if started_again {
        return;
    }
    let word = std::env::var(WORD).expect("it was started again");
    let image = Image::new(&interpreter(), &Harness::SCRIPT).expect("the harness compiles");
    let launched = Sandbox::new(Level::Full)
        .and_then(|sandbox| sandbox.start(&image))
        .map_err(LaunchError::Host)
        .and_then(|runtime| runtime.launch(&script("print(1)"), &limits()));
    match launched {
        Err(LaunchError::Host(SandboxError::Isolation(why) | SandboxError::Worker(why))) => {
            assert!(why.contains(&word), "{why}")
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn without_isolation_limits_are_all_there_is() {
    let (_folder, command) = as_ordinary_user();
    if runs_inside("without_isolation_limits_are_all_there_is", command) {
        return;
    }
    let sandbox = Sandbox::new(Level::None).expect("any machine gives this");
    let isolation = sandbox.isolation();
    assert!(isolation.namespaces.is_empty() && !isolation.seccomp);
    assert_eq!(isolation.landlock, 0);
    let image = Image::new(&interpreter(), &Harness::SCRIPT).expect("the harness compiles");
    let runtime = sandbox.start(&image).expect("any machine gives this");
    let ends = |source: &str, limits: &Limits| {
        let mut boxed = runtime
            .launch(&script(source), limits)
            .expect("it compiles");
        boxed
            .run(b"", limits, 0)
            .expect("the host is sound")
            .termination
    };
    // What a box never shows, and none of its filters lets pass.
    let reaches = "import os, socket\nopen('/proc/self/status')\nsocket.socket()\nos.statvfs('/')";
    assert_eq!(ends(reaches, &limits()), Termination::Exited(0));
    assert_eq!(ends("while True: pass", &a_moment()), Termination::CpuLimit);
    assert_eq!(
        ends("bytearray(1 << 40)", &limits()),
        Termination::Exited(1)
    );
}

/// A folder of an ordinary user, and this test started by that user: root is not let into a box without namespaces.
fn as_ordinary_user() -> (TempDir, Command) {
    const NOBODY: u32 = 65534;
    let folder = tempfile::tempdir().expect("a folder");
    let copy = folder.path().join("test");
    // By a process of its own: what other threads start would hold a file that is open here for writing, which cannot be run.
    let copied = Command::new("cp").arg(myself()).arg(&copy).status();
    assert!(copied.expect("cp starts").success());
    let mut command = Command::new(copy);
    if std::os::unix::fs::MetadataExt::uid(&fs::metadata("/proc/self").expect("/proc")) == 0 {
        std::os::unix::fs::chown(folder.path(), Some(NOBODY), Some(NOBODY)).expect("root may");
        // An interpreter of root's own may lie where no other user gets to.
        command
            .uid(NOBODY)
            .gid(NOBODY)
            .env("PYTHON", "/usr/bin/python3");
    }
    command.env("TMPDIR", folder.path());
    (folder, command)
}

#[test]
fn without_namespaces_no_file_of_the_user_can_be_changed() {
    let (_folder, command) = as_ordinary_user();
    if runs_inside(
        "without_namespaces_no_file_of_the_user_can_be_changed",
        command,
    ) {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("file");
    fs::write(&file, "content").expect("a file");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).expect("its owner may");
    let before = state(&file);
    let source = format!(
        "import os\n\
         def attempt(call, *arguments):\n\
         \x20   try:\n\
         \x20       call({file:?}, *arguments)\n\
         \x20       print(call.__name__)\n\
         \x20   except OSError:\n\
         \x20       pass\n\
         attempt(open)\n\
         attempt(open, 'a')\n\
         attempt(os.chmod, 0)\n\
         attempt(os.utime, (0, 0))\n\
         attempt(os.truncate, 0)\n\
         attempt(os.unlink)\n\
         attempt(os.rename, {file:?} + '2')\n\
         os.kill(0, 9)"
    );
    let sandbox = Sandbox::new(Level::Reduced).expect("this kernel has landlock");
    let image = Image::new(&interpreter(), &Harness::SCRIPT).expect("the harness compiles");
    let runtime = sandbox
        .start(&image)
        .expect("an ordinary user gets this much");
    let mut boxed = runtime
        .launch(&script(&source), &limits())
        .expect("it compiles");
    let outcome = boxed.run(b"", &limits(), 0).expect("the host is sound");
    // Killing is refused with an exception.
    assert_eq!(outcome.termination, Termination::Exited(1), "{outcome:?}");
    assert_eq!(String::from_utf8_lossy(&outcome.stdout), "");
    assert_eq!(state(&file), before);
}

/// What a file holds, who may do what with it, and when it was changed.
fn state(file: &Path) -> (String, u32, std::time::SystemTime) {
    let seen = fs::metadata(file).expect("it is there");
    (
        fs::read_to_string(file).expect("its owner may"),
        seen.permissions().mode(),
        seen.modified().expect("files have times"),
    )
}
