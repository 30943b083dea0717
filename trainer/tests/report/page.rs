//! The report as a browser shows it, and what happens where somebody points and clicks.

use std::fs;
use std::path::Path;

use super::browser::document;
use super::{report, run};

/// A script that does something once the page stands, and says so.
pub fn act(what: &str) -> String {
    format!("<script>{what}; document.body.dataset.acted = '';</script>")
}

/// A step's samples: a prompt with a right and a wrong response.
pub fn samples(run: &Path, step: usize) {
    fs::create_dir_all(run.join("samples")).unwrap();
    fs::write(
        run.join(format!("samples/step-{step:06}.md")),
        format!(
            "# Step {step}\n\n## Prompt\n\n    add 3\n\n\
             ### accepted, reward 1, advantage +0.500, 5 tokens\n\n    print(1 < 2)\n\n\
             ### wrong_answer, reward 0, advantage -0.500, 9 tokens\n\n    </pre><b id=injected>\n"
        ),
    )
    .unwrap();
}

/// The page of two runs after something was done to it.
fn after(what: &str) -> String {
    let lab = tempfile::tempdir().unwrap();
    for (name, rewards) in [("one", [0.0, 0.2]), ("two", [0.1, 0.3])] {
        run(&lab.path().join(name), &rewards, 0.4);
        samples(&lab.path().join(name), 10);
    }
    report(lab.path(), &["one", "two"]).success();
    let page = lab.path().join("report/index.html");
    let text = fs::read_to_string(&page).unwrap();
    fs::write(&page, text + &act(what)).unwrap();
    document(&format!("file://{}", page.display()), "data-acted")
}

/// What is faded after each of some acts: `two` where all that is drawn of that run is and nothing of another.
const FADED: &str = "
    const drawn = run => [...document.querySelectorAll(`[data-run=${run}]`)];
    const faded = run => drawn(run).filter(one => one.classList.contains('faded')).length;
    const said = run => faded(run) === 0 ? '' : faded(run) === drawn(run).length ? run : 'part of ' + run;
    const at = (run, kind) => document.querySelector(`svg [data-run=${run}] polyline`)
        .dispatchEvent(new MouseEvent(kind, {bubbles: true}));
    const away = () => document.body.dispatchEvent(new MouseEvent('mouseover', {bubbles: true}));
    const acts = [
        () => {}, () => at('one', 'mouseover'), away, () => { at('one', 'click'); away(); },
        () => at('two', 'mouseover'), away, () => at('one', 'click'),
    ];
    document.body.dataset.faded = acts.map(act => { act(); return said('one') + said('two') || 'none'; }).join()";

#[test]
fn pointing_at_a_run_shows_it_alone_and_clicking_keeps_it_so() {
    let page = after(FADED);
    assert!(
        page.contains("data-faded=\"none,two,none,two,one,two,none\""),
        "{page}"
    );
}

#[test]
fn samples_open_with_their_verdicts_and_say_only_what_was_said() {
    let opened = "document.querySelectorAll('details').forEach(one => one.open = true); \
                 document.body.dataset.visible = document.getElementById('samples').innerText";
    let page = after(opened);
    let (_, visible) = page.split_once("data-visible=\"").unwrap();
    let (visible, _) = visible.split_once("\">").unwrap();
    for text in [
        "step 10",
        "prompt 1: +-",
        "add 3",
        "accepted, reward 1, advantage +0.500, 5 tokens",
        "wrong_answer, reward 0, advantage -0.500, 9 tokens",
    ] {
        assert_eq!(visible.matches(text).count(), 2, "{text}: {visible}");
    }
    assert!(
        visible.contains("print(1 &lt; 2)") || visible.contains("print(1 < 2)"),
        "{visible}"
    );
    assert!(!page.contains("<b id=\"injected\"") && page.contains("&lt;b id=injected&gt;"));
}
