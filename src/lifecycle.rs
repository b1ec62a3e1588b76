//! The signals that stop the server: the first one in order, a second one at once.

use anyhow::{Context, Result};
use tokio::signal::unix::{Signal, SignalKind, signal};

/// SIGTERM from a supervisor and SIGINT from the keyboard. Both mean the same.
pub struct Signals {
    terminate: Signal,
    interrupt: Signal,
    /// Signals on which other servers re-read their configuration or log files. Without a handler they would
    /// end the process.
    hang_up: Signal,
    user: [Signal; 2],
}

impl Signals {
    /// Installs the handlers.
    pub fn new() -> Result<Self> {
        let listen = |kind| signal(kind).context("signals cannot be handled");
        Ok(Self {
            terminate: listen(SignalKind::terminate())?,
            interrupt: listen(SignalKind::interrupt())?,
            hang_up: listen(SignalKind::hangup())?,
            user: [listen(SignalKind::user_defined1())?, listen(SignalKind::user_defined2())?],
        })
    }

    /// Waits for the next signal that asks the server to stop.
    pub async fn next(&mut self) {
        let [first, second] = &mut self.user;
        loop {
            let name = tokio::select! {
                _ = self.terminate.recv() => return,
                _ = self.interrupt.recv() => return,
                _ = self.hang_up.recv() => "SIGHUP",
                _ = first.recv() => "SIGUSR1",
                _ = second.recv() => "SIGUSR2",
            };
            tracing::info!("{name} means nothing here; SIGTERM stops the server, and a start reads its configuration");
        }
    }
}
