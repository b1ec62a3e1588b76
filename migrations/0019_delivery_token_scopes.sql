-- The stories that a delivery token may read; null means all of its space.
alter table delivery_tokens add column story_ids bigint[] constraint delivery_tokens_names_stories check (cardinality(story_ids) > 0);
