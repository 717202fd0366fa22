-- Apps: what groups may use, until when; menus, their arrangement for kinds of groups, and packages. What the product delivers is written
-- at its start (domains/apps/delivery.ts): every group that is there then holds every app it could use before, without an end.

create table app_category (
  id text primary key,
  name text not null unique,
  icon text not null default 'box',
  -- Group types that do not see it.
  hidden_types int[] not null default '{}',
  sort int not null default 0,
  update_time timestamptz,
  update_by text,
  version int not null default 0
);

create table app (
  id text primary key,
  code text not null unique,
  name text not null,
  summary text not null default '',
  category_id text not null references app_category,
  -- 1 of the platform, 2 an external address.
  app_type text not null check (app_type in ('1', '2')),
  icon text not null default 'box',
  -- A page of the product, or an address that begins with https.
  entry text,
  group_types int[] not null default '{1,2,3}',
  prerequisites text[] not null default '{}',
  default_days int check (default_days between 1 and 3660),
  -- Permission codes it carries: those of the delivered apps follow the product.
  codes text[] not null default '{}',
  -- Permission modules whose menus belong to it.
  modules text[] not null default '{}',
  -- Devices it needs, in words.
  devices text not null default '',
  built_in boolean not null default false,
  -- Every group has it, without a grant and without an end.
  base boolean not null default false,
  enable text not null default '1' check (enable in ('0', '1')),
  sort int not null default 0,
  create_time timestamptz not null default now(),
  create_by text,
  update_time timestamptz,
  update_by text,
  version int not null default 0,
  check (app_type = '1' or entry ~ '^https://[^/@\s]+(/|$|\?|#)')
);

create table app_grant (
  id text primary key,
  group_id text not null references tenant on delete cascade,
  app_id text not null references app,
  start_day date not null,
  -- The last day; null without an end.
  deadline date,
  -- default, scheme, single, passed
  source text not null check (source in ('default', 'scheme', 'single', 'passed')),
  -- The group that gave it: the platform, or whoever handed on its own.
  by_group text references tenant on delete cascade,
  parent_id text references app_grant,
  contract_no text,
  reason text not null default '',
  required boolean not null default false,
  visible boolean not null default true,
  sort int not null default 0,
  batch_id text,
  revoked_at timestamptz,
  revoke_reason text,
  create_time timestamptz not null default now(),
  create_by text,
  update_time timestamptz,
  update_by text,
  version int not null default 0,
  check (deadline is null or deadline >= start_day),
  check ((source = 'passed') = (parent_id is not null))
);
-- One living grant of an app by the same giver.
create unique index app_grant_living on app_grant (group_id, app_id, coalesce(parent_id, '')) where revoked_at is null;
create index app_grant_app on app_grant (app_id) where revoked_at is null;
create index app_grant_parent on app_grant (parent_id) where parent_id is not null;
create index app_grant_batch on app_grant (batch_id) where batch_id is not null;

-- Inside a group: who gets an app at all. Without a row everybody.
create table app_range (
  group_id text not null references tenant on delete cascade,
  app_id text not null references app on delete cascade,
  rule jsonb not null,
  update_time timestamptz,
  update_by text,
  version int not null default 0,
  primary key (group_id, app_id)
);

-- What a new project gets, by area and category.
create table app_default (
  area_code text not null,
  category text not null,
  app_id text not null references app on delete cascade,
  days int check (days between 1 and 3660),
  required boolean not null default false,
  -- Not given there, though an area above gives it.
  off boolean not null default false,
  update_time timestamptz,
  update_by text,
  primary key (area_code, category, app_id)
);

