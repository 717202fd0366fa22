-- 工序验收: each step of work at a place is accepted before the next one begins.
create table site_step (
  id text primary key,
  code text,
  project_code text not null references project on delete cascade,
  -- The company whose work it is.
  corp_code text not null references corporation,
  shown_at timestamptz,
  groups text[] not null,
  author_group text not null,
  author_group_name text not null,
  work text not null,
  kind text not null,
  place_id text not null references site_place on delete cascade,
  plan_id text references site_plan on delete set null,
  pin_x float8,
  pin_y float8,
  part text not null,
  gang text,
  begun_at timestamptz,
  check_time timestamptz not null,
  checkers text[] not null,
  photos text[] not null default '{}',
  remark text,
  person text,
  deadline date,
  problems text[] not null default '{}',
  round int not null default 1,
  result text,
  -- The work began before the step before it was accepted.
  early boolean not null default false,
  accepted_at timestamptz,
  rectify_id text,
  state text not null default '0',
  version int not null default 0,
  create_by text not null,
  create_time timestamptz not null,
  update_by text,
  update_time timestamptz not null default now()
);
create index site_step_project on site_step (project_code, check_time desc);
create unique index site_step_code on site_step (project_code, code);
-- A link of the chain is accepted once at a place; a sample may be repeated.
create unique index site_step_link on site_step (place_id, work, kind) where state <> '0' and kind <> '1';
create index site_step_plan on site_step (plan_id) where plan_id is not null;
call zg_by_project('site_step', 'project_code', 'corp_code');
call zg_until_shown('site_step');

-- What was found at each point, in every round.
create table site_step_point (
  id text primary key,
  step_id text not null references site_step on delete cascade,
  project_code text not null references project on delete cascade,
  corp_code text not null,
  shown_at timestamptz,
  groups text[] not null,
  round int not null,
  seq int not null,
  key text not null,
  name text not null,
  limit_text text not null,
  unit text,
  value float8,
  passed boolean not null,
  note text,
  photos text[] not null default '{}',
  by_name text not null,
  at timestamptz not null
);
create unique index site_step_point_of on site_step_point (step_id, round, seq);
call zg_by_project('site_step_point', 'project_code', 'corp_code');
call zg_until_shown('site_step_point');
