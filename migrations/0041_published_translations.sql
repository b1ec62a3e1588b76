-- The translations that are published, {"de": {"published_at", "first_published_at"}}, once some were published on their own; null: all are as the story is.
alter table stories add column translations jsonb;
