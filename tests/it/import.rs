//! Imports of whole spaces, from folders and from the Storyblok stand-in.

mod attributes;
mod changes;
mod command_line;
mod datasets;
mod definitions;
mod displaced;
mod events;
pub mod folder;
mod hostile;
mod kills;
mod leases;
mod losses;
mod moves;
mod places;
mod reports;
mod resume;
mod shuffled;
mod statistics;
mod stopping;
mod streams;
mod strikes;
mod translations;
mod trouble;
pub mod vendor;
mod waits;
