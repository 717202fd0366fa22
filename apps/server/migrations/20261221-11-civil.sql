-- 文明施工: the standard in versions that a city or company issues, extras of sites, fixed photo points, and walks past them.

create table civil_version (
  id text primary key,
  group_id text not null references tenant on delete cascade,
  owner text not null check (owner in ('platform', 'government', 'company')),
  -- Code of the group: of the government or company.
  owner_code text not null,
  group_name text not null,
  -- Of a government: its version holds in this area.
  area_code text,
  name text not null,
  effective_from date,
  issued_at timestamptz,
  issued_by text,
  version int not null default 0,
  create_by text,
  create_time timestamptz not null default now(),
  update_by text,
  update_time timestamptz
);
create index civil_version_owner on civil_version (owner, owner_code, effective_from desc) where issued_at is not null;
call zg_open('civil_version');
create policy own_group on civil_version to zg_some, zg_wide using (group_id = (select zg_setting('app.group')));
-- An authority publishes its standard; a company's holds on the sites that it builds.
create policy issued_reads on civil_version for select to zg_some, zg_wide using (issued_at is not null and (owner <> 'company'
  or owner_code in (select p.contractor_corp_code from project p where p.project_code = any ((select zg_list('app.projects'))::text[]))));

create table civil_item (
  id text primary key,
  group_id text not null references tenant on delete cascade,
  owner text not null check (owner in ('platform', 'government', 'company', 'project')),
  owner_code text not null,
  -- Null: an extra of a site or company, which counts beside whatever version is in force.
  version_id text references civil_version on delete cascade,
  item_code text not null,
  -- A part of dictionary civilCheckItem.
  part text not null,
  name text not null,
  max_score int not null check (max_score > 0),
  rule text,
  requirement text,
  clause text,
  -- Dictionary projectPhase; empty: always.
  phases text[] not null default '{}',
  good text[] not null default '{}',
  bad text[] not null default '{}',
  enable boolean not null default true,
  -- A change of an extra inserts a new revision; walks that have begun keep the one they used.
  revision int not null default 1,
  superseded_at timestamptz,
  version int not null default 0,
  create_by text,
  create_time timestamptz not null default now(),
  update_by text,
  update_time timestamptz
);
create unique index civil_item_of_version on civil_item (version_id, item_code) where version_id is not null;
create unique index civil_item_extra on civil_item (group_id, item_code) where version_id is null and superseded_at is null;
call zg_open('civil_item');
create policy own_group on civil_item to zg_some, zg_wide using (group_id = (select zg_setting('app.group')));
create policy issued_reads on civil_item for select to zg_some, zg_wide using (
  case when version_id is not null then exists (select from civil_version v where v.id = version_id and v.issued_at is not null)
    when owner = 'project' then owner_code = any ((select zg_list('app.projects'))::text[])
    else owner_code in (select p.contractor_corp_code from project p where p.project_code = any ((select zg_list('app.projects'))::text[])) end);

-- A fixed photo point of a site, in the order of the walk.
create table civil_point (
  id text primary key,
  project_code text not null references project on delete cascade,
  corp_code text,
  seq int not null,
  name text not null,
  area text not null,
  place_id text references site_place,
  plan_id text references site_plan,
  pin_x real,
  pin_y real,
  -- What is judged here; empty: all items of the area.
  item_codes text[] not null default '{}',
  archived boolean not null default false,
  create_by text not null,
  create_time timestamptz not null
);
create index civil_point_project on civil_point (project_code, seq);
call zg_by_project('civil_point', 'project_code', 'corp_code');

-- The standard that a walk began with.
create table civil_walk (
  check_id text primary key references site_check on delete cascade,
  project_code text not null references project on delete cascade,
  corp_code text,
  shown_at timestamptz,
  groups text[] not null,
  version_id text references civil_version on delete set null,
  version_name text not null
);
call zg_by_project('civil_walk', 'project_code', 'corp_code');
call zg_until_shown('civil_walk');

-- What was photographed at a point; its items are a sheet of the check.
create table civil_shot (
  sheet_id text primary key references check_sheet on delete cascade,
  check_id text not null references site_check on delete cascade,
  point_id text not null references civil_point on delete cascade,
  project_code text not null references project on delete cascade,
  corp_code text,
  shown_at timestamptz,
  groups text[] not null,
  photos text[] not null default '{}',
  note text
);
create unique index civil_shot_once on civil_shot (check_id, point_id);
create index civil_shot_point on civil_shot (point_id);
call zg_by_project('civil_shot', 'project_code', 'corp_code');
call zg_until_shown('civil_shot');
