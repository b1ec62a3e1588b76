//! The real binary as a process of its own.

use crate::{PATIENCE, Person, binary, small_disk::SmallDisk};
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

/// A started server; killed when it is dropped.
pub struct Server {
    child: Child,
    output: Lines<BufReader<ChildStdout>>,
    /// What it has printed and this process has read.
    read: String,
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

/// The binary with these variables and no others that begin with `APP_`. It listens on a free port unless
/// they say otherwise.
fn lectern(arguments: &[&str], variables: &[(&str, &str)]) -> Command {
    wrapped(&[], arguments, variables)
}

/// The same, run by another program that is given the binary and its arguments.
#[expect(clippy::disallowed_methods, reason = "the environment of the tests must not reach the server")]
fn wrapped(wrapper: &[String], arguments: &[&str], variables: &[(&str, &str)]) -> Command {
    let binary = binary::lectern();
    let mut command = match wrapper {
        [] => Command::new(binary),
        [program, rest @ ..] => {
            let mut command = Command::new(program);
            command.args(rest).arg(binary);
            command
        }
    };
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
        let mut command = lectern(&[], &[("APP_DATA_DIR", data.to_str().unwrap())]);
        command.envs(variables.iter().copied());
        Self::started(command).await
    }

    /// The same with its data directory, `data`, on a disk of its own.
    pub async fn start_on(disk: &SmallDisk, variables: &[(&str, &str)]) -> Self {
        let data = disk.path().join("data");
        let mut command = wrapped(&disk.wrapper(), &[], &[("APP_DATA_DIR", data.to_str().unwrap())]);
        command.envs(variables.iter().copied());
        Self::started(command).await
    }

    /// The same run by another program, which is given the binary and its arguments.
    pub async fn start_within(wrapper: &[String], data: &Path, variables: &[(&str, &str)]) -> Self {
        let mut command = wrapped(wrapper, &[], &[("APP_DATA_DIR", data.to_str().unwrap())]);
        command.envs(variables.iter().copied());
        Self::started(command).await
    }

    async fn started(mut command: Command) -> Self {
        let began = Instant::now();
        let mut child = command.spawn().unwrap();
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
        // Where the banner says `localhost`, it is the address that these servers listen on.
        let address = url.trim().strip_prefix("http://").unwrap().replace("localhost", "127.0.0.1").parse().unwrap();
        Self { child, output, read: String::new(), address, welcome, took: began.elapsed() }
    }

    /// The process.
    pub fn pid(&self) -> u32 {
        self.child.id().unwrap()
    }

    /// The URL of a path.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// What it has printed since it was ready, up to the line that was last waited for.
    pub fn output_so_far(&self) -> &str {
        &self.read
    }

    /// The URL that it names itself by.
    pub fn base_url(&self) -> String {
        format!("http://localhost:{}", self.address.port())
    }

    /// A person who has registered and signed in.
    pub async fn person(&self, email: &str) -> Person {
        Person::signed_in_at(self.url(""), email).await
    }

    /// The status of a GET.
    pub async fn get(&self, path: &str) -> u16 {
        crate::browser().get(self.url(path)).send().await.unwrap().status().as_u16()
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
            // The name is in brackets and may hold anything. Of the fields after it the niceness is the
            // seventeenth.
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
                self.read.push_str(&line);
                self.read.push('\n');
                if line.contains(part) {
                    return;
                }
            }
            panic!("it ended without saying {part:?}");
        };
        let said = timeout(PATIENCE, reading).await;
        assert!(said.is_ok(), "it does not say {part:?}, but: {}", self.read);
    }

    /// Asks it to stop. Returns its output since it was ready.
    pub async fn stop_and_tell(self) -> String {
        self.stop_and_tell_all().await.0
    }

    /// The same with the standard error.
    pub async fn stop_and_tell_all(mut self) -> (String, String) {
        self.signal(Signal::SIGTERM);
        let mut told = String::new();
        while let Ok(Some(line)) = timeout(PATIENCE, self.output.next_line()).await.expect("it ends") {
            told.push_str(&line);
            told.push('\n');
        }
        let output = timeout(PATIENCE, self.child.wait_with_output()).await.expect("it ends").unwrap();
        (told, String::from_utf8(output.stderr).unwrap())
    }

    /// Asks it to stop, and waits for its end, which has to be a good one.
    pub async fn stop(self) {
        self.signal(Signal::SIGTERM);
        let (status, error) = self.end().await;
        assert!(status.success(), "{error}");
    }

    /// Waits for its end. Returns the exit status and the standard error.
    pub async fn end(mut self) -> (ExitStatus, String) {
        // The output is read to its end, so that the process never waits for a reader.
        while let Ok(Some(_)) = timeout(PATIENCE, self.output.next_line()).await.expect("it ends") {}
        let output = timeout(PATIENCE, self.child.wait_with_output()).await.expect("it ends").unwrap();
        (output.status, String::from_utf8(output.stderr).unwrap())
    }
}
