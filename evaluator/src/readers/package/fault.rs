//! What is wrong with a package, and in which of its files.

use crate::readers::node::Fault;

/// What is wrong with a package.
#[derive(Debug)]
pub(super) struct PackageFault {
    /// The path within the package.
    pub file: String,
    /// The field, and why.
    pub fault: Fault,
}

impl PackageFault {
    /// Of a field of a file.
    pub fn of(file: &str, fault: Fault) -> PackageFault {
        PackageFault {
            file: file.to_owned(),
            fault,
        }
    }

    /// Of a file as a whole.
    pub fn file(file: &str, message: impl Into<String>) -> PackageFault {
        let fault = Fault {
            field: None,
            message: message.into(),
        };
        PackageFault::of(file, fault)
    }
}
