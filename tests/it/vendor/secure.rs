//! The client speaks TLS and HTTP/2, and only with servers whose certificate it trusts.

use super::MEMORY;
use bytes::Bytes;
use egress::{
    dns::Resolver,
    vendor::{Error, HttpPool, ImportMemory, Origins, Vendor},
};
use http::{Request, Response, Version};
use http_body_util::Full;
use hyper::{body::Incoming, service::service_fn};
use hyper_util::{
    rt::{TokioExecutor, TokioIo},
    server::conn::auto::Builder,
};
use rustls::{RootCertStore, ServerConfig};
use std::{convert::Infallible, sync::Mutex};
use support::{Authority, Dns, prelude::*};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

type Seen = Arc<Mutex<Vec<(Version, String)>>>;

/// A server that offers these protocols and records the requests by protocol.
async fn source(config: &ServerConfig, protocols: &[&[u8]]) -> (u16, Seen, JoinSet<()>) {
    let mut config = config.clone();
    config.alpn_protocols = protocols.iter().map(|protocol| protocol.to_vec()).collect();
    let (tls, listener) = (TlsAcceptor::from(Arc::new(config)), TcpListener::bind("127.0.0.1:0").await.unwrap());
    let port = listener.local_addr().unwrap().port();
    let seen: Seen = Arc::default();
    let kept = seen.clone();
    let mut serving = JoinSet::new();
    serving.spawn(async move {
        let mut open = JoinSet::new();
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let (tls, kept) = (tls.clone(), kept.clone());
            open.spawn(async move {
                // The handshake fails if the client does not trust the certificate.
                let Ok(stream) = tls.accept(stream).await else { return };
                let service = service_fn(move |request: Request<Incoming>| {
                    let authority = request.uri().authority().map(ToString::to_string).unwrap_or_default();
                    kept.lock().unwrap().push((request.version(), authority));
                    async { Ok::<_, Infallible>(Response::new(Full::new(Bytes::from_static(br#"{"presets":[]}"#)))) }
                });
                let _ = Builder::new(TokioExecutor::new()).serve_connection(TokioIo::new(stream), service).await;
            });
        }
    });
    (port, seen, serving)
}

fn vendor(port: u16, roots: RootCertStore, dns: &Dns) -> Vendor {
    let pool = HttpPool::new(roots, Some(Resolver::new(&[dns.address]).unwrap())).unwrap();
    let origin = format!("https://mapi.example.com:{port}");
    Vendor::new(pool, Origins { management: origin.clone(), delivery: origin }, "token".into(), 1, ImportMemory::new(MEMORY))
}

#[tokio::test]
async fn http2_is_spoken_where_it_is_offered_on_one_connection() {
    let authority = Authority::new("mapi.example.com");
    let dns = Dns::start().await;
    dns.points("mapi.example.com", &["127.0.0.1"]);
    let (port, seen, _serving) = source(authority.config(), &[b"h2", b"http/1.1"]).await;
    let client = vendor(port, authority.roots.clone(), &dns);
    // The resolver asks again when it has no answer after a third of a second.
    let _timers = StoppedTimers::now();
    for _ in 0..3 {
        client.presets().await.unwrap();
    }
    assert_eq!(*seen.lock().unwrap(), vec![(Version::HTTP_2, format!("mapi.example.com:{port}")); 3]);
    assert_eq!(dns.asked("mapi.example.com"), 1, "one connection for all");

    let (port, seen, _serving) = source(authority.config(), &[b"http/1.1"]).await;
    vendor(port, authority.roots.clone(), &dns).presets().await.unwrap();
    assert_eq!(seen.lock().unwrap()[0].0, Version::HTTP_11);
}

#[tokio::test]
async fn a_source_without_a_trusted_certificate_does_not_get_the_token() {
    let authority = Authority::new("mapi.example.com");
    let dns = Dns::start().await;
    dns.points("mapi.example.com", &["127.0.0.1"]);
    let (port, seen, _serving) = source(authority.config(), &[b"h2"]).await;
    let stranger = Authority::new("mapi.example.com");
    for roots in [RootCertStore::empty(), stranger.roots.clone()] {
        assert_eq!(vendor(port, roots, &dns).presets().await.err(), Some(Error::Unreachable));
    }
    assert!(seen.lock().unwrap().is_empty());
}
