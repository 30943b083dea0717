//! What this machine has of a language: where its executables are, which version, and what they have to see in a box.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};

use sandbox::{Executable, Surroundings};

use super::table::Language;

/// Where a system has its libraries.
const LIBRARIES: [&str; 6] = [
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/etc/ld.so.cache",
];

/// What the kernel starts in place of an executable with shared libraries.
const LOADERS: [&str; 3] = [
    "/lib64/ld-linux-x86-64.so.2",
    "/lib/ld-linux-aarch64.so.1",
    "/lib/ld-musl-x86_64.so.1",
];

/// The link by which a runtime finds itself.
const OWN_EXECUTABLE: &str = "/proc/self/exe";

/// Links in a folder are followed this many levels below it.
const LINKS_DEPTH: usize = 4;

/// A language as this machine has it.
#[derive(Debug)]
pub struct Toolchain {
    /// The language.
    pub language: Language,
    /// What it tells of itself: `g++ (Debian 12.2.0-14) 12.2.0`.
    pub version: String,
    /// The command that compiles it, with what is the same for every program filled in.
    pub(super) compile: Vec<String>,
    /// The command that runs it, likewise.
    pub(super) run: Vec<String>,
    pub(super) environment: Vec<String>,
    /// What a compiler's box shows.
    pub(crate) compiler: Surroundings,
    /// What the box of a run shows.
    pub(crate) runner: Surroundings,
}

type Sought = Result<Arc<Toolchain>, String>;

/// The toolchain of a language, looked for once in the life of this process.
///
/// # Errors
/// What this machine lacks, as a sentence.
pub fn toolchain(language: &Language) -> Sought {
    static FOUND: Mutex<BTreeMap<String, Sought>> = Mutex::new(BTreeMap::new());
    let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
    let looked = found.entry(language.name.clone());
    looked
        .or_insert_with(|| Toolchain::find(language).map(Arc::new))
        .clone()
}

impl Toolchain {
    fn find(language: &Language) -> Result<Toolchain, String> {
        let lacks = |what: String| {
            let package = match language.package.as_str() {
                "" => String::new(),
                package => format!(" (Debian has it in {package})"),
            };
            format!("{} is not installed here: {what}{package}", language.name)
        };
        if language.engine && !cfg!(feature = "wasm") {
            let name = &language.name;
            return Err(format!(
                "{name} cannot be run: this is built without WebAssembly"
            ));
        }
        let home = match language.home.as_slice() {
            [] => None,
            command => Some(ask(command).map_err(lacks)?),
        };
        let mut finder = Finder {
            language,
            values: HashMap::new(),
        };
        if let Some(home) = home {
            finder.values.insert("home", home);
        }
        finder.toolchain().map_err(lacks)
    }
}

/// Looks for the parts of a toolchain.
struct Finder<'l> {
    language: &'l Language,
    /// What stands for the names in braces that are the same for every program.
    values: HashMap<&'static str, String>,
}

