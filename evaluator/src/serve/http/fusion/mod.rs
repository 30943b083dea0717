//! SandboxFusion's interface (github.com/bytedance/SandboxFusion), so that its clients, verl's among them, change only the
//! address: `/run_code`, `/submit`, `/v1/ping`. Fields that its models ignore are ignored here.

mod run;
mod submit;
mod words;

pub(super) use run::{__path_run_code, run_code};
pub(super) use submit::{__path_submit, submit};

/// Whether there is a server.
#[utoipa::path(get, path = "/v1/ping", tag = "SandboxFusion", responses((status = 200, body = String)))]
pub(super) async fn ping() -> &'static str {
    "pong"
}
