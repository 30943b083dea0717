//! What the parameters of a function are called.

use ruff_python_ast::{Stmt, StmtFunctionDef};

use super::parsed;

/// The names of the parameters of the function, or the method, `path` of a program, without `self`.
pub fn parameters(source: &str, path: &str) -> Option<Vec<String>> {
    parsed(source, |module| {
        let mut body = module.body.as_slice();
        let (classes, function) = match path.rsplit_once('.') {
            Some((classes, function)) => (classes.split('.').collect(), function),
            None => (Vec::new(), path),
        };
        for class in classes {
            body = body.iter().rev().find_map(|statement| match statement {
                Stmt::ClassDef(found) if found.name.as_str() == class => Some(&*found.body),
                _ => None,
            })?;
        }
        let function = body.iter().rev().find_map(|statement| match statement {
            Stmt::FunctionDef(found) if found.name.as_str() == function => Some(found),
            _ => None,
        });
        function.map(names)
    })?
}

fn names(function: &StmtFunctionDef) -> Vec<String> {
    let names = function
        .parameters
        .iter()
        .map(|one| one.name().as_str().to_owned());
    names.filter(|name| name != "self").collect()
}
