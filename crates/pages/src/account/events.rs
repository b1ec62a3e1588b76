//! Events of the audit trail as people read them. The match over the events is complete: one that is recorded
//! without words does not compile.

use super::activity_text::ActivityText;
use crate::text::Words;
use domain::{identity::AuditEvent, shared::Language};

/// An entry of the trail, as its words depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ActivityEntry {
    /// Whether it was refused, or failed.
    pub is_failure: bool,
    /// Whether the reader did it; otherwise an administrator or an application did it to the reader's
    /// account.
    pub is_own: bool,
}

/// What an entry says.
pub(crate) fn in_words(language: Language, event: Option<AuditEvent>, entry: ActivityEntry) -> String {
    let Some(event) = event else { return ActivityText::Something.in_language(language).to_owned() };
    let refused = refused_text(event);
    match (entry.is_failure, refused) {
        (true, Some(text)) => text.in_language(language).to_owned(),
        (true, None) => ActivityText::AnyRefused.fill(language, &[("event", done(event, entry.is_own).in_language(language))]),
        (false, _) => done(event, entry.is_own).in_language(language).to_owned(),
    }
}

/// What an event adds to the entry of another one, if that is worth a word.
pub(crate) fn remark(event: AuditEvent) -> Option<ActivityText> {
    Some(match event {
        AuditEvent::AuthLoginNewDevice => ActivityText::OnNewDevice,
        AuditEvent::AuthLoginSuspicious => ActivityText::Unusual,
        AuditEvent::AuthBackupCodeUsed => ActivityText::WithBackupCode,
        AuditEvent::SessionsRevokedOthers => ActivityText::EndedOthers,
        AuditEvent::AuthLogout => ActivityText::EndedFormer,
        AuditEvent::AuthProof => return None,
        other => done(other, true),
    })
}

