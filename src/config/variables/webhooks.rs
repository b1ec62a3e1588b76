//! Webhooks.

use super::{Setting, settings};
use crate::config::syntax::{Backoff, Days, Hours};

settings! {
    APP_WEBHOOK_BACKOFF: Setting<Backoff> = "10s,1m,5m,30m",
        "How long a failed webhook delivery waits for its second, third, fourth and fifth attempt. Each wait has a jitter of 20 per cent; a receiver's `Retry-After` makes it longer, up to an hour.",
        "1s,10s,1m,10m";
    APP_WEBHOOK_MAX_AGE: Setting<Hours<1, 8_760>> = "72",
        "How old a webhook delivery becomes that has neither arrived nor failed five times, before it is given up. Its age counts from its event, or from the request to send it again; time in which its webhook, or all sending, is paused does not count. Waits of `APP_WEBHOOK_BACKOFF` that are longer in all leave it fewer attempts.",
        "24";
    APP_WEBHOOK_KEEP_DAYS: Setting<Days<1, 36_500>> = "30",
        "How long webhook deliveries are kept, with their bodies and the responses of receivers. Dead letters are kept longer, without these.",
        "7";
    APP_WEBHOOK_DEAD_LETTER_DAYS: Setting<Days<1, 36_500>> = "90",
        "How long dead letters of webhooks are kept.",
        "365";
}
