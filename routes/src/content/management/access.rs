//! Who may call a management endpoint.
//!
//! | rule in the table | the caller |
//! |---|---|
//! | `Right::…` | a management token of the space whose role has the right, or a member by session |
//! | `Changing(Right::…)` | the same for a GET that changes something |
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
    shared::{Fault, SpaceId, TokenId, TokenKind},
};
use futures_util::FutureExt;
use http::{Method, StatusCode, header};
use services::{
    content::{
        Authorized,
        access::{self, Intent},
    },
    shared::{NewTokenNotice, TokenMaker},
};
use std::sync::Arc;
use storage::{
    content::{
        management_tokens::{self, Bearer},
        members,
    },
    shared::sessions,
};
use strum::VariantArray;

/// A caller who may do what the endpoint does in this space.
pub struct Manager {
    /// What the caller may do, and in which space.
    pub authorized: Authorized,
    /// What the caller came with.
    pub credential: Credential,
}

impl Manager {
    /// The space that the caller may do it in.
    pub(in crate::content) fn space(&self) -> SpaceId {
        self.authorized.space()
    }

    /// What the owner of the space is told of a token that the caller makes.
    pub(super) fn notice(&self, content: &Content, request: &ApiRequest, kind: TokenKind, name: &str) -> NewTokenNotice {
        let maker = match self.credential {
            Credential::Token(_) => TokenMaker::Token(self.authorized.actor().label.clone()),
            Credential::Session(_) => TokenMaker::Person(request.header(header::USER_AGENT).map(str::to_owned)),
        };
        let mails = Arc::clone(&content.mails);
        NewTokenNotice { kind, name: name.to_owned(), maker, ip: request.meta.ip, mails }
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
                        Ok(active.is_some() && members::find_role(&connection, space, signed_in.user).await?.is_some())
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
    /// The session of a member.
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

/// By a management token whose role has the right: `Authorization: Bearer <token>`, or the token alone, as
/// Storyblok's clients send it. Without `Authorization`, by the session of a member whose role has it, with
/// the CSRF token, but for GET.
///
/// 401 without a valid token or an active session; 404 in a space that is not the caller's, so that spaces
/// cannot be probed; 403 when the role does not have the right.
impl Access<Content> for Right {
    type Scope = (SpaceId,);
    type Caller = Manager;

    fn security(&self, method: &Method) -> Security {
        security(intent_of(method))
    }

    fn refusals(&self, method: &Method) -> Vec<StatusCode> {
        refusals(*self, intent_of(method))
    }

    fn roles(&self) -> Vec<&'static str> {
        Role::VARIANTS.iter().filter(|role| role.may(*self)).map(Role::into_str).collect()
    }

    async fn authorize(&self, content: &Content, request: &ApiRequest, (space,): (SpaceId,)) -> Result<Manager, Fault> {
        authorize(content, request, space, *self, intent_of(&request.method)).await
    }
}

/// The same for what changes something whatever the method is. Storyblok has GETs that do, and a link leads a
/// browser to a GET with the cookie of its session: so they need the CSRF token as well.
#[derive(Clone, Copy)]
pub(super) struct Changing(pub(super) Right);

impl Access<Content> for Changing {
    type Scope = (SpaceId,);
    type Caller = Manager;

    fn security(&self, _: &Method) -> Security {
        security(Intent::Change)
    }

    fn refusals(&self, _: &Method) -> Vec<StatusCode> {
        refusals(self.0, Intent::Change)
    }

    fn roles(&self) -> Vec<&'static str> {
        self.0.roles()
    }

    async fn authorize(&self, content: &Content, request: &ApiRequest, (space,): (SpaceId,)) -> Result<Manager, Fault> {
        authorize(content, request, space, self.0, Intent::Change).await
    }
}

fn intent_of(method: &Method) -> Intent {
    if *method == Method::GET { Intent::Read } else { Intent::Change }
}

fn security(intent: Intent) -> Security {
    match intent {
        Intent::Read => &[&["session"], &["managementToken"]],
        Intent::Change => &[&["session", "csrf"], &["managementToken"]],
    }
}

fn refusals(right: Right, intent: Intent) -> Vec<StatusCode> {
    let mut refusals = vec![StatusCode::UNAUTHORIZED, StatusCode::NOT_FOUND];
    if intent == Intent::Change || right.roles().len() < Role::VARIANTS.len() {
        refusals.push(StatusCode::FORBIDDEN);
    }
    refusals
}

async fn authorize(
    content: &Content,
    request: &ApiRequest,
    space: SpaceId,
    right: Right,
    intent: Intent,
) -> Result<Manager, Fault> {
    let (authorized, credential) = if request.headers.contains_key(header::AUTHORIZATION) {
        let bearer = bearer(content, request).await?;
        (Authorized::by_token(&bearer, space, request.origin())?, Credential::Token(bearer.id))
    } else {
        let signed_in = match intent {
            Intent::Read => content.sessions.signed_in(request).await?,
            Intent::Change => content.sessions.signed_in_with_csrf(request).await?,
        };
        let connection = content.store.shared("member.find_role").await?;
        let authorized = Authorized::by_membership(&connection, signed_in.user, space, intent, request.origin()).await?;
        (authorized, Credential::Session(signed_in))
    };
    authorized.require(right)?;
    Ok(Manager { authorized, credential })
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
        security(intent_of(method))
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
