//! What the build script decides: whether `studio/dist` is of the sources that are there.
//!
//! The fingerprint is that of `scripts/studio.sh`: the SHA-256 of lines with the hash and the name of each
//! source, in the order of their names.

use sha2::{Digest, Sha256};
use std::{
    collections::BTreeSet,
    error::Error,
    fmt::Write,
    fs,
    path::{Path, PathBuf},
};

type Failure = Box<dyn Error>;

/// Of the pages: its tokens are the studio's.
const SHARED_STYLE: &str = "crates/pages/files/pages.css";
const DIST: &str = "studio/dist";

/// Whether something at the top of `studio/` is made and not a source.
fn is_made(name: &str) -> bool {
    name == "node_modules" || name.starts_with("dist")
}

/// The sources, by their paths below the root.
fn sources(root: &Path) -> Result<BTreeSet<String>, Failure> {
    let mut found = BTreeSet::from([SHARED_STYLE.to_owned()]);
    let mut folders = vec![PathBuf::from("studio")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root.join(&folder))? {
            let entry = entry?;
            let name = entry.file_name().into_string().map_err(|_| "a name in studio/ is no text")?;
            if folder == Path::new("studio") && is_made(&name) {
                continue;
            }
            let (path, kind) = (folder.join(&name), entry.file_type()?);
            if kind.is_dir() {
                folders.push(path);
            } else if kind.is_file() {
                found.insert(path.to_str().ok_or("a name in studio/ is no text")?.to_owned());
            }
        }
    }
    Ok(found)
}

/// What a change of runs the build script again: each source, and the folders below `studio/`, where another
/// file may come to be.
pub(crate) fn watched(root: &Path) -> Result<BTreeSet<String>, Failure> {
    let mut watched = sources(root)?;
    watched.insert(format!("{DIST}/FINGERPRINT"));
    for entry in fs::read_dir(root.join("studio"))? {
        let entry = entry?;
        let name = entry.file_name().into_string().map_err(|_| "a name in studio/ is no text")?;
        if entry.file_type()?.is_dir() && !is_made(&name) {
            watched.insert(format!("studio/{name}"));
        }
    }
    Ok(watched)
}

/// The fingerprint of the sources.
pub(crate) fn fingerprint(root: &Path) -> Result<String, Failure> {
    let mut lines = String::new();
    for source in sources(root)? {
        writeln!(lines, "{}  {source}", hex::encode(Sha256::digest(fs::read(root.join(&source))?)))?;
    }
    Ok(hex::encode(Sha256::digest(lines)))
}

/// Writes `bundle.rs` with the built studio into `out`, or with none; then says why.
pub(crate) fn embed(root: &Path, out: &Path) -> Result<Option<&'static str>, Failure> {
    let reason = match fs::read_to_string(root.join(DIST).join("FINGERPRINT")) {
        Err(_) => Some("is not built"),
        Ok(built) if built.trim_end() != fingerprint(root)? => Some("was built from other sources"),
        Ok(_) => None,
    };
    let bundle = if reason.is_none() { format!("Some({})", bundle(root, out)?) } else { "None".to_owned() };
    write_changed(&out.join("bundle.rs"), format!("pub static BUNDLE: Option<Bundle> = {bundle};\n").as_bytes())?;
    Ok(reason)
}

/// Writes a file unless it is so already: with the time of a file nothing else changes, and tests refuse a
/// server that is older than a source.
fn write_changed(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if fs::read(path).ok().as_deref() != Some(bytes) {
        fs::write(path, bytes)?;
    }
    Ok(())
}

/// The bundle as an expression. Its files are copied, so that a later build of the studio changes nothing of
/// this one.
fn bundle(root: &Path, out: &Path) -> Result<String, Failure> {
    let dist = root.join(DIST);
    let include = |name: &str, how: &str| format!("{how}!(concat!(env!(\"OUT_DIR\"), \"/{name}\"))");
    let (mut script, mut style, mut texts, mut relays) = (None, None, String::new(), String::new());
    for line in fs::read_to_string(dist.join("index.txt"))?.lines() {
        match line.split(' ').collect::<Vec<_>>().as_slice() {
            ["script", name] => script = Some((*name).to_owned()),
            ["style", name] => style = Some((*name).to_owned()),
            ["text", language, name] => write!(texts, "({language:?}, {name:?}), ")?,
            ["relay", name] => {
                write_changed(&out.join(name), &fs::read(dist.join("relay").join(name))?)?;
                write!(relays, "({name:?}, {}), ", include(name, "include_str"))?;
            }
            _ => return Err(format!("studio/dist/index.txt: {line}").into()),
        }
    }
    let mut files = String::new();
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(dist.join("files"))? {
        let name = entry?.file_name().into_string().map_err(|_| "a name in studio/dist is no text")?;
        write_changed(&out.join(&name), &fs::read(dist.join("files").join(&name))?)?;
        names.insert(name.strip_suffix(".gz").or(name.strip_suffix(".br")).ok_or("a file that is not compressed")?.to_owned());
    }
    for name in names {
        let form = |form: &str| include(&format!("{name}.{form}"), "include_bytes");
        write!(files, "File {{ name: {name:?}, gzip: {}, brotli: {} }}, ", form("gz"), form("br"))?;
    }
    let (script, style) = (script.ok_or("no script")?, style.ok_or("no style")?);
    Ok(format!("Bundle {{ script: {script:?}, style: {style:?}, texts: &[{texts}], files: &[{files}], relays: &[{relays}] }}"))
}
