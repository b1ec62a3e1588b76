//! The real binary as a process of its own.

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use std::{
    net::SocketAddr,
    path::Path,
    process::{ExitStatus, Output, Stdio},
    time::{Duration, Instant},
};
use tokio::{
    io::{AsyncBufReadExt, BufReader, Lines},
    process::{Child, ChildStdout, Command},
    time::timeout,
};

/// Longer than a start or stop takes, also on a busy machine.
const PATIENCE: Duration = Duration::from_mins(1);

/// A started server; killed when it is dropped.
pub struct Server {
    child: Child,
    output: Lines<BufReader<ChildStdout>>,
    /// The address that it listens on.
    pub address: SocketAddr,
    /// Its output until it was ready.
    pub welcome: String,
    /// How long the start took.
    pub took: Duration,
}

/// A thread of a server.
#[derive(Debug)]
pub struct Thread {
    pub name: String,
    /// A higher value gets a smaller share of the processor when other threads want it.
    pub niceness: i32,
}

/// The binary with these variables and no others that begin with `APP_`. It listens on a free port unless they say otherwise.
#[expect(clippy::disallowed_methods, reason = "the environment of the tests must not reach the server")]
fn lectern(arguments: &[&str], variables: &[(&str, &str)]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lectern"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("APP_")) {
        command.env_remove(name);
    }
    command.args(arguments).env("APP_LISTEN", "127.0.0.1:0").envs(variables.iter().copied());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    command
}

/// Starts the binary. It is killed when the child is dropped.
pub fn begun(arguments: &[&str], variables: &[(&str, &str)]) -> Child {
    lectern(arguments, variables).spawn().unwrap()
}

/// Runs the binary to its end.
pub async fn run(arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    timeout(PATIENCE, lectern(arguments, variables).output()).await.expect("it ends").unwrap()
}

/// Runs a start that has to fail. Returns the one line of its error.
pub async fn refusal(variables: &[(&str, &str)]) -> String {
    let output = run(&[], variables).await;
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
    error.trim().to_owned()
}

impl Server {
    /// Starts it on a free port and waits until it says that it is ready.
    pub async fn start(data: &Path, variables: &[(&str, &str)]) -> Self {
        let began = Instant::now();
        let mut command = lectern(&[], &[("APP_DATA_DIR", data.to_str().unwrap())]);
        let mut child = command.envs(variables.iter().copied()).spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut welcome = String::new();
        while !welcome.contains("Ctrl-C") {
            let line = timeout(PATIENCE, output.next_line()).await.expect("it starts").unwrap();
            let Some(line) = line else {
                let said = child.wait_with_output().await.unwrap();
                panic!("it ended: {welcome}{}", String::from_utf8_lossy(&said.stderr));
            };
            welcome.push_str(&line);
            welcome.push('\n');
        }
        let url = welcome.lines().find_map(|line| line.trim().strip_prefix("Server")).unwrap();
        let address = url.trim().strip_prefix("http://").unwrap().parse().unwrap();
        Self { child, output, address, welcome, took: began.elapsed() }
    }

    /// The status of a GET.
    pub async fn get(&self, path: &str) -> u16 {
        super::browser().get(format!("http://{}{path}", self.address)).send().await.unwrap().status().as_u16()
    }

    /// The most resident memory it had, in KiB.
    pub fn peak_memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id().unwrap())).unwrap();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        peak.trim().strip_suffix(" kB").unwrap().parse().unwrap()
    }

    /// The threads of the process.
    pub fn threads(&self) -> Vec<Thread> {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.child.id().unwrap())).unwrap();
        let read = |task: std::fs::DirEntry| {
            let stat = std::fs::read_to_string(task.path().join("stat")).unwrap();
            // The name is in brackets and may hold anything. Of the fields after it the niceness is the seventeenth.
            let (name, rest) = stat.split_once('(').unwrap().1.rsplit_once(')').unwrap();
            Thread { name: name.to_owned(), niceness: rest.split_whitespace().nth(16).unwrap().parse().unwrap() }
        };
        tasks.map(|task| read(task.unwrap())).collect()
    }

    /// Sends a signal.
    pub fn signal(&self, signal: Signal) {
        let pid = i32::try_from(self.child.id().unwrap()).unwrap();
        kill(Pid::from_raw(pid), signal).unwrap();
    }

    /// Reads its output up to a line that contains this.
    pub async fn says(&mut self, part: &str) {
        let reading = async {
            while let Some(line) = self.output.next_line().await.unwrap() {
                if line.contains(part) {
                    return;
                }
            }
            panic!("it ended without saying {part:?}");
        };
        timeout(PATIENCE, reading).await.expect("it says it");
    }

    /// Asks it to stop. Returns its output since it was ready.
    pub async fn stop_and_tell(mut self) -> String {
        self.signal(Signal::SIGTERM);
        let mut told = String::new();
        while let Ok(Some(line)) = timeout(PATIENCE, self.output.next_line()).await.expect("it ends") {
            told.push_str(&line);
            told.push('\n');
        }
        let _ = timeout(PATIENCE, self.child.wait()).await.expect("it ends");
        told
    }

    /// Waits for its end. Returns the exit status and the standard error.
    pub async fn end(mut self) -> (ExitStatus, String) {
        // The output is read to its end, so that the process never waits for a reader.
        while let Ok(Some(_)) = timeout(PATIENCE, self.output.next_line()).await.expect("it ends") {}
        let output = timeout(PATIENCE, self.child.wait_with_output()).await.expect("it ends").unwrap();
        (output.status, String::from_utf8(output.stderr).unwrap())
    }
}
