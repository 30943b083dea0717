//! Programs that are executables, in real boxes.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use sandbox::{
    Executable, Files, Grants, Image, Level, Limits, Outcome, Program, Runtime, Sandbox,
    Surroundings, Termination,
};

/// What the C compiler makes of a source, without shared libraries.
fn compiled(source: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (code, binary) = (folder.path().join("a.c"), folder.path().join("a"));
    std::fs::write(&code, source).expect("a file in it");
    let compiler = Command::new("cc")
        .args(["-O1", "-static", "-pthread", "-w", "-o"])
        .args([&binary, &code])
        .status();
    assert!(compiler.expect("a C compiler is installed").success());
    std::fs::read(binary).expect("it wrote an executable")
}

fn runtime() -> Runtime {
    let sandbox = Sandbox::new(Level::Full).expect("this machine gives the default isolation");
    sandbox
        .start(&Image::native(Surroundings::default()))
        .expect("a worker starts")
}

fn program(source: &str) -> Program {
    let mut executable = Executable::new(["/program/main", "one", "two"]);
    executable.environment.push("COLOUR=blue".into());
    let binary = compiled(source);
    executable.file("main", true, &binary).expect("a name");
    executable
        .file("data/words", false, b"hello")
        .expect("a name");
    executable.program(Grants::JUDGED)
}

fn limits() -> Limits {
    Limits {
        cpu: Duration::from_secs(20),
        memory: 64 << 20,
        ..Limits::default()
    }
}

/// For programs that never end: no other limit is as near.
fn a_moment() -> Limits {
    Limits {
        cpu: Duration::from_millis(500),
        ..limits()
    }
}

fn run(source: &str, stdin: &str) -> Outcome {
    run_within(&limits(), source, stdin)
}

fn run_within(limits: &Limits, source: &str, stdin: &str) -> Outcome {
    let mut boxed = runtime()
        .launch(&program(source), limits)
        .expect("the host is sound");
    boxed
        .run(stdin.as_bytes(), limits, 0)
        .expect("the host is sound")
}

#[track_caller]
fn prints(source: &str, stdin: &str, expected: &str) {
    let outcome = run(source, stdin);
    assert_eq!(
        (
            outcome.termination,
            String::from_utf8_lossy(&outcome.stdout).as_ref()
        ),
        (Termination::Exited(0), expected),
        "{}",
        String::from_utf8_lossy(&outcome.stderr)
    );
}

#[track_caller]
fn ends(source: &str, expected: Termination) {
    let outcome = run(source, "");
    assert_eq!(outcome.termination, expected, "{:?}", outcome.usage);
}

#[track_caller]
fn never_ends(source: &str) {
    let outcome = run_within(&a_moment(), source, "");
    let usage = outcome.usage;
    assert_eq!(outcome.termination, Termination::CpuLimit, "{usage:?}");
}

const HEADERS: &str = "#include <errno.h>\n#include <fcntl.h>\n#include <pthread.h>\n#include <signal.h>\n#include <stdio.h>\n\
     #include <stdlib.h>\n#include <string.h>\n#include <sys/mman.h>\n#include <sys/socket.h>\n#include <sys/stat.h>\n\
     #include <sys/syscall.h>\n#include <unistd.h>\n";

fn main_of(body: &str) -> String {
    format!("{HEADERS}int main(int argc, char **argv) {{ {body} return 0; }}")
}

#[test]
fn an_executable_finds_its_input_arguments_environment_and_files() {
    prints(
        &main_of(
            "int n; scanf(\"%d\", &n); char word[9] = {0}; \
             read(open(\"/program/data/words\", O_RDONLY), word, 5); \
             printf(\"%d %d %s %s %s\\n\", n + 1, argc, argv[2], getenv(\"COLOUR\"), word);",
        ),
        "41\n",
        "42 3 two blue hello\n",
    );
}

