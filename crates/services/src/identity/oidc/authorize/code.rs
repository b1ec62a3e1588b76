//! Issuing an authorization code: the grant, the code, and what the person has consented to, in one
//! transaction.

use super::interactions::{self, StoredInteraction};
use crate::identity::{RequestContext, oidc::OidcContext};
use crypto::opaque_token;
use domain::{
    identity::{
        oidc::{
            AuthorizationRequest, ClaimsRequest, Client, Consent, Scope,
            interaction::Confirmation,
            lifetimes,
            scope::OFFLINE_ACCESS,
            user_claims::{needed_scopes, restricted},
        },
        one_time::Kind,
    },
    shared::Fault,
};
use futures_util::try_join;
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;
use storage::{
    Result as StoreResult, Tx,
    identity::{
        AuditSource, audit,
        oidc::{
            authorization::SignedInPerson,
            consents,
            grants::{self, Grant},
            remembered_consents,
        },
        one_time::{self, Hash, NewOneTime},
    },
    shared::sessions::SessionClaims,
    transact,
};

/// Issues a code.
pub(super) struct IssueCode {
    grant: Grant,
    code: NewOneTime,
    token: SecretString,
    /// What the person has consented to in this interaction.
    consent: Option<Scope>,
    /// The browser that is to remember it, by the hash of its device cookie.
    remembered_by: Option<Hash>,
    interaction: Option<StoredInteraction>,
    source: AuditSource,
}

impl IssueCode {
    /// Prepares grant and code of a request that nothing stands in the way of any more.
    pub(super) fn new(
        ctx: &OidcContext,
        client: &Client,
        request: AuthorizationRequest,
        person: &SignedInPerson,
        session: SessionClaims,
        interaction: Option<StoredInteraction>,
        context: &RequestContext,
    ) -> Result<Self, Fault> {
        let at = context.at();
        let user = person.facts.user;
        let confirmed = interaction.as_ref().and_then(|stored| stored.interaction.progress.confirmed_by(user));
        let consent = confirmed.and_then(|confirmed: &Confirmation| confirmed.granted.clone());
        let is_remembered = confirmed.is_some_and(|confirmed| confirmed.remember);
        let may_be_remembered = is_remembered && client.asks_each_time(&request.target.redirect_uri);
        let remembered_by = context.device.hash.filter(|_| may_be_remembered);
        let (scope, claims) = granted(client, &request, &person.facts.consented, consent.as_ref());
        let is_offline = scope.has(OFFLINE_ACCESS);
        let lives_for =
            if is_offline { lifetimes::REFRESH_FAMILY } else { lifetimes::CODE + ctx.settings.access_token_ttl(client) };
        let id = ctx.identity.entropy.uuid();
        let (token, hash) = opaque_token::generate(ctx.identity.entropy.as_ref());
        let payload = json!({ "redirectUri": request.target.redirect_uri, "codeChallenge": request.code_challenge, "dpopJkt": request.dpop_jkt });
        let session_id = Some(session.session);
        let code = NewOneTime { session: session_id, payload, ..NewOneTime::of(Kind::AuthorizationCode, user, hash, id, at) };
        let grant = Grant {
            id,
            client_id: client.id.clone(),
            user,
            session: session_id,
            scope,
            resources: request.resources,
            claims,
            nonce: request.nonce,
            auth_at: person.facts.auth_at,
            methods: person.facts.methods.clone(),
            is_offline,
            created_at: at,
            expires_at: at.checked_add(lives_for).map_err(|error| Fault::internal(format!("grant expiry: {error}")))?,
        };
        Ok(Self { grant, code, token, consent, remembered_by, interaction, source: context.source.clone() })
    }

    /// Writes both and answers the code. 404 when the interaction was finished by another request at this
    /// moment.
    pub(super) async fn run(&self, ctx: &OidcContext) -> Result<String, Fault> {
        transact!(ctx.identity, "oidc.issue_code", async |tx| {
            let at = self.source.at;
            let consume = async {
                match &self.interaction {
                    Some(stored) => interactions::consume(tx, &stored.hash, at).await,
                    None => Ok(()),
                }
            };
            let note = async {
                match self.grant.session {
                    Some(session) => grants::note_session_client(tx, session, &self.grant.client_id, at).await,
                    None => Ok(()),
                }
            };
            let (grant, code) = (grants::insert(tx, &self.grant), one_time::add(tx, &self.code));
            try_join!(consume, grant, code, note, self.record_consent(tx)).map(|_| ())
        })
        .await?;
        Ok(self.token.expose_secret().to_owned())
    }

    async fn record_consent(&self, tx: &Tx<'_>) -> StoreResult<()> {
        let Some(scope) = &self.consent else { return Ok(()) };
        let (user, client_id) = (self.grant.user, &self.grant.client_id);
        let details = json!({ "clientId": client_id, "scope": scope.to_string() });
        let attempt = self.source.attempt(Some(user)).client(client_id);
        let remember = async {
            match &self.remembered_by {
                Some(device) => remembered_consents::remember(tx, user, device, client_id, scope, self.source.at).await,
                None => Ok(()),
            }
        };
        try_join!(
            consents::add(tx, user, client_id, scope, self.source.at),
            remember,
            audit::record_with(tx, audit::Event::OidcConsentGranted, &details, attempt)
        )
        .map(|_| ())
    }
}

/// What is granted: all that was asked for; of a client that needs consent, what the person has consented to.
/// A claim that was asked for by name needs the scope that it belongs to.
fn granted(client: &Client, request: &AuthorizationRequest, consented: &Scope, now: Option<&Scope>) -> (Scope, ClaimsRequest) {
    let needed = needed_scopes(&request.scope, &request.claims);
    let allowed = match (now, client.consent) {
        (Some(now), _) => needed.filtered(|name| now.has(name)),
        (None, Consent::Explicit) => needed.filtered(|name| consented.has(name)),
        (None, Consent::Implicit) => needed.filtered(|name| client.allows_scope(name)),
    };
    (request.scope.filtered(|name| allowed.has(name)), restricted(request.claims.clone(), &allowed))
}
