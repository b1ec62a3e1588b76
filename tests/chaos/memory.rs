//! A flood of responses that no client reads: the memory that it takes is bounded, and goes back to the
//! system.

use crate::SITE;
use std::net::SocketAddr;
use support::{
    prelude::*,
    world::{Running, World, random_text},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

/// Each asks for a page of its own, of about 3 MB.
const CLIENTS: usize = 200;
const STORIES: usize = 30;
/// What a story holds. Random, so that neither the database nor the wire makes it smaller.
const STORY_BYTES: usize = 110_000;
/// The bound of all responses under way, in megabytes: more than one page and far less than all of them.
const RESPONSES: u64 = 128;

#[tokio::test(flavor = "multi_thread")]
async fn memory_goes_back_after_a_flood_of_responses_that_nobody_reads() {
    let world = World::new().await;
    let bound = RESPONSES.to_string();
    let server = world.serve_with(&[SITE, &[("APP_RESPONSE_MEMORY_MB", &bound)]].concat()).await;
    let token = space_with_large_stories(&server).await;
    let page = |number: usize| format!("/api/v2/cdn/stories?per_page={STORIES}&token={token}&fallback_lang=l{number}");
    // What a server keeps that has answered such pages belongs to the measure.
    for number in 0..20 {
        let response = reqwest::get(server.url(&page(number))).await.unwrap();
        assert_eq!(response.status(), 200);
        assert!(response.bytes().await.unwrap().len() > STORIES * STORY_BYTES);
    }
    let before = server.resident();
    let mut clients = JoinSet::new();
    for number in 0..CLIENTS {
        let request = format!("GET {} HTTP/1.1\r\nhost: chaos.example\r\n\r\n", page(100 + number));
        clients.spawn(takes_nothing(server.address, request));
    }
    let flooding = async {
        while server.resident() < before + RESPONSES * 1_000_000 * 3 / 4 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(PATIENCE, flooding)
        .await
        .unwrap_or_else(|_| panic!("the flood took nothing: {before} before, {} now", server.resident()));
    let flooded = server.resident();
    drop(clients);
    let ended = Instant::now();
    while server.resident() * 2 > before * 3 {
        assert!(
            ended.elapsed() < Duration::from_mins(1),
            "{before} bytes before, {flooded} during the flood, {} a minute after",
            server.resident()
        );
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    println!(
        "resident memory: {before} bytes before, {flooded} during the flood, {} after {:?}",
        server.resident(),
        ended.elapsed()
    );
    server.stop().await;
}

/// A client to which a page is on its way, and that takes no more than the beginning of it. It asks again
/// when it is refused: where all of them ask at once, a busy machine has a page for a few only within the
/// time that the database has.
async fn takes_nothing(address: SocketAddr, request: String) {
    let mut connection = TcpStream::connect(address).await.unwrap();
    let mut status = *b"HTTP/1.1 ...";
    loop {
        connection.write_all(request.as_bytes()).await.unwrap();
        if connection.read_exact(&mut status).await.is_ok() && status == *b"HTTP/1.1 200" {
            return std::future::pending().await;
        }
        connection = TcpStream::connect(address).await.unwrap();
    }
}

/// Makes a space. Returns its public token.
async fn space_with_large_stories(server: &Running) -> String {
    let space = server.person("ann@example.org").await.space().await;
    for number in 0..STORIES {
        let content = json!({ "component": "page", "text": random_text(STORY_BYTES) });
        let story = json!({ "name": "Large", "slug": format!("s{number}"), "content": content });
        space.post("/stories", json!({ "story": story, "publish": 1 })).await.expect(201);
    }
    space.public
}