#[test]
fn files_in_scratch_are_its_own_to_change() {
    let source = main_of(
        "char word[9] = {0}; int file = open(\"sub/word\", O_RDWR); read(file, word, 5); printf(\"%s\", word); \
         pwrite(file, \"other\", 5, 0); printf(\" %d\", unlink(\"sub/word\"));",
    );
    let mut executable = Executable::new(["/program/main"]);
    executable
        .file("main", true, &compiled(&source))
        .expect("a name");
    // It comes on top of what it may write there.
    let filling = vec![b'x'; 1 << 20];
    for (name, content) in [("sub/word", &b"hello"[..]), ("filling", &filling)] {
        executable
            .scratch_file(name, false, content)
            .expect("a name");
    }
    assert!(executable.scratch_file("../word", false, b"").is_err());
    let limits = Limits {
        scratch_bytes: 1 << 16,
        scratch_inodes: 16,
        ..limits()
    };
    let program = executable.program(Grants::JUDGED);
    // Each box has them as they were.
    for _ in 0..2 {
        let mut boxed = runtime().launch(&program, &limits).expect("sound");
        let outcome = boxed.run(b"", &limits, 0).expect("the host is sound");
        assert_eq!(String::from_utf8_lossy(&outcome.stdout), "hello 0");
        assert!(boxed.is_spent());
    }
}

#[test]
fn it_may_write_in_scratch_and_nowhere_else() {
    prints(
        &main_of(
            "printf(\"%d\", open(\"/tmp/new\", O_WRONLY | O_CREAT, 0600) > 2); \
             printf(\"%d\", open(\"/program/new\", O_WRONLY | O_CREAT, 0600) > 2); \
             printf(\"%d\", open(\"/program/main\", O_WRONLY) > 2); \
             printf(\"%d\", chmod(\"/program/data/words\", 0777) == 0); \
             printf(\"%d\", open(\"/new\", O_WRONLY | O_CREAT, 0600) > 2);",
        ),
        "",
        "10000",
    );
}

/// What it finds of the host, and whether it gets any further.
#[test]
fn it_sees_nothing_of_the_host_and_starts_nothing() {
    prints(
        &main_of(
            "char *sh[] = {\"/bin/sh\", 0}; struct stat s; \
             printf(\"%d\", stat(\"/etc/passwd\", &s) == 0 || stat(\"/bin/sh\", &s) == 0 || stat(\"/usr\", &s) == 0); \
             printf(\"%d\", fork() != -1); \
             printf(\"%d\", (int)vfork() != -1); \
             printf(\"%d\", socket(AF_INET, SOCK_STREAM, 0) != -1); \
             printf(\"%d\", syscall(SYS_memfd_create, \"m\", 0) != -1); \
             printf(\"%d\", syscall(SYS_io_uring_setup, 1, 0) != -1 || errno != ENOSYS); \
             printf(\"%d\", syscall(SYS_userfaultfd, 0) != -1 || errno != ENOSYS); \
             printf(\"%d\", syscall(SYS_ptrace, 0, 0, 0, 0) != -1); \
             printf(\"%d\", syscall(0x40000000 | SYS_getpid) > 0); \
             printf(\"%d\", open(\"/proc/self/maps\", O_RDONLY) > 2); \
             fflush(stdout); execv(\"/bin/sh\", sh); \
             FILE *own = fopen(\"/tmp/copy\", \"w\"); fputs(\"#!/program/main\\n\", own); fclose(own); \
             chmod(\"/tmp/copy\", 0777); char *copy[] = {\"/tmp/copy\", 0}; execv(copy[0], copy);",
        ),
        "",
        "0000000000",
    );
}

#[test]
fn its_descriptors_are_its_standard_streams() {
    prints(
        &main_of(
            "int n = 0; for (int i = 0; i < 64; i++) n += fcntl(i, F_GETFD) != -1; printf(\"%d\", n);",
        ),
        "",
        "3",
    );
}

#[test]
fn a_call_of_the_32_bit_interface_ends_it() {
    ends(
        &main_of(
            "long r; asm volatile(\"int $0x80\" : \"=a\"(r) : \"a\"(20)); printf(\"%ld\", r);",
        ),
        Termination::Signaled(31),
    );
}

