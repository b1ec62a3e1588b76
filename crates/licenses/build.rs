//! Packs `components.json` and `texts.txt` into the binary: 700 KB become 80.

use flate2::{Compression, write::GzEncoder};
use std::{env, error::Error, fs, io::Write, path::Path, process::Command};

#[expect(
    clippy::disallowed_methods,
    reason = "cargo tells a build script by the environment where it may write, and which compiler it runs"
)]
fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let out = env::var_os("OUT_DIR").ok_or("no OUT_DIR")?;
    for name in ["components.json", "texts.txt"] {
        println!("cargo::rerun-if-changed={name}");
        let mut packed = GzEncoder::new(Vec::new(), Compression::best());
        packed.write_all(&fs::read(folder.join(name))?)?;
        fs::write(Path::new(&out).join(format!("{name}.gz")), packed.finish()?)?;
    }
    // `rustc 1.95.0 (…)`: the standard library has the version of its compiler.
    let rustc = Command::new(env::var_os("RUSTC").ok_or("no RUSTC")?).arg("--version").output()?;
    let version = String::from_utf8(rustc.stdout)?;
    println!("cargo::rustc-env=RUST_VERSION={}", version.split(' ').nth(1).ok_or("no version of Rust")?);
    Ok(())
}
