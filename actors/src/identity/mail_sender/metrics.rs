//! What is measured of mails.

use domain::identity::letter::Template;
use jiff::Timestamp;
use prometheus::{Gauge, IntCounterVec, IntGauge, Opts, Registry};
use storage::identity::mails::Backlog;

/// How a try ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The mail server has it.
    Sent,
    /// It is tried again.
    PutOff,
    /// It was given up.
    Dead,
}

impl Outcome {
    const ALL: [Self; 3] = [Self::Sent, Self::PutOff, Self::Dead];

    fn name(self) -> &'static str {
        match self {
            Self::Sent => "sent",
            Self::PutOff => "deferred",
            Self::Dead => "dead",
        }
    }
}

/// The collectors. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Metrics {
    emails: IntCounterVec,
    backlog: IntGauge,
    oldest: Gauge,
}

impl Metrics {
    /// Makes and registers them.
    pub(crate) fn register(registry: &Registry) -> prometheus::Result<Self> {
        let it = Self {
            emails: IntCounterVec::new(Opts::new("svc_emails_total", "Tries to send a mail, by result"), &["template", "result"])?,
            backlog: IntGauge::new("svc_emails_backlog", "Mails that are neither sent nor given up")?,
            oldest: Gauge::new("svc_emails_oldest_pending_seconds", "Age of the oldest mail that is neither sent nor given up")?,
        };
        for template in Template::ALL {
            for outcome in Outcome::ALL {
                it.emails.with_label_values(&[template.name(), outcome.name()]).inc_by(0);
            }
        }
        registry.register(Box::new(it.emails.clone()))?;
        registry.register(Box::new(it.backlog.clone()))?;
        registry.register(Box::new(it.oldest.clone()))?;
        Ok(it)
    }

    /// A try ended.
    pub(super) fn tried(&self, template: Template, outcome: Outcome) {
        self.emails.with_label_values(&[template.name(), outcome.name()]).inc();
    }

    /// What waits.
    pub(super) fn waiting(&self, backlog: &Backlog, now: Timestamp) {
        self.backlog.set(backlog.open);
        self.oldest.set(backlog.oldest_at.map_or(0.0, |oldest_at| now.duration_since(oldest_at).as_secs_f64().max(0.0)));
    }
}
