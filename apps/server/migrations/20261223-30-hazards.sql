-- 危险源: what is dangerous on a site, at which level, who controls it, and when somebody looks at it next.
create table hazard_source (
  id text primary key,
  project_code text not null references project on delete cascade,
  -- The company that answers for it.
  corp_code text not null references corporation,
  shown_at timestamptz,
  groups text[] not null,
  author_group text not null,
  author_group_name text not null,
  name text not null,
  hazard_source text[] not null,
  place_id text references site_place on delete set null,
  plan_id text references site_plan on delete set null,
  pin_x float8,
  pin_y float8,
  part text not null,
  big_project_id text references bigproject on delete set null,
  likelihood numeric(4, 1) not null,
  exposure numeric(4, 1) not null,
  consequence numeric(5, 1) not null,
  score numeric(8, 1) not null,
  risk_level text not null check (risk_level in ('1', '2', '3', '4')),
  level_reason text,
  control_level text not null,
  measures text[] not null,
  responsible text not null,
  check_every int not null check (check_every > 0),
  start_date date not null,
  end_date date,
  control_note text,
  control_photos text[] not null default '{}',
  controlled_at timestamptz,
  last_check timestamptz,
  -- The day on which the next patrol is due; null while it is not controlled, and when it is lifted.
  next_check date,
  state text not null default '0',
  version int not null default 0,
  create_by text not null,
  create_time timestamptz not null,
  update_by text,
  update_time timestamptz not null default now()
);
create index hazard_source_project on hazard_source (project_code, risk_level);
create index hazard_source_work on hazard_source (big_project_id);
create index hazard_source_place on hazard_source (place_id);
call zg_by_project('hazard_source', 'project_code', 'corp_code');
call zg_until_shown('hazard_source');

create table hazard_patrol (
  id text primary key,
  hazard_id text not null references hazard_source on delete cascade,
  project_code text not null references project on delete cascade,
  corp_code text not null,
  shown_at timestamptz,
  groups text[] not null,
  at timestamptz not null,
  by_name text not null,
  result text not null,
  note text,
  photos text[] not null default '{}',
  -- Days after it was due.
  late_days int not null default 0
);
create index hazard_patrol_of on hazard_patrol (hazard_id, at desc);
call zg_by_project('hazard_patrol', 'project_code', 'corp_code');
call zg_until_shown('hazard_patrol');

-- 作业票: dangerous work at a place, for a time, by named people.
create table work_permit (
  id text primary key,
  code text,
  project_code text not null references project on delete cascade,
  -- The company that works.
  corp_code text not null references corporation,
  shown_at timestamptz,
  groups text[] not null,
  author_group text not null,
  author_group_name text not null,
  type text not null,
  level text,
  content text not null,
  place_id text references site_place on delete set null,
  plan_id text references site_plan on delete set null,
  pin_x float8,
  pin_y float8,
  part text not null,
  hazard_id text references hazard_source on delete set null,
  device_id text references device on delete set null,
  start_time timestamptz not null,
  end_time timestamptz not null,
  -- When it ends by itself: the end of the work, or of the look for embers after hot work.
  closes_by timestamptz not null,
  approved_by text,
  approved_at timestamptz,
  started_at timestamptz,
  start_photos text[] not null default '{}',
  -- End of hot work, from which the look for embers counts.
  ended_at timestamptz,
  finish_photos text[] not null default '{}',
  closed_at timestamptz,
  close_note text,
  close_photos text[] not null default '{}',
  -- A longer time that is asked for.
  extend_to timestamptz,
  extend_reason text,
  -- It was not closed in time; closing it later does not take that away.
  late boolean not null default false,
  state text not null default '0',
  version int not null default 0,
  create_by text not null,
  create_time timestamptz not null,
  update_by text,
  update_time timestamptz not null default now()
);
create index work_permit_project on work_permit (project_code, start_time desc);
create index work_permit_open on work_permit (closes_by) where state in ('2', '3');
create index work_permit_hazard on work_permit (hazard_id);
create unique index work_permit_code on work_permit (project_code, code);
call zg_by_project('work_permit', 'project_code', 'corp_code');
call zg_until_shown('work_permit');

create table work_permit_person (
  id text primary key,
  permit_id text not null references work_permit on delete cascade,
  project_code text not null references project on delete cascade,
  corp_code text not null,
  shown_at timestamptz,
  groups text[] not null,
  seq int not null,
  role text not null check (role in ('worker', 'driver', 'guardian')),
  worker_id text not null references worker,
  name text not null,
  team_name text,
  -- When a guardian handed over.
  until timestamptz
);
create index work_permit_person_of on work_permit_person (permit_id, seq);
call zg_by_project('work_permit_person', 'project_code', 'corp_code');
call zg_until_shown('work_permit_person');

create table work_permit_measure (
  id text primary key,
  permit_id text not null references work_permit on delete cascade,
  project_code text not null references project on delete cascade,
  corp_code text not null,
  shown_at timestamptz,
  groups text[] not null,
  seq int not null,
  text text not null,
  photo boolean not null,
  done boolean not null,
  photos text[] not null default '{}'
);
create unique index work_permit_measure_of on work_permit_measure (permit_id, seq);
call zg_by_project('work_permit_measure', 'project_code', 'corp_code');
call zg_until_shown('work_permit_measure');

create table work_permit_gas (
  id text primary key,
  permit_id text not null references work_permit on delete cascade,
  project_code text not null references project on delete cascade,
  corp_code text not null,
  shown_at timestamptz,
  groups text[] not null,
  at timestamptz not null,
  spot text not null,
  tester text not null,
  -- %, %LEL, mg/m³, mg/m³.
  oxygen numeric(6, 2) not null,
  combustible numeric(6, 2) not null,
  carbon_monoxide numeric(6, 2) not null,
  hydrogen_sulfide numeric(6, 2) not null
);
create index work_permit_gas_of on work_permit_gas (permit_id, at desc);
call zg_by_project('work_permit_gas', 'project_code', 'corp_code');
call zg_until_shown('work_permit_gas');
