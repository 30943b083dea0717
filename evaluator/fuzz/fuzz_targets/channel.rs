//! What comes out of a box on its channels, reports and archives of files, is read or refused, whatever its bytes. What was read
//! can be written, and read again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sandbox_guard::bundle::{Reader, Writer};
use sandbox_guard::protocol::{
    CollectReport, ProgramPid, TestReport, Words, WorkerSetup, unmarked,
};

fuzz_target!(|bytes: &[u8]| {
    for encoded in [
        TestReport::decode(bytes).map(|report| report.encode()),
        CollectReport::decode(bytes).map(|report| report.encode()),
        ProgramPid::decode(bytes).map(|pid| pid.encode()),
    ] {
        assert!(encoded.is_none_or(|encoded| encoded == bytes));
    }
    if let Some(setup) = WorkerSetup::decode(bytes) {
        assert_eq!(WorkerSetup::decode(&setup.encode()), Some(setup));
    }
    if let Some((_, code, others)) = unmarked(bytes) {
        assert!(code.len() + others.len() < bytes.len());
    }
    let _ = archive(bytes);
});

fn archive(bytes: &[u8]) -> std::io::Result<()> {
    let (mut reader, call) = Reader::new(bytes)?;
    let arguments: Vec<&[u8]> = call.arguments.iter().map(|it| it.as_bytes()).collect();
    let environment: Vec<&[u8]> = call.environment.iter().map(|it| it.as_bytes()).collect();
    let mut writer = Writer::new(&arguments, &environment);
    while let Some(entry) = reader.entry()? {
        let content = reader.content(&entry)?;
        assert!(entry.path.is_relative());
        writer.heading(&entry);
        writer.content(content);
    }
    let written = writer.finish();
    let (mut again, _) = Reader::new(&written[..])?;
    while let Some(entry) = again.entry()? {
        again.content(&entry)?;
    }
    Ok(())
}
