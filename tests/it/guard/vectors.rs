//! A table of URLs that are known as attacks, with the verdict for each.

use super::GuardFixture;
use egress::guard::{GuardRefusal, ResolveError};
use support::{Record, prelude::*};

/// Lines of the repository's own, so that a plain clone tests every rule.
const OWN: &str = include_str!("vectors.json");

/// Lines about what a server does once it is called: `calls.rs` and `files.rs` show these, one by one. Here
/// their URLs must pass.
const BEHAVIOUR: [&str; 6] = ["S205", "S289", "S292", "S295", "S298", "S301"];

/// The text of a file beside the repository; a plain clone has none.
fn shared(name: &str) -> String {
    tools::text_of(&format!("../shared/design/{name}"))
}

#[tokio::test]
async fn our_own_lines_come_out_as_they_say() {
    assert_eq!(judge(OWN).await, 30);
}

#[tokio::test]
#[ignore = "reads the test vectors beside the repository: make shared-tests"]
async fn every_line_of_the_shared_table_comes_out_as_it_says() {
    assert!(judge(&shared("ssrf-vectors.json")).await >= 104);
}

/// How many lines there were.
async fn judge(text: &str) -> usize {
    let lines: Vec<Value> = serde_json::from_str(text).unwrap();
    let mut wrong = Vec::new();
    for line in &lines {
        let outcome = outcome(line).await;
        if outcome.is_ok() != expected(line) {
            wrong.push(format!("{} {}: {outcome:?}", line["id"], line["url"]));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    lines.len()
}

fn expected(line: &Value) -> bool {
    let id = line["id"].as_str().unwrap();
    match line["verdict"].as_str().unwrap() {
        "allow" => true,
        "refuse" => BEHAVIOUR.contains(&id),
        verdict => panic!("{id}: {verdict}"),
    }
}

/// What becomes of a line: all its attempts, and where they lead.
async fn outcome(line: &Value) -> Result<(), ResolveError> {
    let id = line["id"].as_str().unwrap();
    let exceptions: Vec<_> = line["config"]["APP_SSRF_ALLOW"].as_str().into_iter().collect();
    let fixture = GuardFixture::new(&exceptions).await;
    let checked = fixture.guard.check(line["url"].as_str().unwrap()).map_err(ResolveError::Refused);
    if line["stage"] == "registration" {
        assert_eq!(fixture.dns.asked(""), 0);
        return checked.map(|_| ());
    }
    let target = checked.unwrap_or_else(|why| panic!("{id}: {why:?} before DNS was asked"));
    let turns = turns(&line["resolves_to"]);
    let attempts = turns.len().max(1);
    let name = target.host().to_string();
    match line["cname"][0].as_str() {
        None => fixture.dns.set(&name, Record::Turns(turns)),
        Some(alias) => {
            fixture.dns.set(&name, Record::Alias(String::leak(alias.to_owned())));
            fixture.dns.set(alias.trim_end_matches('.'), Record::Turns(turns));
        }
    }
    for _ in 0..attempts {
        fixture.guard.resolve(&target).await?;
    }
    match line["redirects_to"][0].as_str() {
        None => Ok(()),
        Some(location) => fixture.guard.follow(&target, location).map(|_| ()).map_err(ResolveError::Refused),
    }
}

/// Turns of addresses: a list of lists, or one list; `1.2.3.4 x499` stands for that many.
fn turns(value: &Value) -> Vec<Vec<std::net::IpAddr>> {
    let addresses = |list: &Vec<Value>| {
        let each = list.iter().map(|l| l.as_str().unwrap().split_once(" x").unwrap_or((l.as_str().unwrap(), "1")));
        each.flat_map(|(address, times)| vec![address.parse().unwrap(); times.parse().unwrap()]).collect()
    };
    match value.as_array() {
        None => Vec::new(),
        Some(list) if list.iter().all(Value::is_array) => list.iter().map(|l| addresses(l.as_array().unwrap())).collect(),
        Some(list) => vec![addresses(list)],
    }
}

/// The rules are those that were agreed on, not only those that the table happens to try.
#[tokio::test]
#[ignore = "reads the test vectors beside the repository: make shared-tests"]
async fn the_rules_are_those_of_the_shared_policy() {
    let policy: Value = serde_json::from_str(&shared("ssrf-policy.json")).unwrap();
    let fixture = GuardFixture::new(&[]).await;
    let refusal = |url: String| fixture.guard.check(&url).err();
    let texts = |name: &str| policy[name].as_array().unwrap().iter().map(|p| p.as_str().unwrap().to_owned()).collect::<Vec<_>>();
    for network in texts("deny_ipv4") {
        let address = network.split('/').next().unwrap();
        assert_eq!(refusal(format!("http://{address}/")), Some(GuardRefusal::Address), "{network}");
    }
    for network in texts("deny_ipv6_inside") {
        let address = network.split('/').next().unwrap().to_owned();
        let address = if address.ends_with("::") { format!("{address}1") } else { address };
        assert_eq!(refusal(format!("http://[{address}]/")), Some(GuardRefusal::Address), "{network}");
    }
    for name in texts("deny_names") {
        assert_eq!(refusal(format!("http://{name}/")), Some(GuardRefusal::Name), "{name}");
    }
    for suffix in texts("deny_suffixes") {
        assert_eq!(refusal(format!("http://a.{suffix}/")), Some(GuardRefusal::Name), "{suffix}");
    }
    for port in policy["denied_ports"].as_array().unwrap() {
        assert_eq!(refusal(format!("http://example.com:{port}/")), Some(GuardRefusal::Port), "{port}");
    }
    let longest = usize::try_from(policy["max_url_chars"].as_u64().unwrap()).unwrap();
    let url = |length: usize| format!("http://example.com/{}", "a".repeat(length - "http://example.com/".len()));
    assert_eq!(refusal(url(longest)), None);
    assert_eq!(refusal(url(longest + 1)), Some(GuardRefusal::Text));
}