create table app_package (
  id text primary key,
  name text not null,
  group_type int not null check (group_type between 1 and 3),
  app_ids text[] not null default '{}',
  days int check (days between 1 and 3660),
  role_ids text[] not null default '{}',
  ui_scheme_id text,
  is_default boolean not null default false,
  built_in boolean not null default false,
  remark text not null default '',
  create_time timestamptz not null default now(),
  create_by text,
  update_time timestamptz,
  update_by text,
  version int not null default 0,
  unique (group_type, name)
);
create unique index app_package_default on app_package (group_type) where is_default;
create table app_package_use (
  package_id text not null references app_package on delete cascade,
  group_id text not null references tenant on delete cascade,
  applied_at timestamptz not null default now(),
  applied_by text,
  primary key (package_id, group_id)
);

-- Who opened a page of an app on a day: whether an app is used at all is what renewals are decided by.
create table app_use (
  group_id text not null references tenant on delete cascade,
  app_id text not null references app on delete cascade,
  user_id text not null references app_user on delete cascade,
  day date not null,
  primary key (group_id, app_id, user_id, day)
);
create index app_use_day on app_use (day);

create table menu (
  id text primary key,
  parent_id text references menu,
  app_id text references app,
  name text not null,
  title text not null,
  menu_type text not null check (menu_type in ('MENU', 'DIR')),
  path text,
  icon text,
  sort int not null default 0,
  enable text not null default '1' check (enable in ('0', '1')),
  delivered boolean not null default false,
  -- Taken out by hand: the product does not put it back.
  removed boolean not null default false,
  create_time timestamptz not null default now(),
  update_time timestamptz,
  update_by text,
  version int not null default 0,
  check ((menu_type = 'MENU') = (path is not null))
);
create index menu_parent on menu (parent_id);
create unique index menu_path on menu (path) where path is not null and not removed;

create table ui_scheme (
  id text primary key,
  name text not null unique,
  remark text not null default '',
  draft jsonb not null default '{}',
  published jsonb,
  previous jsonb,
  published_at timestamptz,
  published_by text,
  create_time timestamptz not null default now(),
  update_time timestamptz,
  update_by text,
  version int not null default 0
);
create table ui_rule (
  id text primary key,
  name text not null,
  sort int not null default 0,
  conditions jsonb not null default '{}',
  -- None: the menus as they stand in the list.
  scheme_id text references ui_scheme,
  home_path text not null default '/main',
  enable text not null default '1' check (enable in ('0', '1')),
  is_default boolean not null default false,
  create_time timestamptz not null default now(),
  update_time timestamptz,
  update_by text,
  version int not null default 0
);
create unique index ui_rule_default on ui_rule (is_default) where is_default;

-- ---- who reads and who writes

-- Whether the asker's group answers for another: the platform for all; an authority for those below it, the companies of its area and the
-- projects in sight; a company for the projects it sees whole and runs. Owner's rights, since a group is seen from inside it alone.
create function zg_group_below(target text) returns boolean language sql stable security definer set search_path = public as $$
  select exists (
    select 1 from tenant t, zg_group() a where t.id = target and t.id <> a.id and (
      a.type = 0
      or (a.type in (1, 2) and t.type = 3 and t.code = any (zg_list('app.projects'))
        and t.code <> all (zg_list('app.limited')))
      or (a.type = 1 and t.type = 1 and zg_is_below(t.code, a.code))
      or (a.type = 1 and t.type = 2 and t.area_code ^@ zg_group_area())))
$$;
-- The groups the asker answers for, and its own, with who looks after each.
create function zg_branch() returns table (id text, type smallint, code text, name text, area_code text, enable text, contact text)
language sql stable security definer set search_path = public as $$
  select t.id, t.type, t.code, t.name, t.area_code, t.enable,
    (select string_agg(distinct u.name, '、' order by u.name) from member m join app_user u on u.id = m.user_id and u.enable = '1'
       join member_role mr on mr.member_id = m.id join role r on r.id = mr.role_id
     where m.group_id = t.id and m.enable = '1' and r.group_id is null and r.groups_type = t.type and r.name like '%管理员')
  from tenant t where t.type > 0 and (not zg_in_request() or t.id = zg_setting('app.group') or zg_group_below(t.id))
