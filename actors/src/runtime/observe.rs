//! Each permanent actor answers what it is doing: for tests, for `/api/admin/actors`, for a watchdog.

use super::{Handle, Reply};
use domain::shared::Fault;
use ractor::Message;
use serde::Serialize;
use serde_json::Value;

/// Messages that know the question.
pub trait Observable: Message {
    /// The question.
    fn observe(reply: Reply<Value>) -> Self;
}

impl<M: Observable> Handle<M> {
    /// What the actor is doing. As mailboxes are FIFO, the answer also proves that what this caller sent before was handled.
    pub async fn observe(&self) -> Result<Value, Fault> {
        self.ask(M::observe).await
    }
}

impl Reply<Value> {
    /// Answers a state.
    pub fn state(self, state: &impl Serialize) {
        // Our states are plain structs with string keys; one that cannot be written shows as null.
        self.send(serde_json::to_value(state).unwrap_or_default());
    }
}
