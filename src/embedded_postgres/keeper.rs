//! The thread that PostgreSQL lives and dies with.
//!
//! The kernel's parent-death signal is bound to the *thread* that started the child, not to the process. So a thread of its own starts
//! PostgreSQL and waits for its end: it ends earlier only together with the whole process, by whatever means.

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use std::{io, os::unix::process::CommandExt, process::Command, thread};
use tokio::sync::{oneshot, watch};

/// A child process with a thread that waits for it.
pub(super) struct Keeper {
    pid: u32,
    ended: watch::Receiver<bool>,
}

/// Sees the end of the child.
pub(super) struct Watch(watch::Receiver<bool>);

impl Keeper {
    /// Starts the child in a process group of its own: a Ctrl-C at the terminal is for us, and we stop it when we are done with it.
    pub(super) async fn spawn(mut command: Command) -> io::Result<Self> {
        let (started, start) = oneshot::channel();
        let (end, ended) = watch::channel(false);
        thread::Builder::new().name("postgres-keeper".to_owned()).spawn(move || match command.process_group(0).spawn() {
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

    pub(super) fn pid(&self) -> u32 {
        self.pid
    }

    pub(super) fn watch(&self) -> Watch {
        Watch(self.ended.clone())
    }

    /// Fast shutdown.
    pub(super) fn interrupt(&self) {
        self.signal(Signal::SIGINT);
    }

    /// Immediate shutdown.
    pub(super) fn quit(&self) {
        self.signal(Signal::SIGQUIT);
    }

    fn signal(&self, signal: Signal) {
        // Once it was waited for, its number may belong to somebody else.
        if !*self.ended.borrow()
            && let Ok(pid) = i32::try_from(self.pid)
        {
            let _ = kill(Pid::from_raw(pid), signal);
        }
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.interrupt();
    }
}

impl Watch {
    /// Waits for the end.
    pub(super) async fn ended(mut self) {
        // The sender is dropped only after the end as well.
        let _ = self.0.wait_for(|ended| *ended).await;
    }
}
