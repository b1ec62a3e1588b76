//! Events of the audit trail as people read them. The match over the events is complete: one that is recorded without words does not compile.

use super::event_text::EventText;
use crate::text::Words;
use domain::{identity::AuditEvent, shared::Language};

/// An entry of the trail, as its words depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// Whether it was refused, or failed.
    pub is_failure: bool,
    /// Whether the reader did it, and not somebody else to the reader's account.
    pub is_own: bool,
}

/// What an entry says.
pub(crate) fn in_words(language: Language, event: Option<AuditEvent>, entry: Entry) -> String {
    let Some(event) = event else { return EventText::Something.in_language(language).to_owned() };
    let refused = refused(event);
    match (entry.is_failure, refused) {
        (true, Some(text)) => text.in_language(language).to_owned(),
        (true, None) => EventText::AnyRefused.fill(language, &[("event", done(event, entry.is_own).in_language(language))]),
        (false, _) => done(event, entry.is_own).in_language(language).to_owned(),
    }
}

/// What an event adds to the entry of another one, if that is worth a word.
pub(crate) fn remark(event: AuditEvent) -> Option<EventText> {
    Some(match event {
        AuditEvent::AuthLoginNewDevice => EventText::OnNewDevice,
        AuditEvent::AuthLoginSuspicious => EventText::Unusual,
        AuditEvent::AuthBackupCodeUsed => EventText::WithBackupCode,
        AuditEvent::SessionsRevokedOthers => EventText::EndedOthers,
        AuditEvent::AuthLogout => EventText::EndedFormer,
        AuditEvent::AuthProof => return None,
        other => done(other, true),
    })
}

/// What was refused. These events are always failures, or have a text for it.
fn refused(event: AuditEvent) -> Option<EventText> {
    Some(match event {
        AuditEvent::AuthRegister => EventText::RegisteredRefused,
        AuditEvent::AuthProof => EventText::ProvedRefused,
        AuditEvent::AuthPasswordChanged => EventText::PasswordChangedRefused,
        AuditEvent::AuthPasswordRemoved => EventText::PasswordRemovedRefused,
        AuditEvent::AuthEmailChangeRequested => EventText::EmailChangeRequestedRefused,
        AuditEvent::AuthEmailVerified => EventText::EmailVerifiedRefused,
        AuditEvent::AuthTotpEnabled => EventText::AppTurnedOnRefused,
        AuditEvent::AuthTotpDisabled => EventText::AppTurnedOffRefused,
        AuditEvent::AccountDeleted => EventText::AccountDeletedRefused,
        AuditEvent::AdminConfirmation => EventText::ActConfirmedRefused,
        AuditEvent::AdminEmailTestSent => EventText::AdminEmailTestSentRefused,
        AuditEvent::AuthLoginFailure
        | AuditEvent::WebauthnCounterRegression
        | AuditEvent::OidcCodeReuseDetected
        | AuditEvent::OidcRefreshReuseDetected
        | AuditEvent::OidcRequestRefused
        | AuditEvent::OidcClientRolesRefused
        | AuditEvent::OidcBackchannelLogoutFailed
        | AuditEvent::WebhookDeadLetter
        | AuditEvent::MailDeadLettered
        | AuditEvent::ProvisioningUserRejected => done(event, true),
        _ => return None,
    })
}

