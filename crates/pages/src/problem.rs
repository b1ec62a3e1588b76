//! What is wrong with a form, in words: the faults of the use cases as pages tell them.

use crate::{Text, text::Words};
use domain::shared::{Detail, Fault, Kind, Language};

/// What is wrong with a form that was sent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Problems {
    /// What is wrong with the whole, if it is not about fields alone.
    pub summary: Option<String>,
    /// What is wrong with fields: the name of each, and a sentence.
    pub fields: Vec<(String, String)>,
}

impl Problems {
    /// A problem of the whole form.
    pub fn summary(text: impl Into<String>) -> Self {
        Self { summary: Some(text.into()), fields: Vec::new() }
    }

    /// A problem of one field.
    pub fn field(name: &str, text: impl Into<String>) -> Self {
        Self { summary: None, fields: vec![(name.to_owned(), text.into())] }
    }

    /// The fault of a use case. `names` are the fields that the form has, by the names that the use case knows; a fault about another one is told at the
    /// top.
    pub fn of(language: Language, fault: &Fault, names: &[&str]) -> Self {
        let mut problems = Self::default();
        // In the order of the form.
        for name in names {
            for detail in fault.details.iter().filter(|detail| detail.field == *name) {
                problems.add(name, &field_sentence(language, detail));
            }
        }
        if let Some(name) = field_of(fault.code).filter(|name| names.contains(name) && problems.fields.is_empty()) {
            problems.add(name, &sentence(language, fault));
        }
        if problems.fields.is_empty() {
            problems.summary = Some(sentence(language, fault));
        }
        problems
    }

    fn add(&mut self, name: &str, text: &str) {
        match self.fields.iter_mut().find(|(known, _)| known == name) {
            Some((_, sentences)) => {
                sentences.push(' ');
                sentences.push_str(text);
            }
            None => self.fields.push((name.to_owned(), text.to_owned())),
        }
    }

    /// Whether nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.summary.is_none() && self.fields.is_empty()
    }

    /// What is wrong with a field.
    pub fn of_field(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(known, _)| known == name).map(|(_, text)| text.as_str())
    }
}

/// The field that a code is about although its fault names none.
fn field_of(code: &str) -> Option<&'static str> {
    Some(match code {
        "invalidCode" => "code",
        "invalidUserCode" => "user_code",
        "invalidPassword" | "passwordRequired" => "password",
        "currentPasswordRequired" => "currentPassword",
        "passwordReused" => "newPassword",
        "emailTaken" => "email",
        _ => return None,
    })
}

