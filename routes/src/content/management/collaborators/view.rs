//! Storyblok's shape of a collaborator. What does not exist here has the value that it has at Storyblok for a
//! space that does not use it.

use crate::content::management::access::Manager;
use domain::{
    content::{Invitation, Right, Role, member::NamedMember},
    shared::{MemberId, timestamp},
};
use serde_json::{Value, json};

/// A member: `user` is the person, `invitation` null.
pub(super) fn member(caller: &Manager, found: &NamedMember) -> Value {
    let person = &found.person;
    let (email, number) = (address(caller, &person.email), person.id.number());
    let user = json!({
        "id": number,
        "userid": email.map_or_else(|| number.to_string(), str::to_owned),
        "friendly_name": person.friendly_name(),
        "firstname": person.first_name,
        "lastname": person.last_name,
        "avatar": null,
        "alt_email": null,
        "real_email": email,
        "disabled": false,
    });
    collaborator(caller, found.member.id, found.member.role, Some(number), (user, Value::Null))
}

/// Who is invited: `user` is null. `link` stands in the invitation where it was not mailed.
pub(super) fn invited(caller: &Manager, invitation: &Invitation, inviter: Option<&NamedMember>, link: Option<&str>) -> Value {
    let mut view = json!({
        "email": address(caller, &invitation.email),
        "role": invitation.role,
        "expires_at": timestamp::format(invitation.expires_at),
        "invited_by": inviter.map(|found| json!({ "id": found.person.id.number(), "friendly_name": found.person.friendly_name() })),
    });
    if let (Some(link), Some(members)) = (link, view.as_object_mut()) {
        members.insert("link".to_owned(), json!(link));
    }
    collaborator(caller, invitation.id, invitation.role, None, (Value::Null, view))
}

/// Only administrators see mail addresses.
fn address<'a>(caller: &Manager, email: &'a str) -> Option<&'a str> {
    caller.authorized.may(Right::Administer).then_some(email)
}

fn collaborator(caller: &Manager, id: MemberId, role: Role, user: Option<i64>, (person, invitation): (Value, Value)) -> Value {
    json!({
        "id": id,
        "user_id": user,
        "space_id": caller.space(),
        "role": role,
        "permissions": [],
        "allowed_path": null,
        "field_permissions": [],
        "space_role_id": null,
        "space_role_ids": [],
        "can_act_as_admin": role == Role::Admin,
        "user": person,
        "invitation": invitation,
    })
}
