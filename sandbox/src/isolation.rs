//! What protects a run: what was asked for, what this machine gives, and what is missing.

use std::borrow::Cow;
use std::fs;
use std::os::unix::fs::MetadataExt;

use serde::{Deserialize, Serialize};

use crate::cgroup::Hierarchy;
use crate::image::Image;
use crate::runtime::Runtime;
use crate::{
    Grants, Harness, Interpreter, LaunchError, Level, Limits, Program, SandboxError, Termination,
};

/// What is really in force in a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Isolation {
    /// Kinds of namespaces: `user`, `mount`, `pid`, `net`, `ipc`, `uts`, `cgroup`.
    pub namespaces: Vec<String>,
    /// Whether the seccomp filters are.
    pub seccomp: bool,
    /// The landlock ABI; 0 for none.
    pub landlock: u32,
    /// The version of the cgroup around each worker, `v2` or `v1`, if there is one.
    pub cgroup: Option<String>,
}

impl Isolation {
    pub(crate) fn of(level: Level, hierarchy: Option<&Hierarchy>) -> Isolation {
        let namespaces = ["user", "mount", "pid", "net", "ipc", "uts", "cgroup"];
        Isolation {
            namespaces: if level.has_namespaces() {
                namespaces.map(String::from).to_vec()
            } else {
                Vec::new()
            },
            seccomp: level.is_guarded(),
            landlock: if level.is_guarded() {
                sandbox_guard::sys::landlock_abi()
            } else {
                0
            },
            cgroup: hierarchy.map(|hierarchy| hierarchy.version().to_owned()),
        }
    }

    /// What the landlock ABI in force does not deny. The filters, and namespaces where there are any, deny it all the same:
    /// it is the second lock that is missing.
    pub fn landlock_gaps(&self) -> Vec<&'static str> {
        landlock_gaps(self.landlock)
    }
}

/// What an ABI of landlock cannot deny yet, and a later one can.
fn landlock_gaps(abi: u32) -> Vec<&'static str> {
    [
        (3, "truncation"),
        (4, "TCP"),
        (5, "requests to devices"),
        (6, "signals"),
        (6, "abstract sockets"),
    ]
    .into_iter()
    .filter_map(|(first, right)| (abi < first).then_some(right))
    .collect()
}

/// One line of a diagnosis.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Diagnosis {
    /// What was looked at.
    pub name: Cow<'static, str>,
    /// Whether it is there.
    pub ok: bool,
    /// Whether the default level needs it.
    pub needed: bool,
    /// What was seen.
    pub detail: String,
    /// How to get it, if it is not there.
    pub hint: Option<Cow<'static, str>>,
}

const INTERPRETER_HINT: &str = "install CPython 3.9 or newer, or name one with --python";
const NUMPY_HINT: &str = "install numpy for this interpreter if your submissions import it";
const NUMPY_IN_BOX_HINT: &str = "submissions that import numpy fail: install it, and the libraries that it loads, where the \
     interpreter's own files are";
const LIMITS_HINT: &str =
    "start mc-eval under higher hard limits (`ulimit -Ha` shows them; a batch system may set them)";
const SHARED_MEMORY_HINT: &str = "let submissions ask for `flags=mmap.MAP_PRIVATE`: shared memory outlives its mapping and counts \
     towards no process, so no program gets it";
const LANDLOCK_HINT: &str = "use Linux 5.13 or newer with landlock in the `lsm=` boot parameter";
const CGROUP_HINT: &str = "memory is limited per process even without a cgroup; to limit whole workers too, run as root or under \
     `systemd-run --user --scope -p Delegate=yes`";
const BOX_HINT: &str = "allow user namespaces: `sysctl user.max_user_namespaces=16384`, and where they exist \
     `sysctl kernel.unprivileged_userns_clone=1` and `sysctl kernel.apparmor_restrict_unprivileged_userns=0`; in a \
     container, let its seccomp profile permit unshare, mount and clone. Or accept less with --isolation reduced";

const REDUCED_HINT: &str =
    "root is refused without namespaces: run as another user, or use --isolation full";

/// Look at everything that the isolation of `level` rests on, by trying it.
pub fn diagnose(interpreter: Result<&Interpreter, &SandboxError>, level: Level) -> Vec<Diagnosis> {
    let mut findings = match interpreter {
        Ok(python) => look_at_interpreter(python),
        Err(error) => vec![finding("interpreter", true, Err(error), INTERPRETER_HINT)],
    };
    let landlock = match sandbox_guard::sys::landlock_abi() {
        0 => Err("not in this kernel".to_owned()),
        abi => Ok(describe_landlock(abi)),
    };
    findings.push(finding("landlock", true, landlock, LANDLOCK_HINT));
    let cgroup = Hierarchy::find().map(|hierarchy| hierarchy.version().to_owned());
    findings.push(finding("cgroup", false, cgroup, CGROUP_HINT));
    if let Ok(python) = interpreter {
        findings.extend(look_at_box(python, level));
    }
    findings
}

