//! A link of a network to a server, which can lag and be cut.

use std::{net::SocketAddr, time::Duration};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{
        TcpListener, TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
    sync::{mpsc::unbounded_channel, watch},
    task::JoinSet,
    time::{Instant, sleep_until},
};

/// Passes on what is sent to a server and back. Dropped, it closes all connections, and what was under way is
/// lost.
pub struct Link {
    /// Where the server is reached through it.
    pub address: SocketAddr,
    lag: watch::Sender<Duration>,
    _accepting: JoinSet<()>,
}

impl Link {
    /// A link without a lag.
    pub async fn to(server: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (lag, lags) = watch::channel(Duration::ZERO);
        let mut accepting = JoinSet::new();
        accepting.spawn(async move {
            let mut connections = JoinSet::new();
            loop {
                let (near, _) = listener.accept().await.unwrap();
                let ((from_near, to_near), (from_far, to_far)) =
                    (near.into_split(), TcpStream::connect(server).await.unwrap().into_split());
                connections.spawn(pass_on(from_near, to_far, lags.clone()));
                connections.spawn(pass_on(from_far, to_near, lags.clone()));
            }
        });
        Self { address, lag, _accepting: accepting }
    }

    /// From now on everything arrives later by `lag`.
    pub fn lag(&self, lag: Duration) {
        self.lag.send_replace(lag);
    }
}

async fn pass_on(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, lag: watch::Receiver<Duration>) {
    let (sent, mut under_way) = unbounded_channel();
    let reading = async move {
        let mut buffer = vec![0; 64 << 10];
        while let Ok(length @ 1..) = from.read(&mut buffer).await {
            if sent.send((Instant::now() + *lag.borrow(), buffer[..length].to_vec())).is_err() {
                return;
            }
        }
    };
    let writing = async move {
        while let Some((arrives_at, bytes)) = under_way.recv().await {
            // A sleep, because this is what a lag is.
            sleep_until(arrives_at).await;
            if to.write_all(&bytes).await.is_err() {
                return;
            }
        }
    };
    tokio::join!(reading, writing);
}
