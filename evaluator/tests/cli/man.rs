//! Manual pages.

use crate::lab::Lab;

#[test]
fn there_is_a_page_for_each_command() {
    let lab = Lab::new();
    assert_eq!(lab.run(&["man", "new/man1"]).code, Some(0));
    let help = lab.run(&["--help"]).stdout;
    let commands = help.split_once("Commands:").unwrap().1;
    let commands = commands.split_once("\n\nOptions:").unwrap().0;
    let starts = |line: &&str| line.starts_with("  ") && !line.starts_with("   ");
    let named = commands.lines().filter(starts);
    let named: Vec<&str> = named
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(named.contains(&"judge"), "{help}");
    for command in named.iter().filter(|command| **command != "help") {
        let page = lab.text(&format!("new/man1/mc-eval-{command}.1"));
        assert!(page.contains(".SH SYNOPSIS"), "{command}");
    }
    lab.write("file", "");
    assert_eq!(lab.run(&["man", "file"]).code, Some(3));
}
