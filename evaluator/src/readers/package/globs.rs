//! The patterns of `submissions.yaml`: `*` within a name, and `{a,b}`. A pattern matches a path, or a folder above it.

/// Whether `pattern` matches `path` or a folder that it is in.
pub(super) fn matches(pattern: &str, path: &str) -> bool {
    alternatives(pattern).iter().any(|pattern| {
        let pattern: Vec<&str> = pattern.trim_matches('/').split('/').collect();
        let path: Vec<&str> = path.split('/').collect();
        pattern.len() <= path.len()
            && pattern
                .iter()
                .zip(&path)
                .all(|(pattern, part)| part_matches(pattern, part))
    })
}

/// The most patterns that one with braces stands for.
const MOST: usize = 1000;

/// The patterns without braces that one with braces stands for.
fn alternatives(pattern: &str) -> Vec<String> {
    let mut done = Vec::new();
    let mut open = vec![pattern.to_owned()];
    while let Some(pattern) = open.pop() {
        let braces = pattern.rfind('{').and_then(|from| {
            let to = from + pattern[from..].find('}')?;
            Some((from, to))
        });
        match braces {
            Some((from, to)) if open.len() + done.len() < MOST => {
                let parts = pattern[from + 1..to].split(',');
                open.extend(
                    parts.map(|part| format!("{}{part}{}", &pattern[..from], &pattern[to + 1..])),
                );
            }
            _ => done.push(pattern),
        }
    }
    done
}

fn part_matches(pattern: &str, part: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else {
        return pattern == part;
    };
    let Some(mut part) = part.strip_prefix(start) else {
        return false;
    };
    let mut pieces: Vec<&str> = rest.split('*').collect();
    let end = pieces.pop().unwrap_or_default();
    for piece in pieces {
        match part.find(piece) {
            Some(place) => part = &part[place + piece.len()..],
            None => return false,
        }
    }
    part.ends_with(end)
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn a_pattern_matches_a_path_and_what_is_below_it() {
        for (pattern, path, expected) in [
            ("accepted", "accepted/a.py", true),
            ("accepted/*", "accepted/a.py", true),
            ("accepted/*.{py,cpp}", "accepted/a.cpp", true),
            ("accepted/*.{py,cpp}", "accepted/a.c", false),
            ("*/slow_*_n?", "mixed/slow_a_n2", false),
            ("*/slow*n2.py", "mixed/slow_n2_n2.py", true),
            ("{a,b}/{c,d}", "b/c", true),
            ("accepted", "accepted_too/a.py", false),
            ("*", "accepted/a.py", true),
        ] {
            assert_eq!(matches(pattern, path), expected, "{pattern} {path}");
        }
    }
}
