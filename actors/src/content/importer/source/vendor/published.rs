//! Finds the published copies of stories where they differ from the drafts.

mod languages;

pub(super) use self::languages::Translatable;
use super::{ById, Draft, Error, FailureStreak, Lists, RetryingClient, SourceError, failure::failure_of};
use domain::content::{
    import::{
        SourceId,
        record::{self, Story},
        translated::{self, Translations},
    },
    language,
};
use egress::vendor::{Held, Record as Received, StorySelection, VendorPage, record::text};
use futures_util::{StreamExt, TryStreamExt, stream};
use serde::Deserialize;
use serde_json::{Value, json, value::RawValue};
use std::collections::{BTreeSet, HashMap};

/// How many stories' versions are requested concurrently.
const AT_ONCE: usize = 16;

/// How many stories the delivery API returns per request.
const PER_REQUEST: usize = 100;
/// How many pages of a story's versions are searched.
const PAGES: u64 = 20;

/// A published copy.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Copy {
    /// The attributes in which it differs.
    Differs(Value),
    /// It exists but cannot be read.
    Missing,
}

/// A published story whose published copy differs, or may differ, from its draft.
struct UncertainStory<'a> {
    id: SourceId<Story>,
    story: &'a Value,
    /// Whether its draft has unpublished changes.
    is_changed: bool,
    /// The languages in which its draft may not be public, spelled as in field names.
    languages: BTreeSet<String>,
}

/// The published copies that differ from the drafts, by story id. A missing entry means that the draft is
/// public, apart from translations whose public version cannot be read. What is held meanwhile is counted in
/// `held`.
pub(super) async fn copies(
    client: &RetryingClient,
    lists: &Lists,
    streak: &FailureStreak,
    stories: &[Draft],
    held: &mut Held,
) -> Result<ById<Copy>, SourceError> {
    let is_by_language = lists.is_by_language(client).await?;
    let uncertain: Vec<UncertainStory<'_>> = stories
        .iter()
        .filter_map(|(_, story)| story.as_ref().ok())
        .filter_map(|story| check_uncertain(story, is_by_language))
        .collect();
    if uncertain.is_empty() {
        return Ok(ById::new());
    }
    let has_languages = !lists.languages(client).await?.is_empty();
    let delivered = delivered(client, lists, streak, &uncertain, held).await?;
    let mut found = ById::new();
    let (mut by_version, mut by_language) = (Vec::new(), Vec::new());
    for story in &uncertain {
        match delivered.get(&story.id) {
            Some(copy) if story.is_changed && !has_languages => {
                found.insert(story.id, Copy::Differs(copy.clone()));
            }
            Some(_) if !story.languages.is_empty() || is_by_language => by_language.push(story),
            // The last published version may be that of another language.
            None if story.is_changed && is_by_language => {
                found.insert(story.id, Copy::Missing);
            }
            copy if story.is_changed => by_version.push((story.id, copy.cloned())),
            _ => {}
        }
    }
    let mut read = stream::iter(by_version)
        .map(|(id, copy)| async move { Ok((id, copy, version(client, streak, id).await?)) })
        .buffered(AT_ONCE);
    let mut versions: ById<Copy> = ById::new();
    while let Some((id, copy, (version, of_version))) = read.try_next().await? {
        held.join(of_version);
        versions.insert(id, with_name(version, copy));
    }
    drop(read);
    by_language.extend(uncertain.iter().filter(|d| versions.get(&d.id) == Some(&Copy::Missing) && delivered.contains_key(&d.id)));
    found.extend(versions);
    rebuild(client, lists, streak, &by_language, (&delivered, &mut found, held)).await?;
    Ok(found)
}

