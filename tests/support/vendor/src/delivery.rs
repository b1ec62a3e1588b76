//! The delivery API, below `/v2/cdn`.

use crate::{
    answer::{Answer, Content},
    language,
    query::Query,
    space::{Delivered, Space, Story, path_of},
};
use bytes::Bytes;
use serde_json::{Map, Value, json};
use std::{collections::HashSet, sync::Arc};

/// The version of the published content.
const CV: i64 = 1_763_712_000;

/// The query of a signed URL.
pub(crate) const SIGNATURE: &str = "0123456789abcdef";

const STORIES: &[&str] =
    &["token", "version", "cv", "page", "per_page", "starts_with", "by_uuids", "language", "fallback_lang", "is_startpage"];
const STORY: &[&str] = &["token", "version", "cv", "find_by", "language", "fallback_lang"];
const LINKS: &[&str] = &["token", "version", "cv", "page", "per_page", "starts_with", "include_dates", "paginated"];
const ENTRIES: &[&str] = &["token", "version", "cv", "page", "per_page", "datasource", "dimension"];
const ASSET: &[&str] = &["token", "filename"];
const SPACE: &[&str] = &["token", "version", "cv"];

/// Handles a request; `path` is below `/v2/cdn`, and `uri` is the whole URI.
pub(crate) fn answer(space: &Space, path: &str, query: &Query, uri: &str) -> Answer {
    let path = path.trim_matches('/');
    let known = match path.split('/').next() {
        Some("stories") if path == "stories" => STORIES,
        Some("stories") => STORY,
        Some("links") => LINKS,
        Some("assets") => ASSET,
        Some("datasource_entries") => ENTRIES,
        _ => SPACE,
    };
    if let Some(unknown) = query.unknown(known) {
        return Answer::refused(&format!("Parameter(s) {unknown} not allowed"));
    }
    if (path == "assets/me") != space.asset_tokens.contains(query.get("token").unwrap_or_default()) {
        return Answer::unauthorized();
    }
    if path == "assets/me" {
        return private_asset(space, query);
    }
    let is_published = query.get("version") != Some("draft");
    if !is_published && !space.tokens[query.get("token").unwrap_or_default()] {
        return Answer::unauthorized();
    }
    if is_published && path != "spaces/me" && query.get("cv") != Some(CV.to_string().as_str()) {
        return redirect(uri);
    }
    match path {
        "stories" => stories(space, query, is_published),
        "links" => links(space, query, is_published),
        "datasource_entries" => entries(space, query),
        "spaces/me" => {
            let (name, domain) = (&space.about["name"], &space.about["domain"]);
            let codes = space.languages();
            let me = json!({ "space": { "id": space.id, "name": name, "domain": domain, "version": CV, "language_codes": codes } });
            Answer::json(200, me.to_string())
        }
        _ => path.strip_prefix("stories/").map_or_else(Answer::missing, |s| story(space, s, query, is_published)),
    }
}

/// A private asset with its signed URL.
fn private_asset(space: &Space, query: &Query) -> Answer {
    let Some(asset) = space.private.get(path_of(query.get("filename").unwrap_or_default())) else { return Answer::missing() };
    let mut asset = asset.clone();
    asset["signed_url"] = json!(format!("{}?signature={SIGNATURE}", query.get("filename").unwrap_or_default()));
    Answer::object("asset", &Bytes::from(asset.to_string()))
}

/// Storyblok redirects requests without a `cv` to the same URL with it.
fn redirect(uri: &str) -> Answer {
    let (path, query) = uri.split_once('?').unwrap_or((uri, ""));
    let rest = query.split('&').filter(|part| !part.starts_with("cv="));
    let query = [format!("cv={CV}")].into_iter().chain(rest.map(str::to_owned)).collect::<Vec<_>>().join("&");
    let mut answer = Answer { status: 301, content: Content::Json(Bytes::new()), headers: Vec::new() };
    answer.headers.push(("location", format!("{path}?{query}")));
    answer
}

