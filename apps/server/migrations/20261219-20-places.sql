-- 单位（单体）工程 and the tree of places of a site.

create table unit_project (
  id text primary key,
  project_code text not null references project on delete cascade,
  seq int not null,
  name text not null,
  -- Null: taken over from the list of names that there was before.
  type text,
  part text,
  structure_type text,
  foundation_type text,
  basic_type text,
  area numeric(18, 2),
  height numeric(8, 2),
  floors_up int,
  floors_down int,
  phase text,
  progress_percent numeric(5, 2) not null default 0,
  version int not null default 0,
  create_by text,
  create_time timestamptz not null default now(),
  update_by text,
  update_time timestamptz
);
create unique index unit_project_name on unit_project (project_code, name);
create unique index unit_project_of on unit_project (project_code, id);

-- The list that every project kept as JSON. Its keys were made by the browser and stay the ids, unless two rows share one or a key is none.
insert into unit_project (id, project_code, seq, name, area, floors_up, phase, progress_percent)
select case when keyed.key ~ '^[0-9a-f]{32}$' and keyed.times = 1 then keyed.key else md5(keyed.project_code || ' ' || keyed.key || ' ' || keyed.seq) end,
  keyed.project_code, keyed.seq, case when keyed.same = 1 then keyed.name else keyed.name || '（' || keyed.same || '）' end,
  keyed.area, keyed.floors_up, keyed.phase, keyed.progress_percent
from (
  select p.project_code, e.n::int as seq, coalesce(e.unit ->> 'key', '') as key, e.unit ->> 'name' as name, (e.unit ->> 'buildingArea')::numeric as area,
    (e.unit ->> 'floorsUp')::numeric::int as floors_up, e.unit ->> 'phase' as phase, coalesce((e.unit ->> 'progressPercent')::numeric, 0) as progress_percent,
    count(*) over (partition by e.unit ->> 'key') as times,
    row_number() over (partition by p.project_code, e.unit ->> 'name' order by e.n) as same
  from project p cross join lateral jsonb_array_elements(p.unit_works) with ordinality as e (unit, n)
  where e.unit ->> 'name' is not null
) keyed;
alter table project drop column unit_works;
call zg_by_project('unit_project');

-- A place of a site: building, unit, floor, room, or an area outdoors. It never moves to another parent.
create table site_place (
  id text primary key,
  project_code text not null references project on delete cascade,
  parent_id text references site_place on delete cascade,
  kind text not null check (kind in ('building', 'unit', 'floor', 'room', 'area')),
  unit_id text,
  seq int not null,
  name text not null,
  code text,
  -- Ids from the outermost place to this one.
  path text[] not null,
  -- The names of the same.
  full_name text not null,
  -- From then on it is not offered for new records.
  archived_at timestamptz,
  version int not null default 0,
  create_by text,
  create_time timestamptz not null default now(),
  update_by text,
  update_time timestamptz,
  foreign key (project_code, unit_id) references unit_project (project_code, id) on delete set null (unit_id)
);
create unique index site_place_of on site_place (project_code, id);
create unique index site_place_name on site_place (project_code, coalesce(parent_id, ''), name) where archived_at is null;
create index site_place_parent on site_place (parent_id, seq);
create index site_place_path on site_place using gin (path);
create index site_place_unit on site_place (unit_id) where unit_id is not null;
call zg_by_project('site_place');

-- The plans of floors and areas. A replaced plan stays, with the points that were set on it.
create table site_plan (
  id text primary key,
  project_code text not null references project on delete cascade,
  place_id text not null,
  file_id text not null,
  -- Width divided by height.
  ratio real not null check (ratio > 0),
  by_name text not null,
  at timestamptz not null,
  replaced_at timestamptz,
  foreign key (project_code, place_id) references site_place (project_code, id) on delete cascade
);
create unique index site_plan_of on site_plan (project_code, id);
create unique index site_plan_current on site_plan (place_id) where replaced_at is null;
create index site_plan_place on site_plan (project_code, place_id);
call zg_by_project('site_plan');

-- Where something is, beside the words of its part. Place and plan are of the record's own project. When an unused place is removed, a record that
-- nobody else knows of yet keeps its words.
do $$
declare
  target text;
begin
  foreach target in array array['site_check', 'site_check_problem', 'rectify_line', 'safety_measure'] loop
    execute format('alter table %I add column place_id text,
      add constraint %I foreign key (project_code, place_id) references site_place (project_code, id) on delete set null (place_id)', target, target || '_place');
    execute format('create index %I on %I (place_id) where place_id is not null', target || '_at', target);
  end loop;
  foreach target in array array['site_check_problem', 'rectify_line'] loop
    execute format('alter table %I add column plan_id text, add column pin_x real check (pin_x between 0 and 1), add column pin_y real check (pin_y between 0 and 1),
      add constraint %I foreign key (project_code, plan_id) references site_plan (project_code, id) on delete set null (plan_id)', target, target || '_plan');
    execute format('create index %I on %I (plan_id) where plan_id is not null', target || '_on', target);
  end loop;
end $$;
