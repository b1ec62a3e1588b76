//! The child process of PostgreSQL, and the thread that waits for it.
//!
//! The kernel's parent-death signal is bound to the *thread* that started the child, not to the process. So a
//! dedicated thread starts PostgreSQL and waits until it ends; the thread itself ends earlier only together
//! with the whole process.

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use std::{io, os::unix::process::CommandExt, process::Command, thread};
use tokio::sync::{oneshot, watch};

/// A running child process. Dropping it requests a fast shutdown.
pub(super) struct ChildProcess {
    pid: u32,
    ended: watch::Receiver<bool>,
}

/// Waits for the end of the child without borrowing it.
pub(super) struct ExitWatch(watch::Receiver<bool>);

impl ChildProcess {
    /// Starts the child in a process group of its own, so that a Ctrl-C at the terminal reaches the server
    /// only, which then stops the child.
    pub(super) async fn spawn(mut command: Command) -> io::Result<Self> {
        let (started, start) = oneshot::channel();
        let (end, ended) = watch::channel(false);
        thread::Builder::new().name("postgres-wait".to_owned()).spawn(move || match command.process_group(0).spawn() {
            Ok(mut child) => {
                let _ = started.send(Ok(child.id()));
                let status = child.wait();
                tracing::debug!(?status, "PostgreSQL ended");
                end.send_replace(true);
            }
            Err(error) => {
                let _ = started.send(Err(error));
            }
        })?;
        let pid = start.await.map_err(io::Error::other)??;
        Ok(Self { pid, ended })
    }

    /// The process id.
    pub(super) fn pid(&self) -> u32 {
        self.pid
    }

    /// A handle that waits for the end.
    pub(super) fn watch(&self) -> ExitWatch {
        ExitWatch(self.ended.clone())
    }

    /// Requests a fast shutdown: open transactions are rolled back.
    pub(super) fn interrupt(&self) {
        self.signal(Signal::SIGINT);
    }

    /// Requests an immediate shutdown: the next start recovers from the log.
    pub(super) fn quit(&self) {
        self.signal(Signal::SIGQUIT);
    }

    fn signal(&self, signal: Signal) {
        // After the child has been waited for, its process id may be that of another process.
        if !*self.ended.borrow()
            && let Ok(pid) = i32::try_from(self.pid)
        {
            let _ = kill(Pid::from_raw(pid), signal);
        }
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        self.interrupt();
    }
}

impl ExitWatch {
    /// Waits for the end.
    pub(super) async fn ended(mut self) {
        // An error means that the sender was dropped, which the thread does after the end as well.
        let _ = self.0.wait_for(|ended| *ended).await;
    }
}
