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
            "somebody is signing in to it in an unusual way, or on a device that we have not seen before",
        ),
        NoticeKind::BackupCodeSignIn => {
            ("Sign-in with a backup code", "somebody has signed in to it with a backup code, which no longer works")
        }
        NoticeKind::BackupCode => {
            ("A backup code of your account was used", "somebody has removed its authenticator app with a backup code")
        }
        NoticeKind::AddressChange => (
            "Another e-mail address for your account",
            "somebody wants to replace this e-mail address by another one, which takes effect as soon as it is confirmed",
        ),
        NoticeKind::PasswordChanged => {
            ("Your password was changed", "somebody who knew its password has changed it, and all other sessions have ended")
        }
        NoticeKind::PasswordSet => ("Your account has a password", "somebody has set its first password"),
        NoticeKind::PasswordRemoved => (
            "The password of your account was removed",
            "somebody has removed its password, so from now on you sign in with a passkey only",
        ),
        NoticeKind::PasswordReset => (
            "A new password for your account",
            "somebody has set a new password through a link in an e-mail, and all sessions have ended",
        ),
        NoticeKind::AppAdded => (
            "An authenticator app for your account",
            "somebody has added an authenticator app, and each sign-in now asks for one of its codes",
        ),
        NoticeKind::AppReplaced => (
            "Another authenticator app for your account",
            "somebody has replaced its authenticator app by another one; the codes of the old app and the old backup codes no longer work",
        ),
        NoticeKind::AppRemoved => (
            "The authenticator app of your account was removed",
            "somebody has removed its authenticator app, with a code from the app",
        ),
        NoticeKind::BackupCodesRenewed => {
            ("New backup codes for your account", "somebody has made new backup codes, and the old ones no longer work")
        }
        NoticeKind::PasskeyAdded => {
            ("A new passkey for your account", "somebody has added a passkey, which signs in without a password or a code")
        }
        NoticeKind::PasskeyRemoved => ("A passkey of your account was removed", "somebody has removed one of its passkeys"),
        NoticeKind::ManagementTokenMade => (
            "A new management token for one of your spaces",
            "somebody has made a token that can read and change the space below in your name until it is revoked; a new password does not end it",
        ),
        NoticeKind::DraftTokenMade => (
            "A new token for the drafts of one of your spaces",
            "somebody has made a token that can read the drafts of the space below until it is revoked; a new password does not end it",
        ),
    }
}

fn german(notice: NoticeKind) -> (&'static str, &'static str) {
    match notice {
        NoticeKind::SignIn => (
            "Neue Anmeldung bei Ihrem Konto",
            "jemand meldet sich auf ungewöhnliche Weise an, oder auf einem Gerät, das wir noch nicht kennen",
        ),
        NoticeKind::BackupCodeSignIn => {
            ("Anmeldung mit einem Ersatzcode", "jemand hat sich mit einem Ersatzcode angemeldet; der Code ist damit verbraucht")
        }
        NoticeKind::BackupCode => {
            ("Ein Ersatzcode Ihres Kontos wurde benutzt", "jemand hat mit einem Ersatzcode die Authentifizierungs-App entfernt")
        }
        NoticeKind::AddressChange => (
            "Andere E-Mail-Adresse für Ihr Konto",
            "jemand möchte diese E-Mail-Adresse durch eine andere ersetzen; die neue gilt, sobald sie bestätigt ist",
        ),
        NoticeKind::PasswordChanged => {
            ("Ihr Passwort wurde geändert", "jemand, der das Passwort kannte, hat es geändert; alle anderen Sitzungen sind beendet")
        }
        NoticeKind::PasswordSet => ("Ihr Konto hat ein Passwort", "jemand hat das erste Passwort festgelegt"),
        NoticeKind::PasswordRemoved => (
            "Das Passwort Ihres Kontos wurde entfernt",
            "jemand hat das Passwort entfernt; ab jetzt melden Sie sich nur noch mit einem Passkey an",
        ),
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
            "jemand hat die Authentifizierungs-App durch eine andere ersetzt; die Codes der alten App und die alten Ersatzcodes gelten nicht mehr",
        ),
        NoticeKind::AppRemoved => (
            "Die Authentifizierungs-App Ihres Kontos wurde entfernt",
            "jemand hat die Authentifizierungs-App entfernt, mit einem Code aus der App",
        ),
        NoticeKind::BackupCodesRenewed => {
            ("Neue Ersatzcodes für Ihr Konto", "jemand hat neue Ersatzcodes erzeugt; die alten gelten nicht mehr")
        }
        NoticeKind::PasskeyAdded => (
            "Ein neuer Passkey für Ihr Konto",
            "jemand hat einen Passkey hinzugefügt, mit dem man sich ohne Passwort und Code anmeldet",
        ),
        NoticeKind::PasskeyRemoved => ("Ein Passkey Ihres Kontos wurde entfernt", "jemand hat einen der Passkeys entfernt"),
        NoticeKind::ManagementTokenMade => (
            "Ein neues Verwaltungs-Token für einen Ihrer Spaces",
            "jemand hat ein Token angelegt, das den unten genannten Space in Ihrem Namen lesen und ändern kann, bis es widerrufen wird; ein neues Passwort beendet es nicht",
        ),
        NoticeKind::DraftTokenMade => (
            "Ein neues Token für die Entwürfe eines Ihrer Spaces",
            "jemand hat ein Token angelegt, das die Entwürfe des unten genannten Spaces lesen kann, bis es widerrufen wird; ein neues Passwort beendet es nicht",
        ),
    }
}
