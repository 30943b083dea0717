//! Interpreters that lie beyond links.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

use sandbox::{Harness, Image, Interpreter, Termination};

/// A link to a link, one absolute and one relative, as where a home folder has moved to another disk.
#[test]
fn an_environment_beyond_links_is_found() {
    // Not below /tmp, where programs have their scratch directories.
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let at = |name: &str| folder.path().join(name);
    let mut venv = Command::new(super::interpreter().executable);
    venv.args(["-m", "venv", "--without-pip"]).arg(at("real"));
    assert!(venv.status().unwrap().success());
    symlink("real", at("moved")).unwrap();
    symlink(at("moved"), at("known")).unwrap();

    let libraries = fs::read_dir(at("real/lib")).unwrap().next().unwrap();
    let packages = libraries.unwrap().path().join("site-packages");
    fs::write(packages.join("installed_there.py"), "value = 7\n").unwrap();

    let interpreter = Interpreter::find(Some(&at("known/bin/python3"))).unwrap();
    let image = Image::new(&interpreter, &Harness::SCRIPT).unwrap();
    let runtime = super::sandbox().start(&image).unwrap();
    let source = "import json, installed_there; print(installed_there.value)";
    let outcome = super::run_in(&runtime, &super::limits(), source, "");
    let said = String::from_utf8_lossy(&outcome.stderr);
    assert_eq!(outcome.termination, Termination::Exited(0), "{said}");
    assert_eq!(outcome.stdout, b"7\n");
}