/// What was done, by the reader or by somebody else.
fn done(event: AuditEvent, is_own: bool) -> EventText {
    match event {
        AuditEvent::AdminUserCreated if !is_own => EventText::AdminUserCreatedByOthers,
        AuditEvent::AdminUserUpdated if !is_own => EventText::AdminUserUpdatedByOthers,
        AuditEvent::AdminUserDeleted if !is_own => EventText::AdminUserDeletedByOthers,
        AuditEvent::AdminUserExported if !is_own => EventText::AdminUserExportedByOthers,
        AuditEvent::AdminUserSuspended if !is_own => EventText::AdminUserSuspendedByOthers,
        AuditEvent::AdminUserUnsuspended if !is_own => EventText::AdminUserUnsuspendedByOthers,
        AuditEvent::AdminUserTwoFactorReset if !is_own => EventText::AdminUserTwoFactorResetByOthers,
        AuditEvent::AdminUserForceLogout if !is_own => EventText::AdminUserForceLogoutByOthers,
        AuditEvent::AdminUserRolesUpdated if !is_own => EventText::AdminUserRolesUpdatedByOthers,
        AuditEvent::AdminUserInviteRenewed if !is_own => EventText::AdminUserInviteRenewedByOthers,
        AuditEvent::AdminUserResetLinkMade if !is_own => EventText::AdminUserResetLinkMadeByOthers,
        AuditEvent::AdminTokenRevoked if !is_own => EventText::AdminTokenRevokedByOthers,
        AuditEvent::AdminBlockLifted if !is_own => EventText::AdminBlockLiftedByOthers,
        AuditEvent::AdminEmailRetried if !is_own => EventText::AdminEmailRetriedByOthers,
        AuditEvent::AdminSpaceOwnerGiven if !is_own => EventText::AdminSpaceOwnerGivenByOthers,
        AuditEvent::AuthRegister => EventText::Registered,
        AuditEvent::AuthLoginSuccess => EventText::SignedIn,
        AuditEvent::AuthLoginFailure => EventText::SignInRefused,
        AuditEvent::AuthLoginNewDevice => EventText::NewDevice,
        AuditEvent::AuthLoginSuspicious => EventText::SuspiciousSignIn,
        AuditEvent::AuthLogout => EventText::SignedOut,
        AuditEvent::AuthProof => EventText::Proved,
        AuditEvent::AuthPasswordChanged => EventText::PasswordChanged,
        AuditEvent::AuthPasswordSet => EventText::PasswordSet,
        AuditEvent::AuthPasswordRemoved => EventText::PasswordRemoved,
        AuditEvent::AuthPasswordReset => EventText::PasswordReset,
        AuditEvent::AuthPasswordResetRequested => EventText::PasswordResetRequested,
        AuditEvent::AuthEmailChanged => EventText::EmailChanged,
        AuditEvent::AuthEmailChangeRequested => EventText::EmailChangeRequested,
        AuditEvent::AuthEmailVerified => EventText::EmailVerified,
        AuditEvent::AuthEmailVerificationRequested => EventText::EmailVerificationRequested,
        AuditEvent::AuthInviteAccepted => EventText::InviteAccepted,
        AuditEvent::AuthPasskeyAdded => EventText::PasskeyAdded,
        AuditEvent::AuthPasskeyRemoved => EventText::PasskeyRemoved,
        AuditEvent::AuthPasskeyRenamed => EventText::PasskeyRenamed,
        AuditEvent::AuthTotpEnabled => EventText::AppTurnedOn,
        AuditEvent::AuthTotpDisabled => EventText::AppTurnedOff,
        AuditEvent::AuthBackupCodeUsed => EventText::BackupCodeUsed,
        AuditEvent::AuthBackupCodesRegenerated => EventText::BackupCodesRenewed,
        AuditEvent::WebauthnCounterRegression => EventText::PasskeyCountWentBack,
        AuditEvent::SessionsRevokedOne => EventText::SessionEnded,
        AuditEvent::SessionsRevokedOthers => EventText::OtherSessionsEnded,
        AuditEvent::AccountUpdated => EventText::ProfileChanged,
        AuditEvent::AccountExported => EventText::DataExported,
        AuditEvent::AccountDeleted => EventText::AccountDeleted,
        AuditEvent::OidcConsentGranted => EventText::ConsentGranted,
        AuditEvent::OidcConsentDenied => EventText::ConsentDenied,
        AuditEvent::OidcConsentWithdrawn => EventText::ConsentWithdrawn,
        AuditEvent::OidcCodeReuseDetected => EventText::CodeReused,
        AuditEvent::OidcRefreshReuseDetected => EventText::RefreshTokenReused,
        AuditEvent::OidcRequestRefused => EventText::ClientRequestRefused,
        AuditEvent::OidcClientRolesUpdated => EventText::ClientChangedRoles,
        AuditEvent::OidcClientRolesRefused => EventText::ClientRolesRefused,
        AuditEvent::OidcBackchannelLogoutFailed => EventText::LogoutNoticeGivenUp,
        AuditEvent::WebhookDeadLetter => EventText::ClientNoticeGivenUp,
        AuditEvent::AdminConfirmation => EventText::ActConfirmed,
        AuditEvent::AdminUserCreated => EventText::AdminUserCreated,
        AuditEvent::AdminUserUpdated => EventText::AdminUserUpdated,
        AuditEvent::AdminUserDeleted => EventText::AdminUserDeleted,
        AuditEvent::AdminUserExported => EventText::AdminUserExported,
        AuditEvent::AdminUserSuspended => EventText::AdminUserSuspended,
        AuditEvent::AdminUserUnsuspended => EventText::AdminUserUnsuspended,
        AuditEvent::AdminUserTwoFactorReset => EventText::AdminUserTwoFactorReset,
        AuditEvent::AdminUserForceLogout => EventText::AdminUserForceLogout,
        AuditEvent::AdminUserRolesUpdated => EventText::AdminUserRolesUpdated,
        AuditEvent::AdminUserInviteRenewed => EventText::AdminUserInviteRenewed,
        AuditEvent::AdminUserResetLinkMade => EventText::AdminUserResetLinkMade,
        AuditEvent::AdminTokenRevoked => EventText::AdminTokenRevoked,
        AuditEvent::AdminForceLogoutAll => EventText::AdminSignedEverybodyOut,
        AuditEvent::AdminRolesRekeyed => EventText::AdminRolesRekeyed,
        AuditEvent::AdminClientSecretRevealed => EventText::AdminClientSecretRevealed,
        AuditEvent::AdminKeysRotated => EventText::AdminKeysRotated,
        AuditEvent::AdminBlockLifted => EventText::AdminBlockLifted,
        AuditEvent::AdminAuditExported => EventText::AdminAuditExported,
        AuditEvent::AdminAuditAnonymized => EventText::AdminAuditAnonymized,
        AuditEvent::AdminEmailTestSent => EventText::AdminEmailTestSent,
        AuditEvent::AdminEmailRetried => EventText::AdminEmailRetried,
        AuditEvent::AdminQueueRetried => EventText::AdminQueueRetried,
        AuditEvent::AdminSpaceOwnerGiven => EventText::AdminSpaceOwnerGiven,
        AuditEvent::AdminSpaceUndeleted => EventText::AdminSpaceUndeleted,
        AuditEvent::AdminSendingPaused => EventText::AdminSendingPaused,
        AuditEvent::AdminSendingResumed => EventText::AdminSendingResumed,
        AuditEvent::MailDeadLettered => EventText::MailGivenUp,
        AuditEvent::ProvisioningUserCreated => EventText::Provisioned,
        AuditEvent::ProvisioningUserSkipped => EventText::ProvisioningSkipped,
        AuditEvent::ProvisioningUserRejected => EventText::ProvisioningRejected,
    }
}