#[test]
fn it_ends_by_its_own_doing() {
    ends(&main_of("return 7;"), Termination::Exited(7));
    ends(&main_of("abort();"), Termination::Signaled(6));
    ends(
        &main_of("*(volatile int *)0 = 1;"),
        Termination::Signaled(11),
    );
    ends(&main_of("raise(SIGPIPE);"), Termination::Signaled(13));
}

#[test]
fn limits_end_it() {
    never_ends(&main_of("for (;;);"));
    // Neither signals nor timers of its own put that off.
    never_ends(&main_of(
        "for (int i = 1; i < 64; i++) signal(i, SIG_IGN); for (;;);",
    ));
    never_ends(&format!(
        "{HEADERS}void *spin(void *a) {{ for (;;); }}\nint main() {{ pthread_t t; \
         for (int i = 0; i < 8; i++) pthread_create(&t, 0, spin, 0); pause(); }}"
    ));
    ends(
        &main_of("for (;;) memset(malloc(1 << 20), 1, 1 << 20);"),
        Termination::MemoryLimit,
    );
    ends(&main_of("for (;;) puts(\"x\");"), Termination::OutputLimit);
    let impatient = Limits {
        idle: Duration::from_millis(200),
        ..limits()
    };
    let outcome = run_within(&impatient, &main_of("pause();"), "");
    assert_eq!(outcome.termination, Termination::IdleLimit);
}

#[test]
fn what_is_no_executable_says_so() {
    let mut executable = Executable::new(["/program/main"]);
    executable.file("main", true, b"nothing").expect("a name");
    let program = executable.program(Grants::JUDGED);
    let mut boxed = runtime().launch(&program, &limits()).expect("sound");
    let outcome = boxed.run(b"", &limits(), 0).expect("the host is sound");
    assert_eq!(outcome.termination, Termination::Exited(126));
    let said = String::from_utf8_lossy(&outcome.stderr).into_owned();
    assert!(said.contains("cannot be executed"), "{said}");
}

#[test]
fn a_box_serves_many_runs() {
    let runtime = runtime();
    let doubled = program(&main_of("int n; scanf(\"%d\", &n); printf(\"%d\", 2 * n);"));
    let mut boxed = runtime.launch(&doubled, &limits()).expect("sound");
    for n in 0..20 {
        let outcome = boxed.run(n.to_string().as_bytes(), &limits(), 0);
        let stdout = outcome.expect("the host is sound").stdout;
        assert_eq!(stdout, (2 * n).to_string().into_bytes());
        assert!(!boxed.is_spent());
    }
}

#[test]
fn pipes_join_a_run_to_whoever_holds_their_other_ends() {
    let echo = program(&main_of(
        "int n; while (scanf(\"%d\", &n) == 1) { printf(\"%d\\n\", n * n); fflush(stdout); }",
    ));
    let mut boxed = runtime().launch(&echo, &limits()).expect("sound");
    let (its_input, mut questions) = std::io::pipe().expect("a pipe");
    let (mut answers, its_output) = std::io::pipe().expect("a pipe");
    let files = Files::joined(its_input, its_output);
    boxed.begin(files, &limits(), 0).expect("the host is sound");
    let mut answer = [0; 3];
    questions.write_all(b"7\n").expect("it reads");
    answers.read_exact(&mut answer).expect("it answers");
    assert_eq!(&answer, b"49\n");
    drop(questions);
    let outcome = boxed.finish().expect("the host is sound");
    assert_eq!(outcome.termination, Termination::Exited(0));
    let mut rest = Vec::new();
    answers
        .read_to_end(&mut rest)
        .expect("nobody else holds it");
    assert!(rest.is_empty() && outcome.stdout.is_empty());
}

