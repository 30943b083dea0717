//! Boxes for untrusted programs: bytes in, bytes out, and how it ended.
//!
//! Knows no problem, no test and no verdict. The words: a [`Program`] is what runs and [`Grants`] what it may touch; a
//! [`Runtime`] is a warm interpreter that programs start from, and a [`Harness`] the Python inside it that prepares
//! them, or else it is a worker whose programs are each an [`Executable`]; a [`Box`] is where one program lives. [`Limits`] say how much a run may use and [`Usage`] what it did use; an
//! [`Outcome`] says how it ended. A [`SandboxError`] means that the host failed, never the program.
//!
//! Launch a box, begin a run with its files, finish it. A box is owned: a caller may hold several and tie them together
//! with a channel that it gives to both.
//!
//! ```
//! use sandbox::{Grants, Harness, Image, Interpreter, Level, Limits, Program, Sandbox, Termination};
//!
//! let image = Image::new(&Interpreter::find(None)?, &Harness::SCRIPT)?;
//! let runtime = Sandbox::new(Level::Full)?.start(&image)?;
//! let program = Program { text: b"print(int(input()) + 1)".to_vec(), grants: Grants::JUDGED };
//! let limits = Limits::default();
//! let mut boxed = runtime.launch(&program, &limits)?;
//! let outcome = boxed.run(b"41\n", &limits, 0)?;
//! assert_eq!(outcome.termination, Termination::Exited(0));
//! assert_eq!(outcome.stdout, b"42\n");
//! # Ok::<(), sandbox::LaunchError>(())
//! ```

mod ask;
mod boxed;
mod cgroup;
mod channel;
mod compiled_code;
mod error;
mod executable;
mod files;
mod harness;
mod harness_cache;
mod image;
mod interpreter;
mod isolation;
mod level;
mod limits;
mod outcome;
mod paths;
mod program;
mod runtime;
mod sandbox;
mod warm;
mod worker;

pub use boxed::{Box, Collected};
pub use channel::Interrupt;
pub use error::{LaunchError, SandboxError};
pub use executable::{BadPath, Executable, OwnFile};
pub use files::{Files, content, memory_file, memory_file_of, wide_pipe};
pub use harness::{Harness, Source};
pub use image::{Image, Surroundings};
pub use interpreter::Interpreter;
pub use isolation::{Diagnosis, Isolation, diagnose, try_out};
pub use level::Level;
pub use limits::{FUEL_PER_SECOND, Limits, Usage};
pub use outcome::{Outcome, Termination};
pub use program::{Grants, Program};
pub use runtime::Runtime;
pub use sandbox::Sandbox;
pub use sandbox_guard::clock::thread_cpu_time;
