//! What the use cases of both services need. It imports neither service.

pub mod owner_notices;
pub mod rate_limiter;
pub mod space_administration;

pub use owner_notices::{NewTokenNotice, OwnerNotices, TokenMaker};
pub use rate_limiter::RateLimiter;
pub use space_administration::{ActBy, SpaceAct, SpaceAdministration};
