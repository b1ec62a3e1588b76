//! Tests about how long something takes. They run last and one at a time, and compare with what the same run
//! measures where there is something to compare with, so that a slow or busy machine changes both sides.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::missing_panics_doc,
    unreachable_pub,
    reason = "helpers of tests fail as tests do"
)]

mod enumeration;
mod latency;
mod silence;
mod start;
mod validation;
