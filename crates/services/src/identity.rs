//! The identity service: accounts, signing in, second factors, passkeys, links and mail.
//!
//! A use case takes an [`IdentityContext`] and, where a request causes it, a [`RequestContext`]. It answers
//! with data: an outcome that a JSON endpoint, a page and the OpenID provider can each render in their own
//! way, or a [`domain::shared::Fault`] when it refuses.

pub mod account;
pub mod address_change;
pub mod admin;
pub mod administrators;
pub mod context;
pub mod counters;
pub mod invites;
pub mod join;
pub mod limits;
pub mod links;
pub mod mail_outcome;
pub mod mail_queue;
pub mod notices;
pub mod oidc;
pub mod passkeys;
pub mod password;
pub mod prove;
pub mod provisioning;
pub mod reauth;
pub mod redeem;
pub mod registration;
pub mod request;
pub mod roles;
pub mod second_factor;
pub mod secrets;
pub mod sending;
pub mod session_end;
pub mod session_start;
pub mod sessions;
pub mod settings;
pub mod sign_in;
pub mod totp;
pub mod verification;

mod acting_tokens;
mod lockout;
mod striped_lock;
mod timing;
mod typed_code;

pub use administrators::{AdministratorChange, set_administrator};
pub use context::IdentityContext;
pub use counters::LoginCounters;
pub use limits::IdentityLimits;
pub use mail_queue::MailQueue;
pub use request::{RequestContext, RequestParts};
pub use secrets::Secrets;
pub use session_start::StartedSession;
pub use settings::{IdentitySettings, LimitSettings, SiteLinks};
