//! Spaces, tokens, the audit log, components, groups and presets.

mod audit_log;
