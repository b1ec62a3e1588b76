//! The people of a space, as Storyblok's collaborators: its members, and those who are invited.
//!
//! An invitation is a link in a mail. While mail is off the answer holds the link instead, and whoever
//! invites passes it on.

mod view;

use super::{
    access::Manager,
    envelope,
    paginate::{list_parameters, paginate},
};
use crate::{
    content::Content,
    web::{ApiRequest, ApiResponse, Endpoints, ErrorFormat, body::DEFAULT_LIMIT, proved},
};
use domain::{
    content::{
        Invitation, Right,
        member::{MemberRequest, NamedMember},
    },
    shared::{Fault, MemberId},
};
use secrecy::ExposeSecret;
use serde_json::Value;
use services::{
    content::members::{ChangeRole, Invite, RemovePerson},
    shared::InvitationMail,
};
use std::sync::Arc;
use storage::content::{invitations, members};
use view::{invited, member};

const KEY: &str = "collaborator";

/// The endpoints below `/api/v1/spaces/{space}/collaborators`.
pub(super) fn endpoints(content: &Content) -> Endpoints<Content> {
    Endpoints::new(content, ErrorFormat::Management)
        .get("/api/v1/spaces/{space}/collaborators", Right::Read, list)
        .post("/api/v1/spaces/{space}/collaborators", proved(Right::Administer), invite)
        .put("/api/v1/spaces/{space}/collaborators/{id}", proved(Right::Administer), change)
        // Members may leave, whatever their role is.
        .delete("/api/v1/spaces/{space}/collaborators/{id}", Right::Read, remove)
}

/// 200 `{"collaborators": […]}`: the members by the time of their joining, then the invitations. Filter:
/// `search` (in names, and in the addresses of invitations). Only administrators see mail addresses.
async fn list(content: Content, caller: Manager, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = list_parameters(&request, &["search"])?;
    let search = query.search("search")?.map(|text| text.to_lowercase());
    let matches = |name: &str| search.as_ref().is_none_or(|text| name.to_lowercase().contains(text));
    let people = people(&content, &caller).await?;
    let members = people.members.iter().filter(|found| matches(&found.person.friendly_name())).map(|found| member(&caller, found));
    let invited = people
        .invitations
        .iter()
        .filter(|invitation| matches(&invitation.email))
        .map(|invitation| people.invited(&caller, invitation, None));
    let views: Vec<Value> = members.chain(invited).collect();
    let total = i64::try_from(views.len()).unwrap_or_default();
    let page = query.page(100)?;
    let found = paginate(&query, views)?;
    Ok(ApiResponse::ok(&envelope::wrap("collaborators", found.items))?.paged(total, page))
}

/// Of `{email, role}`, which may be wrapped in `collaborator`: 200 with the invitation, whose link is mailed;
/// while mail is off it is `link` in the answer. An address that is invited already gets a new link. 422
/// `alreadyMember` for the address of a member; the answer to any other is the same whether it has an
/// account.
async fn invite(content: Content, caller: Manager, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let (email, role) = envelope::read_or_bare::<MemberRequest>(&mut request, KEY, DEFAULT_LIMIT).await?.0.invitation()?;
    let (token, hash) = crypto::opaque_token::generate(content.entropy.as_ref());
    let link = content.mails.invitation_link(token.expose_secret());
    let mail = InvitationMail {
        to: email.clone(),
        link: link.clone().into(),
        inviter: caller.authorized.person(),
        label: caller.authorized.actor().label.clone(),
    };
    let command = Invite { email, role, hash, mail, mails: Arc::clone(&content.mails) };
    let new = content.execute(&caller, command).await?;
    let link = (!new.is_mailed).then_some(link.as_str());
    let view = people(&content, &caller).await?.invited(&caller, &new.invitation, link);
    ApiResponse::ok(&envelope::wrap(KEY, view))
}

/// Of `{role}`: 200 with the member, who has the role from now on, and so have their tokens where it is the
/// lesser one. 404 for an invitation, which is sent anew instead; 409 `lastAdmin`.
async fn change(content: Content, caller: Manager, id: MemberId, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let role = envelope::read_or_bare::<MemberRequest>(&mut request, KEY, DEFAULT_LIMIT).await?.0.role()?;
    content.execute(&caller, ChangeRole { id, role }).await?;
    let view = people(&content, &caller).await?.find(&caller, id).ok_or_else(Fault::not_found)?;
    ApiResponse::ok(&envelope::wrap(KEY, view))
}

/// 200 with what it was: the person is no member from now on, and the tokens that act for them are revoked;
/// or the invitation is withdrawn. 409 `lastAdmin`.
async fn remove(content: Content, caller: Manager, id: MemberId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let people = people(&content, &caller).await?;
    let view = people.find(&caller, id).ok_or_else(Fault::not_found)?;
    content.execute(&caller, RemovePerson(id)).await?;
    ApiResponse::ok(&envelope::wrap(KEY, view))
}

/// The people of a space: its members, and those who are invited.
struct People {
    members: Vec<NamedMember>,
    invitations: Vec<Invitation>,
}

async fn people(content: &Content, caller: &Manager) -> Result<People, Fault> {
    let connection = content.store.connection("member.list").await?;
    let members = members::list(&connection, caller.space()).await?;
    let invitations = invitations::list(&connection, caller.space(), content.clock.now()).await?;
    Ok(People { members, invitations })
}

impl People {
    fn find(&self, caller: &Manager, id: MemberId) -> Option<Value> {
        let found = self.members.iter().find(|found| found.member.id == id).map(|found| member(caller, found));
        found.or_else(|| {
            let invitation = self.invitations.iter().find(|invitation| invitation.id == id)?;
            Some(self.invited(caller, invitation, None))
        })
    }

    fn invited(&self, caller: &Manager, invitation: &Invitation, link: Option<&str>) -> Value {
        let inviter = self.members.iter().find(|found| Some(found.member.user) == invitation.invited_by);
        invited(caller, invitation, inviter, link)
    }
}
