//! What the words of a sentence ask for: items of an answer, told by a phrase without another part or order in it.

use std::sync::LazyLock;

use regex::Regex;

use super::plain::pattern;

/// The answer itself, or what points at it.
static ANSWER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:the |your |all |both |all of )?(?:final |resulting |correct |returned |result |answer )?(?:answers?|outputs?|results?|solutions?|them|it|these|those|they|all|both|elements|items|lists?|arrays?|sets?|values|numbers|integers|strings)(?: (?:of|in) (?:the |your )?(?:answers?|outputs?|results?|lists?|arrays?|sets?|original))?$",
    )
});

/// The answer by a word of its own, which the input has not.
static ANSWER_ITSELF: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:the |your )?(?:final |resulting |correct )?(?:answers?|outputs?|results?|solutions?|(?:returned|result|answer|output) (?:lists?|arrays?|elements|values|numbers|lines))$|\b(?:of|in) (?:the |your )(?:answer|output|result)s?$",
    )
});

/// Words by which a phrase has another part, an order or a condition in it, or no items at all.
static OTHER_WORDS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:and|or|each|every|per|respectively|same|equal\w*|tie[ds]?|of one|at most|at least|others?|rest|before|after|behind|below|above|at|end|if|when|while|until|whose|by|not|never|nor|without|but|then|first|last|how|any of|as|so|because|may|can|could|might|must|should|will|would|(?:of|on|in|at|for|from|by|with) (?:different|other|separate|identical)|independent \w+s|unrelated|simultaneous|concurrent|incomparable)\b|^(?:you|we|he|she|it|they|one)\b|,|^(?:a |an )?(?:number|sum|count|total|string)\b|n['’]t\b",
    )
});

/// Several things of one kind, each by its name.
static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:(?:the |two |three |four )?(?:(?:distinct|different|positive|non-negative) )*(?:numbers|integers|values|indices|positions) )?[a-z]\w?(?:, [a-z]\w?)*,? and [a-z]\w?$|^(?:the )?(?:first|smallest|smaller|lower|left|minimum) and (?:the )?(?:last|second|largest|larger|upper|right|maximum) \w+$",
    )
});

/// What is done, rather than what is asked for.
static DOING: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:of|by|after|while|when|for|from|before) \w+ing\b|\b\w+ing (?:the|all|an?|these|those|his|her|its|their|some|any)\b",
    )
});

/// What is the least or the most of its kind, and no figure: `the minimum spanning tree`.
static OPTIMAL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:minimum|maximum) ((?:spanning (?:tree|forest)|matching|cut|flow|vertex cover|edge cover|independent set|clique|dominating set)s?)\b",
    )
});

/// What was done to the items of the answer, which says nothing of an order in which it was done.
const DONE: &[&str] = &[
    "used", "chosen", "selected", "removed", "deleted", "inserted", "visited", "found", "needed",
    "required", "left", "added", "kept", "involved",
];

/// What has an order in which it was done, and no ending that shows it.
const DONE_IN_ORDER: &[&str] = &[
    "drawn", "dealt", "done", "taken", "bought", "sold", "fought", "won", "lost", "met", "eaten",
    "thrown", "read", "made", "built", "run", "given", "seen", "written", "shown", "sent", "put",
];

/// A clause about the items that says what they are, not what is done.
static CLAUSE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:that|which|who) (?:are|is|have|has|do|does|appears?|occurs?|satisf(?:y|ies)|contains?|sums?|adds?|divides?|forms?|match(?:es)?|belongs?|lies?|exists?|fits?|meets?|remains?|make up|you (?:chose|choose|removed?|selected|select|deleted?|picked|pick|found|find|used?))\b",
    )
});
static CLAUSES: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b(?:that|which|who|where)\b"));

/// Words by which a clause has another part in it, or an order.
static OTHER_PART: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:and|or|then|first|last|before|after|how|while|until|when|respectively|others?|rest)\b|,",
    )
});

/// `K integers j1, j2, ..., jk`, with their names.
static RUNNING: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(integers|numbers|indices) ([a-z])_?1,.*\b[a-z]_?[a-z0-9]$"));

