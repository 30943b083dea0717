//! Compiles programs, each in a box: what its files become, or the compiler's words.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD as STANDARD;
use blake3::{Hash, Hasher};
use sandbox::{
    Executable, Files, Grants, LaunchError, Limits, Outcome, OwnFile, Program, Runtime,
    SandboxError, Termination,
};

use super::classes;
use super::toolchain::Toolchain;
use crate::SourceFile;

/// How the words begin about a compiler that was not done in time; the sandbox has the same of Python's own.
pub(crate) const TOOK_LONG: &str = "compiling took more than";

/// The signal that nothing withstands.
const SIGKILL: i32 = 9;

/// The longest message of a compiler that is kept, in bytes.
const MESSAGE: usize = 4000;
/// The most files, and the most bytes in them, that a compiler may make.
const FILES: u64 = 4096;
const BYTES: u64 = 128 << 20;
/// Memory of a compiler in bytes.
const MEMORY: u64 = 2 << 30;

/// A program as its author wrote it.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    /// What compiles it.
    pub toolchain: Arc<Toolchain>,
    /// The file that it begins with, one of `files`.
    pub main: PathBuf,
    /// All files, by their paths in the program's folder.
    pub files: Vec<(PathBuf, Vec<u8>)>,
    /// Whether it was given as a text, not as files.
    is_text: bool,
    /// CPU time for the compiler.
    limit: Duration,
}

impl Source {
    /// Of these files, for which the compiler has the time that is usual for the language.
    pub(crate) fn new(
        toolchain: Arc<Toolchain>,
        main: PathBuf,
        files: Vec<(PathBuf, Vec<u8>)>,
        is_text: bool,
    ) -> Source {
        let limit = Duration::from_secs(toolchain.language.compile_time);
        Source {
            toolchain,
            main,
            files,
            is_text,
            limit,
        }
    }

    /// Of a single text.
    pub(crate) fn of_text(toolchain: &Arc<Toolchain>, text: &str) -> Source {
        Source::beside(toolchain, text, &[])
    }

    /// Of a single text, with files beside it that it may refer to.
    pub(crate) fn beside(toolchain: &Arc<Toolchain>, text: &str, given: &[SourceFile]) -> Source {
        let main = PathBuf::from(toolchain.language.file_name(text));
        let given = given.iter().map(content_by_path);
        let mut files: Vec<(PathBuf, Vec<u8>)> = given.filter(|(path, _)| *path != main).collect();
        // Not every compiler passes over a byte order mark.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        files.push((main.clone(), text.as_bytes().to_vec()));
        Source::new(toolchain.clone(), main, files, true)
    }

    /// The same, with so much CPU time for the compiler.
    pub(crate) fn within(self, limit: Duration) -> Source {
        Source { limit, ..self }
    }

    /// Of files, of which the first is the main one. Where there is but one, it gets the name that its text asks for.
    pub(crate) fn of_files(toolchain: &Arc<Toolchain>, files: &[SourceFile]) -> Source {
        let mut files: Vec<(PathBuf, Vec<u8>)> = files.iter().map(content_by_path).collect();
        if let [(name, content)] = &mut files[..]
            && let Some(asked) = toolchain
                .language
                .asked_name(&String::from_utf8_lossy(content))
        {
            *name = PathBuf::from(asked);
        }
        let main = files.first().map(|(name, _)| name.clone());
        Source::new(toolchain.clone(), main.unwrap_or_default(), files, false)
    }

    /// Of all that decides what the compiler makes of it.
    pub(crate) fn key(&self) -> Hash {
        let mut hasher = Hasher::new();
        let mut field = |bytes: &[u8]| {
            hasher.update(&(bytes.len() as u64).to_le_bytes());
            hasher.update(bytes);
        };
        field(self.toolchain.language.name.as_bytes());
        field(self.toolchain.version.as_bytes());
        field(format!("{:?}", self.toolchain.compile).as_bytes());
        field(self.main.as_os_str().as_encoded_bytes());
        field(&self.limit.as_nanos().to_le_bytes());
        for (path, content) in &self.files {
            field(path.as_os_str().as_encoded_bytes());
            field(content);
        }
        hasher.finalize()
    }

