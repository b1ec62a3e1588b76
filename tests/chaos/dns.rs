//! Names that do not exist, DNS servers that fail or do not answer, and answers that change.

use support::{
    Dns, Record,
    prelude::*,
    world::{World, is_full},
};

#[tokio::test(flavor = "multi_thread")]
async fn an_attempt_at_a_name_without_an_address_counts_and_holds_up_no_other() {
    let (dns, receiver) = (Dns::start().await, Receiver::start().await);
    dns.points("good.example.com", &["127.0.0.1"]);
    dns.set("failing.example.com", Record::Error(2));
    dns.set("silent.example.com", Record::Silence);
    // Inside at first, where it must not be called, and somewhere allowed from then on.
    let turns = ["10.0.0.1", "127.0.0.1"].map(|address| vec![address.parse().unwrap()]);
    dns.set("moving.example.com", Record::Turns(turns.to_vec()));
    let mut world = World::new().await;
    // Each of five attempts at the silent name takes six seconds.
    let silent = is_full().then_some("silent");
    for name in ["failing", "good", "missing", "moving"].into_iter().chain(silent) {
        world.webhook(&format!("http://{name}.example.com:{}/", receiver.address.port())).await;
    }
    let server = world.serve_with(&[("APP_DNS_SERVERS", &dns.address.to_string())]).await;
    let began = Instant::now();
    world.happen(1, 1).await;
    receiver.got(1).await;
    assert!(!is_full() || began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    world.settled(120).await;
    server.stop().await;

    let sql = "select split_part(substr(receiver.url, 8), '.', 1) as name,
                      string_agg(attempt.result, ' ' order by attempt.number) as results, max(line.dead_at) is not null as is_dead
               from receivers receiver
               join deliveries delivery on delivery.receiver_id = receiver.id
               join delivery_attempts attempt on attempt.delivery_id = delivery.id
               left join delivery_queue line on line.delivery_id = delivery.id
               group by receiver.url";
    let rows = world.database.rows(sql, &[]).await;
    let all: BTreeMap<String, (String, bool)> =
        rows.iter().map(|row| (row.get("name"), (row.get("results"), row.get("is_dead")))).collect();
    let unreachable = ["unreachable"; 5].join(" ");
    assert_eq!(all["good"], ("delivered".to_owned(), false));
    let (results, is_dead) = &all["moving"];
    assert_eq!((results.as_str(), *is_dead), ("blocked delivered", false));
    assert_eq!((&all["missing"], &all["failing"]), (&(unreachable.clone(), true), &(unreachable, true)));
    if let Some((results, is_dead)) = all.get("silent") {
        assert!(*is_dead && results.split(' ').count() == 5 && !results.contains("delivered"), "{results}");
    }
    assert_eq!(all.contains_key("silent"), silent.is_some());
    let told = "select count(*) from audit_log where action = 'webhook.dead_lettered'";
    assert_eq!(world.database.value::<i64>(told).await, if silent.is_some() { 3 } else { 2 });
    assert_eq!(receiver.so_far().len(), 2);
}
