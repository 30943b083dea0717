//! What a statement asks for, thing by thing: `the price`, `the mean`, in the order in which they are printed.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use super::number_words::EXACT;
use super::plain::pattern;
use super::within::stem;

/// More things than that are no list of things.
const MOST: usize = 16;

/// What a sentence asks by.
static VERB: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?:^|[\s(])(?:print|output|write|display|report|return|give)s?\b(?: out)?[:,]? ?")
});

/// The noun `output`, of which something is said.
static NOUN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:(?:must|should|may|can|is|are|will|has|have|contains?|consists?|in|with|an? answer)\b|$)",
    )
});

/// `Two numbers: the price and the mean`.
static HEAD: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^\W*(?:exactly )?(?:on (?:one|a single) line,? )?(?:two|three|four|five|six|seven|eight|\d|several|the following)\b[^:]{0,40}: ",
    )
});

/// `The first line of the output contains the price`.
static LINE_HOLDS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^\W*the \w+ line(?: of (?:the )?output)? (?:contains?|holds?|is|gives?) ")
});

/// What begins a clause about the things before it.
static CLAUSE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r",? (?:where|if|such that|so that|unless|as long as|provided)\b"));

static SEPARATOR: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r",? (?:and then|and(?: also| finally)?|then|followed by|as well as|together with|along with) (?:(?:print|output|write) )?|, ",
    )
});

/// `Between a and b`, which are no things that are printed.
static BETWEEN: LazyLock<Regex> = LazyLock::new(|| pattern(r"\bbetween [^,;]{1,40}? and\b"));

/// How things are laid out, or how exact they are.
static NO_THING: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"^\W*(?:(?:(?:only )?the (?:former|latter)|one|each|both|all|separated|in|on (?:one|a|the same|separate|different)|per|which|rounded|using|for|as|with(?:in)?|to|up|so|without|respectively|correct|accurate|exactly|at|precise|after|before)\b",
        r"|(?:(?:on|in) )?(?:the )?(?:first|second|third|next|following|last) line\W*$",
        r"|(?:exactly |the )?(?:two|three|four|[a-z]|\d+)? ?(?:\w+ )?(?:lines?|numbers?|integers?|values?|reals?)\W*$|\W*$)",
    ))
});

/// What goes with a thing, or where it stands, behind its noun.
static TAIL: LazyLock<Regex> =
    LazyLock::new(|| pattern(r" (?:of|for|from|in|on|with|to|rounded|exactly|between) "));

/// What a thing is of, or where it is, behind its noun, be it told by a clause.
static OF_NOUN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"[,:(]|\b(?:of|for|from|in|on|with|to|rounded|exactly|between|as|at|by|when|where|that|which|who|after|before|if|needed|required)\b",
    )
});

/// What ends a name in a sentence on errors.
static NAME_END: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"[,:;(]|['’]s? |\b(?:is|are|may|must|should|will|has|have|can|could|needs?|ought|differs?|lies?|with|within|which|to|absolute|relative|up|at most|an|only)\b",
    )
});

/// `Print two real numbers`: things without names.
static UNNAMED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:print|output|write|display|report|return)\w* (?:exactly |the )?(two|three|four|five|2|3|4|5) (?:[\w-]+ )?(?:numbers|values|reals|lines|answers)\b",
    )
});

/// A thing by its place: `the second number`, `the latter`.
static ORDINAL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:the )?(?:(?P<of_two>former|latter)\b|(first|second|third|fourth|last)\b(?: (?:one|number|value|line|answer|real|output)\b| of (?:them|these)|$))",
    )
});

/// Words that tell no thing from another.
const NO_NAMES: [&str; 22] = [
    "the", "a", "an", "its", "of", "in", "on", "and", "line", "first", "second", "third", "with",
    "number", "value", "error", "absolute", "relative", "at", "most", "is", "to",
];

