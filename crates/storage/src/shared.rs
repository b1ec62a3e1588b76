//! What both services use: the session of a signed-in person, the number of their spaces, and deliveries to receivers outside.

pub mod deliveries;
pub mod owned_spaces;
pub mod receivers;
pub mod sessions;
