-- The indexes of 0045 and the search, with the marks of 0058 in those that have an order.

create index editions_order on editions (space_id, edition, position, story_id) include (marks, more_marks, full_slug) where not is_folder;
-- The newest come first and those without a time last. Read backwards, the other way round.
create index editions_created on editions (space_id, edition, created_at desc nulls last, position, story_id)
    include (marks, more_marks, full_slug) where not is_folder;
create index editions_updated on editions (space_id, edition, updated_at desc nulls last, position, story_id)
    include (marks, more_marks, full_slug) where not is_folder;
create index editions_published on editions (space_id, edition, published_at desc nulls last, position, story_id)
    include (marks, more_marks, full_slug) where not is_folder;
create index editions_first_published on editions (space_id, edition, first_published_at desc nulls last, position, story_id)
    include (marks, more_marks, full_slug) where not is_folder;
-- Without the path: name and path together can be too long for an entry of an index.
create index editions_name on editions (space_id, edition, name collate "C", position, story_id) include (marks, more_marks)
    where not is_folder;
create index editions_slug on editions (space_id, edition, slug collate "C", position, story_id) include (marks, more_marks)
    where not is_folder;
-- What a prefix selects is sorted by its entries alone.
create index editions_full_slug on editions (space_id, edition, full_slug text_pattern_ops)
    include (position, story_id, marks, more_marks, created_at, updated_at, published_at, first_published_at) where not is_folder;
create index editions_search on editions using gin (search) where not is_folder;
