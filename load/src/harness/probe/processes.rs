//! Processor time of the server's processes, from `/proc`. Unlike the rate it hardly depends on other load of
//! the machine.

use anyhow::{Context, Result};
use std::{collections::HashMap, fs, time::Duration};

/// The unit in which the kernel reports times: a hundredth of a second.
const TICK: Duration = Duration::from_millis(10);

/// The processes whose time is counted.
pub(crate) struct Processes {
    roots: Vec<u32>,
    children: bool,
}

/// One process of `/proc`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Process {
    parent: u32,
    /// Its own time and that of its ended children.
    ticks: u64,
}

impl Processes {
    /// These processes and, with `children`, all their descendants.
    pub(crate) fn new(roots: &[u32], children: bool) -> Self {
        Self { roots: roots.to_vec(), children }
    }

    /// User and system time so far; `None` without processes.
    pub(crate) fn spent(&self) -> Result<Option<Duration>> {
        if self.roots.is_empty() {
            return Ok(None);
        }
        let all = if self.children { all()? } else { HashMap::new() };
        let mut ticks = 0;
        for root in &self.roots {
            ticks += read(*root).with_context(|| format!("process {root} cannot be watched"))?.ticks;
            ticks += all.iter().filter(|(pid, _)| descends(&all, **pid, *root)).map(|(_, value)| value.ticks).sum::<u64>();
        }
        Ok(Some(TICK * u32::try_from(ticks)?))
    }
}

/// All processes of the machine. One that ends meanwhile is left out: its time is counted for its parent
/// then.
fn all() -> Result<HashMap<u32, Process>> {
    let mut found = HashMap::new();
    for entry in fs::read_dir("/proc").context("/proc cannot be read: processor time is counted on Linux only")? {
        let name = entry?.file_name();
        if let Some(pid) = name.to_str().and_then(|str| str.parse().ok())
            && let Ok(process) = read(pid)
        {
            found.insert(pid, process);
        }
    }
    Ok(found)
}

fn descends(all: &HashMap<u32, Process>, pid: u32, root: u32) -> bool {
    let mut at = pid;
    // A pid that was given anew between two reads could make a circle; no real line of descent is that long.
    for _ in 0..all.len() {
        match all.get(&at) {
            Some(process) if process.parent == root => return true,
            Some(process) => at = process.parent,
            None => return false,
        }
    }
    false
}

fn read(pid: u32) -> Result<Process> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat"))?;
    parse(&text).with_context(|| format!("/proc/{pid}/stat is not understood"))
}

/// The fields of proc(5) after the name, which stands in brackets and may hold anything, brackets too.
fn parse(stat: &str) -> Option<Process> {
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_ascii_whitespace().skip(1);
    let parent = fields.next()?.parse().ok()?;
    // utime, stime, cutime, cstime: the fields 14 to 17; the parent is the fourth.
    let times: Option<Vec<u64>> = fields.skip(9).take(4).map(|field| field.parse().ok()).collect();
    let times = times.filter(|time| time.len() == 4)?;
    Some(Process { parent, ticks: times.iter().sum() })
}

#[cfg(test)]
mod tests {
    use super::{Process, Processes, descends, parse};
    use std::collections::HashMap;

    #[test]
    fn times_stand_where_the_manual_says_whatever_the_process_is_called() {
        let stat = "42 (a) name (x) S 7 42 42 0 -1 4194560 5 6 0 0 100 20 3 4 20 0 9 0 12345 1 2";
        assert_eq!(parse(stat), Some(Process { parent: 7, ticks: 127 }));
        assert_eq!(parse("42 (short) S 7 1"), None);
        assert_eq!(parse(""), None);
    }

    #[test]
    fn children_of_children_count_and_strangers_do_not() {
        let of = |parent| Process { parent, ticks: 1 };
        let all = HashMap::from([(10, of(1)), (11, of(10)), (12, of(11)), (20, of(1)), (30, of(31)), (31, of(30))]);
        let mut found: Vec<_> = all.keys().filter(|pid| descends(&all, **pid, 10)).copied().collect();
        found.sort_unstable();
        assert_eq!(found, [11, 12]);
    }

    #[test]
    fn the_time_of_this_process_can_be_read_and_no_other_is_read_by_default() {
        assert!(Processes::new(&[std::process::id()], true).spent().unwrap().is_some());
        assert_eq!(Processes::new(&[], false).spent().unwrap(), None);
    }
}
