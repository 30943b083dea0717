//! The rules of the house that neither the compiler nor cargo holds: which crate may depend on what, who may use what
//! within a crate, that modules import one another in one direction, and how long a file may grow.

mod circles;
mod modules;
mod workspace;

use std::collections::{BTreeMap, BTreeSet};

use circles::circles;
use modules::{Library, types};
use workspace::{Member, members, sources};

/// Which members of the workspace a member may depend on. Cargo forbids a circle of them, but no other direction.
const MAY_DEPEND_ON: [(&str, &[&str]); 9] = [
    ("sandbox-guard", &[]),
    ("sandbox-launcher", &["sandbox-guard"]),
    ("sandbox-wasm", &["sandbox-guard"]),
    // The two workers are only named there, and built apart.
    (
        "sandbox",
        &["sandbox-guard", "sandbox-launcher", "sandbox-wasm"],
    ),
    ("evaluator", &["sandbox"]),
    ("evaluator-fuzz", &["evaluator", "sandbox-guard"]),
    ("dataset", &["evaluator"]),
    ("trainer", &["sandbox", "evaluator"]),
    (
        "benches",
        &["sandbox-guard", "sandbox", "evaluator", "trainer"],
    ),
];

/// Libraries that only these members may depend on: what reaches the kernel, and what needs libtorch.
const BELONGS_TO: [(&str, &[&str]); 8] = [
    ("nix", &["sandbox", "sandbox-guard", "sandbox-launcher"]),
    ("rustix", &["sandbox", "sandbox-guard"]),
    ("libc", &["sandbox", "sandbox-guard"]),
    ("seccompiler", &["sandbox", "sandbox-guard"]),
    ("landlock", &["sandbox", "sandbox-guard"]),
    ("wasmtime", &["sandbox-wasm"]),
    ("tch", &["trainer"]),
    ("torch-sys", &["trainer"]),
];

#[test]
fn members_depend_on_one_another_in_one_direction() {
    let allowed = BTreeMap::from(MAY_DEPEND_ON);
    let members = members();
    let names: Vec<&str> = members.iter().map(|member| &*member.name).collect();
    for Member { name, needs, .. } in &members {
        let allowed = allowed.get(&**name);
        let allowed = allowed.unwrap_or_else(|| panic!("what may {name} depend on?"));
        for needed in needs.iter().filter(|needed| names.contains(&&***needed)) {
            assert!(allowed.contains(&&**needed), "{name} depends on {needed}");
        }
    }
}

#[test]
fn libraries_stay_with_the_members_they_belong_to() {
    let members = members();
    for (library, homes) in BELONGS_TO {
        let users = members
            .iter()
            .filter(|member| member.needs.contains(library));
        for member in users {
            let name = &*member.name;
            assert!(homes.contains(&name), "{name} depends on {library}");
        }
    }
}

#[test]
fn only_the_command_line_knows_clap() {
    let at_home = |path: &str| path.contains("/src/cli") || path.ends_with("/src/main.rs");
    let users = files_where(|text| text.contains("clap::"));
    assert!(users.iter().any(|path| at_home(path)), "{users:?}");
    let others: Vec<_> = users.iter().filter(|path| !at_home(path)).collect();
    assert!(others.is_empty(), "{others:?}");
}

#[test]
fn modules_import_one_another_in_one_direction() {
    let members = members();
    let roots = members.iter().flat_map(|member| &member.roots);
    let found: Vec<BTreeSet<String>> = roots
        .flat_map(|root| circles(&Library::read(root).uses()))
        .collect();
    assert!(
        found.is_empty(),
        "these modules use one another: {found:#?}"
    );
}

/// A reader who meets a name should not have to ask which of two types is meant.
#[test]
fn no_crate_has_two_types_of_one_name() {
    let mut homes: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for (path, text) in sources() {
        if let Some((member, _)) = path.split_once("/src/") {
            for name in types(&text) {
                let home = homes.entry((member.to_owned(), name)).or_default();
                home.push(path.clone());
            }
        }
    }
    assert!(homes.len() > 100, "types were found: {}", homes.len());
    homes.retain(|_, paths| paths.len() > 1);
    assert!(homes.is_empty(), "{homes:#?}");
}

/// The search itself: a circle is found that leads through a name handed on, and none where the name is handed on alone.
#[test]
fn circles_are_found_through_names_handed_on() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("small/src");
    std::fs::create_dir_all(&source).unwrap();
    let found = |upper: &str, lower: &str| {
        let root = "mod upper;\nmod lower;\npub use upper::Upper;";
        for (name, text) in [("lib", root), ("upper", upper), ("lower", lower)] {
            std::fs::write(source.join(name).with_extension("rs"), text).unwrap();
        }
        circles(&Library::read(&source.join("lib.rs")).uses())
    };
    let (upper, lower) = ("use crate::lower::Lower;", "use std::fmt;");
    assert_eq!(found(upper, lower), BTreeSet::new());
    let both = ["small::lower", "small::upper"].map(str::to_owned);
    let circle = BTreeSet::from([BTreeSet::from(both)]);
    assert_eq!(found(upper, "fn up() -> super::Upper {}"), circle);
    assert_eq!(found(upper, "use crate::{Upper, other};"), circle);
}

#[test]
fn no_file_has_more_than_600_lines() {
    assert_eq!(
        files_where(|text| text.lines().count() > 600),
        Vec::<String>::new()
    );
}

/// Their manifests say that these targets have no tests, so that none are built for them.
const WITHOUT_TESTS: [&str; 9] = [
    "benches/src/",
    "dataset/src/",
    "evaluator/fuzz/src/",
    "evaluator/src/cli/",
    "evaluator/src/main.rs",
    "sandbox/guard/src/",
    "sandbox/launcher/src/",
    "sandbox/src/",
    "trainer/src/main.rs",
];

#[test]
fn tests_stand_where_they_are_run() {
    let mut tested = files_where(|text| text.contains("#[test]"));
    tested.retain(|path| WITHOUT_TESTS.iter().any(|place| path.starts_with(place)));
    assert_eq!(tested, Vec::<String>::new());
}

/// The sources that `holds` is true of, but for these rules themselves.
fn files_where(holds: impl Fn(&str) -> bool) -> Vec<String> {
    let mut found = sources();
    found.retain(|(path, text)| !path.starts_with("evaluator/tests/repository/") && holds(text));
    found.into_iter().map(|(path, _)| path).collect()
}
