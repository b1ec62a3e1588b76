//! Prometheus and Grafana of `docker-compose.yml`: their files, read by Prometheus' own tool.

use support::prelude::*;

fn promtool(arguments: &[&str]) -> String {
    tools::printed(tools::run(&tools::unpacked("promtool"), arguments))
}

fn path(file: &str) -> String {
    tools::repository(file).to_str().unwrap().to_owned()
}

#[test]
fn the_alerts_are_valid_and_fire_when_they_should() {
    assert!(promtool(&["check", "rules", &path("ops/alerts.yaml")]).contains("SUCCESS"));
    promtool(&["test", "rules", &path("ops/alerts.test.yaml")]);
    let (alerts, tests) = (tools::text_of("ops/alerts.yaml"), tools::text_of("ops/alerts.test.yaml"));
    for name in alerts.lines().filter_map(|line| line.trim().strip_prefix("- alert: ")) {
        let fires = tests.split(&format!("alertname: {name}\n")).skip(1).any(|rest| rest.trim_start().starts_with("exp_alerts:\n"));
        assert!(fires, "no test lets {name} fire");
    }
}

#[test]
fn the_configuration_of_prometheus_is_valid() {
    let directory = scratch();
    let token = directory.path().join("prometheus_token");
    fs::write(&token, "token").unwrap();
    fs::write(directory.path().join("alerts.yaml"), tools::text_of("ops/alerts.yaml")).unwrap();
    let text = tools::text_of("ops/prometheus.yml").replace("/run/lectern/prometheus_token", token.to_str().unwrap());
    let file = directory.path().join("prometheus.yml");
    fs::write(&file, text).unwrap();
    let said = promtool(&["check", "config", file.to_str().unwrap()]);
    assert!(said.contains("1 rule files found"), "{said}");
}

/// The rules that every query of the dashboard would make, so that Prometheus reads them.
#[test]
fn every_query_of_the_dashboard_is_one() {
    let dashboard: Value = serde_json::from_str(&tools::text_of("ops/grafana-dashboard.json")).unwrap();
    let panels = dashboard["panels"].as_array().unwrap();
    let targets = panels.iter().flat_map(|panel| panel["targets"].as_array().unwrap());
    let rules: Vec<Value> =
        targets.zip(0..).map(|(target, number)| json!({ "record": format!("panel:{number}"), "expr": target["expr"] })).collect();
    assert!(rules.len() >= panels.len() && panels.len() > 20, "{}", panels.len());
    let ids: std::collections::BTreeSet<i64> = panels.iter().map(|panel| panel["id"].as_i64().unwrap()).collect();
    assert_eq!(ids.len(), panels.len());
    let directory = scratch();
    let file = directory.path().join("rules.yaml");
    // JSON is YAML.
    fs::write(&file, json!({ "groups": [{ "name": "dashboard", "rules": rules }] }).to_string()).unwrap();
    promtool(&["check", "rules", file.to_str().unwrap()]);
}

#[test]
fn prometheus_and_grafana_ask_services_that_exist() {
    let services = tools::yaml(&tools::repository("docker-compose.yml"))["services"].clone();
    let prometheus = tools::yaml(&tools::repository("ops/prometheus.yml"));
    let targets = prometheus["scrape_configs"][0]["static_configs"][0]["targets"].as_array().unwrap();
    assert_eq!(targets, &[json!("server-1:8080"), json!("server-2:8080")]);
    assert!(targets.iter().all(|target| services.get(target.as_str().unwrap().split(':').next().unwrap()).is_some()));
    let source = tools::yaml(&tools::repository("ops/grafana/datasource.yaml"));
    assert_eq!(source["datasources"][0]["url"], "http://prometheus:9090");
    assert!(services.get("prometheus").is_some());
    let provider = tools::yaml(&tools::repository("ops/grafana/dashboards.yaml"));
    let folder = provider["providers"][0]["options"]["path"].as_str().unwrap();
    let mounts: Vec<&str> = services["grafana"]["volumes"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(mounts.iter().any(|mount| mount.starts_with("./ops/grafana-dashboard.json:") && mount.contains(folder)), "{mounts:?}");
}
