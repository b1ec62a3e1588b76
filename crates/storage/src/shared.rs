//! What both services use: the session of a signed-in person, spaces with their owners, and deliveries to receivers outside.

pub mod deliveries;
pub mod listed_spaces;
pub mod owned_spaces;
pub mod receivers;
pub mod sessions;