/// A fault as a sentence. For a code without a sentence of its own, that of its kind.
pub(crate) fn sentence(language: Language, fault: &Fault) -> String {
    let [english, german] = match fault.code {
        "accountSuspended" => {
            ["This account is suspended. Ask an administrator.", "Dieses Konto ist gesperrt. Wenden Sie sich an die Verwaltung."]
        }
        "alreadyUsed" | "passwordAlreadySet" => {
            ["This invitation was accepted before. Sign in instead.", "Diese Einladung wurde schon angenommen. Melden Sie sich an."]
        }
        "challengeExpired" => {
            ["That took too long. Please try again.", "Das hat zu lange gedauert. Bitte versuchen Sie es noch einmal."]
        }
        "credentialExists" => ["This passkey is registered already.", "Dieser Passkey ist schon registriert."],
        "currentPasswordRequired" => ["Enter your current password.", "Geben Sie Ihr jetziges Passwort ein."],
        "emailNotVerified" => [
            "Confirm your e-mail address first, by the link that was sent to it.",
            "Bestätigen Sie zuerst Ihre E-Mail-Adresse, mit dem Link, der dorthin geschickt wurde.",
        ],
        "emailTaken" => {
            ["There is an account with this e-mail address already.", "Mit dieser E-Mail-Adresse gibt es schon ein Konto."]
        }
        "invalidAssertion" | "invalidCredential" => [
            "This passkey was not accepted. Try another one, or another way.",
            "Dieser Passkey wurde nicht angenommen. Versuchen Sie einen anderen oder einen anderen Weg.",
        ],
        "invalidAttestation" => [
            "The browser's answer was not accepted. Try again.",
            "Die Antwort des Browsers wurde nicht angenommen. Versuchen Sie es noch einmal.",
        ],
        "invalidCode" => ["The code is wrong, or was used before.", "Der Code ist falsch oder wurde schon benutzt."],
        "invalidCredentials" => {
            ["The e-mail address or the password is wrong.", "Die E-Mail-Adresse oder das Passwort ist falsch."]
        }
        "invalidPassword" => ["The password is wrong.", "Das Passwort ist falsch."],
        "invalidUserCode" => [
            "This code is not valid, or its time is over. Check it, or start again on the device.",
            "Dieser Code gilt nicht, oder seine Zeit ist abgelaufen. Prüfen Sie ihn, oder beginnen Sie am Gerät von vorn.",
        ],
        "invalidToken" => ["This link is not valid any more.", "Dieser Link gilt nicht mehr."],
        "interactionNotFound" => [
            "This sign-in has expired or was finished. Start again at the application that you came from.",
            "Diese Anmeldung ist abgelaufen oder schon beendet. Beginnen Sie bei der Anwendung, von der Sie kommen, von vorn.",
        ],
        "interactionOfOtherBrowser" => [
            "This sign-in was started in another browser. Start again at the application that you came from.",
            "Diese Anmeldung wurde in einem anderen Browser begonnen. Beginnen Sie bei der Anwendung, von der Sie kommen, von vorn.",
        ],
        "lastAdmin" => [
            "You are the only administrator. Make somebody else one first.",
            "Sie verwalten als einzige Person. Machen Sie zuerst jemand anderes dazu.",
        ],
        "lastFactor" => [
            "This is the only way to sign in to your account. Set a password or add another passkey first.",
            "Das ist die einzige Art, sich bei Ihrem Konto anzumelden. Legen Sie zuerst ein Passwort fest oder fügen Sie einen anderen Passkey hinzu.",
        ],
        "noPasskeys" => [
            "Your passkeys are newer than this session. Sign out, and sign in with one of them first.",
            "Ihre Passkeys sind neuer als diese Sitzung. Melden Sie sich ab und zuerst mit einem davon an.",
        ],
        "noPassword" => ["This account has no password.", "Dieses Konto hat kein Passwort."],
        "noPendingTotp" => [
            "That took too long. Start again with the new QR code.",
            "Das hat zu lange gedauert. Beginnen Sie mit dem neuen QR-Code von vorn.",
        ],
        "passkeyRequired" => [
            "Add a passkey first: an account needs one way to sign in.",
            "Fügen Sie zuerst einen Passkey hinzu: ein Konto braucht eine Art, sich anzumelden.",
        ],
        "passwordRequired" => ["Enter your password.", "Geben Sie Ihr Passwort ein."],
        "passwordReused" => {
            ["You had this password before. Take another one.", "Dieses Passwort hatten Sie schon. Nehmen Sie ein anderes."]
        }
        "rateLimited" => return too_many(language, fault),
        "registrationDisabled" => [
            "Registration is closed. Ask an administrator for an account.",
            "Registrieren ist nicht möglich. Bitten Sie die Verwaltung um ein Konto.",
        ],
        "tooManyPasskeys" => [
            "An account cannot have more passkeys. Remove one first.",
            "Ein Konto kann nicht mehr Passkeys haben. Entfernen Sie zuerst einen.",
        ],
        "totpNotEnabled" => ["This account has no authenticator app.", "Dieses Konto hat keine Authentifizierungs-App."],
        "accountChanged" => [
            "Your account has just been changed. Try again.",
            "Ihr Konto wurde gerade eben geändert. Versuchen Sie es noch einmal.",
        ],
        code => match crate::console::problem::sentence(code) {
            Some(pair) => pair,
            None => return of_kind(language, fault),
        },
    };
    match language {
        Language::English => english.to_owned(),
        Language::German => german.to_owned(),
    }
}

fn too_many(language: Language, fault: &Fault) -> String {
    let seconds = fault.retry_after.map_or(1, |after| after.as_secs().max(1));
    let minutes = seconds.div_ceil(60);
    match (language, seconds, minutes) {
        (Language::English, ..=90, _) => format!("Too many attempts. Try again in {seconds} seconds."),
        (Language::English, ..) => format!("Too many attempts. Try again in {minutes} minutes."),
        (Language::German, ..=90, _) => format!("Zu viele Versuche. Versuchen Sie es in {seconds} Sekunden noch einmal."),
        (Language::German, ..) => format!("Zu viele Versuche. Versuchen Sie es in {minutes} Minuten noch einmal."),
    }
}

