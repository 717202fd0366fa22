-- Who may change whose registration: projects, companies, authorities, people's files, and the groups that follow them.

-- The group a request works for. Owner's rights, since a group's own row is all that row-level security would show.
create function zg_group() returns tenant language sql stable security definer set search_path = public as
$$ select t from tenant t where t.id = zg_setting('app.group') $$;

-- The significant front of an authority's area; null for every other kind of group.
create function zg_group_area() returns text language sql stable security definer set search_path = public as
$$ select regexp_replace(area_code, '(00){1,2}$', '') from tenant where id = zg_setting('app.group') and type = 1 $$;

-- A request takes one of the three roles; migrations, the demonstration and background work take none.
create function zg_in_request() returns boolean language sql stable as
$$ select coalesce(current_setting('role', true), 'none') in ('zg_some', 'zg_wide', 'zg_all') $$;

-- Itself and every authority below it.
create function zg_is_below(gov text, top text) returns boolean language sql stable security definer set search_path = public as $$
  with recursive below as (
    select gov_code from government where gov_code = top
    union select g.gov_code from government g join below b on g.parent_gov_code = b.gov_code)
  select exists (select 1 from below where gov_code = gov)
$$;

-- Where a project lies, who supervises, owns and leads it is registered by the authority of the area or by the platform; an authority
-- moves it inside its own area and between itself and the bodies below it.
create function zg_keep_registration() returns trigger language plpgsql security definer set search_path = public as $$
declare
  asker tenant := zg_group();
begin
  if not zg_in_request() or asker.type = 0 then return new; end if;
  if asker.type is distinct from 1
    or (new.area_code is distinct from old.area_code and not (new.area_code ^@ zg_group_area() and old.area_code ^@ zg_group_area()))
    or (new.supervise_org is distinct from old.supervise_org
      and not (zg_is_below(new.supervise_org, asker.code) and (old.supervise_org is null or zg_is_below(old.supervise_org, asker.code))))
  then
    raise insufficient_privilege using message = 'the registration of a project is its authority''s';
  end if;
  return new;
end $$;
create trigger project_registration before update of area_code, supervise_org, build_corp_code, contractor_corp_code on project for each row
  when (old.area_code is distinct from new.area_code or old.supervise_org is distinct from new.supervise_org
    or old.build_corp_code is distinct from new.build_corp_code or old.contractor_corp_code is distinct from new.contractor_corp_code)
  execute function zg_keep_registration();

-- What a project or a company asks its authority to change in the registration; at most one open at a time.
create table project_change (
  id text primary key,
  project_code text not null references project on delete cascade,
  -- {areaCode|superviseOrg|buildCorpCode|contractorCorpCode: {from, to}}
  changes jsonb not null,
  reason text not null,
  -- Dictionary auditStatus: 0 open, 1 accepted, 2 refused.
  state text not null default '0' check (state in ('0', '1', '2')),
  opinion text,
  filed_group text not null,
  filed_by text not null,
  filed_name text not null,
  create_time timestamptz not null,
  decided_name text,
  decide_time timestamptz,
  version int not null default 0
);
create unique index project_change_open on project_change (project_code) where state = '0';
create index project_change_recent on project_change (project_code, create_time desc);
call zg_by_project('project_change');

create function zg_decide_change() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if zg_in_request() and coalesce((zg_group()).type, 3) > 1 then
    raise insufficient_privilege using message = 'an application is decided by the authority or the platform';
  end if;
  return new;
end $$;
create trigger project_change_decided before update on project_change for each row execute function zg_decide_change();

-- Nobody has the person in place, and nobody out of the asker's sight ever had.
create function zg_is_free(worker text) returns boolean language sql stable security definer set search_path = public as $$
  select not exists (
    select 1 from project_worker pw where pw.worker_id = worker
      and (pw.exit_time is null or pw.project_code <> all (zg_list('app.projects'))
        or (pw.project_code = any (zg_list('app.limited')) and pw.corp_code <> all (zg_list('app.corps')))))
$$;

-- Whose a person's file is to write and to see in clear: where he stays now; a file that nobody else has taken over, whoever opened it.
-- Asker's rights: the stays it meets are those the asker sees.
create function zg_holds_worker(worker text) returns boolean language sql stable as $$
  select exists (select 1 from project_worker pw where pw.worker_id = worker and pw.exit_time is null)
    or (exists (select 1 from worker w where w.id = worker and w.owner_group = zg_setting('app.group')) and zg_is_free(worker))
$$;

drop policy works_here on worker;
create policy works_here on worker for select to zg_some, zg_wide using (
  not deleted and (
    owner_group = (select zg_setting('app.group'))
    or exists (select 1 from project_worker pw where pw.worker_id = worker.id)));
create policy opens_file on worker for insert to zg_some, zg_wide with check (owner_group = (select zg_setting('app.group')));
create policy holds_person on worker for update to zg_some, zg_wide using (zg_holds_worker(id)) with check (zg_holds_worker(id));
create policy drops_file on worker for delete to zg_some, zg_wide using (owner_group = (select zg_setting('app.group')) and zg_is_free(id));

-- What hangs on the person and on no project: read with the file, written by whoever holds the person.
do $$
declare
  target text;
begin
  foreach target in array array['worker_cert', 'worker_resume'] loop
    execute format('drop policy with_parent on %I', target);
    execute format('create policy with_parent on %I for select to zg_some, zg_wide using (exists (select 1 from worker p where p.id = %I.worker_id))', target, target);
    execute format('create policy adds on %I for insert to zg_some, zg_wide with check (zg_holds_worker(worker_id))', target);
    execute format('create policy changes on %I for update to zg_some, zg_wide using (zg_holds_worker(worker_id)) with check (zg_holds_worker(worker_id))', target);
    execute format('create policy removes on %I for delete to zg_some, zg_wide using (zg_holds_worker(worker_id))', target);
  end loop;