/// Checks whether the published copy of a story may differ from its draft.
fn check_uncertain(story: &Value, is_by_language: bool) -> Option<UncertainStory<'_>> {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Attributes {
        translated_slugs: Option<Vec<record::TranslatedSlug>>,
        translated_stories: Option<Vec<record::TranslatedStory>>,
    }
    if !is_true(story, "published") || is_true(story, "is_folder") {
        return None;
    }
    let is_changed = is_true(story, "unpublished_changes");
    let attributes = Attributes::deserialize(story).unwrap_or_default();
    let (slugs, states) = (attributes.translated_slugs.unwrap_or_default(), attributes.translated_stories.unwrap_or_default());
    let languages = Translations { slugs: &slugs, states: &states, is_by_language }.differing_languages(story.get("content")?);
    (is_changed || !languages.is_empty()).then_some(UncertainStory { id: id(story)?, story, is_changed, languages })
}

/// Builds published copies from the delivery API's content in each language.
async fn rebuild(
    client: &RetryingClient,
    lists: &Lists,
    streak: &FailureStreak,
    stories: &[&UncertainStory<'_>],
    (delivered, found, held): (&ById<Value>, &mut ById<Copy>, &mut Held),
) -> Result<(), SourceError> {
    let Some(token) = lists.reader(client).await?.filter(|_| !stories.is_empty()) else { return Ok(()) };
    let mut translatable = lists.translatable(client).await?.clone();
    for content in stories.iter().filter_map(|story| story.story.get("content")) {
        translatable.learn(content);
    }
    for some in stories.chunks(PER_REQUEST) {
        let mut copies: ById<Value> = some.iter().filter_map(|s| Some((s.id, initial_copy(s, delivered.get(&s.id)?)))).collect();
        for code in lists.languages(client).await? {
            let suffix = language::suffix(&code);
            let wanted: Vec<_> =
                some.iter().filter(|s| copies.contains_key(&s.id) && (s.is_changed || s.languages.contains(&suffix))).collect();
            if wanted.is_empty() {
                continue;
            }
            let uuids: Vec<String> = wanted.iter().filter_map(|w| uuid(w.story).map(str::to_owned)).collect();
            let page = match client.with_retries(|| client.vendor.published(token, &code, StorySelection::Uuids(&uuids))).await {
                Ok(page) => page,
                Err(error) if streak.tolerates(error) => {
                    // A copy without one of its languages would be wrong.
                    for story in wanted {
                        copies.remove(&story.id);
                    }
                    continue;
                }
                Err(error) => return Err(failure_of("published content", error)),
            };
            streak.reset();
            let items = trees(page, held)?;
            for story in wanted {
                let translated = items.iter().find(|other| uuid(other) == uuid(story.story)).and_then(|item| item.get("content"));
                let copy = copies.get_mut(&story.id).and_then(|copy| copy.get_mut("content"));
                if let (Some(copy), Some(translated)) = (copy, translated) {
                    translatable.add(copy, translated, &suffix);
                }
            }
            tokio::task::yield_now().await;
        }
        found.extend(some.iter().filter_map(|s| match copies.remove(&s.id) {
            Some(copy) => Some((s.id, Copy::Differs(copy))),
            None => s.is_changed.then_some((s.id, Copy::Missing)),
        }));
    }
    Ok(())
}

/// The copy before translations are added: the delivery API's content in the default language, or the draft
/// without the languages in doubt.
fn initial_copy(story: &UncertainStory<'_>, difference: &Value) -> Value {
    if story.is_changed {
        return with_content(story.story, difference);
    }
    json!({ "content": story.story.get("content").map(|content| translated::without_languages(content, &story.languages)) })
}

/// Adds the draft's content in the default language if the copy does not differ in that one; other languages
/// may differ.
fn with_content(draft: &Value, difference: &Value) -> Value {
    let mut copy = difference.clone();
    if let (Some(copy), Some(content)) = (copy.as_object_mut(), draft.get("content")) {
        copy.entry("content").or_insert_with(|| without_languages(content));
    }
    copy
}

/// The content without its translated fields.
fn without_languages(content: &Value) -> Value {
    translated::without_languages(content, &translated::languages(content))
}

/// The differences of the delivery API's stories from the drafts in the default language, by story id.
async fn delivered(
    client: &RetryingClient,
    lists: &Lists,
    streak: &FailureStreak,
    stories: &[UncertainStory<'_>],
    held: &mut Held,
) -> Result<ById<Value>, SourceError> {
    let Some(token) = lists.reader(client).await? else { return Ok(ById::new()) };
    let mut found = ById::new();
    for some in stories.chunks(PER_REQUEST) {
        let uuids: Vec<String> = some.iter().filter_map(|s| uuid(s.story).map(str::to_owned)).collect();
        match client.with_retries(|| client.vendor.published(token, "default", StorySelection::Uuids(&uuids))).await {
            Ok(page) => {
                streak.reset();
                let items = trees(page, held)?;
                let by_uuid: HashMap<&str, &Value> = items.iter().filter_map(|item| Some((uuid(item)?, item))).collect();
                let copy = |value: &UncertainStory<'_>| Some((value.id, difference(value.story, by_uuid.get(uuid(value.story)?)?)));
                found.extend(some.iter().filter_map(copy));
            }
            Err(error @ Error::OverMemory) => return Err(failure_of("published content", error)),
            // The token cannot read the delivery API; versions are searched instead.
            Err(error) if !error.is_transient() => return Ok(ById::new()),
            Err(error) if streak.tolerates(error) => {}
            Err(error) => return Err(failure_of("published content", error)),
        }
    }
    Ok(found)
}

/// The stories of a page as trees, counted in `held`.
fn trees(page: VendorPage, held: &mut Held) -> Result<Vec<Value>, SourceError> {
    let trees: Result<_, Error> = page.items.into_iter().map(|item| item.tree(held)).collect();
    trees.map_err(|error| failure_of("published content", error))
}

/// Searches the versions of a story, newest first, for the last published one.
async fn version(client: &RetryingClient, streak: &FailureStreak, id: SourceId<Story>) -> Result<(Copy, Held), SourceError> {
    let mut held = client.vendor.memory().nothing();
    for number in 1..=PAGES {
        match client.for_story(id, |id| client.vendor.story_versions(id.number(), number)).await {
            Ok(page) => {
                streak.reset();
                let found = newest(&page.items, &mut held).map_err(|error| failure_of("version of a story", error))?;
                let is_last = page.items.is_empty() || page.per_page.is_none_or(|per_page| (page.items.len() as u64) < per_page);
                if found != Copy::Missing || is_last {
                    return Ok((found, held));
                }
            }
            Err(Error::Unauthorized | Error::Forbidden | Error::NotFound | Error::Refused(_)) => break,
            Err(error) if streak.tolerates(error) => break,
            Err(error) => return Err(failure_of("version of a story", error)),
        }
    }
    Ok((Copy::Missing, held))
}

/// Adds name, tags and so on from the delivery API; versions have only the content.
fn with_name(version: Copy, delivered: Option<Value>) -> Copy {
    let (Copy::Differs(mut version), Some(Value::Object(delivered))) = (version.clone(), delivered) else { return version };
    if let Some(version) = version.as_object_mut() {
        version.extend(delivered.into_iter().filter(|(key, _)| key != "content"));
    }
    Copy::Differs(version)
}

fn is_true(story: &Value, key: &str) -> bool {
    story.get(key).and_then(Value::as_bool) == Some(true)
}

fn uuid(story: &Value) -> Option<&str> {
    story.get("uuid")?.as_str()
}

fn id(story: &Value) -> Option<SourceId<Story>> {
    story.get("id")?.as_i64().map(SourceId::of)
}

/// The attributes in which a story of the delivery API differs from the draft.
fn difference(draft: &Value, copy: &Value) -> Value {
    let keys = ["name", "content", "tag_list", "path", "sort_by_date", "meta_data"];
    let differing = keys.into_iter().filter_map(|key| Some((key, copy.get(key).filter(|copy| draft.get(key) != Some(copy))?)));
    Value::Object(differing.map(|(key, value)| (key.to_owned(), value.clone())).collect())
}

/// The content of the newest published version of a page, counted in `held`.
fn newest(versions: &[Received], held: &mut Held) -> Result<Copy, Error> {
    #[derive(Deserialize)]
    struct Version<'a> {
        #[serde(default)]
        id: Option<i64>,
        #[serde(borrow, default)]
        status: Option<&'a RawValue>,
        #[serde(borrow, default)]
        created_at: Option<&'a RawValue>,
        #[serde(borrow)]
        content: &'a RawValue,
    }
    let is_published = |version: &Version<'_>| {
        matches!(text(version.status).as_deref(), Some("published" | "released")) && version.content.get().starts_with('{')
    };
    let published = versions
        .iter()
        .filter_map(|record| Some((record, record.members::<Version<'_>>()?)))
        .filter(|(_, version)| is_published(version))
        .max_by_key(|(_, version)| (text(version.created_at).unwrap_or_default(), version.id));
    let Some((record, version)) = published else { return Ok(Copy::Missing) };
    held.grow(record.weight())?;
    let content: Value = serde_json::from_str(version.content.get()).map_err(|_| Error::Unreadable)?;
    Ok(Copy::Differs(json!({ "content": content })))
}

#[cfg(test)]
mod tests {
    use super::{Copy, Received, check_uncertain, difference, newest};
    use egress::vendor::ImportMemory;
    use serde_json::json;

    #[test]
    fn a_story_is_in_doubt_that_is_published_and_changed_or_whose_translations_may_not_be() {
        let story = |more: serde_json::Value| {
            let mut story =
                json!({"id": 1, "published": true, "unpublished_changes": false, "content": {"a": 1, "a__i18n__de": 2}});
            story.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            story
        };
        let languages = |more, is_by_language| {
            let story = story(more);
            check_uncertain(&story, is_by_language).map(|i| i.languages.into_iter().collect::<Vec<_>>())
        };
        assert_eq!(languages(json!({"unpublished_changes": true}), false), Some(vec![]));
        assert_eq!(
            languages(json!({"translated_slugs": [{"lang": "de", "published": false}]}), false),
            Some(vec!["de".to_owned()])
        );
        assert_eq!(languages(json!({}), true), Some(vec!["de".to_owned()]));
        let seen = json!({"translated_stories": [{"lang": "de", "published_at": "2026-01-01", "unpublished_changes": false}]});
        for (same, is_by_language) in [
            (json!({}), false),
            (json!({"published": false, "unpublished_changes": true}), true),
            (json!({"unpublished_changes": true, "is_folder": true}), true),
            (json!({"translated_slugs": null}), false),
            (seen, true),
        ] {
            assert_eq!(languages(same.clone(), is_by_language), None, "{same}");
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
        let memory = ImportMemory::new(1 << 20);
        let newest = |versions: &[serde_json::Value]| {
            let versions: Vec<_> = versions.iter().map(|version| Received::of_value(version, &memory).unwrap()).collect();
            newest(&versions, &mut memory.nothing()).unwrap()
        };
        assert_eq!(newest(&versions), Copy::Differs(json!({"content": {"n": 2}})));
        assert_eq!(newest(&versions[..1]), Copy::Missing);
    }

    #[test]
    fn a_copy_names_what_differs() {
        let draft = json!({"name": "A", "content": {"n": 1}, "tag_list": ["x"], "slug": "a", "path": "/a", "meta_data": {"n": 1}});
        let copy = json!({"name": "A", "content": {"n": 2}, "tag_list": ["x"], "slug": "b", "path": null, "meta_data": {"n": 2}});
        assert_eq!(difference(&draft, &copy), json!({"content": {"n": 2}, "path": null, "meta_data": {"n": 2}}));
    }
}
