//! The types, state machines and rules of both services.
//!
//! Nothing here knows SQL, HTTP, a clock or a source of randomness: time and entropy are passed in (see
//! [`shared::Clock`] and [`shared::Entropy`]), so every rule can be tested without a runtime.
//!
//! `content` and `identity` are the two services. Neither imports the other; what both need is in `shared`.

pub mod content;
pub mod identity;
pub mod shared;
