//! What the published copies of stories have instead of their drafts.

mod languages;

use self::languages::Translatable;
use super::{Ask, ById, Error, Lists, SourceError, failure};
use domain::content::{
    import::{Phase, Record},
    language,
};
use futures_util::{StreamExt, TryStreamExt, stream};
use outward::vendor::Wanted;
use serde_json::{Value, json};
use std::collections::HashMap;

/// Stories whose versions are asked for at the same time.
const AT_ONCE: usize = 16;

/// How many stories the delivery API gives at a time.
const PER_REQUEST: usize = 100;
/// How many pages of a story's versions are looked through.
const PAGES: u64 = 20;

/// A published copy.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Copy {
    /// It has this instead.
    Differs(Value),
    /// There is one, and nobody shows it.
    Missing,
}

/// The copies of those stories that have one that is not the draft.
pub(super) async fn copies(ask: &Ask, lists: &Lists, stories: &[(i64, Result<Value, Record>)]) -> Result<ById<Copy>, SourceError> {
    let changed: Vec<&Value> = stories.iter().filter_map(|(_, it)| it.as_ref().ok()).filter(|it| is_changed(it)).collect();
    if changed.is_empty() {
        return Ok(ById::new());
    }
    let has_languages = !lists.languages(ask).await?.is_empty();
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
    let versions = stream::iter(rest).map(|(id, copy)| async move { Ok((id, with_name(version(ask, id).await?, copy))) });
    let versions: Vec<(i64, Copy)> = versions.buffered(AT_ONCE).try_collect().await?;
    found.extend(versions);
    rebuild(ask, lists, &changed, (&delivered, &mut found)).await?;
    Ok(found)
}

/// Copies that no version shows, out of what the delivery API shows in each language.
async fn rebuild(
    ask: &Ask,
    lists: &Lists,
    changed: &[&Value],
    (delivered, found): (&ById<Value>, &mut ById<Copy>),
) -> Result<(), SourceError> {
    let is_missing =
        |story: &&Value| id(story).is_some_and(|it| found.get(&it) == Some(&Copy::Missing) && delivered.contains_key(&it));
    let missing: Vec<&Value> = changed.iter().copied().filter(is_missing).collect();
    let Some(token) = lists.reader(ask).await?.filter(|_| !missing.is_empty()) else { return Ok(()) };
    let translatable = Translatable::of(lists.plain(ask, Phase::Components).await?);
    for some in missing.chunks(PER_REQUEST) {
        let uuids: Vec<String> = some.iter().filter_map(|it| uuid(it).map(str::to_owned)).collect();
        let mut copies: ById<Value> = some.iter().filter_map(|it| Some((id(it)?, whole(it, delivered.get(&id(it)?)?)))).collect();
        for code in lists.languages(ask).await? {
            let page = ask.patiently(|| ask.vendor.published(token, &code, Wanted::Uuids(&uuids))).await.map_err(failure)?;
            for story in some {
                let translated = page.items.iter().find(|it| uuid(it) == uuid(story)).and_then(|it| it.get("content"));
                let copy = id(story).and_then(|it| copies.get_mut(&it)?.get_mut("content"));
                if let (Some(copy), Some(translated)) = (copy, translated) {
                    translatable.add(copy, translated, &language::suffix(&code));
                }
            }
        }
        found.extend(copies.into_iter().map(|(id, copy)| (id, Copy::Differs(copy))));
    }
    Ok(())
}

/// A copy with its content also where that is the draft's in the default language: in another one it may not be.
fn whole(draft: &Value, difference: &Value) -> Value {
    let mut copy = difference.clone();
    if let (Some(copy), Some(content)) = (copy.as_object_mut(), draft.get("content")) {
        copy.entry("content").or_insert_with(|| without_languages(content));
    }
    copy
}

/// The fields of the default language.
fn without_languages(content: &Value) -> Value {
    match content {
        Value::Object(object) => {
            let fields = object.iter().filter(|(name, _)| !name.contains("__i18n__"));
            Value::Object(fields.map(|(name, value)| (name.clone(), without_languages(value))).collect())
        }
        Value::Array(items) => items.iter().map(without_languages).collect(),
        plain => plain.clone(),
    }
}

/// What the delivery API shows of stories instead of their drafts, in the default language: by their numbers.
async fn delivered(ask: &Ask, lists: &Lists, stories: &[&Value]) -> Result<ById<Value>, SourceError> {
    let Some(token) = lists.reader(ask).await? else { return Ok(ById::new()) };
    let mut found = ById::new();
    for some in stories.chunks(PER_REQUEST) {
        let uuids: Vec<String> = some.iter().filter_map(|it| Some(it.get("uuid")?.as_str()?.to_owned())).collect();
        match ask.patiently(|| ask.vendor.published(token, "default", Wanted::Uuids(&uuids))).await {
            Ok(page) => {
                let by_uuid: HashMap<&str, &Value> = page.items.iter().filter_map(|it| Some((uuid(it)?, it))).collect();
                let copy = |story: &Value| Some((id(story)?, difference(story, by_uuid.get(uuid(story)?)?)));
                found.extend(some.iter().filter_map(|it| copy(it)));
            }
            // The token reads nothing there: versions may.
            Err(error) if !error.is_passing() => return Ok(ById::new()),
            Err(error) => return Err(failure(error)),
        }
    }
    Ok(found)
}

/// The newest version of a story that was published: behind so many saves as there were since.
async fn version(ask: &Ask, id: i64) -> Result<Copy, SourceError> {
    for number in 1..=PAGES {
        match ask.patiently(|| ask.vendor.story_versions(id, number)).await {
            Ok(page) => {
                let found = newest(&page.items);
                let is_last = page.items.is_empty() || page.per_page.is_none_or(|it| (page.items.len() as u64) < it);
                if found != Copy::Missing || is_last {
                    return Ok(found);
                }
            }
            Err(Error::Unauthorized | Error::Forbidden | Error::NotFound | Error::Refused(_)) => break,
            Err(error) => return Err(failure(error)),
        }
    }
    Ok(Copy::Missing)
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

fn uuid(story: &Value) -> Option<&str> {
    story.get("uuid")?.as_str()
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
