//! The sentences of errors in the languages that people are spoken to in (facts, section 5). The English ones stand where the fault is made, and say
//! more; those of other languages stand here, by code. Only the identity wing speaks to people: the others answer in English.

use domain::shared::{Detail, Fault, Kind};

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
    pub(crate) fn sentence(self, fault: &Fault) -> &str {
        match self {
            Self::English => &fault.message,
            Self::German => german(fault.code).unwrap_or_else(|| german_kind(fault.kind)),
        }
    }

    /// What is wrong with a field.
    pub(crate) fn detail(self, detail: &Detail) -> &str {
        match self {
            Self::English => &detail.message,
            Self::German => german_detail(detail.code).unwrap_or(&detail.message),
        }
    }
}

fn german(code: &str) -> Option<&'static str> {
    Some(match code {
        "accountChanged" => "Das Konto wurde gerade eben geändert; versuchen Sie es noch einmal.",
        "accountSuspended" => "Dieses Konto ist gesperrt; wenden Sie sich an die Verwaltung.",
        "alreadyUsed" => "Diese Einladung wurde schon angenommen; melden Sie sich an.",
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
        "noPasskeys" => "Dieses Konto hat keinen Passkey, der hier gilt.",
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
        "weakPassword" => "Dieses Passwort ist zu leicht zu erraten.",
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
    use super::{Language, german, german_detail};
    use domain::shared::{Detail, Fault};
    use std::{collections::BTreeSet, path::Path, time::Duration};

    #[test]
    fn a_fault_is_worded_in_the_language_or_else_in_english() {
        let fault = Fault::too_many(Duration::from_secs(1));
        assert_eq!(Language::of("de-AT").sentence(&fault), "Zu viele Versuche; versuchen Sie es später noch einmal.");
        for other in ["en", "fr", "den", ""] {
            assert_eq!(Language::of(other).sentence(&fault), fault.message, "{other}");
        }
        let left = Detail { field: "code".into(), code: "attemptsLeft", message: "4".into() };
        assert_eq!(Language::German.detail(&left), "4");
    }

    /// Codes that only programs hear, or that a sentence for their kind is enough for.
    const GENERAL: [&str; 14] = [
        "badEncoding",
        "badForm",
        "badHost",
        "badJson",
        "bodyBroken",
        "bodyTimeout",
        "forbidden",
        "internal",
        "methodNotAllowed",
        "tooLarge",
        "unknownParameter",
        "unsupportedEncoding",
        "unsupportedMediaType",
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

    /// The codes of the faults that are made in the files of a folder.
    fn read(folder: &Path, codes: &mut BTreeSet<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                read(&path, codes);
                continue;
            }
            if path.extension().is_none_or(|it| it != "rs") {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            for made in text.split("Fault::").skip(1) {
                let arguments = ["bad_request(", "conflict("].iter().find_map(|it| made.strip_prefix(it));
                let arguments = arguments.or_else(|| Some(made.strip_prefix("new(")?.split_once(',')?.1));
                let Some(literal) = arguments.and_then(|it| it.trim_start().strip_prefix('"')) else { continue };
                codes.insert(literal.split('"').next().unwrap().to_owned());
            }
        }
    }
}
