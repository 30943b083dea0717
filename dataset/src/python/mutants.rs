//! Programs with one thing changed, as a careless hand may have written them: mutants (DeMillo, Lipton, Sayward 1978). Tests that
//! let them pass let careless programs pass.

use std::ops::Range;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{BoolOp, CmpOp, Expr, ExprCall, Number, Operator, Stmt, UnaryOp};
use ruff_text_size::Ranged;

use super::{is_python, parsed};

/// A change of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Edit {
    place: Range<usize>,
    text: String,
    /// What kind of change it is, so that all kinds get their turn.
    kind: &'static str,
}

/// At most `most` mutants of a program, all different and all of them Python; the same for the same `seed`.
pub fn mutants(source: &str, most: usize, seed: u64) -> Vec<String> {
    let edits = parsed(source, |module| {
        let mut finder = Finder {
            source,
            edits: Vec::new(),
        };
        finder.visit_body(&module.body);
        finder.edits
    });
    let mut edits = edits.unwrap_or_default();
    edits.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    let made = in_turns(edits).into_iter().map(|edit| {
        let (head, tail) = (&source[..edit.place.start], &source[edit.place.end..]);
        format!("{head}{}{tail}", edit.text)
    });
    made.filter(|mutant| is_python(mutant)).take(most).collect()
}

/// One of each kind, then the next of each.
fn in_turns(edits: Vec<Edit>) -> Vec<Edit> {
    let mut counts: Vec<(&'static str, usize)> = Vec::new();
    let mut ranked: Vec<(usize, Edit)> = Vec::new();
    for edit in edits {
        let known = counts.iter().position(|(kind, _)| *kind == edit.kind);
        let place = known.unwrap_or_else(|| {
            counts.push((edit.kind, 0));
            counts.len() - 1
        });
        ranked.push((counts[place].1, edit));
        counts[place].1 += 1;
    }
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().map(|(_, edit)| edit).collect()
}

struct Finder<'s> {
    source: &'s str,
    edits: Vec<Edit>,
}

impl Finder<'_> {
    fn replace(&mut self, node: &impl Ranged, kind: &'static str, text: impl Into<String>) {
        let place = usize::from(node.start())..usize::from(node.end());
        self.edits.push(Edit {
            place,
            text: text.into(),
            kind,
        });
    }

    /// Replace an operator, which stands somewhere between its operands.
    fn between(&mut self, left: &Expr, right: &Expr, old: &str, kind: &'static str, new: &str) {
        let (start, end) = (usize::from(left.end()), usize::from(right.start()));
        if let Some(at) = self.source[start..end].find(old) {
            self.edits.push(Edit {
                place: start + at..start + at + old.len(),
                text: new.to_owned(),
                kind,
            });
        }
    }

    fn text(&self, node: &impl Ranged) -> &str {
        &self.source[node.range()]
    }

    fn call(&mut self, call: &ExprCall) {
        let Expr::Name(name) = &*call.func else {
            return;
        };
        match name.id.as_str() {
            "min" => self.replace(name, "extreme", "max"),
            "max" => self.replace(name, "extreme", "min"),
            "range" => {
                if let [.., last] = &*call.arguments.args {
                    let text = format!("({}) - 1", self.text(last));
                    self.replace(last, "range", text);
                }
            }
            "sorted" => {
                if let [only] = &*call.arguments.args {
                    let text = format!("list({})", self.text(only));
                    self.replace(call, "sorted", text);
                }
            }
            _ => {}
        }
    }

    fn condition(&mut self, test: &Expr) {
        let text = format!("not ({})", self.text(test));
        self.replace(test, "condition", text);
    }
}

impl<'a> Visitor<'a> for Finder<'_> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::If(branch) => self.condition(&branch.test),
            Stmt::AugAssign(_) => self.replace(statement, "update", "pass"),
            Stmt::Break(_) | Stmt::Continue(_) => self.replace(statement, "jump", "pass"),
            Stmt::Expr(expression) if expression.value.is_call_expr() => {
                self.replace(statement, "effect", "pass");
            }
            _ => {}
        }
        walk_stmt(self, statement);
    }

    fn visit_annotation(&mut self, _: &'a Expr) {}

    fn visit_expr(&mut self, expression: &'a Expr) {
        match expression {
            Expr::Compare(compare) => {
                if let ([op], [right]) = (&*compare.ops, &*compare.comparators)
                    && let Some((old, new)) = compared(*op)
                {
                    self.between(&compare.left, right, old, "comparison", new);
                }
            }
            Expr::BinOp(operation) => {
                if let Some((old, new)) = computed(operation.op) {
                    self.between(&operation.left, &operation.right, old, "arithmetic", new);
                }
            }
            Expr::BoolOp(operation) => {
                let (old, new) = match operation.op {
                    BoolOp::And => ("and", "or"),
                    BoolOp::Or => ("or", "and"),
                };
                if let [left, right] = operation.values.as_slice() {
                    self.between(left, right, old, "logic", new);
                }
            }
            Expr::UnaryOp(operation) if operation.op == UnaryOp::Not => {
                let text = format!("({})", self.text(&*operation.operand));
                self.replace(expression, "negation", text);
            }
            Expr::NumberLiteral(number) => {
                if let Number::Int(whole) = &number.value
                    && let Some(whole) = whole.as_u64()
                {
                    self.replace(expression, "constant", (u128::from(whole) + 1).to_string());
                }
            }
            Expr::BooleanLiteral(literal) => {
                let other = if literal.value { "False" } else { "True" };
                self.replace(expression, "truth", other);
            }
            Expr::Call(call) => self.call(call),
            _ => {}
        }
        walk_expr(self, expression);
    }
}

/// The comparison next to one: the slip of a hand.
fn compared(op: CmpOp) -> Option<(&'static str, &'static str)> {
    Some(match op {
        CmpOp::Lt => ("<", "<="),
        CmpOp::LtE => ("<=", "<"),
        CmpOp::Gt => (">", ">="),
        CmpOp::GtE => (">=", ">"),
        CmpOp::Eq => ("==", "!="),
        CmpOp::NotEq => ("!=", "=="),
        CmpOp::In => ("in", "not in"),
        CmpOp::NotIn => ("not in", "in"),
        CmpOp::Is | CmpOp::IsNot => return None,
    })
}

/// The operation that one is mistaken for.
fn computed(op: Operator) -> Option<(&'static str, &'static str)> {
    Some(match op {
        Operator::Add => ("+", "-"),
        Operator::Sub => ("-", "+"),
        Operator::Mult => ("*", "+"),
        Operator::FloorDiv => ("//", "*"),
        Operator::Div => ("/", "*"),
        Operator::Mod => ("%", "//"),
        Operator::BitAnd => ("&", "|"),
        Operator::BitOr => ("|", "&"),
        Operator::BitXor => ("^", "|"),
        Operator::LShift => ("<<", ">>"),
        Operator::RShift => (">>", "<<"),
        Operator::Pow | Operator::MatMult => return None,
    })
}