#[cfg(test)]
mod tests {
    use super::{Entry, in_words};
    use domain::{identity::AuditEvent, shared::Language};

    #[test]
    fn every_event_that_can_be_recorded_has_words_in_both_languages() {
        for event in AuditEvent::ALL {
            for (is_failure, is_own) in [(false, true), (true, true), (false, false), (true, false)] {
                let [english, german] = [Language::English, Language::German]
                    .map(|language| in_words(language, Some(*event), Entry { is_failure, is_own }));
                assert_ne!(english, german, "{event:?}");
                for words in [english, german] {
                    assert!(words.len() > 4 && !words.contains('_') && !words.contains(event.name()), "{event:?}: {words}");
                }
            }
        }
    }

    #[test]
    fn what_was_refused_is_not_told_as_done() {
        let refused = |event| in_words(Language::English, Some(event), Entry { is_failure: true, is_own: true });
        assert_eq!(refused(AuditEvent::AuthLoginFailure), "Sign-in refused");
        assert_eq!(refused(AuditEvent::AuthPasswordChanged), "Password change refused");
        assert_eq!(refused(AuditEvent::AuthPasskeyAdded), "Passkey added: refused");
    }

    #[test]
    fn who_did_it_is_told_to_whom_it_was_done() {
        let words = |is_own| in_words(Language::English, Some(AuditEvent::AdminUserCreated), Entry { is_failure: false, is_own });
        assert_eq!((words(true).as_str(), words(false).as_str()), ("Created an account", "Account created by an administrator"));
    }

    #[test]
    fn a_name_of_an_earlier_version_has_words_too() {
        let entry = Entry { is_failure: false, is_own: true };
        assert_eq!(in_words(Language::English, None, entry), "Something that this version has no words for");
    }
}
