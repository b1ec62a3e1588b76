//! Spaces, tokens, the audit log, components, groups and presets.

mod access;
mod audit_log;
mod bodies;
mod casts;
mod components;
mod deleted_space;
mod lists;
mod proofs;
mod spaces;
mod tokens;
