//! The LaTeX of statements as plain text: what stands between dollar signs, and the commands that statements use. What is not
//! known stays as it is.

use std::sync::LazyLock;

use regex::{Captures, Regex};

static COMMAND: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\\(le|leq|ge|geq|ne|neq|times|cdot|ldots|dots|frac|sqrt|sum|text|mathrm|leqslant|geqslant|begin\{array\})\b")
        .expect("a fixed pattern")
});
static MATHS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\${1,3}([^$\n]+?)\${1,3}").expect("a fixed pattern"));
static FRACTION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}").expect("a fixed pattern")
});
static ROOT: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\\sqrt\s*\{([^{}]*)\}").expect("a fixed pattern"));
static WRAPPER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\\(?:text|textbf|textit|texttt|emph|mathrm|mathbf|mathit|mathtt|operatorname|bf|it|tt|t)\s*\{([^{}]*)\}")
        .expect("a fixed pattern")
});
static BRACES: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"([_^])\{([^{}]*)\}").expect("a fixed pattern"));

/// Commands and what they show.
const SYMBOLS: [(&str, &str); 44] = [
    ("leqslant", "<="),
    ("geqslant", ">="),
    ("leq", "<="),
    ("geq", ">="),
    ("le", "<="),
    ("ge", ">="),
    ("neq", "!="),
    ("ne", "!="),
    ("lt", "<"),
    ("gt", ">"),
    ("times", "*"),
    ("cdot", "*"),
    ("ldots", "..."),
    ("cdots", "..."),
    ("dots", "..."),
    ("pm", "+-"),
    ("in", "in"),
    ("sum", "sum"),
    ("prod", "product"),
    ("min", "min"),
    ("max", "max"),
    ("log", "log"),
    ("gcd", "gcd"),
    ("lfloor", "floor("),
    ("rfloor", ")"),
    ("lceil", "ceil("),
    ("rceil", ")"),
    ("left", ""),
    ("right", ""),
    ("bmod", "mod"),
    ("mod", "mod"),
    ("oplus", "xor"),
    ("infty", "infinity"),
    ("rightarrow", "->"),
    ("to", "->"),
    ("mid", "|"),
    ("quad", " "),
    ("alpha", "alpha"),
    ("beta", "beta"),
    ("pi", "pi"),
    ("equiv", "="),
    ("approx", "~"),
    ("ll", "<<"),
    ("gg", ">>"),
];

static SYMBOL: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\\([a-zA-Z]+)").expect("a fixed pattern"));

/// Whether a text uses LaTeX: a command that statements use, or maths between dollar signs. A lone price is none.
pub fn is_latex(text: &str) -> bool {
    COMMAND.is_match(text) || MATHS.captures_iter(text).any(|found| is_maths(&found[1]))
}

/// Letters alone, or with signs of maths; not the words between two prices.
fn is_maths(inner: &str) -> bool {
    !inner.starts_with(' ')
        && !inner.ends_with(' ')
        && inner.split_whitespace().all(|word| {
            word.chars().filter(|c| c.is_alphabetic()).count() <= 2
                || word.contains(['\\', '_', '^', '<', '=', '('])
        })
}

/// LaTeX as text: `$1 \le n \le 10^{5}$` as `1 <= n <= 10^5`.
pub fn latex_to_text(text: &str) -> String {
    // Powers and indices first, so that fractions and roots hold no braces.
    let text = BRACES.replace_all(text, |found: &Captures<'_>| braced(&found[1], &found[2]));
    let text = FRACTION.replace_all(&text, "($1)/($2)");
    let text = ROOT.replace_all(&text, "sqrt($1)");
    let text = WRAPPER.replace_all(&text, "$1");
    let text = SYMBOL.replace_all(&text, |found: &Captures<'_>| symbol(&found[1], &found[0]));
    let text = MATHS.replace_all(&text, |found: &Captures<'_>| found[1].trim().to_owned());
    text.replace("\\,", " ")
        .replace("\\ ", " ")
        .replace("\\%", "%")
        .replace("\\_", "_")
        .replace("\\{", "{")
        .replace("\\}", "}")
}

fn braced(mark: &str, inner: &str) -> String {
    match inner.chars().all(char::is_alphanumeric) {
        true => format!("{mark}{inner}"),
        false => format!("{mark}({inner})"),
    }
}

fn symbol(name: &str, whole: &str) -> String {
    let known = SYMBOLS.iter().find(|(known, _)| *known == name);
    known.map_or_else(|| whole.to_owned(), |(_, shown)| (*shown).to_owned())
}
