-- What an import has to know again after it was cut off, or when it is resumed.

-- What was done when the job came to where it stands, where that is less than what was done by now: who begins there counts from it.
alter table import_jobs add column base_report json;

do $$ begin
    alter table import_jobs alter column base_report set compression lz4;
exception when feature_not_supported then
    null;
end $$;

-- What the last import did with a record: one that comes to it a second time reports that, and not what is left to do.
alter table import_ids add column import_id bigint;
alter table import_ids add column outcome text check (outcome in ('created', 'updated', 'unchanged'));

-- Stories that were moved out of the way of others, and have not come to a place of their own since.
create table import_asides (
    space_id     bigint not null,
    story_id     bigint not null,
    source_id    bigint not null,                  -- its number at the source, for who reads the report
    slug         text not null,                    -- where it stood before: below the same folder
    is_startpage boolean not null,
    aside_slug   text not null,                    -- where it stands instead; with another slug it has moved on, and nothing is to be done
    primary key (space_id, story_id),
    foreign key (space_id, story_id) references stories (space_id, id) on delete cascade
);
