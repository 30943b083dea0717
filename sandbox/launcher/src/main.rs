//! The worker as an executable.

sandbox_guard::worker!(forking sandbox_launcher::Launcher);
