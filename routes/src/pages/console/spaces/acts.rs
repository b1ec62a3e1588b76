//! `/admin/spaces/{space}/owner` and `…/undelete`: once the consequences were named. No proof is asked for,
//! as by the API.

use crate::{
    pages::{
        Form, Pages,
        console::{Administrator, refuse},
    },
    web::{ApiRequest, ApiResponse},
};
use domain::shared::{Code, Detail, Fault, FieldCode, Kind, SpaceId};
use pages::{
    Problems,
    account::proof::Proof,
    console::space_act::{SpaceAct, space_act_page},
};
use services::identity::admin::spaces::{self, NewOwner, find_space};

/// The page that asks for an owner; 404.
pub(in crate::pages::console) async fn show_owner(
    pages: Pages,
    administrator: Administrator,
    space: SpaceId,
    _: ApiRequest,
) -> Result<ApiResponse, Fault> {
    show(&pages, administrator, space, SpaceAct::GiveOwner).await
}

/// The page that asks before a space comes back; 404.
pub(in crate::pages::console) async fn show_undelete(
    pages: Pages,
    administrator: Administrator,
    space: SpaceId,
    _: ApiRequest,
) -> Result<ApiResponse, Fault> {
    show(&pages, administrator, space, SpaceAct::Undelete).await
}

async fn show(pages: &Pages, administrator: Administrator, space: SpaceId, act: SpaceAct) -> Result<ApiResponse, Fault> {
    let space = find_space(&pages.identity.ctx, space).await?;
    Ok(administrator.ok(pages, |console| space_act_page(console, &Problems::default(), Proof::NotAsked, act, (&space, ""))))
}

/// Gives the space an owner: 303 to the list.
pub(in crate::pages::console) async fn give_owner(
    pages: Pages,
    administrator: Administrator,
    space: SpaceId,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    act(&pages, administrator, space, SpaceAct::GiveOwner, request).await
}

/// Brings the space back: 303 to the list.
pub(in crate::pages::console) async fn undelete(
    pages: Pages,
    administrator: Administrator,
    space: SpaceId,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    act(&pages, administrator, space, SpaceAct::Undelete, request).await
}

async fn act(
    pages: &Pages,
    administrator: Administrator,
    space: SpaceId,
    act: SpaceAct,
    mut request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let form = Form::read(pages, &administrator.visitor, &mut request).await?;
    let context = pages.identity.request_context(&request);
    let before = find_space(&pages.identity.ctx, space).await?;
    let done = async {
        match act {
            SpaceAct::GiveOwner => {
                let owner = NewOwner { user_id: None, email: Some(form.text("email").to_owned()) };
                let given = spaces::give_owner(pages.identity.acting(&context, administrator.claims()), space, owner).await;
                given.map_err(unknown_person)?;
                ApiResponse::see_other("/admin/spaces?done=owner")
            }
            SpaceAct::Undelete => {
                spaces::undelete(pages.identity.acting(&context, administrator.claims()), space).await?;
                ApiResponse::see_other("/admin/spaces?done=undelete")
            }
        }
    };
    match Box::pin(done).await {
        Ok(response) => Ok(response),
        Err(fault) => refuse(pages, administrator, fault, &["email"], |console, problems| {
            space_act_page(console, &problems, Proof::NotAsked, act, (&before, form.text("email")))
        }),
    }
}

/// The space is there, so what was not found is the person.
fn unknown_person(fault: Fault) -> Fault {
    if fault.kind() == Kind::NotFound {
        Fault::fields(Code::UnknownPerson, vec![Detail::new("email", FieldCode::UnknownPerson, "belongs to no account")])
    } else {
        fault
    }
}
