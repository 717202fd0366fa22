-- What a company may write in a project follows from its part in it, and the database says so beside the application (kit/acts.ts):
-- app.limited holds the projects in which this transaction ends at the caller's own people and machines.

-- Whose the machine is; its owner keeps its papers and answers its alarms, even where it runs nothing else on the site.
alter table device add column owner_corp text references corporation;
create index device_owner on device (owner_corp) where owner_corp is not null;

-- Functions with their owner's rights look beyond a request's sight, as to whether a site is really empty. Their owner may become each of the
-- request roles and so would be held by what narrows them: whatever restricts, restricts only who works as one of them.
create function zg_outside() returns boolean language sql stable as $$ select current_user not in ('zg_some', 'zg_wide') $$;
do $$
declare
  p record;
begin
  for p in select * from pg_policies where schemaname = 'public' and permissive = 'RESTRICTIVE' loop
    execute format('alter policy %I on %I using ((select zg_outside()) or (%s))', p.policyname, p.tablename, p.qual);
  end loop;
end $$;

-- Restricts every way of writing a table by a condition on its row, seen before and after.
create procedure zg_write_only(target regclass, condition text) language plpgsql as $$
declare
  held text := format('(select zg_outside()) or (%s)', condition);
begin
  execute format('create policy whole_inserts on %s as restrictive for insert to zg_some, zg_wide with check (%s)', target, held);
  execute format('create policy whole_updates on %s as restrictive for update to zg_some, zg_wide using (%s) with check (%s)', target, held, held);
  execute format('create policy whole_deletes on %s as restrictive for delete to zg_some, zg_wide using (%s)', target, held);
end $$;

create function zg_not_limited(p_column text) returns text language sql immutable as
$$ select format('((select zg_setting(''app.limited'') = '''') or %I is null or %I <> all ((select zg_list(''app.limited''))::text[]))', p_column, p_column) $$;

-- Whatever belongs to a project and to no company in it is written by those who run the project.
do $$
declare
  p record;
begin
  for p in
    select format('%I.%I', schemaname, tablename)::regclass as target, tablename from pg_policies
    where policyname = 'some_projects' and schemaname = 'public'
      and tablename not in (select tablename from pg_policies where policyname = 'own_people')
      and tablename not in ('device', 'device_due', 'device_repair', 'alarm', 'alarm_log', 'alarm_outbox', 'attendance_dirty', 'project_corp')
  loop
    call zg_write_only(p.target, zg_not_limited('project_code'));
  end loop;
  call zg_write_only('rule_exec', zg_not_limited('project_code'));
end $$;

-- A machine, its papers and its alarms: by its owner as well.
do $$
declare
  own constant text := ' or owner_corp = any ((select zg_list(''app.corps''))::text[])';
  of_own constant text := ' or exists (select 1 from device d where d.id = %I.device_id and d.owner_corp = any ((select zg_list(''app.corps''))::text[]))';
  name text;
begin
  call zg_write_only('device', zg_not_limited('project_code') || own);
  foreach name in array array['device_due', 'device_repair', 'alarm'] loop
    call zg_write_only(name::regclass, zg_not_limited('project_code') || format(of_own, name));
  end loop;
  foreach name in array array['alarm_log', 'alarm_outbox'] loop
    call zg_write_only(name::regclass, zg_not_limited('project_code') || format(' or exists (select 1 from alarm a join device d on d.id = a.device_id
      where a.id = %I.alarm_id and d.owner_corp = any ((select zg_list(''app.corps''))::text[]))', name));
  end loop;
end $$;

-- What hangs on a machine, a gateway or a rule is written by whoever may write that.
do $$
declare
  p record;
begin
  for p in
    select * from (values
      ('hj212_station', 'id', 'device'), ('poll_device', 'id', 'device'), ('gate_push', 'id', 'device'), ('jt808_terminal', 'device_id', 'device'),
      ('device_latest', 'device_id', 'device'), ('device_event', 'device_id', 'device'), ('cycle_watch', 'device_id', 'device')
    ) as hanging (target, key, parent)
  loop
    call zg_write_only(p.target::regclass, format(
      '(select zg_setting(''app.limited'') = '''') or exists (select 1 from device d where d.id = %I.%I and (d.project_code <> all ((select zg_list(''app.limited''))::text[]) or d.owner_corp = any ((select zg_list(''app.corps''))::text[])))',
      p.target, p.key));
  end loop;
  call zg_write_only('poll_gateway',
    '(select zg_setting(''app.limited'') = '''') or exists (select 1 from gateway g where g.id = poll_gateway.id and g.project_code <> all ((select zg_list(''app.limited''))::text[]))');
  call zg_write_only('rule_trigger_version',
    '(select zg_setting(''app.limited'') = '''') or exists (select 1 from rule_trigger t where t.id = rule_trigger_version.trigger_id and t.project_code <> all ((select zg_list(''app.limited''))::text[]))');
end $$;

-- Who takes part: never written from below, since a part or a place in the chain of contracts is what a company sees by. Owner, leader and
-- supervisor are not written by the project itself either: they answer for it.
call zg_write_only('project_corp', zg_not_limited('project_code')
  || ' and ((select zg_setting(''app.group_type'')) <> ''3'' or corp_type not in (''007'', ''008'', ''009''))');

-- Tables to come: one that belongs to a project and to no company in it gets the same.
create or replace procedure zg_by_project(target regclass, p_column text default 'project_code', p_corp_column text default null) language plpgsql as $$
begin
  call zg_open(target);
  execute format('create policy some_projects on %s to zg_some using (%I = any ((select zg_list(''app.projects''))::text[]))', target, p_column);
  -- A long list met by a scan is searched linearly with "= any"; unnested it is hashed.
  execute format('create policy wide_projects on %s to zg_wide using (%I in (select unnest(zg_list(''app.projects''))))', target, p_column);
  if p_corp_column is null then
    call zg_write_only(target, zg_not_limited(p_column));
  else
    execute format(
      'create policy own_people on %s as restrictive to zg_some, zg_wide using (
         (select zg_outside() or zg_setting(''app.limited'') = '''') or %I <> all ((select zg_list(''app.limited''))::text[])
         or %I = any ((select zg_list(''app.corps''))::text[]))',
      target, p_column, p_corp_column);
  end if;
end $$;

-- What a unit or a whole site still has, for whoever asks about a project of his own, and counted beyond what he sees there:
-- an emptiness that row-level security only feigns must not let anything be removed.
create function zg_site_use(p_project text, p_corp text default null)
returns table (teams int, teams_present int, people int, people_present int, devices int) language sql stable security definer set search_path = public as $$
  select
    (select count(*)::int from team where project_code = p_project and (p_corp is null or corp_code = p_corp)),
    (select count(*)::int from team where project_code = p_project and (p_corp is null or corp_code = p_corp) and exit_time is null),
    (select count(*)::int from project_worker where project_code = p_project and (p_corp is null or corp_code = p_corp)),
    (select count(*)::int from project_worker where project_code = p_project and (p_corp is null or corp_code = p_corp) and exit_time is null),
    (select count(*)::int from device where project_code = p_project and (p_corp is null or owner_corp = p_corp))
  where p_project = any (zg_list('app.projects')) or current_setting('role') not in ('zg_some', 'zg_wide')
$$;
