//! Asking browsers about passkeys, and taking up what they answer: each question once, whatever the answer.

use super::Identity;
use crate::web::{Answer, SignedIn};
use crypto::{
    link,
    passkeys::{Assertion, Key, Known, Refused, Started},
};
use domain::{
    identity::one_time::Kind as OneTime,
    shared::{Detail, Fault},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use storage::identity::{
    one_time::NewOneTime,
    passkeys::{
        StoredPasskey, Use,
        challenge::{Answered, Ask},
    },
};

/// What is kept between a question and its answer.
#[derive(Serialize, Deserialize)]
pub(super) struct Question {
    /// What the check of the answer needs.
    pub(super) state: Value,
    /// What a new passkey is to be called.
    pub(super) name: Option<String>,
}

#[derive(Serialize)]
struct Asked {
    options: Value,
    challenge: String,
}

impl Identity {
    /// Asks a browser. Who is signed in has to answer from the same session.
    pub(super) async fn ask(
        &self,
        kind: OneTime,
        signed_in: Option<SignedIn>,
        started: Started,
        name: Option<String>,
    ) -> Result<Answer, Fault> {
        let Started { options, challenge, kept } = started;
        let hash = link::hash(&challenge).ok_or_else(|| Fault::internal("a challenge of another length"))?;
        let question = Question { state: kept, name };
        let row = NewOneTime {
            id: self.entropy.uuid(),
            kind,
            hash,
            user: signed_in.map(|it| it.user),
            session: signed_in.map(|it| it.session),
            payload: serde_json::to_value(&question).map_err(|error| Fault::internal(format!("question: {error}")))?,
            attempts: None,
            at: self.clock.now(),
        };
        self.store.run(&Ask(row)).await?;
        Answer::ok(&Asked { options, challenge })
    }

    /// Uses up the question that is answered. `None` when its time is over, or it was answered before, or asked for something else or of another
    /// session, or `sent` names another one.
    pub(super) async fn answered(
        &self,
        kind: OneTime,
        signed_in: Option<SignedIn>,
        challenge: &str,
        sent: Option<&str>,
    ) -> Result<Option<Question>, Fault> {
        let Some(hash) = link::hash(challenge).filter(|_| sent.is_none_or(|it| it == challenge)) else { return Ok(None) };
        let taken = self.store.run(&Answered { kind, hash, at: self.clock.now() }).await?;
        let who = signed_in.map(|it| (it.user, it.session)).unzip();
        let Some(taken) = taken.filter(|it| (it.user, it.session) == who) else { return Ok(None) };
        serde_json::from_value(taken.payload).map(Some).map_err(|error| Fault::internal(format!("question: {error}")))
    }

    /// What a right answer of a passkey amounts to.
    pub(super) fn check(&self, question: &Question, answer: &Assertion, stored: &StoredPasskey) -> Result<Use, Refused> {
        let key = Key { credential: &stored.credential, sign_count: stored.sign_count, is_backed_up: stored.passkey.is_backed_up };
        let seen = self.passkeys.finish_authentication(answer, &question.state, key)?;
        Ok(Use { id: stored.passkey.id, user: stored.user, sign_count: seen.sign_count, is_backed_up: seen.is_backed_up })
    }
}

/// The passkeys of an account as browsers are told of them.
pub(super) fn known(stored: &[StoredPasskey]) -> Vec<Known<'_>> {
    stored.iter().map(|it| Known { credential_id: &it.credential_id, transports: &it.passkey.transports }).collect()
}

/// What the browser answered; 400 `validation` when nothing was sent.
pub(super) fn credential(sent: Option<Value>) -> Result<Value, Fault> {
    sent.filter(|it| !it.is_null()).ok_or_else(|| {
        let detail = Detail { field: "credential".to_owned(), code: "blank", message: "is required".to_owned() };
        Fault::bad_request("validation", "Send what the browser answered as credential").about(vec![detail])
    })
}