fn describe_landlock(abi: u32) -> String {
    let gaps = landlock_gaps(abi);
    if gaps.is_empty() {
        format!("ABI {abi}")
    } else {
        let gaps = gaps.join(", ");
        format!("ABI {abi}, without {gaps}, which only the other mechanisms deny")
    }
}

fn look_at_interpreter(python: &Interpreter) -> Vec<Diagnosis> {
    let place = python.executable.display();
    let found: Result<_, String> = Ok(format!("CPython {} at {place}", python.version));
    let numpy = python.numpy.clone().ok_or("not installed");
    vec![
        finding("interpreter", true, found, INTERPRETER_HINT),
        finding("numpy", false, numpy, NUMPY_HINT),
    ]
}

/// Start a box, which fails unless all of it can be had.
fn look_at_box(python: &Interpreter, level: Level) -> Vec<Diagnosis> {
    let full = level.has_namespaces();
    let start = |image: &Image| Runtime::start(image, level, None);
    let image = Image::new(python, &Harness::SCRIPT);
    let started = image.and_then(|image| Ok((start(&image)?, image)));
    let (runtime, image) = match started {
        Ok(started) => started,
        Err(error) => {
            let refused = !full && fs::metadata("/proc/self").is_ok_and(|me| me.uid() == 0);
            let hint = if refused { REDUCED_HINT } else { BOX_HINT };
            return vec![finding("box", true, Err(error), hint)];
        }
    };
    let kinds = Isolation::of(level, None).namespaces.join(" ");
    let namespaces = if full {
        Ok(kinds)
    } else {
        Err("not asked for")
    };
    let seccomp: Result<_, String> = Ok("a filter was installed".to_owned());
    let mut findings = vec![
        finding("namespaces", full, namespaces, BOX_HINT),
        finding("seccomp", true, seccomp, BOX_HINT),
        finding("limits", true, allows_limits(&runtime), LIMITS_HINT),
        finding(
            "shared memory",
            false,
            shares_memory(&runtime),
            SHARED_MEMORY_HINT,
        ),
    ];
    if python.numpy.is_some() {
        let imported = start(&image.importing(&["numpy"])).map(|_| "imported".to_owned());
        findings.push(finding("numpy in a box", true, imported, NUMPY_IN_BOX_HINT));
    }
    findings
}

/// Run a program that does nothing: the limits under which this process was started may not allow those that programs are
/// given.
///
/// # Errors
/// It does not end as it should.
pub fn try_out(runtime: &Runtime, nothing: &Program) -> Result<(), SandboxError> {
    let why = match ends(runtime, nothing) {
        Ok(Termination::Exited(0)) => return Ok(()),
        Ok(other) => format!("a program that does nothing ends otherwise: {other:?}"),
        Err(LaunchError::Host(SandboxError::Worker(why)) | LaunchError::Rejected(why)) => why,
        Err(LaunchError::Host(error)) => return Err(error),
    };
    Err(SandboxError::Isolation(why))
}

/// Whether programs can be given their limits.
fn allows_limits(runtime: &Runtime) -> Result<String, SandboxError> {
    try_out(runtime, &script("")).map(|()| "those of programs can be set".to_owned())
}

/// Whether a program can have memory that it could share with another process.
fn shares_memory(runtime: &Runtime) -> Result<String, String> {
    match ends(runtime, &script("import mmap\nmmap.mmap(-1, 1)")) {
        Ok(Termination::Exited(0)) => Ok("allowed".to_owned()),
        Ok(_) => Err("`mmap.mmap(-1, n)` is denied".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

fn script(source: &str) -> Program {
    Program {
        text: source.into(),
        grants: Grants::JUDGED,
    }
}

/// How a program ends.
fn ends(runtime: &Runtime, program: &Program) -> Result<Termination, LaunchError> {
    let limits = Limits::default();
    let mut boxed = runtime.launch(program, &limits)?;
    Ok(boxed.run(b"", &limits, 0)?.termination)
}

/// What was seen, or else what is missing.
fn finding(
    name: &'static str,
    needed: bool,
    seen: Result<String, impl std::fmt::Display>,
    hint: &'static str,
) -> Diagnosis {
    let ok = seen.is_ok();
    Diagnosis {
        name: name.into(),
        ok,
        needed,
        detail: seen.unwrap_or_else(|missing| missing.to_string()),
        hint: (!ok).then_some(hint.into()),
    }
}
