//! One of several parts of the submissions, for several machines to judge.

use std::str::FromStr;

use evaluator::readers::ReadError;
use evaluator::verdict::ShardPlace;

use super::intake::Drawn;

/// More parts than there are machines.
const MOST: u32 = 1 << 20;

/// Part `number` of `of`, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    number: u32,
    of: u32,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let wanted = || "must be I/N, part I of N, such as 1/8".to_owned();
        let (number, of) = text.split_once('/').ok_or_else(wanted)?;
        let number = number.parse().map_err(|_| wanted())?;
        let of = of.parse().map_err(|_| wanted())?;
        match (1..=of).contains(&number) && of <= MOST {
            true => Ok(Shard { number, of }),
            false => Err(format!(
                "part {number} of {of}: parts are counted from 1, and there are at most {MOST}"
            )),
        }
    }
}

/// Keep of all submissions those of one part. Invalid lines are told of in each part, and have no place.
pub struct Sharded<I> {
    all: I,
    shard: Shard,
    /// The place of the next submission among all.
    place: u64,
    /// The next of this part: whether it is the last is known once the one behind it is.
    next: Option<Drawn>,
}

impl<I: Iterator<Item = Result<Drawn, ReadError>>> Sharded<I> {
    /// This part of `all`.
    pub fn new(all: I, shard: Shard) -> Sharded<I> {
        Sharded {
            all,
            shard,
            place: 0,
            next: None,
        }
    }

    /// Put a submission in its place, if it is of this part.
    fn own(&mut self, drawn: Drawn) -> Option<Drawn> {
        let place = self.place;
        self.place += 1;
        let Shard { number, of } = self.shard;
        let is_own = place % u64::from(of) == u64::from(number - 1);
        is_own.then_some(Drawn {
            shard: Some(ShardPlace {
                number,
                of,
                place,
                total: None,
            }),
            ..drawn
        })
    }

    /// All are drawn: the last of this part says how many there were.
    fn last(&mut self) -> Option<Drawn> {
        let mut last = self.next.take()?;
        if let Some(shard) = &mut last.shard {
            shard.total = Some(self.place);
        }
        Some(last)
    }
}

impl<I: Iterator<Item = Result<Drawn, ReadError>>> Iterator for Sharded<I> {
    type Item = Result<Drawn, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.all.next() {
                None => return self.last().map(Ok),
                Some(Err(error)) => return Some(Err(error)),
                Some(Ok(drawn)) => {
                    let Some(own) = self.own(drawn) else {
                        continue;
                    };
                    if let Some(before) = self.next.replace(own) {
                        return Some(Ok(before));
                    }
                }
            }
        }
    }
}