    /// The paths in a box of the main file and of all others that the language's endings fit; what lies beside a text is there
    /// for that to refer to.
    fn paths(&self) -> Vec<String> {
        let is_part = |path: &PathBuf| !self.is_text && self.toolchain.language.has_ending(path);
        let fits = |path: &&PathBuf| is_part(path) || **path == self.main;
        let files = self.files.iter().map(|(path, _)| path).filter(fits);
        files.map(|path| in_box(path)).collect()
    }

    /// A command with all of the program filled in.
    fn command(&self, command: &[String], class: Option<&str>) -> Vec<String> {
        let mut filled = Vec::new();
        for part in command {
            match part.as_str() {
                "{sources}" => filled.extend(self.paths()),
                part => filled.push(
                    part.replace("{source}", &in_box(&self.main))
                        .replace("{class}", class.unwrap_or_default()),
                ),
            }
        }
        filled
    }

    /// Compile it, on a runtime that its toolchain's compiler runs in.
    ///
    /// # Errors
    /// The compiler rejects it, or the host failed.
    pub(crate) fn compile(&self, runtime: &Runtime) -> Result<Compiled, LaunchError> {
        let made = if self.toolchain.compile.is_empty() {
            Vec::new()
        } else {
            self.run_compiler(runtime)?
        };
        if let Some(why) = self.is_no_program(&made) {
            return Err(LaunchError::Rejected(why));
        }
        let class = classes::main_class(&made, &self.main);
        if class.is_none() && made.iter().any(classes::is_class) {
            let why = "no class has a method `public static void main(String[])`";
            return Err(LaunchError::Rejected(why.to_owned()));
        }
        Ok(Compiled {
            run: self.command(&self.toolchain.run, class.as_deref()),
            files: if made.is_empty() {
                self.decoded_files()?
            } else {
                made
            },
            toolchain: self.toolchain.clone(),
        })
    }

    /// Why what was made cannot be executed, if it cannot: Go makes an archive of what is no program.
    fn is_no_program(&self, made: &[OwnFile]) -> Option<String> {
        const PROGRAM: &str = "main";
        let run = self.toolchain.run.first()?;
        let program = made.iter().find(|file| file.path == Path::new(PROGRAM))?;
        let is_run = run
            .strip_suffix(PROGRAM)
            .is_some_and(|place| place.ends_with('/'));
        let hint = match self.toolchain.language.name.as_str() {
            "go" => ": it has to be of `package main`",
            _ => "",
        };
        (is_run && !program.executable)
            .then(|| format!("the compiler made nothing of it that can be executed{hint}"))
    }

    /// Its files as they are run. Those of a folder hold bytes; a text holds them in base64, where its language is no text.
    fn decoded_files(&self) -> Result<Vec<OwnFile>, LaunchError> {
        let mut files = self.own_files();
        if self.toolchain.language.base64 && self.is_text {
            for file in &mut files {
                let content = file.content.iter().copied();
                let content: Vec<u8> = content.filter(|byte| !byte.is_ascii_whitespace()).collect();
                let bytes = STANDARD.decode(content);
                file.content = bytes
                    .map_err(|error| LaunchError::Rejected(format!("it is no base64: {error}")))?;
            }
        }
        Ok(files)
    }

    fn own_files(&self) -> Vec<OwnFile> {
        let files = self.files.iter().map(|(path, content)| OwnFile {
            path: path.clone(),
            executable: self.toolchain.is_of_scripts(),
            content: content.clone(),
        });
        files.collect()
    }

