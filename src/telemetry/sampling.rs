//! Which traces are recorded, decided before OpenTelemetry's spans are made, so that none is made only to be
//! thrown away.

use tracing::{Metadata, Subscriber, subscriber::Interest};
use tracing_subscriber::{
    layer::{Context, Filter},
    registry::LookupSpan,
};

/// The crates whose spans are exported.
const OWN: [&str; 7] = ["lectern", "actors", "crypto", "egress", "routes", "services", "storage"];
/// The spans that a trace can begin with: a request, a task beside the requests, an actor that looks for
/// work, a step of an import. Others are recorded below one that is.
const FIRST: [&str; 4] = ["route", "task", "poll", "step"];
/// The field of a request that is a part of its caller's trace. The caller has decided whether that is
/// recorded.
const CALLERS_TRACE: &str = "trace.id";

/// Lets the spans of some traces through.
pub(super) struct Sampling {
    /// How many of a hundred traces that begin here.
    pub percent: u32,
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Filter<S> for Sampling {
    /// Asked once for each place in the code. Without it, every place would be asked about every time.
    fn callsite_enabled(&self, metadata: &'static Metadata<'static>) -> Interest {
        if !is_own(metadata) {
            Interest::never()
        } else if is_decided(metadata) {
            Interest::always()
        } else {
            Interest::sometimes()
        }
    }

    fn enabled(&self, metadata: &Metadata<'_>, context: &Context<'_, S>) -> bool {
        // The context knows only spans that were let through.
        let is_below_another = || context.lookup_current().is_some();
        let begins_here = || FIRST.contains(&metadata.name()) && fastrand::u32(..100) < self.percent;
        is_own(metadata) && (is_decided(metadata) || is_below_another() || begins_here())
    }
}

fn is_own(metadata: &Metadata<'_>) -> bool {
    metadata.is_span() && OWN.contains(&metadata.target().split("::").next().unwrap_or_default())
}

fn is_decided(metadata: &Metadata<'_>) -> bool {
    metadata.fields().field(CALLERS_TRACE).is_some()
}
