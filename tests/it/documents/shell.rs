//! A shell in which the blocks of a document are run one after the other, as by a reader who copies them.

use super::{blocks, blocks::Block, not_run};
use std::{collections::VecDeque, process::Stdio};
use support::{binary, prelude::*};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines},
    process::{Child, ChildStdin, ChildStdout, Command},
};

/// A command that fails ends the shell, wherever it stands, and so does a variable that nothing has set. An
/// answer of 4xx or 5xx is a failure.
const BEGINNING: &str = r#"exec 2>&1
set -euo pipefail
shopt -s inherit_errexit
curl() { command curl --fail-with-body "$@"; }
"#;

/// A Bash with the blocks of a document that are not run yet. It is killed when it is dropped.
pub struct Shell {
    _process: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
    blocks: VecDeque<Block>,
    replaced: Vec<(String, String)>,
    count: usize,
}

impl Shell {
    /// Starts it in a directory, with these variables and no others that begin with `APP_`. `lectern` is the
    /// binary of these tests.
    #[expect(clippy::disallowed_methods, reason = "the environment of the tests must not reach the commands")]
    pub fn of(document: &str, directory: &Path, variables: &[(&str, &str)]) -> Self {
        let blocks = blocks::commands(document).into_iter().filter(|block| not_run::find(block).is_none()).collect();
        let binaries = binary::lectern().parent().unwrap();
        let node = tools::repository(".tools/node/bin");
        let path = std::env::var("PATH").unwrap_or_default();
        let mut command = Command::new("bash");
        for (name, _) in std::env::vars().filter(|(name, _)| ["APP_", "PG"].iter().any(|begin| name.starts_with(begin))) {
            command.env_remove(name);
        }
        command.args(["--noprofile", "--norc"]).current_dir(directory).env("HOME", directory);
        command.env("PATH", format!("{}:{}:{path}", binaries.display(), node.display())).envs(variables.iter().copied());
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true).spawn().unwrap();
        let input = process.stdin.take().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap()).lines();
        Self { _process: process, input, output, blocks, replaced: Vec::new(), count: 0 }
    }

    /// What is written in the document stands for something else here, such as an address.
    pub fn reads(&mut self, written: &str, meant: &str) {
        self.replaced.push((written.to_owned(), meant.to_owned()));
    }

    /// Runs the next block, which has to contain this. Returns what it prints.
    pub async fn next(&mut self, part: &str) -> String {
        let text = self.take(part);
        self.run(&text).await
    }

    /// Runs the next block, whose last command has to end with this exit code.
    pub async fn next_ending_with(&mut self, code: i32, part: &str) -> String {
        let text = self.take(part);
        let script = format!("ended=0\n{{\n{text}\n}} || ended=$?\n[ $ended = {code} ] || {{ echo \"exit code $ended\"; false; }}");
        self.run(&script).await
    }

    fn take(&mut self, part: &str) -> String {
        let block = self.blocks.pop_front().unwrap_or_else(|| panic!("there is no further block, {part:?} is expected"));
        assert!(block.text.contains(part), "{}: {part:?} is expected in\n{}", block.place, block.text);
        let mut text = block.text;
        for (written, meant) in &self.replaced {
            text = text.replace(written, meant);
        }
        text
    }

    /// Runs what stands in no block: what the document says in words, or what a test wants to know.
    pub async fn run(&mut self, script: &str) -> String {
        if self.count == 0 {
            self.input.write_all(BEGINNING.as_bytes()).await.unwrap();
        }
        self.count += 1;
        let mark = format!("--- the end of block {} ---", self.count);
        // A script of its own, so that commands cannot read what follows as their input.
        let quoted = script.replace('\'', r"'\''");
        let line = format!("source /dev/fd/3 3<<<'{quoted}' </dev/null\nprintf '\\n%s\\n' '{mark}'\n");
        self.input.write_all(line.as_bytes()).await.unwrap();
        self.input.flush().await.unwrap();
        let mut printed = String::new();
        let reading = async {
            while let Some(line) = self.output.next_line().await.unwrap() {
                if line == mark {
                    return true;
                }
                printed.push_str(&line);
                printed.push('\n');
            }
            false
        };
        let has_ended = timeout(PATIENCE, reading).await;
        assert_eq!(has_ended, Ok(true), "a command failed or did not end:\n{script}\nIt printed:\n{printed}");
        printed
    }

    /// Ends it. Every block of the document has to have been run.
    pub async fn end(mut self) {
        let left: Vec<&str> = self.blocks.iter().map(|block| block.place.as_str()).collect();
        assert_eq!(left, [""; 0], "blocks that the test of the document does not run");
        self.input.write_all(b"exit\n").await.unwrap();
    }
}