fn of_kind(language: Language, fault: &Fault) -> String {
    let [english, german] = match fault.kind {
        Kind::Unavailable => return Text::BusyLead.in_language(language).to_owned(),
        Kind::Internal => return Text::ServerFaultLead.in_language(language).to_owned(),
        Kind::NotFound => ["There is no such thing any more.", "Das gibt es nicht mehr."],
        Kind::Forbidden => ["You may not do this.", "Das ist Ihnen nicht erlaubt."],
        Kind::MethodNotAllowed => ["That is not possible here.", "Das geht hier nicht."],
        Kind::Conflict => [
            "This does not fit the current state. Open the page again.",
            "Das passt nicht zum jetzigen Stand. Öffnen Sie die Seite noch einmal.",
        ],
        Kind::TooLarge => ["That is too large.", "Das ist zu groß."],
        Kind::Timeout => ["That took too long. Try again.", "Das hat zu lange gedauert. Versuchen Sie es noch einmal."],
        _ => ["Something that was sent is not right. Check it.", "Etwas an den Angaben stimmt nicht. Prüfen Sie sie."],
    };
    match language {
        Language::English => english.to_owned(),
        Language::German => german.to_owned(),
    }
}

/// What is wrong with a field, as a sentence that stands beside it.
fn field_sentence(language: Language, detail: &Detail) -> String {
    let bound = detail.bound.as_deref().unwrap_or_default();
    let [english, german] = match (detail.code, bound) {
        ("blank", _) => ["Fill this in.", "Füllen Sie das aus."],
        ("invalid", _) => ["This is not valid.", "Das ist nicht gültig."],
        ("invalidCharacters", _) => ["This holds characters that cannot be seen.", "Das enthält Zeichen, die man nicht sieht."],
        ("localPartNotAscii", _) => [
            "Before the @, only letters from a to z, digits and signs are possible. Behind it, any letters are.",
            "Vor dem @ gehen nur Buchstaben von a bis z, Ziffern und Zeichen. Dahinter geht jede Schrift.",
        ],
        ("tooLong", "") => ["This is too long.", "Das ist zu lang."],
        ("tooShort", "") => ["This is too short.", "Das ist zu kurz."],
        ("tooLong", _) => ["At most {} characters are possible.", "Höchstens {} Zeichen sind möglich."],
        ("tooShort", _) => ["At least {} characters are needed.", "Mindestens {} Zeichen sind nötig."],
        ("common", _) => ["This is one of the most common passwords.", "Das gehört zu den häufigsten Passwörtern."],
        ("personal", _) => [
            "It must not contain your name, your address or the name of this service.",
            "Es darf weder Ihren Namen noch Ihre Adresse noch den Namen dieses Dienstes enthalten.",
        ],
        ("uppercaseRequired", _) => ["An upper case letter is needed.", "Ein Großbuchstabe ist nötig."],
        ("lowercaseRequired", _) => ["A lower case letter is needed.", "Ein Kleinbuchstabe ist nötig."],
        ("digitRequired", _) => ["A digit is needed.", "Eine Ziffer ist nötig."],
        ("symbolRequired", _) => ["A symbol is needed.", "Ein Sonderzeichen ist nötig."],
        ("unchanged", _) => ["The account has this already.", "Das hat das Konto schon."],
        ("unknownPerson", _) => ["Nobody here has this address.", "Hier hat niemand diese Adresse."],
        ("unsupported", _) => ["Choose one of the list.", "Wählen Sie etwas aus der Liste."],
        _ => ["This is not right.", "Das stimmt nicht."],
    };
    let sentence = if language == Language::German { german } else { english };
    sentence.replace("{}", bound)
}

#[cfg(test)]
mod tests {
    use super::Problems;
    use domain::shared::{Detail, Fault, Language};
    use std::time::Duration;

    #[test]
    fn a_fault_is_told_at_its_field_or_at_the_top() {
        let weak = Fault::fields(
            "weakPassword",
            vec![Detail::new("password", "tooShort", "").bounded(12), Detail::new("password", "common", "")],
        );
        let problems = Problems::of(Language::German, &weak, &["email", "password"]);
        let text = "Mindestens 12 Zeichen sind nötig. Das gehört zu den häufigsten Passwörtern.";
        assert_eq!((problems.summary.as_deref(), problems.of_field("password")), (None, Some(text)));
        let problems = Problems::of(Language::English, &weak, &["email"]);
        assert!(problems.summary.is_some() && problems.fields.is_empty(), "the form has no such field");
        let reused = Fault::bad_request("passwordReused", "");
        assert!(Problems::of(Language::English, &reused, &["newPassword"]).of_field("newPassword").is_some());
    }

    #[test]
    fn waiting_is_told_in_seconds_or_minutes() {
        let text = |seconds| super::sentence(Language::English, &Fault::too_many(Duration::from_secs(seconds)));
        assert_eq!(text(30), "Too many attempts. Try again in 30 seconds.");
        assert_eq!(text(601), "Too many attempts. Try again in 11 minutes.");
    }
}
