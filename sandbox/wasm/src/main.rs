//! The worker as an executable.

sandbox_guard::worker!(resident sandbox_wasm::Wasm);
