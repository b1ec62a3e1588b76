//! The proxy of `ops/Caddyfile`, in front of real servers.

use crate::{PATIENCE, Scratch, scratch, tools};
use std::{net::SocketAddr, process::Stdio};
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::{Child, Command},
    task::JoinSet,
    time::timeout,
};

/// A running proxy. It stops when it is dropped.
pub struct Proxy {
    pub address: SocketAddr,
    _child: Child,
    _data: Scratch,
    _reading: JoinSet<()>,
}

impl Proxy {
    /// Starts it at an address in front of servers, which it asks for their health ten times a second.
    pub async fn start(address: SocketAddr, servers: &[SocketAddr]) -> Self {
        let data = scratch();
        let servers: Vec<String> = servers.iter().map(ToString::to_string).collect();
        let mut child = Command::new(tools::unpacked("caddy"))
            .args(["run", "--adapter", "caddyfile", "--config"])
            .arg(tools::repository("ops/Caddyfile"))
            .env_clear()
            .env("HOME", data.path())
            .env("LECTERN_SITE", format!("http://{address}"))
            .env("LECTERN_SERVERS", servers.join(" "))
            .env("LECTERN_HEALTH_INTERVAL", "100ms")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let mut said = String::new();
        let starting = async {
            while let Some(line) = lines.next_line().await.unwrap() {
                if line.contains("serving initial configuration") {
                    return;
                }
                said.push_str(&line);
            }
            panic!("the proxy ended: {said}");
        };
        timeout(PATIENCE, starting).await.expect("the proxy starts");
        // The pipe must not fill up.
        let mut reading = JoinSet::new();
        reading.spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        Self { address, _child: child, _data: data, _reading: reading }
    }
}
