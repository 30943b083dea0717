//! Runs ONE untrusted Python program and says how it ended.
//!
//! Knows no problem and no verdict. The words: a [`Program`] is what runs, [`Grants`] is what it may touch,
//! [`Limits`] is how much it may use and [`Usage`] what it did use; an [`Outcome`] says how one process ended.
//! A [`SandboxError`] means that the host failed, never the program.
//!
//! ```
//! use sandbox::*;
//! let sandbox = Sandbox::new(Interpreter::find(None)?, Level::Full)?;
//! let mut worker = sandbox.worker();
//! let program = Program { source: "print(int(input()) + 1)".into(), entry: Entry::Main, grants: Grants::JUDGED };
//! let limits = Limits::default();
//! if let Launch::Ready(mut running) = worker.launch(&program, &limits)? {
//!     let outcome = running.run(Input::Stdin(b"41\n"))?;
//!     assert_eq!(outcome.termination, Termination::Exited(0));
//!     assert_eq!(&*outcome.stdout, b"42\n");
//! }
//! # Ok::<(), SandboxError>(())
//! ```

mod boxed;
mod cgroup;
mod embedded;
mod interpreter;
mod isolation;
mod limits;
mod outcome;
mod process;
mod program;
mod sandbox;
mod worker;

pub use interpreter::Interpreter;
pub use isolation::{Finding, Isolation, Level, diagnose};
pub use limits::{Grants, Limits, Usage};
pub use outcome::{Bytes, Examination, Launch, Outcome, SandboxError, Termination, Tested};
pub use program::{Entry, Input, Program};
pub use sandbox::Sandbox;
pub use worker::{Running, Worker};
