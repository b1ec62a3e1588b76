-- Results of the image service that are kept. The bytes lie in the object store beside the files of assets, under f/{space_id}/{result}; a row is
-- written when its object is there. Nothing is lost with them: they are made again.

create table image_results (
    space_id       bigint not null references spaces (id) on delete cascade,
    object         uuid not null,                             -- of the original; no foreign key, because a replaced asset names another object
    transformation text not null,                             -- in its canonical form, with the format
    result         uuid not null,                             -- version 7, like that of an asset
    content_type   text not null,
    content_length bigint not null check (content_length > 0),
    sha256         bytea not null check (length(sha256) = 32),
    used_at        timestamptz not null,                      -- moves on once an hour at most
    primary key (space_id, object, transformation),
    constraint image_results_result unique (space_id, result)
);

create index image_results_used on image_results (used_at);

-- How many bytes they have together. Its row is what those that add results wait for, so that their sum never passes its bound.
create table image_usage (
    is_only boolean primary key default true check (is_only),
    bytes   bigint not null default 0 check (bytes >= 0)
);

insert into image_usage default values;

create function count_image_results() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' then
        update image_usage set bytes = image_usage.bytes + change.bytes
        from (select sum(content_length) as bytes from changed) change where change.bytes is not null;
    else
        update image_usage set bytes = image_usage.bytes - change.bytes
        from (select sum(content_length) as bytes from changed) change where change.bytes is not null;
    end if;
    return null;
end $$;

create trigger image_results_count_inserted after insert on image_results referencing new table as changed
    for each statement execute function count_image_results();
create trigger image_results_count_deleted after delete on image_results referencing old table as changed
    for each statement execute function count_image_results();
