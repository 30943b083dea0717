//! Where the keys and values of each growing sequence lie: a stretch of rows in one pool, which grows as the sequence does. So what
//! is taken follows what is held, and not what the longest response might hold.
//!
//! Attention wants the rows of a sequence side by side, so where one finds no room behind it, all are laid out anew and share
//! what is free. This module knows no tensor: which rows move where is for whoever holds them.

/// Rows that a sequence gets beyond those it holds, at least: all move at most once in so many tokens.
const AHEAD: i64 = 32;

/// The rows of one sequence.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stretch {
    pub(super) first: i64,
    pub(super) length: i64,
    /// Rows that are its own, held or not.
    room: i64,
    /// Rows that it may ever hold.
    most: i64,
}

impl Stretch {
    /// Rows for what it holds and for `ahead` more.
    fn needed(&self, ahead: i64) -> i64 {
        self.most.min(self.length + ahead)
    }
}

/// Rows that move, from and to.
#[derive(Debug, Default)]
pub(super) struct Moves {
    pub(super) from: Vec<i64>,
    pub(super) to: Vec<i64>,
}

/// All stretches, in the order of the busy slots.
#[derive(Debug)]
pub(super) struct Stretches {
    rows: i64,
    slots: usize,
    /// What each is given beyond what it holds.
    ahead: i64,
    busy: Vec<Stretch>,
}

impl Stretches {
    /// For `slots` sequences in a pool of `rows`; up to `at_once` tokens are appended between two calls of [`Stretches::settle`].
    pub(super) fn new(rows: i64, slots: usize, at_once: usize) -> Stretches {
        Stretches {
            rows,
            slots,
            ahead: AHEAD.max(at_once as i64),
            busy: Vec::new(),
        }
    }

    pub(super) fn busy(&self) -> &[Stretch] {
        &self.busy
    }

    /// Slots that are free.
    pub(super) fn free(&self) -> usize {
        self.slots - self.busy.len()
    }

    fn needed(&self, ahead: i64) -> i64 {
        self.busy.iter().map(|one| one.needed(ahead)).sum()
    }

    /// Whether one more sequence may start: with twice the room that must be left to go on, or it would soon have to give way.
    pub(super) fn takes(&self, length: i64, most: i64) -> bool {
        let own = most.min(length + 2 * self.ahead);
        self.free() > 0 && self.needed(2 * self.ahead) + own <= self.rows
    }

    /// Whether there are too few rows for all to go on, so that one has to give way. There are always enough for one.
    pub(super) fn overfull(&self) -> bool {
        self.busy.len() > 1 && self.needed(self.ahead) > self.rows
    }

    /// Adds a sequence that was [taken](Stretches::takes), behind the others' slots: where there is a gap, or else after a move.
    pub(super) fn push(&mut self, length: i64, most: i64) -> Moves {
        let mut added = Stretch {
            first: 0,
            length,
            room: 0,
            most,
        };
        let before = self.busy.len();
        let Some((first, free)) = self.gap(added.needed(self.ahead)) else {
            self.busy.push(added);
            return self.lay_out(before);
        };
        let fair = added.needed(self.ahead).max(self.rows / self.slots as i64);
        added.first = first;
        added.room = most.min(free.min(fair));
        self.busy.push(added);
        Moves::default()
    }

    /// Free rows, at least so many, in one piece: where they begin, and how many they are. Behind all others, or else in the first gap
    /// between them.
    fn gap(&self, least: i64) -> Option<(i64, i64)> {
        let taken = self
            .busy
            .iter()
            .map(|one| (one.first, one.first + one.room));
        let end = taken.clone().map(|(_, end)| end).max().unwrap_or(0);
        if self.rows - end >= least {
            return Some((end, self.rows - end));
        }
        let mut taken: Vec<(i64, i64)> = taken.collect();
        taken.sort_unstable();
        let ends = std::iter::once(0).chain(taken.iter().map(|(_, end)| *end));
        let mut gaps = ends.zip(&taken).map(|(end, (first, _))| (end, first - end));
        gaps.find(|(_, free)| *free >= least)
    }

    /// Frees a slot; the last busy one becomes it, as `Vec::swap_remove` does. No row moves.
    pub(super) fn remove(&mut self, slot: usize) {
        self.busy.swap_remove(slot);
    }

    /// Before `steps` tokens are appended to each: what has to move for it. None may be [in the way](Stretches::overfull).
    pub(super) fn settle(&mut self, steps: usize) -> Moves {
        let steps = steps as i64;
        match self.busy.iter().all(|one| one.length + steps <= one.room) {
            true => Moves::default(),
            false => self.lay_out(self.busy.len()),
        }
    }

    /// After that.
    pub(super) fn grow(&mut self, steps: usize) {
        let grow = |one: &mut Stretch| one.length += steps as i64;
        self.busy.iter_mut().for_each(grow);
    }

    /// Lays all out one after the other, each with its part of what is free. Only the first so many hold rows as yet.
    fn lay_out(&mut self, held: usize) -> Moves {
        let spare = self.rows - self.needed(self.ahead);
        let share = spare / self.busy.len().max(1) as i64;
        let (mut moves, mut next) = (Moves::default(), 0);
        for (slot, one) in self.busy.iter_mut().enumerate() {
            if slot < held && one.first != next {
                moves.from.extend(one.first..one.first + one.length);
                moves.to.extend(next..next + one.length);
            }
            one.first = next;
            one.room = one.most.min(one.needed(self.ahead) + share);
            next += one.room;
        }
        moves
    }
}
