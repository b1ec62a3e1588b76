//! The proxy in front of two real servers: who its clients are, what it shows, what it lets through.

use super::{Pair, metrics};
use support::prelude::*;

#[test]
fn the_configuration_is_valid_and_formatted() {
    let caddyfile = tools::repository("ops/Caddyfile");
    let formatted = tools::printed(tools::run(&tools::unpacked("caddy"), ["fmt".as_ref(), caddyfile.as_os_str()]));
    assert_eq!(formatted, tools::text_of("ops/Caddyfile"));
    let adapted = tools::printed(tools::run(
        &tools::unpacked("caddy"),
        [
            "adapt".as_ref(),
            "--validate".as_ref(),
            "--adapter".as_ref(),
            "caddyfile".as_ref(),
            "--config".as_ref(),
            caddyfile.as_os_str(),
        ],
    ));
    for server in ["server-1:8080", "server-2:8080"] {
        assert!(adapted.contains(server), "{adapted}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_reach_both_servers_and_are_who_they_are() {
    let pair = Pair::start().await;
    let through = |path: &str| format!("http://{}{path}", pair.proxy.address);
    let ann = pair.servers[0].person("ann@example.org").await;

    // Another address of this machine, as another client would have. What it says about itself counts for
    // nothing.
    let elsewhere = reqwest::Client::builder().no_proxy().cookie_store(true).local_address(std::net::IpAddr::from([127, 0, 0, 2]));
    let elsewhere = Person { origin: through(""), browser: elsewhere.build().unwrap() };
    let signed_in = elsewhere.request(Method::POST, "/api/auth/login").await.header("x-forwarded-for", "203.0.113.9");
    signed_in.json(&json!({ "email": "ann@example.org", "password": PASSWORD })).answer().await.expect(200);
    let sessions = ann.get("/api/me/sessions").await.body;
    let mut addresses: Vec<&str> = sessions["sessions"].as_array().unwrap().iter().filter_map(|one| one["ip"].as_str()).collect();
    addresses.sort_unstable();
    assert_eq!(addresses, ["127.0.0.1", "127.0.0.2"]);

    // The sessions hold on both servers, whichever a request reaches.
    let space = ann.space().await;
    space.publish("s").await.expect(201);
    for address in pair.addresses {
        let seen = async || metrics(address).await.lines().any(|line| line.contains(r#"route="/api/me",status="200""#));
        while !seen().await {
            assert_eq!(ann.get("/api/me").await.body["email"], "ann@example.org");
        }
    }
    for path in ["/metrics", "/api/ready"] {
        assert_eq!(elsewhere.get(path).await.status, 404, "{path}");
    }
    assert_eq!(elsewhere.get("/api/health").await.status, 200);

    // Bodies pass as they are; how large they may be is said by the server.
    let story = |bytes: usize| json!({ "story": { "name": "S", "slug": format!("s-{bytes}"), "content": { "component": "page", "text": "x".repeat(bytes) } } });
    space.post("/stories", story(4 << 20)).await.expect(201);
    space.post("/stories", story(6 << 20)).await.expect(413);
}
