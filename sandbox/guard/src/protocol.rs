//! What the supervisor, the Worker and the Program say to each other.
//!
//! Every message is one packet on a `SOCK_SEQPACKET` socket: 64-bit little-endian words in the order of the fields,
//! with descriptors attached as `SCM_RIGHTS`. A reply starts with [`OK`], [`REJECTED`] or [`FAILED`]; the last two carry a
//! text. Who is to blame is in that byte, and nowhere else: what a compiler says may read like anything.
//!
//! What a Test reads and writes is in files that come with the request, except where a resident engine plays it: to make,
//! pass on and read three files costs more than such a Test does. Its input, if it is short, follows the request in the same
//! packet, and its output the report, in as many more packets as it takes.

use std::ffi::OsStr;
use std::io::{IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::io::{Errno, retry_on_intr};
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, ReturnFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recv, recvmsg, sendmsg,
};

/// First byte of a reply that carries what was asked for.
pub const OK: u8 = b'+';
/// First byte of the runtime's reply on a program that does not compile: the compiler's words follow.
pub const REJECTED: u8 = b'-';
/// First byte of a reply by the guard that it could not do what was asked: the host failed.
pub const FAILED: u8 = b'!';
/// First byte of a source for a resident engine that is to be compiled; it then leaves in the file of the source what it made
/// of it.
pub const SOURCE: u8 = b's';
/// First byte of what such an engine has left before, in place of the source.
pub const COMPILED: u8 = b'c';

/// What a resident engine is sent as the code of a program: `mark` says what it is. Whatever follows is the program's other
/// files.
pub fn marked(mark: u8, code: &[u8]) -> Vec<u8> {
    let length = (code.len() as u64).to_le_bytes();
    [&[mark], &length[..], code].concat()
}

/// The mark, the code that is marked, and what follows it; `None` if these are no such bytes.
pub fn unmarked(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (mark, rest) = bytes.split_first()?;
    let (length, rest) = rest.split_first_chunk()?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
    let (code, others) = rest.split_at_checked(length)?;
    Some((*mark, code, others))
}
/// Longest message in bytes.
pub const MESSAGE_MAX: usize = 4 << 10;
/// Longest packet of a Test's output in bytes.
pub const PACKET_MAX: usize = 64 << 10;
/// The most bytes of input that go with the request for a Test.
pub const INPUT_MAX: usize = MESSAGE_MAX - TestRequest::COUNT * size_of::<u64>();
/// Most descriptors with one message.
pub const DESCRIPTORS_MAX: usize = 6;

/// A message made of 64-bit words.
pub trait Words: Sized {
    /// How many words there are.
    const COUNT: usize;
    /// The words, in the order of the fields.
    fn words(&self) -> Vec<u64>;
    /// From as many words as [`Words::words`] gives; `None` for any other number.
    fn from_words(words: &[u64]) -> Option<Self>;

    /// The message as bytes.
    fn encode(&self) -> Vec<u8> {
        self.words()
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .collect()
    }

    /// The message from bytes; `None` if it has another length.
    fn decode(bytes: &[u8]) -> Option<Self> {
        let (message, rest) = Self::decode_first(bytes)?;
        rest.is_empty().then_some(message)
    }

    /// The message that bytes begin with, and what follows it.
    fn decode_first(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (first, rest) = bytes.split_at_checked(Self::COUNT * size_of::<u64>())?;
        let words = first.as_chunks().0.iter();
        let words: Vec<u64> = words.map(|word| u64::from_le_bytes(*word)).collect();
        Some((Self::from_words(&words)?, rest))
    }
}