    fn run_compiler(&self, runtime: &Runtime) -> Result<Vec<OwnFile>, LaunchError> {
        let limits = self.limits();
        let arguments = self.command(&self.toolchain.compile, None);
        let mut compiler = Executable::new(arguments);
        compiler.environment = self.toolchain.environment.clone();
        for file in self.own_files() {
            let named = compiler.file(&file.path, file.executable, &file.content);
            named.map_err(|error| LaunchError::Rejected(error.to_string()))?;
        }
        let program = compiler.program(Grants::COMPILER);
        let attempt = || -> Result<_, LaunchError> {
            let mut boxed = runtime.launch(&program, &limits)?;
            boxed.begin(Files::new(b"")?, &limits, 0)?;
            let outcome = boxed.finish()?;
            Ok((boxed, outcome))
        };
        let (mut boxed, mut outcome) = attempt()?;
        if was_killed(&outcome) {
            (boxed, outcome) = attempt()?;
        }
        if let Some(why) = rejection(&outcome, &limits) {
            return Err(LaunchError::Rejected(why));
        }
        let mut made = boxed.collect(FILES, BYTES)?;
        made.files.retain(|file| !is_hidden(&file.path));
        if !made.complete {
            let why = format!(
                "compiling made more than {FILES} files or {} MiB",
                BYTES >> 20
            );
            return Err(LaunchError::Rejected(why));
        }
        Ok(made.files)
    }

    fn limits(&self) -> Limits {
        let cpu = self.limit;
        let wall = cpu * 5 + Duration::from_secs(30);
        Limits {
            cpu,
            wall,
            // A driver sleeps while its compiler works.
            idle: wall,
            memory: MEMORY,
            tasks: 128,
            output: BYTES,
            scratch_bytes: 2 * BYTES,
            scratch_inodes: 16 << 10,
            open_files: 1024,
            ..Limits::default()
        }
    }
}

fn content_by_path(file: &SourceFile) -> (PathBuf, Vec<u8>) {
    (PathBuf::from(&file.name), file.content.to_vec())
}

fn in_box(path: &Path) -> String {
    format!("{}/{}", Executable::PLACE, path.display())
}

/// Whether a file is nobody's result, but what a compiler keeps for itself.
fn is_hidden(path: &Path) -> bool {
    let name = path.file_name().map(std::ffi::OsStr::as_encoded_bytes);
    name.is_some_and(|name| name.starts_with(b"."))
}

/// Why a compiler that ended so did not compile; `None` if it did.
fn rejection(outcome: &Outcome, limits: &Limits) -> Option<String> {
    let took = |what: String| Some(format!("{TOOK_LONG} {what}"));
    match outcome.termination {
        // All its processes together, of which each may have ended in time.
        _ if outcome.usage.cpu >= limits.cpu => took(format!("{:?} of CPU time", limits.cpu)),
        Termination::Exited(0) => None,
        Termination::CpuLimit => took(format!("{:?} of CPU time", limits.cpu)),
        Termination::WallLimit | Termination::IdleLimit => took(format!("{:?}", limits.wall)),
        Termination::MemoryLimit => took(format!("{} MiB of memory", limits.memory >> 20)),
        Termination::OutputLimit => took(format!("{} MiB for its output", limits.output >> 20)),
        Termination::Exited(status) => Some(words(outcome, &format!("exited with {status}"))),
        Termination::Signaled(signal) => {
            Some(words(outcome, &format!("was ended by signal {signal}")))
        }
    }
}

/// What compilers say of a part of theirs that was killed.
const KILLED: [&str; 3] = ["Killed", "signal: killed", "SIGKILL"];

/// Whether the compiler, or a part of it, may have been killed by the host, which says nothing of the source. One that only
/// makes it look so is compiled a second time, and no more.
fn was_killed(outcome: &Outcome) -> bool {
    let says = |words: &&str| memchr::memmem::find(&outcome.stderr, words.as_bytes()).is_some();
    match outcome.termination {
        Termination::Signaled(signal) => signal == SIGKILL,
        Termination::Exited(status) => status != 0 && KILLED.iter().any(says),
        _ => false,
    }
}

