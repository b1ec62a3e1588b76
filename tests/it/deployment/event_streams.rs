//! Streams of events through the proxy: each event is there when it was sent, and a stream that ends with its
//! server goes on at the other one.

use super::{Pair, start};
use crate::import::vendor::wanted;
use support::{prelude::*, spaces::sample_space};
use tokio::sync::watch;
use vendor_stand_in::{Fault, Options, StandIn, What};

/// What a client has seen of its stream so far.
#[derive(Default)]
struct Seen {
    /// How often it has opened it.
    connections: usize,
    /// How many events it had since it opened it last.
    events: usize,
    /// The phase and the number of records of the last event about the import.
    progress: (String, i64),
    status: String,
    is_over: bool,
}

/// Reads events up to the end of the answer, which has to be a proper one. `take` returns whether it was the
/// last event.
async fn read(mut answer: reqwest::Response, mut take: impl FnMut(&str) -> bool) -> bool {
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.headers()["content-type"], "text/event-stream");
    let (mut text, mut is_over) = (String::new(), false);
    while let Some(chunk) = answer.chunk().await.unwrap() {
        text.push_str(std::str::from_utf8(&chunk).unwrap());
        while let Some((event, rest)) = text.split_once("\n\n") {
            is_over |= take(event);
            text = rest.to_owned();
        }
    }
    assert_eq!(text, "", "no event is cut");
    is_over
}

/// Follows an import as a browser's `EventSource` does: when the stream ends, it opens another one.
async fn follow(space: Arc<OwnedSpace>, path: String, seen: Arc<watch::Sender<Seen>>) {
    let mut is_over = false;
    while !is_over {
        let answer = space.stream(&path).await;
        seen.send_modify(|seen| (seen.connections, seen.events) = (seen.connections + 1, 0));
        is_over = read(answer, |event| {
            let line = |name: &str| event.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
            let Some((name, data)) = line("event:").zip(line("data:")) else { return false };
            let data: Value = serde_json::from_str(data).unwrap();
            let import = if name == "import" { &data["import"] } else { &data };
            let phase = import["progress"]["phase"].as_str().unwrap().to_owned();
            let progress = (phase, import["progress"]["done"].as_i64().unwrap());
            let status = import["status"].as_str().unwrap().to_owned();
            seen.send_modify(|seen| {
                assert!(progress.1 >= seen.progress.1, "it goes on where the other stream ended");
                seen.events += 1;
                seen.is_over = status == "cancelled";
                (seen.progress, seen.status) = (progress, status);
            });
            seen.borrow().is_over
        })
        .await;
    }
}

/// Keeps the console's figures open.
async fn follow_console(administrator: Arc<Person>, seen: Arc<watch::Sender<Seen>>) {
    loop {
        let answer = administrator.stream("/admin/workers/events").await;
        seen.send_modify(|seen| (seen.connections, seen.events) = (seen.connections + 1, 0));
        read(answer, |event| {
            assert!(event.starts_with("data:") && event.contains("</table>"), "{event}");
            seen.send_modify(|seen| seen.events += 1);
            false
        })
        .await;
    }
}

/// Waits until a client has seen something.
async fn has(seen: &watch::Sender<Seen>, is_there: impl FnMut(&Seen) -> bool) {
    let mut arriving = seen.subscribe();
    let has_come = timeout(Duration::from_mins(1), arriving.wait_for(is_there)).await.is_ok();
    if !has_come {
        let seen = seen.borrow();
        panic!("{} connections, {} events, {} {:?}", seen.connections, seen.events, seen.status, seen.progress);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn events_come_at_once_and_a_stream_goes_on_at_the_other_server() {
    let source = StandIn::start(Options { assets: Some("self".to_owned()), ..Options::of([sample_space()]) }).await;
    // The import waits at its beginning, until the server that runs it is restarted, and then at its end.
    source.control.fault(Fault::of("/asset_folders", What::Silence));
    let (origin, target) = (source.origin(), source.address.to_string());
    let more =
        [("APP_VENDOR_MAPI_URL", origin.as_str()), ("APP_VENDOR_CDN_URL", &origin), ("APP_ALLOWED_PRIVATE_TARGETS", &target)];
    let Pair { addresses, servers, data, database, proxy, _reserved } = Pair::with(&more).await;
    let ann = Arc::new(servers[0].person("ann@example.org").await);
    let space = Arc::new(ann.space().await);
    let made = space.post("/import/vendor", wanted(&sample_space())).await.expect(202);
    let import = format!("/imports/{}", made["import"]["id"]);
    source.control.faulted(1).await;
    source.control.set_faults(vec![Fault::of("/stories/", What::Silence)]);

    let mut clients = JoinSet::new();
    // The proxy gives each of them to the server with fewer requests under way: both servers have one.
    let seen: [Arc<watch::Sender<Seen>>; 2] = Default::default();
    for seen in &seen {
        clients.spawn(follow(space.clone(), format!("{import}/events"), seen.clone()));
        has(seen, |seen| seen.events > 0 && seen.status == "running").await;
    }
    let console = Arc::<watch::Sender<Seen>>::default();
    clients.spawn(follow_console(ann, console.clone()));
    has(&console, |seen| seen.events > 0).await;

    let mut running = Vec::new();
    for ((server, address), data) in servers.into_iter().zip(addresses).zip(&data) {
        server.signal(Signal::SIGTERM);
        let (status, error) = server.end().await;
        assert!(status.success(), "{error}");
        running.push(start(&database, data, address, proxy.address, &more).await);
    }
    // Whichever server ran the import, it runs at another one now, and waits for the stories of its folders.
    // It said so while the streams were open.
    for seen in &seen {
        has(seen, |seen| seen.connections > 1 && seen.progress.0 == "folders").await;
    }
    has(&console, |seen| seen.connections > 1 && seen.events > 0).await;

    space.delete(&import).await.expect(200);
    for seen in &seen {
        has(seen, |seen| seen.is_over).await;
    }
    for _ in &seen {
        clients.join_next().await.unwrap().unwrap();
    }
}
