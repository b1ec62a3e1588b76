//! Entries of datasources on the wire.

mod create;
mod delete;
mod list;
mod read;
mod update;
mod view;

use crate::{
    content::Content,
    web::{Endpoint, ErrorFormat, group as tried_in_order},
};

/// The endpoints below `/api/v1/spaces/{space}/datasource_entries`.
pub fn group(content: &Content) -> Endpoint {
    tried_in_order(
        ErrorFormat::Management,
        [list::route(content), create::route(content), read::route(content), update::route(content), delete::route(content)],
    )
}
