//! Deliveries to clients of the OpenID provider: logout tokens, and webhooks about deleted accounts.

mod dead_letters;
mod logout;

pub(crate) use dead_letters::ClientDeadLetters;
pub(crate) use logout::{LogoutProtocol, Metrics};
