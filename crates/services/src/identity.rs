//! The identity service: accounts, signing in, second factors, passkeys, links and mail.
//!
//! A use case takes an [`IdentityContext`] and, where a request causes it, a [`RequestContext`]. It answers with data: an outcome that a JSON
//! endpoint, a page and the OpenID provider can each render in their own way, or a [`domain::shared::Fault`] when it refuses.

pub mod context;
pub mod counters;
pub mod export;
pub mod limits;
pub mod link_requests;
pub mod links;
pub mod mail_queue;
pub mod profile;
pub mod registration;
pub mod request;
pub mod secrets;
pub mod settings;
mod timing;

pub use context::IdentityContext;
pub use counters::LoginCounters;
pub use limits::IdentityLimits;
pub use mail_queue::MailQueue;
pub use request::{RequestContext, RequestParts};
pub use secrets::Secrets;
pub use settings::{IdentitySettings, LimitSettings};
