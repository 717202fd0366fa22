-- Dangerous works (危险性较大的分部分项工程, 住建部令第37号).
create table bigproject (
  id text primary key,
  code text not null,
  project_code text not null references project on delete cascade,
  -- The company that carries it out: the specialist contractor where there is one, else the contractor.
  corp_code text not null references corporation,
  shown_at timestamptz,
  groups text[] not null,
  name text not null,
  category text not null,
  over_scale boolean not null,
  risk_level text not null,
  unit_id text,
  place_id text,
  part text not null,
  -- Sizes in the units of 建办质〔2018〕31号: m, kN/㎡, kN/m, kN.
  depth numeric(12, 3),
  height numeric(12, 3),
  span numeric(12, 3),
  total_load numeric(12, 3),
  line_load numeric(12, 3),
  point_load numeric(12, 3),
  piece_weight numeric(12, 3),
  lift_weight numeric(12, 3),
  weight numeric(12, 3),
  construction_corp text not null references corporation,
  sub_corp text references corporation,
  plan_start_date date not null,
  plan_end_date date not null check (plan_end_date >= plan_start_date),
  actual_start_date date,
  actual_end_date date,
  plan_name text,
  plan_files text[] not null default '{}',
  -- The day on which the work might begin.
  plan_pass_date date,
  -- The review of the experts whose conclusion holds.
  activity_id text references expert_activity,
  review_date date,
  review_result text check (review_result in ('passed', 'changed', 'failed')),
  review_report text,
  review_conclusion text,
  revision_note text,
  revision_files text[] not null default '{}',
  disclosure_date date,
  discloser text,
  disclosure_text text,
  warn_photos text[] not null default '{}',
  monitor_org text,
  monitor_files text[] not null default '{}',
  accept_date date,
  accept_photos text[] not null default '{}',
  state text not null default '0',
  state_since timestamptz not null,
  version int not null default 0,
  create_by text not null,
  create_time timestamptz not null,
  update_by text,
  update_time timestamptz not null default now(),
  foreign key (project_code, unit_id) references unit_project (project_code, id) on delete set null (unit_id),
  foreign key (project_code, place_id) references site_place (project_code, id) on delete set null (place_id)
);
create index bigproject_project on bigproject (project_code, state);
create unique index bigproject_code on bigproject (project_code, code);
-- A review concludes on one plan.
create unique index bigproject_activity on bigproject (activity_id) where activity_id is not null;
create index bigproject_place on bigproject (place_id) where place_id is not null;
create index bigproject_unit on bigproject (unit_id) where unit_id is not null;
call zg_by_project('bigproject', 'project_code', 'corp_code');
call zg_until_shown('bigproject');

-- Who was instructed, and who watches the work on the site.
create table bigproject_person (
  id text primary key,
  work_id text not null references bigproject on delete cascade,
  project_code text not null references project on delete cascade,
  corp_code text not null,
  shown_at timestamptz,
  groups text[] not null,
  kind text not null check (kind in ('receiver', 'inspector')),
  seq int not null,
  name text not null,
  post text not null
);
create unique index bigproject_person_of on bigproject_person (work_id, kind, seq);
call zg_by_project('bigproject_person', 'project_code', 'corp_code');
call zg_until_shown('bigproject_person');

-- Devices that watch the work.
create table bigproject_device (
  work_id text not null references bigproject on delete cascade,
  device_id text not null references device on delete cascade,
  project_code text not null references project on delete cascade,
  corp_code text not null,
  shown_at timestamptz,
  groups text[] not null,
  primary key (work_id, device_id)
);
create index bigproject_device_of on bigproject_device (device_id);
call zg_by_project('bigproject_device', 'project_code', 'corp_code');
call zg_until_shown('bigproject_device');

