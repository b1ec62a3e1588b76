//! `POST /api/v1/spaces/{space}/webhooks/{id}/redeliver` `{from, to, status?}`: 202 with how many deliveries are pending again. Those that
//! were made from `from` on and before `to`, whether they arrived or were given up, unless `status` picks one; at most 10,000 at once,
//! the oldest first.

use super::below;
use crate::{
    content::{Content, management::access},
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, body::DEFAULT_LIMIT, endpoint::respond, request::api_request},
};
use domain::{
    content::Right,
    shared::{Fault, SpaceId, WebhookId, delivery::State, timestamp},
};
use http::StatusCode;
use serde::Deserialize;
use serde_json::json;
use services::content::webhooks::RedeliverRange;
use storage::shared::deliveries::Range;
use warp::Filter;

/// The most that are sent again at once.
const LIMIT: i64 = 10_000;

#[derive(Deserialize)]
struct Body {
    from: Option<String>,
    to: Option<String>,
    status: Option<String>,
}

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    below("redeliver")
        .and(warp::path::end())
        .and(warp::post())
        .and(api_request())
        .then(move |space, id, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, redeliver(content.clone(), space, id, request))
        })
        .boxed()
}

async fn redeliver(content: Content, space: SpaceId, webhook: WebhookId, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let by = access::manager(&content, &request, space, Right::Administer).await?;
    request.query()?.only(&[])?;
    let range = request.json::<Body>(DEFAULT_LIMIT).await?.range()?;
    let count = content.spaces.execute(space, by, request.origin(), RedeliverRange { webhook, range }).await?;
    ApiResponse::json(StatusCode::ACCEPTED, &json!({ "redelivering": count }))
}

impl Body {
    fn range(self) -> Result<Range, Fault> {
        let time = |field: &'static str, text: Option<String>| {
            let text = text.ok_or_else(|| Fault::invalid(field, "blank", "can't be blank"))?;
            timestamp::parse(field, &text)
        };
        let (from, to) = (time("from", self.from)?, time("to", self.to)?);
        if from >= to {
            return Err(Fault::invalid("to", "invalid", "must be after from"));
        }
        let state = match self.status.as_deref().map(str::parse) {
            None => None,
            Some(Ok(state @ (State::Delivered | State::Dead))) => Some(state),
            Some(_) => return Err(Fault::invalid("status", "invalid", "must be delivered or dead")),
        };
        Ok(Range { from, to, state, limit: LIMIT })
    }
}

#[cfg(test)]
mod tests {
    use super::Body;

    #[test]
    fn a_range_has_two_ends_in_order() {
        let read = |body: &str| serde_json::from_str::<Body>(body).unwrap().range();
        let ends = r#""from":"2026-03-01T00:00:00Z","to":"2026-03-02T00:00:00Z""#;
        assert!(read(&format!("{{{ends}}}")).is_ok() && read(&format!(r#"{{{ends},"status":"dead"}}"#)).is_ok());
        for bad in [
            "{}".to_owned(),
            r#"{"from":"2026-03-01T00:00:00Z"}"#.to_owned(),
            r#"{"from":"2026-03-02T00:00:00Z","to":"2026-03-02T00:00:00Z"}"#.to_owned(),
            r#"{"from":"yesterday","to":"2026-03-02T00:00:00Z"}"#.to_owned(),
            format!(r#"{{{ends},"status":"pending"}}"#),
        ] {
            assert!(read(&bad).is_err(), "{bad}");
        }
    }
}
