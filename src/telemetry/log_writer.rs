//! Writes log lines in a dedicated thread. When the output is not read, lines are dropped and counted, and no
//! caller waits.

use prometheus::IntCounter;
use std::{
    io::{self, Write},
    sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, channel, sync_channel},
    thread,
    time::Duration,
};

/// How many lines may wait to be written.
const QUEUE_LENGTH: usize = 8192;
/// How long writing the last lines may take when the log stops.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(1);

enum Item {
    Line(Vec<u8>),
    End,
}

/// The log. Dropping it writes the waiting lines.
pub struct LogWriter {
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

impl LogWriter {
    /// Starts the thread.
    pub fn start(mut out: impl Write + Send + 'static, dropped: IntCounter) -> io::Result<Self> {
        let (queue, waiting) = sync_channel(QUEUE_LENGTH);
        let (end, ended) = channel();
        thread::Builder::new().name("log".to_owned()).spawn(move || {
            while let Ok(Item::Line(line)) = waiting.recv() {
                // A failed write cannot be reported: the log itself is the report.
                let _ = out.write_all(&line).and_then(|()| out.flush());
            }
            let _ = end.send(());
        })?;
        Ok(Self { queue, dropped, ended })
    }

    /// Writes a text that is no log line.
    pub fn print(&self, text: &str) {
        let _ = self.writer()().write_all(text.as_bytes());
    }

    /// Makes writers for `tracing`.
    pub fn writer(&self) -> impl Fn() -> Writer + Send + Sync + 'static {
        let writer = Writer { queue: self.queue.clone(), dropped: self.dropped.clone() };
        move || writer.clone()
    }
}

impl Drop for LogWriter {
    fn drop(&mut self) {
        if self.queue.try_send(Item::End).is_ok() {
            let outcome = self.ended.recv_timeout(FLUSH_TIMEOUT);
            if outcome == Err(RecvTimeoutError::Disconnected) {
                // A panic here would be one while the server ends, and hide why.
                eprintln!("the log's thread has ended before the log; lines may be missing");
            }
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
    use super::{LogWriter, QUEUE_LENGTH};
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
        let lines = LogWriter::start(Blocked { go, seen }, dropped.clone()).unwrap();
        let make = lines.writer();
        for number in 0..QUEUE_LENGTH + 100 {
            make().write_all(format!("{number}\n").as_bytes()).unwrap();
        }
        // One line may be in the thread's hand already.
        assert!((99..=100).contains(&dropped.get()), "{}", dropped.get());
        drop(release);
        drop((make, lines));
        assert_eq!(lines_seen.iter().next().unwrap(), "0\n");
    }
}
