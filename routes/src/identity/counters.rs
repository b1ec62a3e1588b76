//! What is measured of accounts.

use prometheus::{IntCounterVec, Opts, Registry};

/// Counters. Cheap to clone.
#[derive(Clone)]
pub struct Counters {
    logins: IntCounterVec,
}

/// How a login went.
#[derive(Debug, Clone, Copy)]
pub(super) enum LoginResult {
    /// There is a session.
    Success,
    /// A second factor is asked for.
    Asked,
    /// Wrong.
    Failure,
    /// Right, and the account may not sign in.
    Refused,
    /// Nobody looked whether it was right: too many were wrong before.
    Locked,
}

impl LoginResult {
    fn name(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Asked => "second_factor",
            Self::Failure => "failure",
            Self::Refused => "refused",
            Self::Locked => "locked",
        }
    }
}

impl Counters {
    /// All at zero.
    ///
    /// # Errors
    /// Only when there is one of that name already.
    pub fn new(registry: &Registry) -> prometheus::Result<Self> {
        let logins =
            IntCounterVec::new(Opts::new("svc_logins_total", "Logins, by what was shown and how it went"), &["method", "result"])?;
        registry.register(Box::new(logins.clone()))?;
        Ok(Self { logins })
    }

    /// Counts a login by a method: `password`, `totp`, `backup_code`, `email_code`, `passkey`.
    pub(super) fn login(&self, method: &'static str, result: LoginResult) {
        self.logins.with_label_values(&[method, result.name()]).inc();
    }
}
