//! Folders of exported JSON that a test can change.

use support::{import::sample_space, prelude::*};

/// A copy of the sample space. It is gone with this.
pub struct Folder {
    space: PathBuf,
    _scratch: Scratch,
}

impl Folder {
    pub fn new() -> Self {
        let scratch = scratch();
        let space = scratch.path().join("space");
        copy(&sample_space(), &space);
        let folder = Self { space, _scratch: scratch };
        // Formatted once as later changes will format it, so that they differ in values only.
        folder.change("stories", |_| {});
        folder
    }

    pub fn path(&self) -> &Path {
        &self.space
    }

    /// Changes the JSON of a file; a list is below its name.
    pub fn change(&self, name: &str, change: impl FnOnce(&mut Value)) {
        let path = self.space.join(format!("{name}.json"));
        let mut whole: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        change(&mut whole);
        fs::write(path, whole.to_string()).unwrap();
    }

    /// Changes the story with an id.
    pub fn story(&self, id: i64, change: impl FnOnce(&mut Value)) {
        self.change("stories", |file| {
            let stories = file["stories"].as_array_mut().unwrap();
            change(stories.iter_mut().find(|story| story["id"] == id).unwrap());
        });
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
