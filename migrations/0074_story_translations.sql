-- Translations that are older than the default value that they translate, of stories that have any: by the suffix of the language, and by block and field
-- ("uid/field"), the hash of the default value that the translation was made for. What is not here is up to date, and so is all that an import wrote.
create table story_translations (
    space_id bigint not null,
    story_id bigint not null,
    outdated jsonb  not null,
    primary key (space_id, story_id),
    constraint story_translations_story foreign key (space_id, story_id) references stories (space_id, id) on delete cascade
);
