//! What takes minutes, and programs that `make test` does not need: `make drills`. docs/performance.md keeps
//! the figures that it prints.

use super::{
    SECRET,
    failover::{Loss, WRITERS, Writing, fail_over, lost},
    serve, space, url_of,
};
use nix::{sys::signal::kill, unistd::Pid};
use std::process::Stdio;
use support::{free_address::FreeAddress, link::Link, postgres_server::PostgresServer, prelude::*};
use tokio::{
    net::UdpSocket,
    process::{Child, Command},
};

/// What is promised from the promotion to the first acknowledged write.
const PROMISED: Duration = Duration::from_secs(2);

async fn rounds(loss: Loss, after: Duration, count: usize, variables: &[(&str, &str)]) {
    let mut took = Vec::new();
    for _ in 0..count {
        took.push(fail_over(loss, after, variables).await);
    }
    took.sort();
    let (median, most) = (took[count / 2], took[count - 1]);
    println!(
        "{loss:?}, promoted after {after:?}, {variables:?}, {count} rounds, promotion to first acknowledged write: median {median:?}, most {most:?}"
    );
    assert!(most < PROMISED, "{took:?}");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "minutes: make drills"]
async fn twenty_primaries_crash_and_nothing_is_lost() {
    rounds(Loss::Crash, Duration::ZERO, 20, &[]).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "minutes: make drills"]
async fn twenty_primaries_hang_and_nothing_is_lost() {
    rounds(Loss::Hang, Duration::ZERO, 20, &[]).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "minutes, and root: make drills"]
async fn twenty_primaries_go_dark_and_nothing_is_lost() {
    rounds(Loss::Dark, Duration::ZERO, 20, &[]).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "minutes, and root: make drills"]
async fn primaries_are_silent_for_some_seconds_before_another_one_is_there_and_nothing_is_lost() {
    for loss in [Loss::Hang, Loss::Dark] {
        rounds(loss, Duration::from_secs(8), 5, &[]).await;
    }
}

/// All connections of the pool wait for the silent host, so that none is made which would find the new one:
/// the connection that listens has to.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "minutes: make drills"]
async fn ten_primaries_hang_while_all_connections_are_in_use_and_nothing_is_lost() {
    rounds(Loss::Hang, Duration::from_millis(1_200), 10, &[("APP_DB_POOL_SIZE", "4")]).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "root: make drills"]
async fn a_host_whose_name_is_not_resolved_holds_up_no_other() {
    // It gets every question of the resolver, and answers none.
    let silent = UdpSocket::bind("127.0.0.9:53").await.unwrap();
    let directory = scratch();
    let resolver = directory.path().join("resolv.conf");
    std::fs::write(&resolver, format!("nameserver {}\noptions timeout:30 attempts:1\n", silent.local_addr().unwrap().ip()))
        .unwrap();
    let mount = r#"mount --bind "$0" /etc/resolv.conf && exec "$@""#;
    let wrapper = ["unshare", "--mount", "sh", "-c", mount, resolver.to_str().unwrap()].map(str::to_owned);
    let primary = PostgresServer::start().await;
    for hosts in [[&primary.address.to_string(), "db.example:5432"], ["db.example:5432", &primary.address.to_string()]] {
        let url = format!("postgres://lectern@{}/postgres?target_session_attrs=read-write", hosts.join(","));
        let data = scratch();
        let server = Server::start_within(&wrapper, data.path(), &[("APP_DATABASE_URL", &url), ("APP_SECRET", SECRET)]).await;
        assert!(server.took < Duration::from_secs(15), "{hosts:?}: {:?}", server.took);
        assert_eq!(server.get("/api/ready").await, 200);
    }
    let mut question = [0; 512];
    timeout(PATIENCE, silent.recv(&mut question)).await.expect("the name was asked for").unwrap();
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "a figure for docs/scaling.md: make drills"]
async fn an_asynchronous_standby_that_lags_loses_the_last_writes_and_no_others() {
    const LAG: Duration = Duration::from_millis(500);
    for round in 1..=5 {
        let primary = PostgresServer::start().await;
        let link = Link::to(primary.address).await;
        let standby = PostgresServer::standby_of(link.address).await;
        let running = serve(&[("APP_DATABASE_URL", &url_of(&[primary.address, standby.address]))]).await;
        let writing = Writing::start(Arc::new(space(&running).await));
        writing.until(100).await;
        link.lag(LAG);
        writing.until(writing.count() + 400).await;

        let (crashed, before) = (Instant::now(), writing.count());
        primary.crash();
        drop(link);
        standby.promote().await;
        writing.until(before + WRITERS + 200).await;
        let lost = lost(standby.address, writing.end().await).await;
        let first = lost.iter().map(|story| story.at).min().expect("something was under way");
        let (age, number) = (crashed.saturating_duration_since(first), lost.len());
        println!(
            "round {round}, a standby {LAG:?} behind: {number} of {before} acknowledged writes lost, the oldest one {age:?} before the crash"
        );
        assert!(age < 3 * LAG, "{age:?}");
    }
}

