//! Configurations: defaults, files, the command line, and what is wrong with them.

use std::fs;
use std::path::Path;

use trainer::algorithm::schedule::Schedule;
use trainer::algorithm::truncation::Mask;
use trainer::config::load::{load, to_text};
use trainer::config::{Config, OptimizerConfig, TemperatureBy};

fn settings(settings: &[&str]) -> Vec<String> {
    settings.iter().map(|s| (*s).to_owned()).collect()
}

#[track_caller]
fn refused(text: &str, typed: &[&str]) -> (String, Option<String>) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.toml");
    fs::write(&file, text).unwrap();
    let error = load(Some(&file), &settings(typed)).unwrap_err();
    (error.to_string(), error.hint)
}

#[test]
fn the_command_line_beats_the_file_which_beats_the_defaults() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.toml");
    fs::write(
        &file,
        "seed = 3\n[rollout]\nsamples = 4\n[data]\nproblems = [\"p.jsonl\"]\n",
    )
    .unwrap();
    let typed = settings(&[
        "rollout.samples=16",
        "temperature.by=diversity",
        "loss.dual_clip=3.0",
    ]);
    let config = load(Some(&file), &typed).unwrap();
    assert_eq!(
        (config.seed, config.rollout.samples, config.rollout.prompts),
        (3, 16, 64)
    );
    assert_eq!(config.temperature.by, TemperatureBy::Diversity);
    assert_eq!(config.loss.dual_clip, Some(3.0));
    assert_eq!(
        config.data.problems,
        [folder.path().join("p.jsonl")],
        "as seen from the file"
    );
    let typed = load(Some(&file), &settings(&["data.problems=[\"q.jsonl\"]"])).unwrap();
    assert_eq!(
        typed.data.problems,
        [std::path::absolute("q.jsonl").unwrap()],
        "as seen from the user"
    );
}

#[test]
fn the_defaults_are_the_papers() {
    let config = Config::default();
    assert_eq!(
        (
            config.rollout.prompts,
            config.rollout.samples,
            config.rollout.max_tokens
        ),
        (64, 8, 8192)
    );
    assert_eq!(
        (config.temperature.value, config.optimizer.schedule.rate),
        (1.2, 1e-6)
    );
    assert_eq!(
        (
            config.loss.clip_low,
            config.loss.clip_high,
            config.loss.kl_beta
        ),
        (0.2, 0.28, 0.0)
    );
    assert_eq!(
        (
            config.evaluation.samples,
            config.truncation.conditions.window
        ),
        (4, 128)
    );
    assert_eq!(config.truncation.mask, Mask::Off);
}

#[test]
fn an_unknown_key_is_an_error_with_a_hint() {
    let (error, hint) = refused("[rollout]\nsample = 4\n", &[]);
    assert!(
        error.contains("run.toml") && error.contains("unknown field `sample`"),
        "{error}"
    );
    assert_eq!(hint.as_deref(), Some("did you mean `samples`?"));
    let (error, _) = refused("[data]\nchat = 3\n", &[]);
    assert!(error.contains("data.chat: invalid type"), "{error}");
    let (error, hint) = refused("", &["truncation.mask=\"condtional\""]);
    assert!(error.contains("--set truncation.mask"), "{error}");
    assert_eq!(hint.as_deref(), Some("did you mean `conditional`?"));
    let (error, hint) = refused("[server]\nmodle = \"m\"\n", &[]);
    assert!(error.contains("unknown field `modle`"), "{error}");
    assert_eq!(hint.as_deref(), Some("did you mean `model`?"));
    let (_, hint) = refused("[evaluation]\nbatch = 3\n", &[]);
    assert_eq!(
        hint.as_deref(),
        Some("known here: every, samples, max_tokens, temperature, top_p, top_k")
    );
    let (_, hint) = refused("[rolout]\n", &[]);
    assert_eq!(hint.as_deref(), Some("did you mean `rollout`?"));
}

#[test]
fn a_value_of_another_type_is_no_slip_of_the_pen() {
    let (error, hint) = refused("", &["seed=-1"]);
    assert!(error.contains("-1") && error.contains("seed"), "{error}");
    assert_eq!(hint, None);
}

