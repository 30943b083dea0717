//! The worker as an executable.

sandbox_guard::worker!(executing sandbox_launcher::Launcher);
