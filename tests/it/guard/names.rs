//! Names: each call resolves anew, one denied address denies them all, and a name that leads nowhere is no
//! refusal.

use super::GuardFixture;
use egress::{
    dns::DnsError,
    guard::{GuardRefusal, ResolveError},
};
use std::net::IpAddr;
use support::{Record, prelude::*};

const NAME: &str = "hooks.example.com";

async fn resolve(fixture: &GuardFixture) -> Result<Vec<IpAddr>, ResolveError> {
    let target = fixture.guard.check("https://hooks.example.com/").unwrap();
    fixture.guard.resolve(&target).await.map(|checked| checked.addresses().iter().map(SocketAddr::ip).collect())
}

fn addresses(texts: &[&str]) -> Vec<IpAddr> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

const RESOLVED: Result<Vec<IpAddr>, ResolveError> = Err(ResolveError::Refused(GuardRefusal::Resolved));

#[tokio::test]
async fn a_name_that_changes_between_two_calls_is_looked_at_in_each() {
    let fixture = GuardFixture::new(&[]).await;
    let turns = ["93.184.215.14", "127.0.0.1", "93.184.215.14", "169.254.169.254"];
    // The resolver asks again when it has no answer after a third of a second.
    let _timers = StoppedTimers::now();
    fixture.dns.set(NAME, Record::Turns(turns.iter().map(|turn| addresses(&[turn])).collect()));
    assert_eq!(resolve(&fixture).await, Ok(addresses(&["93.184.215.14"])));
    assert_eq!(resolve(&fixture).await, RESOLVED);
    assert_eq!(resolve(&fixture).await, Ok(addresses(&["93.184.215.14"])), "nothing is remembered");
    assert_eq!(resolve(&fixture).await, RESOLVED);
    assert_eq!(fixture.refusals("resolved"), 2);
    assert_eq!(fixture.dns.asked(NAME), 4, "once for each call");
}

#[tokio::test]
async fn one_denied_address_among_many_denies_the_name() {
    let fixture = GuardFixture::new(&[]).await;
    for mixed in
        [["93.184.215.14", "10.0.0.1"], ["10.0.0.1", "93.184.215.14"], ["93.184.215.14", "::1"], ["2606:2800::1", "0.0.0.0"]]
    {
        fixture.dns.points(NAME, &mixed);
        assert_eq!(resolve(&fixture).await, RESOLVED, "{mixed:?}");
    }
    fixture.dns.points(NAME, &["2606:2800::1", "93.184.215.14"]);
    assert_eq!(resolve(&fixture).await, Ok(addresses(&["93.184.215.14", "2606:2800::1"])), "IPv4 is tried first");
}

#[tokio::test]
async fn a_chain_of_names_is_followed_to_its_addresses() {
    let fixture = GuardFixture::new(&[]).await;
    fixture.dns.set(NAME, Record::Alias("one.example.net"));
    fixture.dns.set("one.example.net", Record::Alias("two.example.org"));
    fixture.dns.points("two.example.org", &["93.184.215.14"]);
    assert_eq!(resolve(&fixture).await, Ok(addresses(&["93.184.215.14"])));
    fixture.dns.points("two.example.org", &["192.168.0.1"]);
    assert_eq!(resolve(&fixture).await, RESOLVED);
}

#[tokio::test]
async fn an_answer_too_long_for_one_packet_is_read_to_its_last_address() {
    let fixture = GuardFixture::new(&[]).await;
    let mut all = vec!["93.184.215.14"; 499];
    fixture.dns.points(NAME, &all);
    assert_eq!(resolve(&fixture).await.unwrap().len(), 499);
    all.push("127.0.0.1");
    fixture.dns.points(NAME, &all);
    assert_eq!(resolve(&fixture).await, RESOLVED);
}

#[tokio::test]
async fn a_name_that_does_not_exist_differs_from_a_failed_lookup() {
    let fixture = GuardFixture::new(&[]).await;
    let unresolved = |why| Err(ResolveError::Dns(why));
    assert_eq!(resolve(&fixture).await, unresolved(DnsError::NotFound), "no such name");
    fixture.dns.points(NAME, &[]);
    assert_eq!(resolve(&fixture).await, unresolved(DnsError::NotFound), "no address");
    fixture.dns.set(NAME, Record::Error(2));
    assert_eq!(resolve(&fixture).await, unresolved(DnsError::Failed), "the server failed");
    assert_eq!(fixture.refusals("resolved"), 0);
}

#[tokio::test]
async fn names_are_absolute_and_no_file_of_hosts_is_read() {
    let fixture = GuardFixture::new(&[]).await;
    let target = fixture.guard.check("http://ip6-allnodes.example.com/").unwrap();
    let _timers = StoppedTimers::now();
    assert!(fixture.guard.resolve(&target).await.is_err());
    assert_eq!(fixture.dns.asked("ip6-allnodes.example.com"), 1, "asked as it is, once, with nothing added");
}
