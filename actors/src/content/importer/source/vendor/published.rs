//! What the published copies of stories have instead of their drafts.

use super::{Ask, ById, Error, Lists, SourceError, failure};
use futures_util::{StreamExt, TryStreamExt, stream};
use outward::vendor::Wanted;
use serde_json::{Value, json};
use std::collections::HashMap;

/// Stories whose versions are asked for at the same time.
const AT_ONCE: usize = 16;

/// A published copy.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Copy {
    /// It has this instead.
    Differs(Value),
    /// There is one, and nobody shows it.
    Missing,
}

/// The copies of those stories that have one that is not the draft.
pub(super) async fn copies(ask: &Ask, lists: &Lists, stories: &[(i64, Option<Value>)]) -> Result<ById<Copy>, SourceError> {
    let changed: Vec<&Value> = stories.iter().filter_map(|(_, it)| it.as_ref()).filter(|it| is_changed(it)).collect();
    if changed.is_empty() {
        return Ok(ById::new());
    }
    let has_languages = lists.has_languages(ask).await?;
    let delivered = delivered(ask, lists, &changed).await?;
    let mut found = ById::new();
    let mut rest = Vec::new();
    for story in &changed {
        let Some(id) = id(story) else { continue };
        match delivered.get(&id) {
            Some(copy) if !has_languages => {
                found.insert(id, Copy::Differs(copy.clone()));
            }
            copy => rest.push((id, copy.cloned())),
        }
    }
    let versions = stream::iter(rest).map(|(id, copy)| async move {
        match ask.patiently(|| ask.vendor.story_versions(id)).await {
            Ok(page) => Ok((id, with_name(newest(&page.items), copy))),
            Err(Error::Unauthorized | Error::Forbidden | Error::NotFound | Error::Refused(_)) => Ok((id, Copy::Missing)),
            Err(error) => Err(failure(error)),
        }
    });
    let versions: Vec<(i64, Copy)> = versions.buffered(AT_ONCE).try_collect().await?;
    found.extend(versions);
    Ok(found)
}

/// What the delivery API shows of stories instead of their drafts, in the default language: by their numbers.
async fn delivered(ask: &Ask, lists: &Lists, stories: &[&Value]) -> Result<ById<Value>, SourceError> {
    let Some(token) = lists.reader(ask).await? else { return Ok(ById::new()) };
    let uuids: Vec<String> = stories.iter().filter_map(|it| Some(it.get("uuid")?.as_str()?.to_owned())).collect();
    match ask.patiently(|| ask.vendor.published(token, "default", Wanted::Uuids(&uuids))).await {
        Ok(page) => {
            let by_uuid: HashMap<&str, &Value> = page.items.iter().filter_map(|it| Some((it.get("uuid")?.as_str()?, it))).collect();
            let copy = |story: &Value| Some((id(story)?, difference(story, by_uuid.get(story.get("uuid")?.as_str()?)?)));
            Ok(stories.iter().filter_map(|it| copy(it)).collect())
        }
        // The token reads nothing there: versions may.
        Err(error) if !error.is_passing() => Ok(ById::new()),
        Err(error) => Err(failure(error)),
    }
}

/// A version says nothing of name and tags: those are what the delivery API shows.
fn with_name(version: Copy, delivered: Option<Value>) -> Copy {
    let (Copy::Differs(mut version), Some(Value::Object(delivered))) = (version.clone(), delivered) else { return version };
    if let Some(version) = version.as_object_mut() {
        version.extend(delivered.into_iter().filter(|(key, _)| key != "content"));
    }
    Copy::Differs(version)
}

/// Whether a copy exists that differs from the draft.
fn is_changed(story: &Value) -> bool {
    let says = |key: &str| story.get(key).and_then(Value::as_bool) == Some(true);
    says("published") && says("unpublished_changes") && !says("is_folder")
}

fn id(story: &Value) -> Option<i64> {
    story.get("id")?.as_i64()
}

/// What a story of the delivery API has instead of the draft.
fn difference(draft: &Value, copy: &Value) -> Value {
    let keys = ["name", "content", "tag_list"];
    let differing = keys.into_iter().filter_map(|key| Some((key, copy.get(key).filter(|it| draft.get(key) != Some(it))?)));
    Value::Object(differing.map(|(key, value)| (key.to_owned(), value.clone())).collect())
}

/// The newest version that was published, with its content.
fn newest(versions: &[Value]) -> Copy {
    let text = |it: &Value, key: &str| it.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let published = versions
        .iter()
        .filter(|it| {
            matches!(text(it, "status").as_str(), "published" | "released") && it.get("content").is_some_and(Value::is_object)
        })
        .max_by_key(|it| (text(it, "created_at"), id(it)));
    published.and_then(|it| it.get("content")).map_or(Copy::Missing, |content| Copy::Differs(json!({ "content": content })))
}

#[cfg(test)]
mod tests {
    use super::{Copy, difference, is_changed, newest};
    use serde_json::json;

    #[test]
    fn only_a_published_story_with_changes_has_a_copy_of_its_own() {
        assert!(is_changed(&json!({"published": true, "unpublished_changes": true})));
        for same in [
            json!({"published": true, "unpublished_changes": false}),
            json!({"published": false, "unpublished_changes": true}),
            json!({"published": true}),
            json!({"published": true, "unpublished_changes": true, "is_folder": true}),
        ] {
            assert!(!is_changed(&same), "{same}");
        }
    }

    #[test]
    fn the_newest_published_version_counts() {
        let version = |at: &str, status: &str, n: i64| json!({"created_at": at, "status": status, "content": {"n": n}});
        let versions = [
            version("2026-01-03", "draft", 3),
            version("2026-01-01", "published", 1),
            version("2026-01-02", "released", 2),
            json!({"created_at": "2026-01-04", "status": "published", "content": null}),
        ];
        assert_eq!(newest(&versions), Copy::Differs(json!({"content": {"n": 2}})));
        assert_eq!(newest(&versions[..1]), Copy::Missing);
    }

    #[test]
    fn a_copy_names_what_differs() {
        let draft = json!({"name": "A", "content": {"n": 1}, "tag_list": ["x"], "slug": "a"});
        assert_eq!(
            difference(&draft, &json!({"name": "A", "content": {"n": 2}, "tag_list": ["x"], "slug": "b"})),
            json!({"content": {"n": 2}})
        );
    }
}
