//! An actor that does what a test wants.

use crate::runtime::{Child, Handle, Reply, Restart, WakeToken};
use ractor::{Actor, ActorProcessingErr, ActorRef};
use serde_json::{Value, json};
use tokio::sync::oneshot;

pub(super) struct Probe;

pub(super) enum Message {
    /// Count one more and answer the count.
    Count(Reply<u32>),
    /// Panic while the caller waits.
    Panic(Reply<u32>),
    /// Fail while the caller waits.
    Fail(Reply<u32>),
    /// Do not go on before the gate opens.
    Wait(oneshot::Receiver<()>, Reply<u32>),
    End,
    Woken(WakeToken),
    Observe(Reply<Value>),
}

impl Actor for Probe {
    type Msg = Message;
    type State = u32;
    type Arguments = bool;

    async fn pre_start(&self, _: ActorRef<Message>, starts: bool) -> Result<u32, ActorProcessingErr> {
        if starts { Ok(0) } else { Err("will not start".into()) }
    }

    async fn handle(&self, myself: ActorRef<Message>, message: Message, count: &mut u32) -> Result<(), ActorProcessingErr> {
        match message {
            Message::Count(reply) => {
                *count += 1;
                reply.send(*count);
            }
            Message::Panic(_reply) => panic!("wanted by the test"),
            Message::Fail(_reply) => return Err("wanted by the test".into()),
            Message::Wait(gate, reply) => {
                let _ = gate.await;
                reply.send(*count);
            }
            Message::End => myself.stop(None),
            Message::Woken(wake) => {
                drop(wake);
                *count += 1;
            }
            Message::Observe(reply) => reply.state(&json!({ "count": count })),
        }
        Ok(())
    }
}

pub(super) fn child(name: &str, restart: Restart, handle: &Handle<Message>) -> Child {
    Child::new(name, restart, handle, || (Probe, true))
}
