//! A single HTTP GET to a known address, which checks that a server is alive.

use bytes::Bytes;
use futures_util::future::BoxFuture;
use http::{StatusCode, Uri};
use http_body_util::Empty;
use hyper_util::{client::legacy::Client, rt::TokioExecutor};
use std::{net::SocketAddr, time::Duration};

/// Why the check failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The status is not 200.
    #[error("it answered {0}")]
    Refused(StatusCode),
    #[error("it did not answer within {} ms", .0.as_millis())]
    TimedOut(Duration),
    /// The request could not be sent.
    #[error("it could not be asked: {0}")]
    Unavailable(String),
}

/// Requests a path. Anything but 200 within the deadline is an error.
pub fn get(server: SocketAddr, path: &'static str, deadline: Duration) -> BoxFuture<'static, Result<(), Error>> {
    Box::pin(async move {
        let uri = Uri::builder()
            .scheme("http")
            .authority(server.to_string())
            .path_and_query(path)
            .build()
            .map_err(|error| Error::Unavailable(error.to_string()))?;
        let client: Client<_, Empty<Bytes>> = Client::builder(TokioExecutor::new()).build_http();
        let response =
            tokio::time::timeout(deadline, client.get(uri)).await.map_err(|_| Error::TimedOut(deadline))?.map_err(|error| {
                Error::Unavailable(std::error::Error::source(&error).map_or(error.to_string(), ToString::to_string))
            })?;
        if response.status() == StatusCode::OK { Ok(()) } else { Err(Error::Refused(response.status())) }
    })
}

#[cfg(test)]
mod tests {
    use super::{Error, get};
    use std::{net::SocketAddr, time::Duration};
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::TcpListener,
    };

    const LONG: Duration = Duration::from_secs(30);

    /// A server that answers one request with these bytes, and never when there are none.
    async fn ask(answer: &'static str, deadline: Duration) -> Result<(), Error> {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address: SocketAddr = listener.local_addr().unwrap();
        let serve = async {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut request = [0; 1024];
            let length = stream.read(&mut request).await.unwrap();
            assert!(request[..length].starts_with(b"GET /api/health HTTP/1.1\r\n"));
            stream.write_all(answer.as_bytes()).await.unwrap();
            if answer.is_empty() {
                std::future::pending::<()>().await;
            }
        };
        let (asked, ()) = tokio::join!(
            async {
                tokio::select! {
                    asked = get(address, "/api/health", deadline) => asked,
                }
            },
            async {
                let _ = tokio::time::timeout(deadline, serve).await;
            }
        );
        asked
    }

    #[tokio::test]
    async fn only_200_is_success() {
        assert!(ask("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n", LONG).await.is_ok());
        let refused = ask("HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n", LONG).await;
        assert!(matches!(refused, Err(Error::Refused(status)) if status == 503));
    }

    #[tokio::test]
    async fn silence_is_a_timeout() {
        assert!(matches!(ask("", Duration::from_millis(300)).await, Err(Error::TimedOut(_))));
    }

    #[tokio::test]
    async fn a_closed_port_is_unavailable() {
        let free = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
        assert!(matches!(get(free, "/api/health", Duration::from_secs(1)).await, Err(Error::Unavailable(_))));
    }
}
