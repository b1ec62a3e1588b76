-- What the Delivery API asks by. The text of a story answers (editions.content); these columns and rows only find it.

alter table editions
    add column doc jsonb,                          -- the content again, to be asked: deep fields, wildcards
    add column search tsvector,                    -- words of slug (A), name (B) and content (D)
    add column search_text text not null default '', -- the words of the content, bounded
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

create trigger editions_search before insert or update of full_slug, name, search_text on editions
    for each row execute function editions_search();

create index editions_search on editions using gin (search) where not is_folder;
create index editions_tags on editions using gin (tags) where not is_folder and tags <> '{}';
create index editions_component on editions (space_id, edition, component, position, story_id) where not is_folder;
create index editions_updated on editions (space_id, edition, updated_at) where not is_folder;
create index editions_published on editions (space_id, edition, published_at) where not is_folder;
create index editions_first_published on editions (space_id, edition, first_published_at) where not is_folder;
create index editions_created on editions (space_id, edition, created_at) where not is_folder;
-- Keys come from these alone: path, position and number of what a prefix, a path or a number selects.
drop index editions_full_slug;
create index editions_full_slug on editions (space_id, edition, full_slug text_pattern_ops) include (position, story_id)
    where not is_folder;
create index editions_key on editions (space_id, edition, story_id) include (position) where not is_folder;
create index translated_slugs_path on translated_slugs (space_id, lang, path);
create index editions_name on editions (space_id, edition, name collate "C") where not is_folder;

-- The plain fields of each root block, one row a value: equality and order by a field of the content without reading content.
create table edition_fields (
    space_id   bigint not null,
    edition    edition_kind not null,
    story_id   bigint not null,
    field      text collate "C" not null,
    value      text collate "C" not null,
    is_whole   boolean not null,                   -- false: cut, only good for sorting
    is_element boolean not null,                   -- one of an array's
    number     numeric generated always as (
        case when is_whole and value ~ '^[+-]?([0-9]{1,30}([.][0-9]{0,30})?|[.][0-9]{1,30})$' then value::numeric end
    ) stored,
    foreign key (space_id, edition, story_id) references editions (space_id, edition, story_id)
        on delete cascade on update cascade
);

create index edition_fields_story on edition_fields (space_id, edition, story_id);
create index edition_fields_equal on edition_fields (space_id, edition, field, value, story_id) where is_whole and not is_element;
create index edition_fields_element on edition_fields (space_id, edition, field, value, story_id) where is_whole and is_element;
create index edition_fields_value on edition_fields (space_id, edition, field, value, story_id) where not is_element;
create index edition_fields_number on edition_fields (space_id, edition, field, number, story_id)
    where number is not null and not is_element;
