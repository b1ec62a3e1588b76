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
        "currentPasswordRequired" => ["Enter your current password.", "Geben Sie Ihr bisheriges Passwort ein."],
        "emailNotVerified" => [
            "Confirm your e-mail address first: open the link that we have sent to it.",
            "Bestätigen Sie zuerst Ihre E-Mail-Adresse: Öffnen Sie den Link, den wir dorthin geschickt haben.",
        ],
        "emailTaken" => [
            "There is an account with this e-mail address already. Sign in with it, or use another address.",
            "Mit dieser E-Mail-Adresse gibt es schon ein Konto. Melden Sie sich damit an, oder nehmen Sie eine andere Adresse.",
        ],
        "invalidAssertion" | "invalidCredential" => [
            "This passkey was not accepted. Try another one, or another way.",
            "Dieser Passkey wurde nicht akzeptiert. Nehmen Sie einen anderen, oder versuchen Sie es auf einem anderen Weg.",
        ],
        "invalidAttestation" => [
            "The browser's answer was not accepted. Try again.",
            "Die Antwort des Browsers wurde nicht angenommen. Versuchen Sie es noch einmal.",
        ],
        "invalidCode" => [
            "The code is wrong or has been used before. Enter another one.",
            "Der Code ist falsch oder wurde schon benutzt. Geben Sie einen anderen ein.",
        ],
        "invalidCredentials" => {
            ["The e-mail address or the password is wrong.", "Die E-Mail-Adresse oder das Passwort ist falsch."]
        }
        "invalidPassword" => ["The password is wrong. Type it again.", "Das Passwort ist falsch. Geben Sie es noch einmal ein."],
        "invalidUserCode" => [
            "This code is wrong or too old. Check it, or start again on the device.",
            "Dieser Code ist falsch oder zu alt. Prüfen Sie ihn, oder fangen Sie am Gerät noch einmal an.",
        ],
        "invalidToken" => ["This link is no longer valid.", "Dieser Link ist nicht mehr gültig."],
        "interactionNotFound" => [
            "This sign-in is finished or took too long. Start again in the application that you came from.",
            "Diese Anmeldung ist schon abgeschlossen oder hat zu lange gedauert. Fangen Sie in der Anwendung, aus der Sie kommen, noch einmal an.",
        ],
        "interactionOfOtherBrowser" => [
            "This sign-in was started in another browser. Start again in the application that you came from.",
            "Diese Anmeldung wurde in einem anderen Browser begonnen. Fangen Sie in der Anwendung, aus der Sie kommen, noch einmal an.",
        ],
        "lastAdmin" => [
            "You are the only administrator. Make somebody else an administrator first.",
            "Außer Ihnen hat niemand die Rechte zum Verwalten. Geben Sie sie zuerst jemand anderem.",
        ],
        "lastFactor" => [
            "This is the only way to sign in to your account. Set a password or add another passkey first.",
            "Anders kommen Sie nicht in Ihr Konto. Legen Sie zuerst ein Passwort fest, oder fügen Sie einen anderen Passkey hinzu.",
        ],
        "noPasskeys" => [
            "You added your passkeys after this sign-in. Sign out, and sign in again with one of them.",
            "Sie haben Ihre Passkeys erst nach dieser Anmeldung hinzugefügt. Melden Sie sich ab und mit einem davon wieder an.",
        ],
        "noPassword" => ["This account has no password.", "Dieses Konto hat kein Passwort."],
        "noPendingTotp" => [
            "That took too long. Start again with the new QR code.",
            "Das hat zu lange gedauert. Fangen Sie mit dem neuen QR-Code noch einmal an.",
        ],
        "passkeyRequired" => [
            "Add a passkey first, or you could no longer sign in.",
            "Fügen Sie zuerst einen Passkey hinzu, sonst könnten Sie sich nicht mehr anmelden.",
        ],
        "passwordRequired" => ["Enter your password.", "Geben Sie Ihr Passwort ein."],
        "passwordReused" => [
            "You have used this password before. Choose another one.",
            "Dieses Passwort hatten Sie schon einmal. Wählen Sie ein anderes.",
        ],
        "rateLimited" => return too_many(language, fault),
        "registrationDisabled" => [
            "Nobody can register here at the moment. Ask an administrator for an account.",
            "Registrieren kann man sich hier zurzeit nicht. Bitten Sie die Verwaltung um ein Konto.",
        ],
        "tooManyPasskeys" => [
            "You have as many passkeys as are possible. Remove one first.",
            "Mehr Passkeys sind nicht möglich. Entfernen Sie zuerst einen.",
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
        Kind::NotFound => ["This no longer exists.", "Das gibt es nicht mehr."],
        Kind::Forbidden => ["You are not allowed to do this.", "Das dürfen Sie nicht."],
        Kind::MethodNotAllowed => ["That is not possible here.", "Das geht hier nicht."],
        Kind::Conflict => [
            "Something has changed in the meantime. Open the page again.",
            "Inzwischen hat sich etwas geändert. Öffnen Sie die Seite noch einmal.",
        ],
        Kind::TooLarge => ["That is too large.", "Das ist zu groß."],
        Kind::Timeout => ["That took too long. Try again.", "Das hat zu lange gedauert. Versuchen Sie es noch einmal."],
        _ => [
            "Something that you entered is not right. Please check it.",
            "Etwas an Ihren Angaben stimmt nicht. Bitte prüfen Sie sie.",
        ],
    };
    match language {
        Language::English => english.to_owned(),
        Language::German => german.to_owned(),
    }
}

