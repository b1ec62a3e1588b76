//! What leaves the machine.

pub mod probe;