/// What holds for the items, in a formula.
static SUCH_THAT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r",? such that (?:[a-z]\w?|\d+|[-+*/^()=≠×·]|\s)+$|,? that can (?:appear|occur|be (?:made|formed|reached|obtained|built|chosen|removed|used))$",
    )
});

/// `K lines with the swaps`, and what they hold.
static IN_LINES: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:[\w-]+ ){0,2}lines? (?:with|of|describing|containing) "));

/// `K integers, the indices`, and which they are.
static NUMBERS_THAT_ARE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:\w+ )?(?:(?:distinct|different|unique|space[- ]separated|positive) )*(?:integers|numbers) ?(?:,|-|:) ?(?:the |their )?",
    )
});

/// Words that pick out no part of the items.
static PLAIN_WORDS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:the|all|these|those|such|both|two|three|any|your|valid|output|resulting|required|unique|distinct|different|possible|chosen|selected|found|removed|final|of|in|on|from|with|to|n|k|m|n-1|its|their|\d+)$",
    )
});

/// What follows the noun.
static TAIL: LazyLock<Regex> =
    LazyLock::new(|| pattern(r" (?:of|in|from|on|with|to|that|which|who) "));

/// What is told of items, and has no order itself.
static FIGURES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"\b(?:(?:the )?number of|sum of|how many|ways?|minimum|maximum|whether|operations?)\b")
});

/// Whether these words ask for a figure rather than for items.
pub(super) fn are_a_figure(words: &str) -> bool {
    FIGURES.is_match(words)
}

/// Whether these words stand for the answer as a whole.
pub(super) fn are_the_answer(words: &str) -> bool {
    ANSWER.is_match(words.trim())
}

/// Whether they cannot stand for what is given either.
pub(super) fn are_of_the_answer(words: &str) -> bool {
    ANSWER_ITSELF.is_match(words.trim())
}

/// Whether a text has all of their words, the noun too.
pub(super) fn are_named_in(words: &str, text: &str) -> bool {
    let text = text.to_lowercase();
    let mut told = words
        .split_whitespace()
        .filter(|word| !PLAIN_WORDS.is_match(word));
    told.all(|word| text.contains(word.trim_end_matches('s')))
}

/// Whether they ask for items, with no more to it.
pub(super) fn are_items(words: &str) -> bool {
    let words = words.trim().replace("the given ", "the ");
    let words = OPTIMAL.replace(&words, "$1");
    let words = SUCH_THAT.replace(&words, "");
    let words = RUNNING.replace(&words, "$1");
    let words = IN_LINES.replace(&words, "");
    let words = NUMBERS_THAT_ARE.replace(&words, "");
    let told = CLAUSE.find_iter(&words).count() == CLAUSES.find_iter(&words).count();
    let last = words.rsplit(' ').next().unwrap_or_default();
    NAMED.is_match(&words)
        || told
            && !last.is_empty()
            && !OTHER_WORDS.is_match(&words)
            && !are_a_figure(&words)
            && !DOING.is_match(&words)
            && !words.split(' ').any(|word| DONE_IN_ORDER.contains(&word))
            && (!last.ends_with("ed") || DONE.contains(&last))
}

/// The same where what says how they are laid out stands between them and what is free: that is said of no verb of theirs.
pub(super) fn are_items_apart(words: &str) -> bool {
    let clause = CLAUSES.find(words).map_or(words.len(), |that| that.start());
    let (items, clause) = words.split_at(clause);
    !items.is_empty() && !OTHER_PART.is_match(clause) && are_items(items)
}

/// Whether they are what was asked for, not some of it: each word that tells them apart has been used for that.
pub(super) fn are_those_of(words: &str, asked: &str) -> bool {
    let asked = asked.to_lowercase();
    let named = TAIL.split(words.trim()).next().unwrap_or_default();
    let is_known = |word: &str| asked.contains(word.trim_end_matches('s'));
    // The last is the noun itself.
    let mut told = named
        .rsplit(' ')
        .filter(|word| !PLAIN_WORDS.is_match(word))
        .skip(1);
    asked.is_empty() || told.all(is_known)
}
