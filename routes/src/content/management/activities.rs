//! The audit log under Storyblok's name and in its shape, for administrators. It is only read.

use super::{access::Manager, envelope, paginate::list_parameters};
use crate::{
    content::Content,
    web::{ApiRequest, ApiResponse, Endpoints, ErrorFormat},
};
use domain::{
    content::{
        Right,
        audit::{Activity, ActivityFilter},
    },
    shared::{Fault, timestamp},
};
use serde_json::{Value, json};
use storage::content::activities;

/// The most activities of one page.
const MAX_PER_PAGE: u32 = 100;

/// The endpoints below `/api/v1/spaces/{space}/activities`.
pub(super) fn endpoints(content: &Content) -> Endpoints<Content> {
    Endpoints::new(content, ErrorFormat::Management).get("/api/v1/spaces/{space}/activities", Right::Administer, list).get(
        "/api/v1/spaces/{space}/activities/{id}",
        Right::Administer,
        read,
    )
}

/// 200 `{"activities": [{activity, trackable, user}]}`, newest first, 25 on a page unless `per_page` says
/// otherwise.
///
/// Filters: `created_at_gte`, `created_at_lte`, `types` (`Story`, `Component` …), `key_like` (a part of the
/// key), `by_trackable_ids`, `by_owner_ids` (numbers of people).
async fn list(content: Content, caller: Manager, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let known = ["created_at_gte", "created_at_lte", "types[]", "key_like", "by_trackable_ids[]", "by_owner_ids[]"];
    let query = list_parameters(&request, &known)?;
    let filter = ActivityFilter {
        created_at_gte: query.time("created_at_gte")?,
        created_at_lte: query.time("created_at_lte")?,
        kinds: query.list("types").iter().map(|name| kind(name)).collect(),
        key_like: query.text("key_like").map(str::to_owned),
        by_trackable_ids: query.list("by_trackable_ids"),
        by_owner_ids: query.parsed_list("by_owner_ids")?,
    };
    let page = query.page(MAX_PER_PAGE)?;
    let connection = content.store.connection("activity.list").await?;
    let found = activities::list(&connection, caller.space(), &filter, page).await?;
    let views: Vec<Value> = found.items.iter().map(view).collect();
    Ok(ApiResponse::ok(&envelope::wrap("activities", views))?.paged(found.total, page))
}

/// 200 `{activity, trackable, user}`.
async fn read(content: Content, caller: Manager, id: i64, request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let connection = content.store.connection("activity.find").await?;
    let found = activities::find(&connection, caller.space(), id).await?.ok_or_else(Fault::not_found)?;
    ApiResponse::ok(&view(&found))
}

/// An activity in Storyblok's shape. Of a token's act the user is the person who made the token; of the
/// server's own acts there is none.
fn view(activity: &Activity) -> Value {
    let (record, person) = (&activity.record, activity.person.as_ref());
    let at = timestamp::format(record.created_at);
    let target = &record.target;
    let number = target.id.parse::<i64>().map_or_else(|_| json!(target.id), Value::from);
    json!({
        "activity": {
            "id": record.id,
            "trackable_id": number,
            "trackable_type": type_of(&target.kind),
            "owner_id": person.map(|p| p.id.number()),
            "owner_type": "User",
            "key": record.action,
            "parameters": record.meta,
            "recipient_id": null,
            "recipient_type": null,
            "created_at": at,
            "updated_at": at,
            "space_id": record.space_id,
        },
        "trackable": { "id": number, "name": target.label },
        "user": person.map(|p| json!({ "id": p.id.number(), "userid": p.email, "friendly_name": p.name, "active": p.is_active })),
    })
}

/// How Storyblok names a kind of thing: `datasource_entry` is `DatasourceEntry`.
fn type_of(kind: &str) -> String {
    if kind == "scheduling" {
        return "ScheduledContent".to_owned();
    }
    let word = |word: &str| {
        let mut chars = word.chars();
        chars.next().map(|first| first.to_uppercase().chain(chars).collect::<String>()).unwrap_or_default()
    };
    kind.split('_').map(word).collect()
}

/// The kind of Storyblok's name.
fn kind(name: &str) -> String {
    match name {
        "ScheduledContent" => return "scheduling".to_owned(),
        "Taggy" => return "tag".to_owned(),
        _ => {}
    }
    let mut kind = String::with_capacity(name.len() + 2);
    for (index, letter) in name.chars().enumerate() {
        if letter.is_uppercase() && index > 0 {
            kind.push('_');
        }
        kind.extend(letter.to_lowercase());
    }
    kind
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_of_types_and_kinds_are_the_same_in_both_directions() {
        for (kind, name) in
            [("story", "Story"), ("datasource_entry", "DatasourceEntry"), ("scheduling", "ScheduledContent"), ("tag", "Tag")]
        {
            assert_eq!((super::type_of(kind), super::kind(name)), (name.to_owned(), kind.to_owned()));
        }
        assert_eq!(super::kind("Taggy"), "tag");
    }
}
