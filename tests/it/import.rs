//! Imports of whole spaces, from folders and from the vendor's stand-in.

mod command_line;
mod datasets;
mod events;
mod kills;
mod support;
mod vendor;
