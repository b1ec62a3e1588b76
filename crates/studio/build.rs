//! Embeds the studio that `make studio` has built, and nothing when it is not there or of other sources. With
//! `LECTERN_STUDIO=required`, as make, the Dockerfile and CI set it, that is an error; plain `cargo build`
//! needs no Node.js.

#[path = "build/embed.rs"]
mod embed;

use std::{env, error::Error, path::Path};

#[expect(
    clippy::disallowed_methods,
    reason = "cargo tells a build script by the environment where it may write and what is asked for"
)]
fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let out = env::var_os("OUT_DIR").ok_or("no OUT_DIR")?;
    println!("cargo::rerun-if-env-changed=LECTERN_STUDIO");
    for watched in embed::watched(&root)? {
        println!("cargo::rerun-if-changed={}", root.join(watched).display());
    }
    let found = embed::embed(&root, Path::new(&out))?;
    if let Some(reason) = found {
        if env::var_os("LECTERN_STUDIO").is_some_and(|wanted| wanted == "required") {
            return Err(format!("the studio {reason}: run `make studio`").into());
        }
        println!("cargo::warning=the studio {reason}, so this server has none: run `make studio`");
    }
    Ok(())
}
