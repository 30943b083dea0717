//! Where the values stand in a text that programs read: lines of so many words, rows as long as an earlier number says, and as
//! many blocks of lines as one says.

use evaluator::Value;

/// The layout of all inputs of a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// The first lines.
    head: Vec<Line>,
    /// What comes behind them: as many blocks as the value at this place says, each of such lines.
    blocks: Option<(usize, Vec<Line>)>,
}

/// A line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    /// So many words, each a value.
    Words(usize),
    /// As many words as the value at this place of its block says; together one value.
    Row(usize),
    /// Whatever it holds is one value.
    Text,
}

/// What a block may be made of, the likeliest first.
const BLOCKS: [&[Line]; 11] = [
    &[Line::Words(1)],
    &[Line::Words(2)],
    &[Line::Words(3)],
    &[Line::Words(4)],
    &[Line::Words(1), Line::Row(0)],
    &[Line::Words(1), Line::Row(0), Line::Row(0)],
    &[Line::Words(2), Line::Row(0)],
    &[Line::Words(2), Line::Row(0), Line::Row(1)],
    &[Line::Words(3), Line::Row(0)],
    &[Line::Words(1), Line::Text],
    &[Line::Text],
];

/// The most lines before the blocks.
const HEAD: usize = 4;

impl Layout {
    /// The layout that all of these texts have, with their values.
    pub fn of(texts: &[String]) -> Option<(Layout, Vec<Vec<Value>>)> {
        let lines: Vec<Vec<&str>> = texts.iter().map(|text| lines(text)).collect();
        let mut head = Vec::new();
        let mut found = None;
        for _ in 0..HEAD {
            head.push(next_line(&head, &lines)?);
            let fitting = candidates(&head).find_map(|layout| {
                let rows: Option<Vec<_>> = lines.iter().map(|lines| layout.read(lines)).collect();
                Some((layout, rows?))
            });
            // A layout without blocks fits only inputs of equally many lines; one with them is looked for to the end.
            let has_blocks = fitting
                .as_ref()
                .is_some_and(|(layout, _)| layout.blocks.is_some());
            found = fitting.or(found);
            if has_blocks || lines.iter().any(|lines| lines.len() <= head.len()) {
                break;
            }
        }
        found
    }

    fn read(&self, lines: &[&str]) -> Option<Vec<Value>> {
        let mut lines = lines.iter().copied();
        let mut values = read(&self.head, &mut lines)?;
        if let Some((count, block)) = &self.blocks {
            let Value::Int(count) = values.get(*count)? else {
                return None;
            };
            let rows: Option<Vec<Value>> = (0..*count)
                .map(|_| Some(one_or_tuple(read(block, &mut lines)?)))
                .collect();
            values.push(Value::List(rows?));
        }
        lines.next().is_none().then_some(values)
    }

    /// The text of an input with these values.
    pub fn write(&self, values: &[Value]) -> String {
        let mut text = String::new();
        let mut values = values.iter();
        write(&self.head, &mut values, &mut text);
        if let (Some((_, block)), Some(Value::List(rows))) = (&self.blocks, values.next()) {
            for row in rows {
                let row = match row {
                    Value::Tuple(values) => values.as_slice(),
                    one => std::slice::from_ref(one),
                };
                write(block, &mut row.iter(), &mut text);
            }
        }
        text
    }
}

/// All layouts that begin with these lines, those with blocks first.
fn candidates(head: &[Line]) -> impl Iterator<Item = Layout> {
    let values = head.iter().map(|line| match line {
        Line::Words(words) => *words,
        Line::Row(_) | Line::Text => 1,
    });
    let counts = 0..values.sum();
    let blocks = counts.flat_map(|count| BLOCKS.map(|block| Some((count, block.to_vec()))));
    blocks.chain([None]).map(|blocks| Layout {
        head: head.to_vec(),
        blocks,
    })
}

/// What the line behind `head` is in all texts.
fn next_line(head: &[Line], texts: &[Vec<&str>]) -> Option<Line> {
    let line: Option<Vec<&str>> = texts
        .iter()
        .map(|lines| lines.get(head.len()).copied())
        .collect();
    let widths: Vec<usize> = line?
        .iter()
        .map(|line| line.split_whitespace().count())
        .collect();
    let before: Option<Vec<Vec<Value>>> = texts
        .iter()
        .map(|lines| read(head, &mut lines.iter().copied()))
        .collect();
    let before = before?;
    let counted = (0..before[0].len()).find(|at| {
        let mut pairs = before.iter().zip(&widths);
        pairs.all(|(values, width)| values[*at] == Value::Int(i64::try_from(*width).unwrap_or(-1)))
    });
    Some(match counted {
        Some(at) => Line::Row(at),
        None if widths.iter().all(|width| *width == widths[0]) => Line::Words(widths[0]),
        None => Line::Text,
    })
}

fn lines(text: &str) -> Vec<&str> {
    text.trim_end().lines().map(str::trim_end).collect()
}

fn read<'t>(block: &[Line], lines: &mut impl Iterator<Item = &'t str>) -> Option<Vec<Value>> {
    let mut values = Vec::new();
    for line in block {
        let text = lines.next()?;
        let words: Vec<Value> = text.split_whitespace().map(word).collect();
        match line {
            Line::Words(width) if words.len() == *width => values.extend(words),
            Line::Row(at) if counts(values.get(*at)?, words.len()) => {
                values.push(Value::List(words))
            }
            Line::Text => values.push(Value::Str(text.to_owned())),
            Line::Words(_) | Line::Row(_) => return None,
        }
    }
    Some(values)
}

fn counts(value: &Value, items: usize) -> bool {
    matches!(value, Value::Int(count) if usize::try_from(*count) == Ok(items))
}

/// A word as the number that it is, if it is written as programs write numbers.
fn word(text: &str) -> Value {
    let whole = text
        .parse::<i64>()
        .ok()
        .filter(|whole| whole.to_string() == text);
    let real = || text.parse::<f64>().ok().filter(|_| text.contains('.'));
    match whole {
        Some(whole) => Value::Int(whole),
        None => real().map_or_else(|| Value::Str(text.to_owned()), Value::Float),
    }
}

fn one_or_tuple(mut values: Vec<Value>) -> Value {
    match values.len() {
        1 => values.remove(0),
        _ => Value::Tuple(values),
    }
}

fn write<'v>(block: &[Line], values: &mut impl Iterator<Item = &'v Value>, text: &mut String) {
    for line in block {
        let words: Vec<String> = match line {
            Line::Words(width) => values.by_ref().take(*width).map(written).collect(),
            Line::Row(_) | Line::Text => match values.next() {
                Some(Value::List(items)) => items.iter().map(written).collect(),
                one => one.map(written).into_iter().collect(),
            },
        };
        text.push_str(&words.join(" "));
        text.push('\n');
    }
}

fn written(value: &Value) -> String {
    match value {
        Value::Int(whole) => whole.to_string(),
        Value::Float(real) => format!("{real:?}"),
        Value::Str(text) => text.clone(),
        _ => String::new(),
    }
}
