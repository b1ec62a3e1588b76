//! The claims about a person (OpenID Connect Core 1.0, sections 5.1 and 5.4). A claim without a value is left
//! out.

use super::{
    ClaimsRequest, Scope,
    scope::{EMAIL, PROFILE, ROLES},
};
use crate::shared::UserId;
use jiff::Timestamp;
use serde_json::{Map, Value, json};

/// The claims that can be asked for, with the scope that grants each.
pub const BY_SCOPE: [(&str, &str); 9] = [
    ("name", PROFILE),
    ("given_name", PROFILE),
    ("family_name", PROFILE),
    ("preferred_username", PROFILE),
    ("locale", PROFILE),
    ("updated_at", PROFILE),
    ("email", EMAIL),
    ("email_verified", EMAIL),
    ("roles", ROLES),
];

/// What is told of a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// The account, which is the subject.
    pub id: UserId,
    pub email: String,
    /// Whether the mail address is proved.
    pub email_verified: bool,
    /// The first name.
    pub first_name: String,
    /// The last name.
    pub last_name: Option<String>,
    /// The name that the person is called by.
    pub display_name: Option<String>,
    pub locale: String,
    /// When one of these changed last.
    pub updated_at: Timestamp,
    /// The roles at the client, as [`super::roles`] gives them.
    pub roles: Vec<String>,
}

impl Person {
    /// The name that is shown.
    pub fn name(&self) -> String {
        match (&self.display_name, &self.last_name) {
            (Some(name), _) => name.clone(),
            (None, Some(last)) => format!("{} {last}", self.first_name),
            (None, None) => self.first_name.clone(),
        }
    }

    /// The value of a claim; `None` for one that is unknown or has no value.
    fn claim(&self, name: &str) -> Option<Value> {
        match name {
            "name" => Some(json!(self.name())),
            "given_name" => Some(json!(self.first_name)),
            "family_name" => self.last_name.as_ref().map(|last| json!(last)),
            "preferred_username" | "email" => Some(json!(self.email)),
            "locale" => Some(json!(self.locale)),
            "updated_at" => Some(json!(self.updated_at.as_second())),
            "email_verified" => Some(json!(self.email_verified)),
            "roles" => Some(json!(self.roles)),
            _ => None,
        }
    }

    /// The claims that a scope grants, and those that are asked for by name and pass `allows`.
    fn claims<'a>(&self, grants: impl Fn(&str) -> bool, by_name: impl Iterator<Item = &'a str>) -> Map<String, Value> {
        let granted = BY_SCOPE.iter().filter(|(_, scope)| grants(scope)).map(|(name, _)| *name);
        granted.chain(by_name).filter_map(|name| Some((name.to_owned(), self.claim(name)?))).collect()
    }

    /// The claims of the userinfo endpoint.
    pub fn userinfo(&self, scope: &Scope, request: &ClaimsRequest) -> Map<String, Value> {
        let mut claims = Map::from_iter([("sub".to_owned(), json!(self.id))]);
        claims.extend(self.claims(|name| scope.has(name), request.userinfo.keys().map(String::as_str)));
        claims
    }

    /// The claims of an ID token about the person: the roles, and what was asked for by name; all that the
    /// scope grants where `has_all`.
    pub fn id_token(&self, scope: &Scope, request: &ClaimsRequest, has_all: bool) -> Map<String, Value> {
        self.claims(|name| scope.has(name) && (has_all || name == ROLES), request.id_token.keys().map(String::as_str))
    }
}

/// The scopes that a request needs: those that it names, and those of the claims that it asks for by name.
pub fn needed_scopes(scope: &Scope, request: &ClaimsRequest) -> Scope {
    let mut needed = scope.clone();
    for name in request.names() {
        if let Some((_, scope)) = BY_SCOPE.iter().find(|(claim, _)| *claim == name) {
            needed.add(scope);
        }
    }
    needed
}

/// A request without the claims whose scopes were not granted.
pub fn restricted(request: ClaimsRequest, granted: &Scope) -> ClaimsRequest {
    let keeps = |name: &String| BY_SCOPE.iter().find(|(claim, _)| claim == name).is_none_or(|(_, scope)| granted.has(scope));
    let ClaimsRequest { mut userinfo, mut id_token } = request;
    userinfo.retain(|name, _| keeps(name));
    id_token.retain(|name, _| keeps(name));
    ClaimsRequest { userinfo, id_token }
}

#[cfg(test)]
mod tests {
    use super::{ClaimsRequest, Person, Scope, needed_scopes, restricted};
    use crate::shared::UserId;
    use jiff::Timestamp;
    use serde_json::json;
    use uuid::Uuid;

    fn ada() -> Person {
        Person {
            id: UserId(Uuid::nil()),
            email: "ada@example.org".to_owned(),
            email_verified: true,
            first_name: "Ada".to_owned(),
            last_name: None,
            display_name: None,
            locale: "en".to_owned(),
            updated_at: Timestamp::from_second(1_795_249_200).unwrap(),
            roles: vec!["editor".to_owned()],
        }
    }

    #[test]
    fn a_scope_grants_its_claims_and_an_absent_value_is_left_out() {
        let claims = ada().userinfo(&Scope::of(["openid", "profile"]), &ClaimsRequest::default());
        let expected = json!({"sub": "00000000-0000-0000-0000-000000000000", "name": "Ada", "given_name": "Ada",
            "preferred_username": "ada@example.org", "locale": "en", "updated_at": 1_795_249_200});
        assert_eq!(json!(claims), expected);
    }

    #[test]
    fn an_id_token_tells_roles_and_what_was_asked_for_by_name() {
        let scope = Scope::of(["openid", "email", "roles"]);
        let asked = ClaimsRequest::parse(r#"{"id_token":{"name":null,"sub":null,"iss":null,"exp":null}}"#).unwrap();
        assert_eq!(json!(ada().id_token(&scope, &asked, false)), json!({"roles": ["editor"], "name": "Ada"}));
        assert!(ada().id_token(&scope, &asked, true).contains_key("email"));
    }

    #[test]
    fn a_claim_by_name_needs_the_scope_that_grants_it() {
        let asked = ClaimsRequest::parse(r#"{"userinfo":{"email":null,"name":null,"acr":null}}"#).unwrap();
        let needed = needed_scopes(&Scope::of(["openid"]), &asked);
        assert_eq!(needed.to_string(), "openid email profile");
        let restricted = restricted(asked, &Scope::of(["openid", "email"]));
        assert_eq!(restricted.names().collect::<Vec<_>>(), ["acr", "email"]);
    }
}
