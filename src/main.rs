//! The server binary: see [`lectern::commands`].

use std::process::ExitCode;

#[tokio::main]
async fn main() -> ExitCode {
    lectern::commands::run().await
}