/// The draft or published stories in the requested languages, in order.
fn copy(space: &Space, query: &Query, is_published: bool) -> Delivered {
    let known = space.languages();
    let asked = ["language", "fallback_lang"].map(|value| query.get(value).filter(|code| known.contains(code)));
    let [language, fallback] = asked;
    let languages: Vec<_> = [language, fallback].into_iter().flatten().map(str::to_owned).collect();
    let lang = language.unwrap_or("default");
    let mut ready = space.delivered.lock().unwrap();
    // A language and the same language as a fallback would share their values, but not their paths.
    let key = (is_published, [lang.to_owned()].into_iter().chain(languages.clone()).collect());
    ready
        .entry(key)
        .or_insert_with(|| {
            let mut order: Vec<_> = (0..space.stories.len()).filter(|at| is_there(&space.stories[*at], is_published)).collect();
            order.sort_by_key(|at| (space.stories[*at].number("position"), space.stories[*at].id));
            let codes: Vec<_> = languages.iter().map(String::as_str).collect();
            let bytes = |at: usize| delivered(space, &space.stories[at], is_published, lang, &codes).to_string().into();
            Arc::new(order.into_iter().map(|at| (at, bytes(at))).collect())
        })
        .clone()
}

fn is_there(story: &Story, is_published: bool) -> bool {
    !story.is("is_folder") && (!is_published || story.is("published"))
}

fn stories(space: &Space, query: &Query, is_published: bool) -> Answer {
    let all = copy(space, query, is_published);
    let uuids: Option<HashSet<_>> = query.get("by_uuids").map(|query| query.split(',').collect());
    let is_wanted = |story: &Story| {
        query.get("starts_with").is_none_or(|query| story.text("full_slug").starts_with(query))
            && uuids.as_ref().is_none_or(|uuid| uuid.contains(story.uuid.as_str()))
            && query.get("is_startpage").is_none_or(|query| story.is("is_startpage") == matches!(query, "1" | "true"))
    };
    let wanted: Vec<_> = all.iter().filter(|(at, _)| is_wanted(&space.stories[*at])).map(|(_, bytes)| bytes).collect();
    let (page, per_page) = (query.number("page", 1, usize::MAX), query.number("per_page", 25, 100));
    Answer::page("stories", &wanted, page, per_page).before(format!("\"cv\":{CV},\"rels\":[],\"links\":[],"))
}

fn story(space: &Space, wanted: &str, query: &Query, is_published: bool) -> Answer {
    let all = copy(space, query, is_published);
    let is_it = |story: &Story| {
        story.uuid == wanted || story.id.to_string() == wanted || story.text("full_slug").trim_end_matches('/') == wanted
    };
    match all.iter().find(|(at, _)| is_it(&space.stories[*at])) {
        Some((_, bytes)) => {
            let end = format!(",\"cv\":{CV},\"rels\":[],\"links\":[]}}");
            Answer::json(200, [b"{\"story\":".as_slice(), bytes, end.as_bytes()].concat())
        }
        None => Answer::missing(),
    }
}

/// A story of the delivery API.
fn delivered(space: &Space, story: &Story, is_published: bool, lang: &str, languages: &[&str]) -> Value {
    let member = |key: &str| story.member(key, is_published).cloned().unwrap_or(Value::Null);
    let is_shown = |code: &str| !is_published || story.is_public_in(code);
    let shown: Vec<_> = languages.iter().copied().filter(|language| is_shown(language)).collect();
    let mut content = language::pick(&member("content"), &shown);
    if !is_published {
        language::mark(&mut content, space.id, story.id);
    }
    let has_translations = space.has_translations;
    let path = member("full_slug");
    let translated = path_in(space, story, lang);
    let name = translation(story, lang)
        .filter(|_| is_shown(lang))
        .and_then(|t| t["name"].as_str())
        .map_or_else(|| member("name"), Value::from);
    let slug = translated.rsplit('/').next().filter(|last| lang != "default" && !last.is_empty());
    let slug = slug.map_or_else(|| member("slug"), Value::from);
    let slugs = story.source.get("translated_slugs").and_then(Value::as_array).into_iter().flatten();
    let slugs: Vec<_> = slugs
        .filter_map(|slug| slug["lang"].as_str().map(|code| (code, slug)))
        .map(|(code, slug)| json!({ "path": path_in(space, story, code), "name": slug["name"], "lang": code, "published": story.is("published") && story.is_public_in(code) }))
        .collect();
    let mut delivered = Map::new();
    for key in ["created_at", "updated_at", "published_at", "id", "uuid", "sort_by_date", "position", "tag_list", "is_startpage"] {
        delivered.insert(key.to_owned(), member(key));
    }
    for key in ["parent_id", "meta_data", "group_id", "first_published_at", "path", "alternates"] {
        delivered.insert(key.to_owned(), member(key));
    }
    let more = json!({
        "name": name,
        "slug": slug,
        "content": content,
        "full_slug": if lang == "default" { path.clone() } else { format!("{lang}/{translated}").into() },
        "release_id": null,
        "lang": lang,
        "default_full_slug": if has_translations { path } else { Value::Null },
        "translated_slugs": if has_translations { Value::Array(slugs) } else { Value::Null },
    });
    if let Value::Object(more) = more {
        delivered.extend(more);
    }
    Value::Object(delivered)
}

