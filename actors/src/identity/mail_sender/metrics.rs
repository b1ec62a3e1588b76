//! The metrics of mail.

use domain::identity::mail::Template;
use jiff::Timestamp;
use prometheus::{Gauge, IntCounterVec, IntGauge, Opts, Registry};
use storage::identity::mails::Backlog;
use strum::{IntoStaticStr, VariantArray};

/// How an attempt to send a mail ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(const_into_str, serialize_all = "lowercase")]
pub(super) enum SendOutcome {
    /// The server accepted the mail.
    Sent,
    /// The mail is tried again.
    Deferred,
    /// The mail was given up.
    Dead,
}

/// The collectors. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Metrics {
    emails: IntCounterVec,
    backlog: IntGauge,
    oldest: Gauge,
}

impl Metrics {
    /// Registers the collectors, with every attempt counter at zero.
    pub(crate) fn register(registry: &Registry) -> prometheus::Result<Self> {
        let metrics = Self {
            emails: IntCounterVec::new(Opts::new("svc_emails_total", "Tries to send a mail, by result"), &["template", "result"])?,
            backlog: IntGauge::new("svc_emails_backlog", "Mails that are neither sent nor given up")?,
            oldest: Gauge::new("svc_emails_oldest_pending_seconds", "Age of the oldest mail that is neither sent nor given up")?,
        };
        for &template in Template::VARIANTS {
            for &outcome in SendOutcome::VARIANTS {
                metrics.emails.with_label_values(&[template.into_str(), outcome.into_str()]).inc_by(0);
            }
        }
        registry.register(Box::new(metrics.emails.clone()))?;
        registry.register(Box::new(metrics.backlog.clone()))?;
        registry.register(Box::new(metrics.oldest.clone()))?;
        Ok(metrics)
    }

    /// Counts an attempt.
    pub(super) fn count_attempt(&self, template: Template, outcome: SendOutcome) {
        self.emails.with_label_values(&[template.into_str(), outcome.into_str()]).inc();
    }

    /// Sets the gauges of the backlog.
    pub(super) fn set_backlog(&self, backlog: &Backlog, now: Timestamp) {
        self.backlog.set(backlog.open);
        self.oldest.set(backlog.oldest_at.map_or(0.0, |oldest_at| now.duration_since(oldest_at).as_secs_f64().max(0.0)));
    }
}
