//! What the audit trail of accounts records: a closed list, so that each event has a name for programs and,
//! in the console, words for people.

use std::str::FromStr;

/// Each event with its name. What was recorded keeps its name for good, so a name is never given another
/// meaning.
macro_rules! events {
    ($($variant:ident = $name:literal,)*) => {
        /// An event of the audit trail.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum AuditEvent {
            $(#[doc = concat!("`", $name, "`")] $variant,)*
        }

        impl AuditEvent {
            /// Every event.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The name in rows and on the wire.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }
    };
}

events! {
    AccountDeleted = "account.deleted",
    AccountExported = "account.exported",
    AccountUpdated = "account.updated",
    AdminAuditAnonymized = "admin.audit.anonymized",
    AdminAuditExported = "admin.audit.exported",
    AdminBlockLifted = "admin.block.lifted",
    AdminClientSecretRevealed = "admin.client.secret_revealed",
    AdminConfirmation = "admin.confirmation",
    AdminEmailRetried = "admin.email.retried",
    AdminEmailTestSent = "admin.email.test_sent",
    AdminForceLogoutAll = "admin.force_logout_all",
    AdminKeysRotated = "admin.keys.rotated",
    AdminQueueRetried = "admin.queue.retried",
    AdminRolesRekeyed = "admin.roles.rekeyed",
    AdminSendingPaused = "admin.sending.paused",
    AdminSendingResumed = "admin.sending.resumed",
    AdminSpaceOwnerGiven = "admin.space.owner_given",
    AdminSpaceUndeleted = "admin.space.undeleted",
    AdminTokenRevoked = "admin.token.revoked",
    AdminUserCreated = "admin.user.created",
    AdminUserDeleted = "admin.user.deleted",
    AdminUserExported = "admin.user.exported",
    AdminUserForceLogout = "admin.user.force_logout",
    AdminUserInviteRenewed = "admin.user.invite_renewed",
    AdminUserResetLinkMade = "admin.user.reset_link_made",
    AdminUserRolesUpdated = "admin.user.roles_updated",
    AdminUserSuspended = "admin.user.suspended",
    AdminUserTwoFactorReset = "admin.user.two_factor_reset",
    AdminUserUnsuspended = "admin.user.unsuspended",
    AdminUserUpdated = "admin.user.updated",
    AuthBackupCodeUsed = "auth.backup_code.used",
    AuthBackupCodesRegenerated = "auth.backup_codes.regenerated",
    AuthEmailChangeRequested = "auth.email.change_requested",
    AuthEmailChanged = "auth.email.changed",
    AuthEmailVerificationRequested = "auth.email.verification_requested",
    AuthEmailVerified = "auth.email.verified",
    AuthInviteAccepted = "auth.invite.accepted",
    AuthLoginFailure = "auth.login.failure",
    AuthLoginNewDevice = "auth.login.new_device",
    AuthLoginSuccess = "auth.login.success",
    AuthLoginSuspicious = "auth.login.suspicious",
    AuthLogout = "auth.logout",
    AuthPasskeyAdded = "auth.passkey.added",
    AuthPasskeyRemoved = "auth.passkey.removed",
    AuthPasskeyRenamed = "auth.passkey.renamed",
    AuthPasswordChanged = "auth.password.changed",
    AuthPasswordRemoved = "auth.password.removed",
    AuthPasswordReset = "auth.password.reset",
    AuthPasswordResetRequested = "auth.password.reset_requested",
    AuthPasswordSet = "auth.password.set",
    AuthProof = "auth.proof",
    AuthRegister = "auth.register",
    AuthTotpDisabled = "auth.totp.disabled",
    AuthTotpEnabled = "auth.totp.enabled",
    MailDeadLettered = "mail.dead_lettered",
    OidcBackchannelLogoutFailed = "oidc.backchannel_logout.failed",
    OidcClientRolesRefused = "oidc.client.roles_refused",
    OidcClientRolesUpdated = "oidc.client.roles_updated",
    OidcCodeReuseDetected = "oidc.code_reuse_detected",
    OidcConsentDenied = "oidc.consent.denied",
    OidcConsentGranted = "oidc.consent.granted",
    OidcConsentWithdrawn = "oidc.consent.withdrawn",
    OidcRefreshReuseDetected = "oidc.refresh_reuse_detected",
    OidcRequestRefused = "oidc.request.refused",
    ProvisioningUserCreated = "provisioning.user.created",
    ProvisioningUserRejected = "provisioning.user.rejected",
    ProvisioningUserSkipped = "provisioning.user.skipped",
    SessionsRevokedOne = "sessions.revoked_one",
    SessionsRevokedOthers = "sessions.revoked_others",
    WebauthnCounterRegression = "webauthn.counter_regression",
    WebhookDeadLetter = "webhook.dead_letter",
}

impl FromStr for AuditEvent {
    type Err = ();

    /// An event by its name; no other text is one.
    fn from_str(name: &str) -> Result<Self, ()> {
        Self::ALL.iter().copied().find(|event| event.name() == name).ok_or(())
    }
}

#[cfg(test)]
mod tests {
    use super::AuditEvent;

    #[test]
    fn each_event_has_a_name_of_its_own() {
        for event in AuditEvent::ALL {
            assert_eq!(event.name().parse(), Ok(*event));
            assert!(event.name().bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'_' | b'.')), "{event:?}");
        }
        assert_eq!("auth.login".parse::<AuditEvent>(), Err(()));
    }
}