macro_rules! message {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
        pub struct $name { $($(#[$field_doc])* pub $field: u64,)* }

        impl Words for $name {
            const COUNT: usize = [$(stringify!($field)),*].len();

            fn words(&self) -> Vec<u64> {
                vec![$(self.$field),*]
            }
            fn from_words(words: &[u64]) -> Option<Self> {
                let mut words = words.iter().copied();
                let message = $name { $($field: words.next()?,)* };
                words.next().is_none().then_some(message)
            }
        }
    };
}

/// Supervisor to Worker, first of all: what its box is made of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WorkerSetup {
    /// Whether to enter namespaces. Without them seccomp, landlock and limits are all there is.
    pub namespaces: bool,
    /// Whether limits are all there is: neither landlock nor a filter.
    pub unguarded: bool,
    /// Whether Programs may start executables: those below `executable`, and their own.
    pub executes: bool,
    /// Directories and files that the interpreter needs; all a program will be able to read.
    pub readable: Vec<PathBuf>,
    /// Those among them that may be executed, or hold what may.
    pub executable: Vec<PathBuf>,
    /// Links that a box shows besides, and where they lead.
    pub links: Vec<(PathBuf, PathBuf)>,
}

/// What a field of a [`WorkerSetup`] is, by its first byte. A link is followed by a field that says where it leads.
mod tag {
    pub const NAMESPACES: u8 = b'n';
    pub const UNGUARDED: u8 = b'u';
    pub const EXECUTES: u8 = b'e';
    pub const READABLE: u8 = b'r';
    pub const EXECUTABLE: u8 = b'x';
    pub const LINK: u8 = b'l';
    pub const TARGET: u8 = b't';
}

impl WorkerSetup {
    /// The message as bytes: tagged fields, each ended by NUL, which no path contains.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut field = |tag: u8, path: &Path| {
            bytes.push(tag);
            bytes.extend(path.as_os_str().as_bytes());
            bytes.push(0);
        };
        let flags = [
            (tag::NAMESPACES, self.namespaces),
            (tag::UNGUARDED, self.unguarded),
            (tag::EXECUTES, self.executes),
        ];
        for (tag, _) in flags.into_iter().filter(|(_, set)| *set) {
            field(tag, Path::new(""));
        }
        for (tag, paths) in [
            (tag::READABLE, &self.readable),
            (tag::EXECUTABLE, &self.executable),
        ] {
            paths.iter().for_each(|path| field(tag, path));
        }
        for (link, target) in &self.links {
            field(tag::LINK, link);
            field(tag::TARGET, target);
        }
        bytes
    }

    /// The message from bytes; `None` if they are no such message.
    pub fn decode(bytes: &[u8]) -> Option<WorkerSetup> {
        let mut setup = WorkerSetup::default();
        for field in bytes.split_inclusive(|byte| *byte == 0) {
            let (tag, path) = field.strip_suffix(&[0])?.split_first()?;
            let path = PathBuf::from(OsStr::from_bytes(path));
            match *tag {
                tag::NAMESPACES => setup.namespaces = true,
                tag::UNGUARDED => setup.unguarded = true,
                tag::EXECUTES => setup.executes = true,
                tag::READABLE => setup.readable.push(path),
                tag::EXECUTABLE => setup.executable.push(path),
                tag::LINK => setup.links.push((path, PathBuf::new())),
                tag::TARGET => setup.links.last_mut()?.1 = path,
                _ => return None,
            }
        }
        Some(setup)
    }
}

message! {
    /// Supervisor to Worker: fork a Program. Descriptors: the source, the Program's control socket.
    /// The answer is the Program's [`ProgramPid`].
    LaunchRequest {
        /// Bytes of the scratch file system; 0 for no scratch.
        scratch_bytes,
        /// Inodes of the scratch file system.
        scratch_inodes,
        /// Bytes of address space of the Program and its Tests; `u64::MAX` for no limit.
        address_space,
        /// Bytes of memory that they may have for writing, whether or not they have written there.
        data,
        /// Bytes of the main thread's stack.
        stack,
        /// 1 if standard input is to have its names in the file system, which costs a mount, and a copy for each Test.
        named_input,
        /// Bytes of the file system that holds the program's own files, which the source then lists as
        /// [`crate::bundle`] has it; 0 for no such files.
        files_bytes,
        /// Where in the source that list begins.
        files_at,
        /// 1 if it will serve one Test, which is then the Program's own process: the supervisor watches it, and has the Worker
        /// reap it by a [`ReapRequest`].
        once,
    }
}

