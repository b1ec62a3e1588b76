//! Imports of whole spaces (decisions 15): for admins alone, because an import writes everything and its report names everything.

mod cancel;
mod events;
mod list;
mod read;
mod resume;
mod start;
mod token;
mod view;

use crate::{
    content::Content,
    web::{Endpoint, ErrorFormat, group as tried_in_order},
};

/// The endpoints below `/api/v1/spaces/{space}/imports`.
pub fn group(content: &Content) -> Endpoint {
    tried_in_order(
        ErrorFormat::Management,
        [list::route(content), events::route(content), resume::route(content), read::route(content), cancel::route(content)],
    )
}

/// `/api/v1/spaces/{space}/import/vendor`.
pub fn start_group(content: &Content) -> Endpoint {
    tried_in_order(ErrorFormat::Management, [start::route(content)])
}
