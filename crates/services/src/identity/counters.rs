//! The metrics of logins.

use prometheus::{IntCounterVec, Opts, Registry};
use strum::IntoStaticStr;

/// Counts logins by method and result (`svc_logins_total`). Cheap to clone.
#[derive(Clone)]
pub struct LoginCounters {
    logins: IntCounterVec,
}

/// The result of a login.
#[derive(Debug, Clone, Copy, IntoStaticStr)]
#[strum(const_into_str, serialize_all = "snake_case")]
pub enum LoginResult {
    /// A session was started.
    Success,
    /// A second factor is required.
    #[strum(serialize = "second_factor")]
    SecondFactorRequired,
    /// The password, code or passkey was wrong.
    Failure,
    /// The password or passkey was right, and the account may not sign in.
    Refused,
    /// Refused without a check, because too many attempts had failed before, or were being checked.
    Locked,
}

impl LoginCounters {
    /// All at zero.
    ///
    /// # Errors
    /// Only when there is one of that name already.
    pub fn new(registry: &Registry) -> prometheus::Result<Self> {
        let logins =
            IntCounterVec::new(Opts::new("svc_logins_total", "Logins, by what was shown and how it went"), &["method", "result"])?;
        registry.register(Box::new(logins.clone()))?;
        // A series that begins with its first event has no rate.
        for method in ["password", "totp", "backup_code", "email_code", "passkey"] {
            for result in [LoginResult::Success, LoginResult::Failure] {
                logins.with_label_values(&[method, result.into_str()]).inc_by(0);
            }
        }
        Ok(Self { logins })
    }

    /// Counts a login by a method: `password`, `totp`, `backup_code`, `email_code`, `passkey`.
    pub fn login(&self, method: &'static str, result: LoginResult) {
        self.logins.with_label_values(&[method, result.into_str()]).inc();
    }
}
