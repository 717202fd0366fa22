-- The one draw: what was frozen before the seed was known, and what was drawn. Neither is ever changed; the groups of `audience` see the list,
-- the result only those of `groups` until shown_at.
create table draw_run (
  id text primary key,
  kind text not null,
  object_id text not null,
  organiser_group text not null,
  audience text[] not null,
  -- The text whose hash is list_hash, as JSON; seed sealed, its hash published.
  list_text text not null,
  list_hash text not null,
  commitment text not null,
  sealed_seed bytea not null,
  frozen_at timestamptz not null,
  frozen_by text not null,
  frozen_name text not null
);
create unique index draw_run_object on draw_run (kind, object_id);
call zg_open('draw_run');
create policy of_audience on draw_run to zg_some, zg_wide using ((select zg_setting('app.group')) = any (audience));

create table draw_result (
  run_id text primary key references draw_run,
  groups text[] not null,
  audience text[] not null,
  shown_at timestamptz,
  seed text not null,
  witnesses text[] not null,
  digits text[] not null,
  result jsonb not null,
  drawn_at timestamptz not null,
  drawn_by text not null,
  drawn_name text not null
);
call zg_open('draw_result');
create policy of_groups on draw_result for select to zg_some, zg_wide using (
  (select zg_setting('app.group')) = any (groups) or (shown_at is not null and (select zg_setting('app.group')) = any (audience)));
-- Whoever draws need not be allowed to see what he drew.
create policy drawn on draw_result for insert to zg_some, zg_wide with check (
  exists (select 1 from draw_run r where r.id = run_id and r.organiser_group = (select zg_setting('app.group'))));

-- One chain per organiser: every entry contains the hash of the one before.
create table draw_chain (
  organiser_group text not null,
  seq bigint not null,
  run_id text not null references draw_run,
  entry text not null,
  prev_hash text not null,
  hash text not null,
  at timestamptz not null,
  primary key (organiser_group, seq)
);
call zg_open('draw_chain');
create policy own_chain on draw_chain to zg_some, zg_wide using (
  organiser_group = (select zg_setting('app.group')) or exists (select 1 from draw_run r where r.id = run_id));

create function zg_draw_fixed() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and tg_table_name = 'draw_result' and to_jsonb(old) ->> 'shown_at' is null
    and to_jsonb(new) - 'shown_at' = to_jsonb(old) - 'shown_at' then return new; end if;
  raise exception 'a draw is never changed';
end $$;
create trigger fixed before update or delete on draw_run for each row execute function zg_draw_fixed();
create trigger fixed before update or delete on draw_result for each row execute function zg_draw_fixed();
create trigger fixed before update or delete on draw_chain for each row execute function zg_draw_fixed();
