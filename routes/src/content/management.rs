//! The Management API: `/api/v1/spaces/…`.

pub mod access;
pub mod stories;
