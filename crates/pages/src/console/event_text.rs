//! The events of the audit trail in words, as the console names them. Each event has its text here: an event
//! without one does not compile.

use crate::text::texts;
use domain::identity::AuditEvent;

/// The texts, each under the name of its event, and the way from an event to its text.
macro_rules! event_texts {
    ($($name:ident: $english:literal, $german:literal;)*) => {
        texts! { EventText; $($name: $english, $german;)* }

        impl From<AuditEvent> for EventText {
            fn from(event: AuditEvent) -> Self {
                match event {
                    $(AuditEvent::$name => Self::$name,)*
                }
            }
        }
    };
}

event_texts! {
    // What people do with their account
    AccountDeleted: "Account deleted", "Konto gelöscht";
    AccountExported: "Data exported", "Daten exportiert";
    AccountUpdated: "Profile changed", "Profil geändert";

    // What administrators do
    AdminAuditAnonymized: "Entries about people who are gone emptied", "Einträge über Personen geleert, die es nicht mehr gibt";
    AdminAuditExported: "Audit trail taken as a file", "Protokoll als Datei entnommen";
    AdminBlockLifted: "Block lifted", "Sperre aufgehoben";
    AdminClientSecretRevealed: "Secret of an application shown", "Geheimnis einer Anwendung gezeigt";
    AdminConfirmation: "Confirmation of an administrator", "Bestätigung durch die Verwaltung";
    AdminEmailRetried: "Mail sent again", "Mail noch einmal gesendet";
    AdminEmailTestSent: "Test mail sent", "Testmail verschickt";
    AdminForceLogoutAll: "Everybody signed out", "Alle abgemeldet";
    AdminKeysRotated: "Signing keys rotated", "Signaturschlüssel gewechselt";
    AdminQueueRetried: "Work tried again", "Arbeit noch einmal versucht";
    AdminRolesRekeyed: "Roles moved to another group", "Rollen in eine andere Gruppe verschoben";
    AdminSendingPaused: "Sending paused", "Versand angehalten";
    AdminSendingResumed: "Sending resumed", "Versand fortgesetzt";
    AdminSpaceOwnerGiven: "Space given an owner", "Space hat Eigentümer bekommen";
    AdminSpaceUndeleted: "Space brought back", "Space wiederhergestellt";
    AdminTokenRevoked: "Token taken away", "Token entzogen";
    AdminUserCreated: "Account created by an administrator", "Konto durch die Verwaltung angelegt";
    AdminUserDeleted: "Account deleted by an administrator", "Konto durch die Verwaltung gelöscht";
    AdminUserExported: "Data exported by an administrator", "Daten durch die Verwaltung exportiert";
    AdminUserForceLogout: "Signed out by an administrator", "Durch die Verwaltung abgemeldet";
    AdminUserInviteRenewed: "Invited again", "Noch einmal eingeladen";
    AdminUserResetLinkMade: "Link for a new password made by an administrator", "Link für ein neues Passwort durch die Verwaltung erstellt";
    AdminUserRolesUpdated: "Roles changed by an administrator", "Rollen durch die Verwaltung geändert";
    AdminUserSuspended: "Account suspended", "Konto gesperrt";
    AdminUserTwoFactorReset: "Second factors reset", "Zweite Faktoren zurückgesetzt";
    AdminUserUnsuspended: "Suspension ended", "Konto entsperrt";
    AdminUserUpdated: "Account changed by an administrator", "Konto durch die Verwaltung geändert";

    // Signing in, and what it is done with
    AuthBackupCodeUsed: "Backup code used", "Ersatzcode benutzt";
    AuthBackupCodesRegenerated: "New backup codes made", "Neue Ersatzcodes erzeugt";
    AuthEmailChangeRequested: "Change of the address requested", "Änderung der Adresse angefordert";
    AuthEmailChanged: "Address changed", "Adresse geändert";
    AuthEmailVerificationRequested: "Link to confirm the address requested", "Link zum Bestätigen der Adresse angefordert";
    AuthEmailVerified: "Address confirmed", "Adresse bestätigt";
    AuthInviteAccepted: "Invitation accepted", "Einladung angenommen";
    AuthLoginFailure: "Sign-in refused", "Anmeldung abgelehnt";
    AuthLoginNewDevice: "Signed in with a new device", "Mit einem neuen Gerät angemeldet";
    AuthLoginSuccess: "Signed in", "Angemeldet";
    AuthLoginSuspicious: "Unusual sign-in", "Ungewöhnliche Anmeldung";
    AuthLogout: "Signed out", "Abgemeldet";
    AuthPasskeyAdded: "Passkey added", "Passkey hinzugefügt";
    AuthPasskeyRemoved: "Passkey removed", "Passkey entfernt";
    AuthPasskeyRenamed: "Passkey renamed", "Passkey umbenannt";
    AuthPasswordChanged: "Password changed", "Passwort geändert";
    AuthPasswordRemoved: "Password removed", "Passwort entfernt";
    AuthPasswordReset: "Password set by a link", "Passwort durch einen Link festgelegt";
    AuthPasswordResetRequested: "Link for a new password requested", "Link für ein neues Passwort angefordert";
    AuthPasswordSet: "First password set", "Erstes Passwort festgelegt";
    AuthProof: "Proof of identity", "Identität bestätigt";
    AuthRegister: "Account created", "Konto angelegt";
    AuthTotpDisabled: "Authenticator app turned off", "Authentifizierungs-App abgeschaltet";
    AuthTotpEnabled: "Authenticator app set up", "Authentifizierungs-App eingerichtet";

    // What the server did, or could not do
    MailDeadLettered: "Mail given up", "Mail aufgegeben";

    // Applications
    OidcBackchannelLogoutFailed: "Sign-out not delivered to an application", "Abmeldung einer Anwendung nicht zugestellt";
    OidcClientRolesRefused: "Roles of an unknown person asked for by an application", "Rollen einer unbekannten Person durch eine Anwendung angefragt";
    OidcClientRolesUpdated: "Roles changed by an application", "Rollen durch eine Anwendung geändert";
    OidcCodeReuseDetected: "Code of a sign-in used twice", "Code einer Anmeldung zweimal benutzt";
    OidcConsentDenied: "Access denied to an application", "Einer Anwendung den Zugriff verweigert";
    OidcConsentGranted: "Access allowed to an application", "Einer Anwendung Zugriff erlaubt";
    OidcConsentWithdrawn: "Access of an application withdrawn", "Einer Anwendung den Zugriff entzogen";
    OidcRefreshReuseDetected: "Refresh token used twice", "Refresh-Token zweimal benutzt";
    OidcRequestRefused: "Request of an application refused", "Anfrage einer Anwendung abgelehnt";

    // Provisioning
    ProvisioningUserCreated: "Account provisioned", "Konto bereitgestellt";
    ProvisioningUserRejected: "Provisioning refused", "Bereitstellung abgelehnt";
    ProvisioningUserSkipped: "Provisioning skipped", "Bereitstellung übersprungen";

    // Sessions, passkeys, notices
    SessionsRevokedOne: "Session ended", "Sitzung beendet";
    SessionsRevokedOthers: "Other sessions ended", "Andere Sitzungen beendet";
    WebauthnCounterRegression: "Passkey refused: it may have been copied", "Passkey abgelehnt: er könnte kopiert worden sein";
    WebhookDeadLetter: "Change of an account not delivered to an application", "Kontoänderung einer Anwendung nicht zugestellt";
}

#[cfg(test)]
mod tests {
    use super::EventText;
    use crate::Words;
    use domain::{identity::AuditEvent, shared::Language};
    use std::collections::BTreeSet;

    /// In a list, words that two events share would be a choice between the same and the same.
    #[test]
    fn each_event_has_words_of_its_own_in_both_languages() {
        for language in [Language::English, Language::German] {
            let words = AuditEvent::ALL.iter().map(|event| EventText::from(*event).in_language(language).trim());
            let words: BTreeSet<&str> = words.filter(|words| !words.is_empty() && !words.contains('.')).collect();
            assert_eq!(words.len(), AuditEvent::ALL.len(), "{language:?}");
        }
    }
}
