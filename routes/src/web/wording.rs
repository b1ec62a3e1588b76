//! What people are told, errors and what was done, in the languages that they are spoken to in (facts, section 5). The English sentences stand where a
//! fault is made or a thing is done, and say more; those of other languages stand here. Only the identity wing speaks to people: the others answer in
//! English.

use domain::shared::{Detail, Fault, Kind};
use std::borrow::Cow;

/// A language that we speak.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Language {
    /// What is said where none is asked for that we speak.
    #[default]
    English,
    /// German.
    German,
}

impl Language {
    /// That of a locale: `de-AT` is spoken to in German.
    pub(crate) fn of(locale: &str) -> Self {
        let primary = locale.split('-').next().unwrap_or_default();
        if primary.eq_ignore_ascii_case("de") { Self::German } else { Self::English }
    }

    /// The sentence of a fault.
    pub(crate) fn sentence(self, fault: &Fault) -> Cow<'_, str> {
        match (self, fault.code) {
            (Self::English, _) => fault.message.as_ref().into(),
            (Self::German, "weakPassword") => {
                let wrong: Vec<_> = fault.details.iter().map(|detail| self.detail(detail)).collect();
                format!("Dieses Passwort geht nicht: es {}.", wrong.join(", ")).into()
            }
            (Self::German, code) => german(code).unwrap_or_else(|| german_kind(fault.kind)).into(),
        }
    }

    /// What is wrong with a field.
    pub(crate) fn detail(self, detail: &Detail) -> Cow<'_, str> {
        let german = || match (detail.code, &detail.bound) {
            ("tooShort", Some(least)) => Some(format!("muss mindestens {least} Zeichen haben").into()),
            ("tooLong", Some(most)) => Some(format!("darf höchstens {most} Zeichen haben").into()),
            ("unsupported", Some(choices)) => Some(format!("muss eines von {choices} sein").into()),
            (code, _) => german_detail(code).map(Cow::from),
        };
        let words = if self == Self::German { german() } else { None };
        words.unwrap_or_else(|| detail.message.as_str().into())
    }

    /// What was done, or happens now. The English words stand where it is done, and say here which one it is.
    pub(crate) fn said(self, english: &'static str) -> &'static str {
        match self {
            Self::English => english,
            Self::German => GERMAN_SAID.iter().find(|(value, _)| *value == english).map_or(english, |(_, german)| german),
        }
    }
}

fn german(code: &str) -> Option<&'static str> {
    Some(match code {
        "accountChanged" => "Das Konto wurde gerade eben geändert; versuchen Sie es noch einmal.",
        "accountSuspended" => "Dieses Konto ist gesperrt; wenden Sie sich an die Verwaltung.",
        "alreadyUsed" => "Diese Einladung wurde schon angenommen; melden Sie sich an.",
        "badJson" => "Die Angaben sind kein JSON, das sich lesen lässt.",
        "challengeExpired" => "Der Vorgang ist abgelaufen; beginnen Sie von vorn.",
        "credentialExists" => "Dieser Passkey ist schon registriert.",
        "csrfInvalid" => "Das CSRF-Token fehlt oder gilt für diese Sitzung nicht; laden Sie die Seite neu.",
        "currentPasswordRequired" => "Geben Sie auch das jetzige Passwort an.",
        "emailNotVerified" => "Bestätigen Sie zuerst die E-Mail-Adresse des Kontos.",
        "emailTaken" => "Mit dieser E-Mail-Adresse gibt es schon ein Konto.",
        "invalidAssertion" => "Der Passkey wurde nicht angenommen; versuchen Sie es noch einmal.",
        "invalidAttestation" => "Die Antwort des Browsers ist nicht richtig; versuchen Sie es noch einmal.",
        "invalidCode" => "Der Code ist falsch oder wurde schon benutzt.",
        "invalidCredential" => "Dieser Passkey gilt hier nicht.",
        "invalidCredentials" => "Die E-Mail-Adresse oder das Passwort ist falsch.",
        "invalidPassword" => "Das Passwort ist falsch.",
        "invalidToken" => "Dieser Link gilt nicht mehr; fordern Sie einen neuen an.",
        "lastAdmin" => "Sie verwalten als einzige Person; machen Sie zuerst jemand anderes dazu.",
        "lastFactor" => {
            "Das ist die einzige Art, sich anzumelden; legen Sie zuerst ein Passwort fest oder fügen Sie einen Passkey hinzu."
        }
        "noPasskeys" => "Dieses Konto hat keinen Passkey, der in dieser Sitzung gilt; mit einem neuen melden Sie sich erst an.",
        "noPassword" => "Dieses Konto hat kein Passwort.",
        "noPendingTotp" => "Richten Sie zuerst eine Authentifizierungs-App ein.",
        "notEditable" => "Das lässt sich hier nicht ändern.",
        "passkeyRequired" => "Fügen Sie zuerst einen Passkey hinzu: ein Konto braucht eine Art, sich anzumelden.",
        "passwordAlreadySet" => "Dieses Konto hat ein Passwort; melden Sie sich an.",
        "passwordRequired" => "Geben Sie das Passwort des Kontos an.",
        "passwordReused" => "Dieses Passwort hatten Sie schon; nehmen Sie ein anderes.",
        "rateLimited" => "Zu viele Versuche; versuchen Sie es später noch einmal.",
        "registrationDisabled" => "Registrieren ist nicht möglich; wenden Sie sich an die Verwaltung.",
        "tooManyPasskeys" => "Ein Konto kann nicht mehr Passkeys haben; entfernen Sie zuerst einen.",
        "totpNotEnabled" => "Dieses Konto hat keine Authentifizierungs-App.",
        "unauthorized" => "Melden Sie sich an.",
        "unsupportedLocale" => "Diese Sprache gibt es hier nicht.",
        "unsupportedMediaType" => "Schicken Sie die Angaben als application/json.",
        "weakPassword" => "Dieses Passwort geht nicht.",
        _ => return None,
    })
}

