//! What an authorization request needs before a code is issued: nothing, a page for the person, or a refusal.

use super::{
    AuthorizationRequest, Client, Consent, Scope, acr, authorization_request::PromptValue, error::access_denied,
    interaction::InteractionProgress, roles, user_claims::needed_scopes,
};
use crate::{
    identity::Email,
    shared::{Code, Fault, UserId},
};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

/// What is known of a signed-in person.
#[derive(Debug, Clone)]
pub struct SessionFacts {
    pub user: UserId,
    pub email: String,
    /// When the person authenticated.
    pub auth_at: Timestamp,
    /// How (RFC 8176).
    pub methods: Vec<String>,
    /// Whether the account has an authenticator app.
    pub has_totp: bool,
    /// Whether the account has a passkey.
    pub has_passkey: bool,
    /// The roles at the client.
    pub roles: Vec<String>,
    /// The scopes that the person has consented to before.
    pub consented: Scope,
    /// The scopes that this browser remembers for the client, for requests that may show no page.
    pub remembered: Scope,
}

/// The page that a person has to see.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Prompt {
    Login,
    Create,
    SelectAccount,
    /// Being told that a role is missing.
    LoginRole,
    Consent,
}

/// Why the page is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// No person is signed in.
    NoSession,
    /// The client asked for it by `prompt`.
    Prompt,
    /// The sign-in is older than `max_age`.
    MaxAge,
    /// The client expects another person.
    OtherUser,
    /// The client asked for a stronger authentication, which the person can give.
    Acr,
    /// `login_hint` names another account.
    LoginHint,
    /// The person has none of the roles that the client demands.
    RoleMissing,
    /// Scopes were not consented to.
    ScopesMissing,
    /// The client is an app on a device, which any other program there may pretend to be.
    NativeApp,
}

/// What comes next.
#[derive(Debug, Clone)]
pub enum AuthorizationStep {
    /// A code can be issued.
    Issue,
    /// The person has to see a page.
    Ask(Prompt, Reason),
    /// The client is refused.
    Refuse(Fault),
}

/// Decides what comes next. `progress` is that of the interaction, if one has begun. A request with
/// `prompt=none` is never answered with a page.
pub fn next_step(
    request: &AuthorizationRequest,
    client: &Client,
    session: Option<&SessionFacts>,
    progress: Option<&InteractionProgress>,
    now: Timestamp,
) -> AuthorizationStep {
    if progress.is_some_and(|progress| progress.is_refused) {
        return AuthorizationStep::Refuse(access_denied("The person refused"));
    }
    let Some(session) = session else {
        let is_registration = request.prompts_for(PromptValue::Create);
        let prompt = if is_registration { Prompt::Create } else { Prompt::Login };
        return silently(request, prompt, Reason::NoSession);
    };
    let situation = Situation { request, client, session, progress, now };
    if let Some(fault) = situation.unreachable_acr() {
        return AuthorizationStep::Refuse(fault);
    }
    let pending = situation.sign_in().or_else(|| situation.account()).or_else(|| situation.role()).or_else(|| situation.consent());
    pending.map_or(AuthorizationStep::Issue, |(prompt, reason)| silently(request, prompt, reason))
}

/// Shows a page, or refuses where none may be shown (OpenID Connect Core 1.0, section 3.1.2.6).
fn silently(request: &AuthorizationRequest, prompt: Prompt, reason: Reason) -> AuthorizationStep {
    if !request.prompts_for(PromptValue::None) {
        return AuthorizationStep::Ask(prompt, reason);
    }
    AuthorizationStep::Refuse(match prompt {
        Prompt::Consent if reason == Reason::NativeApp => {
            Fault::new(Code::InteractionRequired, "The person is asked each time before this app may sign in")
        }
        Prompt::Login | Prompt::Create => Fault::new(Code::LoginRequired, "The person has to sign in"),
        Prompt::SelectAccount => Fault::new(Code::AccountSelectionRequired, "The person has to choose an account"),
        Prompt::LoginRole => access_denied("The person has none of the roles that this client demands"),
        Prompt::Consent => Fault::new(Code::ConsentRequired, "The person has to consent"),
    })
}

struct Situation<'a> {
    request: &'a AuthorizationRequest,
    client: &'a Client,
    session: &'a SessionFacts,
    progress: Option<&'a InteractionProgress>,
    now: Timestamp,
}

