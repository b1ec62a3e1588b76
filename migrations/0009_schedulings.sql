-- What is planned for stories: publishing, and taking offline.

alter table stories add column publish_at timestamptz, add column expire_at timestamptz;

create index stories_publish_at on stories (publish_at) where publish_at is not null and deleted_at is null;
create index stories_expire_at on stories (expire_at) where expire_at is not null and deleted_at is null;

create table story_schedulings (
    space_id   bigint not null references spaces (id) on delete cascade,
    id         bigint generated always as identity,
    story_id   bigint not null,
    publish_at timestamptz not null,
    status     text not null check (status in
        ('scheduled', 'schedule_published', 'published_before_schedule', 'deleted', 'invalid_story')),
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (space_id, id),
    foreign key (space_id, story_id) references stories (space_id, id) on delete cascade
);

create index story_schedulings_story on story_schedulings (space_id, story_id);
create index story_schedulings_due on story_schedulings (publish_at) where status = 'scheduled';
