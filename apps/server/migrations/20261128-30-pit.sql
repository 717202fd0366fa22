-- How deep a pit is dug, as its site reports it: what movements of its points are read against. Nothing is changed
-- afterwards: a slip is reported anew.
create table pit_stage (
  id text primary key,
  project_code text not null references project on delete cascade,
  pit_name text not null check (length(pit_name) between 1 and 60),
  at timestamptz not null,
  depth real not null check (depth between 0 and 60),
  note text,
  create_time timestamptz not null default now(),
  create_by text
);
create index pit_stage_of on pit_stage (project_code, pit_name, at);
call zg_by_project('pit_stage');

-- What is done in a pour, in its order: begun, a layer done, pump stopped and people out, gone on, ended.
create table pour_step (
  id text primary key,
  project_code text not null references project on delete cascade,
  bay_name text not null check (length(bay_name) between 1 and 60),
  at timestamptz not null,
  kind text not null check (kind in ('start', 'layer', 'stop', 'evacuated', 'resume', 'end')),
  -- Poured until then, m3.
  volume real check (volume between 0 and 20000),
  note text,
  by_name text not null
);
create index pour_step_of on pour_step (project_code, bay_name, at);
call zg_by_project('pour_step');

-- What people say of an event that a camera recognised; the first verdict stays when it is changed.
create table ai_review (
  device_id text not null references device on delete cascade,
  project_code text not null references project on delete cascade,
  ts timestamptz not null,
  record_id text not null,
  verdict text not null check (verdict in ('1', '2')),
  first_verdict text not null check (first_verdict in ('1', '2')),
  reason text,
  by_name text not null,
  at timestamptz not null,
  version int not null default 0,
  primary key (device_id, ts, record_id)
);
create index ai_review_of_project on ai_review (project_code, ts);
call zg_by_project('ai_review');