message! {
    /// Worker to supervisor: the Program forked. Supervisor to Worker: end that Program and wait for
    /// it, before anything else; not answered.
    ProgramPid {
        /// Process id as the Worker sees it.
        pid,
    }
}

message! {
    /// Supervisor to Worker: a Program that became its own only Test has ended, or was sent SIGKILL; wait for it. The answer is
    /// a [`TestReport`].
    ReapRequest {
        /// Process id as the Worker sees it.
        pid,
        /// One of [`cut`]: whether the supervisor ended it, and why.
        cut,
        /// Wall time of the Test in nanoseconds.
        wall_ns,
        /// How much of that it was seen to sleep, in nanoseconds.
        slept_ns,
    }
}

message! {
    /// Supervisor to Program: fork a Test. Descriptors: standard input, output and error, then up to two more, which
    /// become 3 and 4. The answer is a [`TestReport`].
    ///
    /// A resident engine gets standard input and output if the Test is joined to another, else standard input alone, or no
    /// descriptor and what is to be read after the words. After its [`TestReport`] comes [`Written`].
    TestRequest {
        /// CPU time in nanoseconds.
        cpu_ns,
        /// Wall time in nanoseconds.
        wall_ns,
        /// Wall time without use of the CPU, in nanoseconds.
        idle_ns,
        /// Threads alive at once, or 0 where none may be started.
        threads,
        /// 1 if it may start processes, which count as threads do.
        processes,
        /// Bytes written to any one file.
        output,
        /// Descriptors open at once.
        open_files,
        /// Bytes of memory. Only a Test that an engine runs is ended for it; others are looked at afterwards.
        memory,
        /// Seed of the Test's pseudo-random numbers.
        seed,
    }
}

message! {
    /// Supervisor to Program, between Tests: write what is in the scratch directory to the file that comes with this, as
    /// [`crate::bundle`] has it. The answer is a [`CollectReport`].
    CollectRequest {
        /// The most files that are wanted.
        files,
        /// The most bytes that they may have in all.
        bytes,
    }
}

message! {
    /// Program to supervisor: what it found in the scratch directory is written.
    CollectReport {
        /// 1 if that is all of it; 0 if there was more than asked for.
        complete,
    }
}

message! {
    /// Program to supervisor, or Worker to supervisor: how a Test ended.
    TestReport {
        /// Exit status, if `signal` is 0.
        status,
        /// The signal that ended it, or 0.
        signal,
        /// One of [`cut`]: whether it was ended from outside, and why.
        cut,
        /// User and system CPU time in nanoseconds.
        cpu_ns,
        /// What an engine counted for time, or 0 where none played it. It may be less than it was if `cut` is not 0.
        fuel,
        /// Wall time in nanoseconds.
        wall_ns,
        /// How much of that it was seen to sleep, in nanoseconds.
        slept_ns,
        /// Peak resident memory in bytes.
        peak_memory,
        /// What the Program itself holds, in bytes: the interpreter's own share.
        own_memory,
        /// 1 if something was left behind (a process, a file): the Program must not be used again.
        spent,
    }
}

message! {
    /// Program of a resident engine to supervisor, after a [`TestReport`]: how much the Test wrote. That comes next, as far as
    /// there is room in the packet, and in packets of up to [`PACKET_MAX`] bytes after it.
    Written {
        /// Bytes of standard output.
        stdout,
        /// Bytes of standard error, which follow.
        stderr,
    }
}

/// Why a Test was ended by whoever watched it.
pub mod cut {
    /// It did not.
    pub const NONE: u64 = 0;
    /// The wall time was used up.
    pub const WALL: u64 = 1;
    /// The Test slept for too long.
    pub const IDLE: u64 = 2;
    /// To an engine the CPU time was used up: as it counts that, or in fact.
    pub const CPU: u64 = 3;
    /// An engine refused memory beyond the limit.
    pub const MEMORY: u64 = 4;
    /// An engine refused output beyond the limit.
    pub const OUTPUT: u64 = 5;
}

/// Room for the descriptors that go with one message.
const CONTROL: usize = rustix::cmsg_space!(ScmRights(DESCRIPTORS_MAX));

