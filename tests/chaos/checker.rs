//! What has to be true after every drill (reliability, section 3.4: I3 to I6). It reads the database and the receivers' logs, and asks no
//! server.

use crate::{
    receiver::{Got, Receiver},
    world::{SECRET, World},
};
use crypto::webhook::Signer;
use std::collections::{HashMap, HashSet};
use storage::Executor;

/// How many attempts of one receiver are under way at a time.
const LANE: usize = 4;

/// Checks everything, after so many kills.
pub async fn check(world: &World, receivers: &[Receiver], kills: usize) {
    let session = world.database.store.connection("chaos").await.unwrap();
    let count = async |sql: &str| -> i64 { session.row(sql, &[]).await.unwrap().get("count") };
    // I3: each event has one delivery for each webhook; it arrived, or it is dead after five attempts that the audit log knows of.
    let missing = "select count(*) from story_events event cross join webhooks webhook
                   left join deliveries it on it.receiver_id = webhook.receiver_id and it.origin_seq = event.seq
                   where it.id is null";
    assert_eq!(count(missing).await, 0, "an event without its delivery");
    let doubled = "select count(*) from (select 1 from deliveries group by receiver_id, origin_seq having count(*) > 1) it";
    assert_eq!(count(doubled).await, 0, "two deliveries of one event");
    assert_eq!(world.open().await, 0);
    let early = "select count(*) from delivery_queue line
                 where line.dead_at is not null
                   and (select count(*) from delivery_attempts it where it.delivery_id = line.delivery_id) <> 5";
    assert_eq!(count(early).await, 0, "a dead letter without exactly five attempts");
    let untold = "select (select count(*) from delivery_queue where dead_at is not null)
                       - (select count(*) from audit_log where action = 'webhook.dead_lettered') as count";
    assert_eq!(count(untold).await, 0, "dead letters and audit entries differ");
    let gaps = "select count(*) from (select delivery_id from delivery_attempts group by delivery_id
                having max(number) <> count(*) or min(number) <> 1) it";
    assert_eq!(count(gaps).await, 0, "attempts are numbered with a gap");

    let signer = Signer::new(&SECRET.as_bytes().to_vec().into());
    for receiver in receivers {
        let log = receiver.so_far();
        let sql = "select it.public_id, it.key, it.origin_seq, it.body, line.delivery_id is null as arrived,
                          (select count(*) from delivery_attempts attempt
                           where attempt.delivery_id = it.id and attempt.result <> 'circuit_open') as attempts
                   from deliveries it join receivers receiver on receiver.id = it.receiver_id
                   left join delivery_queue line on line.delivery_id = it.id
                   where receiver.url = $1";
        let rows = session.rows(sql, &[&receiver.url()]).await.unwrap();
        let mut known = HashMap::new();
        let mut attempts = 0;
        for row in &rows {
            let id = format!("whd_{}", row.get::<_, uuid::Uuid>("public_id").as_simple());
            attempts += row.get::<_, i64>("attempts");
            known.insert(id, (row.get::<_, String>("key"), row.get::<_, i64>("origin_seq"), row.get::<_, Vec<u8>>("body")));
        }
        let seen: HashSet<&str> = log.iter().map(|l| l.header("x-webhook-delivery")).collect();
        for row in rows.iter().filter(|row| row.get("arrived")) {
            let id = format!("whd_{}", row.get::<_, uuid::Uuid>("public_id").as_simple());
            assert!(seen.contains(id.as_str()), "{id} counts as delivered and never came");
        }
        check_copies(&log, &known, &signer);
        check_order(&log, &known);
        // I6: what came beyond the recorded attempts was under way when a process was killed.
        let extra = log.len().saturating_sub(usize::try_from(attempts).unwrap());
        assert!(extra <= kills * LANE, "{extra} copies more than recorded attempts after {kills} kills");
    }
}

type Known = HashMap<String, (String, i64, Vec<u8>)>;

/// I4: every copy is the delivery, byte for byte, and signed.
fn check_copies(log: &[Got], known: &Known, signer: &Signer) {
    for got in log {
        let id = got.header("x-webhook-delivery");
        let (_, _, body) = &known[id];
        assert_eq!(&got.body, body, "{id}");
        assert_eq!(got.header("x-webhook-signature"), signer.hex(body), "{id}");
    }
}

/// I5: of each story, first arrivals come in the order of its events.
fn check_order(log: &[Got], known: &Known) {
    let mut seen = HashSet::new();
    let mut last: HashMap<&str, i64> = HashMap::new();
    for got in log {
        let id = got.header("x-webhook-delivery");
        if seen.insert(id) {
            let (key, seq, _) = &known[id];
            let before = last.insert(key, *seq).unwrap_or_default();
            assert!(before < *seq, "event {seq} of story {key} came after event {before}");
        }
    }
}
