-- The revision of a space moves with every commit. Until now the number of the newest audit entry told that; an autosave has none.
alter table space_counters add column revision bigint not null default 1;
update space_counters set revision = audit_seq + 1;

-- A story shows all languages of its space: the revision at which those last changed.
alter table spaces add column languages_revision bigint not null default 0;

alter table stories
    add column revision     bigint not null default 1,  -- of the space, when what GET shows of the story last changed
    add column author_id    text not null default '',   -- who changed it last, as in story_versions
    add column author       text not null default '',
    add column is_autosaved boolean not null default false; -- the draft is one that no version holds

update stories set author_id = version.author_id, author = version.author
from story_versions version
where version.space_id = stories.space_id and version.story_id = stories.id and version.number = stories.last_version;

-- Whatever writes a story gives it the revision that its commit will give the space. A statement that has nothing else to write sets the column to itself.
create function story_revised() returns trigger language plpgsql as $$
begin
    new.revision := coalesce((select revision + 1 from space_counters where space_id = new.space_id), 1);
    return new;
end $$;

create trigger stories_revised before insert or update on stories for each row execute function story_revised();
