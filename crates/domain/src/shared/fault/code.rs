//! The codes of errors, as programs read them: each stands here once, with the class that decides its status.
//!
//! Where the contract gives one code two statuses there are two variants of one name: [`Code::StaleLink`] and
//! [`Code::StaleInvitation`].

use super::Kind;
use std::fmt;

/// Who reads about an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// A person: `pages` has its sentences, in every language.
    Person,
    /// A program and its developers: there is one English sentence, where the fault is made, and people are
    /// told what the class says.
    Program,
    /// The same, and the code is one of OAuth 2.0 or OpenID Connect.
    OAuth,
}

macro_rules! codes {
    ($($reader:ident: { $($variant:ident = $name:literal $kind:ident,)* })*) => {
        /// The machine-readable code of an error.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code { $($(#[doc = concat!("`", $name, "`")] $variant,)*)* }

        impl Code {
            /// Every code.
            pub const ALL: &[Self] = &[$($(Self::$variant,)*)*];

            /// Its name in answers.
            pub const fn name(self) -> &'static str {
                match self { $($(Self::$variant => $name,)*)* }
            }

            /// Its class.
            pub const fn kind(self) -> Kind {
                match self { $($(Self::$variant => Kind::$kind,)*)* }
            }

            /// Who reads about it.
            pub const fn reader(self) -> Reader {
                match self { $($(Self::$variant => Reader::$reader,)*)* }
            }
        }
    };
}