/// What a thing may be called by for short: `the average` of the average height.
const QUANTITIES: [&str; 6] = ["average", "mean", "median", "total", "minimum", "maximum"];

/// How many there are of another.
static COUNT: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^\W*(?:the |its |their |an? )?(?:number|count|size)\b"));

/// What points back at another: `those of the second team`.
static THOSE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^\W*(?:those|these|them|of|the others?|that|the same)\b"));

/// `The list of`, before what a thing is.
static LIST_OF: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^\W*(?:the |an? )?(?:list|array|sequence) of "));

/// A thing that is asked for.
#[derive(Debug, Clone)]
struct Thing {
    /// The sentence that asks for it, and where its words begin there.
    sentence: usize,
    start: usize,
    text: String,
}

/// The things that a statement asks for.
#[derive(Debug, Clone, Default)]
pub(super) struct Things {
    all: Vec<Thing>,
    /// How many there are where they have no names.
    unnamed: usize,
}

impl Things {
    /// Those that these sentences ask for.
    pub(super) fn of(sentences: &[&str]) -> Things {
        let mut all = Vec::new();
        for (at, sentence) in sentences.iter().enumerate() {
            all.extend(parts(sentence).into_iter().map(|(start, end)| Thing {
                sentence: at,
                start,
                text: sentence[start..end].to_lowercase(),
            }));
        }
        let number = |word: &str| {
            ["two", "three", "four", "five"]
                .iter()
                .position(|n| *n == word)
        };
        let counts = sentences.iter().filter_map(|sentence| {
            let word = UNNAMED.captures(sentence)?[1].to_lowercase();
            word.parse().ok().or_else(|| Some(number(&word)? + 2))
        });
        let unnamed = if all.is_empty() { counts.sum() } else { 0 };
        Things { all, unnamed }
    }

    /// How many there are, if each of them is one word of the output.
    pub(super) fn count(&self) -> Option<usize> {
        let count = self.all.len().max(self.unnamed);
        let are_single = !self.all.iter().any(|thing| is_many(&thing.text));
        ((2..=MOST).contains(&count) && are_single).then_some(count)
    }

    /// The one that goes by this name, if it is one alone.
    pub(super) fn named(&self, name: &str) -> Option<usize> {
        let lower = name.to_lowercase();
        let best = self.best(|thing| words_in(TAIL.split(&thing.text).next()?), &lower);
        best.or_else(|| self.best(|thing| words_in(&thing.text), &lower))
            .or_else(|| self.by_place(&lower))
    }

    /// Whether one of them is what this text begins with, and it speaks of nothing that was not asked for.
    pub(super) fn are_called(&self, text: &str) -> bool {
        self.called(text).is_some()
    }

    /// How many have names.
    pub(super) fn with_names(&self) -> usize {
        self.all.len()
    }

    /// Which of them that is.
    pub(super) fn called(&self, text: &str) -> Option<usize> {
        let name = NAME_END.split(text).next().unwrap_or_default();
        let name = name.to_lowercase();
        let is_it = |thing: &Thing| {
            let is_told = |word: &&str| has_word(&thing.text, word);
            let noun = noun_of(&name);
            let is_noun =
                noun == noun_of(&thing.text) || is_quantity(noun) && has_word(&thing.text, noun);
            is_noun && words_in(&name).is_some_and(|words| words.iter().all(is_told))
        };
        let found = self.all.iter().position(is_it);
        found.or_else(|| self.by_place(&name))
    }

    /// Whether some of them are these parts, and others are neither these nor the whole.
    pub(super) fn has_part_beside_others(&self, part: &str, whole: &str) -> bool {
        let is_part = |thing: &Thing| has_word(&thing.text, part) && !COUNT.is_match(&thing.text);
        // `The groups`, or `the number of pairs`, which stands above them.
        let is_whole = |thing: &Thing| has_several(&thing.text, whole);
        let is_other =
            |thing: &Thing| !is_part(thing) && !is_whole(thing) && !THOSE.is_match(&thing.text);
        self.all.iter().any(is_part) && self.all.iter().any(is_other)
    }

