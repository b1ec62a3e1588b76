//! What is proved: keys, random secrets, token hashes, passwords, signed sessions.

pub mod keys;
pub mod random;
pub mod token;
