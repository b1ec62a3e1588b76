//! Asking browsers about passkeys, and taking up what they answer: each question once, whatever the answer.

use super::Identity;
use crate::web::{ApiResponse, SignedIn, csrf::Binding};
use crypto::{
    link,
    passkeys::{self, Assertion, Key, Known, Refused, Started},
    token,
};
use domain::{identity::one_time::Kind as OneTime, shared::Fault};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use storage::identity::{
    one_time::{NewOneTime, OneTimeToken},
    passkeys::{
        StoredPasskey, Use,
        challenge::{Answered, Ask},
    },
};

/// Who is asked. Nobody else may answer.
#[derive(Clone, Copy)]
pub(super) enum Asked<'a> {
    /// Who is signed in, in that session.
    SignedIn(SignedIn),
    /// A browser of nobody knows whom yet: what its CSRF tokens are bound to.
    Browser(&'a Binding),
}

/// What is kept between a question and its answer.
#[derive(Serialize, Deserialize)]
pub(super) struct Question {
    /// What the check of the answer needs.
    pub(super) state: Value,
    /// What a new passkey is to be called.
    pub(super) name: Option<String>,
    /// Who was asked, where that is a browser: a hash.
    browser: Option<String>,
}

#[derive(Serialize)]
struct Asking {
    options: Value,
    challenge: String,
}

impl Identity {
    /// Asks.
    pub(super) async fn ask(
        &self,
        kind: OneTime,
        who: Asked<'_>,
        started: Started,
        name: Option<String>,
    ) -> Result<ApiResponse, Fault> {
        let Started { options, challenge, kept } = started;
        let hash = link::hash(&challenge).ok_or_else(|| Fault::internal("a challenge of another length"))?;
        let (signed_in, browser) = self.asked(who);
        let question = Question { state: kept, name, browser };
        let row = NewOneTime {
            id: self.ctx.entropy.uuid(),
            kind,
            hash,
            user: signed_in.map(|signed_in| signed_in.user),
            session: signed_in.map(|signed_in| signed_in.session),
            payload: serde_json::to_value(&question).map_err(|error| Fault::internal(format!("question: {error}")))?,
            attempts: None,
            at: self.ctx.clock.now(),
        };
        self.ctx.store.transact(&Ask(row)).await?;
        ApiResponse::ok(&Asking { options, challenge })
    }

    /// Uses up the question that is answered, before anybody looks whether the rest of the answer can be read. `None` when its time is over, or it
    /// was answered before, or asked for something else or of somebody else, or `sent` names another one, which is used up as well.
    pub(super) async fn answered(
        &self,
        kind: OneTime,
        who: Asked<'_>,
        credential: &Value,
        sent: Option<&str>,
    ) -> Result<Option<Question>, Fault> {
        let within = passkeys::challenge_of(credential);
        let taken = self.use_up(kind, within.as_deref()).await?;
        if sent.is_some() && sent != within.as_deref() {
            self.use_up(kind, sent).await?;
            return Ok(None);
        }
        let (signed_in, browser) = self.asked(who);
        let owner = signed_in.map(|signed_in| (signed_in.user, signed_in.session)).unzip();
        let Some(taken) = taken.filter(|taken| (taken.user, taken.session) == owner) else { return Ok(None) };
        let question: Question =
            serde_json::from_value(taken.payload).map_err(|error| Fault::internal(format!("question: {error}")))?;
        let is_asked = match (&question.browser, &browser) {
            (Some(one), Some(other)) => token::same(one.as_bytes(), other.as_bytes()),
            (one, other) => one.is_none() && other.is_none(),
        };
        Ok(Some(question).filter(|_| is_asked))
    }

    async fn use_up(&self, kind: OneTime, challenge: Option<&str>) -> Result<Option<OneTimeToken>, Fault> {
        let Some(hash) = challenge.and_then(link::hash) else { return Ok(None) };
        Ok(self.ctx.store.transact(&Answered { kind, hash, at: self.ctx.clock.now() }).await?)
    }

    /// Who is asked, as it is kept.
    fn asked(&self, who: Asked<'_>) -> (Option<SignedIn>, Option<String>) {
        match who {
            Asked::SignedIn(signed_in) => (Some(signed_in), None),
            Asked::Browser(binding) => (None, Some(self.ctx.secrets.browser(&binding.to_string()))),
        }
    }

    /// What a right answer of a passkey amounts to.
    pub(super) fn check(&self, question: &Question, answer: &Assertion, stored: &StoredPasskey) -> Result<Use, Refused> {
        let key = Key { credential: &stored.credential, sign_count: stored.sign_count, is_backed_up: stored.passkey.is_backed_up };
        let seen = self.ctx.passkeys.finish_authentication(answer, &question.state, key)?;
        Ok(Use { id: stored.passkey.id, user: stored.user, sign_count: seen.sign_count, is_backed_up: seen.is_backed_up })
    }
}

/// The passkeys of an account as browsers are told of them.
pub(super) fn known(stored: &[StoredPasskey]) -> Vec<Known<'_>> {
    stored.iter().map(|s| Known { credential_id: &s.credential_id, transports: &s.passkey.transports }).collect()
}

/// What the browser answered; 400 `validation` when nothing was sent.
pub(super) fn credential(sent: Option<Value>) -> Result<Value, Fault> {
    let missing = || Fault::required("credential", "Send what the browser answered as credential");
    sent.filter(|sent| !sent.is_null()).ok_or_else(missing)
}