#[test]
fn a_section_named_in_part_keeps_the_rest_of_its_defaults() {
    let own = Config::default().sft.optimizer;
    let kept = OptimizerConfig {
        max_norm: 2.0,
        ..own
    };
    let config = load(None, &settings(&["sft.optimizer.max_norm=2.0"])).unwrap();
    assert_eq!(config.sft.optimizer, kept);
    let config = load(None, &settings(&["sft.optimizer={max_norm=2.0}"])).unwrap();
    assert_eq!(config.sft.optimizer, kept);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.toml");
    fs::write(&file, "[sft.optimizer.schedule]\nwarmup = 3\n").unwrap();
    let config = load(Some(&file), &settings(&["sft.optimizer.max_norm=2.0"])).unwrap();
    let schedule = Schedule {
        warmup: 3,
        ..own.schedule
    };
    assert_eq!(config.sft.optimizer, OptimizerConfig { schedule, ..kept });
}

#[test]
fn paths_of_the_command_line_are_relative_to_the_working_folder_however_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.toml");
    fs::write(&file, "[model]\npath = \"mine\"\n").unwrap();
    let read = |typed: &[&str]| load(Some(&file), &settings(typed)).unwrap().model.path;
    assert_eq!(read(&[]), folder.path().join("mine"));
    for typed in [
        "model.path=sft/model",
        "model.path = sft/model",
        "model . path=\"sft/model\"",
        "model={path=\"sft/model\"}",
    ] {
        let there = std::path::absolute("sft/model").unwrap();
        assert_eq!(read(&[typed]), there, "{typed}");
    }
}

#[test]
fn stages_that_a_constant_temperature_passes_over_are_refused() {
    let stages = "temperature.stages=[{step = 1, value = 1.0}]";
    let (error, hint) = refused("", &[stages]);
    assert!(error.starts_with("temperature.stages: "), "{error}");
    assert!(hint.unwrap().contains("temperature.by"));
    for by in ["temperature.by=stages", "temperature.by=diversity"] {
        load(None, &settings(&[by, stages])).unwrap();
    }
}

#[test]
fn every_number_is_finite() {
    for key in [
        "temperature.value",
        "temperature.decline.threshold",
        "reward.time_limit",
        "reward.overlong.weight",
        "advantage.eps",
        "loss.clip_high",
        "loss.dual_clip",
        "loss.kl_beta",
        "loss.correction_cap",
        "evaluation.temperature",
        "probe.convergence",
        "probe.accuracy_loss",
        "server.timeout",
        "data.curriculum.highest",
        "optimizer.schedule.rate",
        "optimizer.schedule.floor",
        "sft.optimizer.max_norm",
    ] {
        for value in ["inf", "nan", "-inf"] {
            let (error, _) = refused("", &[&format!("{key}={value}")]);
            assert_eq!(error, format!("{key}: must be finite"), "{value}");
        }
    }
}

#[test]
fn either_optimizer_keeps_the_same_bounds() {
    for section in ["optimizer", "sft.optimizer"] {
        for slip in [
            "max_norm=0.0",
            "max_norm=-1.0",
            "beta1=1.0",
            "beta1=-0.1",
            "beta2=1.0",
            "eps=-1e-8",
            "weight_decay=-0.1",
            "schedule.rate=-1e-3",
            "schedule.floor=1.1",
            "schedule.floor=-0.1",
        ] {
            let (error, _) = refused("", &[&format!("{section}.{slip}")]);
            let key = slip.split('=').next().unwrap();
            let start = format!("{section}.{key}: must be ");
            assert!(error.starts_with(&start), "{slip}: {error}");
        }
    }
}

