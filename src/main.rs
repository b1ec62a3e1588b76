//! The server binary: see [`lectern::commands`].

use std::process::ExitCode;

fn main() -> ExitCode {
    lectern::commands::run()
}
