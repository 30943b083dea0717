//! The members of the workspace and their sources.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

/// A crate of the workspace.
pub struct Member {
    pub name: String,
    /// The crates that its manifest names, for whatever it builds.
    pub needs: BTreeSet<String>,
    /// The roots of its library and of its binary.
    pub roots: Vec<PathBuf>,
}

pub fn members() -> Vec<Member> {
    let workspace = manifest(&root());
    let folders = workspace["workspace"]["members"].as_array().unwrap();
    let folders = folders
        .iter()
        .map(|folder| root().join(folder.as_str().unwrap()));
    folders.map(|folder| member(&folder)).collect()
}

fn member(folder: &Path) -> Member {
    let manifest = manifest(folder);
    let roots = ["src/lib.rs", "src/main.rs"].map(|name| folder.join(name));
    Member {
        name: manifest["package"]["name"].as_str().unwrap().to_owned(),
        needs: needs(&manifest),
        roots: roots.into_iter().filter(|path| path.exists()).collect(),
    }
}

/// The names in every table of dependencies, of the crate itself and of its targets.
fn needs(table: &Table) -> BTreeSet<String> {
    let inner = |(key, value): (&String, &Value)| match value {
        Value::Table(table) if key.ends_with("dependencies") => table.keys().cloned().collect(),
        Value::Table(table) => needs(table),
        _ => BTreeSet::new(),
    };
    table.iter().flat_map(inner).collect()
}

fn manifest(folder: &Path) -> Table {
    let text = fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
    text.parse().expect("a manifest in TOML")
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Every Rust source of the checkout: its path from the root, and its text.
pub fn sources() -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of the checkout") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().unwrap_or_default().display().to_string();
            if path.is_dir() && !name.starts_with('.') && name != "target" {
                folders.push(path);
            } else if name.ends_with(".rs") {
                let short = path.strip_prefix(root()).expect("a path below the root");
                let text = fs::read_to_string(&path).expect("a source");
                found.push((short.display().to_string(), text));
            }
        }
    }
    found.sort();
    found
}
