//! The events of the audit trail in words: what happened, what was refused, and what others did to the
//! account.

use crate::text::texts;

texts! {
    ActivityText;

    Registered: "Account created", "Konto angelegt";
    RegisteredRefused: "Attempt to register your address again", "Versuch, Ihre Adresse noch einmal zu registrieren";
    SignedIn: "Signed in", "Angemeldet";
    SignInRefused: "Sign-in refused", "Anmeldung abgelehnt";
    NewDevice: "Signed in on a new device", "Auf einem neuen Gerät angemeldet";
    SuspiciousSignIn: "Unusual sign-in", "Ungewöhnliche Anmeldung";
    SignedOut: "Signed out", "Abgemeldet";
    Proved: "Identity confirmed", "Identität bestätigt";
    ProvedRefused: "Identity check refused", "Identitätsprüfung abgelehnt";
    PasswordChanged: "Password changed", "Passwort geändert";
    PasswordChangedRefused: "Password change refused", "Passwortänderung abgelehnt";
    PasswordSet: "Password set", "Passwort festgelegt";
    PasswordRemoved: "Password removed", "Passwort entfernt";
    PasswordRemovedRefused: "Password removal refused", "Entfernen des Passworts abgelehnt";
    PasswordReset: "New password set through an e-mail link", "Neues Passwort über einen Link festgelegt";
    PasswordResetRequested: "Link for a new password requested", "Link für ein neues Passwort angefordert";
    EmailChanged: "E-mail address changed", "E-Mail-Adresse geändert";
    EmailChangeRequested: "Change of the e-mail address requested", "Änderung der E-Mail-Adresse angefordert";
    EmailChangeRequestedRefused: "Change of the e-mail address refused", "Änderung der E-Mail-Adresse abgelehnt";
    EmailVerified: "E-mail address confirmed", "E-Mail-Adresse bestätigt";
    EmailVerifiedRefused: "Confirming the e-mail address refused", "Bestätigen der E-Mail-Adresse abgelehnt";
    EmailVerificationRequested: "Link to confirm the address requested", "Link zum Bestätigen der Adresse angefordert";
    InviteAccepted: "Invitation accepted", "Einladung angenommen";
    PasskeyAdded: "Passkey added", "Passkey hinzugefügt";
    PasskeyRemoved: "Passkey removed", "Passkey entfernt";
    PasskeyRenamed: "Passkey renamed", "Passkey umbenannt";
    AppTurnedOn: "Authenticator app set up", "Authentifizierungs-App eingerichtet";
    AppTurnedOnRefused: "Setting up the authenticator app refused", "Einrichten der Authentifizierungs-App abgelehnt";
    AppTurnedOff: "Authenticator app turned off", "Authentifizierungs-App abgeschaltet";
    AppTurnedOffRefused: "Turning off the authenticator app refused", "Abschalten der Authentifizierungs-App abgelehnt";
    BackupCodeUsed: "Backup code used", "Ersatzcode benutzt";
    BackupCodesRenewed: "New backup codes made", "Neue Ersatzcodes erzeugt";
    PasskeyCountWentBack: "Passkey refused: somebody may have copied it", "Passkey abgelehnt: Er könnte kopiert worden sein";
    SessionEnded: "Session ended", "Sitzung beendet";
    OtherSessionsEnded: "Other sessions ended", "Andere Sitzungen beendet";
    ProfileChanged: "Profile changed", "Profil geändert";
    DataExported: "Data exported", "Daten exportiert";
    AccountDeleted: "Account deleted", "Konto gelöscht";
    AccountDeletedRefused: "Deletion of the account refused", "Löschen des Kontos abgelehnt";
    ConsentGranted: "Access granted to an application", "Einer Anwendung Zugriff erlaubt";
    ConsentDenied: "Access denied to an application", "Einer Anwendung den Zugriff verweigert";
    ConsentWithdrawn: "Access of an application withdrawn", "Einer Anwendung den Zugriff entzogen";
    CodeReused: "An application’s sign-in code was used twice, so its access has ended", "Der Anmeldecode einer Anwendung wurde zweimal benutzt, deshalb ist ihr Zugriff beendet";
    RefreshTokenReused: "An application’s token was used twice, so its access has ended", "Das Token einer Anwendung wurde zweimal benutzt, deshalb ist ihr Zugriff beendet";
    ClientRequestRefused: "Request of an application refused", "Anfrage einer Anwendung abgelehnt";
    ClientChangedRoles: "Roles changed by an application", "Rollen durch eine Anwendung geändert";
    ClientRolesRefused: "Change of roles by an application refused", "Rollenänderung durch eine Anwendung abgelehnt";
    LogoutNoticeGivenUp: "An application could not be told that you signed out", "Eine Anwendung hat von Ihrer Abmeldung nichts erfahren";
    ClientNoticeGivenUp: "An application could not be told of a change", "Eine Anwendung hat von einer Änderung nichts erfahren";
    ActConfirmed: "Identity confirmed in the console", "Identität in der Verwaltung bestätigt";
    ActConfirmedRefused: "Identity check in the console refused", "Identitätsprüfung in der Verwaltung abgelehnt";
    AdminUserCreated: "Created an account", "Ein Konto angelegt";
    AdminUserCreatedByOthers: "Account created by an administrator", "Konto von der Verwaltung angelegt";
    AdminUserUpdated: "Changed an account", "Ein Konto geändert";
    AdminUserUpdatedByOthers: "Changed by an administrator", "Von der Verwaltung geändert";
    AdminUserDeleted: "Deleted an account", "Ein Konto gelöscht";
    AdminUserDeletedByOthers: "Deleted by an administrator", "Von der Verwaltung gelöscht";
    AdminUserExported: "Exported an account’s data", "Die Daten eines Kontos exportiert";
    AdminUserExportedByOthers: "Data exported by an administrator", "Daten von der Verwaltung exportiert";
    AdminUserSuspended: "Suspended an account", "Ein Konto gesperrt";
    AdminUserSuspendedByOthers: "Suspended by an administrator", "Von der Verwaltung gesperrt";
    AdminUserUnsuspended: "Lifted an account’s suspension", "Die Sperre eines Kontos aufgehoben";
    AdminUserUnsuspendedByOthers: "Suspension lifted by an administrator", "Sperre von der Verwaltung aufgehoben";
    AdminUserTwoFactorReset: "Reset an account’s second factors", "Die zweiten Faktoren eines Kontos zurückgesetzt";
    AdminUserTwoFactorResetByOthers: "Second factors reset by an administrator", "Zweite Faktoren von der Verwaltung zurückgesetzt";
    AdminUserForceLogout: "Signed an account out everywhere", "Ein Konto überall abgemeldet";
    AdminUserForceLogoutByOthers: "Signed out everywhere by an administrator", "Von der Verwaltung überall abgemeldet";
    AdminUserRolesUpdated: "Changed an account’s roles", "Die Rollen eines Kontos geändert";
    AdminUserRolesUpdatedByOthers: "Roles changed by an administrator", "Rollen von der Verwaltung geändert";
    AdminUserInviteRenewed: "Sent an invitation again", "Eine Einladung neu verschickt";
    AdminUserInviteRenewedByOthers: "Invited again by an administrator", "Von der Verwaltung neu eingeladen";
    AdminUserResetLinkMade: "Made a link for an account’s new password", "Einen Link für das neue Passwort eines Kontos erstellt";
    AdminUserResetLinkMadeByOthers: "Link for a new password made by an administrator", "Link für ein neues Passwort von der Verwaltung erstellt";
    AdminTokenRevoked: "Revoked a token", "Ein Token widerrufen";
    AdminTokenRevokedByOthers: "Token revoked by an administrator", "Token von der Verwaltung widerrufen";
    AdminSignedEverybodyOut: "Signed everybody out", "Alle abgemeldet";
    AdminRolesRekeyed: "Moved a group of roles to another application", "Eine Rollengruppe einer anderen Anwendung zugeordnet";
    AdminClientSecretRevealed: "Looked at an application’s secret", "Das Geheimnis einer Anwendung angesehen";
    AdminKeysRotated: "Changed the signing keys", "Die Signaturschlüssel gewechselt";
    AdminBlockLifted: "Lifted a block", "Eine Sperre aufgehoben";
    AdminBlockLiftedByOthers: "Block lifted by an administrator", "Sperre von der Verwaltung aufgehoben";
    AdminAuditExported: "Took the audit trail as a file", "Das Protokoll als Datei geholt";
    AdminAuditAnonymized: "Cleared the audit trail of people who are gone", "Im Protokoll gelöschte Personen anonymisiert";
    AdminEmailTestSent: "Sent a test e-mail", "Eine Test-E-Mail verschickt";
    AdminEmailTestSentRefused: "Test e-mail failed", "Test-E-Mail fehlgeschlagen";
    AdminEmailRetried: "Sent an e-mail again", "Eine E-Mail noch einmal verschickt";
    AdminEmailRetriedByOthers: "E-mail sent again by an administrator", "E-Mail von der Verwaltung noch einmal verschickt";
    AdminQueueRetried: "Tried failed work again", "Fehlgeschlagene Aufträge neu gestartet";
    AdminSpaceOwnerGiven: "Gave a space to a new owner", "Einem Space einen neuen Eigentümer gegeben";
    AdminSpaceOwnerGivenByOthers: "A space given to you by an administrator", "Ein Space von der Verwaltung an Sie übergeben";
    AdminSpaceUndeleted: "Brought a deleted space back", "Einen gelöschten Space zurückgeholt";
    AdminSendingPaused: "Sending paused", "Versand angehalten";
    AdminSendingResumed: "Sending resumed", "Versand fortgesetzt";
    MailGivenUp: "An e-mail could not be delivered", "Eine E-Mail ließ sich nicht zustellen";
    Provisioned: "Account imported", "Konto importiert";
    ProvisioningSkipped: "Account was here already when it was imported", "Konto war beim Import schon da";
    ProvisioningRejected: "Import of the account refused", "Import des Kontos abgelehnt";

    // What is added to an entry
    OnNewDevice: "new device", "neues Gerät";
    Unusual: "unusual", "ungewöhnlich";
    WithBackupCode: "with a backup code", "mit einem Ersatzcode";
    EndedOthers: "other sessions ended", "andere Sitzungen beendet";
    EndedFormer: "the session before it ended", "die Sitzung davor beendet";

    // Entries of earlier versions
    Something: "Something that this version has no words for", "Etwas, wofür diese Version keine Worte hat";
    AnyRefused: "{event}: refused", "{event}: abgelehnt";
}
