-- Who may do what: role templates and groups' own roles, temporary roles, what is taken from a role in a group, functions that are stopped,
-- and a version that says when any of it has changed.

-- ---- roles
alter table role
  add column enable text not null default '1',
  -- Whom it is made for (dictionary roleScope): 1-4 templates by kind of group, 5 a group's own.
  add column role_scope text,
  -- How far it reaches (dictionary dataScope); 4 ends at `projects` and the folders, whatever stands in them later.
  add column data_scope text,
  add column projects text[] not null default '{}',
  add column project_groups text[] not null default '{}',
  add column template_id text references role on delete set null,
  -- Holds whatever a group of its type can hold: who has it administers the group.
  add column administrator boolean not null default false,
  add column update_time timestamptz not null default now(),
  add column update_by text,
  add column version int not null default 0;
update role set role_scope = case when group_id is null then (groups_type + 1)::text else '5' end,
  data_scope = case groups_type when 0 then '1' when 3 then '3' else '2' end,
  administrator = group_id is null and name in ('平台管理员', '监管机构管理员', '企业管理员', '项目管理员');
create index role_of_template on role (template_id);

-- A role that somebody has: of an administrator's role it is the grant of the group's administration.
alter table member_role
  add column id text not null default gen_random_uuid()::text,
  add column enable text not null default '1',
  add column reason text not null default '',
  add column grant_by text,
  add column create_time timestamptz not null default now(),
  add column version int not null default 0;
create unique index member_role_id on member_role (id);
create index member_role_role on member_role (role_id);

-- Codes a role does not give in one group. Only taken by those above the group: the group itself reads.
create table role_narrowing (
  role_id text not null references role on delete cascade,
  group_id text not null references tenant on delete cascade,
  codes text[] not null,
  reason text not null default '',
  update_time timestamptz not null default now(),
  update_by text not null,
  version int not null default 0,
  primary key (role_id, group_id)
);
call zg_serve('role_narrowing');
grant select on role_narrowing to zg_some, zg_wide;
grant select, insert, update, delete on role_narrowing to zg_all;
create policy sees_all on role_narrowing to zg_all using (true) with check (true);
create policy own_group on role_narrowing for select to zg_some, zg_wide using (group_id = (select zg_setting('app.group')));

-- Rights for a while: named people, from and to, in all or in some projects. Those that have ended stay as a record.
create table temp_role (
  id text primary key,
  group_id text not null references tenant on delete cascade,
  name text not null,
  codes text[] not null,
  -- Null: as far as the group reaches.
  projects text[],
  member_ids text[] not null,
  start_time timestamptz not null,
  end_time timestamptz not null,
  reason text not null,
  grant_by text not null,
  create_time timestamptz not null default now(),
  version int not null default 0,
  check (end_time > start_time and end_time <= start_time + interval '90 days')
);
create index temp_role_group on temp_role (group_id, end_time desc);
call zg_by_group('temp_role');

-- What differs from the product as delivered: another title, another mark, or stopped for everybody.
create table function_state (
  code text primary key,
  title text,
  remark text not null default '',
  risk text,
  enable text not null default '1',
  reason text not null default '',
  update_time timestamptz not null default now(),
  update_by text not null,
  version int not null default 0
);
call zg_reference('function_state');

-- By which rules a group's people give out rights. The strictest of a group and those above it holds.
create table delegation_rule (
  group_id text primary key references tenant on delete cascade,
  rules jsonb not null,
  locked text[] not null default '{}',
  update_time timestamptz not null default now(),
  update_by text not null,
  version int not null default 0
);
call zg_by_group('delegation_rule');

-- ---- the version: one row a group, '' for what all groups share. A change and its version are one transaction.
create table permission_version (
  group_id text primary key,
  version bigint not null
);
call zg_serve('permission_version');
grant select, insert, update on permission_version to zg_some, zg_wide, zg_all;
create policy counted on permission_version to zg_some, zg_wide, zg_all using (true) with check (true);

create function zg_rights_changed(p_group text) returns void language sql as $$
  insert into permission_version values (coalesce(p_group, ''), 1)
    on conflict (group_id) do update set version = permission_version.version + 1
$$;

