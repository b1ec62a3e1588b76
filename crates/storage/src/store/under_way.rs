//! Statements whose answer somebody waits for.

use crate::{Error, Result};
use std::{
    future::Future,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

/// How many statements of a connection are under way: sent, and not answered.
#[derive(Default)]
pub(super) struct UnderWay(AtomicU64);

impl UnderWay {
    /// Waits for an answer. Whoever stops waiting leaves the statement under way.
    pub(super) async fn answered<T, E>(&self, answer: impl Future<Output = std::result::Result<T, E>>) -> Result<T>
    where
        Error: From<E>,
    {
        self.0.fetch_add(1, Relaxed);
        let answer = answer.await;
        self.0.fetch_sub(1, Relaxed);
        Ok(answer?)
    }

    /// Whether there is one.
    pub(super) fn is_any(&self) -> bool {
        self.0.load(Relaxed) > 0
    }
}
