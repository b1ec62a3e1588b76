//! Slugs and names of a story in other languages.

use super::{TranslationOf, TranslationPatch};
use crate::content::command::CommandContext;
use domain::{
    content::{
        slug::Slug,
        story::{Story, clean_name},
    },
    shared::{Detail, Fault, FieldCode},
};
use storage::{
    Result,
    content::stories::translations::{self, TranslatedSlug},
};

/// The member of a request that has them.
const ATTRIBUTES: &str = "translated_slugs_attributes";

/// Writes slugs and names in other languages; `existing` are those that the story has. 422 on
/// `translated_slugs_attributes.{language}.slug` or `.name` when one is no slug or no name, and on
/// `translated_slugs_attributes` when it does not exist. Translated paths are stale afterwards: see
/// [`refresh_paths`].
pub(super) async fn set_translations(
    ctx: &CommandContext<'_>,
    story: &Story,
    existing: &[TranslatedSlug],
    patches: &[TranslationPatch],
) -> Result<()> {
    // A later patch of the same language builds on the earlier one.
    let mut known = existing.to_vec();
    for patch in patches {
        let at = known.iter().position(|translation| match &patch.of {
            TranslationOf::Language(lang) => translation.lang == *lang,
            TranslationOf::Number(id) => translation.id == *id,
        });
        let old = at.map(|at| known.swap_remove(at));
        let lang = match (&patch.of, &old) {
            (TranslationOf::Language(lang), _) => lang.clone(),
            (TranslationOf::Number(_), Some(old)) => old.lang.clone(),
            (TranslationOf::Number(id), None) => {
                return Err(Fault::invalid(ATTRIBUTES, FieldCode::Unknown, format!("has no entry {id}")).into());
            }
        };
        if patch.destroy {
            translations::remove(ctx.tx, ctx.space, story.id, &lang).await?;
            continue;
        }
        let (old_slug, old_name) = old.map(|old| (old.slug, old.name)).unwrap_or_default();
        let slug = match patch.slug.clone().unwrap_or(old_slug).filter(|slug| !slug.trim().is_empty()) {
            Some(slug) => Some(Slug::parse(&slug).map_err(|fault| in_language(&lang, &fault))?.as_str().to_owned()),
            None => None,
        };
        let name = match patch.name.clone().unwrap_or(old_name).filter(|name| !name.trim().is_empty()) {
            Some(name) => Some(clean_name(&name).map_err(|fault| in_language(&lang, &fault))?),
            None => None,
        };
        let id = translations::put(ctx.tx, ctx.space, story.id, &lang, slug.as_deref(), name.as_deref()).await?;
        known.push(TranslatedSlug { id, lang, slug, name, path: String::new() });
    }
    Ok(())
}

/// Writes the translated paths of a story, and of everything below it, see [`translations::refresh_paths`].
/// 422 as [`refuse_shared_path`].
pub(super) async fn refresh_paths(ctx: &CommandContext<'_>, story: &Story) -> Result<()> {
    translations::refresh_paths(ctx.tx, ctx.space, story).await?;
    refuse_shared_path(ctx, story).await
}

/// 422 on `slug`, and on that of the language, when another story has the path of this story, or of one
/// below it, in some language.
pub(super) async fn refuse_shared_path(ctx: &CommandContext<'_>, story: &Story) -> Result<()> {
    match translations::find_shared_path(ctx.tx, ctx.space, story).await? {
        None => Ok(()),
        Some(shared) => {
            let message = format!("has already been taken in {}: the story {} is at {}", shared.lang, shared.other, shared.path);
            let translated = Detail::new(field_of(&shared.lang, "slug"), FieldCode::Taken, "has already been taken");
            let plain = Fault::invalid("slug", FieldCode::Taken, message);
            let details = plain.details.iter().cloned().chain([translated]).collect();
            Err(plain.about(details).into())
        }
    }
}

/// The same fault about a slug or name of another language.
fn in_language(lang: &str, fault: &Fault) -> Fault {
    let translated = |detail: &Detail| Detail { field: field_of(lang, &detail.field), ..detail.clone() };
    Fault::invalid_fields(fault.details.iter().map(translated).collect())
}

fn field_of(lang: &str, field: &str) -> String {
    format!("{ATTRIBUTES}.{lang}.{field}")
}
