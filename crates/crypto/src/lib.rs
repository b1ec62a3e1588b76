//! What is proved: keys, random secrets, token hashes, passwords, signed sessions.

pub mod csrf;
pub mod digest;
pub mod keys;
pub mod passwords;
pub mod random;
pub mod seal;
pub mod session;
pub mod token;
pub mod webhook;
