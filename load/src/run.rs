//! The run: every connection sends a request, waits for the response, and sends the next one.

use crate::{
    args::Args,
    client::Client,
    scenario::{Plan, Round},
    totals::Totals,
};
use anyhow::Result;
use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};
use tokio::{
    task::JoinSet,
    time::{Instant, sleep_until},
};

/// The state that all connections share.
struct Shared {
    plan: Plan,
    /// The number of the next request.
    next: AtomicU64,
    limit: u64,
    began: Instant,
    until: Instant,
    /// The interval between requests, when the rate is limited.
    pace: Option<Duration>,
}

/// A connection that has done what comes before its first measured request, such as signing in.
pub(crate) struct Connection {
    number: usize,
    client: Client,
    rounds: Option<Round>,
}

/// Makes the connections ready, one after the other.
pub(crate) async fn connect(args: &Args, plan: &Plan) -> Result<Vec<Connection>> {
    let mut connections = Vec::new();
    for number in 0..usize::try_from(args.connections)? {
        let mut client = Client::new(plan.target.clone());
        let rounds = plan.rounds(&mut client, number).await?;
        connections.push(Connection { number, client, rounds });
    }
    Ok(connections)
}

/// Sends requests until the time is up or their number is reached.
pub(crate) async fn run(args: &Args, plan: Plan, ready: Vec<Connection>) -> Result<Totals> {
    let began = Instant::now();
    let shared = Arc::new(Shared {
        plan,
        next: AtomicU64::new(0),
        limit: args.requests.unwrap_or(u64::MAX),
        began,
        until: began + args.duration(),
        pace: args.rate.map(|rate| Duration::from_secs(1) / rate),
    });
    let mut connections = JoinSet::new();
    for connection in ready {
        connections.spawn(ask(Arc::clone(&shared), connection));
    }
    let mut totals = Totals::default();
    while let Some(one) = connections.join_next().await {
        totals.merge(&one??);
    }
    Ok(totals)
}

async fn ask(shared: Arc<Shared>, connection: Connection) -> Result<Totals> {
    let Connection { number: connection, mut client, mut rounds } = connection;
    let mut totals = Totals::default();
    let began = Instant::now();
    while Instant::now() < shared.until {
        let number = shared.next.fetch_add(1, Ordering::Relaxed);
        if number >= shared.limit {
            break;
        }
        if let Some(pace) = shared.pace {
            // Not so often in all, however fast the answers come.
            let due = shared.began + pace.saturating_mul(u32::try_from(number).unwrap_or(u32::MAX));
            if due >= shared.until {
                break;
            }
            sleep_until(due).await;
        }
        let sent = Instant::now();
        let answer = match &mut rounds {
            Some(rounds) => rounds.next(&mut client).await?,
            None => client.send(shared.plan.request(number, connection)?).await.map(|(status, body)| (status, body.len() as u64)),
        };
        match answer {
            Ok((status, bytes)) => totals.answered(status, bytes, sent.elapsed()),
            Err(failure) => {
                totals.failed(failure);
                // A server that is gone must not be hammered.
                sleep_until((sent + Duration::from_millis(10)).min(shared.until)).await;
            }
        }
    }
    totals.elapsed = began.elapsed();
    Ok(totals)
}

#[cfg(test)]
mod tests {
    use super::{connect, run};
    use crate::{cli::Cli, scenario};
    use bytes::Bytes;
    use clap::Parser;
    use http::{Request, Response, StatusCode};
    use http_body_util::Full;
    use hyper::{body::Incoming, server::conn::http1, service::service_fn};
    use hyper_util::rt::TokioIo;
    use std::convert::Infallible;
    use tokio::{net::TcpListener, task::JoinSet};

    /// Two stories in a folder; one of them cannot be read, and every response to it closes the connection.
    async fn answer(request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
        let links = r#"{"links":{"1":{"slug":"f","is_folder":true},"2":{"slug":"f/a"},"3":{"slug":"f/b"}}}"#;
        let (status, body) = match (request.uri().path(), request.uri().query()) {
            ("/api/v2/cdn/links", _) => (StatusCode::OK, links),
            ("/api/v2/cdn/stories/f/a", Some("version=published&token=t")) => (StatusCode::OK, "four"),
            ("/api/v2/cdn/stories", Some("version=published&per_page=25&starts_with=f%2F&token=t")) => (StatusCode::OK, "list"),
            _ => (StatusCode::NOT_FOUND, ""),
        };
        let mut response = Response::new(Full::from(body));
        *response.status_mut() = status;
        if status != StatusCode::OK {
            response.headers_mut().insert("connection", http::HeaderValue::from_static("close"));
        }
        Ok(response)
    }

    /// Runs the command line against that server.
    async fn totals_of(line: &str) -> crate::totals::Totals {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("--url=http://{}", listener.local_addr().unwrap());
        let mut server = JoinSet::new();
        server.spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                connections.spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service_fn(answer)));
            }
        });
        let args = Cli::parse_from(line.split(' ').chain([url.as_str()])).measurement.unwrap();
        let plan = scenario::prepare(&args).await.unwrap();
        let ready = connect(&args, &plan).await.unwrap();
        run(&args, plan, ready).await.unwrap()
    }

    #[tokio::test]
    async fn every_request_is_counted_once_by_what_came_of_it() {
        let totals = totals_of("load single --token t --connections 3 --requests 20").await;
        assert_eq!((totals.answered_in_all(), totals.failures(), totals.bytes), (20, 10, 40));
        assert_eq!(totals.errors().get("404"), Some(&10));
    }

    #[tokio::test]
    async fn a_pace_is_kept() {
        let began = std::time::Instant::now();
        let totals = totals_of("load single --token t --connections 5 --requests 11 --rate 100").await;
        assert_eq!(totals.answered_in_all(), 11);
        assert!(began.elapsed() >= std::time::Duration::from_millis(100), "the eleventh waits for its turn");
    }

    #[tokio::test]
    async fn a_list_asks_for_the_folders() {
        let totals = totals_of("load list --token t --connections 1 --requests 3").await;
        assert_eq!((totals.answered_in_all(), totals.failures(), totals.bytes), (3, 0, 12));
    }
}
