//! A foreign server that sends scripted bytes, in clear text or over TLS.

use crate::{Scratch, scratch};
use rustls::{
    RootCertStore, ServerConfig,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
};
use std::{
    net::SocketAddr,
    path::PathBuf,
    process::{Command, Stdio},
    sync::{Arc, Mutex},
};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::TcpListener,
    task::JoinSet,
};
use tokio_rustls::TlsAcceptor;

/// A scripted response.
#[derive(Clone)]
pub enum Reply {
    /// These bytes, then the connection is closed.
    Bytes(Vec<u8>),
    /// These bytes, and then the same piece repeatedly.
    Endless(Vec<u8>, Vec<u8>),
    /// These bytes, then silence on an open connection.
    Hold(Vec<u8>),
    /// Silence, without even a TLS handshake.
    Mute,
}

impl Reply {
    /// A status with headers and a body.
    pub fn with(status: &str, headers: &[(&str, &str)], body: &str) -> Self {
        let headers = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect::<Vec<_>>().concat();
        Self::Bytes(format!("HTTP/1.1 {status}\r\n{headers}content-length: {}\r\n\r\n{body}", body.len()).into())
    }

    /// A redirect.
    pub fn to(location: &str) -> Self {
        Self::with("302 Found", &[("location", location)], "")
    }
}

/// The server. It stops when it is dropped.
pub struct Peer {
    /// The address that it listens on.
    pub address: SocketAddr,
    seen: Arc<Mutex<Vec<String>>>,
    _serving: JoinSet<()>,
}

impl Peer {
    /// A server whose response depends on the path.
    pub async fn start(reply: impl Fn(&str) -> Reply + Send + Sync + 'static) -> Self {
        Self::run("127.0.0.1:0", None, reply).await
    }

    /// The same over TLS.
    pub async fn secure(authority: &Authority, reply: impl Fn(&str) -> Reply + Send + Sync + 'static) -> Self {
        Self::run("127.0.0.1:0", Some(TlsAcceptor::from(authority.server.clone())), reply).await
    }

    /// The same at another address of this machine.
    pub async fn at(address: &str, reply: impl Fn(&str) -> Reply + Send + Sync + 'static) -> Self {
        Self::run(address, None, reply).await
    }

    async fn run(address: &str, tls: Option<TlsAcceptor>, reply: impl Fn(&str) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind(address).await.unwrap();
        let address = listener.local_addr().unwrap();
        let seen: Arc<Mutex<Vec<String>>> = Arc::default();
        let (kept, reply) = (seen.clone(), Arc::new(reply));
        let mut serving = JoinSet::new();
        serving.spawn(async move {
            let mut open = JoinSet::new();
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let (tls, seen, reply) = (tls.clone(), kept.clone(), reply.clone());
                open.spawn(async move {
                    if matches!(reply("handshake"), Reply::Mute) {
                        std::future::pending::<()>().await;
                    }
                    match tls {
                        None => talk(stream, None, &seen, reply.as_ref()).await,
                        Some(tls) => {
                            // A client that does not trust the certificate closes the connection.
                            if let Ok(stream) = tls.accept(stream).await {
                                let name = stream.get_ref().1.server_name().map(str::to_owned);
                                talk(stream, name, &seen, reply.as_ref()).await;
                            }
                        }
                    }
                });
            }
        });
        Self { address, seen, _serving: serving }
    }

    /// The heads of the requests so far; one over TLS has a line `sni: name` at its end.
    pub fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }
}

async fn talk<S: AsyncRead + AsyncWrite + Unpin>(
    mut stream: S,
    name: Option<String>,
    seen: &Mutex<Vec<String>>,
    reply: &(dyn Fn(&str) -> Reply + Sync),
) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read_u8().await {
            Ok(byte) => head.push(byte),
            Err(_) => return,
        }
    }
    let mut head = String::from_utf8(head).unwrap();
    let path = head.split(' ').nth(1).unwrap().to_owned();
    if let Some(name) = name {
        head = format!("{head}sni: {name}\r\n");
    }
    seen.lock().unwrap().push(head);
    // The client may have closed the connection, which is no error here.
    match reply(&path) {
        Reply::Bytes(bytes) => {
            let _ = stream.write_all(&bytes).await;
            let _ = stream.shutdown().await;
        }
        Reply::Endless(head, piece) => {
            let _ = stream.write_all(&head).await;
            while stream.write_all(&piece).await.is_ok() {}
        }
        Reply::Hold(bytes) => {
            let _ = stream.write_all(&bytes).await;
            let _ = stream.flush().await;
            std::future::pending::<()>().await;
        }
        Reply::Mute => std::future::pending::<()>().await,
    }
}

/// A certificate authority with a certificate for one name.
pub struct Authority {
    server: Arc<ServerConfig>,
    /// The root certificate for clients.
    pub roots: RootCertStore,
    directory: Scratch,
}

const CERTIFICATES: &str = r#"
set -eu
cd "$1"
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=authority -keyout ca.key -out ca.pem
openssl req -newkey rsa:2048 -nodes -subj /CN="$2" -addext subjectAltName=DNS:"$2" -keyout server.key -out server.csr
openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -copy_extensions copy -out server.pem
"#;

impl Authority {
    /// The configuration of a server with the certificate.
    pub fn config(&self) -> &ServerConfig {
        &self.server
    }

    /// One of its files: `ca.pem`, `server.pem`, `server.key`.
    pub fn file(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// A new authority with a certificate for this name.
    pub fn new(name: &str) -> Self {
        let directory = scratch();
        let path = |file: &str| directory.path().join(file);
        let mut command = Command::new("sh");
        command.args(["-c", CERTIFICATES, "sh", directory.path().to_str().unwrap(), name]);
        assert!(command.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap().success());
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from_pem_file(path("ca.pem")).unwrap()).unwrap();
        let chain = vec![CertificateDer::from_pem_file(path("server.pem")).unwrap()];
        let key = PrivateKeyDer::from_pem_file(path("server.key")).unwrap();
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let builder = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
        let server = builder.with_no_client_auth().with_single_cert(chain, key).unwrap();
        Self { server: Arc::new(server), roots, directory }
    }
}
