//! New weights for vLLM, by the routes of its development mode: they stand beside the protocol's, not below `/v1`.
//!
//! Nothing is generated in between: `pause` ends what is under way and forgets what was computed with the old weights.

use std::path::Path;

use serde_json::{Value, json};

use super::{Server, ServerError};
use crate::config::Handover;

impl Server {
    /// Make ready for [`Server::take_weights`].
    ///
    /// # Errors
    /// A server that is not in development mode, or has no backend for weights.
    pub fn prepare_for_weights(&self) -> Result<(), ServerError> {
        match self.handover {
            Handover::Reload => Ok(()),
            Handover::Transfer => {
                self.control("init_weight_transfer_engine", &json!({"init_info": {}}))
            }
        }
    }

    /// Have the server sample from the weights in a folder in the Hugging Face layout, from now on. It should be a new one each
    /// time: some versions keep what they have once read of a path.
    ///
    /// # Errors
    /// Weights that the server does not take. It stays paused then, for part of its weights may be new.
    pub fn take_weights(&self, folder: &Path) -> Result<(), ServerError> {
        self.control("pause", &json!({}))?;
        match self.handover {
            Handover::Reload => self.control(
                "collective_rpc",
                &json!({"method": "reload_weights", "kwargs": {"weights_path": folder}}),
            )?,
            Handover::Transfer => {
                self.control("start_weight_update", &json!({}))?;
                let info = json!({"update_info": {"path": folder}});
                self.control("update_weights", &info)?;
                self.control("finish_weight_update", &json!({}))?;
            }
        }
        self.control("resume", &json!({}))
    }

    fn control(&self, route: &str, body: &Value) -> Result<(), ServerError> {
        let root = self.base.strip_suffix("/v1").unwrap_or(&self.base);
        let url = format!("{root}/{route}");
        let attempt = || self.post(&url, body).map(drop);
        match self.persist(&url, "the policy's weights", &|| false, &attempt) {
            Err(ServerError::Refused {
                url, status: 404, ..
            }) => Err(ServerError::Unfit {
                url,
                reason: "not found; training needs vLLM with VLLM_SERVER_DEV_MODE=1".to_owned(),
            }),
            done => done,
        }
    }
}
