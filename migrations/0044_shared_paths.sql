-- Finds the languages in which a path is taken, besides what a language has at a path.

create index translated_slugs_path_lang on translated_slugs (space_id, path, lang) include (story_id);
drop index translated_slugs_path;
