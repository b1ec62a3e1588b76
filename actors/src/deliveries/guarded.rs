//! The real courier: every parcel goes through the guard, on a connection of its own, and is not followed anywhere.

use super::courier::{Answer, Courier, Failure, Parcel};
use domain::shared::delivery::ANSWER_LIMIT;
use egress::client::{Call, Client, Failure as CallFailure};
use futures_util::{FutureExt, future::BoxFuture};
use http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use std::time::Duration;
use tokio::time::Instant;

/// How long the piece of an answer's body may take once its status is there.
const PIECE_AT_MOST: Duration = Duration::from_millis(500);

/// Sends by the guarded client.
pub struct GuardedCourier {
    client: Client,
}

impl GuardedCourier {
    /// With a client.
    pub fn new(client: Client) -> Self {
        Self { client }
    }

    async fn exchange(&self, parcel: Parcel, deadline: Instant) -> Result<Answer, Failure> {
        let target = self.client.guard().check(&parcel.url).map_err(|_| Failure::Blocked)?;
        let mut headers = HeaderMap::with_capacity(parcel.headers.len());
        for (name, value) in parcel.headers {
            let value = HeaderValue::try_from(value).map_err(|_| Failure::Unreachable)?;
            headers.insert(HeaderName::from_static(name), value);
        }
        let call = Call { method: Method::POST, headers, body: parcel.body.into() };
        let answer = self.client.send(&target, call, deadline).await.map_err(failure)?;
        let retry_after = answer.headers.get(header::RETRY_AFTER).and_then(|header| header.to_str().ok()).map(str::to_owned);
        let status = answer.status.as_u16();
        // The status decides; the body is only told. One that comes slowly, or never ends, is cut.
        let mut body = answer.body;
        body.until(Instant::now() + PIECE_AT_MOST);
        let (piece, _) = body.beginning(ANSWER_LIMIT).await;
        Ok(Answer { status, retry_after, piece: piece.to_vec() })
    }
}

impl Courier for GuardedCourier {
    fn send(&self, parcel: Parcel, deadline: Instant) -> BoxFuture<'_, Result<Answer, Failure>> {
        self.exchange(parcel, deadline).boxed()
    }

    fn allows(&self, url: &str) -> bool {
        self.client.guard().check(url).is_ok()
    }
}

fn failure(why: CallFailure) -> Failure {
    match why {
        CallFailure::Blocked(_) => Failure::Blocked,
        CallFailure::Late => Failure::TimedOut,
        _ => Failure::Unreachable,
    }
}
