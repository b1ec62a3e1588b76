//! `/api/v1/spaces/{space}/stories`, `/story_versions` and `/versions`: the management surface of stories and folders (decisions 13).

mod actions;
mod body;
mod bulk_move;
mod create;
mod delete;
mod duplicate;
mod list;
mod read;
mod relocate;
mod restore;
mod update;
mod versions;
mod view;

use crate::{
    content::Content,
    web::{Endpoint, ErrorFormat, group as tried_in_order},
};

/// All of it.
pub fn group(content: &Content) -> Endpoint {
    tried_in_order(
        ErrorFormat::Management,
        [
            list::route(content),
            read::route(content),
            create::route(content),
            update::route(content),
            delete::route(content),
            actions::route(content),
            relocate::route(content),
            bulk_move::route(content),
            duplicate::route(content),
            restore::route(content),
            versions::of_story::route(content),
            versions::of_model::route(content),
            versions::by_story::route(content),
            versions::read::route(content),
        ],
    )
}
