//! What the use cases of both services need. It imports neither service.

pub mod rate_limiter;
pub mod shared_limit;
pub mod space_administration;
pub mod space_mails;

pub use rate_limiter::RateLimiter;
pub use shared_limit::SharedLimit;
pub use space_administration::{ActBy, JoinOutcome, Joining, SpaceAct, SpaceAdministration};
pub use space_mails::{InvitationMail, NewTokenNotice, SpaceMails, TokenMaker};
