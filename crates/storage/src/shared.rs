//! What both wings look up: the session of a signed-in person.

pub mod sessions;
