//! The program. Everything is in the library, so that tests can run it in their own process.

use std::process::ExitCode;

#[tokio::main]
async fn main() -> ExitCode {
    lectern_load::main(std::env::args_os()).await.into()
}
