//! What both services use: the session of a signed-in person, spaces with their owners, deliveries to
//! receivers outside, what waits in all queues, and whether anything is sent.

pub mod deliveries;
pub mod listed_spaces;
pub mod listed_tokens;
pub mod member_spaces;
pub mod owned_spaces;
pub mod people;
pub mod queues;
pub mod rate_limits;
pub mod receivers;
pub mod sending;
pub mod sessions;
pub mod space_invitations;
