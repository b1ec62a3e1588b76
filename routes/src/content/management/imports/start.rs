//! Starts an import of a Storyblok space, and resumes one that stopped. Both are answered at once; the import
//! runs as a job.

use super::{KEY, source_token, view::ImportView};
use crate::{
    content::{
        Content,
        management::{access::Manager, envelope},
    },
    web::{ApiRequest, ApiResponse, body::DEFAULT_LIMIT},
};
use domain::{
    content::{Checks, import::SourceRef},
    shared::{
        Fault, FieldCode, ImportId, SpaceId,
        json::{switch, whole_number},
    },
};
use http::StatusCode;
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use serde_json::Value;
use services::content::import::{
    jobs::{ResumeImport, StartImport},
    source_token::seal_context,
};

/// Storyblok's regions.
const REGIONS: [&str; 5] = ["eu", "us", "ca", "ap", "cn"];
/// The largest integer that JSON carries exactly (RFC 8259, section 6).
const MAX_ID: i64 = (1 << 53) - 1;

#[derive(Default, Deserialize)]
#[serde(default)]
struct StartImportBody {
    source_space_id: Value,
    #[serde(deserialize_with = "source_token::read")]
    oauth_token: Option<SecretString>,
    region: Option<String>,
    dry_run: Value,
    webhooks: Value,
}

/// Of `{source_space_id, oauth_token, region, dry_run?, webhooks?}`: 202 with the import.
pub(super) async fn start(content: Content, caller: Manager, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = request.query()?;
    query.only(&["dry_run", "webhooks"])?;
    let body: StartImportBody = request.json(DEFAULT_LIMIT).await?;
    let dry_run = query.flag("dry_run")? || switch("dry_run", &body.dry_run)?;
    let webhooks = query.flag("webhooks")? || switch("webhooks", &body.webhooks)?;
    let (source, token) = body.checked()?;
    let sealed_token = Some(seal(&content, caller.space(), &token)?);
    let command = StartImport { source, dry_run, webhooks, sealed_token };
    let import = content.execute(&caller, command).await?;
    ApiResponse::json(StatusCode::ACCEPTED, &envelope::wrap(KEY, ImportView::of(&import)))
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ResumeBody {
    #[serde(deserialize_with = "source_token::read")]
    oauth_token: Option<SecretString>,
}

/// Of `{oauth_token}`: 202 with an import that failed or was cancelled, which continues where it stopped.
pub(super) async fn resume(content: Content, caller: Manager, id: ImportId, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let body: ResumeBody = request.json(DEFAULT_LIMIT).await?;
    let mut checks = Checks::default();
    let token = source_token::checked(body.oauth_token, &mut checks);
    checks.finish()?;
    let sealed_token = seal(&content, caller.space(), &token)?;
    let command = ResumeImport { id, sealed_token };
    let import = content.execute(&caller, command).await?;
    ApiResponse::json(StatusCode::ACCEPTED, &envelope::wrap(KEY, ImportView::of(&import)))
}

/// Encrypts the token, so that the import can be taken over by another process without it lying in the
/// database in the clear.
fn seal(content: &Content, space: SpaceId, token: &SecretString) -> Result<Vec<u8>, Fault> {
    content.import_seal.seal(&seal_context(space), token.expose_secret().as_bytes(), content.entropy.as_ref())
}

impl StartImportBody {
    /// The source and its token; 422 with every field that is at fault.
    fn checked(self) -> Result<(SourceRef, SecretString), Fault> {
        let mut checks = Checks::default();
        let space_id = whole_number(&self.source_space_id).filter(|id| (1..=MAX_ID).contains(id));
        match (&self.source_space_id, space_id) {
            (Value::Null, _) => checks.refuse("source_space_id", FieldCode::Blank, "can't be blank"),
            (_, None) => checks.refuse("source_space_id", FieldCode::Invalid, "must be the number of a space"),
            _ => {}
        }
        let token = source_token::checked(self.oauth_token, &mut checks);
        let region = self.region.unwrap_or_default();
        if region.is_empty() {
            checks.refuse("region", FieldCode::Blank, "can't be blank");
        } else if !REGIONS.contains(&region.as_str()) {
            checks.refuse("region", FieldCode::Unknown, "must be one of eu, us, ca, ap, cn");
        }
        checks.finish()?;
        Ok((SourceRef::Vendor { region, space_id: space_id.unwrap_or_default() }, token))
    }
}

#[cfg(test)]
mod tests {
    use super::StartImportBody;
    use serde_json::json;

    #[test]
    fn each_field_at_fault_is_named_and_no_token_is_repeated() {
        let faults = |body: serde_json::Value| {
            let fault = serde_json::from_value::<StartImportBody>(body).unwrap().checked().unwrap_err();
            assert!(!format!("{fault:?}").contains("secret"));
            fault.details.iter().map(|detail| format!("{} {}", detail.field, detail.code.name())).collect::<Vec<_>>()
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
            assert!(serde_json::from_value::<StartImportBody>(body).unwrap().checked().is_ok());
        }
    }
}
