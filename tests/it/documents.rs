//! README.md and docs/*.md: the pages that the server has of them, and the commands that stand in them.
//!
//! Each shell block of a document is run, in the order of the document and in one shell, by the test of that
//! document; [`not_run`] lists the others, with the reason and with what tests the same. A block that is in
//! neither fails [`commands::every_block_is_run_or_listed`].

mod administering;
mod blocks;
mod clients;
mod commands;
mod moving;
mod moving_users;
mod names;
mod not_run;
mod operating;
mod pages;
mod shell;
mod tour;
mod webhooks;

use shell::Shell;
use support::prelude::*;

/// Every document, by its path in the repository: README.md first.
fn documents() -> Vec<String> {
    let entries = std::fs::read_dir(tools::repository("docs")).unwrap();
    let paths =
        entries.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let mut found: Vec<String> = paths.map(|path| format!("docs/{}", path.file_name().unwrap().to_str().unwrap())).collect();
    found.sort();
    found.insert(0, "README.md".to_owned());
    found
}

/// A server with a private PostgreSQL, and a shell in the directory that it was started in, with the same
/// variables.
struct Desk {
    server: Server,
    shell: Shell,
    /// Removed last.
    directory: Scratch,
}

impl Desk {
    /// Starts both, for the blocks of a document.
    async fn of(document: &str, variables: &[(&str, &str)]) -> Self {
        let directory = scratch();
        let data = directory.path().join("data");
        let server = Server::start(&data, variables).await;
        let mut shell = Shell::of(document, directory.path(), variables);
        shell.reads("http://localhost:8080", &server.base_url());
        shell.run(&format!("export APP_LISTEN={}", server.address)).await;
        Self { server, shell, directory }
    }

    /// Ends both. No block may be left.
    async fn end(self) {
        self.shell.end().await;
        self.server.signal(nix::sys::signal::Signal::SIGTERM);
        let (status, error) = self.server.end().await;
        assert!(status.success(), "{error}");
        drop(self.directory);
    }
}
