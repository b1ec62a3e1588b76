//! Imports of whole spaces: starting and ending them, and applying their records.
//!
//! A record takes four forms at most between its source and its rows. Where a form is left out, the one
//! before it serves:
//!
//! ```text
//!                read                     prepared, before     matched with what     as its table takes it
//!                (domain, record)         the transaction      is here (apply)       (storage)
//!
//! story, folder  record::Story            prepare::Story       PlacedStory           NewStory; of a story that is here its Edition
//! asset          record::Asset            AssetFile beside it                        File, AssetMeta
//! asset folder   record::AssetFolder                           SourceNode            NewNode
//! group          record::ComponentGroup                        SourceNode            NewNode
//! component      record::Component                                                   Definition
//! preset         record::Preset                                                      PresetDraft
//! datasource     record::Datasource                            Matched               DatasourceDraft
//! its entry      record::DatasourceEntry                       Wanted                NewEntry; of one that is here EntryDraft
//! ```
//!
//! Tags are no records: they are attributes of what bears them. [`state::SourceStory`] is no form of a story,
//! but what a list says of it before it is read.
//!
//! The id of a record at its source is a [`SourceId`](domain::content::import::SourceId), the id here that of
//! its kind; [`IdMappings`](domain::content::import::IdMappings) leads from one to the other.
//!
//! [`chunk::ApplyChunk`] writes a page of records in one transaction together with everything that follows
//! from it: id mappings, cursor, report and lease. What an import knows of both sides is
//! [`state::ImportState`], a cache of rows; it takes in the [`ChunkOutcome`] of a chunk after the commit.

pub mod apply;
mod audit;
pub mod chunk;
pub mod finish;
pub mod jobs;
pub mod source_token;
mod space_settings;
pub mod state;

pub use apply::{ApplyContext, ChunkOutcome, PreparedContent, PreparedRecord};
