-- A page of stories in the order of a property comes from one index, with what a prefix is compared with and what breaks ties: no story is visited
-- that is not on the page.

drop index editions_updated, editions_published, editions_first_published, editions_created, editions_name, editions_order, editions_full_slug;

create index editions_order on editions (space_id, edition, position, story_id) include (full_slug) where not is_folder;
-- The newest come first and those without a time last. Read backwards, the other way round.
create index editions_created on editions (space_id, edition, created_at desc nulls last, position, story_id) include (full_slug)
    where not is_folder;
create index editions_updated on editions (space_id, edition, updated_at desc nulls last, position, story_id) include (full_slug)
    where not is_folder;
create index editions_published on editions (space_id, edition, published_at desc nulls last, position, story_id) include (full_slug)
    where not is_folder;
create index editions_first_published on editions (space_id, edition, first_published_at desc nulls last, position, story_id)
    include (full_slug) where not is_folder;
-- Without the path: name and path together can be too long for an entry of an index.
create index editions_name on editions (space_id, edition, name collate "C", position, story_id) where not is_folder;
create index editions_slug on editions (space_id, edition, slug collate "C", position, story_id) where not is_folder;
-- What a prefix selects is sorted by its entries alone.
create index editions_full_slug on editions (space_id, edition, full_slug text_pattern_ops)
    include (position, story_id, created_at, updated_at, published_at, first_published_at) where not is_folder;

-- How many stories there are in each folder of each content type: the total of what is below a folder, without a visit to it.
create table folder_counts (
    space_id  bigint not null references spaces (id) on delete cascade,
    edition   edition_kind not null,
    parent_id bigint not null,                     -- 0: the root
    component text not null,                       -- '' for none
    stories   bigint not null,
    primary key (space_id, parent_id, edition, component)
) with (fillfactor = 50);

create index stories_folders on stories (space_id, full_slug text_pattern_ops) where is_folder and deleted_at is null;

insert into folder_counts (space_id, edition, parent_id, component, stories)
select space_id, edition, parent_id, coalesce(component, ''), count(*) from editions where not is_folder group by 1, 2, 3, 4;

-- Both counts follow a statement as a whole: a row that is counted anew for each of ten thousand stories is slow to find at the end.
create function editions_counted() returns trigger language plpgsql as $$
declare
    change jsonb;
begin
    if tg_op = 'INSERT' then
        select jsonb_agg(line) into change from (
            select space_id, edition, parent_id, coalesce(component, '') as component, count(*) as stories
            from added where not is_folder group by 1, 2, 3, 4
        ) line;
    elsif tg_op = 'DELETE' then
        select jsonb_agg(line) into change from (
            select space_id, edition, parent_id, coalesce(component, '') as component, -count(*) as stories
            from removed where not is_folder group by 1, 2, 3, 4
        ) line;
    else
        select jsonb_agg(line) into change from (
            select space_id, edition, parent_id, coalesce(component, '') as component, sum(one) as stories
            from (select space_id, edition, parent_id, component, is_folder, 1 as one from added
                  union all
                  select space_id, edition, parent_id, component, is_folder, -1 from removed) moved
            where not is_folder group by 1, 2, 3, 4 having sum(one) <> 0
        ) line;
    end if;
    if change is null then
        return null;
    end if;
    with changed as (
        select * from jsonb_to_recordset(change)
            as line (space_id bigint, edition edition_kind, parent_id bigint, component text, stories bigint)
    ), in_space as (
        insert into edition_counts as counts (space_id, edition, component, stories)
        select space_id, edition, component, sum(stories) from changed group by 1, 2, 3 having sum(stories) <> 0
        on conflict (space_id, edition, component) do update set stories = counts.stories + excluded.stories
    )
    insert into folder_counts as counts (space_id, edition, parent_id, component, stories)
    select space_id, edition, parent_id, component, stories from changed
    on conflict (space_id, parent_id, edition, component) do update set stories = counts.stories + excluded.stories;
    -- Of a folder that is gone nothing is left.
    delete from folder_counts counts
    using jsonb_to_recordset(change) as line (space_id bigint, edition edition_kind, parent_id bigint, component text)
    where counts.space_id = line.space_id and counts.parent_id = line.parent_id and counts.edition = line.edition
      and counts.component = line.component and counts.stories = 0;
    return null;
end $$;

drop trigger editions_added on editions;
drop trigger editions_changed on editions;
drop function editions_added();

create or replace function editions_removed() returns trigger language plpgsql as $$
declare
    gone record;
begin
    for gone in select space_id, edition, story_id from removed where not is_folder loop
        delete from edition_fields where space_id = gone.space_id and edition = gone.edition and story_id = gone.story_id;
        delete from edition_tags where space_id = gone.space_id and edition = gone.edition and story_id = gone.story_id;
    end loop;
    return null;
end $$;

create or replace function editions_changed() returns trigger language plpgsql as $$
begin
    update edition_fields set edition = new.edition, position = new.position
    where space_id = old.space_id and edition = old.edition and story_id = old.story_id;
    update edition_tags set edition = new.edition, position = new.position
    where space_id = old.space_id and edition = old.edition and story_id = old.story_id;
    return null;
end $$;

create trigger editions_changed after update of edition, position on editions
    for each row when (not new.is_folder and (old.edition, old.position) is distinct from (new.edition, new.position))
    execute function editions_changed();
create trigger editions_counted_insert after insert on editions referencing new table as added
    for each statement execute function editions_counted();
create trigger editions_counted_update after update on editions referencing old table as removed new table as added
    for each statement execute function editions_counted();
create trigger editions_counted_delete after delete on editions referencing old table as removed
    for each statement execute function editions_counted();