/// Send one packet. What sends no descriptors needs no call that could, which Tests may not make.
pub fn send(
    socket: BorrowedFd<'_>,
    bytes: &[u8],
    descriptors: &[BorrowedFd<'_>],
) -> Result<(), Errno> {
    if descriptors.is_empty() {
        return retry_on_intr(|| rustix::net::send(socket, bytes, SendFlags::NOSIGNAL)).map(drop);
    }
    let mut space = [MaybeUninit::uninit(); CONTROL];
    let mut control = SendAncillaryBuffer::new(&mut space);
    if !control.push(SendAncillaryMessage::ScmRights(descriptors)) {
        return Err(Errno::MSGSIZE);
    }
    retry_on_intr(|| {
        sendmsg(
            socket,
            &[IoSlice::new(bytes)],
            &mut control,
            SendFlags::NOSIGNAL,
        )
    })
    .map(drop)
}

/// Send a reply: [`OK`] and a message.
pub fn send_ok(socket: BorrowedFd<'_>, message: &impl Words) -> Result<(), Errno> {
    let mut bytes = vec![OK];
    bytes.extend(message.encode());
    send(socket, &bytes, &[])
}

/// Send a reply: [`OK`], how a Test ended, and what it wrote.
pub fn send_played(
    socket: BorrowedFd<'_>,
    report: &TestReport,
    stdout: &[u8],
    stderr: &[u8],
) -> Result<(), Errno> {
    let written = Written {
        stdout: stdout.len() as u64,
        stderr: stderr.len() as u64,
    };
    let mut bytes = [&[OK], &report.encode()[..], &written.encode()].concat();
    let mut rest = [stdout, stderr];
    for part in &mut rest {
        let room = part.len().min(MESSAGE_MAX - bytes.len());
        let (fitting, more) = part.split_at(room);
        bytes.extend(fitting);
        *part = more;
    }
    send(socket, &bytes, &[])?;
    rest.iter()
        .flat_map(|part| part.chunks(PACKET_MAX))
        .try_for_each(|packet| send(socket, packet, &[]))
}

/// Receive a packet of a Test's output at the start of `room`, which has to be large enough for it: how long it is, or 0 at
/// the end of the stream.
pub fn receive_output(socket: BorrowedFd<'_>, room: &mut [u8]) -> Result<usize, Errno> {
    let (_, length) = retry_on_intr(|| recv(socket, &mut *room, RecvFlags::TRUNC))?;
    if length > room.len() {
        return Err(Errno::MSGSIZE);
    }
    Ok(length)
}

/// Send a reply: [`FAILED`] and a text.
pub fn send_failed(socket: BorrowedFd<'_>, text: &str) -> Result<(), Errno> {
    let mut bytes = vec![FAILED];
    bytes.extend(text.bytes().take(MESSAGE_MAX - 1));
    send(socket, &bytes, &[])
}

/// Receive one packet; empty at the end of the stream.
pub fn receive(socket: BorrowedFd<'_>) -> Result<(Vec<u8>, Vec<OwnedFd>), Errno> {
    // Not on the heap: there this size would have the allocator tidy up, which writes to pages that a fork shares.
    let mut bytes = [0; MESSAGE_MAX];
    let mut space = [MaybeUninit::uninit(); CONTROL];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let received = retry_on_intr(|| {
        recvmsg(
            socket,
            &mut [IoSliceMut::new(&mut bytes)],
            &mut control,
            RecvFlags::CMSG_CLOEXEC,
        )
    })?;
    // What was cut off would be taken for a shorter list.
    if received
        .flags
        .intersects(ReturnFlags::TRUNC | ReturnFlags::CTRUNC)
    {
        return Err(Errno::MSGSIZE);
    }
    let descriptors = control
        .drain()
        .filter_map(|message| match message {
            RecvAncillaryMessage::ScmRights(descriptors) => Some(descriptors),
            _ => None,
        })
        .flatten()
        .collect();
    Ok((bytes[..received.bytes].to_vec(), descriptors))
}
