//! Both servers are restarted, one after the other, while requests come in: none of them fails.

use super::{Pair, metrics, start};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use support::prelude::*;

/// Clients at a time that read, and that write.
const CLIENTS: usize = 4;

/// A client with connections of its own: one that keeps them, or one that opens one for each request.
fn client(keeps: bool) -> reqwest::Client {
    let idle = if keeps { 8 } else { 0 };
    reqwest::Client::builder().no_proxy().pool_max_idle_per_host(idle).timeout(std::time::Duration::from_mins(1)).build().unwrap()
}

/// Reads until the end. Every answer has to be the story.
async fn read(url: String, keeps: bool, end: Arc<AtomicBool>, count: Arc<AtomicUsize>) {
    let client = client(keeps);
    while !end.load(Ordering::Relaxed) {
        let answer = client.get(&url).send().await.unwrap();
        assert_eq!(answer.status(), 200, "{}", answer.text().await.unwrap());
        assert!(answer.text().await.unwrap().contains("\"first\""));
        count.fetch_add(1, Ordering::Relaxed);
    }
}

/// Creates stories until the end. Every one has to be created.
async fn write(space: Arc<OwnedSpace>, number: usize, end: Arc<AtomicBool>, count: Arc<AtomicUsize>) {
    let mut next = 0;
    while !end.load(Ordering::Relaxed) {
        space.publish(&format!("story-{number}-{next}")).await.expect(201);
        next += 1;
        count.fetch_add(1, Ordering::Relaxed);
    }
}

/// Waits until a server has answered a read since it was started.
async fn takes_part(address: SocketAddr) {
    let reads = r#"svc_http_requests_total{method="GET",route="/api/v2/cdn/stories/{identifier..}",status="200"} "#;
    let has_read = |text: &str| text.lines().any(|line| line.strip_prefix(reads).is_some_and(|count| count != "0"));
    while !has_read(&metrics(address).await) {
        tokio::task::yield_now().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_servers_are_restarted_under_load_and_no_request_is_lost() {
    let Pair { addresses, servers, data, database, proxy, _reserved } = Pair::start().await;
    let space = Arc::new(servers[0].person("ann@example.org").await.space().await);
    space.publish("first").await.expect(201);
    let (end, reads, writes) = (Arc::<AtomicBool>::default(), Arc::<AtomicUsize>::default(), Arc::<AtomicUsize>::default());
    let mut load = JoinSet::new();
    for number in 0..CLIENTS {
        let url = servers[0].url(&space.read("first"));
        load.spawn(read(url, number % 2 == 0, end.clone(), reads.clone()));
        load.spawn(write(space.clone(), number, end.clone(), writes.clone()));
    }
    let mut running = Vec::new();
    for ((server, address), data) in servers.into_iter().zip(addresses).zip(&data) {
        takes_part(address).await;
        server.signal(Signal::SIGTERM);
        let (status, error) = server.end().await;
        assert!(status.success(), "{error}");
        running.push(start(&database, data, address, proxy.address, &[]).await);
        takes_part(address).await;
        // What failed says so here.
        while let Some(ended) = load.try_join_next() {
            ended.unwrap();
        }
    }
    end.store(true, Ordering::Relaxed);
    while let Some(ended) = load.join_next().await {
        ended.unwrap();
    }
    let (reads, writes) = (reads.load(Ordering::Relaxed), writes.load(Ordering::Relaxed));
    assert!(reads > 0 && writes > 0, "{reads} {writes}");
    let list = running[0].url(&format!("/api/v2/cdn/stories?token={}", space.public));
    let stories = support::browser().get(list).send().await.unwrap();
    assert_eq!(stories.headers()["total"].to_str().unwrap(), (writes + 1).to_string(), "each write is there once");
}