#[test]
fn what_a_run_leaves_can_be_collected() {
    let leaves = program(&main_of(
        "mkdir(\".hidden\", 0700); creat(\".hidden/c\", 0600); mkdir(\"sub\", 0700); FILE *f = fopen(\"sub/b\", \"w\"); fputs(\"two\", f); fclose(f); \
         f = fopen(\"a\", \"w\"); fputs(\"one\", f); fclose(f); chmod(\"a\", 0755); \
         f = fopen(\".dot\", \"w\"); fputs(\"dot\", f); fclose(f); \
         symlink(\"/program/data/words\", \"link\"); symlink(\"/\", \"root\"); mkfifo(\"pipe\", 0600);",
    ));
    let mut boxed = runtime().launch(&leaves, &limits()).expect("sound");
    let outcome = boxed.run(b"", &limits(), 0).expect("the host is sound");
    assert_eq!(outcome.termination, Termination::Exited(0));
    assert!(boxed.is_spent());
    let all = boxed.collect(10, 1 << 20).expect("the host is sound");
    let found: Vec<_> = all
        .files
        .iter()
        .map(|file| (file.path.to_str().unwrap(), file.executable, &*file.content))
        .collect();
    let wanted = [
        (".dot", false, &b"dot"[..]),
        ("a", true, b"one"),
        ("sub/b", false, b"two"),
    ];
    assert_eq!(found, wanted);
    assert!(all.complete);
    let fewer = boxed.collect(1, 1 << 20).expect("the host is sound");
    assert_eq!((fewer.files.len(), fewer.complete), (1, false));
    let smaller = boxed.collect(10, 3).expect("the host is sound");
    assert_eq!((smaller.files.len(), smaller.complete), (1, false));
}

/// A compiler is an executable with tools of its own, which it starts; its result runs in another box.
#[test]
fn a_compiler_runs_in_a_box_too() {
    let tools = [
        "/usr/bin",
        "/usr/lib",
        "/usr/lib64",
        "/usr/libexec",
        "/usr/include",
        "/lib",
        "/lib64",
        "/bin",
    ];
    let readable: Vec<PathBuf> = tools
        .map(PathBuf::from)
        .into_iter()
        .filter(|path| path.exists())
        .collect();
    let sandbox = Sandbox::new(Level::Full).expect("this machine gives the default isolation");
    let surroundings = Surroundings {
        executable: readable.clone(),
        readable,
        ..Surroundings::default()
    };
    let runtime = sandbox
        .start(&Image::native(surroundings))
        .expect("a worker starts");
    let limits = Limits {
        memory: 1 << 30,
        cpu: Duration::from_secs(20),
        idle: Duration::from_secs(30),
        ..Limits::default()
    };
    let compile = |source: &str| {
        let mut compiler =
            Executable::new(["/usr/bin/gcc", "-static", "-o", "main", "/program/main.c"]);
        compiler.environment.push("PATH=/usr/bin:/bin".into());
        compiler
            .file("main.c", false, source.as_bytes())
            .expect("a name");
        let mut boxed = runtime
            .launch(&compiler.program(Grants::COMPILER), &limits)
            .expect("sound");
        let outcome = boxed.run(b"", &limits, 0).expect("the host is sound");
        (
            outcome,
            boxed.collect(1, 64 << 20).expect("the host is sound"),
        )
    };
    let (outcome, left) = compile("#include <stdio.h>\nint main() { puts(\"compiled\"); }");
    assert_eq!(
        outcome.termination,
        Termination::Exited(0),
        "{}",
        String::from_utf8_lossy(&outcome.stderr)
    );
    let mut executable = Executable::new(["/program/main"]);
    executable
        .file("main", true, &left.files[0].content)
        .expect("a name");
    let mut boxed = self::runtime()
        .launch(&executable.program(Grants::JUDGED), &limits)
        .expect("sound");
    assert_eq!(
        boxed
            .run(b"", &limits, 0)
            .expect("the host is sound")
            .stdout,
        b"compiled\n"
    );
    let (outcome, left) = compile("#include \"/etc/passwd\"\nint main() {}");
    assert_eq!(outcome.termination, Termination::Exited(1));
    assert!(left.files.is_empty());
    assert!(String::from_utf8_lossy(&outcome.stderr).contains("No such file"));
}
