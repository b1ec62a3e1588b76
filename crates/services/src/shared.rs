//! What the use cases of both services need. It imports neither service.

pub mod rate_limiter;
pub mod space_administration;

pub use rate_limiter::RateLimiter;
pub use space_administration::{SpaceAct, SpaceAdministration};
