//! What is proved: keys, random secrets, token hashes, links, passwords, signed sessions.

pub mod codes;
pub mod csrf;
pub mod digest;
pub mod keys;
pub mod link;
pub mod passwords;
pub mod random;
pub mod seal;
pub mod session;
pub mod token;
pub mod totp;
pub mod webhook;
