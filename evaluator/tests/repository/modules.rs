//! The modules of a library or binary, and which of them uses which.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemMod, ItemUse, UseTree, Visibility};

/// The path of a module from the root, which itself is empty.
type Module = Vec<String>;

/// A library or binary. An inline module counts as a part of its file.
pub struct Library {
    name: String,
    modules: BTreeMap<Module, Contents>,
}

/// What a module's file says of others.
#[derive(Default)]
struct Contents {
    /// Paths that it uses, as they are written.
    paths: BTreeSet<Vec<String>>,
    /// Names that it brings in from elsewhere, and the paths they stand for. Those below may take them from here.
    aliases: BTreeMap<String, Vec<String>>,
}

impl Library {
    /// Read the modules below a root.
    pub fn read(root: &Path) -> Library {
        let mut modules = BTreeMap::new();
        let folder = root.parent().expect("a folder");
        read(root, folder, Vec::new(), &mut modules);
        let name = folder.parent().expect("a crate").file_name();
        let name = name.expect("a name").display().to_string();
        let kind = root.file_stem().expect("a name").display().to_string();
        Library {
            name: if kind == "lib" {
                name
            } else {
                format!("{name}/{kind}")
            },
            modules,
        }
    }

    /// The modules that each module uses, by name. Handing a name on (`pub use`) is no use of it.
    pub fn uses(&self) -> BTreeMap<String, BTreeSet<String>> {
        let used = |module: &Module, path: &Vec<String>| {
            let used = self.resolve(module, path)?;
            (used != *module).then(|| self.full_name(&used))
        };
        let all = |(module, contents): (&Module, &Contents)| {
            let paths = contents.paths.iter();
            let used = paths.filter_map(|path| used(module, path)).collect();
            (self.full_name(module), used)
        };
        self.modules.iter().map(all).collect()
    }

    fn full_name(&self, module: &Module) -> String {
        let names = [&self.name].into_iter().chain(module);
        names.map(String::as_str).collect::<Vec<_>>().join("::")
    }

    /// The module that a path within `module` leads to; none where it leads out of the crate.
    fn resolve(&self, module: &Module, path: &[String]) -> Option<Module> {
        let mut at = match path.first()?.as_str() {
            "crate" => Module::new(),
            "self" => module.clone(),
            "super" => parent(module)?,
            name if self.is_module(module, name) => [&module[..], &path[..1]].concat(),
            _ => return None,
        };
        for name in &path[1..] {
            if name == "super" {
                at = parent(&at)?;
            } else if self.is_module(&at, name) {
                at.push(name.clone());
            } else {
                let origin = self.modules[&at].aliases.get(name);
                let origin = origin.filter(|origin| *origin != path);
                return origin
                    .and_then(|origin| self.resolve(&at, origin))
                    .or(Some(at));
            }
        }
        Some(at)
    }

    fn is_module(&self, module: &[String], name: &str) -> bool {
        self.modules
            .contains_key(&[module, &[name.to_owned()]].concat())
    }
}

fn parent(module: &Module) -> Option<Module> {
    let (_, parent) = module.split_last()?;
    Some(parent.to_vec())
}

/// Read a module's file and those of the modules that it declares, which lie in `folder`.
fn read(file: &Path, folder: &Path, module: Module, found: &mut BTreeMap<Module, Contents>) {
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{file:?}: {error}"));
    let tree = syn::parse_file(&text).unwrap_or_else(|error| panic!("{file:?}: {error}"));
    for item in &tree.items {
        if let Item::Mod(ItemMod {
            ident,
            content: None,
            attrs,
            ..
        }) = item
            && !is_test(attrs)
        {
            let name = ident.to_string();
            let inner = folder.join(&name);
            let flat: PathBuf = folder.join(format!("{name}.rs"));
            let file = if flat.exists() {
                flat
            } else {
                inner.join("mod.rs")
            };
            read(&file, &inner, [&module[..], &[name]].concat(), found);
        }
    }
    let mut contents = Contents::default();
    contents.visit_file(&tree);
    found.insert(module, contents);
}

/// The names of the types that a source defines, but for those inside a function.
pub fn types(text: &str) -> Vec<String> {
    let tree = syn::parse_file(text).expect("a source");
    let name = |item: &Item| match item {
        Item::Struct(item) => Some(item.ident.to_string()),
        Item::Enum(item) => Some(item.ident.to_string()),
        Item::Trait(item) => Some(item.ident.to_string()),
        Item::Type(item) => Some(item.ident.to_string()),
        _ => None,
    };
    tree.items.iter().filter_map(name).collect()
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let list = attribute.meta.require_list();
        list.is_ok_and(|list| list.path.is_ident("cfg") && list.tokens.to_string() == "test")
    })
}

impl Visit<'_> for Contents {
    fn visit_item_mod(&mut self, item: &ItemMod) {
        if !is_test(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &ItemUse) {
        let handed_on = !matches!(item.vis, Visibility::Inherited);
        for (name, path) in flatten(&item.tree, &[]) {
            if !handed_on {
                self.paths.insert(path.clone());
            }
            self.aliases.insert(name, path);
        }
    }

    fn visit_path(&mut self, path: &syn::Path) {
        let segments = path.segments.iter();
        let names: Vec<String> = segments.map(|part| part.ident.to_string()).collect();
        if names.len() > 1 {
            self.paths.insert(names);
        }
        visit::visit_path(self, path);
    }
}

/// Each name that a tree of imports brings in, with the path it stands for; all names of a module are `*`.
fn flatten(tree: &UseTree, before: &[String]) -> Vec<(String, Vec<String>)> {
    let path = |name: String| [before, &[name]].concat();
    match tree {
        UseTree::Path(outer) => flatten(&outer.tree, &path(outer.ident.to_string())),
        UseTree::Group(group) => {
            let trees = group.items.iter();
            trees.flat_map(|tree| flatten(tree, before)).collect()
        }
        UseTree::Name(name) if name.ident == "self" => {
            vec![(before.last().cloned().unwrap_or_default(), before.to_vec())]
        }
        UseTree::Name(name) => vec![(name.ident.to_string(), path(name.ident.to_string()))],
        UseTree::Rename(name) => vec![(name.rename.to_string(), path(name.ident.to_string()))],
        UseTree::Glob(_) => vec![("*".to_owned(), before.to_vec())],
    }
}