#[test]
fn a_bound_is_named() {
    for (setting, error) in [
        ("rollout.max_tokens=1000000000000", "at most 1048576"),
        ("rollout.max_tokens=9223372036854775807", "at most 1048576"),
        (
            "evaluation.max_tokens=9223372036854775807",
            "at most 1048576",
        ),
        ("rollout.stages=[{step = 1, tokens = 0}]", "at least 1 and"),
        ("reward.time_limit=1e300", "at most 86400"),
        ("server.timeout=1e300", "at most 86400"),
        ("reward.workers=100000", "at most 1024"),
        ("loss.kl_beta=-0.1", "at least 0"),
    ] {
        let key = setting.split('=').next().unwrap();
        let (refusal, _) = refused("", &[setting]);
        assert!(
            refusal.starts_with(key) && refusal.contains(error),
            "{setting}: {refusal}"
        );
    }
}

#[test]
fn a_value_out_of_range_is_an_error_that_names_its_key() {
    for (setting, key) in [
        ("rollout.samples=1", "rollout.samples"),
        ("update.prompts=65", "update.prompts"),
        ("temperature.by=stages", "temperature.stages"),
        ("truncation.conditions.rho=1.5", "truncation.conditions.rho"),
        ("loss.dual_clip=0.5", "loss.dual_clip"),
        ("data.template=hello", "data.template"),
        ("server.parallel=0", "server.parallel"),
        ("server.timeout=0.0", "server.timeout"),
        ("evaluation.samples=0", "evaluation.samples"),
        ("evaluation.top_p=1.5", "evaluation.top_p"),
        ("loss.clip_low=1.0", "loss.clip_low"),
        ("rollout.from=server", "rollout.from"),
        ("output.keep=0", "output.keep"),
        ("advantage.eps=-1e-6", "advantage.eps"),
        ("probe.problems=1", "probe.problems"),
        ("probe.samples=1", "probe.samples"),
        (
            "data.curriculum={lowest = 0.8, highest = 0.2}",
            "data.curriculum.lowest",
        ),
    ] {
        let (error, _) = refused("", &[setting]);
        assert!(error.starts_with(key), "{setting}: {error}");
    }
    load(None, &settings(&["evaluation.samples=1"])).unwrap();
    let served = ["rollout.from=server", "server.url=http://127.0.0.1:8000"];
    let (error, _) = refused("", &served);
    assert!(error.starts_with("loss.correction"), "{error}");
    load(
        None,
        &settings(&[&served[..], &["loss.correction=mask"]].concat()),
    )
    .unwrap();
    let (error, _) = refused("", &["steps"]);
    assert!(error.contains("section.key=value"), "{error}");
}

#[test]
fn the_resolved_configuration_reads_back_to_itself() {
    let typed = settings(&[
        "loss.dual_clip=3.0",
        "rollout.stages=[{step = 3, tokens = 9}]",
        "model.path=m",
    ]);
    let config = load(None, &typed).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("config.toml");
    fs::write(&file, to_text(&config)).unwrap();
    assert_eq!(load(Some(&file), &[]).unwrap(), config);
}

#[test]
fn every_preset_is_valid_and_says_where_it_belongs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("presets");
    let mut found = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let head = text
            .lines()
            .take_while(|line| line.starts_with('#'))
            .collect::<String>();
        let place = ["Figure", "figure", "Table", "section", "Section"];
        assert!(
            place.iter().any(|word| head.contains(word)),
            "{}",
            path.display()
        );
        load(Some(&path), &[]).unwrap();
        found += 1;
    }
    assert_eq!(found, 44);
}

/// Several figures share a run: their presets name one another.
#[test]
fn presets_with_equal_settings_say_so() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("presets");
    let presets: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            (
                name,
                fs::read_to_string(&path).unwrap(),
                load(Some(&path), &[]).unwrap(),
            )
        })
        .collect();
    for (name, text, config) in &presets {
        let equal = |other: &&(String, String, Config)| other.0 != *name && other.2 == *config;
        let same: Vec<&str> = presets
            .iter()
            .filter(equal)
            .map(|other| &other.0[..])
            .collect();
        let said = text.contains("The same settings as");
        assert_eq!(said, !same.is_empty(), "{name}: {same:?}");
        assert!(
            same.is_empty() || same.iter().any(|other| text.contains(other)),
            "{name} names none of {same:?}"
        );
    }
}