impl Finder<'_> {
    fn toolchain(mut self) -> Result<Toolchain, String> {
        let language = self.language;
        let place = [("files", Executable::PLACE), ("out", "/tmp")];
        let place = place.map(|(name, value)| (name, value.to_owned()));
        self.values.extend(place);
        let compiler = self.executable(&language.compile)?;
        let runner = self.executable(&language.run)?;
        self.find_home(compiler.as_ref().or(runner.as_ref()));
        self.find_standard(compiler.as_deref())?;
        self.try_sample(compiler.as_deref())?;
        let version = match language.version.as_slice() {
            [] => "built in".to_owned(),
            command => ask(command)?,
        };
        Ok(Toolchain {
            compile: self.command(&language.compile, compiler.as_deref()),
            run: self.command(&language.run, runner.as_deref()),
            environment: self.environment(),
            compiler: self.compiler_sees(compiler.as_deref())?,
            runner: self.runner_sees(runner.as_deref()),
            version,
            language: language.clone(),
        })
    }

    /// The path of the executable of a command, unless that is the program's own, or there is no command.
    fn executable(&self, command: &[String]) -> Result<Option<PathBuf>, String> {
        match command.first() {
            Some(first) if !first.starts_with("{files}") => on_path(&self.fill(first)).map(Some),
            _ => Ok(None),
        }
    }

    /// The folder of the toolchain, if no command was there to tell.
    fn find_home(&mut self, executable: Option<&PathBuf>) {
        let real = executable.and_then(|path| path.canonicalize().ok());
        let home = real
            .as_deref()
            .and_then(Path::parent)
            .and_then(Path::parent);
        if let Some(home) = home {
            let home = home.display().to_string();
            self.values.entry("home").or_insert(home);
        }
    }

    /// The newest standard that the compiler accepts: it is asked to read nothing.
    fn find_standard(&mut self, compiler: Option<&Path>) -> Result<(), String> {
        let (Some(compiler), false) = (compiler, self.language.standards.is_empty()) else {
            return Ok(());
        };
        let accepts = |standard: &&String| {
            let flag = format!("-std={standard}");
            let arguments = [&flag, "-fsyntax-only", "-x", "c", "/dev/null"];
            let language = if standard.contains("++") { "c++" } else { "c" };
            let arguments = arguments.map(|it| if it == "c" { language } else { it });
            let asked = Command::new(compiler).args(arguments).output();
            asked.is_ok_and(|output| output.status.success())
        };
        let accepted = self.language.standards.iter().find(accepts);
        let standard = accepted.ok_or("its compiler knows none of the standards")?;
        self.values.insert("standard", standard.clone());
        Ok(())
    }

    /// Compile the sample of the table, if there is one: a compiler may be there without the libraries that it needs for this.
    fn try_sample(&self, compiler: Option<&Path>) -> Result<(), String> {
        let (Some(compiler), false) = (compiler, self.language.sample.is_empty()) else {
            return Ok(());
        };
        let failed = |error: io::Error| format!("its compiler cannot be tried: {error}");
        let folder = OwnFolder::new(&self.language.name).map_err(failed)?;
        let source = folder.0.join(&self.language.main);
        fs::write(&source, &self.language.sample).map_err(failed)?;
        let [place, source] = [&folder.0, &source].map(|path| path.display().to_string());
        let arguments = self.language.compile.iter().skip(1).map(|part| {
            let part = part.replace("{out}", &place);
            self.fill(
                &part
                    .replace("{sources}", &source)
                    .replace("{source}", &source),
            )
        });
        let output = Command::new(compiler)
            .args(arguments)
            // What one that is killed leaves goes with the folder.
            .env("TMPDIR", &folder.0)
            .output()
            .map_err(failed)?;
        match output.status.success() {
            true => Ok(()),
            false => {
                let said = String::from_utf8_lossy(&output.stderr);
                let line = said.lines().next().unwrap_or("it says nothing");
                Err(format!("its compiler fails on an empty program: {line}"))
            }
        }
    }

    fn fill(&self, text: &str) -> String {
        let filled = self.values.iter();
        filled.fold(text.to_owned(), |text, (name, value)| {
            text.replace(&format!("{{{name}}}"), value)
        })
    }

    fn command(&self, command: &[String], executable: Option<&Path>) -> Vec<String> {
        let mut filled: Vec<String> = command.iter().map(|part| self.fill(part)).collect();
        if let (Some(first), Some(path)) = (filled.first_mut(), executable) {
            *first = path.display().to_string();
        }
        filled
    }

    fn environment(&self) -> Vec<String> {
        let common = [
            ("HOME", "/tmp"),
            ("TMPDIR", "/tmp"),
            ("PATH", "/usr/local/bin:/usr/bin:/bin"),
            ("LANG", "C.UTF-8"),
        ];
        let is_stated = |name: &str| self.language.environment.contains_key(name);
        let common = common.into_iter().filter(|(name, _)| !is_stated(name));
        let common = common.map(|(name, value)| format!("{name}={value}"));
        let own = self.language.environment.iter();
        let own = own.map(|(name, value)| format!("{name}={}", self.fill(value)));
        common.chain(own).collect()
    }

    fn compiler_sees(&self, compiler: Option<&Path>) -> Result<Surroundings, String> {
        let Some(compiler) = compiler else {
            return Ok(Surroundings::default());
        };
        let mut readable = chain(compiler);
        for tool in &self.language.tools {
            readable.extend(chain(&on_path(tool)?));
        }
        readable.extend(existing(&LIBRARIES));
        readable.extend(self.reads(&self.language.compile_reads));
        Ok(Surroundings {
            executable: readable
                .iter()
                .filter(|path| path.exists())
                .cloned()
                .collect(),
            readable,
            links: own_link(compiler),
        })
    }

    fn runner_sees(&self, runner: Option<&Path>) -> Surroundings {
        let mut readable = self.reads(&self.language.run_reads);
        if self.language.libraries {
            readable.extend(existing(&LIBRARIES));
        }
        let Some(runner) = runner else {
            return Surroundings {
                readable,
                ..Surroundings::default()
            };
        };
        readable.extend(chain(runner));
        let mut executable = existing(&LOADERS);
        executable.extend(runner.canonicalize());
        Surroundings {
            readable,
            executable,
            links: own_link(runner),
        }
    }

    /// What is there of these paths, with what the links in a toolchain's own folder lead to.
    fn reads(&self, paths: &[String]) -> Vec<PathBuf> {
        let mut found = Vec::new();
        for path in paths {
            let place = PathBuf::from(self.fill(path));
            if path.starts_with("{home}") && is_below_libraries(&place) {
                follow_links(&place, LINKS_DEPTH, &mut found);
            }
            if place.exists() {
                found.push(place);
            }
        }
        found
    }
}

