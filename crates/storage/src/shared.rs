//! What both services use: the session of a signed-in person, and deliveries to receivers outside.

pub mod deliveries;
pub mod receivers;
pub mod sessions;
