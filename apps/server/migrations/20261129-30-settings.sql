-- What a company keeps of itself: its papers, its qualifications, and what happened with it.

-- Papers of a company, each with the versions before it; uploaded once, taken over by the checklists of its projects.
create table corp_material (
  id text primary key,
  corp_code text not null references corporation on delete cascade,
  kind text not null,
  name text not null,
  number text,
  files jsonb not null default '[]',
  valid_end date,
  -- Who sees it beside the company itself: the sites it takes part in, the authorities over them.
  to_sites boolean not null default false,
  to_bodies boolean not null default false,
  -- Counts the versions of the paper itself; `version` counts every change of the row.
  edition int not null default 1,
  -- Earlier editions, the newest first: edition, number, files, validEnd, byName, at.
  earlier jsonb not null default '[]',
  create_time timestamptz not null,
  update_time timestamptz not null,
  update_by text not null,
  version int not null default 1,
  unique (corp_code, name)
);
call zg_open('corp_material');
create policy own_papers on corp_material to zg_some, zg_wide
  using ((select (zg_group()).type) = 2 and corp_code = (select (zg_group()).code))
  with check ((select (zg_group()).type) = 2 and corp_code = (select (zg_group()).code));
create policy shown_to_sites on corp_material for select to zg_some, zg_wide
  using (to_sites and (select (zg_group()).type) = 3
    and exists (select 1 from project_corp pc where pc.corp_code = corp_material.corp_code and pc.exit_time is null));
create policy shown_to_bodies on corp_material for select to zg_some, zg_wide
  using (to_bodies and (select (zg_group()).type) = 1
    and exists (select 1 from corporation c where c.corp_code = corp_material.corp_code));

-- Where a paper of a site was taken from, and which edition it was.
alter table project_material
  add column source_id text references corp_material on delete set null,
  add column source_edition int;
create index project_material_source on project_material (source_id) where source_id is not null;

create table corp_qualification (
  id text primary key,
  corp_code text not null references corporation on delete cascade,
  cert_type_num text not null,
  trade_bound_num text not null,
  title_level_num text not null,
  cert_code text not null,
  organ_name text not null,
  organ_date date not null,
  end_date date not null check (end_date > organ_date),
  add_type_num text,
  -- 001 valid, 002 cancelled, 004 lowered; that it is over follows from its last day.
  status text not null check (status in ('001', '002', '004')),
  files jsonb not null default '[]',
  -- Why it was cancelled or lowered.
  reason text,
  create_time timestamptz not null,
  update_time timestamptz not null,
  update_by text not null,
  version int not null default 1,
  unique (corp_code, cert_code)
);
create index corp_qualification_end on corp_qualification (end_date) where status <> '002';
-- What a company may build is public to whoever sees the company.
call zg_by_parent('corp_qualification', 'corp_code', 'corporation', 'corp_code');
-- Days before the last day of a qualification in which the company wants to hear of it.
alter table corporation add column aptitude_remind_days int not null default 90 check (aptitude_remind_days between 7 and 365);

create function zg_keep_qualification() returns trigger language plpgsql security definer set search_path = public as $$
declare
  asker tenant := zg_group();
begin
  if not zg_in_request() or asker.type = 0 or (asker.type = 2 and asker.code = coalesce(new.corp_code, old.corp_code)) then
    return case tg_op when 'DELETE' then old else new end;
  end if;
  raise insufficient_privilege using message = 'the qualifications of a company are the company''s own';
end $$;
create trigger corp_qualification_kept before insert or update or delete on corp_qualification
  for each row execute function zg_keep_qualification();

-- What happened with a company; added to, never changed.
create table corp_event (
  id text primary key default gen_random_uuid()::text,
  corp_code text not null references corporation on delete cascade,
  at timestamptz not null,
  kind text not null check (kind in ('change', 'aptitude', 'score')),
  title text not null,
  -- Of a change: field, before, after, each as text.
  changes jsonb not null default '[]',
  by_name text not null
);
create index corp_event_of on corp_event (corp_code, at desc);
call zg_open('corp_event');
revoke update, delete on corp_event from zg_some, zg_wide, zg_all;
create policy with_company on corp_event for select to zg_some, zg_wide
  using (exists (select 1 from corporation c where c.corp_code = corp_event.corp_code));
create policy own_events on corp_event for insert to zg_some, zg_wide
  with check ((select (zg_group()).type) = 2 and corp_code = (select (zg_group()).code));

-- What changes in a company's file, whoever changes it. What is sealed of it is left out.
create function zg_tell_corporation() returns trigger language plpgsql security definer set search_path = public as $$
declare
  told constant text[] := array['corp_name', 'corp_type', 'corp_kind', 'area_code', 'address', 'legal_man', 'reg_capital', 'register_date', 'link_man',
    'safety_license_no', 'safety_license_end', 'enable', 'credit_score'];
  was jsonb := to_jsonb(old);
  is_now jsonb := to_jsonb(new);
  found_changes jsonb;
begin
  select coalesce(jsonb_agg(jsonb_build_object('field', f, 'before', was ->> f, 'after', is_now ->> f) order by f), '[]') into found_changes
    from unnest(told) f where was -> f is distinct from is_now -> f;
  if found_changes <> '[]' then
    insert into corp_event (corp_code, at, kind, title, changes, by_name)
      values (new.corp_code, coalesce(new.update_time, now()),
        case when found_changes -> 0 ->> 'field' = 'credit_score' and jsonb_array_length(found_changes) = 1 then 'score' else 'change' end,
        '', found_changes, coalesce((select name from app_user where id = zg_setting('app.user')), '系统'));
  end if;
  return null;
end $$;
create trigger corporation_told after update on corporation for each row execute function zg_tell_corporation();

-- What a group asks to be given of apps; decided by the platform, and granted in the same transaction.
create table app_apply (
  id text primary key,
  group_id text not null references tenant on delete cascade,
  project_code text references project on delete cascade,
  app_ids text[] not null check (cardinality(app_ids) > 0),
  -- The last day asked for; null for good.
  deadline date,
  reason text not null,
  -- 0 waits, 1 passed, 2 refused
  state text not null default '0' check (state in ('0', '1', '2')),
  opinion text,
  filed_by text not null,
  filed_name text not null,
  create_time timestamptz not null,
  decided_name text,
  decide_time timestamptz,
  version int not null default 1
);
create index app_apply_of on app_apply (group_id, create_time desc);
create index app_apply_waiting on app_apply (create_time) where state = '0';
call zg_by_group('app_apply');
-- Whoever asks does not grant: what becomes of it is written by the platform.
create function zg_decide_apply() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if zg_in_request() and coalesce((zg_group()).type, 3) <> 0 and (tg_op = 'UPDATE' or new.state <> '0') then
    raise insufficient_privilege using message = 'an application for apps is decided by the platform';
  end if;
  return new;
end $$;
create trigger app_apply_decided before insert or update on app_apply for each row execute function zg_decide_apply();