codes! {
    Person: {
        AccountChanged = "accountChanged" Conflict,
        AccountSuspended = "accountSuspended" Forbidden,
        AdministratorsOnly = "administratorsOnly" Forbidden,
        AlreadyUsed = "alreadyUsed" BadRequest,
        CannotDeleteSelf = "cannotDeleteSelf" BadRequest,
        CannotRemoveOwnAdmin = "cannotRemoveOwnAdmin" BadRequest,
        CannotSuspendSelf = "cannotSuspendSelf" BadRequest,
        ChallengeExpired = "challengeExpired" Unauthorized,
        ContentErased = "contentErased" Conflict,
        CredentialExists = "credentialExists" Conflict,
        CsrfInvalid = "csrfInvalid" Forbidden,
        CurrentCodeRequired = "currentCodeRequired" BadRequest,
        CurrentPasswordRequired = "currentPasswordRequired" BadRequest,
        DiskFull = "diskFull" Unavailable,
        DuplicateRole = "duplicateRole" BadRequest,
        EmailNotVerified = "emailNotVerified" Forbidden,
        EmailTaken = "emailTaken" Conflict,
        GraceOver = "graceOver" Conflict,
        InteractionNotFound = "interactionNotFound" NotFound,
        InteractionOfOtherBrowser = "interactionOfOtherBrowser" Forbidden,
        InvalidAssertion = "invalidAssertion" Forbidden,
        InvalidAttestation = "invalidAttestation" BadRequest,
        InvalidCode = "invalidCode" BadRequest,
        InvalidCredential = "invalidCredential" Unauthorized,
        InvalidCredentials = "invalidCredentials" Unauthorized,
        InvalidLoginCode = "invalidCode" Unauthorized,
        InvalidPassword = "invalidPassword" Forbidden,
        InvalidUserCode = "invalidUserCode" BadRequest,
        InvitationAccepted = "invitationAccepted" Conflict,
        InviteeSuspended = "accountSuspended" Conflict,
        LastAdmin = "lastAdmin" Conflict,
        LastFactor = "lastFactor" Forbidden,
        LoginRoleRequired = "loginRoleRequired" Forbidden,
        MailErased = "mailErased" Conflict,
        MailExpired = "mailExpired" Conflict,
        MailNotDead = "mailNotDead" Conflict,
        NextKeyTooNew = "nextKeyTooNew" Conflict,
        NoClientSecret = "noClientSecret" BadRequest,
        NoPasskeys = "noPasskeys" BadRequest,
        NoPassword = "noPassword" BadRequest,
        NoPendingTotp = "noPendingTotp" BadRequest,
        NotDead = "notDead" Conflict,
        NotEditable = "notEditable" BadRequest,
        OwnerSuspended = "ownerSuspended" Conflict,
        PasskeyRequired = "passkeyRequired" Forbidden,
        PasswordAlreadySet = "passwordAlreadySet" BadRequest,
        PasswordRequired = "passwordRequired" BadRequest,
        PasswordReused = "passwordReused" BadRequest,
        ProofRequired = "proofRequired" Forbidden,
        PublicClient = "publicClient" BadRequest,
        RateLimited = "rateLimited" TooMany,
        ReauthenticationRequired = "reauthenticationRequired" Unauthorized,
        RegistrationDisabled = "registrationDisabled" Forbidden,
        RegistrationExpired = "challengeExpired" BadRequest,
        SameRoleGroup = "sameRoleGroup" BadRequest,
        SmtpNotConfigured = "smtp_not_configured" Conflict,
        SmtpSendFailed = "smtp_send_failed" Unavailable,
        SpaceDeleted = "spaceDeleted" Conflict,
        SpaceHasOwner = "spaceHasOwner" Conflict,
        StaleInvitation = "invalidToken" Unauthorized,
        StaleLink = "invalidToken" BadRequest,
        TooManyPasskeys = "tooManyPasskeys" Conflict,
        TooManyRoles = "tooManyRoles" BadRequest,
        TooManyUsers = "tooManyUsers" BadRequest,
        TotpNotEnabled = "totpNotEnabled" BadRequest,
        Unauthorized = "unauthorized" Unauthorized,
        UnknownField = "unknownField" BadRequest,
        UnknownPerson = "unknownPerson" BadRequest,
        UnknownRole = "unknownRole" BadRequest,
        UnknownRoleGroup = "unknownRoleGroup" BadRequest,
        UnsupportedLocale = "unsupportedLocale" BadRequest,
        UnsupportedMediaType = "unsupportedMediaType" UnsupportedMedia,
        WeakPassword = "weakPassword" BadRequest,
    }
    Program: {
        BadEncoding = "badEncoding" BadRequest,
        BadForm = "badForm" BadRequest,
        BadHost = "badHost" BadRequest,
        BadJson = "badJson" BadRequest,
        BodyBroken = "bodyBroken" BadRequest,
        BodyTimeout = "bodyTimeout" Timeout,
        BrokenImage = "brokenImage" Invalid,
        Forbidden = "forbidden" Forbidden,
        HeadTooLarge = "headTooLarge" HeadTooLarge,
        ImageTooExpensive = "imageTooExpensive" Invalid,
        ImageTooLarge = "imageTooLarge" Invalid,
        ImportRunning = "importRunning" Conflict,
        Internal = "internal" Internal,
        InvalidRecord = "validation" Invalid,
        InvalidTransformation = "invalidTransformation" Invalid,
        MalformedRequest = "malformedRequest" BadRequest,
        MethodNotAllowed = "methodNotAllowed" MethodNotAllowed,
        NotAnImage = "notAnImage" Invalid,
        NotFound = "notFound" NotFound,
        NotRedeliverable = "notRedeliverable" Conflict,
        NotResumable = "notResumable" Invalid,
        ParamMissing = "paramMissing" Invalid,
        QueryTooExpensive = "queryTooExpensive" Invalid,
        Stale = "stale" PreconditionFailed,
        RepeatedParameter = "repeatedParameter" BadRequest,
        ResponseTooLarge = "responseTooLarge" Invalid,
        TooLarge = "tooLarge" TooLarge,
        Unavailable = "unavailable" Unavailable,
        UnknownParameter = "unknownParameter" Invalid,
        UnknownTransformation = "unknownTransformation" Invalid,
        UnsupportedEncoding = "unsupportedEncoding" UnsupportedMedia,
        UploadExpired = "uploadExpired" Conflict,
        Validation = "validation" BadRequest,
        WebhookPaused = "webhookPaused" Conflict,
    }
    OAuth: {
        AccessDenied = "access_denied" BadRequest,
        AccountSelectionRequired = "account_selection_required" BadRequest,
        AuthorizationPending = "authorization_pending" BadRequest,
        ConsentRequired = "consent_required" BadRequest,
        DpopNonceRequired = "use_dpop_nonce" Unauthorized,
        ExpiredToken = "expired_token" BadRequest,
        InsufficientScope = "insufficient_scope" Forbidden,
        InteractionRequired = "interaction_required" BadRequest,
        InvalidClient = "invalid_client" Unauthorized,
        InvalidDpopProof = "invalid_dpop_proof" BadRequest,
        InvalidGrant = "invalid_grant" BadRequest,
        InvalidRedirectUri = "invalid_redirect_uri" BadRequest,
        InvalidRequest = "invalid_request" BadRequest,
        InvalidRequestUri = "invalid_request_uri" BadRequest,
        InvalidScope = "invalid_scope" BadRequest,
        InvalidTarget = "invalid_target" BadRequest,
        InvalidToken = "invalid_token" Unauthorized,
        LoginRequired = "login_required" BadRequest,
        RefusedDpopProof = "invalid_dpop_proof" Unauthorized,
        RegistrationNotSupported = "registration_not_supported" BadRequest,
        RequestNotSupported = "request_not_supported" BadRequest,
        RequestUriNotSupported = "request_uri_not_supported" BadRequest,
        SlowDown = "slow_down" BadRequest,
        UnauthorizedClient = "unauthorized_client" BadRequest,
        UnknownClient = "invalid_client" BadRequest,
        UnmetAuthenticationRequirements = "unmet_authentication_requirements" BadRequest,
        UnsupportedGrantType = "unsupported_grant_type" BadRequest,
        UnsupportedResponseMode = "unsupported_response_mode" BadRequest,
        UnsupportedResponseType = "unsupported_response_type" BadRequest,
        UseDpopNonce = "use_dpop_nonce" BadRequest,
    }
}

impl Code {
    /// Whether it is one of OAuth 2.0 or OpenID Connect, which their endpoints answer as it is.
    pub fn is_of_oauth(self) -> bool {
        self.reader() == Reader::OAuth
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::Code;
    use std::collections::BTreeMap;

    #[test]
    fn one_name_has_two_variants_only_where_it_has_two_statuses() {
        let mut by_name: BTreeMap<&str, Vec<Code>> = BTreeMap::new();
        for code in Code::ALL {
            by_name.entry(code.name()).or_default().push(*code);
        }
        for (name, codes) in by_name {
            let mut kinds: Vec<_> = codes.iter().map(|code| format!("{:?}", code.kind())).collect();
            kinds.dedup();
            assert_eq!(kinds.len(), codes.len(), "{name}");
        }
    }
}
