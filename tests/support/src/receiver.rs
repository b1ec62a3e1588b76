//! A receiver of webhooks, which records its requests and gives scripted responses.

use crate::PATIENCE;
use http::{HeaderMap, StatusCode};
use std::{
    collections::VecDeque,
    net::SocketAddr,
    sync::{Arc, Mutex},
};
use tokio::{
    sync::{Semaphore, watch},
    task::JoinSet,
};
use warp::Filter;

/// What a receiver does with a request.
#[derive(Debug, Clone)]
pub enum Reaction {
    Status(u16),
    /// Answers a status with headers and a body.
    Full(u16, Vec<(&'static str, String)>, Vec<u8>),
    /// Answers a status once it gets a permit.
    Gate(Arc<Semaphore>, u16),
    Silence,
}

/// A received request.
#[derive(Debug, Clone)]
pub struct Got {
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Got {
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).unwrap_or_else(|| panic!("{name} in {:?}", self.headers)).to_str().unwrap()
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }
}

/// A running receiver. It stops when it is dropped.
pub struct Receiver {
    pub address: SocketAddr,
    got: Arc<watch::Sender<Vec<Got>>>,
    reactions: Arc<Mutex<VecDeque<Reaction>>>,
    otherwise: Arc<Mutex<Reaction>>,
    _serving: JoinSet<()>,
}

impl Receiver {
    /// A receiver that responds with 200 unless scripted otherwise.
    pub async fn start() -> Self {
        let got = Arc::new(watch::Sender::new(Vec::new()));
        let reactions: Arc<Mutex<VecDeque<Reaction>>> = Arc::default();
        let otherwise = Arc::new(Mutex::new(Reaction::Status(200)));
        let (keep, next, last) = (got.clone(), reactions.clone(), otherwise.clone());
        let route =
            warp::post().and(warp::header::headers_cloned()).and(warp::body::bytes()).then(move |headers, body: bytes::Bytes| {
                keep.send_modify(|all: &mut Vec<Got>| all.push(Got { headers, body: body.to_vec() }));
                let scripted = next.lock().unwrap().pop_front();
                let reaction = scripted.unwrap_or_else(|| last.lock().unwrap().clone());
                async move { answer(reaction).await }
            });
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let mut serving = JoinSet::new();
        serving.spawn(warp::serve(route).incoming(listener).run());
        Self { address, got, reactions, otherwise, _serving: serving }
    }

    pub fn url(&self) -> String {
        format!("http://{}/hook", self.address)
    }

    /// Scripts the responses to the next requests, in order.
    pub fn will(&self, reactions: impl IntoIterator<Item = Reaction>) {
        self.reactions.lock().unwrap().extend(reactions);
    }

    /// What it does from now on with requests for which nothing is scripted.
    pub fn answers(&self, reaction: Reaction) {
        *self.otherwise.lock().unwrap() = reaction;
    }

    /// Waits for this many requests, and returns all.
    pub async fn got(&self, count: usize) -> Vec<Got> {
        let mut seen = self.got.subscribe();
        let waiting = seen.wait_for(|all| all.len() >= count);
        let all = tokio::time::timeout(PATIENCE, waiting).await;
        let all = all.unwrap_or_else(|_| panic!("{} requests of {count} came", self.got.borrow().len())).unwrap();
        all.clone()
    }

    /// The requests so far.
    pub fn so_far(&self) -> Vec<Got> {
        self.got.borrow().clone()
    }
}

async fn answer(reaction: Reaction) -> warp::reply::Response {
    let (status, headers, body) = match reaction {
        Reaction::Status(status) => (status, Vec::new(), Vec::new()),
        Reaction::Full(status, headers, body) => (status, headers, body),
        Reaction::Gate(gate, status) => {
            gate.acquire().await.unwrap().forget();
            (status, Vec::new(), Vec::new())
        }
        Reaction::Silence => std::future::pending().await,
    };
    let mut response = warp::reply::Response::new(body.into());
    *response.status_mut() = StatusCode::from_u16(status).unwrap();
    for (name, value) in headers {
        response.headers_mut().insert(name, value.parse().unwrap());
    }
    response
}
