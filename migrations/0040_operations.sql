-- What operators ask for, without reading whole tables.

-- How many people have a role of a group, and moving them to another one.
create index role_assignments_groups on role_assignments (role_group);

-- Dead deliveries in the order in which all of them are queued again.
create index delivery_queue_dead_all on delivery_queue (delivery_id) where dead_at is not null and not cancelled;
