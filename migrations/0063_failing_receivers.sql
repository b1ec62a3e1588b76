-- The receivers that deliveries are kept from, for administrators: few of all.

create index receivers_failing on receivers (probe_at, id) where probe_at is not null and closed_at is null;
