//! Memory and processor time of this process, under the names that every Prometheus client gives them. They
//! are read when the metrics are asked for.

use nix::sys::{
    resource::{UsageWho, getrusage},
    time::TimeVal,
};
use prometheus::{
    Counter, IntGauge, Registry,
    core::{Collector, Desc},
    proto::MetricFamily,
};
use std::fs;

/// Adds them to the metrics.
///
/// # Errors
/// When they are there already.
pub fn register(registry: &Registry) -> prometheus::Result<()> {
    registry.register(Box::new(ProcessMetrics {
        memory: IntGauge::new("process_resident_memory_bytes", "Resident memory of this process")?,
        processor: Counter::new("process_cpu_seconds_total", "User and system processor time of this process")?,
    }))
}

struct ProcessMetrics {
    memory: IntGauge,
    processor: Counter,
}

impl Collector for ProcessMetrics {
    fn desc(&self) -> Vec<&Desc> {
        [self.memory.desc(), self.processor.desc()].concat()
    }

    /// What the system does not tell is left out.
    fn collect(&self) -> Vec<MetricFamily> {
        let mut families = Vec::new();
        if let Some(bytes) = resident_bytes() {
            self.memory.set(bytes);
            families.extend(self.memory.collect());
        }
        if let Ok(usage) = getrusage(UsageWho::RUSAGE_SELF) {
            self.processor.reset();
            self.processor.inc_by(seconds(usage.user_time()) + seconds(usage.system_time()));
            families.extend(self.processor.collect());
        }
        families
    }
}

/// The line `VmRSS:     1234 kB` of proc(5).
fn resident_bytes() -> Option<i64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: i64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    kilobytes.checked_mul(1024)
}

#[expect(clippy::cast_precision_loss, reason = "a process does not run for so many seconds")]
fn seconds(time: TimeVal) -> f64 {
    time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6
}

#[cfg(test)]
mod tests {
    use super::register;
    use prometheus::{Registry, TextEncoder};

    #[test]
    fn memory_and_processor_time_are_those_of_this_process() {
        let registry = Registry::new();
        register(&registry).unwrap();
        let text = TextEncoder::new().encode_to_string(&registry.gather()).unwrap();
        let value = |name: &str| -> f64 {
            let line = text.lines().find_map(|line| line.strip_prefix(name));
            line.unwrap_or_else(|| panic!("{name} is missing in\n{text}")).trim().parse().unwrap()
        };
        assert!(value("process_resident_memory_bytes ") > 1e6, "{text}");
        assert!(value("process_cpu_seconds_total ") >= 0.0, "{text}");
        assert!(register(&registry).is_err(), "they are there already");
    }
}
