//! A Test that is played in the Program: what goes into it, and what comes of it.

use std::os::fd::OwnedFd;

use crate::protocol::TestReport;

/// Standard input and output of a Test that is played in the Program. Standard error is in what comes of it.
pub struct Streams {
    /// Standard input.
    pub stdin: Input,
    /// Where standard output goes, if not to what comes of it.
    pub stdout: Option<OwnedFd>,
}

/// Standard input of a Test that is played in the Program.
pub enum Input {
    /// All there is to read.
    Whole(Vec<u8>),
    /// A file, or a channel to another Test.
    Open(OwnedFd),
}

impl Streams {
    /// From what came with the request.
    pub(crate) fn new(input: &[u8], descriptors: Vec<OwnedFd>) -> Streams {
        let mut descriptors = descriptors.into_iter();
        Streams {
            stdin: match descriptors.next() {
                Some(descriptor) => Input::Open(descriptor),
                None => Input::Whole(input.to_vec()),
            },
            stdout: descriptors.next(),
        }
    }
}

/// What came of a Test that was played in the Program.
pub struct Played {
    /// How it ended.
    pub report: TestReport,
    /// What it wrote to standard output, unless that leads elsewhere.
    pub stdout: Vec<u8>,
    /// What it wrote to standard error.
    pub stderr: Vec<u8>,
}
