//! `/admin/blocks`: who is refused just now, and lifting that.

use super::{Administrator, ApiRequest, ApiResponse, Form, Pages, done, problems};
use crate::pages::status;
use domain::{identity::admin::BlockId, shared::Fault};
use http::StatusCode;
use pages::{
    Problems,
    console::{
        blocks::{BlockRow, BlocksView, blocks_page},
        operations_text::OperationsText,
    },
};
use services::identity::admin::blocks::{Block, lift_block, list_blocks};

/// The page.
pub(super) async fn show(pages: Pages, administrator: Administrator, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = request.query()?;
    let notice = done(administrator.visitor.language(), &query, &[("lifted", OperationsText::BlockLifted)]);
    render(&pages, administrator, (notice, Problems::default(), StatusCode::OK)).await
}

/// Lifts a block. It takes nothing away from anyone, so it asks for no proof.
pub(super) async fn lift(pages: Pages, administrator: Administrator, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let form = Form::read(&pages, &administrator.visitor, &mut request).await?;
    let context = pages.identity.request_context(&request);
    let lifted = async {
        let id: BlockId = form.text("id").parse().map_err(|()| Fault::not_found())?;
        lift_block(pages.identity.acting(&context, administrator.claims()), &id).await
    };
    match Box::pin(lifted).await {
        Ok(()) => ApiResponse::see_other("/admin/blocks?done=lifted"),
        Err(fault) => {
            let (fault, shown) = problems(&administrator, fault, &[])?;
            render(&pages, administrator, (None, shown, status(&fault))).await
        }
    }
}

async fn render(
    pages: &Pages,
    administrator: Administrator,
    (done, problems, code): (Option<String>, Problems, StatusCode),
) -> Result<ApiResponse, Fault> {
    let blocks = list_blocks(&pages.identity.ctx).await?;
    let view = BlocksView { done, problems, blocks: blocks.into_iter().map(row).collect() };
    Ok(administrator.page(pages, code, |console| blocks_page(console, &view)))
}

fn row(block: Block) -> BlockRow {
    BlockRow {
        id: block.id.to_string(),
        limit: block.limit,
        target: block.target,
        user: block.user.map(|account| (account.id.to_string(), account.email.as_str().to_owned())),
        caller: block.caller,
        failures: block.failures,
        is_of_process: matches!(block.id, BlockId::Process { .. }),
        until: block.until,
    }
}