$$;
create function zg_is_platform() returns boolean language sql stable as $$ select zg_setting('app.group_type') = '0' $$;

do $$
declare target text;
begin
  foreach target in array array['app_category', 'app', 'app_package', 'menu', 'ui_scheme', 'ui_rule'] loop
    execute format('call zg_reference(%L)', target);
    execute format('create policy platform_writes on %I to zg_some, zg_wide using (zg_is_platform()) with check (zg_is_platform())', target);
  end loop;
  foreach target in array array['app_grant', 'app_range', 'app_package_use'] loop
    execute format('call zg_open(%L)', target);
    execute format('create policy in_sight on %I for select to zg_some, zg_wide using (group_id = (select zg_setting(''app.group'')) or zg_group_below(group_id))', target);
  end loop;
end $$;

create policy given_by_me on app_grant for select to zg_some, zg_wide using (by_group = (select zg_setting('app.group')));
create policy gives on app_grant for insert to zg_some, zg_wide
  with check (by_group = (select zg_setting('app.group')) and zg_group_below(group_id));
create policy changes on app_grant for update to zg_some, zg_wide
  using (by_group = (select zg_setting('app.group')) or group_id = (select zg_setting('app.group')) or zg_is_platform())
  with check (by_group = (select zg_setting('app.group')) or group_id = (select zg_setting('app.group')) or zg_is_platform());
create policy ranges on app_range to zg_some, zg_wide
  using (group_id = (select zg_setting('app.group')) or zg_group_below(group_id))
  with check (group_id = (select zg_setting('app.group')) or zg_group_below(group_id));
create policy platform_writes on app_package_use to zg_some, zg_wide using (zg_is_platform()) with check (zg_is_platform());

call zg_reference('app_default');
create policy keeps_its_area on app_default to zg_some, zg_wide
  using (zg_is_platform() or area_code ^@ zg_group_area()) with check (zg_is_platform() or area_code ^@ zg_group_area());

call zg_open('app_use');
create policy in_sight on app_use for select to zg_some, zg_wide
  using (group_id = (select zg_setting('app.group')) or zg_group_below(group_id));
create policy opens on app_use for insert to zg_some, zg_wide
  with check (group_id = (select zg_setting('app.group')) and user_id = (select zg_setting('app.user')));

-- ---- what holds of grants, whoever writes them

-- A grant that was handed on lives inside the one it came from: same app, its holder the giver, no longer than it, and it is not revoked.
create function app_grant_inside() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  parent app_grant;
  asker tenant := zg_group();
begin
  if tg_op = 'UPDATE' then
    if (new.group_id, new.app_id, new.by_group, new.parent_id, new.source) is distinct from (old.group_id, old.app_id, old.by_group, old.parent_id, old.source) then
      raise exception 'a grant stays the grant it is' using errcode = '23514';
    end if;
    -- Whoever holds it arranges it and decides nothing about it; what follows from a change above is nobody's decision.
    if zg_in_request() and pg_trigger_depth() = 1 and asker.type <> 0 and asker.id is distinct from old.by_group
      and to_jsonb(new) - '{visible,sort,version,update_time,update_by}'::text[]
        <> to_jsonb(old) - '{visible,sort,version,update_time,update_by}'::text[] then
      raise exception 'a grant is changed by whoever gave it' using errcode = '42501';
    end if;
  end if;
  if new.parent_id is null or new.revoked_at is not null then return new; end if;
  select * into parent from app_grant where id = new.parent_id for share;
  if parent.revoked_at is not null or parent.app_id <> new.app_id or parent.group_id is distinct from new.by_group
    or new.start_day < parent.start_day or (parent.deadline is not null and (new.deadline is null or new.deadline > parent.deadline)) then
    raise exception 'a grant is handed on inside the one it comes from' using errcode = '23514';
  end if;
  return new;
end $$;
create trigger app_grant_inside before insert or update on app_grant for each row execute function app_grant_inside();