    /// Whether there are some, and each is called by one of these nouns.
    pub(super) fn are_all_among(&self, nouns: &[&str]) -> bool {
        let is_one = |thing: &Thing| {
            let text = LIST_OF.replace(&thing.text, "");
            nouns.iter().any(|noun| stem(noun) == noun_of(&text))
        };
        !self.all.is_empty() && self.all.iter().all(is_one)
    }

    fn best<'a>(
        &'a self,
        words_of: impl Fn(&'a Thing) -> Option<Vec<&'a str>>,
        name: &str,
    ) -> Option<usize> {
        let wanted = words_in(name)?;
        let scores = self.all.iter().map(|thing| {
            let words = words_of(thing).unwrap_or_default();
            let is_in = |word: &&&str| words.iter().any(|known| stem(known) == stem(word));
            wanted.iter().filter(is_in).count()
        });
        let scores: Vec<usize> = scores.collect();
        let most = *scores.iter().max()?;
        let mut best = (0..scores.len()).filter(|at| scores[*at] == most);
        let found = best.next().filter(|_| most > 0);
        found.filter(|_| best.next().is_none())
    }

    fn by_place(&self, name: &str) -> Option<usize> {
        let count = self.count()?;
        let found = ORDINAL.captures(name)?;
        let word = found.name("of_two").filter(|_| count == 2).or(found.get(2));
        let at = match word?.as_str() {
            "first" | "former" => 0,
            "second" => 1,
            "third" => 2,
            "fourth" => 3,
            _ => count - 1,
        };
        (at < count).then_some(at)
    }

    /// Those of one sentence.
    pub(super) fn in_sentence(&self, sentence: usize) -> Vec<usize> {
        let all = self.all.iter().enumerate();
        all.filter(|(_, thing)| thing.sentence == sentence)
            .map(|(at, _)| at)
            .collect()
    }

    /// The last that begins before a place in a sentence.
    pub(super) fn before(&self, sentence: usize, place: usize) -> Option<usize> {
        let is_before = |thing: &Thing| thing.sentence == sentence && thing.start < place;
        self.all.iter().rposition(is_before)
    }

    /// Those that a sentence asks for as they are.
    pub(super) fn exact_in(&self, sentence: usize) -> Vec<usize> {
        let is_exact = |at: &usize| EXACT.is_in(&format!("print {}", self.all[*at].text));
        let mut found = self.in_sentence(sentence);
        found.retain(is_exact);
        found
    }

    /// The words that may stand before a number of the output, to say which it is.
    pub(super) fn labels(&self) -> BTreeSet<String> {
        let words = self.all.iter().filter_map(|thing| words_in(&thing.text));
        words.flatten().map(|word| stem(word).to_owned()).collect()
    }
}

fn words_in(text: &str) -> Option<Vec<&str>> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    Some(
        words
            .filter(|word| !word.is_empty() && !NO_NAMES.contains(word))
            .collect(),
    )
}

fn has_word(text: &str, word: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    words.any(|known| stem(known) == stem(word))
}

/// Whether a text has the plural of a noun.
fn has_several(text: &str, noun: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    !noun.is_empty() && words.any(|word| stem(word) == noun && word.ends_with('s'))
}

fn is_quantity(noun: &str) -> bool {
    QUANTITIES.iter().any(|quantity| stem(quantity) == noun)
}

/// What a thing is, without what goes with it.
fn noun_of(text: &str) -> &str {
    let head = OF_NOUN.split(text).next().unwrap_or_default();
    let words = head.split(|c: char| !c.is_alphanumeric());
    let mut words = words.filter(|word| !word.is_empty()).rev();
    // `The coordinates x and y`.
    let last = words.next().unwrap_or_default();
    let noun = if last.len() == 1 { words.next() } else { None };
    stem(noun.unwrap_or(last))
}

