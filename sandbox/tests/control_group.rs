//! What only a control group can bound. On a machine that gives none, these tests are reported as ignored.

use std::path::PathBuf;
use std::time::Duration;

use libtest_mimic::{Arguments, Failed, Trial};
use sandbox::{
    Files, Grants, Harness, Image, Interpreter, Level, Limits, Program, Runtime, Sandbox,
    Termination, memory_file,
};

fn main() {
    let arguments = Arguments::from_args();
    let sandbox = Sandbox::new(Level::Full).expect("this machine gives the default isolation");
    let given = sandbox.isolation().cgroup.is_some();
    let name = "a_program_that_takes_its_box_with_it_ran_out_of_memory";
    let trial = Trial::test(name, move || full_box(&sandbox))
        .with_kind(if given {
            ""
        } else {
            "this machine gives no control group"
        })
        .with_ignored_flag(!given);
    libtest_mimic::run(&arguments, vec![trial]).exit();
}

/// Fills every file it was given, and its directory: memory that counts in the size of no process.
const FILLS: &str = "\
import os
block = bytes(1 << 20)
files = [0, 1, 2, 3, 4, os.open('full', os.O_CREAT | os.O_RDWR)]
for file in files:
    try:
        for at in range(63):
            os.pwrite(file, block, at << 20)
    except OSError:
        pass
";

fn full_box(sandbox: &Sandbox) -> Result<(), Failed> {
    let python = std::env::var_os("PYTHON").map(PathBuf::from);
    let image = Image::new(&Interpreter::find(python.as_deref())?, &Harness::SCRIPT)?;
    let program = Program {
        text: FILLS.into(),
        grants: Grants::JUDGED,
    };
    let limits = Limits {
        cpu: Duration::from_secs(20),
        memory: 16 << 20,
        ..Limits::default()
    };
    // The second box is not charged for the first; and whichever process the kernel ends, it is the program's doing.
    let launches = [Runtime::launch, Runtime::launch, Runtime::launch_once];
    for launch in launches {
        let runtime = sandbox.start(&image)?;
        let mut boxed = launch(&runtime, &program, &limits)?;
        let files = Files::new(b"")?
            .give(memory_file("extra")?)
            .give(memory_file("extra")?);
        boxed.begin(files, &limits, 0)?;
        assert_eq!(boxed.finish()?.termination, Termination::MemoryLimit);
    }
    Ok(())
}
