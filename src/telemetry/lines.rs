//! Writes log lines from a thread of its own. When nobody reads the other end, lines are dropped and counted, and nobody waits.

use prometheus::IntCounter;
use std::{
    io::{self, Write},
    sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, channel, sync_channel},
    thread,
    time::Duration,
};

/// How many lines may wait to be written.
const WAITING: usize = 8192;
/// How long the last lines may take.
const FAREWELL: Duration = Duration::from_secs(1);

enum Item {
    Line(Vec<u8>),
    End,
}

/// The log. Dropping it writes what still waits.
pub struct Lines {
    queue: SyncSender<Item>,
    dropped: IntCounter,
    ended: Receiver<()>,
}

/// Puts each write, which is one line, into the queue.
#[derive(Clone)]
pub struct Writer {
    queue: SyncSender<Item>,
    dropped: IntCounter,
}

impl Lines {
    /// Starts the thread.
    pub fn start(mut out: impl Write + Send + 'static, dropped: IntCounter) -> io::Result<Self> {
        let (queue, waiting) = sync_channel(WAITING);
        let (end, ended) = channel();
        thread::Builder::new().name("log".to_owned()).spawn(move || {
            while let Ok(Item::Line(line)) = waiting.recv() {
                // When the reader is gone there is nobody to tell.
                let _ = out.write_all(&line).and_then(|()| out.flush());
            }
            let _ = end.send(());
        })?;
        Ok(Self { queue, dropped, ended })
    }

    /// Writes a text that is no log line.
    pub fn say(&self, text: &str) {
        let _ = self.writer()().write_all(text.as_bytes());
    }

    /// Something for `tracing` to write to.
    pub fn writer(&self) -> impl Fn() -> Writer + Send + Sync + 'static {
        let writer = Writer { queue: self.queue.clone(), dropped: self.dropped.clone() };
        move || writer.clone()
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        if self.queue.try_send(Item::End).is_ok() {
            let outcome = self.ended.recv_timeout(FAREWELL);
            debug_assert!(outcome != Err(RecvTimeoutError::Disconnected), "the thread says goodbye");
        }
    }
}

impl Write for Writer {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if self.queue.try_send(Item::Line(line.to_vec())).is_err() {
            self.dropped.inc();
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Lines, WAITING};
    use prometheus::IntCounter;
    use std::{
        io::{self, Write},
        sync::mpsc::{Receiver, Sender, channel},
    };

    /// A reader that takes a write only when it is told to.
    struct Blocked {
        go: Receiver<()>,
        seen: Sender<String>,
    }

    impl Write for Blocked {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let _ = self.go.recv();
            let _ = self.seen.send(String::from_utf8_lossy(bytes).into_owned());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_blocked_reader_costs_lines_and_no_time() {
        let (release, go) = channel();
        let (seen, lines_seen) = channel();
        let dropped = IntCounter::new("dropped", "lines").unwrap();
        let lines = Lines::start(Blocked { go, seen }, dropped.clone()).unwrap();
        let make = lines.writer();
        for number in 0..WAITING + 100 {
            make().write_all(format!("{number}\n").as_bytes()).unwrap();
        }
        // One line may be in the thread's hand already.
        assert!((99..=100).contains(&dropped.get()), "{}", dropped.get());
        drop(release);
        drop((make, lines));
        assert_eq!(lines_seen.iter().next().unwrap(), "0\n");
    }
}
