-- What the Delivery API asks by. The text of a story answers (editions.content); these columns and rows only find it.

alter table editions
    add column doc jsonb,                          -- the content again, to be asked: deep fields, wildcards
    add column search tsvector,                    -- words of slug (A), name (B) and content (D)
    add column search_text text not null default '', -- the words of the content, bounded
    add column refs text[] not null default '{}',  -- what the content refers to, in any language: domain::content::references
    add column is_translated boolean not null generated always as (position('__i18n__' in content::text) > 0) stored;

update editions set doc = content::jsonb;
alter table editions alter column doc set not null;

create function editions_search() returns trigger language plpgsql as $$
begin
    new.search := setweight(to_tsvector('simple', translate(new.full_slug, '/-_.', '    ')), 'A')
        || setweight(to_tsvector('simple', new.name), 'B')
        || to_tsvector('simple', new.search_text);
    return new;
end $$;

create trigger editions_search before update of full_slug, name, search_text on editions
    for each row execute function editions_search();
-- A copy of an edition brings its words along.
create trigger editions_search_new before insert on editions
    for each row when (new.search is null) execute function editions_search();

create index editions_search on editions using gin (search) where not is_folder;
create index editions_component on editions (space_id, edition, component, position, story_id) where not is_folder;
create index editions_updated on editions (space_id, edition, updated_at) where not is_folder;
create index editions_published on editions (space_id, edition, published_at) where not is_folder;
create index editions_first_published on editions (space_id, edition, first_published_at) where not is_folder;
create index editions_created on editions (space_id, edition, created_at) where not is_folder;
-- Keys come from these alone: path, position and number of what a prefix, a path or a number selects.
drop index editions_full_slug;
create index editions_full_slug on editions (space_id, edition, full_slug text_pattern_ops) include (position, story_id)
    where not is_folder;
create index translated_slugs_path on translated_slugs (space_id, lang, path);
create index editions_name on editions (space_id, edition, name collate "C") where not is_folder;

-- Content is read far more often than written: lz4 takes half of pglz's time to unpack. A PostgreSQL that was built without it keeps pglz.
do $$ begin
    alter table editions alter column content set compression lz4, alter column doc set compression lz4,
        alter column search set compression lz4, alter column search_text set compression lz4;
exception when feature_not_supported then
    null;
end $$;

-- What stories are found by, one row a value: the plain fields of each root block, and the tags. Position and number of the story stand
-- beside it, so that the keys of a page, in their order, and their count come from an index alone. Triggers keep them with their edition:
-- a foreign key would look the edition up once for each row.
create table edition_fields (
    space_id   bigint not null,
    edition    edition_kind not null,
    story_id   bigint not null,
    position   integer not null,
    field      text collate "C" not null,
    value      text collate "C" not null,
    is_whole   boolean not null,                   -- false: cut, only good for sorting
    is_element boolean not null,                   -- one of an array's
    number     numeric generated always as (
        case when is_whole and value ~ '^[+-]?([0-9]{1,30}([.][0-9]{0,30})?|[.][0-9]{1,30})$' then value::numeric end
    ) stored
);

create index edition_fields_story on edition_fields (space_id, story_id, edition);
create index edition_fields_value on edition_fields (space_id, edition, field, value, position, story_id) include (is_whole)
    where not is_element;
create index edition_fields_element on edition_fields (space_id, edition, field, value, position, story_id) where is_whole and is_element;
create index edition_fields_number on edition_fields (space_id, edition, field, number, position, story_id)
    where number is not null and not is_element;

create table edition_tags (
    space_id bigint not null,
    edition  edition_kind not null,
    story_id bigint not null,
    position integer not null,
    tag      text collate "C" not null
);

create index edition_tags_story on edition_tags (space_id, story_id, edition);
create index edition_tags_tag on edition_tags (space_id, edition, tag, position, story_id);

-- How many stories there are of each content type: counting them for each list would cost more than the list.
create table edition_counts (
    space_id  bigint not null references spaces (id) on delete cascade,
    edition   edition_kind not null,
    component text not null,                       -- '' for none
    stories   bigint not null,
    primary key (space_id, edition, component)
) with (fillfactor = 50);

create function editions_added() returns trigger language plpgsql as $$
begin
    insert into edition_counts as counts (space_id, edition, component, stories)
    select space_id, edition, coalesce(component, ''), count(*) from added where not is_folder group by 1, 2, 3
    on conflict (space_id, edition, component) do update set stories = counts.stories + excluded.stories;
    return null;
end $$;

create function editions_removed() returns trigger language plpgsql as $$
declare
    gone record;
begin
    for gone in select space_id, edition, story_id from removed where not is_folder loop
        delete from edition_fields where space_id = gone.space_id and edition = gone.edition and story_id = gone.story_id;
        delete from edition_tags where space_id = gone.space_id and edition = gone.edition and story_id = gone.story_id;
    end loop;
    for gone in select space_id, edition, coalesce(component, '') as component, count(*) as stories
                from removed where not is_folder group by 1, 2, 3 loop
        update edition_counts set stories = stories - gone.stories
        where space_id = gone.space_id and edition = gone.edition and component = gone.component;
    end loop;
    return null;
end $$;

create function editions_changed() returns trigger language plpgsql as $$
begin
    if (old.edition, old.position) <> (new.edition, new.position) then
        update edition_fields set edition = new.edition, position = new.position
        where space_id = old.space_id and edition = old.edition and story_id = old.story_id;
        update edition_tags set edition = new.edition, position = new.position
        where space_id = old.space_id and edition = old.edition and story_id = old.story_id;
    end if;
    if (old.edition, old.component) is distinct from (new.edition, new.component) then
        update edition_counts set stories = stories - 1
        where space_id = old.space_id and edition = old.edition and component = coalesce(old.component, '');
        insert into edition_counts as counts (space_id, edition, component, stories)
        values (new.space_id, new.edition, coalesce(new.component, ''), 1)
        on conflict (space_id, edition, component) do update set stories = counts.stories + 1;
    end if;
    return null;
end $$;

create trigger editions_added after insert on editions referencing new table as added
    for each statement execute function editions_added();
create trigger editions_removed after delete on editions referencing old table as removed
    for each statement execute function editions_removed();
create trigger editions_changed after update of edition, position, component on editions
    for each row when (not new.is_folder
                       and (old.edition, old.position, old.component) is distinct from (new.edition, new.position, new.component))
    execute function editions_changed();
