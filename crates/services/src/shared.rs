//! What the use cases of both services need. It imports neither service.

pub mod rate_limiter;

pub use rate_limiter::RateLimiter;