/// What was refused. These events are always failures, or have a text for it.
fn refused_text(event: AuditEvent) -> Option<ActivityText> {
    Some(match event {
        AuditEvent::AuthRegister => ActivityText::RegisteredRefused,
        AuditEvent::AuthProof => ActivityText::ProvedRefused,
        AuditEvent::AuthPasswordChanged => ActivityText::PasswordChangedRefused,
        AuditEvent::AuthPasswordRemoved => ActivityText::PasswordRemovedRefused,
        AuditEvent::AuthEmailChangeRequested | AuditEvent::AuthEmailChanged => ActivityText::EmailChangeRequestedRefused,
        AuditEvent::AuthEmailVerified => ActivityText::EmailVerifiedRefused,
        AuditEvent::AuthTotpEnabled => ActivityText::AppTurnedOnRefused,
        AuditEvent::AuthTotpDisabled => ActivityText::AppTurnedOffRefused,
        AuditEvent::AccountDeleted => ActivityText::AccountDeletedRefused,
        AuditEvent::AdminConfirmation => ActivityText::ActConfirmedRefused,
        AuditEvent::AdminEmailTestSent => ActivityText::AdminEmailTestSentRefused,
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

/// What was done, by the reader or to the reader's account.
fn done(event: AuditEvent, is_own: bool) -> ActivityText {
    match (is_own, done_by_others(event)) {
        (false, Some(text)) => text,
        _ => done_by_the_reader(event),
    }
}

/// What others did to the reader's account, where that is said in other words.
fn done_by_others(event: AuditEvent) -> Option<ActivityText> {
    Some(match event {
        AuditEvent::AdminUserCreated => ActivityText::AdminUserCreatedByOthers,
        AuditEvent::AdminUserUpdated => ActivityText::AdminUserUpdatedByOthers,
        AuditEvent::AdminUserDeleted => ActivityText::AdminUserDeletedByOthers,
        AuditEvent::AdminUserExported => ActivityText::AdminUserExportedByOthers,
        AuditEvent::AdminUserSuspended => ActivityText::AdminUserSuspendedByOthers,
        AuditEvent::AdminUserUnsuspended => ActivityText::AdminUserUnsuspendedByOthers,
        AuditEvent::AdminUserTwoFactorReset => ActivityText::AdminUserTwoFactorResetByOthers,
        AuditEvent::AdminUserForceLogout => ActivityText::AdminUserForceLogoutByOthers,
        AuditEvent::AdminUserRolesUpdated => ActivityText::AdminUserRolesUpdatedByOthers,
        AuditEvent::AdminUserInviteRenewed => ActivityText::AdminUserInviteRenewedByOthers,
        AuditEvent::AdminUserResetLinkMade => ActivityText::AdminUserResetLinkMadeByOthers,
        AuditEvent::AdminTokenRevoked => ActivityText::AdminTokenRevokedByOthers,
        AuditEvent::AdminBlockLifted => ActivityText::AdminBlockLiftedByOthers,
        AuditEvent::AdminEmailRetried => ActivityText::AdminEmailRetriedByOthers,
        AuditEvent::AdminSpaceOwnerGiven => ActivityText::AdminSpaceOwnerGivenByOthers,
        _ => return None,
    })
}

fn done_by_the_reader(event: AuditEvent) -> ActivityText {
    match event {
        AuditEvent::AuthRegister => ActivityText::Registered,
        AuditEvent::AuthLoginSuccess => ActivityText::SignedIn,
        AuditEvent::AuthLoginFailure => ActivityText::SignInRefused,
        AuditEvent::AuthLoginNewDevice => ActivityText::NewDevice,
        AuditEvent::AuthLoginSuspicious => ActivityText::SuspiciousSignIn,
        AuditEvent::AuthLogout => ActivityText::SignedOut,
        AuditEvent::AuthProof => ActivityText::Proved,
        AuditEvent::AuthPasswordChanged => ActivityText::PasswordChanged,
        AuditEvent::AuthPasswordSet => ActivityText::PasswordSet,
        AuditEvent::AuthPasswordRemoved => ActivityText::PasswordRemoved,
        AuditEvent::AuthPasswordReset => ActivityText::PasswordReset,
        AuditEvent::AuthPasswordResetRequested => ActivityText::PasswordResetRequested,
        AuditEvent::AuthEmailChanged => ActivityText::EmailChanged,
        AuditEvent::AuthEmailChangeRequested => ActivityText::EmailChangeRequested,
        AuditEvent::AuthEmailVerified => ActivityText::EmailVerified,
        AuditEvent::AuthEmailVerificationRequested => ActivityText::EmailVerificationRequested,
        AuditEvent::AuthInviteAccepted => ActivityText::InviteAccepted,
        AuditEvent::AuthPasskeyAdded => ActivityText::PasskeyAdded,
        AuditEvent::AuthPasskeyRemoved => ActivityText::PasskeyRemoved,
        AuditEvent::AuthPasskeyRenamed => ActivityText::PasskeyRenamed,
        AuditEvent::AuthTotpEnabled => ActivityText::AppTurnedOn,
        AuditEvent::AuthTotpDisabled => ActivityText::AppTurnedOff,
        AuditEvent::AuthBackupCodeUsed => ActivityText::BackupCodeUsed,
        AuditEvent::AuthBackupCodesRegenerated => ActivityText::BackupCodesRenewed,
        AuditEvent::WebauthnCounterRegression => ActivityText::PasskeyCountWentBack,
        AuditEvent::SessionsRevokedOne => ActivityText::SessionEnded,
        AuditEvent::SessionsRevokedOthers => ActivityText::OtherSessionsEnded,
        AuditEvent::AccountUpdated => ActivityText::ProfileChanged,
        AuditEvent::AccountExported => ActivityText::DataExported,
        AuditEvent::AccountDeleted => ActivityText::AccountDeleted,
        AuditEvent::OidcConsentGranted => ActivityText::ConsentGranted,
        AuditEvent::OidcConsentDenied => ActivityText::ConsentDenied,
        AuditEvent::OidcConsentWithdrawn => ActivityText::ConsentWithdrawn,
        AuditEvent::OidcCodeReuseDetected => ActivityText::CodeReused,
        AuditEvent::OidcRefreshReuseDetected => ActivityText::RefreshTokenReused,
        AuditEvent::OidcRequestRefused => ActivityText::ClientRequestRefused,
        AuditEvent::OidcClientRolesUpdated => ActivityText::ClientChangedRoles,
        AuditEvent::OidcClientRolesRefused => ActivityText::ClientRolesRefused,
        AuditEvent::OidcBackchannelLogoutFailed => ActivityText::LogoutNoticeGivenUp,
        AuditEvent::WebhookDeadLetter => ActivityText::ClientNoticeGivenUp,
        AuditEvent::AdminConfirmation => ActivityText::ActConfirmed,
        AuditEvent::AdminUserCreated => ActivityText::AdminUserCreated,
        AuditEvent::AdminUserUpdated => ActivityText::AdminUserUpdated,
        AuditEvent::AdminUserDeleted => ActivityText::AdminUserDeleted,
        AuditEvent::AdminUserExported => ActivityText::AdminUserExported,
        AuditEvent::AdminUserSuspended => ActivityText::AdminUserSuspended,
        AuditEvent::AdminUserUnsuspended => ActivityText::AdminUserUnsuspended,
        AuditEvent::AdminUserTwoFactorReset => ActivityText::AdminUserTwoFactorReset,
        AuditEvent::AdminUserForceLogout => ActivityText::AdminUserForceLogout,
        AuditEvent::AdminUserRolesUpdated => ActivityText::AdminUserRolesUpdated,
        AuditEvent::AdminUserInviteRenewed => ActivityText::AdminUserInviteRenewed,
        AuditEvent::AdminUserResetLinkMade => ActivityText::AdminUserResetLinkMade,
        AuditEvent::AdminTokenRevoked => ActivityText::AdminTokenRevoked,
        AuditEvent::AdminForceLogoutAll => ActivityText::AdminSignedEverybodyOut,
        AuditEvent::AdminRolesRekeyed => ActivityText::AdminRolesRekeyed,
        AuditEvent::AdminClientSecretRevealed => ActivityText::AdminClientSecretRevealed,
        AuditEvent::AdminKeysRotated => ActivityText::AdminKeysRotated,
        AuditEvent::AdminBlockLifted => ActivityText::AdminBlockLifted,
        AuditEvent::AdminAuditExported => ActivityText::AdminAuditExported,
        AuditEvent::AdminAuditAnonymized => ActivityText::AdminAuditAnonymized,
        AuditEvent::AdminEmailTestSent => ActivityText::AdminEmailTestSent,
        AuditEvent::AdminEmailRetried => ActivityText::AdminEmailRetried,
        AuditEvent::AdminQueueRetried => ActivityText::AdminQueueRetried,
        AuditEvent::AdminSpaceOwnerGiven => ActivityText::AdminSpaceOwnerGiven,
        AuditEvent::AdminSpaceUndeleted => ActivityText::AdminSpaceUndeleted,
        AuditEvent::AdminSendingPaused => ActivityText::AdminSendingPaused,
        AuditEvent::AdminSendingResumed => ActivityText::AdminSendingResumed,
        AuditEvent::MailDeadLettered => ActivityText::MailGivenUp,
        AuditEvent::ProvisioningUserCreated => ActivityText::Provisioned,
        AuditEvent::ProvisioningUserSkipped => ActivityText::ProvisioningSkipped,
        AuditEvent::ProvisioningUserRejected => ActivityText::ProvisioningRejected,
    }
}

#[cfg(test)]
mod tests {
    use super::{ActivityEntry, in_words};
    use domain::{identity::AuditEvent, shared::Language};

    #[test]
    fn every_event_that_can_be_recorded_has_words_in_both_languages() {
        for event in AuditEvent::ALL {
            for (is_failure, is_own) in [(false, true), (true, true), (false, false), (true, false)] {
                let [english, german] = [Language::English, Language::German]
                    .map(|language| in_words(language, Some(*event), ActivityEntry { is_failure, is_own }));
                assert_ne!(english, german, "{event:?}");
                for words in [english, german] {
                    assert!(words.len() > 4 && !words.contains('_') && !words.contains(event.name()), "{event:?}: {words}");
                }
            }
        }
    }

    #[test]
    fn what_was_refused_is_not_told_as_done() {
        let refused = |event| in_words(Language::English, Some(event), ActivityEntry { is_failure: true, is_own: true });
        assert_eq!(refused(AuditEvent::AuthLoginFailure), "Sign-in refused");
        assert_eq!(refused(AuditEvent::AuthPasswordChanged), "Password change refused");
        assert_eq!(refused(AuditEvent::AuthPasskeyAdded), "Passkey added: refused");
    }

    #[test]
    fn who_did_it_is_told_to_whom_it_was_done() {
        let words =
            |is_own| in_words(Language::English, Some(AuditEvent::AdminUserCreated), ActivityEntry { is_failure: false, is_own });
        assert_eq!((words(true).as_str(), words(false).as_str()), ("Created an account", "Account created by an administrator"));
    }

    #[test]
    fn a_name_of_an_earlier_version_has_words_too() {
        let entry = ActivityEntry { is_failure: false, is_own: true };
        assert_eq!(in_words(Language::English, None, entry), "Something that this version has no words for");
    }
}
