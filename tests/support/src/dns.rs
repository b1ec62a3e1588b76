//! A DNS server that gives scripted answers, over UDP and TCP.

use std::{
    collections::HashMap,
    net::{IpAddr, SocketAddr},
    sync::{Arc, Mutex},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, UdpSocket},
    task::JoinSet,
};

/// The largest answer over UDP. A longer one is truncated, and requested again over TCP.
const UDP: usize = 1200;
const A: u16 = 1;
const AAAA: u16 = 28;

/// The records of a name.
#[derive(Clone)]
pub enum Record {
    /// Its addresses, a list for each query; the last list is repeated.
    Turns(Vec<Vec<IpAddr>>),
    /// An alias (CNAME).
    Alias(&'static str),
    /// An error code: 2 is SERVFAIL.
    Error(u8),
    /// No answer at all.
    Silence,
}

#[derive(Default)]
struct Zone {
    records: HashMap<String, Record>,
    asked: HashMap<(String, u16), usize>,
}

/// The server. It stops when it is dropped.
pub struct Dns {
    pub address: SocketAddr,
    zone: Arc<Mutex<Zone>>,
    _serving: JoinSet<()>,
}

impl Dns {
    /// A server without any names.
    pub async fn start() -> Self {
        let zone: Arc<Mutex<Zone>> = Arc::default();
        let (tcp, udp) = sockets().await;
        let address = udp.local_addr().unwrap();
        let mut serving = JoinSet::new();
        let known = zone.clone();
        serving.spawn(async move {
            let mut question = [0; 2048];
            loop {
                let (length, from) = udp.recv_from(&mut question).await.unwrap();
                if let Some(answer) = answer(&known, &question[..length], UDP) {
                    udp.send_to(&answer, from).await.unwrap();
                }
            }
        });
        let known = zone.clone();
        serving.spawn(async move {
            let mut open = JoinSet::new();
            loop {
                let (mut stream, _) = tcp.accept().await.unwrap();
                let known = known.clone();
                open.spawn(async move {
                    while let Ok(length) = stream.read_u16().await {
                        let mut question = vec![0; length.into()];
                        stream.read_exact(&mut question).await.unwrap();
                        if let Some(answer) = answer(&known, &question, usize::from(u16::MAX)) {
                            stream.write_u16(u16::try_from(answer.len()).unwrap()).await.unwrap();
                            stream.write_all(&answer).await.unwrap();
                        }
                    }
                });
            }
        });
        Self { address, zone, _serving: serving }
    }

    /// Sets the records of a name.
    pub fn set(&self, name: &str, record: Record) {
        self.zone.lock().unwrap().records.insert(name.to_owned(), record);
    }

    /// Sets the addresses of a name.
    pub fn points(&self, name: &str, addresses: &[&str]) {
        self.set(name, Record::Turns(vec![addresses.iter().map(|address| address.parse().unwrap()).collect()]));
    }

    /// How often the IPv4 addresses of a name were queried.
    pub fn asked(&self, name: &str) -> usize {
        self.zone.lock().unwrap().asked.get(&(name.to_owned(), A)).copied().unwrap_or_default()
    }
}

/// UDP and TCP sockets on one port.
async fn sockets() -> (TcpListener, UdpSocket) {
    loop {
        let tcp = TcpListener::bind("127.0.0.1:0").await.unwrap();
        if let Ok(udp) = UdpSocket::bind(tcp.local_addr().unwrap()).await {
            return (tcp, udp);
        }
    }
}

/// The answer to a query, or none for silence.
fn answer(zone: &Mutex<Zone>, question: &[u8], room: usize) -> Option<Vec<u8>> {
    let (name, end) = name(question, 12);
    let kind = u16::from_be_bytes([question[end], question[end + 1]]);
    let mut zone = zone.lock().unwrap();
    // A query that is repeated over TCP because the answer was truncated counts once.
    let turn = zone.asked.get(&(name.clone(), kind)).copied().unwrap_or_default();
    let mut records = Vec::new();
    let mut code = 0;
    let mut owner = name.clone();
    loop {
        match zone.records.get(&owner).cloned() {
            None if records.is_empty() => code = 3,
            None => {}
            Some(Record::Silence) => return None,
            Some(Record::Error(error)) => code = error,
            Some(Record::Alias(target)) => {
                records.push(record(&owner, 5, &encoded(target)));
                target.trim_end_matches('.').clone_into(&mut owner);
                continue;
            }
            Some(Record::Turns(turns)) => {
                let addresses = turns.get(turn).or(turns.last()).cloned().unwrap_or_default();
                records.extend(addresses.into_iter().filter_map(|address| match (address, kind) {
                    (IpAddr::V4(it), A) => Some(record(&owner, A, &it.octets())),
                    (IpAddr::V6(it), AAAA) => Some(record(&owner, AAAA, &it.octets())),
                    _ => None,
                }));
            }
        }
        break;
    }
    let body: Vec<u8> = records.concat();
    let is_cut = body.len() > room;
    if !is_cut {
        zone.asked.insert((name, kind), turn + 1);
    }
    let count = if is_cut { 0 } else { u16::try_from(records.len()).unwrap() };
    let mut answer = question[..2].to_vec();
    answer.extend([if is_cut { 0x83 } else { 0x81 }, 0x80 | code]);
    answer.extend([0, 1]);
    answer.extend(count.to_be_bytes());
    answer.extend([0, 0, 0, 0]);
    answer.extend(&question[12..end + 4]);
    answer.extend(if is_cut { Vec::new() } else { body });
    Some(answer)
}

/// The name at an offset of a message, and the offset of its end.
fn name(message: &[u8], mut at: usize) -> (String, usize) {
    let mut labels = Vec::new();
    while message[at] != 0 {
        let end = at + 1 + usize::from(message[at]);
        labels.push(String::from_utf8_lossy(&message[at + 1..end]).to_lowercase());
        at = end;
    }
    (labels.join("."), at + 1)
}

fn encoded(name: &str) -> Vec<u8> {
    let labels = name.trim_end_matches('.').split('.');
    let mut bytes: Vec<u8> =
        labels.flat_map(|label| std::iter::once(u8::try_from(label.len()).unwrap()).chain(label.bytes())).collect();
    bytes.push(0);
    bytes
}

/// A record with a TTL of zero.
fn record(owner: &str, kind: u16, data: &[u8]) -> Vec<u8> {
    let mut bytes = encoded(owner);
    bytes.extend(kind.to_be_bytes());
    bytes.extend([0, 1, 0, 0, 0, 0]);
    bytes.extend(u16::try_from(data.len()).unwrap().to_be_bytes());
    bytes.extend(data);
    bytes
}
