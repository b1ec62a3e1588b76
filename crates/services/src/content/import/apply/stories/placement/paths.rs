//! The paths of a story, compared with those at the source.

use crate::content::import::state::{Folder, is_localized_path, is_same_path};
use domain::content::{
    import::{
        prepare::{self, last_segment},
        record::LocalizedPath,
    },
    story::StoryPlace,
};
use std::collections::BTreeMap;

/// The paths of a story in other languages, by language: in those of which it has a slug or name, and in
/// those of which its folder has a path.
pub(super) fn translated(source: &prepare::Story, place: &StoryPlace, folder: Option<&Folder>) -> BTreeMap<String, String> {
    let own = source.translations.iter().map(|translation| translation.lang.as_str());
    let inherited = folder.into_iter().flat_map(|folder| folder.translated.keys().map(String::as_str));
    let path = |lang: &str| {
        let translation = source.translations.iter().find(|translation| translation.lang == lang);
        let slug = translation.and_then(|translation| translation.slug.as_deref()).unwrap_or(&place.slug);
        match folder {
            None => slug.to_owned(),
            Some(folder) => {
                let above = folder.translated.get(lang).unwrap_or(&folder.full_slug);
                format!("{above}/{}", if place.is_startpage { "" } else { slug })
            }
        }
    };
    own.chain(inherited).map(|lang| (lang.to_owned(), path(lang))).collect()
}

/// How the paths here differ from those that the source lists; `None` if they do not. Below a folder that is
/// elsewhere in a language (`None`: the default one) only the ends of paths in it are compared: the folder is
/// reported once.
pub(super) fn difference(
    source: &prepare::Story,
    place: &StoryPlace,
    translated: &BTreeMap<String, String>,
    is_folder_elsewhere: impl Fn(Option<&str>) -> bool,
) -> Option<String> {
    let (listed, full_slug) = (&source.source_paths, place.full_slug.as_str());
    let is_same_in = |lang: Option<&str>| {
        let is_folder_elsewhere = is_folder_elsewhere(lang);
        move |one: &str, other: &str| match is_folder_elsewhere {
            // Its path is that of its folder.
            true if place.is_startpage => true,
            true => last_segment(one) == last_segment(other),
            false => is_same_path(one, other),
        }
    };
    let mut differing = Vec::new();
    match listed.full_slug.as_deref() {
        Some(path) if !is_same_in(None)(path, full_slug) => {
            differing.push(format!("its path is {path} at the source, and {full_slug} here"));
        }
        None if source.has_other_slug => {
            differing.push(format!("its slug at the source cannot be kept, and its path here is {full_slug}"));
        }
        _ => {}
    }
    for listed in &listed.localized {
        let LocalizedPath { lang, path } = listed;
        let here = translated.get(lang).map_or(full_slug, String::as_str);
        if !is_localized_path(listed, here, is_same_in(Some(lang))) {
            differing.push(format!("its path in the language {lang} is {path} at the source, and {here} here"));
        }
    }
    (!differing.is_empty()).then(|| differing.join("; "))
}
