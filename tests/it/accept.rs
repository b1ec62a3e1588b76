//! The accept loop, through the wire.
