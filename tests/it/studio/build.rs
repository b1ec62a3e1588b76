//! That no server holds a studio that differs from its sources: the crate that embeds it, built by cargo from
//! a copy of the sources.

use std::process::{Command, Output};
use support::{prelude::*, tools::repository};

/// A copy of what the studio is made of, in a workspace of its own.
struct Copy {
    root: PathBuf,
    _folder: Scratch,
}

impl Copy {
    fn new() -> Self {
        let folder = scratch();
        let root = folder.path().to_owned();
        for part in ["crates/studio", "crates/pages/files/pages.css", "studio", "scripts/studio.sh"] {
            copy(&repository(part), &root.join(part));
        }
        let manifest = fs::read_to_string(repository("Cargo.toml")).unwrap();
        let part = |from: &str, to: &str| manifest.split_once(from).unwrap().1.split(to).next().unwrap().to_owned();
        let dependencies = part("[workspace.dependencies]", "[workspace.lints");
        let needed = dependencies.lines().filter(|line| line.starts_with("hex ") || line.starts_with("sha2 ")).collect::<Vec<_>>();
        let workspace = format!(
            "[workspace]\nresolver = \"3\"\nmembers = [\"crates/studio\"]\n[workspace.package]{}[workspace.dependencies]\n{}\n[workspace.lints.rust]\n",
            part("[workspace.package]", "# Every version"),
            needed.join("\n")
        );
        fs::write(root.join("Cargo.toml"), workspace).unwrap();
        fs::copy(repository("Cargo.lock"), root.join("Cargo.lock")).unwrap();
        // What npm has installed is no source.
        std::os::unix::fs::symlink(repository("studio/node_modules"), root.join("studio/node_modules")).unwrap();
        Self { root, _folder: folder }
    }

    /// Builds the studio, as `make studio` does.
    fn build_studio(&self) {
        tools::printed(
            Command::new("sh").arg("scripts/studio.sh").current_dir(&self.root).env("PATH", path_with_node()).output().unwrap(),
        );
    }

    /// Builds the crate that embeds it. Whether cargo succeeded, and what it said.
    fn build_crate(&self, is_required: bool) -> (bool, String) {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--offline", "-p", "lectern-studio"]).current_dir(&self.root).env_remove("LECTERN_STUDIO");
        cargo.env("CARGO_TARGET_DIR", self.root.join("target"));
        if is_required {
            cargo.env("LECTERN_STUDIO", "required");
        }
        let Output { status, stderr, .. } = cargo.output().unwrap();
        (status.success(), String::from_utf8(stderr).unwrap())
    }

    /// Builds it both ways, neither of which may embed anything.
    #[track_caller]
    fn embeds_nothing(&self, reason: &str) {
        let (is_built, said) = self.build_crate(false);
        assert!(is_built && said.contains(&format!("the studio {reason}, so this server has none: run `make studio`")), "{said}");
        let (is_built, said) = self.build_crate(true);
        assert!(!is_built && said.contains(&format!("the studio {reason}: run `make studio`")), "{said}");
    }
}

/// The Node.js of scripts/setup.sh before that of the system.
#[expect(clippy::disallowed_methods, reason = "the tools of this machine are not part of the configuration")]
fn path_with_node() -> String {
    format!("{}:{}", repository(".tools/node/bin").display(), std::env::var("PATH").unwrap_or_default())
}

fn copy(from: &Path, to: &Path) {
    if from.is_file() {
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(from, to).unwrap();
        return;
    }
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let name = entry.file_name();
        if name != "node_modules" && name != "dist" {
            copy(&entry.path(), &to.join(name));
        }
    }
}

#[test]
fn a_changed_byte_of_a_source_embeds_nothing_and_fails_where_the_studio_is_required() {
    assert!(repository("studio/node_modules").exists(), "run `make studio`, which installs what the studio is built with");
    let copy = Copy::new();
    copy.embeds_nothing("is not built");
    // What `make studio` has built of the same sources elsewhere: the script and the build script of the
    // crate agree on what they are.
    self::copy(&repository("studio/dist"), &copy.root.join("studio/dist"));
    let (is_built, said) = copy.build_crate(true);
    assert!(is_built && !said.contains("the studio"), "{said}");
    for source in ["studio/src/main.ts", "studio/package.json", "crates/pages/files/pages.css"] {
        let path = copy.root.join(source);
        let before = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{before} ")).unwrap();
        copy.embeds_nothing("was built from other sources");
        fs::write(&path, before).unwrap();
        assert!(copy.build_crate(true).0, "{source}");
    }
    let added = copy.root.join("studio/src/model/added.ts");
    fs::write(&added, "export {};\n").unwrap();
    copy.embeds_nothing("was built from other sources");
    // Built again, it is of these sources, and the same bytes as before: nothing imports the new file.
    let files = || {
        fs::read_dir(copy.root.join("studio/dist/files")).unwrap().map(|file| file.unwrap().file_name()).collect::<BTreeSet<_>>()
    };
    let before = files();
    copy.build_studio();
    assert_eq!(files(), before);
    assert!(copy.build_crate(true).0);
}
