//! Imports of whole spaces, from folders and from the vendor's stand-in.

mod command_line;
mod datasets;
mod kills;
mod support;
mod vendor;
