//! The rows of webhooks.

use super::{DefaultValue::Text, Variable, row};

pub(super) const WEBHOOKS: &[Variable] = &[
    row(
        "APP_WEBHOOK_BACKOFF",
        "four waits with commas, each in `ms`, `s`, `m` or `h`",
        Text("10s,1m,5m,30m"),
        "How long a failed webhook delivery waits for its second, third, fourth and fifth attempt. Each wait has a jitter of 20 per cent; a receiver's `Retry-After` makes it longer, up to an hour.",
        "1s,10s,1m,10m",
    ),
    row(
        "APP_WEBHOOK_MAX_AGE",
        "1 to 8760 hours",
        Text("72"),
        "How old a webhook delivery becomes that has neither arrived nor failed five times, before it is given up. Its age counts from its event, or from the request to send it again; time in which its webhook, or all sending, is paused does not count. Waits of `APP_WEBHOOK_BACKOFF` that are longer in all leave it fewer attempts.",
        "24",
    ),
    row(
        "APP_WEBHOOK_KEEP_DAYS",
        "1 to 36500",
        Text("30"),
        "How long webhook deliveries are kept, with their bodies and the responses of receivers. Dead letters are kept longer, without these.",
        "7",
    ),
    row("APP_WEBHOOK_DEAD_LETTER_DAYS", "1 to 36500", Text("90"), "How long dead letters of webhooks are kept.", "365"),
];
