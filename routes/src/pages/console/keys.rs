//! `/admin/keys…`: the signing keys, and what an administrator does with them.

use super::{Administrator, ApiRequest, ApiResponse, Form, Pages, confirm::confirm, done, refuse};
use domain::shared::Fault;
use pages::{
    Problems,
    console::{
        keys::{KeyRow, KeysView, confirm as confirmation, keys_page},
        operations_text::OperationsText,
    },
};
use services::identity::admin::rotate_keys::{ManualRotation, list_keys};
use storage::identity::oidc::signing_keys::StoredKey;

/// The page.
pub(super) async fn show(pages: Pages, administrator: Administrator, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = request.query()?;
    let (stored, rotatable_from) = list_keys(&pages.identity.oidc.keys).await?;
    let now = stored.now;
    let row = |stored: StoredKey| KeyRow {
        is_published: stored.key.stage.is_published(now),
        kid: stored.key.kid,
        algorithm: stored.key.algorithm.into_str(),
        stage: stored.key.stage,
        created_at: stored.created_at,
        activated_at: stored.activated_at,
        retired_at: stored.retired_at,
    };
    let known = [("rotate", OperationsText::KeysRotated), ("replace", OperationsText::KeysReplaced)];
    let view = KeysView {
        done: done(administrator.visitor.language(), &query, &known),
        keys: stored.keys.into_iter().rev().map(row).collect(),
        rotatable_from: Some(rotatable_from).filter(|from| *from > now),
    };
    Ok(administrator.ok(&pages, |console| keys_page(console, &view)))
}

/// The page that asks before the next keys take over.
pub(super) async fn show_rotate(pages: Pages, administrator: Administrator, _: ApiRequest) -> Result<ApiResponse, Fault> {
    Ok(ask(&pages, administrator, false))
}

/// The page that asks before compromised keys are replaced.
pub(super) async fn show_replace(pages: Pages, administrator: Administrator, _: ApiRequest) -> Result<ApiResponse, Fault> {
    Ok(ask(&pages, administrator, true))
}

fn ask(pages: &Pages, administrator: Administrator, is_compromised: bool) -> ApiResponse {
    let proof = administrator.proof();
    administrator.ok(pages, |console| confirmation(console, &Problems::default(), proof, is_compromised))
}

/// Lets the next keys take over.
pub(super) async fn rotate(pages: Pages, administrator: Administrator, request: ApiRequest) -> Result<ApiResponse, Fault> {
    act(pages, administrator, request, false).await
}

/// Replaces compromised keys.
pub(super) async fn replace(pages: Pages, administrator: Administrator, request: ApiRequest) -> Result<ApiResponse, Fault> {
    act(pages, administrator, request, true).await
}

async fn act(
    pages: Pages,
    administrator: Administrator,
    mut request: ApiRequest,
    is_compromised: bool,
) -> Result<ApiResponse, Fault> {
    let form = Form::read(&pages, &administrator.visitor, &mut request).await?;
    let context = pages.identity.request_context(&request);
    let rotated = async {
        confirm(&pages, &context, &administrator, &form).await?;
        let (stored, _) = list_keys(&pages.identity.oidc.keys).await?;
        let rotation = ManualRotation {
            administrator: administrator.claims(),
            source: context.source.clone(),
            is_compromised,
            asked_at: stored.now,
        };
        pages.identity.actors.key_rotations.rotate(rotation).await
    };
    match Box::pin(rotated).await {
        Ok(()) => ApiResponse::see_other(if is_compromised { "/admin/keys?done=replace" } else { "/admin/keys?done=rotate" }),
        Err(fault) => {
            let proof = administrator.proof();
            refuse(&pages, administrator, fault, &["password"], |console, problems| {
                confirmation(console, &problems, proof, is_compromised)
            })
        }
    }
}
