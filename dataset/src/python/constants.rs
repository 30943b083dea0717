//! The numbers and texts that a program mentions: values at which it is likely to change its course.

use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{Expr, Number, Stmt, UnaryOp};

use super::parsed;

/// Characters of a text that is taken down; a longer one is a message.
const LONGEST: usize = 24;

/// The numbers and texts that a program mentions, each once and in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Constants {
    /// Whole numbers.
    pub numbers: Vec<i64>,
    /// Texts, those that document the program left out.
    pub texts: Vec<String>,
}

impl Constants {
    /// Those of all these programs.
    pub fn of<'s>(sources: impl IntoIterator<Item = &'s str>) -> Constants {
        let mut all = Constants::default();
        for source in sources {
            let found = parsed(source, |module| {
                let mut found = Constants::default();
                found.visit_body(&module.body);
                found
            });
            let found = found.unwrap_or_default();
            all.numbers.extend(found.numbers);
            all.texts.extend(found.texts);
        }
        all.numbers.sort_unstable();
        all.numbers.dedup();
        all.texts.sort_unstable();
        all.texts.dedup();
        all
    }
}

impl<'a> Visitor<'a> for Constants {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        let documents =
            matches!(statement, Stmt::Expr(alone) if alone.value.is_string_literal_expr());
        if !documents {
            walk_stmt(self, statement);
        }
    }

    fn visit_annotation(&mut self, _: &'a Expr) {}

    fn visit_expr(&mut self, expression: &'a Expr) {
        match expression {
            Expr::NumberLiteral(number) => self.numbers.extend(whole(&number.value)),
            Expr::UnaryOp(minus) if minus.op == UnaryOp::USub => {
                if let Expr::NumberLiteral(number) = &*minus.operand {
                    self.numbers
                        .extend(whole(&number.value).map(|whole| -whole));
                    return;
                }
            }
            Expr::StringLiteral(text) => {
                let text = text.value.to_str();
                if (1..=LONGEST).contains(&text.chars().count()) {
                    self.texts.push(text.to_owned());
                }
            }
            _ => {}
        }
        walk_expr(self, expression);
    }
}

fn whole(number: &Number) -> Option<i64> {
    match number {
        Number::Int(whole) => whole.as_i64(),
        Number::Float(real) if real.fract() == 0.0 && real.abs() < 1e15 => Some(*real as i64),
        _ => None,
    }
}
