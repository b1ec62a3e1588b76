-- Plain names for two columns and a table of imports.
alter table import_jobs rename column source_print to source_fingerprint;
alter table import_jobs rename column progressed_in to last_progress_attempt;

-- Stories that an import has moved to a temporary slug, because another story needed theirs.
alter table import_asides rename to import_displaced_stories;
alter table import_displaced_stories rename column aside_slug to temporary_slug;
alter index import_asides_pkey rename to import_displaced_stories_pkey;
alter table import_displaced_stories rename constraint import_asides_space_id_story_id_fkey to import_displaced_stories_space_id_story_id_fkey;
