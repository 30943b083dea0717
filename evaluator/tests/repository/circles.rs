//! Modules that use one another in a circle.

use std::collections::{BTreeMap, BTreeSet};

type Uses = BTreeMap<String, BTreeSet<String>>;

/// The largest sets of modules in which each uses every other, if by way of others.
pub fn circles(uses: &Uses) -> BTreeSet<BTreeSet<String>> {
    let reached: Uses = uses
        .keys()
        .map(|module| (module.clone(), reach(module, uses)))
        .collect();
    let circle = |module: &String| -> BTreeSet<String> {
        let others = reached[module].iter();
        let back = others.filter(|other| reached[*other].contains(module));
        back.cloned().collect()
    };
    let circles = reached.keys().map(circle);
    circles.filter(|circle| !circle.is_empty()).collect()
}

/// All that a module uses, directly or not.
fn reach(module: &str, uses: &Uses) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut next = vec![module];
    while let Some(at) = next.pop() {
        let new = uses[at].iter().filter(|used| found.insert((*used).clone()));
        next.extend(new.map(String::as_str));
    }
    found
}
