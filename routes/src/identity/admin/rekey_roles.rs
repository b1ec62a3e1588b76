//! `POST /api/admin/roles/rekey`: moves all assignments of a role group to another name.

use crate::{
    identity::{BODY_LIMIT, Identity},
    web::{ApiRequest, ApiResponse, SignedIn},
};
use domain::shared::{Code, Detail, Fault};
use serde::{Deserialize, Serialize};
use services::identity::admin::roles::rekey_roles;

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct Body {
    from: Option<String>,
    to: Option<String>,
}

#[derive(Serialize)]
struct Rekeyed {
    from: String,
    to: String,
    moved: i64,
}

/// 200 with the number of assignments.
pub(super) async fn rekey(identity: Identity, signed_in: SignedIn, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let body = request.strict_json::<Body>(BODY_LIMIT).await?.read()?;
    let sent = |text: Option<String>| text.filter(|text| !text.is_empty());
    let (Some(from), Some(to)) = (sent(body.from), sent(body.to)) else {
        return Err(Fault::fields(Code::Validation, vec![Detail::required("from"), Detail::required("to")]));
    };
    let moved = rekey_roles(identity.acting(&identity.request_context(&request), signed_in.claims()), (&from, &to)).await?;
    ApiResponse::ok(&Rekeyed { from, to, moved })
}
