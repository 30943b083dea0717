//! The items of a list in a body, one after the other: all at once they would take many times what the body does.

use std::fmt;

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::error::HttpError;

/// A list in JSON whose items are not read yet.
#[derive(Debug, Clone, Copy)]
pub(super) struct RawList<'a>(&'a RawValue);

impl<'de: 'a, 'a> Deserialize<'de> for RawList<'a> {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<RawList<'a>, D::Error> {
        let list: &RawValue = Deserialize::deserialize(source)?;
        match list.get().starts_with('[') {
            true => Ok(RawList(list)),
            false => Err(D::Error::custom("must be a list")),
        }
    }
}

impl Default for RawList<'_> {
    fn default() -> Self {
        RawList(serde_json::from_str("[]").expect("an empty list"))
    }
}

impl<'a> RawList<'a> {
    /// How many items it has.
    pub(super) fn count(self) -> usize {
        let mut count = 0;
        let counted = self.each(|_| {
            count += 1;
            Ok(())
        });
        counted.map_or(0, |()| count)
    }

    /// Take each of its items in turn, up to the first that cannot be taken.
    pub(super) fn each(
        self,
        take: impl FnMut(&'a RawValue) -> Result<(), HttpError>,
    ) -> Result<(), HttpError> {
        let mut fault = None;
        let items = Items {
            take,
            fault: &mut fault,
        };
        let mut source = serde_json::Deserializer::from_str(self.0.get());
        let read = source.deserialize_seq(items);
        match fault {
            Some(fault) => Err(fault),
            None => read.map_err(|error| HttpError::bad(error.to_string())),
        }
    }
}

/// Takes the items of a list as they are read.
struct Items<'f, T> {
    take: T,
    /// Why one could not be taken.
    fault: &'f mut Option<HttpError>,
}

impl<'de, T: FnMut(&'de RawValue) -> Result<(), HttpError>> Visitor<'de> for Items<'_, T> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<(), A::Error> {
        while let Some(item) = items.next_element()? {
            if let Err(fault) = (self.take)(item) {
                *self.fault = Some(fault);
                return Err(A::Error::custom("an item cannot be taken"));
            }
        }
        Ok(())
    }
}
