//! The deliveries of a webhook: listed, sent for a test, sent again.

use super::view::DeliveryView;
use crate::{
    content::{
        Content,
        management::{access::Manager, envelope, paginate::list_parameters},
    },
    web::{ApiRequest, ApiResponse, body::DEFAULT_LIMIT},
};
use domain::shared::{DeliveryId, Fault, FieldCode, WebhookId, delivery::State, timestamp};
use futures_util::try_join;
use http::StatusCode;
use serde::Deserialize;
use serde_json::json;
use services::content::webhooks::{PingWebhook, QueuedDelivery, Redeliver, RedeliverRange};
use storage::{
    content::webhooks,
    shared::{
        deliveries::{self, Range},
        receivers,
    },
};

/// The most deliveries of one page.
const MAX_PER_PAGE: u32 = 100;
/// The most deliveries that one request sends again.
const MAX_REDELIVERED: i64 = 10_000;

/// 200 `{"deliveries": […]}`, newest first, 25 on a page unless `per_page` says otherwise. Filter: `status`,
/// one of `pending`, `delivered`, `dead` and `cancelled`.
pub(super) async fn list(content: Content, caller: Manager, id: WebhookId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = list_parameters(&request, &["status"])?;
    let page = query.page(MAX_PER_PAGE)?;
    let state = query.parsed("status")?;
    let connection = content.store.connection("delivery.list").await?;
    let webhook = webhooks::find(&connection, caller.space(), id).await?.ok_or_else(Fault::not_found)?;
    let (found, breaker) = try_join!(
        deliveries::list(&connection, webhook.receiver, state, page),
        receivers::find_breaker(&connection, webhook.receiver)
    )?;
    let (circuit, now) = (breaker.unwrap_or_default().circuit, content.clock.now());
    let views: Vec<_> = found.items.into_iter().map(|delivery| DeliveryView::of(&caller, delivery, &circuit, now)).collect();
    Ok(ApiResponse::ok(&envelope::wrap("deliveries", views))?.paged(found.total, page))
}

/// 202 with a test delivery, which is sent like any other. 409 while the webhook is paused.
pub(super) async fn ping(content: Content, caller: Manager, id: WebhookId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let queued = content.execute(&caller, PingWebhook(id)).await?;
    accepted(&content, &caller, queued)
}

/// 202 with the delivery, which is pending again, with the same id and bytes and five new attempts. 409 while
/// it is pending, and once its body is no longer kept.
pub(super) async fn redeliver(
    content: Content,
    caller: Manager,
    webhook: WebhookId,
    id: DeliveryId,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let queued = content.execute(&caller, Redeliver { webhook, id }).await?;
    accepted(&content, &caller, queued)
}

/// Of `{from, to, status?}`: 202 with the number of deliveries that are pending again: those created from
/// `from` on and before `to`, delivered or dead unless `status` names one of the two; at most 10,000 at once,
/// the oldest first.
pub(super) async fn redeliver_range(
    content: Content,
    caller: Manager,
    webhook: WebhookId,
    mut request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let range = request.json::<RangeBody>(DEFAULT_LIMIT).await?.range()?;
    let command = RedeliverRange { webhook, range };
    let count = content.execute(&caller, command).await?;
    ApiResponse::json(StatusCode::ACCEPTED, &json!({ "redelivering": count }))
}

fn accepted(content: &Content, caller: &Manager, queued: QueuedDelivery) -> Result<ApiResponse, Fault> {
    let view = DeliveryView::of(caller, queued.delivery, &queued.circuit, content.clock.now());
    ApiResponse::json(StatusCode::ACCEPTED, &envelope::wrap("delivery", view))
}

#[derive(Deserialize)]
struct RangeBody {
    from: Option<String>,
    to: Option<String>,
    status: Option<String>,
}

impl RangeBody {
    fn range(self) -> Result<Range, Fault> {
        let time = |field: &'static str, text: Option<String>| {
            let text = text.ok_or_else(|| Fault::invalid(field, FieldCode::Blank, "can't be blank"))?;
            timestamp::parse(field, &text)
        };
        let (from, to) = (time("from", self.from)?, time("to", self.to)?);
        if from >= to {
            return Err(Fault::invalid("to", FieldCode::Invalid, "must be after from"));
        }
        let state = match self.status.as_deref().map(str::parse) {
            None => None,
            Some(Ok(state @ (State::Delivered | State::Dead | State::Cancelled))) => Some(state),
            Some(_) => return Err(Fault::invalid("status", FieldCode::Invalid, "must be delivered, dead or cancelled")),
        };
        Ok(Range { from, to, state, limit: MAX_REDELIVERED })
    }
}

#[cfg(test)]
mod tests {
    use super::RangeBody;

    #[test]
    fn a_range_has_two_ends_in_order() {
        let read = |body: &str| serde_json::from_str::<RangeBody>(body).unwrap().range();
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