/// For codes that tell more to programs than to people.
fn german_kind(kind: Kind) -> &'static str {
    match kind {
        Kind::BadRequest | Kind::Invalid | Kind::UnsupportedMedia => "Etwas an den Angaben stimmt nicht; prüfen Sie sie.",
        Kind::Unauthorized => "Melden Sie sich an.",
        Kind::Forbidden => "Das ist Ihnen nicht erlaubt.",
        Kind::NotFound => "Das gibt es nicht.",
        Kind::MethodNotAllowed => "Das geht hier nicht.",
        Kind::Timeout => "Das hat zu lange gedauert; versuchen Sie es noch einmal.",
        Kind::Conflict => "Das passt nicht zum jetzigen Stand; laden Sie die Seite neu.",
        Kind::TooLarge => "Das ist zu groß.",
        Kind::TooMany => "Zu viele Versuche; versuchen Sie es später noch einmal.",
        Kind::Internal => "Bei uns ist etwas schiefgegangen.",
        Kind::Unavailable => "Der Dienst ist gerade ausgelastet; versuchen Sie es gleich noch einmal.",
    }
}

/// What was done, by the English words for it.
const GERMAN_SAID: [(&str, &str); 16] = [
    ("A new code is on its way", "Ein neuer Code ist unterwegs."),
    ("Follow the link that was mailed to the new address", "Folgen Sie dem Link in der Mail an die neue Adresse."),
    (
        "Follow the link that was mailed to you, then sign in",
        "Folgen Sie dem Link in der Mail an Sie, und melden Sie sich dann an.",
    ),
    (
        "If there is an account with this address that is not verified, a link is on its way",
        "Wenn es zu dieser Adresse ein unbestätigtes Konto gibt, ist ein Link unterwegs.",
    ),
    (
        "If there is an account with this address, a link to set a new password is on its way",
        "Wenn es zu dieser Adresse ein Konto gibt, ist ein Link für ein neues Passwort unterwegs.",
    ),
    ("The account is deleted", "Das Konto ist gelöscht."),
    ("The account is ready; sign in", "Das Konto ist eingerichtet; melden Sie sich an."),
    ("The mail address is changed", "Die E-Mail-Adresse ist geändert."),
    ("The passkey is removed", "Der Passkey ist entfernt."),
    ("The password is changed", "Das Passwort ist geändert."),
    ("The password is changed; sign in with it", "Das Passwort ist geändert; melden Sie sich damit an."),
    ("The password is removed", "Das Passwort ist entfernt."),
    ("The password is set", "Das Passwort ist festgelegt."),
    ("The session is ended", "Die Sitzung ist beendet."),
    ("You are signed out everywhere else", "Sie sind überall sonst abgemeldet."),
    ("signed out", "Sie sind abgemeldet."),
];

