//! `POST /api/v1/spaces/{space}/import/vendor` `{source_space_id, oauth_token, region, dry_run?, webhooks?}`: 202 with the import, which runs as a job.

use super::{token, view::ImportView};
use crate::{
    content::{
        Content,
        management::{access, below_space, wrapper},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, body::DEFAULT_LIMIT, endpoint::respond, request::api_request},
};
use actors::content::importer::{commands::StartImport, sealed_for};
use domain::{
    content::{Checks, Right, import::SourceRef},
    shared::{Fault, SpaceId, json::switch},
};
use http::StatusCode;
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use serde_json::Value;
use warp::Filter;

/// The regions of the hosted service (facts, section 2.1).
const REGIONS: [&str; 5] = ["eu", "us", "ca", "ap", "cn"];
/// Numbers beyond this are no numbers of JSON.
const MAX_ID: i64 = (1 << 53) - 1;

#[derive(Default, Deserialize)]
#[serde(default)]
struct Body {
    source_space_id: Value,
    #[serde(deserialize_with = "token::read")]
    oauth_token: Option<SecretString>,
    region: Option<String>,
    dry_run: Value,
    webhooks: Value,
}

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    below_space("import")
        .and(warp::path!("vendor"))
        .and(warp::post())
        .and(api_request())
        .then(move |space, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, start(content.clone(), space, request))
        })
        .boxed()
}

async fn start(content: Content, space: SpaceId, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let by = access::manager(&content, &request, space, Right::Administer).await?;
    let query = request.query()?;
    query.only(&["dry_run", "webhooks"])?;
    let body: Body = request.json(DEFAULT_LIMIT).await?;
    let dry_run = query.flag("dry_run")? || switch("dry_run", &body.dry_run)?;
    let webhooks = query.flag("webhooks")? || switch("webhooks", &body.webhooks)?;
    let (source, token) = body.checked()?;
    let sealed = content.import_seal.seal(&sealed_for(space), token.expose_secret().as_bytes(), content.entropy.as_ref())?;
    let write = StartImport { source, dry_run, webhooks, sealed_token: Some(sealed), by: by.clone() };
    let import = content.spaces.execute(space, by, request.origin(), write).await?;
    ApiResponse::json(StatusCode::ACCEPTED, &wrapper::put("import", ImportView::of(&import)))
}

impl Body {
    /// The source and its token; 422 with every field that is at fault.
    fn checked(self) -> Result<(SourceRef, SecretString), Fault> {
        let mut checks = Checks::default();
        let space_id = match &self.source_space_id {
            Value::Number(number) => number.as_i64(),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        };
        let space_id = space_id.filter(|id| (1..=MAX_ID).contains(id));
        match (&self.source_space_id, space_id) {
            (Value::Null, _) => checks.refuse("source_space_id", "blank", "can't be blank"),
            (_, None) => checks.refuse("source_space_id", "invalid", "must be the number of a space"),
            _ => {}
        }
        let token = token::checked(self.oauth_token, &mut checks);
        let region = self.region.unwrap_or_default();
        if region.is_empty() {
            checks.refuse("region", "blank", "can't be blank");
        } else if !REGIONS.contains(&region.as_str()) {
            checks.refuse("region", "unknown", "must be one of eu, us, ca, ap, cn");
        }
        checks.finish()?;
        Ok((SourceRef::Vendor { region, space_id: space_id.unwrap_or_default() }, token))
    }
}

#[cfg(test)]
mod tests {
    use super::Body;
    use serde_json::json;

    #[test]
    fn each_field_at_fault_is_named_and_no_token_is_repeated() {
        let faults = |body: serde_json::Value| {
            let fault = serde_json::from_value::<Body>(body).unwrap().checked().unwrap_err();
            assert!(!format!("{fault:?}").contains("secret"));
            fault.details.iter().map(|detail| format!("{} {}", detail.field, detail.code)).collect::<Vec<_>>()
        };
        assert_eq!(faults(json!({})), ["source_space_id blank", "oauth_token blank", "region blank"]);
        let wrong = json!({"source_space_id": 0, "oauth_token": "secret\nsecret", "region": "EU"});
        assert_eq!(faults(wrong), ["source_space_id invalid", "oauth_token invalid", "region unknown"]);
        assert_eq!(
            faults(json!({"source_space_id": "9007199254740992", "oauth_token": "t", "region": "eu"})),
            ["source_space_id invalid"]
        );
        for id in [json!(606), json!("606"), json!(9_007_199_254_740_991_i64)] {
            let body = json!({"source_space_id": id, "oauth_token": " Bearer x ", "region": "cn"});
            assert!(serde_json::from_value::<Body>(body).unwrap().checked().is_ok());
        }
    }
}
