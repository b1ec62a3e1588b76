//! The end of the server: asked for by a signal, forced by a second one.

use anyhow::{Context, Result};
use tokio::signal::unix::{Signal, SignalKind, signal};

/// SIGTERM from whoever supervises us, SIGINT from the keyboard. Both mean the same.
pub struct Signals {
    terminate: Signal,
    interrupt: Signal,
    /// What others re-read their configuration or their log files on. Here there is nothing to re-read, and unheard they would kill.
    hang_up: Signal,
    user: [Signal; 2],
}

impl Signals {
    /// From now on they are ours to handle.
    pub fn new() -> Result<Self> {
        let listen = |kind| signal(kind).context("signals cannot be handled");
        Ok(Self {
            terminate: listen(SignalKind::terminate())?,
            interrupt: listen(SignalKind::interrupt())?,
            hang_up: listen(SignalKind::hangup())?,
            user: [listen(SignalKind::user_defined1())?, listen(SignalKind::user_defined2())?],
        })
    }

    /// Waits for the next one that asks for the end.
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
