-- Owner and runtime apart. The owner of the tables migrates and restores; the running product works as zg_runtime (kit/db.ts), which owns
-- nothing, is held by row-level security on every table, and can add to the audit log and the ledger but never change or take from them.

do $$
declare
  name text;
begin
  begin
    create role zg_runtime nologin;
  exception when duplicate_object or unique_violation then null; -- roles belong to the cluster, not to the database
  end;
  grant zg_runtime to current_user;
  grant usage on schema public to zg_runtime;
  foreach name in array array['zg_some', 'zg_wide', 'zg_all'] loop
    -- A request takes one of them for its transaction and gives up being zg_runtime; until then their policies are not its own.
    if current_setting('server_version_num')::int >= 160000 then
      execute format('grant %I to zg_runtime with inherit false, set true', name);
    else
      execute format('grant %I to zg_runtime', name);
    end if;
  end loop;
end $$;

-- What a table needs so that the running product reaches it, and nobody, its owner included, reaches around its policies.
create procedure zg_serve(target regclass) language plpgsql as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format('grant select, insert, update, delete on %s to zg_runtime', target);
  execute format('drop policy if exists runtime on %s', target);
  execute format('create policy runtime on %s to zg_runtime using (true) with check (true)', target);
end $$;

create or replace procedure zg_open(target regclass) language plpgsql as $$
begin
  call zg_serve(target);
  execute format('grant select, insert, update, delete on %s to zg_some, zg_wide, zg_all', target);
  execute format('create policy sees_all on %s to zg_all using (true) with check (true)', target);
end $$;

-- A partition is written straight by COPY, which row-level security does not allow: it is reached by the running product alone, and read
-- through the table it belongs to.
create or replace function telemetry_make_day(day date) returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
  name text := 'telemetry_' || to_char(day, 'YYYYMMDD');
  low timestamptz := day::timestamp at time zone 'UTC';
begin
  if to_regclass(name) is not null then return; end if;
  execute format('create table %I (like telemetry including defaults including constraints)', name);
  execute format('with moved as (delete from telemetry_default where ts >= %L and ts < %L returning *) insert into %I select * from moved',
    low, low + interval '1 day', name);
  execute format('alter table telemetry attach partition %I for values from (%L) to (%L)', name, low, low + interval '1 day');
  execute format('grant select, insert, update, delete on %I to zg_runtime', name);
end $$;

-- Days past their time go as a whole.
create function telemetry_drop_before(day date) returns int language plpgsql security definer set search_path = public, pg_temp as $$
declare
  name text;
  dropped int := 0;
begin
  for name in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'telemetry'::regclass and c.relname ~ '^telemetry_\d{8}$' and right(c.relname, 8) < to_char(day, 'YYYYMMDD')
  loop
    execute format('drop table if exists %I', name);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;

-- ---- the audit log is a chain per group: a row that is changed, added in between or taken out breaks it
alter table audit_log add column seq bigint, add column prev_hash text, add column hash text;
create unique index audit_seq on audit_log (coalesce(group_id, ''), seq) where seq is not null;
create table audit_chain (
  chain text primary key,
  seq bigint not null,
  hash text not null
);

create function audit_hash(r audit_log) returns text language sql immutable as $$
  select encode(sha256(convert_to(jsonb_build_array(
    r.prev_hash, r.seq, r.id, (extract(epoch from r.at) * 1000)::bigint, r.user_id, r.account, r.user_name, r.group_id, r.group_name, r.action,
    r.summary, r.object_id, r.project_code, r.result, r.ip)::text, 'UTF8')), 'hex')
$$;

-- The head of the chain is locked until the end of the transaction whose row it is: rows of one group stand in the order of their commits.
create function chain_audit() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  head audit_chain;
begin
  insert into audit_chain values (coalesce(new.group_id, ''), 0, '') on conflict (chain) do update set seq = audit_chain.seq returning * into head;
  new.seq := head.seq + 1;
  new.prev_hash := head.hash;
  new.hash := audit_hash(new);
  update audit_chain set seq = new.seq, hash = new.hash where chain = head.chain;
  return new;
end $$;
create trigger chain_audit before insert on audit_log for each row execute function chain_audit();

-- Where a chain breaks: the first row that is not what was written, or the end of it that is missing.
create function audit_broken() returns table (chain text, seq bigint, at timestamptz) language sql stable security definer set search_path = public, pg_temp as $$
  select distinct on (chain) chain, seq, at from (
    select coalesce(a.group_id, '') as chain, a.seq, a.at,
      a.hash = audit_hash(a) and a.prev_hash = coalesce(lag(a.hash) over w, '') and a.seq = coalesce(lag(a.seq) over w, 0) + 1 as sound
    from audit_log a where a.seq is not null window w as (partition by coalesce(a.group_id, '') order by a.seq)
    union all
    select c.chain, c.seq, now(), exists (select 1 from audit_log a where coalesce(a.group_id, '') = c.chain and a.seq = c.seq and a.hash = c.hash)
    from audit_chain c where c.seq > 0
  ) rows where not sound order by chain, seq
$$;

-- ---- every table there is
do $$
declare
  one record;
begin
  for one in
    select c.oid::regclass as target from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relname not in ('migration', 'audit_chain')
  loop
    call zg_serve(one.target);
  end loop;
  for one in select c.oid::regclass as target from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relispartition loop
    execute format('grant select, insert, update, delete on %s to zg_runtime', one.target);
  end loop;
end $$;
grant usage, select on all sequences in schema public to zg_runtime;
alter default privileges in schema public grant usage, select on sequences to zg_runtime;
-- A backup reads as the running product does.
grant select on migration, audit_chain to zg_runtime;

-- Written once: what people did, and who passed a gate.
revoke update, delete, truncate on audit_log, attendance_ledger, attendance_root from zg_runtime, zg_some, zg_wide, zg_all;

-- The queue keeps its own tables, and changes them from version to version by itself.
create schema if not exists pgboss;
grant all on schema pgboss to zg_runtime;
do $$
declare
  one text;
begin
  for one in select format('alter table pgboss.%I owner to zg_runtime', relname) from pg_class where relnamespace = 'pgboss'::regnamespace and relkind in ('r', 'p')
    union all select format('alter type %s owner to zg_runtime', oid::regtype) from pg_type where typnamespace = 'pgboss'::regnamespace and typtype = 'e'
    union all select format('alter function %s owner to zg_runtime', oid::regprocedure) from pg_proc where pronamespace = 'pgboss'::regnamespace
  loop
    execute one;
  end loop;
end $$;
