//! An editor types into a large story: each autosave has its whole content, and is answered with its
//! problems.

use super::{Load, Setup};
use crate::harness::{
    site::{Space, Story},
    user::{Pace, TimedClient, TurnFuture, User},
};
use anyhow::Result;
use http::Method;
use serde_json::{Value, json};
use std::time::Duration;

/// As large as the largest story of the example spaces: 447 blocks and about 95 kB.
const ROWS: usize = 6;
const CARDS_OF_A_ROW: usize = 73;

pub(super) async fn prepare(setup: &mut Setup<'_>) -> Result<Load> {
    let space = setup.site.space("typing").await?;
    for component in components() {
        setup.site.ask(&space, Method::POST, "/components", &json!({ "component": component })).await?;
    }
    let mut users: Vec<Box<dyn User>> = Vec::new();
    for number in 0..setup.users(1) {
        let slug = format!("typed-{number}");
        let story = json!({ "name": slug, "slug": slug, "content": content("Typed") });
        let story = setup.site.write(&space, &story, false).await?;
        users.push(Box::new(Typist { space: space.clone(), story, turns: 0 }));
    }
    Ok(setup.group(Pace::Closed(Duration::ZERO), users).into())
}

/// The schemas by which the content is validated.
fn components() -> [Value; 3] {
    let title = json!({ "type": "text", "pos": 0, "required": true, "max_length": 200 });
    let blocks = |names: [&str; 1]| json!({ "type": "bloks", "pos": 1, "restrict_components": true, "component_whitelist": names });
    [
        json!({ "name": "page", "is_root": true, "schema": { "title": title, "body": blocks(["row"]) } }),
        json!({ "name": "row", "schema": { "title": title, "cards": blocks(["card"]) } }),
        json!({ "name": "card", "schema": { "title": title, "text": { "type": "textarea", "pos": 1, "regex": "^[a-z ]+$" } } }),
    ]
}

fn content(title: &str) -> Value {
    let text = "lorem ipsum dolor sit amet ".repeat(4);
    let card = |row: usize, number: usize| json!({ "component": "card", "_uid": format!("card-{row}-{number}"), "title": format!("Card {number}"), "text": text });
    let row = |row: usize| {
        let cards: Vec<Value> = (0..CARDS_OF_A_ROW).map(|number| card(row, number)).collect();
        json!({ "component": "row", "_uid": format!("row-{row}"), "title": format!("Row {row}"), "cards": cards })
    };
    let rows: Vec<Value> = (0..ROWS).map(row).collect();
    json!({ "component": "page", "_uid": "page", "title": title, "body": rows })
}

struct Typist {
    space: Space,
    story: Story,
    turns: u64,
}

impl User for Typist {
    fn turn<'a>(&'a mut self, client: &'a mut TimedClient) -> TurnFuture<'a> {
        Box::pin(async move {
            self.turns += 1;
            let body = json!({ "story": { "content": content(&format!("Turn {}", self.turns)) } });
            let below = format!("/stories/{}?autosave=1&validate=1", self.story.id);
            client.send("autosave", self.space.manage(Method::PUT, &below, &body)?).await;
            Ok(())
        })
    }
}