/// What has no words here says the same in every language.
fn german_detail(code: &str) -> Option<&'static str> {
    Some(match code {
        "blank" => "fehlt",
        "common" => "gehört zu den häufigsten Passwörtern",
        "digitRequired" => "braucht eine Ziffer",
        "invalid" => "ist nicht gültig",
        "invalidCharacters" => "enthält Steuerzeichen oder unsichtbare Zeichen",
        "lowercaseRequired" => "braucht einen Kleinbuchstaben",
        "notEditable" => "lässt sich hier nicht ändern",
        "personal" => "darf weder Ihren Namen noch Ihre Adresse noch den Namen dieses Dienstes enthalten",
        "present" => "ist zu viel: eines von beiden genügt",
        "symbolRequired" => "braucht ein Sonderzeichen",
        "tooLong" => "ist zu lang",
        "tooShort" => "ist zu kurz",
        "unchanged" => "hat das Konto schon",
        "unsupported" => "gibt es hier nicht",
        "uppercaseRequired" => "braucht einen Großbuchstaben",
        "wrongType" => "ist von der falschen Art",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{GERMAN_SAID, Language, german, german_detail};
    use domain::shared::{Detail, Fault};
    use std::{collections::BTreeSet, path::Path, time::Duration};

    #[test]
    fn a_fault_is_worded_in_the_language_or_else_in_english() {
        let fault = Fault::too_many(Duration::from_secs(1));
        assert_eq!(Language::of("de-AT").sentence(&fault), "Zu viele Versuche; versuchen Sie es später noch einmal.");
        for other in ["en", "fr", "den", ""] {
            assert_eq!(Language::of(other).sentence(&fault), fault.message, "{other}");
        }
        let left = Detail::new("code", "attemptsLeft", "4");
        assert_eq!(Language::German.detail(&left), "4");
    }

    #[test]
    fn numbers_and_choices_are_told_in_every_language() {
        let short = || Detail::new("password", "tooShort", "must have at least 12 characters").bounded(12);
        assert_eq!(Language::German.detail(&short()), "muss mindestens 12 Zeichen haben");
        assert_eq!(Language::German.detail(&Detail::new("name", "tooLong", "is too long")), "ist zu lang");
        let fault = Fault::fields("weakPassword", vec![short(), Detail::new("password", "common", "is common")]);
        let said = "Dieses Passwort geht nicht: es muss mindestens 12 Zeichen haben, gehört zu den häufigsten Passwörtern.";
        assert_eq!(Language::German.sentence(&fault), said);
    }

    /// Codes that only programs hear, or that a sentence for their kind is enough for.
    const GENERAL: [&str; 12] = [
        "badEncoding",
        "badForm",
        "badHost",
        "bodyBroken",
        "bodyTimeout",
        "forbidden",
        "internal",
        "methodNotAllowed",
        "tooLarge",
        "unknownParameter",
        "unsupportedEncoding",
        "validation",
    ];

    #[test]
    fn every_error_of_the_identity_wing_has_a_sentence_in_each_language() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut codes = BTreeSet::new();
        for folder in ["src/identity", "src/web", "../crates/domain/src/identity", "../crates/storage/src/identity"] {
            read(&here.join(folder), &mut codes);
        }
        assert!(codes.len() > 40, "{codes:?}");
        for code in codes {
            assert!(german(&code).is_some() || GENERAL.contains(&code.as_str()), "{code}");
        }
        for code in ["blank", "invalid", "tooShort", "tooLong", "common", "personal", "digitRequired", "wrongType", "unchanged"] {
            assert!(german_detail(code).is_some(), "{code}");
        }
    }

    #[test]
    fn whatever_was_done_is_told_in_each_language() {
        let mut said = BTreeSet::new();
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/identity"), &mut |text| {
            for request in ["sentence(request,", "sentence(&request,", "language.said("] {
                let literals =
                    text.split(request).skip(1).filter_map(|part| part.trim_start().strip_prefix('"')?.split('"').next());
                said.extend(literals.map(str::to_owned));
            }
        });
        // One of these two, by what was there before.
        said.extend(["The password is changed", "The password is set"].map(str::to_owned));
        let translated: BTreeSet<_> = GERMAN_SAID.iter().map(|(english, _)| (*english).to_owned()).collect();
        assert_eq!(said, translated);
    }

    /// The codes of the faults that are made in the files of a folder.
    fn read(folder: &Path, codes: &mut BTreeSet<String>) {
        sources(folder, &mut |text| {
            for made in text.split("Fault::").skip(1).chain(text.split("form.").skip(1)) {
                let arguments =
                    ["bad_request(", "conflict(", "fields(", "refused("].iter().find_map(|value| made.strip_prefix(value));
                let arguments = arguments.or_else(|| Some(made.strip_prefix("new(")?.split_once(',')?.1));
                let Some(literal) = arguments.and_then(|argument| argument.trim_start().strip_prefix('"')) else { continue };
                codes.insert(literal.split('"').next().unwrap().to_owned());
            }
        });
    }

    /// The text of every source file in a folder.
    fn sources(folder: &Path, each: &mut impl FnMut(&str)) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                sources(&path, each);
            } else if path.extension().is_some_and(|e| e == "rs") {
                each(&std::fs::read_to_string(&path).unwrap());
            }
        }
    }
}
