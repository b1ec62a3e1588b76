//! A network of its own (a network namespace of Linux), which can be cut off so that its packets are lost
//! without a word. It needs root and `ip`.

use std::{
    net::{IpAddr, Ipv4Addr},
    process::Command,
    sync::atomic::{AtomicU8, Ordering::Relaxed},
};

/// The part of 10.77.0.0/16 that the next network has.
static NEXT: AtomicU8 = AtomicU8::new(0);

/// A network with one host, which this machine reaches by a link. It is removed when it is dropped.
pub struct Network {
    name: String,
    part: u8,
}

impl Network {
    pub fn new() -> Self {
        let part = NEXT.fetch_add(1, Relaxed);
        let network = Self { name: format!("lectern{part}"), part };
        let Self { name, .. } = &network;
        let (here, host) = (network.here(), network.host());
        // One that a former run has left behind.
        let _ = Command::new("ip").args(["netns", "delete", name]).output();
        for arguments in [
            format!("netns add {name}"),
            format!("link add {name} type veth peer name eth0 netns {name}"),
            format!("addr add {here}/30 dev {name}"),
            format!("link set {name} up"),
            format!("-netns {name} addr add {host}/30 dev eth0"),
            format!("-netns {name} link set eth0 up"),
            format!("-netns {name} link set lo up"),
        ] {
            ip(&arguments);
        }
        network
    }

    /// The address of its host.
    pub fn host(&self) -> IpAddr {
        Ipv4Addr::new(10, 77, self.part, 2).into()
    }

    /// The address of this machine in it.
    fn here(&self) -> Ipv4Addr {
        Ipv4Addr::new(10, 77, self.part, 1)
    }

    /// A command that becomes a program of its host. The program and its arguments are to be added.
    pub fn command(&self) -> tokio::process::Command {
        let mut command = tokio::process::Command::new("ip");
        command.args(["netns", "exec", &self.name]);
        command
    }

    /// From now on its host says nothing, as if all its packets were lost: connections stay open, and no new
    /// ones come about.
    pub fn go_dark(&self) {
        ip(&format!("-netns {} route add blackhole {}/32", self.name, self.here()));
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        ip(&format!("netns delete {}", self.name));
    }
}

fn ip(arguments: &str) {
    let output = Command::new("ip").args(arguments.split(' ')).output().expect("scripts/setup.sh drills installs iproute2");
    assert!(output.status.success(), "ip {arguments}: {}", String::from_utf8_lossy(&output.stderr));
}
