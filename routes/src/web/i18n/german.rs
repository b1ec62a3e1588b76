//! The German messages.

use domain::shared::Kind;

/// The message for an error code; `None` for a code that has only the general message of its kind.
pub(super) fn error_message(code: &str) -> Option<&'static str> {
    Some(match code {
        "accountChanged" => "Das Konto wurde gerade eben geändert; versuchen Sie es noch einmal.",
        "accountGone" => "Das Konto wurde gerade eben gelöscht.",
        "accountSuspended" => "Dieses Konto ist gesperrt; wenden Sie sich an die Verwaltung.",
        "alreadyUsed" => "Diese Einladung wurde schon angenommen; melden Sie sich an.",
        "badJson" => "Die Angaben sind kein JSON, das sich lesen lässt.",
        "cannotDeleteSelf" => "Das eigene Konto lässt sich hier nicht löschen; das geht auf Ihrer Kontoseite.",
        "cannotRemoveOwnAdmin" => "Das eigene Recht zu verwalten kann nur jemand anderes entziehen, der verwaltet.",
        "cannotSuspendSelf" => "Das eigene Konto kann nur jemand anderes sperren, der verwaltet.",
        "challengeExpired" => "Der Vorgang ist abgelaufen; beginnen Sie von vorn.",
        "credentialExists" => "Dieser Passkey ist schon registriert.",
        "csrfInvalid" => "Das CSRF-Token fehlt oder gilt für diese Sitzung nicht; laden Sie die Seite neu.",
        "currentCodeRequired" => {
            "Es gibt schon eine Authentifizierungs-App: geben Sie einen Code von ihr an, oder einen Passkey, oder das Passwort und einen Ersatzcode."
        }
        "currentPasswordRequired" => "Geben Sie auch das jetzige Passwort an.",
        "emailNotVerified" => "Bestätigen Sie zuerst die E-Mail-Adresse des Kontos.",
        "emailTaken" => "Mit dieser E-Mail-Adresse gibt es schon ein Konto.",
        "interactionNotFound" => {
            "Diese Anmeldung ist abgelaufen oder schon beendet; beginnen Sie bei der Anwendung, von der Sie kommen, von vorn."
        }
        "interactionOfOtherBrowser" => {
            "Diese Anmeldung wurde in einem anderen Browser begonnen; beginnen Sie bei der Anwendung, von der Sie kommen, von vorn."
        }
        "invalidAssertion" => "Der Passkey wurde nicht angenommen; versuchen Sie es noch einmal.",
        "invalidAttestation" => "Die Antwort des Browsers ist nicht richtig; versuchen Sie es noch einmal.",
        "invalidCode" => "Der Code ist falsch oder wurde schon benutzt.",
        "invalidCredential" => "Dieser Passkey gilt hier nicht.",
        "invalidCredentials" => "Die E-Mail-Adresse oder das Passwort ist falsch.",
        "invalidPassword" => "Das Passwort ist falsch.",
        "invalidToken" => "Dieser Link gilt nicht mehr; fordern Sie einen neuen an.",
        "smtp_not_configured" => "Es ist kein Mailserver eingerichtet; setzen Sie APP_SMTP_HOST.",
        "smtp_send_failed" => "Der Mailserver hat die Mail nicht angenommen; seine Worte stehen in smtp.",
        "invitationAccepted" => "Diese Person meldet sich schon an; erstellen Sie stattdessen einen Link für ein neues Passwort.",
        "invalidUserCode" => {
            "Dieser Code gilt nicht oder ist abgelaufen; prüfen Sie ihn, oder beginnen Sie auf dem Gerät von vorn."
        }
        "graceOver" => "Dieser Bereich wurde vor mehr als 30 Tagen gelöscht und wird gerade entfernt.",
        "ownerSuspended" => "Dieses Konto ist gesperrt; ein gesperrtes Konto kann keinen Bereich besitzen.",
        "spaceDeleted" => "Dieser Bereich ist gelöscht; stellen Sie ihn zuerst wieder her.",
        "spaceHasOwner" => "Dieser Bereich gehört schon jemandem.",
        "lastAdmin" => "Dieses Konto verwaltet als einziges; machen Sie zuerst ein anderes dazu.",
        "lastFactor" => {
            "Das ist die einzige Art, sich anzumelden; legen Sie zuerst ein Passwort fest oder fügen Sie einen Passkey hinzu."
        }
        "loginRoleRequired" => {
            "Diese Anwendung ist für Personen mit einer Rolle, die Ihr Konto nicht hat; wenden Sie sich an die Verwaltung."
        }
        "noPasskeys" => "Dieses Konto hat keinen Passkey, der in dieser Sitzung gilt; mit einem neuen melden Sie sich erst an.",
        "noPassword" => "Dieses Konto hat kein Passwort.",
        "noPendingTotp" => "Richten Sie zuerst eine Authentifizierungs-App ein.",
        "notEditable" => "Das lässt sich hier nicht ändern.",
        "passkeyRequired" => "Fügen Sie zuerst einen Passkey hinzu: ein Konto braucht eine Art, sich anzumelden.",
        "passwordAlreadySet" => "Dieses Konto hat ein Passwort; melden Sie sich an.",
        "passwordRequired" => "Geben Sie das Passwort des Kontos an.",
        "passwordReused" => "Dieses Passwort hatten Sie schon; nehmen Sie ein anderes.",
        "proofRequired" => "Dafür müssen Sie noch einmal bestätigen, dass Sie es sind; dann wiederholen Sie es.",
        "rateLimited" => "Zu viele Versuche; versuchen Sie es später noch einmal.",
        "reauthenticationRequired" => "Ihre Anmeldung ist zu lange her, um zu verwalten; melden Sie sich neu an.",
        "duplicateRole" => "Eine Rolle ist zweimal genannt.",
        "contentErased" => "Was zu senden war, ist nicht mehr gespeichert.",
        "mailErased" => "Der Inhalt dieser Mail ist nicht mehr gespeichert oder nicht mehr zu lesen.",
        "mailExpired" => "Der Link oder der Code in dieser Mail gilt nicht mehr; dafür muss ein neuer angefordert werden.",
        "mailNotDead" => "Diese Mail ist gesendet oder wird noch versucht.",
        "notDead" => "Das ist erledigt oder wird noch versucht.",
        "nextKeyTooNew" => {
            "Noch kennt nicht jede Anwendung die nächsten Schlüssel; possibleFrom sagt, ab wann sie übernehmen können."
        }
        "noClientSecret" => "Diese Anwendung weist sich mit einem eigenen Schlüssel aus und hat kein Geheimnis.",
        "publicClient" => "Eine öffentliche Anwendung hat kein Geheimnis.",
        "sameRoleGroup" => "Das ist zweimal dieselbe Gruppe.",
        "unknownRoleGroup" => "Diese Gruppe von Rollen hat keine Anwendung.",
        "registrationDisabled" => "Registrieren ist nicht möglich; wenden Sie sich an die Verwaltung.",
        "tooManyPasskeys" => "Ein Konto kann nicht mehr Passkeys haben; entfernen Sie zuerst einen.",
        "tooManyRoles" => "Eine Person hat höchstens eine dieser Rollen.",
        "tooManyUsers" => "So viele Konten nimmt eine Anfrage nicht; teilen Sie sie auf.",
        "totpNotEnabled" => "Dieses Konto hat keine Authentifizierungs-App.",
        "unauthorized" => "Melden Sie sich an.",
        "unknownField" => "Diese Angabe gibt es hier nicht.",
        "unknownRole" => "Diese Rolle gibt es hier nicht.",
        "unsupportedLocale" => "Diese Sprache gibt es hier nicht.",
        "unsupportedMediaType" => "Schicken Sie die Angaben als application/json.",
        "weakPassword" => "Dieses Passwort geht nicht.",
        _ => return None,
    })
}