fn translation<'a>(story: &'a Story, lang: &str) -> Option<&'a Value> {
    story.source.get("translated_slugs")?.as_array()?.iter().find(|s| s["lang"] == lang)
}

/// The path of a story in a language, with each translated segment. Folders may stand in a circle: it ends
/// after some levels.
fn path_in(space: &Space, story: &Story, lang: &str) -> String {
    const LEVELS: usize = 100;
    let slug = |story: &Story| {
        let translated = translation(story, lang).and_then(|t| t["slug"].as_str());
        translated.unwrap_or(story.text("slug")).to_owned()
    };
    let above = |story: &&Story| space.by_id.get(&story.number("parent_id")).map(|at| &space.stories[*at]);
    let is_at_folder = story.is("is_startpage") && above(&story).is_some();
    let own = if is_at_folder { String::new() } else { slug(story) };
    let folders = std::iter::successors(above(&story), above).take(LEVELS);
    folders.fold(own, |path, folder| format!("{}/{path}", slug(folder)))
}

fn links(space: &Space, query: &Query, is_published: bool) -> Answer {
    let is_wanted = |story: &&Story| {
        (story.is("is_folder") || is_there(story, is_published))
            && query.get("starts_with").is_none_or(|query| story.text("full_slug").starts_with(query))
    };
    let all: Vec<_> = space.stories.iter().filter(is_wanted).collect();
    let per_page =
        query.number("per_page", if query.get("page").is_some() { 25 } else { usize::MAX }, usize::MAX).min(1000.max(all.len()));
    let from = (query.number("page", 1, usize::MAX) - 1).saturating_mul(per_page).min(all.len());
    let to = from.saturating_add(per_page).min(all.len());
    let link = |story: &Story| {
        let path = story.text("full_slug");
        json!({
            "id": story.id, "uuid": story.uuid, "slug": path, "path": story.source.get("path"), "real_path": format!("/{path}"),
            "name": story.member("name", is_published), "published": story.is("published"), "parent_id": story.number("parent_id"),
            "is_folder": story.is("is_folder"), "is_startpage": story.is("is_startpage"), "position": story.number("position"),
        })
    };
    let links: Map<_, _> = all[from..to].iter().map(|value| (value.uuid.clone(), link(value))).collect();
    let mut answer = Answer::json(200, json!({ "links": links }).to_string());
    answer.headers = vec![("total", all.len().to_string()), ("per-page", per_page.to_string())];
    answer
}

/// The entries of a datasource, with the values of a dimension if the request has its code.
fn entries(space: &Space, query: &Query) -> Answer {
    let wanted = query.get("datasource");
    let datasource = space
        .datasources
        .iter()
        .find(|datasource| datasource["slug"].as_str() == wanted)
        .and_then(|datasource| datasource["id"].as_i64());
    let entries = space
        .entries
        .iter()
        .filter(|entry| wanted.is_none() || (datasource.is_some() && entry["datasource_id"].as_i64() == datasource));
    let entry = |item: &Value| {
        let value = query.get("dimension").map_or(&Value::Null, |code| &item["dimension_values"][code]);
        json!({ "id": item["id"], "name": item["name"], "value": item["value"], "dimension_value": value }).to_string().into()
    };
    let entries: Vec<Bytes> = entries.map(entry).collect();
    let (page, per_page) = (query.number("page", 1, usize::MAX), query.number("per_page", 25, 1000));
    Answer::page("datasource_entries", &entries, page, per_page).before(format!("\"cv\":{CV},"))
}
