//! What has to be true of deliveries after every chaos test. It is read from the database and from the logs
//! of the receivers alone.

use crypto::webhook::Signer;
use support::{
    prelude::*,
    receiver::Got,
    world::{SECRET, World},
};

/// How many attempts at one receiver are under way at a time.
const MAX_CONCURRENT: usize = 4;

/// Checks everything, after `kills`.
pub async fn check(world: &World, receivers: &[Receiver], kills: usize) {
    let connection = world.database.connection().await;
    let count = async |sql: &str| -> i64 { connection.row(sql, &[]).await.unwrap().get("count") };
    // Each event has one delivery for each webhook; it arrived, or it is dead after five attempts or because
    // of its age and has an entry in the audit log.
    let missing = "select count(*) from story_events event cross join webhooks webhook
                   left join deliveries delivery on delivery.receiver_id = webhook.receiver_id and delivery.origin_seq = event.seq
                   where delivery.id is null";
    assert_eq!(count(missing).await, 0, "an event without its delivery");
    let doubled = "select count(*) from (select 1 from deliveries group by receiver_id, origin_seq having count(*) > 1) doubled";
    assert_eq!(count(doubled).await, 0, "two deliveries of one event");
    assert_eq!(world.open().await, 0);
    let early = "select count(*) from delivery_queue line
                 where line.dead_at is not null and (line.dead_reason = 'attempts')
                    <> ((select count(*) from delivery_attempts attempt where attempt.delivery_id = line.delivery_id) = 5)";
    assert_eq!(count(early).await, 0, "a dead letter without exactly five attempts that is not too old");
    let unsent = "select count(*) from delivery_attempts where result = 'circuit_open'";
    assert_eq!(count(unsent).await, 0, "an attempt that was not sent");
    let untold = "select (select count(*) from delivery_queue where dead_at is not null)
                       - (select count(*) from audit_log where action = 'webhook.dead_lettered') as count";
    assert_eq!(count(untold).await, 0, "dead letters and audit entries differ");
    let gaps = "select count(*) from (select delivery_id from delivery_attempts group by delivery_id
                having max(number) <> count(*) or min(number) <> 1) gaps";
    assert_eq!(count(gaps).await, 0, "attempts are numbered with a gap");

    let signer = Signer::new(&SECRET.as_bytes().to_vec().into());
    for receiver in receivers {
        let log = receiver.so_far();
        let sql =
            "select delivery.public_id, delivery.key, delivery.origin_seq, delivery.body, line.delivery_id is null as arrived,
                          (select count(*) from delivery_attempts attempt
                           where attempt.delivery_id = delivery.id) as attempts
                   from deliveries delivery join receivers receiver on receiver.id = delivery.receiver_id
                   left join delivery_queue line on line.delivery_id = delivery.id
                   where receiver.url = $1";
        let rows = connection.rows(sql, &[&receiver.url()]).await.unwrap();
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
        // More copies than recorded attempts can only come from attempts that were under way when a process
        // was killed.
        let extra = log.len().saturating_sub(usize::try_from(attempts).unwrap());
        assert!(extra <= kills * MAX_CONCURRENT, "{extra} copies more than recorded attempts after {kills} kills");
    }
}

type Known = HashMap<String, (String, i64, Vec<u8>)>;

/// Every copy is the delivery, byte for byte, and signed.
fn check_copies(log: &[Got], known: &Known, signer: &Signer) {
    for got in log {
        let id = got.header("x-webhook-delivery");
        let (_, _, body) = &known[id];
        assert_eq!(&got.body, body, "{id}");
        assert_eq!(got.header("x-webhook-signature"), signer.hex(body), "{id}");
    }
}

/// The first copies of a story's deliveries come in the order of its events.
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
