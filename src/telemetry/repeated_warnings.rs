//! Logs warnings of one cause once, and then less and less often: while a disk is full or a database is away,
//! every actor and every request would say the same.

use domain::shared::Repetition;
use std::{
    collections::HashMap,
    fmt::{Debug, Write},
    sync::{Mutex, PoisonError},
    time::Instant,
};
use tracing::{Event, Level, Subscriber, field::Field};
use tracing_subscriber::{Layer, layer::Context};

/// How many causes are remembered; the one that was away for longest is forgotten first.
const MAX_CAUSES: usize = 256;
/// How many characters tell causes apart.
const MAX_LENGTH: usize = 200;

/// A layer that leaves repeated warnings out. The cause of a warning is its field `error` or `cause`; a
/// warning without one is no repetition, and neither is an error: each has something of its own to say.
pub(super) struct RepeatedWarnings {
    started: Instant,
    causes: Mutex<HashMap<String, Repetition>>,
}

impl RepeatedWarnings {
    pub(super) fn new() -> Self {
        Self { started: Instant::now(), causes: Mutex::default() }
    }

    fn is_logged(&self, cause: String) -> bool {
        let mut causes = self.causes.lock().unwrap_or_else(PoisonError::into_inner);
        if causes.len() >= MAX_CAUSES && !causes.contains_key(&cause) {
            let oldest = causes.iter().min_by_key(|(_, repetition)| repetition.occurred_at()).map(|(cause, _)| cause.clone());
            oldest.map(|cause| causes.remove(&cause));
        }
        causes.entry(cause).or_default().occurs(self.started.elapsed())
    }
}

impl<S: Subscriber> Layer<S> for RepeatedWarnings {
    fn event_enabled(&self, event: &Event<'_>, _: Context<'_, S>) -> bool {
        if *event.metadata().level() != Level::WARN {
            return true;
        }
        let mut visitor = CauseVisitor(String::new());
        event.record(&mut visitor);
        visitor.0.is_empty() || self.is_logged(visitor.0)
    }
}

/// Reads the cause, without its digits: numbers of files and processes make no other cause.
struct CauseVisitor(String);

impl CauseVisitor {
    fn read(&mut self, text: &str) {
        self.0 = text.chars().filter(|c| !c.is_ascii_digit()).take(MAX_LENGTH).collect();
    }
}

impl tracing::field::Visit for CauseVisitor {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if matches!(field.name(), "error" | "cause") {
            let mut text = String::new();
            let _ = write!(text, "{value:?}");
            self.read(&text);
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        if matches!(field.name(), "error" | "cause") {
            self.read(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_CAUSES, RepeatedWarnings};
    use std::sync::{Arc, Mutex};
    use tracing::{Event, Subscriber};
    use tracing_subscriber::{Layer, layer::Context, prelude::*, registry};

    /// Counts the events that reach it.
    #[derive(Clone, Default)]
    struct Counter(Arc<Mutex<usize>>);

    impl<S: Subscriber> Layer<S> for Counter {
        fn on_event(&self, _: &Event<'_>, _: Context<'_, S>) {
            *self.0.lock().unwrap() += 1;
        }
    }

    /// How many of the events that a function logs come through.
    fn logged(log: impl Fn()) -> usize {
        let counter = Counter::default();
        let subscriber = registry().with(RepeatedWarnings::new()).with(counter.clone());
        tracing::subscriber::with_default(subscriber, log);
        *counter.0.lock().unwrap()
    }

    #[test]
    fn warnings_of_one_cause_come_once_whoever_says_so() {
        let logged_lines = logged(|| {
            for number in 0..9 {
                tracing::warn!(error = %format!("connection {number} refused"), "deliveries are put off");
                tracing::warn!(cause = Some(format!("connection {number} refused").as_str()), "request turned away");
            }
        });
        assert_eq!(logged_lines, 1);
    }

    #[test]
    fn other_causes_errors_and_warnings_without_a_cause_all_come() {
        let logged_lines = logged(|| {
            for _ in 0..3 {
                tracing::error!(error = "x", "an error");
                tracing::warn!(mail.id = 7, "a mail is given up");
            }
            tracing::warn!(error = "one", "a warning");
            tracing::warn!(error = "other", "a warning");
        });
        assert_eq!(logged_lines, 8);
    }

    #[test]
    fn causes_that_are_never_the_same_do_not_fill_the_memory() {
        let layer = RepeatedWarnings::new();
        for number in 0..MAX_CAUSES * 2 {
            assert!(layer.is_logged(format!("cause {number}")));
        }
        assert_eq!(layer.causes.lock().unwrap().len(), MAX_CAUSES);
    }
}