-- For tables with a group_id of their own; null is what all groups share.
create function zg_follow_group() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then perform zg_rights_changed(to_jsonb(old) ->> 'group_id'); end if;
  if tg_op <> 'DELETE' and (tg_op = 'INSERT' or to_jsonb(new) ->> 'group_id' is distinct from to_jsonb(old) ->> 'group_id') then
    perform zg_rights_changed(to_jsonb(new) ->> 'group_id');
  end if;
  return null;
end $$;
create function zg_follow_member() returns trigger language plpgsql as $$
declare
  target text := case when tg_op = 'DELETE' then old.member_id else new.member_id end;
begin
  -- A membership that has gone has told so itself.
  perform zg_rights_changed(group_id) from member where id = target;
  return null;
end $$;
create function zg_follow_tenant() returns trigger language plpgsql as $$
begin
  perform zg_rights_changed(new.id);
  return null;
end $$;
create function zg_follow_user() returns trigger language plpgsql as $$
begin
  perform zg_rights_changed(group_id) from member where user_id = new.id order by group_id;
  return null;
end $$;
create function zg_follow_all() returns trigger language plpgsql as $$
begin
  perform zg_rights_changed('');
  return null;
end $$;
create trigger rights_follow after insert or delete or update of codes, enable, data_scope, projects, project_groups, groups_type on role
  for each row execute function zg_follow_group();
create trigger rights_follow after insert or update or delete on member_role for each row execute function zg_follow_member();
create trigger rights_follow after insert or delete or update of enable, deadline on member for each row execute function zg_follow_group();
create trigger rights_follow after update of enable on tenant for each row execute function zg_follow_tenant();
create trigger rights_follow after update of enable on app_user for each row execute function zg_follow_user();
create trigger rights_follow after insert or update or delete on role_narrowing for each row execute function zg_follow_group();
create trigger rights_follow after insert or update or delete on temp_role for each row execute function zg_follow_group();
create trigger rights_follow after insert or update or delete on function_state for each statement execute function zg_follow_all();
create trigger rights_follow after insert or update or delete on project_group_item for each row execute function zg_follow_group();
create trigger rights_follow after update of parent_id on project_group for each row execute function zg_follow_group();

-- Whoever administers a group is told by the role's own mark, not by how it is called.
create or replace function zg_groups(p_type int)
returns table (id text, code text, name text, area_code text, enable text, create_time timestamptz, user_count int, online int,
  admin_name text, nearest_deadline date, last_login timestamptz) language sql stable security definer set search_path = public as $$
  with asker as (select (zg_group()).type as type, (zg_group()).code as code, zg_group_area() as area, not zg_in_request() as background)
  select t.id, t.code, t.name, t.area_code, t.enable, t.create_time,
    (select count(*)::int from member m where m.group_id = t.id),
    (select count(*)::int from session s where s.group_id = t.id and s.expires_at > now()),
    (select string_agg(distinct u.name, '、' order by u.name) from member m join app_user u on u.id = m.user_id and u.enable = '1'
       join member_role mr on mr.member_id = m.id and mr.enable = '1' join role r on r.id = mr.role_id
     where m.group_id = t.id and m.enable = '1' and r.administrator and r.groups_type = t.type),
    (select min(m.deadline) from member m where m.group_id = t.id and m.deadline >= current_date),
    (select max(u.last_login_at) from member m join app_user u on u.id = m.user_id where m.group_id = t.id)
  from tenant t, asker a
  where t.type = p_type and (a.background or a.type = 0
    or (a.type = 1 and p_type = 1 and zg_is_below(t.code, a.code))
    or (a.type = 1 and p_type = 2 and t.area_code ^@ a.area))
$$;

-- Accounts that are held back at the door, of those whom the asker keeps: who knocks elsewhere is nobody's to read.
create function zg_locked_accounts(at timestamptz) returns table (account text, locked_until timestamptz)
language sql stable security definer set search_path = public as $$
  select t.account, max(t.locked_until) from login_try t
  where t.locked_until > at and (not zg_in_request() or (zg_group()).type = 0 or exists (
    select 1 from app_user u join member m on m.user_id = u.id where u.account = t.account and m.group_id = zg_setting('app.group')))
  group by t.account
$$;