/// Whether a thing is several of a kind.
fn is_many(text: &str) -> bool {
    let head = TAIL.split(text).next().unwrap_or_default();
    let noun = head.trim_matches(|c: char| !c.is_alphanumeric());
    let noun = noun.rsplit(' ').next().unwrap_or_default();
    noun.ends_with('s')
        && !["ss", "us", "is", "as"]
            .iter()
            .any(|end| noun.ends_with(end))
}

/// Where in a sentence the words for each thing are that it asks for.
fn parts(sentence: &str) -> Vec<(usize, usize)> {
    let Some(start) = asked_from(sentence) else {
        return Vec::new();
    };
    let told = blanked(sentence);
    let asked = &told[start..];
    let head = HEAD.find(asked).map_or(0, |head| head.end());
    let end = CLAUSE
        .find(asked)
        .map_or(asked.len(), |clause| clause.start());
    let asked = &asked[..end.max(head)];
    let mut parts = Vec::new();
    let mut from = head;
    let ends = SEPARATOR.find_iter(&asked[head..]);
    let ends = ends.map(|gap| (head + gap.start(), head + gap.end()));
    for (end, next) in ends.chain([(asked.len(), asked.len())]) {
        let part = &asked[from..end];
        if !NO_THING.is_match(part) {
            let end = part.trim_end_matches([' ', '.', ':', ',', ';']);
            parts.push((start + from, start + from + end.len()));
        }
        from = next;
    }
    parts
}

/// Where what a sentence asks for begins.
fn asked_from(sentence: &str) -> Option<usize> {
    if let Some(line) = LINE_HOLDS.find(sentence) {
        return Some(line.end());
    }
    let mut verbs = VERB.find_iter(sentence).map(|verb| verb.end());
    verbs.find(|verb| !NOUN.is_match(&sentence[*verb..]))
}

/// A sentence of the same length, with nothing in its brackets, and no `and` between two ends of something.
fn blanked(sentence: &str) -> String {
    let mut depth = 0usize;
    let mut told = String::with_capacity(sentence.len());
    for c in sentence.chars() {
        depth += usize::from(c == '(');
        match depth {
            0 => told.push(c),
            _ => told.extend(std::iter::repeat_n(' ', c.len_utf8())),
        }
        depth = depth.saturating_sub(usize::from(c == ')'));
    }
    let joined = |found: &regex::Captures<'_>| {
        let between = &found[0];
        format!("{}xxx", &between[..between.len() - 3])
    };
    BETWEEN.replace_all(&told, joined).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn things(sentences: &[&str]) -> Vec<String> {
        let things = Things::of(sentences).all;
        things.into_iter().map(|thing| thing.text).collect()
    }

    #[test]
    fn things_that_are_asked_for() {
        let price = "Output: first line the total price, second line the mean (an error of 0.01).";
        assert_eq!(
            things(&[price]),
            ["first line the total price", "second line the mean"]
        );
        let lines = "Output four lines: the minimum, the maximum and the mean of the numbers.";
        assert_eq!(
            things(&[lines]),
            ["the minimum", "the maximum", "the mean of the numbers"]
        );
        assert_eq!(
            things(&["Print 'Price: p' and 'Mean: m', where m may be off."]),
            ["'price: p'", "'mean: m'"]
        );
        assert_eq!(
            things(&["Print the distance between a and b, one per line."]).len(),
            1
        );
        assert_eq!(things(&["Your output must be exact."]).len(), 0);
    }

    #[test]
    fn things_by_their_names() {
        let things = Things::of(&["Print the mean of the prices and then the price."]);
        assert_eq!(things.named("price may have"), Some(1));
        assert_eq!(things.named("mean"), Some(0));
        assert_eq!(things.named("area"), None);
        let unnamed = Things::of(&["Print two real numbers."]);
        assert_eq!(unnamed.named("second number may"), Some(1));
    }
}