/// What to write into a field, as a sentence that stands beside it.
fn field_sentence(language: Language, detail: &Detail) -> String {
    let bound = detail.bound.as_deref().unwrap_or_default();
    let [english, german] = match (detail.code, bound) {
        ("blank", _) => missing(&detail.field),
        ("invalid", _) if is_address(&detail.field) => {
            ["Write it like name@example.org.", "Schreiben Sie sie so: name@example.org."]
        }
        ("invalid", _) => ["This is not valid. Check how it is written.", "Das ist nicht gültig. Prüfen Sie die Schreibweise."],
        ("invalidCharacters", _) => [
            "There are characters in it that cannot be seen. Type it anew instead of pasting it.",
            "Darin sind Zeichen, die man nicht sieht. Tippen Sie den Text neu, statt ihn einzufügen.",
        ],
        ("localPartNotAscii", _) => [
            "Before the @, use only letters from a to z, digits and signs. After it, any letters will do.",
            "Vor dem @ sind nur Buchstaben von a bis z, Ziffern und Zeichen möglich. Dahinter geht jede Schrift.",
        ],
        ("tooLong", "") => ["This is too long. Shorten it.", "Das ist zu lang. Kürzen Sie es."],
        ("tooShort", "") => ["This is too short. Write more.", "Das ist zu kurz. Schreiben Sie mehr."],
        ("tooLong", _) => ["Use at most {} characters.", "Nehmen Sie höchstens {} Zeichen."],
        ("tooShort", _) => ["Use at least {} characters.", "Nehmen Sie mindestens {} Zeichen."],
        ("common", _) => [
            "Many people use this password. Choose one that nobody would guess.",
            "Dieses Passwort benutzen viele. Wählen Sie eines, das niemand errät.",
        ],
        ("personal", _) => [
            "Leave out your name, your address and the name of this service.",
            "Lassen Sie Ihren Namen, Ihre Adresse und den Namen dieses Dienstes weg.",
        ],
        ("uppercaseRequired", _) => ["Add an upper case letter.", "Nehmen Sie einen Großbuchstaben dazu."],
        ("lowercaseRequired", _) => ["Add a lower case letter.", "Nehmen Sie einen Kleinbuchstaben dazu."],
        ("digitRequired", _) => ["Add a digit.", "Nehmen Sie eine Ziffer dazu."],
        ("symbolRequired", _) => ["Add a symbol, like ! or ?.", "Nehmen Sie ein Sonderzeichen dazu, etwa ! oder ?."],
        ("unchanged", _) if is_address(&detail.field) => {
            ["This is your address already. Enter another one.", "Das ist schon Ihre Adresse. Geben Sie eine andere ein."]
        }
        ("unchanged", _) => ["It is like this already. Enter something else.", "Das ist schon so. Geben Sie etwas anderes ein."],
        ("unknownPerson", _) => [
            "Nobody here has this address. Check how it is written.",
            "Hier hat niemand diese Adresse. Prüfen Sie die Schreibweise.",
        ],
        ("unsupported", _) => ["Choose one from the list.", "Wählen Sie etwas aus der Liste."],
        ("wrong", _) => ["This password is wrong. Type it again.", "Dieses Passwort ist falsch. Geben Sie es noch einmal ein."],
        _ => ["This is not right. Check what you have entered.", "Das stimmt nicht. Prüfen Sie Ihre Eingabe."],
    };
    let sentence = if language == Language::German { german } else { english };
    sentence.replace("{}", bound)
}

