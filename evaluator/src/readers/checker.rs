//! The checker that a problem names.

use super::node::{Fault, Node};
use crate::Checker;
use crate::problem::Tests;

/// The checker of a problem with these tests: its name, or an object with nothing but that.
pub(super) fn checker(node: &Node<'_>, tests: &Tests) -> Result<Checker, Fault> {
    if !matches!(tests, Tests::Stdin(_)) {
        return Err(node.fault("belongs only in a problem of kind \"stdin\""));
    }
    if node.text().is_ok() {
        return named(node);
    }
    node.object()
        .map_err(|_| node.wrong("a name or an object with a \"name\""))?;
    match node.names().find(|name| *name != "name") {
        Some(name) => Err(node.fault(format!("contains \"{name}\", but only \"name\" is allowed"))),
        None => named(&node.need("name")?),
    }
}

fn named(node: &Node<'_>) -> Result<Checker, Fault> {
    let name = node.text()?;
    Checker::named(name).ok_or_else(|| {
        let names: Vec<&str> = Checker::ALL.iter().map(|checker| checker.name()).collect();
        node.fault(format!(
            "is \"{name}\", but must be one of {}",
            names.join(", ")
        ))
    })
}
