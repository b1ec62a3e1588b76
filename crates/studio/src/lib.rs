//! The files of the content studio, as `make studio` has built them: `studio/dist`, embedded by the build
//! script of this crate when they are of the sources that are there, and else not at all. So no server holds
//! a studio that differs from its sources, and none needs Node.js to be compiled.

/// The built studio.
#[derive(Debug, Clone, Copy)]
pub struct Bundle {
    /// The name of the script that the shell loads.
    pub script: &'static str,
    /// The name of its style sheet.
    pub style: &'static str,
    /// For each language (`en`) the name of the file with its texts.
    pub texts: &'static [(&'static str, &'static str)],
    /// Every file.
    pub files: &'static [File],
    /// By their names (`bridge.js`) the scripts that sites load, in which the server puts its own origin.
    pub relays: &'static [(&'static str, &'static str)],
}

/// A file, compressed only: every browser takes one of the two.
#[derive(Debug, Clone, Copy)]
pub struct File {
    /// With a hash of its content in it: `main.CWtvweQs.js`.
    pub name: &'static str,
    pub gzip: &'static [u8],
    pub brotli: &'static [u8],
}

include!(concat!(env!("OUT_DIR"), "/bundle.rs"));

#[cfg(test)]
#[path = "../build/embed.rs"]
mod embed;

#[cfg(test)]
mod tests {
    use super::{BUNDLE, embed};
    use std::{
        fs,
        path::{Path, PathBuf},
    };

    /// A folder with sources and a studio that is built from them, and a place for what is embedded.
    struct Scratch {
        root: PathBuf,
    }

    impl Scratch {
        fn built(name: &str) -> Self {
            let root = Path::new(env!("OUT_DIR")).join(name);
            let _ = fs::remove_dir_all(&root);
            let scratch = Self { root };
            scratch.write("crates/pages/files/pages.css", "a {}");
            scratch.write("studio/package.json", "{}");
            scratch.write("studio/src/app/App.svelte", "<main></main>");
            scratch.write("studio/node_modules/x/index.js", "x");
            scratch.write("studio/dist/index.txt", "script main.a.js\nstyle main.b.css\ntext en en.c.js\nrelay bridge.js\n");
            scratch.write("studio/dist/relay/bridge.js", "relay");
            for file in ["main.a.js", "main.b.css", "en.c.js"] {
                scratch.write(&format!("studio/dist/files/{file}.gz"), "gz");
                scratch.write(&format!("studio/dist/files/{file}.br"), "br");
            }
            scratch.write("studio/dist/FINGERPRINT", &(embed::fingerprint(&scratch.root).unwrap() + "\n"));
            scratch.write("out/x", "");
            scratch
        }

        fn write(&self, path: &str, text: &str) {
            let path = self.root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }

        /// Why nothing is embedded, and what is written for the compiler.
        fn embed(&self) -> (Option<&'static str>, String) {
            let out = self.root.join("out");
            let reason = embed::embed(&self.root, &out).unwrap();
            (reason, fs::read_to_string(out.join("bundle.rs")).unwrap())
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.root);
        }
    }

    #[test]
    fn what_is_built_from_the_sources_is_embedded() {
        let scratch = Scratch::built("same");
        let (reason, code) = scratch.embed();
        assert_eq!(reason, None);
        for part in ["script: \"main.a.js\"", "style: \"main.b.css\"", "(\"en\", \"en.c.js\")", "/main.a.js.br\"", "/bridge.js\""] {
            assert!(code.contains(part), "{part}: {code}");
        }
        // What npm installs is no source.
        scratch.write("studio/node_modules/x/index.js", "y");
        assert_eq!(scratch.embed().0, None);
    }

    #[test]
    fn nothing_of_other_sources_is_embedded() {
        let other = Some("was built from other sources");
        for (path, text) in [
            ("studio/src/app/App.svelte", "<main></main>\n"),
            ("studio/src/new.ts", ""),
            ("studio/.npmrc", ""),
            ("crates/pages/files/pages.css", "b {}"),
        ] {
            let scratch = Scratch::built("other");
            scratch.write(path, text);
            assert_eq!(scratch.embed(), (other, "pub static BUNDLE: Option<Bundle> = None;\n".to_owned()), "{path}");
        }
        let scratch = Scratch::built("other");
        fs::rename(scratch.root.join("studio/package.json"), scratch.root.join("studio/package2.json")).unwrap();
        assert_eq!(scratch.embed().0, other);
        fs::remove_dir_all(scratch.root.join("studio/dist")).unwrap();
        assert_eq!(scratch.embed().0, Some("is not built"));
    }

    #[test]
    fn every_source_is_watched_by_its_name_and_nothing_that_is_made() {
        let scratch = Scratch::built("watched");
        let watched = embed::watched(&scratch.root).unwrap();
        let expected = [
            "crates/pages/files/pages.css",
            "studio/dist/FINGERPRINT",
            "studio/package.json",
            "studio/src",
            "studio/src/app/App.svelte",
        ];
        assert!(watched.iter().eq(expected), "{watched:?}");
    }

    #[test]
    fn what_the_shell_names_is_there() {
        let Some(bundle) = BUNDLE else { return };
        let named = [bundle.script, bundle.style].into_iter().chain(bundle.texts.iter().map(|(_, name)| *name));
        for name in named {
            assert!(bundle.files.iter().any(|file| file.name == name), "{name}");
        }
        let languages: Vec<_> = bundle.texts.iter().map(|(language, _)| *language).collect();
        assert_eq!(languages, ["de", "en"]);
        let relays: Vec<_> = bundle.relays.iter().map(|(name, _)| *name).collect();
        assert_eq!(relays, ["bridge.js", "storyblok-v2-latest.js"]);
    }
}