-- What ends above ends below: shortened and revoked with the grant they came from.
create function app_grant_follows() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if new.revoked_at is not null and old.revoked_at is null then
    update app_grant set revoked_at = new.revoked_at, revoke_reason = new.revoke_reason, update_time = new.update_time, update_by = new.update_by,
      version = version + 1 where parent_id = new.id and revoked_at is null;
  elsif new.deadline is not null and new.deadline is distinct from old.deadline then
    update app_grant set deadline = new.deadline, update_time = new.update_time, update_by = new.update_by, version = version + 1
      where parent_id = new.id and revoked_at is null and start_day <= new.deadline and (deadline is null or deadline > new.deadline);
    -- One that would only have begun afterwards never begins.
    update app_grant set revoked_at = now(), revoke_reason = '上级授权提前到期', version = version + 1
      where parent_id = new.id and revoked_at is null and start_day > new.deadline;
  end if;
  return null;
end $$;
create trigger app_grant_follows after update of deadline, revoked_at on app_grant for each row execute function app_grant_follows();

-- A menu stands at most three deep and never below itself.
create function menu_depth() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  above text := new.parent_id;
  depth int := 1;
  below int;
begin
  perform pg_advisory_xact_lock(hashtextextended('menu', 0));
  while above is not null loop
    depth := depth + 1;
    if above = new.id or depth > 3 then raise exception 'menus are at most three deep' using errcode = '23514'; end if;
    select parent_id into above from menu where id = above;
  end loop;
  with recursive tree as (select new.id as id, 0 as level union all select m.id, t.level + 1 from menu m join tree t on m.parent_id = t.id where not m.removed and t.level < 4)
    select max(level) into below from tree;
  if depth + below > 3 then raise exception 'menus are at most three deep' using errcode = '23514'; end if;
  return new;
end $$;
create trigger menu_depth before insert or update of parent_id on menu for each row execute function menu_depth();

-- ---- a new group begins with what its kind is given
-- A project: for each app the line of the nearest area and its category, or the package for its kind where no area says anything.
create function app_first_grants() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  today date := (now() at time zone 'Asia/Shanghai')::date;
  giver text;
  kind text;
  place text;
begin
  if new.type = 0 then return null; end if;
  select id into giver from tenant where type = 0 limit 1;
  if new.type = 3 then select category, area_code into kind, place from project where project_code = new.code; end if;
  insert into app_grant (id, group_id, app_id, start_day, deadline, source, by_group, required, sort)
  select md5(new.id || a.id), new.id, a.id, today, case when d.days is not null then today + d.days - 1 end, 'default', giver,
    coalesce(d.required, false), a.sort
  from app a
  left join lateral (
    select x.days, x.required, x.off from app_default x where x.app_id = a.id and x.category = kind and place ^@ regexp_replace(x.area_code, '(00){1,3}$', '')
    order by length(regexp_replace(x.area_code, '(00){1,3}$', '')) desc limit 1) as by_area on true
  left join app_package p on p.group_type = new.type and p.is_default
  cross join lateral (select coalesce(by_area.days, case when by_area.off is null then p.days end) as days, coalesce(by_area.required, false) as required) d
  where not a.base and a.enable = '1' and new.type = any (a.group_types)
    and case when by_area.off is not null then not by_area.off else p.id is not null and a.id = any (p.app_ids) end;
  return null;
end $$;
create trigger app_first_grants after insert on tenant for each row execute function app_first_grants();

-- Where rights have a version, it counts what apps leave open as well.
do $$
begin
  if to_regprocedure('zg_follow_group()') is null then return; end if;
  create trigger rights_follow after insert or update or delete on app_grant for each row execute function zg_follow_group();
  create trigger rights_follow after insert or update or delete on app_range for each row execute function zg_follow_group();
  create trigger rights_follow after insert or update of codes, base on app for each statement execute function zg_follow_all();
end $$;
