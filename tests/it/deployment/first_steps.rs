//! What a newcomer meets first: `scripts/setup.sh` on a machine that lacks something.

use std::{
    os::unix::fs::{PermissionsExt, symlink},
    process::{Command, Output},
};
use support::prelude::*;

/// What the script itself needs. Nothing else is found on its path.
const USUAL: &[&str] = &["sh", "dirname", "head", "sort", "id", "uname", "cut", "ls"];

/// A folder of programs, with an `apt-get` that writes down that it was called.
fn machine() -> Scratch {
    let folder = scratch();
    for name in USUAL {
        let found = tools::printed(tools::run(Path::new("sh"), ["-c", &format!("command -v {name}")]));
        symlink(found.trim(), folder.path().join(name)).unwrap();
    }
    program(&folder, "apt-get", &format!("echo \"$@\" >>{}", folder.path().join("installed").display()));
    folder
}

fn program(folder: &Scratch, name: &str, script: &str) {
    let path = folder.path().join(name);
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

fn set_up(folder: &Scratch, purpose: &str) -> Output {
    let script = tools::repository("scripts/setup.sh");
    Command::new("sh").arg(script).arg(purpose).env_clear().env("PATH", folder.path()).output().unwrap()
}

fn said(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn without_rust_nothing_is_installed_and_all_that_is_missing_is_named() {
    let folder = machine();
    let said = said(&set_up(&folder, "run"));
    assert!(said.contains("https://sh.rustup.rs | sh") && said.contains("nasm") && said.contains("nothing was changed"), "{said}");
    assert!(!folder.path().join("installed").exists());
}

#[test]
fn with_an_old_rust_its_update_is_named() {
    let folder = machine();
    program(&folder, "cargo", "echo cargo 1.63.0");
    let said = said(&set_up(&folder, "test"));
    assert!(said.contains("Rust 1.63.0 is too old") && said.contains("rustup update stable"), "{said}");
    assert!(!folder.path().join("installed").exists());
}

#[test]
fn without_apt_everything_is_named_and_nothing_is_tried() {
    let folder = machine();
    fs::remove_file(folder.path().join("apt-get")).unwrap();
    program(&folder, "cargo", "echo cargo 1.99.0");
    let said = said(&set_up(&folder, "test"));
    // Python and Node.js may be there below .tools.
    for package in ["build-essential", "nasm", "chromium", "curl"] {
        assert!(said.contains(package), "{package}: {said}");
    }
    assert!(said.contains("nothing was changed"), "{said}");
}
