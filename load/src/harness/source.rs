//! A source for imports: as much of Storyblok's two APIs as an importer asks for, over stories that are made
//! up. Their content is another one in each round, so that every import has something to write.

use bytes::Bytes;
use http::{Request, Response, StatusCode};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU32, Ordering};

/// The number of the space.
pub(crate) const SPACE: u32 = 1;
const FOLDER: u32 = 9;
/// The id of the first story.
const FIRST: u32 = 10;

/// The source.
pub(crate) struct Source {
    stories: u32,
    round: AtomicU32,
}

impl Source {
    /// A source with `stories` in one folder.
    pub(crate) fn new(stories: u32) -> Self {
        Self { stories, round: AtomicU32::new(0) }
    }

    /// Gives every story another content.
    pub(crate) fn change(&self) {
        self.round.fetch_add(1, Ordering::Relaxed);
    }

    /// Answers a request of either API.
    pub(crate) fn answer(&self, request: &Request<Bytes>) -> Response<Bytes> {
        let uri = request.uri();
        let parts: Vec<_> = uri.path().split('/').filter(|part| !part.is_empty()).collect();
        let body = match parts.as_slice() {
            ["v1", "spaces", _] => {
                json!({ "space": { "id": SPACE, "name": "Source", "stories_count": self.stories, "languages": [] } })
            }
            ["v1", "spaces", _, "components"] => json!({ "components": [component()], "component_groups": [] }),
            ["v1", "spaces", _, "stories"] => return self.page(uri.query().unwrap_or_default()),
            ["v1", "spaces", _, "stories", id] => match id.parse().ok().and_then(|id| self.story(id, true)) {
                Some(story) => json!({ "story": story }),
                None => return answer(StatusCode::NOT_FOUND, &json!({}), 0),
            },
            ["v1", "spaces", _, list] => json!({ *list: [] }),
            ["v2", "cdn", "stories"] => json!({ "stories": self.all(true).collect::<Vec<_>>() }),
            _ => return answer(StatusCode::NOT_FOUND, &json!({}), 0),
        };
        answer(StatusCode::OK, &body, 0)
    }

    /// A page of the folder and the stories, without content.
    fn page(&self, query: &str) -> Response<Bytes> {
        let number =
            |name: &str| query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('=')?.parse::<usize>().ok());
        let (page, per_page) = (number("page").unwrap_or(1).max(1), number("per_page").unwrap_or(25).clamp(1, 100));
        let stories: Vec<_> = self.all(false).skip((page - 1) * per_page).take(per_page).collect();
        answer(StatusCode::OK, &json!({ "stories": stories }), self.stories + 1)
    }

    fn all(&self, has_content: bool) -> impl Iterator<Item = Value> {
        (FOLDER..FIRST + self.stories).filter_map(move |id| self.story(id, has_content))
    }

    fn story(&self, id: u32, has_content: bool) -> Option<Value> {
        if id < FOLDER || id >= FIRST + self.stories {
            return None;
        }
        let round = self.round.load(Ordering::Relaxed);
        let is_folder = id == FOLDER;
        let slug = if is_folder { "imported".to_owned() } else { format!("story-{id}") };
        let mut story = json!({
            "id": id, "uuid": format!("00000000-0000-4000-8000-{id:012}"), "group_id": format!("00000000-0000-4000-9000-{id:012}"),
            "name": format!("Story {id}"), "slug": slug, "full_slug": if is_folder { slug.clone() } else { format!("imported/{slug}") },
            "parent_id": if is_folder { 0 } else { FOLDER }, "is_folder": is_folder, "is_startpage": false, "position": 0,
            "published": !is_folder, "unpublished_changes": false, "tag_list": [], "alternates": [], "translated_slugs": [],
            "created_at": "2024-03-01T08:00:00.000Z", "updated_at": format!("2024-03-01T09:{:02}:{:02}.000Z", round / 60 % 60, round % 60),
            "published_at": "2024-03-01T08:00:00.000Z", "first_published_at": "2024-03-01T08:00:00.000Z",
        });
        if let (true, Some(members)) = (has_content, story.as_object_mut()) {
            let content = json!({ "component": "page", "title": format!("Round {round}"), "text": "lorem ipsum ".repeat(150) });
            members.insert("content".to_owned(), if is_folder { json!({}) } else { content });
        }
        Some(story)
    }
}

fn component() -> Value {
    json!({
        "id": 1, "name": "page", "display_name": "Page", "is_root": true, "is_nestable": false,
        "schema": { "title": { "type": "text", "pos": 0 }, "text": { "type": "textarea", "pos": 1 } },
        "created_at": "2024-03-01T08:00:00.000Z", "updated_at": "2024-03-01T08:00:00.000Z",
    })
}

/// JSON with the headers of a page.
fn answer(status: StatusCode, body: &Value, total: u32) -> Response<Bytes> {
    let mut answer = Response::new(Bytes::from(body.to_string()));
    *answer.status_mut() = status;
    let headers = answer.headers_mut();
    headers.insert(http::header::CONTENT_TYPE, http::HeaderValue::from_static("application/json"));
    headers.insert("total", total.into());
    headers.insert("per-page", 100.into());
    answer
}

#[cfg(test)]
mod tests {
    use super::Source;
    use bytes::Bytes;
    use http::Request;
    use serde_json::Value;

    #[test]
    fn pages_hold_every_story_once_and_a_change_is_in_each() {
        let source = Source::new(150);
        let ask = |path: &str| {
            let answer = source.answer(&Request::get(path).body(Bytes::new()).unwrap());
            assert_eq!(answer.status(), 200, "{path}");
            (answer.headers()["total"].to_str().unwrap().to_owned(), serde_json::from_slice::<Value>(answer.body()).unwrap())
        };
        let sizes = [1, 2, 3].map(|page| {
            let (total, body) = ask(&format!("/v1/spaces/1/stories?page={page}&per_page=100"));
            (total, body["stories"].as_array().unwrap().len())
        });
        assert_eq!(sizes, [("151".to_owned(), 100), ("151".to_owned(), 51), ("151".to_owned(), 0)]);
        let title = || ask("/v1/spaces/1/stories/10").1["story"]["content"]["title"].clone();
        let before = title();
        source.change();
        assert_ne!(title(), before);
        assert_eq!(ask("/v1/spaces/1/presets").1["presets"], serde_json::json!([]));
    }
}
