//! The binary under test. Cargo builds the binaries of a package for that package's own tests only, and these
//! are another package: `make test` and `cargo bins` build it before.

use crate::tools::repository;
use std::{
    fs,
    path::{Path, PathBuf},
    sync::LazyLock,
    time::SystemTime,
};

/// `lectern`: what `LECTERN_BIN` names, else what cargo has built in the profile `release`. Panics when a
/// source file is newer.
pub fn lectern() -> &'static Path {
    static FOUND: LazyLock<Result<PathBuf, String>> = LazyLock::new(|| {
        let binary = named().unwrap_or_else(|| repository("target/release/lectern"));
        check(&binary).map(|()| binary)
    });
    match &*FOUND {
        Ok(binary) => binary,
        Err(reason) => panic!("{reason}: run `make build`, or `cargo bins` for one that is compiled fast"),
    }
}

#[expect(clippy::disallowed_methods, reason = "tests have no configuration but this")]
fn named() -> Option<PathBuf> {
    std::env::var_os("LECTERN_BIN").map(PathBuf::from)
}

/// Whether the binary is there and as new as its sources, which cargo lists in a file beside it. A binary
/// without that list was built elsewhere.
fn check(binary: &Path) -> Result<(), String> {
    let changed = |path: &Path| fs::metadata(path).and_then(|found| found.modified());
    let built: SystemTime = changed(binary).map_err(|error| format!("{}: {error}", binary.display()))?;
    let Ok(list) = fs::read_to_string(binary.with_extension("d")) else { return Ok(()) };
    let newer = sources(&list).find(|source| changed(source).is_ok_and(|changed| changed > built));
    newer.map_or(Ok(()), |source| Err(format!("{} is older than {}", binary.display(), source.display())))
}

/// The files after the colon. A space in a name is written with a backslash before it.
fn sources(list: &str) -> impl Iterator<Item = PathBuf> {
    let (_, files) = list.split_once(": ").unwrap_or_default();
    let files = files.trim_end().replace("\\ ", "\0");
    let files: Vec<PathBuf> = files.split(' ').map(|file| PathBuf::from(file.replace('\0', " "))).collect();
    files.into_iter()
}

#[cfg(test)]
mod tests {
    use super::{check, sources};
    use crate::scratch;
    use std::{
        fs::{self, File},
        path::{Path, PathBuf},
        time::{Duration, SystemTime},
    };

    #[test]
    fn the_sources_are_what_cargo_lists() {
        let list = "/t/release/lectern: /s/a.rs /s/price\\ list.md\n";
        assert_eq!(sources(list).collect::<Vec<_>>(), [Path::new("/s/a.rs"), Path::new("/s/price list.md")]);
    }

    #[test]
    fn a_binary_that_is_missing_or_older_than_a_source_is_refused() {
        let folder = scratch();
        let at = |name: &str| folder.path().join(name);
        let written = |path: PathBuf, hours: u64| {
            let time = SystemTime::UNIX_EPOCH + Duration::from_hours(hours);
            File::create(path).unwrap().set_modified(time).unwrap();
        };
        assert!(check(&at("lectern")).unwrap_err().contains("No such file"));
        written(at("lectern"), 2);
        assert_eq!(check(&at("lectern")), Ok(()), "it was built elsewhere");
        fs::write(at("lectern.d"), format!("{}: {}\n", at("lectern").display(), at("a.rs").display())).unwrap();
        assert_eq!(check(&at("lectern")), Ok(()), "the source is gone, which cargo finds out");
        written(at("a.rs"), 1);
        assert_eq!(check(&at("lectern")), Ok(()));
        written(at("a.rs"), 3);
        assert_eq!(check(&at("lectern")), Err(format!("{} is older than {}", at("lectern").display(), at("a.rs").display())));
    }
}
