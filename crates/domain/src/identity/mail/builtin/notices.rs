//! The texts about the events of [`NoticeKind`].

use crate::identity::mail::NoticeKind;

/// The event as a headline.
pub(in crate::identity::mail) fn event(notice: NoticeKind, language: &str) -> &'static str {
    texts(notice, language).0
}

/// The event as a clause that follows the name of the site.
pub(in crate::identity::mail) fn explanation(notice: NoticeKind, language: &str) -> &'static str {
    texts(notice, language).1
}

fn texts(notice: NoticeKind, language: &str) -> (&'static str, &'static str) {
    match language {
        "de" => german(notice),
        _ => english(notice),
    }
}

fn english(notice: NoticeKind) -> (&'static str, &'static str) {
    match notice {
        NoticeKind::SignIn => (
            "New sign-in to your account",
            "somebody is signing in to it in an unusual way, or from a device that was not seen before",
        ),
        NoticeKind::BackupCodeSignIn => {
            ("Sign-in with a backup code of your account", "somebody has signed in to it with a backup code, which works no more")
        }
        NoticeKind::BackupCode => {
            ("A backup code of your account was used", "somebody has taken its authenticator app away with a backup code")
        }
        NoticeKind::AddressChange => (
            "Another mail address for your account",
            "somebody wants another mail address in the place of this one; it takes effect as soon as it is confirmed",
        ),
        NoticeKind::PasswordChanged => {
            ("Your password was changed", "somebody who knew its password has set another one, which ended all other sessions")
        }
        NoticeKind::PasswordSet => ("Your account has a password", "somebody has set its first password"),
        NoticeKind::PasswordRemoved => {
            ("The password of your account was removed", "somebody has removed its password; from now on only a passkey signs in")
        }
        NoticeKind::PasswordReset => {
            ("A new password for your account", "somebody has set a new password by a mailed link, which ended all sessions")
        }
        NoticeKind::AppAdded => (
            "An authenticator app for your account",
            "somebody has added an authenticator app, whose codes are asked for at each sign-in",
        ),
        NoticeKind::AppReplaced => (
            "Another authenticator app for your account",
            "somebody has put another authenticator app in the place of the one before; its codes and the old backup codes work no more",
        ),
        NoticeKind::AppRemoved => {
            ("The authenticator app of your account was removed", "somebody has taken its authenticator app away with a code of it")
        }
        NoticeKind::BackupCodesRenewed => {
            ("New backup codes for your account", "somebody has taken new backup codes; the old ones work no more")
        }
        NoticeKind::PasskeyAdded => {
            ("A new passkey for your account", "somebody has added a passkey, which signs in without password and code")
        }
        NoticeKind::PasskeyRemoved => ("A passkey of your account was removed", "somebody has removed one of its passkeys"),
        NoticeKind::ManagementTokenMade => (
            "A new management token for one of your spaces",
            "somebody has made a token that reads and changes the space below for you, until it is revoked; a new password does not end it",
        ),
        NoticeKind::DraftTokenMade => (
            "A new token for the drafts of one of your spaces",
            "somebody has made a token that reads the drafts of the space below, until it is revoked; a new password does not end it",
        ),
    }
}

fn german(notice: NoticeKind) -> (&'static str, &'static str) {
    match notice {
        NoticeKind::SignIn => (
            "Neue Anmeldung bei Ihrem Konto",
            "jemand meldet sich auf ungewohnte Weise an, oder von einem bisher nicht bekannten Gerät aus",
        ),
        NoticeKind::BackupCodeSignIn => (
            "Anmeldung mit einem Ersatzcode Ihres Kontos",
            "jemand hat sich mit einem Ersatzcode angemeldet; der Code gilt nun nicht mehr",
        ),
        NoticeKind::BackupCode => {
            ("Ein Ersatzcode Ihres Kontos wurde benutzt", "jemand hat mit einem Ersatzcode die Authentifizierungs-App entfernt")
        }
        NoticeKind::AddressChange => (
            "Andere E-Mail-Adresse für Ihr Konto",
            "jemand möchte eine andere E-Mail-Adresse an die Stelle von dieser setzen; sie gilt, sobald sie bestätigt ist",
        ),
        NoticeKind::PasswordChanged => (
            "Ihr Passwort wurde geändert",
            "jemand, der das Passwort kannte, hat ein anderes festgelegt; alle anderen Sitzungen sind beendet",
        ),
        NoticeKind::PasswordSet => ("Ihr Konto hat ein Passwort", "jemand hat das erste Passwort festgelegt"),
        NoticeKind::PasswordRemoved => {
            ("Das Passwort Ihres Kontos wurde entfernt", "jemand hat das Passwort entfernt; von jetzt an meldet nur ein Passkey an")
        }
        NoticeKind::PasswordReset => (
            "Neues Passwort für Ihr Konto",
            "jemand hat über einen Link aus einer E-Mail ein neues Passwort festgelegt; alle Sitzungen sind beendet",
        ),
        NoticeKind::AppAdded => (
            "Eine Authentifizierungs-App für Ihr Konto",
            "jemand hat eine Authentifizierungs-App hinzugefügt, nach deren Codes bei jeder Anmeldung gefragt wird",
        ),
        NoticeKind::AppReplaced => (
            "Eine andere Authentifizierungs-App für Ihr Konto",
            "jemand hat eine andere Authentifizierungs-App an die Stelle der bisherigen gesetzt; deren Codes und die alten Ersatzcodes gelten nicht mehr",
        ),
        NoticeKind::AppRemoved => (
            "Die Authentifizierungs-App Ihres Kontos wurde entfernt",
            "jemand hat mit einem Code der Authentifizierungs-App diese entfernt",
        ),
        NoticeKind::BackupCodesRenewed => {
            ("Neue Ersatzcodes für Ihr Konto", "jemand hat neue Ersatzcodes erzeugt; die alten gelten nicht mehr")
        }
        NoticeKind::PasskeyAdded => {
            ("Ein neuer Passkey für Ihr Konto", "jemand hat einen Passkey hinzugefügt, der ohne Passwort und Code anmeldet")
        }
        NoticeKind::PasskeyRemoved => ("Ein Passkey Ihres Kontos wurde entfernt", "jemand hat einen der Passkeys entfernt"),
        NoticeKind::ManagementTokenMade => (
            "Ein neues Verwaltungs-Token für einen Ihrer Bereiche",
            "jemand hat ein Token angelegt, das den unten genannten Bereich in Ihrem Namen liest und ändert, bis es entzogen wird; ein neues Passwort beendet es nicht",
        ),
        NoticeKind::DraftTokenMade => (
            "Ein neues Token für die Entwürfe eines Ihrer Bereiche",
            "jemand hat ein Token angelegt, das die Entwürfe des unten genannten Bereichs liest, bis es entzogen wird; ein neues Passwort beendet es nicht",
        ),
    }
}
