//! Makes verified problems of raw sources: collects, processes, filters and verifies them.
//!
//! The words: a [`Record`] is a problem on its way, with its solutions, its origin and all that was done to it. A
//! [`Stage`] takes records and gives back the same number of them, in the same order: what it drops stays in the file, with
//! a [`Dropped`] that says why and by what evidence. A [`StageReport`] counts what a stage did. [`export`] writes what is left.
//!
//! Nothing here decides whether a program is right. That is the evaluator's business, which every stage that runs
//! programs goes through.
//!
//! ```
//! use dataset::{Bounds, Record, Reason};
//!
//! let row = r#"{"id": "sum", "kind": "stdin", "statement": "Add.", "tests": [{"input": "1 2", "output": "3"}]}"#;
//! let mut record: Record = serde_json::from_str(row)?;
//! let bounds = Bounds { min_tests: 2, ..Bounds::default() };
//! assert_eq!(bounds.dropped(&record).map(|dropped| dropped.reason), Some(Reason::FewTests));
//! # Ok::<(), serde_json::Error>(())
//! ```

pub mod card;
pub mod chart;
pub mod chosen;
pub mod collect;
pub mod difficulty;
pub mod error;
pub mod export;
pub mod filter;
pub mod llm;
pub mod page;
pub mod pairs;
pub mod pipeline;
pub mod process;
pub mod python;
pub mod record;
pub mod split;
pub mod stage;
pub mod stats;
pub mod text;
pub mod verify;

pub use error::DataError;
pub use filter::Bounds;
pub use record::{Dropped, Reason, Record, Stage};
pub use stage::StageReport;
