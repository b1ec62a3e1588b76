//! The people of a space: its members, and those who are invited to become one.
//!
//! One of the admins is the owner. A space that has people has an admin: the last one can neither leave nor
//! become something else. Only a deleted account leaves its spaces in any case, and then a space may be left
//! without an owner.

use super::{Role, checks::Checks};
use crate::shared::{Code, Email, Fault, FieldCode, MemberId, Person, UserId, email};
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;

/// For how long the link of an invitation is good.
pub const INVITED_FOR: SignedDuration = SignedDuration::from_hours(7 * 24);
/// The most people of a space, with those who are invited.
pub const MAX_PEOPLE: i64 = 1000;

/// A person with a role in a space.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    pub id: MemberId,
    pub user: UserId,
    pub role: Role,
    /// Since when they have the role.
    pub role_since: Timestamp,
}

/// A member with the account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedMember {
    pub member: Member,
    pub person: Person,
}

/// An invitation to become a member, by a link to a mail address. It can be taken once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invitation {
    /// The id that the membership will have.
    pub id: MemberId,
    /// The account that takes it must have this address.
    pub email: String,
    pub role: Role,
    /// The member who sent it; `None` when that account is gone, and for a token that acts for no person.
    pub invited_by: Option<UserId>,
    pub expires_at: Timestamp,
}

/// The person who leads a space after a change of its people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextOwner {
    /// The same as before.
    Unchanged,
    /// The admin who has been one longest; `None` when there is no other.
    Passes(Option<UserId>),
}

/// What becomes of a space when a person stops being one of its admins, by leaving it or by another role.
/// `members` are all of them.
pub fn next_owner(members: &[Member], owner: Option<UserId>, leaving: UserId) -> NextOwner {
    if owner != Some(leaving) {
        return NextOwner::Unchanged;
    }
    let others = members.iter().filter(|member| member.role == Role::Admin && member.user != leaving);
    NextOwner::Passes(others.min_by_key(|member| (member.role_since, member.id)).map(|member| member.user))
}

/// 409 `lastAdmin` when this person is the only admin.
pub fn keep_an_admin(members: &[Member], leaving: UserId) -> Result<(), Fault> {
    let is_admin = |member: &&Member| member.role == Role::Admin;
    if members.iter().filter(is_admin).all(|admin| admin.user == leaving) && members.iter().any(|member| member.user == leaving) {
        let message = "This is the only administrator of the space; make another member one first";
        return Err(Fault::new(Code::LastAdmin, message));
    }
    Ok(())
}

/// The body of a request that invites a person, or changes the role of one.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct MemberRequest {
    email: Option<String>,
    role: Option<String>,
}

impl MemberRequest {
    /// The address and the role of an invitation; 422 for what is missing or invalid.
    pub fn invitation(&self) -> Result<(Email, Role), Fault> {
        let mut checks = Checks::default();
        let email = email::parse_field("email", self.email.as_deref())
            .map_err(|invalid| checks.refuse(invalid.field, invalid.code, invalid.message))
            .ok();
        let role = self.checked_role(&mut checks);
        checks.finish()?;
        email.zip(role).ok_or_else(|| Fault::internal("an invitation without an error has no address or no role"))
    }

    /// The new role of a member; 422 without one.
    pub fn role(&self) -> Result<Role, Fault> {
        let mut checks = Checks::default();
        let role = self.checked_role(&mut checks);
        checks.finish()?;
        role.ok_or_else(|| Fault::internal("a role without an error is none"))
    }

    fn checked_role(&self, checks: &mut Checks) -> Option<Role> {
        let role = self.role.as_deref().and_then(|name| name.parse().ok());
        if role.is_none() {
            checks.refuse("role", FieldCode::Invalid, "must be admin, editor or viewer");
        }
        role
    }
}

#[cfg(test)]
mod tests {
    use super::{Member, MemberRequest, NextOwner, keep_an_admin, next_owner};
    use crate::{
        content::Role,
        shared::{MemberId, UserId},
    };
    use jiff::Timestamp;
    use uuid::Uuid;

    fn user(number: u128) -> UserId {
        UserId(Uuid::from_u128(number))
    }

    fn member(number: u128, role: Role, since: i64) -> Member {
        let id = MemberId(i64::try_from(number).unwrap());
        Member { id, user: user(number), role, role_since: Timestamp::from_second(since).unwrap() }
    }

    #[test]
    fn the_admin_who_has_been_one_longest_owns_the_space_next() {
        let members = [
            member(1, Role::Admin, 0),
            member(2, Role::Admin, 30),
            member(3, Role::Admin, 20),
            member(4, Role::Admin, 20),
            member(5, Role::Editor, 10),
        ];
        assert_eq!(next_owner(&members, Some(user(1)), user(1)), NextOwner::Passes(Some(user(3))));
        assert_eq!(next_owner(&members, Some(user(1)), user(2)), NextOwner::Unchanged);
        assert_eq!(next_owner(&members, None, user(2)), NextOwner::Unchanged);
        assert_eq!(next_owner(&members[..1], Some(user(1)), user(1)), NextOwner::Passes(None));
    }

    #[test]
    fn the_last_admin_stays() {
        let members = [member(1, Role::Admin, 0), member(2, Role::Editor, 0), member(3, Role::Viewer, 0)];
        let refusal = |members: &[Member], leaving| keep_an_admin(members, leaving).map_err(|fault| fault.code.name());
        assert_eq!(refusal(&members, user(1)), Err("lastAdmin"));
        assert_eq!(refusal(&[member(1, Role::Admin, 0), member(2, Role::Admin, 0)], user(1)), Ok(()));
    }

    #[test]
    fn wrong_requests_are_refused_by_field() {
        let request = |body: &str| serde_json::from_str::<MemberRequest>(body).unwrap();
        let fields = |body: &str| {
            request(body).invitation().map_err(|fault| fault.details.into_iter().map(|detail| detail.field).collect::<Vec<_>>())
        };
        assert_eq!(fields("{}"), Err(vec!["email".to_owned(), "role".to_owned()]));
        assert_eq!(fields(r#"{"email":"ann","role":"editor"}"#), Err(vec!["email".to_owned()]));
        assert_eq!(fields(r#"{"email":"ann@example.org","role":"owner"}"#), Err(vec!["role".to_owned()]));
        let (email, role) = request(r#"{"email":" Ann@Example.org","role":"viewer"}"#).invitation().unwrap();
        assert_eq!((email.as_str(), role), ("ann@example.org", Role::Viewer));
        assert!(request(r#"{"role":"multi"}"#).role().is_err());
    }
}
