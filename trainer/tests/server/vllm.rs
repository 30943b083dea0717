//! A server with a model that speaks as vLLM does to those who train: tokens with their log-probabilities, and new weights from a
//! folder. It follows vLLM's source (versions 0.18 to 0.32, and the draft of its shared-disk backend), and refuses what vLLM would
//! refuse, or would do otherwise than training needs.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tch::{Device, Kind};
use trainer::engine::{Completion, Engine, Room, Sampling};
use trainer::model::{Packed, Qwen};

use crate::fake::{Fake, Reply, Seen};

/// What the server does otherwise than it should.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Fault {
    #[default]
    None,
    /// Log-probabilities before the temperature: vLLM's default.
    Raw,
    /// It goes on with weights of its own.
    Deaf,
    /// It gives no tokens: an older version, or another server.
    Texts,
    /// It is not in development mode.
    Closed,
}

/// What there is of an engine.
struct State {
    model: Qwen,
    paused: bool,
    updating: bool,
    /// Where each of the weights came from.
    folders: Vec<PathBuf>,
}

/// A vLLM that serves some model until it is given another.
pub struct Vllm {
    pub server: Fake,
    state: Arc<Mutex<State>>,
}

impl Vllm {
    /// Serve the model of a folder; `random` makes other weights of its shape.
    pub fn new(folder: &Path, fault: Fault) -> Vllm {
        tch::set_num_threads(1);
        let mut model = Qwen::load(folder, Device::Cpu, Kind::Float).unwrap();
        if fault == Fault::Deaf {
            model = Qwen::random(model.config().clone(), 9, Device::Cpu, Kind::Float);
        }
        let state = Arc::new(Mutex::new(State {
            model,
            paused: false,
            updating: false,
            folders: Vec::new(),
        }));
        let own = state.clone();
        let server = Fake::new(move |seen, _| own.lock().unwrap().answer(seen, fault));
        Vllm { server, state }
    }

    /// The folders that weights came from, in order.
    pub fn folders(&self) -> Vec<PathBuf> {
        self.state.lock().unwrap().folders.clone()
    }
}

fn said(body: Value) -> Reply {
    Reply::Say(200, "", body.to_string())
}

fn refused(status: u16, why: &str) -> Reply {
    Reply::Say(status, "", json!({"error": {"message": why}}).to_string())
}

impl State {
    fn answer(&mut self, seen: &Seen, fault: Fault) -> Reply {
        if seen.path == "/v1/completions" {
            return self.complete(&seen.body, fault);
        }
        match fault {
            Fault::Closed => refused(404, "Not Found"),
            _ => self.control(seen, fault),
        }
    }

    fn control(&mut self, seen: &Seen, fault: Fault) -> Reply {
        let done = || said(json!({"status": "done"}));
        match &seen.path[..] {
            "/pause" => self.paused = true,
            "/resume" if !self.updating => self.paused = false,
            "/init_weight_transfer_engine" if seen.body["init_info"].is_object() => {}
            "/start_weight_update" if self.paused && !self.updating => self.updating = true,
            "/finish_weight_update" if self.updating => self.updating = false,
            "/update_weights" if self.updating => {
                self.load(&seen.body["update_info"]["path"], fault);
            }
            "/collective_rpc" if self.paused && seen.body["method"] == "reload_weights" => {
                self.load(&seen.body["kwargs"]["weights_path"], fault);
            }
            _ => return refused(400, &format!("{} at a wrong time", seen.path)),
        }
        done()
    }

    fn load(&mut self, folder: &Value, fault: Fault) {
        let folder = PathBuf::from(folder.as_str().unwrap());
        assert!(folder.is_absolute() && !self.folders.contains(&folder));
        if fault != Fault::Deaf {
            self.model = Qwen::load(&folder, Device::Cpu, Kind::Float).unwrap();
        }
        self.folders.push(folder);
    }

    fn complete(&self, body: &Value, fault: Fault) -> Reply {
        if self.paused {
            return refused(503, "paused");
        }
        let exact = json!([0.0, 1.0, 0, true]);
        let asked = [
            "min_p",
            "repetition_penalty",
            "logprobs",
            "return_token_ids",
        ];
        if json!(asked.map(|key| &body[key])) != exact {
            return refused(400, "what is left out comes from generation_config.json");
        }
        let integers = |key: &str| -> Vec<i64> {
            let list = body[key].as_array().unwrap();
            list.iter().map(|one| one.as_i64().unwrap()).collect()
        };
        let number = |key: &str| body[key].as_f64().unwrap();
        let settings = Sampling {
            temperature: number("temperature"),
            top_p: number("top_p"),
            top_k: number("top_k").max(0.0) as i64,
            max_tokens: number("max_tokens") as usize,
            stop: integers("stop_token_ids"),
            seed: number("seed") as u64,
            ..Sampling::default()
        };
        let prompt = integers("prompt");
        let mut one = None;
        let prompts = std::slice::from_ref(&prompt);
        let engine = Engine::new(Room::Slots(1), Device::Cpu);
        engine.generate(&self.model, prompts, 1, &settings, &mut |_, done| {
            one = Some(done)
        });
        let mut one = one.unwrap();
        if fault == Fault::Raw {
            one.log_probs = self.raw(&prompt, &one);
        }
        let mut choice = json!({
            "index": 0, "text": "", "finish_reason": if one.truncated { "length" } else { "stop" },
            "logprobs": {"token_logprobs": one.log_probs},
        });
        if fault != Fault::Texts {
            choice["token_ids"] = json!(one.tokens);
        }
        said(json!({"choices": [choice]}))
    }

    fn raw(&self, prompt: &[i64], one: &Completion) -> Vec<f32> {
        let packed = Packed::new(&[(prompt, &one.tokens)], Device::Cpu);
        let (log_probs, _) = tch::no_grad(|| self.model.log_probs(&packed, 1.0));
        Vec::try_from(log_probs).unwrap()
    }
}