/// After this long a leader that says nothing is no leader any more.
const TTL: Duration = Duration::from_secs(20);

/// Three Patronis, each with its PostgreSQL, that agree by etcd.
struct Cluster {
    members: Vec<Member>,
    _etcd: Child,
    directory: Scratch,
    _reserved: [FreeAddress; 2],
}

struct Member {
    name: String,
    api: SocketAddr,
    postgres: SocketAddr,
    patroni: Child,
    _reserved: [FreeAddress; 2],
}

/// A program as the user `postgres`, which ends with this test.
fn program(name: &str, directory: &Path) -> Command {
    let mut command = Command::new("setpriv");
    command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups", "--pdeathsig=KILL", name]);
    command.current_dir(directory).stdout(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
    command
}

impl Cluster {
    async fn start() -> Self {
        let directory = scratch();
        let path = directory.path();
        let owned = std::process::Command::new("chown").args(["postgres", path.to_str().unwrap()]).status().unwrap();
        assert!(owned.success(), "the drills need root");
        let reserved = [FreeAddress::new(), FreeAddress::new()];
        let [etcd_clients, etcd_peers] = reserved.each_ref().map(|reserved| reserved.address);
        let etcd = program("etcd", path)
            .args(["--data-dir", "etcd", "--initial-cluster", &format!("default=http://{etcd_peers}")])
            .args(["--listen-client-urls", &format!("http://{etcd_clients}")])
            .args(["--advertise-client-urls", &format!("http://{etcd_clients}")])
            .args(["--listen-peer-urls", &format!("http://{etcd_peers}")])
            .args(["--initial-advertise-peer-urls", &format!("http://{etcd_peers}")])
            .spawn()
            .expect("scripts/setup.sh drills installs etcd");
        let members = (1..=3).map(|number| Member::start(path, &format!("db{number}"), etcd_clients)).collect();
        let cluster = Self { members, _etcd: etcd, directory, _reserved: reserved };
        cluster.until(|members| members.len() == 3 && members.iter().filter(|m| is_in_sync(m)).count() >= 1).await;
        cluster
    }

    /// Waits until the members, as Patroni shows them, are like this.
    async fn until(&self, holds: impl Fn(&[Value]) -> bool) {
        let waiting = async { while !holds(&self.shown().await) {} };
        timeout(PATIENCE, waiting).await.expect("the cluster gets there");
    }

    async fn shown(&self) -> Vec<Value> {
        for member in &self.members {
            if let Ok(answer) = browser().get(format!("http://{}/cluster", member.api)).send().await {
                return answer.json::<Value>().await.unwrap()["members"].as_array().unwrap().clone();
            }
        }
        Vec::new()
    }

    /// The member that leads.
    async fn leader(&self) -> &Member {
        let shown = self.shown().await;
        let name = shown.iter().find(|member| member["role"] == "leader").expect("a leader")["name"].as_str().unwrap();
        self.members.iter().find(|member| member.name == name).unwrap()
    }
}

fn is_in_sync(member: &Value) -> bool {
    member["role"] == "sync_standby" && ["running", "streaming"].contains(&member["state"].as_str().unwrap_or_default())
}

impl Member {
    fn start(directory: &Path, name: &str, etcd: SocketAddr) -> Self {
        let reserved = [FreeAddress::new(), FreeAddress::new()];
        let [api, postgres] = reserved.each_ref().map(|reserved| reserved.address);
        let bin = std::process::Command::new("sh")
            .args(["-c", "ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1"])
            .output()
            .unwrap();
        let settings = json!({
            "scope": "lectern", "name": name,
            "restapi": { "listen": api.to_string(), "connect_address": api.to_string() },
            "etcd3": { "host": etcd.to_string() },
            "bootstrap": {
                "dcs": {
                    "ttl": TTL.as_secs(), "loop_wait": 1, "retry_timeout": 3, "primary_start_timeout": 0, "master_start_timeout": 0, "synchronous_mode": true,
                    "postgresql": { "use_pg_rewind": true, "parameters": { "hot_standby_feedback": "on" } },
                },
                "initdb": [{ "encoding": "UTF8" }, "data-checksums"],
                "pg_hba": ["host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust"],
            },
            "postgresql": {
                "listen": postgres.to_string(), "connect_address": postgres.to_string(), "data_dir": name,
                "pgpass": directory.join(format!("{name}.pgpass")),
                "bin_dir": String::from_utf8(bin.stdout).unwrap().trim(),
                "authentication": { "superuser": { "username": "lectern" }, "replication": { "username": "replicator" } },
                "parameters": { "unix_socket_directories": directory },
            },
        });
        let file = directory.join(format!("{name}.yml"));
        // JSON is YAML.
        std::fs::write(&file, settings.to_string()).unwrap();
        let patroni = program("patroni", directory).arg(&file).spawn().expect("scripts/setup.sh drills installs Patroni");
        Self { name: name.to_owned(), api, postgres, patroni, _reserved: reserved }
    }

    /// Ends Patroni and its PostgreSQL as a crash of their machine would.
    fn crash(&self, directory: &Path) {
        let postmaster = std::fs::read_to_string(directory.join(&self.name).join("postmaster.pid")).unwrap();
        for pid in [self.patroni.id().unwrap().cast_signed(), postmaster.lines().next().unwrap().parse().unwrap()] {
            kill(Pid::from_raw(pid), Signal::SIGKILL).unwrap();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "Patroni and etcd: make drills"]
async fn a_cluster_of_patroni_is_switched_over_and_loses_its_leader_under_load() {
    let cluster = Cluster::start().await;
    let hosts: Vec<SocketAddr> = cluster.members.iter().map(|member| member.postgres).collect();
    let running = serve(&[("APP_DATABASE_URL", &url_of(&hosts))]).await;
    let writing = Writing::start(Arc::new(space(&running).await));
    writing.until(200).await;

    let leader = cluster.leader().await;
    let wish = json!({ "leader": leader.name });
    let began = Instant::now();
    let answer = browser().post(format!("http://{}/switchover", leader.api)).json(&wish).timeout(PATIENCE).send().await.unwrap();
    assert!(answer.status().is_success(), "{}", answer.text().await.unwrap());
    writing.until(writing.count() + 200).await;
    println!("Patroni, switchover: 200 more writes after {:?}", began.elapsed());
    assert!(began.elapsed() < TTL, "{:?}", began.elapsed());

    cluster.until(|members| members.iter().any(is_in_sync)).await;
    let leader = cluster.leader().await;
    let began = Instant::now();
    leader.crash(cluster.directory.path());
    let before = writing.count();
    writing.until(before + 200).await;
    println!("Patroni, leader killed: 200 more writes after {:?}", began.elapsed());
    assert!(began.elapsed() < 2 * TTL, "{:?}", began.elapsed());
    let acknowledged = writing.end().await;
    let leader = cluster.leader().await;
    assert_eq!(lost(leader.postgres, acknowledged).await, [], "acknowledged and lost");
}