end $$;

-- A stay's copies of the person follow while the person is at the project; when he has gone, they stay as they were. Somebody who is
-- nowhere is corrected everywhere: only the platform or the one group that ever had him can do that.
create or replace function zg_copy_worker() returns trigger language plpgsql security definer set search_path = public as $$
begin
  update project_worker s set worker_name = new.name, gender = new.gender, birthday = new.birthday, id_card_mask = new.id_card_mask,
    id_card_hash = new.id_card_hash, cell_phone_mask = new.cell_phone_mask, cell_phone_hash = new.cell_phone_hash
  where s.worker_id = new.id and (
    s.project_code in (select n.project_code from project_worker n where n.worker_id = new.id and n.exit_time is null)
    or not exists (select 1 from project_worker n where n.worker_id = new.id and n.exit_time is null));
  return null;
end $$;

-- A company's file is the company's own; the authority of its seat switches it and removes one that never took part; the platform does all.
create function zg_keep_corporation() returns trigger language plpgsql security definer set search_path = public as $$
declare
  asker tenant := zg_group();
  regulates boolean := asker.type = 1 and old.area_code ^@ zg_group_area();
begin
  if not zg_in_request() or asker.type = 0
    or (tg_op = 'UPDATE' and asker.type = 2 and asker.code = old.corp_code and new.corp_code = old.corp_code and new.enable = old.enable)
    or (tg_op = 'UPDATE' and regulates and to_jsonb(new) - 'enable' = to_jsonb(old) - 'enable')
    or (tg_op = 'DELETE' and regulates)
  then
    return case tg_op when 'DELETE' then old else new end;
  end if;
  raise insufficient_privilege using message = 'a company''s file is the company''s own';
end $$;
create trigger corporation_kept before update or delete on corporation for each row execute function zg_keep_corporation();
create policy of_area on corporation to zg_some, zg_wide using (area_code ^@ (select zg_group_area()));

-- An authority keeps its own file and those below it; where it stands, over what and under whom is said by the one above or the platform.
create function zg_keep_government() returns trigger language plpgsql security definer set search_path = public as $$
declare
  asker tenant := zg_group();
  stands constant text[] := array['gov_code', 'type', 'level', 'area_code', 'parent_gov_code', 'added_projects', 'removed_projects', 'enable'];
begin
  if not zg_in_request() or asker.type = 0 then return case tg_op when 'DELETE' then old else new end; end if;
  if tg_op = 'UPDATE' and asker.type = 1 and zg_is_below(old.gov_code, asker.code) and new.gov_code = old.gov_code and new.enable = old.enable
    and (case
      when old.gov_code = asker.code then (select bool_and(to_jsonb(new) -> c = to_jsonb(old) -> c) from unnest(stands) c)
      else new.area_code ^@ zg_group_area() and zg_is_below(new.parent_gov_code, asker.code)
        and new.added_projects = old.added_projects and new.removed_projects = old.removed_projects end)
  then
    return new;
  end if;
  raise insufficient_privilege using message = 'an authority is set up by the one above it';
end $$;
create trigger government_kept before update or delete on government for each row execute function zg_keep_government();

-- The group of an authority, a company or a project carries its name, area and switch, whoever changes them, and goes with it.
create function zg_group_follows() returns trigger language plpgsql security definer set search_path = public as $$
declare
  kind smallint := case tg_table_name when 'government' then 1 when 'corporation' then 2 else 3 end;
  before_row jsonb := to_jsonb(old);
  after_row jsonb := case when tg_op = 'UPDATE' then to_jsonb(new) end;
  key text := coalesce(before_row ->> 'gov_code', before_row ->> 'project_code', before_row ->> 'corp_code');
  gone text;
begin
  if tg_op = 'UPDATE' then
    update tenant set name = coalesce(after_row ->> 'name', after_row ->> 'corp_name'), area_code = after_row ->> 'area_code',
      enable = after_row ->> 'enable' where type = kind and code = key;
    return null;
  end if;
  select id into gone from tenant where type = kind and code = key;
  delete from session where group_id = gone;
  delete from role where group_id = gone;
  delete from project_group where group_id = gone;
  delete from tenant where id = gone;
  return null;
end $$;
create trigger group_follows after update of name, area_code, enable or delete on government for each row execute function zg_group_follows();
create trigger group_follows after update of corp_name, area_code, enable or delete on corporation for each row execute function zg_group_follows();
create trigger group_follows after update of name, area_code, enable or delete on project for each row execute function zg_group_follows();
-- Another group's folder must not hold a project that is removed.
alter table project_group_item drop constraint project_group_item_project_code_fkey,
  add foreign key (project_code) references project on delete cascade;

-- Codes a group type may no longer hold leave the roles that groups made themselves; the delivered ones follow the product at its start.
update role set codes = array(select c from unnest(codes) c where c <> all (array['labour.corp', 'environment.linkage']));
update role set codes = array(select c from unnest(codes) c where c <> all (array[
  'device-admin.create', 'device-admin.edit', 'device-admin.delete', 'device-admin.gateway', 'device-admin.secret', 'device-admin.command',
  'device-admin.frame', 'device-admin.transfer', 'device-admin.import', 'helmet.location', 'helmet.track', 'helmet.health', 'vehicle.talk',
  'video.ptz', 'video.talk', 'corporation.edit', 'government.create'])) where groups_type = 1;
update role set codes = array_remove(codes, 'corporation.edit') where groups_type = 3;
