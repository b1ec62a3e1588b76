-- Where clients of the OpenID provider are told that sessions ended and that accounts were deleted. Clients are configuration; these rows follow it at
-- each start.

create table client_receivers (
    client_id   text not null,
    kind        text not null check (kind in ('logout', 'account')),
    receiver_id bigint not null unique references receivers (id),
    primary key (client_id, kind)
);
