//! The cage of a Program: all that it gives up before it sees the untrusted source, and each of its Tests with it.

use std::os::fd::BorrowedFd;
use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, RulesetStatus, Scope,
};
use nix::sys::prctl;
use nix::sys::resource::Resource;
use nix::sys::signal::Signal;
use nix::unistd::setsid;
use rustix::thread::{CapabilitySet, CapabilitySets, set_capabilities};
use seccompiler::BpfProgram;

use crate::errors::{SetupError, Step};
use crate::filter;
use crate::input::NamedInput;
use crate::limits::{limit, preset};
use crate::protocol::{LaunchRequest, WorkerSetup};
use crate::sys::{self, FormerAction};
use crate::{own_files, root, scratch};

/// What of the outside is kept for the Tests.
pub struct Kept {
    /// What SIGINT did.
    pub interrupt: FormerAction,
    /// The file of standard input, where it is to have a name.
    pub input: Option<NamedInput>,
}

/// Enter the cage, from the outside in. The files that `source` lists, if the request says so, are part of it.
pub fn enter(
    setup: &WorkerSetup,
    filter: &BpfProgram,
    request: LaunchRequest,
    source: BorrowedFd<'_>,
) -> Result<Kept, SetupError> {
    let has_scratch = setup.namespaces && request.scratch_bytes > 0;
    let has_files = setup.namespaces && request.files_bytes > 0;
    // The Worker is what the supervisor can kill; a Program without one would be left to itself.
    prctl::set_pdeathsig(Signal::SIGKILL).step("end with the worker")?;
    // A signal to the group of a Test is for the box. Without this the Worker would be in it, which is out of sight for the
    // box's pid namespace, but not out of reach.
    setsid().step("leave the worker's process group")?;
    // Its memory holds the compiled program, and the files of each Test before they are the Test's.
    prctl::set_dumpable(false).step("forbid tracing")?;
    // Python handles SIGINT; pid 1 is safe only from signals that it does not handle.
    let interrupt = sys::default_action(Signal::SIGINT).step("ignore interrupts")?;
    // While it still may mount.
    if has_scratch {
        let readable = [&setup.readable[..], &setup.executable].concat();
        scratch::enter(request.scratch_bytes, request.scratch_inodes, &readable)?;
    }
    if has_files {
        own_files::mount(source, request.files_at, request.files_bytes)?;
    }
    let input = if setup.namespaces && request.named_input != 0 {
        Some(NamedInput::mount(&setup.links)?)
    } else {
        None
    };
    if request.address_space == u64::MAX {
        // What is reserved takes nothing, but what can be written to might.
        limit(Resource::RLIMIT_DATA, request.data)?;
    } else {
        limit(Resource::RLIMIT_AS, request.address_space)?;
        // Part of that: a lower one of the host's would end programs that keep to theirs.
        preset(Resource::RLIMIT_DATA, request.data)?;
    }
    // The program may raise this one: what a deeper stack takes counts as address space and as memory all the same.
    preset(Resource::RLIMIT_STACK, request.stack)?;
    give_up_capabilities().step("give up all capabilities")?;
    if !setup.unguarded {
        restrict_files(setup, has_scratch, has_files).step("enter the landlock domain")?;
    }
    // The filter last, as it forbids all of the above.
    filter::install(filter).step("install the program's filter")?;
    Ok(Kept { interrupt, input })
}

/// It had them in the Worker's user namespace, which brings them to whoever makes it.
fn give_up_capabilities() -> rustix::io::Result<()> {
    let none = CapabilitySet::empty();
    let sets = CapabilitySets {
        effective: none,
        permitted: none,
        inheritable: none,
    };
    set_capabilities(None, sets)
}

/// Allow reading what the interpreter needs, executing what is meant for it, and writing in the scratch directory; deny every
/// other file, all TCP, and abstract sockets and signals that leave the box.
///
/// A kernel that knows only some of these rights denies only those: the namespaces and the filters stand without them.
fn restrict_files(
    setup: &WorkerSetup,
    has_scratch: bool,
    has_files: bool,
) -> Result<(), Box<dyn std::error::Error>> {
    let mut ruleset = Ruleset::default()
        .handle_access(AccessFs::from_all(ABI::V5))?
        .handle_access(AccessNet::from_all(ABI::V4))?
        .scope(Scope::from_all(ABI::V6))?
        .create()?;
    if setup.namespaces {
        // All of a root that was made for this.
        ruleset = allow_reading(ruleset, Path::new("/"))?;
    } else {
        let devices = root::DEVICES.iter().map(Path::new);
        let libraries = setup.readable.iter().map(AsRef::as_ref);
        for path in devices.chain(libraries) {
            ruleset = allow_reading(ruleset, path)?;
        }
    }
    let null = PathFd::new("/dev/null")?;
    ruleset = ruleset.add_rule(PathBeneath::new(null, AccessFs::WriteFile))?;
    if has_scratch {
        let place = PathFd::new(scratch::PLACE)?;
        ruleset = ruleset.add_rule(PathBeneath::new(place, scratch_access()))?;
    }
    let own = has_files.then_some(Path::new(own_files::PLACE));
    let executable = setup.executable.iter().map(AsRef::as_ref);
    for path in executable.chain(own) {
        let rule = PathBeneath::new(PathFd::new(path)?, AccessFs::Execute);
        ruleset = ruleset.add_rule(rule)?;
    }
    match ruleset.restrict_self()?.ruleset {
        RulesetStatus::NotEnforced => Err("the kernel has no landlock".into()),
        _ => Ok(()),
    }
}

fn allow_reading(
    ruleset: RulesetCreated,
    path: &Path,
) -> Result<RulesetCreated, Box<dyn std::error::Error>> {
    let rights = if path.is_dir() {
        AccessFs::ReadFile | AccessFs::ReadDir
    } else {
        // The kernel refuses rights that a file cannot have.
        AccessFs::ReadFile.into()
    };
    Ok(ruleset.add_rule(PathBeneath::new(PathFd::new(path)?, rights))?)
}

/// Everything that one does with files, but for running them and for making those that stand for something else.
fn scratch_access() -> BitFlags<AccessFs> {
    AccessFs::from_all(ABI::V5)
        & !(AccessFs::Execute
            | AccessFs::MakeChar
            | AccessFs::MakeBlock
            | AccessFs::MakeSock
            | AccessFs::IoctlDev)
}
