//! Which statements are run, and where each of them stands in the source: for the lint of statements. Only
//! tests listen.

use std::{panic::Location, sync::OnceLock};

type Listener = fn(&'static Location<'static>, &str);

static LISTENER: OnceLock<Listener> = OnceLock::new();

/// Has a function called with each statement before it is sent, and with the place of the call of
/// [`Executor`](super::Executor). The first call counts.
pub fn listen_to_statements(listener: Listener) {
    let _ = LISTENER.set(listener);
}

/// Tells the listener. Its caller is marked with `#[track_caller]` too, so that the place is that of the call
/// before.
#[track_caller]
pub(super) fn note(sql: &str) {
    if let Some(listener) = LISTENER.get() {
        listener(Location::caller(), sql);
    }
}
