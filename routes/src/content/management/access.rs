//! Who may call a management endpoint.
//!
//! | rule in the table | the caller |
//! |---|---|
//! | `Right::…` | a management token of the space whose role has the right |
//! | `OwnerOr(Right::…)` | the same, and the space's owner by session |
//! | `AnySpace` | any management token, or any signed-in person |

use crate::{
    content::Content,
    web::{
        ApiRequest, HasSession,
        access::{Access, Security},
        event_stream,
        session::{BySession, SignedIn},
    },
};
use domain::{
    content::{Right, Role},
    shared::{Fault, SpaceId, TokenId, TokenKind, UserId},
};
use futures_util::FutureExt;
use http::{Method, StatusCode, header};
use services::{
    content::{Authorized, access},
    shared::{NewTokenNotice, TokenMaker},
};
use std::sync::Arc;
use storage::{
    content::{
        management_tokens::{self, Bearer},
        spaces,
    },
    shared::sessions,
};
use strum::VariantArray;

const TOKEN: Security = &[&["managementToken"]];

/// A caller who may do what the endpoint does in this space.
pub struct Manager {
    /// What the caller may do, and in which space.
    pub authorized: Authorized,
    /// The person on whose behalf the caller acts: the owner, or the one who made the token. `None` when
    /// neither is known.
    pub person: Option<UserId>,
    /// What the caller came with.
    pub credential: Credential,
}

impl Manager {
    /// The space that the caller may do it in.
    pub(super) fn space(&self) -> SpaceId {
        self.authorized.space()
    }

    /// What the owner of the space is told of a token that the caller makes.
    pub(super) fn notice(&self, content: &Content, request: &ApiRequest, kind: TokenKind, name: &str) -> NewTokenNotice {
        let maker = match self.credential {
            Credential::Token(_) => TokenMaker::Token(self.authorized.actor().label.clone()),
            Credential::Session(_) => TokenMaker::Person(request.header(header::USER_AGENT).map(str::to_owned)),
        };
        let notices = Arc::clone(&content.owner_notices);
        NewTokenNotice { kind, name: name.to_owned(), maker, ip: request.meta.ip, notices }
    }

    /// Whether the credential of the caller still opens the space, for a stream that outlives its request.
    pub(super) fn check(&self, content: &Content) -> event_stream::Check {
        let (content, space, credential) = (content.clone(), self.space(), self.credential);
        Arc::new(move || {
            let content = content.clone();
            async move {
                match credential {
                    Credential::Token(id) => {
                        let connection = content.store.connection("token.is_valid").await?;
                        Ok(management_tokens::is_valid(&connection, space, id).await?)
                    }
                    Credential::Session(signed_in) => {
                        let connection = content.store.connection("session.find").await?;
                        let active = sessions::find_active(&connection, signed_in.claims(), content.clock.now()).await?;
                        Ok(active.is_some() && spaces::is_owned_by(&connection, space, signed_in.user).await?)
                    }
                }
            }
            .boxed()
        })
    }
}

/// What a caller came with.
#[derive(Clone, Copy)]
pub enum Credential {
    /// A management token of the space.
    Token(TokenId),
    /// The session of its owner.
    Session(SignedIn),
}

impl HasSession for Manager {
    fn session(&self) -> Option<&SignedIn> {
        match &self.credential {
            Credential::Session(signed_in) => Some(signed_in),
            Credential::Token(_) => None,
        }
    }
}

/// By a management token that has the right: `Authorization: Bearer <token>`, or the token alone, as
/// Storyblok's clients send it.
///
/// 401 without a valid token; 404 for a token of another space, so that spaces cannot be probed; 403 when the
/// role does not have the right.
impl Access<Content> for Right {
    type Scope = (SpaceId,);
    type Caller = Manager;

    fn security(&self, _: &Method) -> Security {
        TOKEN
    }

