//! Past one machine (docs/scaling.md): a primary with standbys that it fails over to, replicas that are read,
//! poolers in front of the database.

mod drills;
mod failover;
mod lost_writes;
mod poolers;
mod promotion;
mod replicas;

use std::ops::Range;
use support::{prelude::*, server::refusal};

/// A server on a database, with its data directory.
struct Running {
    server: Server,
    _data: Scratch,
}

const METRICS_TOKEN: &str = "0123456789abcdef";
/// Of all servers on one database.
const SECRET: &str = "0123456789abcdef0123456789abcdef";

/// Starts a server with these variables.
async fn serve(variables: &[(&str, &str)]) -> Running {
    let data = scratch();
    let fixed = [("APP_RATE_LIMITS", "off"), ("APP_SECRET", SECRET), ("APP_METRICS_TOKEN", METRICS_TOKEN)];
    let variables: Vec<_> = fixed.iter().chain(variables).copied().collect();
    Running { server: Server::start(data.path(), &variables).await, _data: data }
}

/// Runs a start that has to fail. Returns the one line of its error.
async fn refused(variables: &[(&str, &str)]) -> String {
    let data = scratch();
    refusal(&[&[("APP_DATA_DIR", data.path().to_str().unwrap())], variables].concat()).await
}

/// A URL that names several hosts of this machine.
fn url_of(hosts: &[SocketAddr]) -> String {
    let hosts: Vec<String> = hosts.iter().map(ToString::to_string).collect();
    format!("postgres://lectern@{}/postgres?target_session_attrs=read-write", hosts.join(","))
}

fn local(port: u16) -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], port))
}

async fn space(running: &Running) -> OwnedSpace {
    running.server.person("ann@example.org").await.space().await
}

/// How many statements for a replica had this outcome.
async fn replica_reads(running: &Running, outcome: &str) -> u64 {
    let request = browser().get(running.server.url("/metrics")).bearer_auth(METRICS_TOKEN);
    let metrics = request.send().await.unwrap().text().await.unwrap();
    let name = format!("svc_replica_reads{{outcome=\"{outcome}\"}} ");
    metrics.lines().find_map(|line| line.strip_prefix(&name)).unwrap().parse().unwrap()
}

/// Reads what is in no cache until a statement for a replica had this outcome.
async fn read_until(running: &Running, space: &OwnedSpace, outcome: &str) {
    let before = replica_reads(running, outcome).await;
    let began = Instant::now();
    for number in 0.. {
        let list = format!("/api/v2/cdn/stories?token={}&per_page=1&filter_query[field][in]={outcome}-{number}", space.public);
        assert_eq!(settled(async || space.get(&list).await).await.status, 200);
        if replica_reads(running, outcome).await > before {
            return;
        }
        assert!(began.elapsed() < PATIENCE, "no read was {outcome}");
    }
}

/// Whether a database has the row of the timeline that began with its first promotion.
const NEW_TIMELINE: &str = "select count(*) from timelines where number = 2";
/// How many processes listen to a database.
const LISTENERS: &str = "select count(*) from pg_stat_activity where application_name = 'lectern listener'";

/// Asks until the answer is not 503, which has to say when to try again.
async fn settled(ask: impl AsyncFn() -> Response) -> Response {
    let asking = async {
        loop {
            let answer = ask().await;
            if answer.status != 503 {
                return answer;
            }
            assert!(answer.headers.contains_key("retry-after"));
        }
    };
    timeout(PATIENCE, asking).await.expect("it settles")
}

/// A space with one story.
struct Site {
    space: OwnedSpace,
    story: Value,
}

impl Site {
    async fn new(owner: &Person) -> Self {
        let space = owner.space().await;
        let story = space.publish("fresh").await.body["story"].take();
        Self { space, story }
    }

    /// The same at another server.
    fn at(&self, server: &Server) -> Self {
        Self { space: self.space.at(server), story: self.story.clone() }
    }

    /// Publishes the story under a name.
    async fn rename(&self, name: &str) {
        let (path, change) = (format!("/stories/{}", self.story["id"]), json!({ "publish": 1, "story": { "name": name } }));
        settled(async || self.space.put(&path, change.clone()).await).await.expect(200);
    }

    /// Publishes the story under a name of its own for each number, and reads it at once in three ways. Each
    /// read has to show what was just acknowledged.
    async fn rounds(&self, numbers: Range<usize>) {
        let OwnedSpace { public, preview, .. } = &self.space;
        let paths = [
            self.space.read("fresh"),
            format!("/api/v2/cdn/stories?token={public}&starts_with=fresh"),
            format!("/api/v2/cdn/stories/fresh?token={preview}&version=draft"),
        ];
        for number in numbers {
            let name = format!("round {number}");
            self.rename(&name).await;
            let read = async |path: &String| -> Value {
                let answer = settled(async || self.space.get(path).await).await.body;
                answer.pointer("/story/name").or(answer.pointer("/stories/0/name")).cloned().unwrap_or(answer)
            };
            assert_eq!(join_all(paths.iter().map(read)).await, [(); 3].map(|()| Value::from(name.as_str())), "stale");
        }
    }
}
