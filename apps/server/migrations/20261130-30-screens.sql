-- Walls: compositions of panels, their versions, who runs which, and the display tokens they run on.

create table screen_template (
  id text primary key,
  -- Whose it is; null: the platform's.
  group_id text references tenant on delete cascade,
  level smallint not null check (level in (1, 2, 3)),
  name text not null,
  description text not null default '',
  -- What is being edited; walls run `screen_version`.
  body jsonb not null,
  state text not null default '0' check (state in ('0', '1', '2')),
  published_version int,
  source_id text,
  -- Came with the product and follows it.
  delivered boolean not null default false,
  create_time timestamptz not null default now(),
  create_by text,
  update_time timestamptz,
  update_by text,
  version int not null default 0,
  check (state <> '1' or published_version is not null)
);
create unique index screen_template_name on screen_template (coalesce(group_id, ''), level, name);

create table screen_version (
  template_id text not null references screen_template on delete cascade,
  version int not null,
  body jsonb not null,
  note text not null default '',
  publish_time timestamptz not null,
  publish_by text not null,
  primary key (template_id, version)
);

create table screen_assignment (
  template_id text not null references screen_template on delete cascade,
  group_id text not null references tenant on delete cascade,
  -- Holds for the groups below as well.
  inherit boolean not null default false,
  update_time timestamptz not null,
  update_by text not null,
  primary key (template_id, group_id)
);
create index screen_assignment_group on screen_assignment (group_id);

-- A group's own of its wall: which template, its title, panels, hours, places.
create table screen_setting (
  group_id text primary key references tenant on delete cascade,
  value jsonb not null,
  update_time timestamptz not null,
  update_by text not null,
  version int not null default 1
);

-- Display tokens, by their hash: one wall of one group, read only.
create table screen_token (
  id text primary key,
  token_hash text not null unique,
  group_id text not null references tenant on delete cascade,
  template_id text not null references screen_template on delete cascade,
  name text not null,
  create_time timestamptz not null,
  create_by text not null,
  expires_at timestamptz not null,
  seen_at timestamptz,
  revoked_at timestamptz,
  revoked_by text
);
create index screen_token_list on screen_token (group_id, create_time desc, id);

-- A group's nearest upper ones: whose screens it may inherit.
create function zg_screen_above(target text) returns text[] language sql stable security definer set search_path = public as $$
  with recursive bodies as (
    select g.parent_gov_code as code, 1 as far from tenant t join government g on g.gov_code = t.code where t.id = target and t.type = 1
    union all select g.parent_gov_code, b.far + 1 from government g join bodies b on g.gov_code = b.code where b.far < 20)
  select coalesce(array_agg(u.id order by u.far), '{}') from (
    select t.id, b.far from bodies b join tenant t on t.type = 1 and t.code = b.code
    union all select c.id, 1 from tenant t join project p on p.project_code = t.code
      join tenant c on c.type = 2 and c.code = p.contractor_corp_code where t.id = target and t.type = 3
    union all select p.id, 100 from tenant p, tenant t where p.type = 0 and t.id = target and t.type <> 0) u
$$;

-- Whether a group is one's own or one that one answers for. The platform's rows belong to no group.
create function zg_screen_answers(target text) returns boolean language sql stable as $$
  select case when target is null then zg_is_platform() else target = zg_setting('app.group') or zg_group_below(target) end
$$;
-- Whether a template is in sight: one's own, the platform's once it is published, and what is assigned to one's group, to one above it for
-- all below, or to a group one answers for.
create function zg_screen_seen(p_template text, p_owner text, p_state text) returns boolean language sql stable security definer set search_path = public as $$
  select zg_setting('app.group') = p_owner
    or (p_owner is null and (p_state = '1' or zg_is_platform()))
    or exists (select 1 from screen_assignment a where a.template_id = p_template
      and (a.group_id = zg_setting('app.group') or (a.inherit and a.group_id = any (zg_screen_above(zg_setting('app.group'))))))
    or exists (select 1 from screen_assignment a where a.template_id = p_template and zg_group_below(a.group_id))
$$;

call zg_open('screen_template');
create policy in_sight on screen_template for select to zg_some, zg_wide using (zg_screen_seen(id, group_id, state));
create policy own_inserts on screen_template for insert to zg_some, zg_wide
  with check (group_id = (select zg_setting('app.group')) and not delivered);
create policy own_updates on screen_template for update to zg_some, zg_wide
  using (group_id = (select zg_setting('app.group'))) with check (group_id = (select zg_setting('app.group')) and not delivered);
create policy own_deletes on screen_template for delete to zg_some, zg_wide using (group_id = (select zg_setting('app.group')));

call zg_open('screen_version');
create policy in_sight on screen_version for select to zg_some, zg_wide
  using (exists (select 1 from screen_template t where t.id = template_id));
create policy own_inserts on screen_version for insert to zg_some, zg_wide
  with check (exists (select 1 from screen_template t where t.id = template_id and t.group_id = (select zg_setting('app.group'))));

call zg_open('screen_assignment');
create policy in_sight on screen_assignment for select to zg_some, zg_wide
  using (zg_screen_answers(group_id)
    or exists (select 1 from screen_template t where t.id = template_id and t.group_id = (select zg_setting('app.group'))));
create policy own_inserts on screen_assignment for insert to zg_some, zg_wide
  with check (zg_screen_answers(group_id)
    and exists (select 1 from screen_template t where t.id = template_id and t.group_id = (select zg_setting('app.group'))));
create policy own_updates on screen_assignment for update to zg_some, zg_wide
  using (exists (select 1 from screen_template t where t.id = template_id and t.group_id = (select zg_setting('app.group'))));
create policy own_deletes on screen_assignment for delete to zg_some, zg_wide
  using (exists (select 1 from screen_template t where t.id = template_id and t.group_id = (select zg_setting('app.group'))));

call zg_open('screen_setting');
create policy answered on screen_setting to zg_some, zg_wide using (zg_screen_answers(group_id)) with check (zg_screen_answers(group_id));

call zg_open('screen_token');
create policy answered on screen_token to zg_some, zg_wide using (zg_screen_answers(group_id)) with check (zg_screen_answers(group_id));

-- Tokens of the time before walls were never good for anything.
delete from setting where key like 'screen-token:%';
