-- How far each story is translated into each language, for lists: [{language, translatable, missing, outdated}], counted at each write of its draft by the schemas
-- that the space has then. When one of them changes, all counts of the space are void until the next write of each story.
alter table story_translations
    add column counts jsonb not null default '[]',
    add column schemas_revision bigint not null default 0;

alter table spaces add column schemas_revision bigint not null default 1;