/// What the compiler said, in the author's terms: without the paths of the box.
fn words(outcome: &Outcome, how: &str) -> String {
    let said = [&outcome.stderr[..], &outcome.stdout[..]].map(|text| text.trim_ascii());
    let said = said.into_iter().find(|text| !text.is_empty());
    let Some(said) = said else {
        return format!("the compiler {how} and said nothing");
    };
    let text = String::from_utf8_lossy(&said[..said.len().min(4 * MESSAGE)]);
    let mut text = text
        .replace(&format!("{}/", Executable::PLACE), "")
        .replace("/tmp/", "");
    if text.len() > MESSAGE {
        text.truncate(text.floor_char_boundary(MESSAGE));
        text.push_str(" ...");
    }
    text
}

/// How a compiled program is called, and with what beside it.
pub(crate) struct Invocation<'a> {
    /// What follows its own command.
    pub arguments: &'a [String],
    /// The problem's limit in bytes.
    pub memory: u64,
    /// Files beside its own.
    pub files: &'a [OwnFile],
    /// Files that it finds in its working directory.
    pub scratch: &'a [OwnFile],
}

/// A program that is ready to run.
#[derive(Debug)]
pub(crate) struct Compiled {
    toolchain: Arc<Toolchain>,
    /// The command of a run, but for what its limits decide.
    run: Vec<String>,
    files: Vec<OwnFile>,
}

impl Compiled {
    /// Its language as this machine has it.
    pub(crate) fn toolchain(&self) -> &Arc<Toolchain> {
        &self.toolchain
    }

    /// Bytes that it takes.
    pub(super) fn size(&self) -> usize {
        self.files.iter().map(|file| file.content.len()).sum()
    }

    /// As a program that is invoked so.
    ///
    /// # Errors
    /// A file of it has a name that no box can have.
    pub(crate) fn program(&self, invocation: &Invocation<'_>) -> Result<Program, SandboxError> {
        let unnamed = |error: sandbox::BadPath| SandboxError::Worker(error.to_string());
        let command = self.invoked(invocation.memory)?;
        let arguments = invocation.arguments.iter().cloned();
        let mut executable = Executable::new(command.into_iter().chain(arguments));
        executable.environment = self.toolchain.environment.clone();
        for file in self.files.iter().chain(invocation.files) {
            let named = executable.file(&file.path, file.executable, &file.content);
            named.map_err(unnamed)?;
        }
        for file in invocation.scratch {
            let named = executable.scratch_file(&file.path, file.executable, &file.content);
            named.map_err(unnamed)?;
        }
        Ok(executable.program(Grants {
            reservations: self.toolchain.language.reserves,
            processes: self.toolchain.is_of_scripts(),
            ..Grants::JUDGED
        }))
    }

    /// The command of a run; the engine's is the one file that it plays.
    fn invoked(&self, memory: u64) -> Result<Vec<String>, SandboxError> {
        if !self.toolchain.language.engine {
            let mebibytes = (memory >> 20).max(1).to_string();
            let command = self.run.iter();
            return Ok(command
                .map(|part| part.replace("{memory}", &mebibytes))
                .collect());
        }
        match self.files.as_slice() {
            [module] => Ok(vec![in_box(&module.path)]),
            _ => {
                let why = "WebAssembly is run from one file";
                Err(SandboxError::Worker(why.to_owned()))
            }
        }
    }
}

impl Toolchain {
    /// The limits of a run, from those of its problem.
    pub(crate) fn limits(&self, limits: Limits) -> Limits {
        let language = &self.language;
        let memory = limits.memory;
        Limits {
            cpu: limits.cpu.mul_f64(language.time_factor),
            wall: limits.wall.mul_f64(language.time_factor),
            memory: memory + (language.memory_extra << 20),
            // All but what else it holds, so that it is the stack which ends endless recursion.
            stack: limits.stack.max(memory.saturating_sub(16 << 20)),
            open_files: limits.open_files.max(256),
            ..limits
        }
    }

    /// Whether its runtime said, with these last words, that there was no memory left.
    pub(crate) fn ran_out_of_memory(&self, stderr: &[u8]) -> bool {
        let words = &self.language.out_of_memory;
        words
            .iter()
            .any(|words| memchr::memmem::find(stderr, words.as_bytes()).is_some())
    }
}
