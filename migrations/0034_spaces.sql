-- What administrators see of spaces, and deliveries that were cancelled because their space was deleted.

-- How much is in a space. Counting the stories of every space takes too long for a list, so triggers count every change, in the same transaction.
alter table space_counters
    add column stories     bigint not null default 0, -- not deleted, without folders
    add column assets      bigint not null default 0, -- not in the trash
    add column asset_bytes bigint not null default 0;

update space_counters counters set
    stories = (select count(*) from stories where stories.space_id = counters.space_id and not is_folder and deleted_at is null),
    assets = (select count(*) from assets where assets.space_id = counters.space_id and deleted_at is null),
    asset_bytes = (select coalesce(sum(content_length), 0) from assets where assets.space_id = counters.space_id and deleted_at is null);

-- The rows that a statement wrote and those that it replaced are counted together: a statement that changes no number writes none.
create function count_stories() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' then
        update space_counters counters set stories = counters.stories + change.number
        from (select space_id, count(*) as number from after where not is_folder and deleted_at is null group by space_id) change
        where counters.space_id = change.space_id;
    elsif tg_op = 'DELETE' then
        update space_counters counters set stories = counters.stories - change.number
        from (select space_id, count(*) as number from before where not is_folder and deleted_at is null group by space_id) change
        where counters.space_id = change.space_id;
    else
        update space_counters counters set stories = counters.stories + change.number
        from (
            select space_id, sum(number) as number
            from (
                select space_id, 1 as number from after where not is_folder and deleted_at is null
                union all
                select space_id, -1 from before where not is_folder and deleted_at is null
            ) counted
            group by space_id having sum(number) <> 0
        ) change
        where counters.space_id = change.space_id;
    end if;
    return null;
end;
$$;

create function count_assets() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' then
        update space_counters counters set assets = counters.assets + change.number, asset_bytes = counters.asset_bytes + change.bytes
        from (
            select space_id, count(*) as number, sum(content_length) as bytes from after where deleted_at is null group by space_id
        ) change
        where counters.space_id = change.space_id;
    elsif tg_op = 'DELETE' then
        update space_counters counters set assets = counters.assets - change.number, asset_bytes = counters.asset_bytes - change.bytes
        from (
            select space_id, count(*) as number, sum(content_length) as bytes from before where deleted_at is null group by space_id
        ) change
        where counters.space_id = change.space_id;
    else
        update space_counters counters set assets = counters.assets + change.number, asset_bytes = counters.asset_bytes + change.bytes
        from (
            select space_id, sum(number) as number, sum(bytes) as bytes
            from (
                select space_id, 1 as number, content_length as bytes from after where deleted_at is null
                union all
                select space_id, -1, -content_length from before where deleted_at is null
            ) counted
            group by space_id having sum(number) <> 0 or sum(bytes) <> 0
        ) change
        where counters.space_id = change.space_id;
    end if;
    return null;
end;
$$;

create trigger stories_count_inserted after insert on stories referencing new table as after
    for each statement execute function count_stories();
create trigger stories_count_updated after update on stories referencing old table as before new table as after
    for each statement execute function count_stories();
create trigger stories_count_deleted after delete on stories referencing old table as before
    for each statement execute function count_stories();

create trigger assets_count_inserted after insert on assets referencing new table as after
    for each statement execute function count_assets();
create trigger assets_count_updated after update on assets referencing old table as before new table as after
    for each statement execute function count_assets();
create trigger assets_count_deleted after delete on assets referencing old table as before
    for each statement execute function count_assets();

-- A delivery that was given up because its space was deleted, and not because its attempts failed. dead_at says when.
alter table delivery_queue
    add column cancelled boolean not null default false,
    add check (not cancelled or dead_at is not null);
