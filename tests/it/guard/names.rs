//! Names: each call resolves anew, one denied address denies them all, and a name that leads nowhere is no refusal.

use super::Bench;
use crate::support::Record;
use egress::{
    dns::DnsError,
    guard::{Refusal, ResolveError},
};
use std::net::{IpAddr, SocketAddr};

const NAME: &str = "hooks.example.com";

async fn resolve(bench: &Bench) -> Result<Vec<IpAddr>, ResolveError> {
    let target = bench.guard.check("https://hooks.example.com/").unwrap();
    bench.guard.resolve(&target).await.map(|checked| checked.addresses().iter().map(SocketAddr::ip).collect())
}

fn addresses(texts: &[&str]) -> Vec<IpAddr> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

const RESOLVED: Result<Vec<IpAddr>, ResolveError> = Err(ResolveError::Refused(Refusal::Resolved));

#[tokio::test]
async fn a_name_that_changes_between_two_calls_is_looked_at_in_each() {
    let bench = Bench::new(&[]).await;
    let turns = ["93.184.215.14", "127.0.0.1", "93.184.215.14", "169.254.169.254"];
    bench.dns.set(NAME, Record::Turns(turns.iter().map(|turn| addresses(&[turn])).collect()));
    assert_eq!(resolve(&bench).await, Ok(addresses(&["93.184.215.14"])));
    assert_eq!(resolve(&bench).await, RESOLVED);
    assert_eq!(resolve(&bench).await, Ok(addresses(&["93.184.215.14"])), "nothing is remembered");
    assert_eq!(resolve(&bench).await, RESOLVED);
    assert_eq!(bench.refusals("resolved"), 2);
    assert_eq!(bench.dns.asked(NAME), 4, "once for each call");
}

#[tokio::test]
async fn one_denied_address_among_many_denies_the_name() {
    let bench = Bench::new(&[]).await;
    for mixed in
        [["93.184.215.14", "10.0.0.1"], ["10.0.0.1", "93.184.215.14"], ["93.184.215.14", "::1"], ["2606:2800::1", "0.0.0.0"]]
    {
        bench.dns.points(NAME, &mixed);
        assert_eq!(resolve(&bench).await, RESOLVED, "{mixed:?}");
    }
    bench.dns.points(NAME, &["2606:2800::1", "93.184.215.14"]);
    assert_eq!(resolve(&bench).await, Ok(addresses(&["93.184.215.14", "2606:2800::1"])), "IPv4 is tried first");
}

#[tokio::test]
async fn a_chain_of_names_is_followed_to_its_addresses() {
    let bench = Bench::new(&[]).await;
    bench.dns.set(NAME, Record::Alias("one.example.net"));
    bench.dns.set("one.example.net", Record::Alias("two.example.org"));
    bench.dns.points("two.example.org", &["93.184.215.14"]);
    assert_eq!(resolve(&bench).await, Ok(addresses(&["93.184.215.14"])));
    bench.dns.points("two.example.org", &["192.168.0.1"]);
    assert_eq!(resolve(&bench).await, RESOLVED);
}

#[tokio::test]
async fn an_answer_too_long_for_one_packet_is_read_to_its_last_address() {
    let bench = Bench::new(&[]).await;
    let mut all = vec!["93.184.215.14"; 499];
    bench.dns.points(NAME, &all);
    assert_eq!(resolve(&bench).await.unwrap().len(), 499);
    all.push("127.0.0.1");
    bench.dns.points(NAME, &all);
    assert_eq!(resolve(&bench).await, RESOLVED);
}

#[tokio::test]
async fn a_name_that_does_not_exist_differs_from_a_failed_lookup() {
    let bench = Bench::new(&[]).await;
    let unresolved = |why| Err(ResolveError::Dns(why));
    assert_eq!(resolve(&bench).await, unresolved(DnsError::NotFound), "no such name");
    bench.dns.points(NAME, &[]);
    assert_eq!(resolve(&bench).await, unresolved(DnsError::NotFound), "no address");
    bench.dns.set(NAME, Record::Error(2));
    assert_eq!(resolve(&bench).await, unresolved(DnsError::Failed), "the server failed");
    assert_eq!(bench.refusals("resolved"), 0);
}

#[tokio::test]
async fn names_are_absolute_and_no_file_of_hosts_is_read() {
    let bench = Bench::new(&[]).await;
    let target = bench.guard.check("http://ip6-allnodes.example.com/").unwrap();
    assert!(bench.guard.resolve(&target).await.is_err());
    assert_eq!(bench.dns.asked("ip6-allnodes.example.com"), 1, "asked as it is, once, with nothing added");
}
