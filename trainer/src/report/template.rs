//! The templates of figures and of the page. Whatever is put into them is escaped.

use serde::Serialize;

const TEMPLATES: [(&str, &str); 2] = [
    ("figure.xml", include_str!("figure.xml")),
    ("page.html", include_str!("page.html")),
];

/// # Panics
/// Never: the templates are part of the program, and every value they take has a form in XML.
pub(super) fn render(name: &str, context: &impl Serialize) -> String {
    let mut environment = minijinja::Environment::new();
    for (name, text) in TEMPLATES {
        let added = environment.add_template(name, text);
        added.expect("a template that parses");
    }
    let template = environment.get_template(name).expect("added above");
    let page = template.render(minijinja::Value::from(minijinja::value::Serde(context)));
    page.expect("a context with all that the template takes")
}
