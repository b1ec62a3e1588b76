//! Assets on the wire.
//!
//! ```text
//! in three steps, as hosted clients do:                     in one:
//!   POST …/assets {filename, …}      -> id, post_url, fields    POST …/assets  (multipart/form-data with the file) -> the asset
//!   POST post_url (fields, then the file), no token needed
//!   GET  …/assets/{id}/finish_upload -> the asset
//! ```
//!
//! With the `id` of an asset that is there, both give that asset another file. An asset is there when its file is: a number that was given
//! out for an upload is nothing until the upload is finished.

mod begin;
mod create;
mod delete;
mod finish;
mod list;
mod read;
mod restore;
mod update;
mod upload;
mod view;

use crate::{
    content::Content,
    web::{Endpoint, ErrorFormat, group as tried_in_order},
};

/// The endpoints below `/api/v1/spaces/{space}/assets`.
pub fn group(content: &Content) -> Endpoint {
    tried_in_order(
        ErrorFormat::Management,
        [
            list::route(content),
            create::route(content),
            restore::route(content),
            read::route(content),
            update::route(content),
            delete::route(content),
            upload::route(content),
            finish::route(content),
        ],
    )
}
