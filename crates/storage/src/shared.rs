//! What both services use: the session of a signed-in person, spaces with their owners, deliveries to receivers outside, and what waits in all queues.

pub mod deliveries;
pub mod listed_spaces;
pub mod owned_spaces;
pub mod people;
pub mod queues;
pub mod receivers;
pub mod sessions;