/// Whether a toolchain has a folder to itself among the system's libraries: links in the folder of all of them lead anywhere.
fn is_below_libraries(place: &Path) -> bool {
    place
        .parent()
        .is_some_and(|parent| parent.starts_with("/usr/lib"))
}

/// A folder of this process's own, which goes when it is dropped.
struct OwnFolder(PathBuf);

impl OwnFolder {
    fn new(name: &str) -> io::Result<OwnFolder> {
        let name = format!("mc-eval-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(name);
        // One that is there already is somebody else's.
        fs::create_dir(&path)?;
        Ok(OwnFolder(path))
    }
}

impl Drop for OwnFolder {
    fn drop(&mut self) {
        // What is left of it is in nobody's way.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Add what the links in `folder` lead to, and in the folders below.
fn follow_links(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let (path, kind) = (entry.path(), entry.file_type());
        match kind {
            Ok(kind) if kind.is_symlink() => found.extend(led_to(&path)),
            Ok(kind) if kind.is_dir() && depth > 0 => follow_links(&path, depth - 1, found),
            _ => {}
        }
    }
}

/// What a link leads to, if it is a file or a folder: a device cannot be shown.
fn led_to(link: &Path) -> Option<PathBuf> {
    let target = link.canonicalize().ok()?;
    (target.is_file() || target.is_dir()).then(|| with_its_folder(target))
}

/// The folder of a file, unless all kinds of programs have theirs there.
fn with_its_folder(path: PathBuf) -> PathBuf {
    match path.parent() {
        Some(folder) if path.is_file() && folder.components().count() > 2 => folder.to_owned(),
        _ => path,
    }
}

fn own_link(executable: &Path) -> Vec<(PathBuf, PathBuf)> {
    let real = executable.canonicalize();
    real.map(|real| vec![(PathBuf::from(OWN_EXECUTABLE), real)])
        .unwrap_or_default()
}

fn existing(paths: &[&str]) -> Vec<PathBuf> {
    let paths = paths.iter().map(PathBuf::from);
    paths.filter(|path| path.exists()).collect()
}

/// A path, and each that the links on the way from it to a file name.
fn chain(path: &Path) -> Vec<PathBuf> {
    let mut chain = vec![path.to_owned()];
    let mut last = path.to_owned();
    while let Ok(target) = fs::read_link(&last) {
        let folder = last.parent().unwrap_or(Path::new("/"));
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let next = plain(&folder.join(target));
        // A circle of links leads to nothing.
        if chain.contains(&next) {
            break;
        }
        chain.push(next.clone());
        last = next;
    }
    chain
}

/// A path without `..`, of which no folder is a link.
fn plain(path: &Path) -> PathBuf {
    match (path.parent().map(Path::canonicalize), path.file_name()) {
        (Some(Ok(folder)), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}

/// Where the search path has an executable.
fn on_path(name: &str) -> Result<PathBuf, String> {
    let is_executable = |path: &PathBuf| {
        let seen = fs::metadata(path);
        seen.is_ok_and(|seen| seen.is_file() && seen.permissions().mode() & 0o111 != 0)
    };
    let path = std::env::var_os("PATH").unwrap_or_default();
    let places = std::env::split_paths(&path).map(|folder| folder.join(name));
    let found = places.into_iter().find(is_executable);
    found
        .map(|path| plain(&path))
        .ok_or_else(|| format!("there is no {name}"))
}

/// The first line with a digit, or else the first line, that a command prints.
fn ask(command: &[String]) -> Result<String, String> {
    let (name, arguments) = command.split_first().ok_or("nothing can be asked")?;
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => format!("there is no {name}"),
        _ => format!("{name}: {error}"),
    };
    let output = Command::new(name)
        .args(arguments)
        .output()
        .map_err(failed)?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Err(format!("{name} does not run ({}): {said}", output.status));
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let told = lines
        .clone()
        .find(|line| line.contains(|c: char| c.is_ascii_digit()))
        .or_else(|| lines.next());
    told.map(str::to_owned)
        .ok_or_else(|| format!("{name} tells nothing"))
}

/// What a folder with scripts is called where languages have names. None of the table's can be called so.
const SCRIPTS: &str = "scripts `build` and `run`";

/// What scripts may start: whatever a system has.
const SYSTEM: [&str; 8] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib64",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/java",
];

/// Has `build` make what `run` starts, in the folder of what compiling leaves. Nothing can be executed there, so that `build`
/// is called where it lies.
const BUILD: &str = "cp -R /program/. . && chmod -R u+w . && if [ -e build ]; then /program/build || exit; fi && \
                     { [ -f run ] || { echo 'there is no run' >&2; exit 1; }; } && chmod +x run";

impl Toolchain {
    /// For programs that come as a folder with a script `run`, or with a script `build` that makes it. They may start whatever
    /// this system has, in their box, and so are never a candidate's.
    ///
    /// # Errors
    /// There is no shell.
    pub(crate) fn of_scripts() -> Sought {
        let shell = on_path("sh")?.display().to_string();
        let language = Language {
            name: SCRIPTS.to_owned(),
            time_factor: 1.0,
            compile_time: 90,
            reserves: true,
            ..Language::default()
        };
        let finder = Finder {
            language: &language,
            values: HashMap::new(),
        };
        let environment = finder.environment();
        let seen = Surroundings {
            readable: existing(&SYSTEM),
            executable: existing(&SYSTEM),
            links: Vec::new(),
        };
        Ok(Arc::new(Toolchain {
            version: "the system's".to_owned(),
            compile: [&shell, "-c", BUILD].map(str::to_owned).to_vec(),
            run: vec![format!("{}/run", Executable::PLACE)],
            environment,
            compiler: seen.clone(),
            runner: seen,
            language,
        }))
    }

    /// Whether it is for folders with scripts.
    pub(super) fn is_of_scripts(&self) -> bool {
        self.language.name == SCRIPTS
    }
}
