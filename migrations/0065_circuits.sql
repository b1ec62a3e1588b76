-- The circuit of a receiver is a state of its own (domain::shared::delivery::Circuit), and a delivery has an age: it waits while the circuit is open, and is
-- given up when it is too old. An attempt that was not sent is no attempt any more.

alter table receivers
    add column circuit           text not null default 'closed' check (circuit in ('closed', 'open', 'probing')),
    add column circuit_until     timestamptz,                    -- open: when the next probe may go out; probing: when the one under way counts as lost
    add column circuit_opened_at timestamptz,
    add column failed_probes     integer not null default 0,     -- since it opened
    -- The clock of a receiver stands still while nothing is sent to it on purpose. It is behind the clock of sending by what it stood still, and stands at
    -- paused_since while it does.
    add column paused_since      timestamptz,
    add column paused_for        interval not null default '0';

update receivers set circuit = 'open', circuit_until = probe_at, circuit_opened_at = statement_timestamp() where probe_at is not null;

alter table receivers
    add constraint receivers_circuit check ((circuit = 'closed') = (circuit_until is null) and (circuit = 'closed') = (circuit_opened_at is null));

drop index receivers_failing;
create index receivers_open on receivers (circuit_opened_at, id) where circuit <> 'closed' and closed_at is null;

-- The clock of sending stands still while all sending is paused: it is behind the clock of the database by this. (All of these are seconds, because a day of an
-- interval may be an hour longer.)
alter table sending add column paused_for interval not null default '0';

create function sending_keeps_its_clock() returns trigger language plpgsql as $$
begin
    if old.paused_at is not null and new.paused_at is null then
        new.paused_for := old.paused_for + make_interval(secs => greatest(extract(epoch from statement_timestamp() - old.paused_at), 0));
    end if;
    return new;
end;
$$;
create trigger sending_keeps_its_clock before update of paused_at on sending
    for each row execute function sending_keeps_its_clock();

create function receivers_keep_their_clock() returns trigger language plpgsql as $$
declare
    is_paused boolean := not new.active or new.silenced;
    sending_clock timestamptz;
begin
    if is_paused = (new.paused_since is not null) then
        return new;
    end if;
    select coalesce(paused_at, statement_timestamp()) - paused_for into sending_clock from sending;
    if is_paused then
        new.paused_since := sending_clock;
    else
        new.paused_for := new.paused_for + make_interval(secs => greatest(extract(epoch from sending_clock - new.paused_since), 0));
        new.paused_since := null;
    end if;
    return new;
end;
$$;
create trigger receivers_keep_their_clock before insert or update of active, silenced on receivers
    for each row execute function receivers_keep_their_clock();

update receivers set active = active where not active or silenced;

alter table delivery_queue
    -- When the age of a delivery began, by the clock of its receiver. Of what waits already it begins now: how long its receiver was paused is not known.
    add column age_from    timestamptz not null default statement_timestamp(),
    add column dead_reason text;    -- null: it is not dead, or died in a former version

-- Attempts that were not sent are taken back from the five that a delivery has. What they were stays readable.
update delivery_queue line
set failures = line.failures - least(line.failures, (
    select count(*)::integer from delivery_attempts attempt
    where attempt.delivery_id = line.delivery_id and attempt.result = 'circuit_open'
      and attempt.number > line.attempts - line.failures and attempt.replayed = line.replayed
))
where line.dead_at is null and line.failures > 0;

-- A process of the former version knows probe_at alone, for as long as an upgrade lasts: no distance of more than a minute from now means anything to it but a
-- clock that was set back. The next version drops the column with this trigger.
create function receivers_keep_probe_at() returns trigger language plpgsql as $$
begin
    if new.probe_at is distinct from old.probe_at then
        if new.probe_at is null then
            new.circuit := 'closed';
            new.circuit_until := null;
            new.circuit_opened_at := null;
            new.failed_probes := 0;
        else
            new.circuit := 'open';
            new.circuit_until := new.probe_at;
            new.circuit_opened_at := coalesce(old.circuit_opened_at, statement_timestamp());
        end if;
    else
        new.probe_at := case new.circuit
            when 'open' then least(new.circuit_until, statement_timestamp() + interval '17 seconds')
            when 'probing' then statement_timestamp() + interval '30 seconds'
        end;
    end if;
    return new;
end;
$$;
create trigger receivers_keep_probe_at before update of probe_at, circuit on receivers
    for each row execute function receivers_keep_probe_at();