    fn refusals(&self, _: &Method) -> Vec<StatusCode> {
        let mut refusals = vec![StatusCode::UNAUTHORIZED, StatusCode::NOT_FOUND];
        if !Role::VARIANTS.iter().all(|role| role.may(*self)) {
            refusals.push(StatusCode::FORBIDDEN);
        }
        refusals
    }

    fn roles(&self) -> Vec<&'static str> {
        Role::VARIANTS.iter().filter(|role| role.may(*self)).map(Role::into_str).collect()
    }

    async fn authorize(&self, content: &Content, request: &ApiRequest, (space,): (SpaceId,)) -> Result<Manager, Fault> {
        let bearer = bearer(content, request).await?;
        let authorized = Authorized::by_token(&bearer, space, request.origin())?;
        authorized.require(*self)?;
        Ok(Manager { authorized, person: bearer.created_by, credential: Credential::Token(bearer.id) })
    }
}

/// By a token that has the right; without `Authorization`, by the session of the space's owner (and the CSRF
/// token, but for GET).
///
/// 401 without an active session; 404 when the space belongs to another account.
#[derive(Clone, Copy)]
pub(super) struct OwnerOr(pub(super) Right);

impl Access<Content> for OwnerOr {
    type Scope = (SpaceId,);
    type Caller = Manager;

    fn security(&self, method: &Method) -> Security {
        if *method == Method::GET { &[&["session"], &["managementToken"]] } else { &[&["session", "csrf"], &["managementToken"]] }
    }

    fn refusals(&self, method: &Method) -> Vec<StatusCode> {
        let mut refusals = self.0.refusals(method);
        if *method != Method::GET {
            refusals.push(StatusCode::FORBIDDEN);
        }
        refusals
    }

    fn roles(&self) -> Vec<&'static str> {
        self.0.roles()
    }

    async fn authorize(&self, content: &Content, request: &ApiRequest, (space,): (SpaceId,)) -> Result<Manager, Fault> {
        if request.headers.contains_key(header::AUTHORIZATION) {
            return self.0.authorize(content, request, (space,)).await;
        }
        let signed_in = BySession.authorize(content, request, ()).await?;
        let connection = content.store.connection("space.find").await?;
        let authorized = Authorized::by_ownership(&connection, signed_in.user, space, request.origin()).await?;
        authorized.require(self.0)?;
        Ok(Manager { authorized, person: Some(signed_in.user), credential: Credential::Session(signed_in) })
    }
}

/// By any management token; without `Authorization`, by a session.
#[derive(Clone, Copy)]
pub(super) struct AnySpace;

/// A caller of an endpoint that is about no space in particular.
pub(super) enum TokenOrPerson {
    Token(Bearer),
    Person(SignedIn),
}

impl Access<Content> for AnySpace {
    type Scope = ();
    type Caller = TokenOrPerson;

    fn security(&self, method: &Method) -> Security {
        OwnerOr(Right::Read).security(method)
    }

    fn refusals(&self, method: &Method) -> Vec<StatusCode> {
        <BySession as Access<Content>>::refusals(&BySession, method)
    }

    async fn authorize(&self, content: &Content, request: &ApiRequest, (): ()) -> Result<TokenOrPerson, Fault> {
        if request.headers.contains_key(header::AUTHORIZATION) {
            return Ok(TokenOrPerson::Token(bearer(content, request).await?));
        }
        Ok(TokenOrPerson::Person(BySession.authorize(content, request, ()).await?))
    }
}

/// The token that a request carries; 401 without a valid one.
async fn bearer(content: &Content, request: &ApiRequest) -> Result<Bearer, Fault> {
    let presented = request.header(header::AUTHORIZATION).ok_or_else(Fault::unauthorized)?;
    let token = request.bearer().unwrap_or(presented.trim());
    let hash = content.token_keys.management.hash(token);
    access::find_bearer(&content.store, &hash).await
}