/// The general message for errors of a kind.
pub(super) fn kind_message(kind: Kind) -> &'static str {
    match kind {
        Kind::BadRequest | Kind::HeadTooLarge | Kind::Invalid | Kind::UnsupportedMedia => {
            "Etwas an den Angaben stimmt nicht; prüfen Sie sie."
        }
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

/// The message for an error code of a field; `None` for a code whose message is the same in every language, such as a number.
pub(super) fn field_message(code: &str) -> Option<&'static str> {
    Some(match code {
        "blank" => "fehlt",
        "common" => "gehört zu den häufigsten Passwörtern",
        "digitRequired" => "braucht eine Ziffer",
        "invalid" => "ist nicht gültig",
        "invalidCharacters" => "enthält Steuerzeichen oder unsichtbare Zeichen",
        "localPartNotAscii" => "darf vor dem @ nur Buchstaben von a bis z, Ziffern und Zeichen haben; dahinter geht jede Schrift",
        "lowercaseRequired" => "braucht einen Kleinbuchstaben",
        "notEditable" => "lässt sich hier nicht ändern",
        "passkey" => "ein Passkey des Kontos",
        "password" => "das Passwort des Kontos",
        "personal" => "darf weder Ihren Namen noch Ihre Adresse noch den Namen dieses Dienstes enthalten",
        "present" => "ist zu viel: eines von beiden genügt",
        "symbolRequired" => "braucht ein Sonderzeichen",
        "tooLong" => "ist zu lang",
        "tooShort" => "ist zu kurz",
        "unchanged" => "hat das Konto schon",
        "unknownField" | "unsupported" => "gibt es hier nicht",
        "uppercaseRequired" => "braucht einen Großbuchstaben",
        "wrongType" => "ist von der falschen Art",
        _ => return None,
    })
}
