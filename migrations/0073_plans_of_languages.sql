-- What is planned for a story: a publish or an unpublish, of all its languages or of one alone.
alter table story_schedulings
    add column action   text not null default 'publish' check (action in ('publish', 'unpublish')),
    add column language text,  -- a code, or [default]; null for all
    drop constraint story_schedulings_status_check,
    add constraint story_schedulings_status_check check (status in
        ('scheduled', 'schedule_published', 'schedule_unpublished', 'published_before_schedule', 'deleted', 'invalid_story'));
