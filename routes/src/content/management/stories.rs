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
    web::{Dialect, Endpoint, group as group_of},
};

/// All of it.
pub fn group(content: &Content) -> Endpoint {
    group_of(
        Dialect::Management,
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
            versions::of_story(content),
            versions::of_model(content),
            versions::of_space(content),
            versions::one(content),
        ],
    )
}
