-- Fences with their history, folders of projects, brands, and the directory a company's data are looked up in.

-- What was drawn: in force or gone by (1), waiting for somebody above the site (0), refused (2). The project keeps the one in force.
create table project_fence (
  id text primary key,
  project_code text not null references project on delete cascade,
  area_rule jsonb,
  hectares numeric(12,4) not null default 0,
  state text not null default '1' check (state in ('0', '1', '2')),
  reason text not null,
  filed_name text not null,
  create_time timestamptz not null,
  decided_name text,
  decide_time timestamptz,
  opinion text,
  version int not null default 0
);
create unique index project_fence_open on project_fence (project_code) where state = '0';
create index project_fence_recent on project_fence (project_code, create_time desc);
call zg_by_project('project_fence');

-- A site proposes, it never decides over its own proposal.
create function zg_decide_fence() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if zg_in_request() and coalesce((zg_group()).type, 3) = 3 then
    raise insufficient_privilege using message = 'a proposed fence is decided by somebody above the site';
  end if;
  return new;
end $$;
create trigger project_fence_decided before update of state on project_fence for each row
  when (old.state = '0' and new.state = '1') execute function zg_decide_fence();

-- How a group appears is edited by several: who did last, and which version.
alter table tenant
  add column update_time timestamptz,
  add column update_by text,
  add column version int not null default 0;

-- The groups somebody answers for, with whether anybody works in them: all for the platform, for an authority itself, those below it and the
-- companies of its area. Owner's rights, since a group's people are seen from inside it alone.
create function zg_groups(p_type int)
returns table (id text, code text, name text, area_code text, enable text, create_time timestamptz, user_count int, online int,
  admin_name text, nearest_deadline date, last_login timestamptz) language sql stable security definer set search_path = public as $$
  with asker as (select (zg_group()).type as type, (zg_group()).code as code, zg_group_area() as area, not zg_in_request() as background)
  select t.id, t.code, t.name, t.area_code, t.enable, t.create_time,
    (select count(*)::int from member m where m.group_id = t.id),
    (select count(*)::int from session s where s.group_id = t.id and s.expires_at > now()),
    (select string_agg(distinct u.name, '、' order by u.name) from member m join app_user u on u.id = m.user_id and u.enable = '1'
       join member_role mr on mr.member_id = m.id join role r on r.id = mr.role_id
     where m.group_id = t.id and m.enable = '1' and r.group_id is null and r.groups_type = t.type and r.name like '%管理员'),
    (select min(m.deadline) from member m where m.group_id = t.id and m.deadline >= current_date),
    (select max(u.last_login_at) from member m join app_user u on u.id = m.user_id where m.group_id = t.id)
  from tenant t, asker a
  where t.type = p_type and (a.background or a.type = 0
    or (a.type = 1 and p_type = 1 and zg_is_below(t.code, a.code))
    or (a.type = 1 and p_type = 2 and t.area_code ^@ a.area))
$$;

-- Folders: a tree for each module of a group; a project stands in one folder of a module.
alter table project_group
  add column enable text not null default '1',
  add column head_id text,
  add column update_time timestamptz,
  add column version int not null default 0,
  add constraint project_group_place unique (group_id, module, id),
  drop constraint project_group_parent_id_fkey,
  add foreign key (group_id, module, parent_id) references project_group (group_id, module, id),
  -- Whoever leads it is of the same group; who leaves the group leads nothing of it.
  add foreign key (group_id, head_id) references member (group_id, id) on delete set null (head_id);
create unique index project_group_name on project_group (group_id, module, coalesce(parent_id, ''), name);
create index project_group_parent on project_group (parent_id);

alter table project_group_item
  add column group_id text,
  add column module text,
  add column join_time timestamptz not null default now();
update project_group_item i set group_id = g.group_id, module = g.module from project_group g where g.id = i.project_group_id;
alter table project_group_item
  alter column group_id set not null,
  alter column module set not null,
  add foreign key (group_id, module, project_group_id) references project_group (group_id, module, id) on delete cascade;
-- Of several folders of one module the first stays.
delete from project_group_item i using project_group_item o
  where i.group_id = o.group_id and i.module = o.module and i.project_code = o.project_code and i.project_group_id > o.project_group_id;
create unique index project_group_item_once on project_group_item (group_id, module, project_code);

create function project_group_item_place() returns trigger language plpgsql as $$
begin
  select group_id, module into new.group_id, new.module from project_group where id = new.project_group_id;
  return new;
end $$;
create trigger place before insert or update of project_group_id on project_group_item for each row execute function project_group_item_place();

-- Only a project in sight is put into a folder.
create policy in_sight on project_group_item as restrictive for insert to zg_some, zg_wide with check (
  (select zg_outside()) or exists (select 1 from project p where p.project_code = project_group_item.project_code));

-- No folder stands below itself, whoever writes: moves of one group come one after the other, and each looks at what the last one left.
create function project_group_acyclic() returns trigger language plpgsql as $$
begin
  if new.parent_id is null then return new; end if;
  perform pg_advisory_xact_lock(hashtextextended('folder ' || new.group_id, 0));
  if exists (
    with recursive above as (
      select id, parent_id from project_group where id = new.parent_id
      union select n.id, n.parent_id from project_group n join above a on n.id = a.parent_id)
    select 1 from above where id = new.id)
  then raise exception 'folder % would stand below itself', new.id using errcode = 'check_violation'; end if;
  return new;
end $$;
create trigger acyclic before insert or update of parent_id on project_group for each row execute function project_group_acyclic();

-- Companies as their registration authority has them, by code; what a form is filled from. Delivered empty, filled by the deployment.
create table company_directory (
  corp_code text primary key,
  corp_name text not null,
  corp_type text,
  area_code text,
  address text,
  legal_man text,
  reg_capital numeric(18,2),
  register_date date,
  status text not null default '存续',
  source text not null,
  update_time timestamptz not null default now()
);
create index company_directory_name on company_directory (corp_name text_pattern_ops);
call zg_reference('company_directory');
