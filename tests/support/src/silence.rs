//! Receivers that accept deliveries and never answer.

use crate::{Database, PATIENCE};
use tokio::{net::TcpListener, sync::watch, task::JoinSet};

/// Accepts connections and never says anything. It stops when it is dropped.
pub struct Silence {
    port: u16,
    connections: watch::Receiver<usize>,
    _accepting: JoinSet<()>,
}

impl Silence {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (count, connections) = watch::channel(0);
        let mut accepting = JoinSet::new();
        accepting.spawn(async move {
            let mut open = Vec::new();
            loop {
                open.push(listener.accept().await.unwrap());
                count.send_replace(open.len());
            }
        });
        Self { port, connections, _accepting: accepting }
    }

    /// Where it accepts connections.
    pub fn address(&self) -> std::net::SocketAddr {
        ([127, 0, 0, 1], self.port).into()
    }

    /// Adds three hundred receivers here, with one delivery each that is due. `owner` is an SQL expression
    /// over `number`, `health` and `failures` say how they did until now.
    pub async fn register(&self, database: &Database, owner: &str, health: &str, failures: u32) {
        let sql = format!(
            "with made as (
                 insert into receivers (kind, owner, url, health, failures, created_at)
                 select 'webhook', {owner}, 'http://127.0.0.1:{}/', '{health}', {failures}, '2026-03-01T12:00:00Z'
                 from generate_series(0, 299) number
                 returning id
             ), owed as (
                 insert into deliveries (public_id, receiver_id, event, key, content_type, body, created_at)
                 select gen_random_uuid(), id, 'story.published', '1', 'text/plain', '', '2026-03-01T12:00:00Z' from made
                 returning id, receiver_id, key
             )
             insert into delivery_queue (delivery_id, receiver_id, key, due_at)
             select id, receiver_id, key, '2026-03-01T12:00:00Z' from owed",
            self.port
        );
        database.sql(&sql).await;
    }

    /// Waits until `count` attempts are under way.
    pub async fn under_way(&self, count: usize) {
        let mut connections = self.connections.clone();
        let waiting = connections.wait_for(|open| *open >= count);
        let reached = tokio::time::timeout(PATIENCE, waiting).await.is_ok();
        assert!(reached, "{} of {count}", self.attempts());
    }

    /// How many attempts there were so far.
    pub fn attempts(&self) -> usize {
        *self.connections.borrow()
    }

    /// Asserts that no attempt at silent receivers has ended: what arrived has not waited for one.
    pub async fn lasts(&self, database: &Database) {
        let sql = "select count(*) as ended from delivery_attempts where result = 'timeout'";
        let ended: i64 = database.value(sql).await;
        assert_eq!(ended, 0, "it waited until attempts at silent receivers ended");
    }
}
