//! What is proved: keys, random secrets, token hashes, links, passwords, passkeys, signed sessions.

pub mod codes;
pub mod csrf;
pub mod digest;
pub mod keys;
pub mod link;
pub mod passkeys;
pub mod passwords;
pub mod random;
pub mod seal;
pub mod session;
pub mod token;
pub mod totp;
pub mod webhook;