/// Whether a field holds an address.
fn is_address(field: &str) -> bool {
    matches!(field, "email" | "newEmail")
}

/// What to do about a field that is empty.
fn missing(field: &str) -> [&'static str; 2] {
    match field {
        "email" => {
            ["Enter your e-mail address, like name@example.org.", "Geben Sie Ihre E-Mail-Adresse ein, etwa name@example.org."]
        }
        "newEmail" => ["Enter the new address, like name@example.org.", "Geben Sie die neue Adresse ein, etwa name@example.org."],
        "password" => ["Enter your password.", "Geben Sie Ihr Passwort ein."],
        "currentPassword" => ["Enter your current password.", "Geben Sie Ihr bisheriges Passwort ein."],
        "newPassword" => ["Choose a new password.", "Wählen Sie ein neues Passwort."],
        "firstName" => ["Enter your first name.", "Geben Sie Ihren Vornamen ein."],
        "code" | "currentCode" => ["Enter the code.", "Geben Sie den Code ein."],
        "user_code" => ["Enter the code that the device shows.", "Geben Sie den Code ein, den das Gerät anzeigt."],
        "backupCode" => ["Enter one of your backup codes.", "Geben Sie einen Ihrer Ersatzcodes ein."],
        "name" => ["Enter a name.", "Geben Sie einen Namen ein."],
        _ => ["Fill this in.", "Füllen Sie das aus."],
    }
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
        let text = "Nehmen Sie mindestens 12 Zeichen. Dieses Passwort benutzen viele. Wählen Sie eines, das niemand errät.";
        assert_eq!((problems.summary.as_deref(), problems.of_field("password")), (None, Some(text)));
        let problems = Problems::of(Language::English, &weak, &["email"]);
        assert!(problems.summary.is_some() && problems.fields.is_empty(), "the form has no such field");
        let reused = Fault::bad_request("passwordReused", "");
        assert!(Problems::of(Language::English, &reused, &["newPassword"]).of_field("newPassword").is_some());
    }

    #[test]
    fn a_field_is_told_what_to_write() {
        let told = |field: &str, code: &'static str| super::field_sentence(Language::English, &Detail::new(field, code, ""));
        assert_eq!(told("email", "invalid"), "Write it like name@example.org.");
        assert_eq!(told("newEmail", "invalid"), "Write it like name@example.org.");
        assert_eq!(told("firstName", "blank"), "Enter your first name.");
        assert_eq!(told("currentPassword", "wrong"), "This password is wrong. Type it again.");
        assert_eq!(told("user", "blank"), "Fill this in.");
    }

    #[test]
    fn waiting_is_told_in_seconds_or_minutes() {
        let text = |seconds| super::sentence(Language::English, &Fault::too_many(Duration::from_secs(seconds)));
        assert_eq!(text(30), "Too many attempts. Try again in 30 seconds.");
        assert_eq!(text(601), "Too many attempts. Try again in 11 minutes.");
    }
}