impl Situation<'_> {
    /// Whether the person has signed in since the interaction began: that meets every wish for a new sign-in.
    fn is_fresh(&self) -> bool {
        self.progress.is_some_and(|progress| self.session.auth_at >= progress.started_at)
    }

    fn sign_in(&self) -> Option<(Prompt, Reason)> {
        let request = self.request;
        if self.is_other_user() {
            return Some((Prompt::Login, Reason::OtherUser));
        }
        if self.is_fresh() {
            return None;
        }
        if request.prompts_for(PromptValue::Create) {
            return Some((Prompt::Create, Reason::Prompt));
        }
        if request.prompts_for(PromptValue::Login) {
            return Some((Prompt::Login, Reason::Prompt));
        }
        let age = self.now.duration_since(self.session.auth_at).as_secs();
        // max_age=0 is a wish for a new sign-in, also within the second of the last one (OpenID Connect Core
        // 1.0, section 3.1.2.1).
        if request.max_age.is_some_and(|max_age| max_age == 0 || age > i64::from(max_age)) {
            return Some((Prompt::Login, Reason::MaxAge));
        }
        self.can_step_up().then_some((Prompt::Login, Reason::Acr))
    }

    /// Whether the client expects another person, by `id_token_hint` or by the `sub` that it asks for.
    fn is_other_user(&self) -> bool {
        let user = self.session.user;
        let is_hinted_other = self.request.hinted_user.is_some_and(|hinted| hinted != user);
        let wanted = self.request.claims.id_token.get("sub").map(|claim| claim.values.as_slice()).unwrap_or_default();
        is_hinted_other || !wanted.is_empty() && !wanted.contains(&Value::String(user.to_string()))
    }

    /// The classes that the client asks for, and whether it cannot go on without one of them.
    fn wanted_acr(&self) -> (Vec<&str>, bool) {
        match self.request.claims.id_token.get("acr") {
            Some(claim) if !claim.values.is_empty() => (claim.values.iter().filter_map(Value::as_str).collect(), claim.essential),
            _ => (self.request.acr_values.iter().map(String::as_str).collect(), false),
        }
    }

    fn meets_acr(&self, wanted: &[&str]) -> bool {
        let achieved = acr::of_methods(&self.session.methods);
        wanted.is_empty() || wanted.iter().any(|wanted| acr::meets(achieved, wanted))
    }

    /// Whether one of the classes that the client asks for is not met, and the person has the means for one.
    fn can_step_up(&self) -> bool {
        let (wanted, _) = self.wanted_acr();
        let session = self.session;
        !self.meets_acr(&wanted) && wanted.iter().any(|wanted| acr::is_within_reach(wanted, session.has_totp, session.has_passkey))
    }

    /// The refusal of a client that cannot go on without a class that the person has no means for, or has not
    /// used in a new sign-in.
    fn unreachable_acr(&self) -> Option<Fault> {
        let (wanted, is_essential) = self.wanted_acr();
        if !is_essential || self.meets_acr(&wanted) || self.can_step_up() && !self.is_fresh() {
            return None;
        }
        let description = "The person cannot authenticate as strongly as the client demands";
        Some(Fault::new(Code::UnmetAuthenticationRequirements, description))
    }

    fn account(&self) -> Option<(Prompt, Reason)> {
        let is_confirmed = self.progress.is_some_and(|progress| progress.confirmed_by(self.session.user).is_some());
        if self.is_fresh() || is_confirmed {
            return None;
        }
        if self.request.prompts_for(PromptValue::SelectAccount) {
            return Some((Prompt::SelectAccount, Reason::Prompt));
        }
        // What is no address cannot be that of the session.
        let is_other = |hint: &String| Email::parse(hint).is_none_or(|email| email.as_str() != self.session.email);
        let names_other = self.request.login_hint.as_ref().is_some_and(is_other);
        names_other.then_some((Prompt::SelectAccount, Reason::LoginHint))
    }

    fn role(&self) -> Option<(Prompt, Reason)> {
        let may_sign_in = roles::may_sign_in(self.client, &self.session.roles);
        (!may_sign_in).then_some((Prompt::LoginRole, Reason::RoleMissing))
    }

    fn consent(&self) -> Option<(Prompt, Reason)> {
        let confirmed = self.progress.and_then(|progress| progress.confirmed_by(self.session.user));
        if confirmed.is_some_and(|confirmation| confirmation.granted.is_some()) {
            return None;
        }
        if self.request.prompts_for(PromptValue::Consent) {
            return Some((Prompt::Consent, Reason::Prompt));
        }
        let needed = needed_scopes(&self.request.scope, &self.request.claims);
        if self.client.asks_each_time(&self.request.target.redirect_uri) {
            let is_remembered = self.request.prompts_for(PromptValue::None) && needed.is_within(&self.session.remembered);
            return (!is_remembered).then_some((Prompt::Consent, Reason::NativeApp));
        }
        let is_missing = self.client.consent == Consent::Explicit && !needed.is_within(&self.session.consented);
        is_missing.then_some((Prompt::Consent, Reason::ScopesMissing))
    }
}

#[cfg(test)]
mod tests;
