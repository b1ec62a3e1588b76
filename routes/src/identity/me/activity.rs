//! `GET /api/me/activity`: the latest events of the account, such as sign-ins, changes of the password and exports.

use crate::{
    identity::{Identity, export::EntryView},
    web::{ApiRequest, ApiResponse, SignedIn},
};
use domain::shared::{Fault, FieldCode};
use serde::Serialize;
use std::num::IntErrorKind;
use storage::identity::audit;

/// The number of entries without `limit`.
const DEFAULT_LIMIT: i64 = 20;
/// The highest `limit`; more is lowered to it.
const MAX_LIMIT: i64 = 100;

#[derive(Serialize)]
struct Activity {
    activity: Vec<EntryView>,
    limit: i64,
}

/// 200 with the latest entries of the audit trail, the newest first.
pub(super) async fn activity(identity: Identity, signed_in: SignedIn, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let limit = match request.query()?.get("limit") {
        None | Some("") => DEFAULT_LIMIT,
        Some(text) => match text.parse::<u32>() {
            Ok(number) if number >= 1 => i64::from(number).min(MAX_LIMIT),
            Err(error) if *error.kind() == IntErrorKind::PosOverflow => MAX_LIMIT,
            _ => return Err(Fault::invalid("limit", FieldCode::Invalid, "must be a whole number of at least 1")),
        },
    };
    let connection = identity.ctx.store.connection("account.activity").await?;
    let entries = audit::activity(&connection, signed_in.user, limit).await?;
    ApiResponse::ok(&Activity { activity: entries.into_iter().map(EntryView::from).collect(), limit })
}
