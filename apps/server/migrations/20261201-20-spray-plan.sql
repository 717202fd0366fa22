-- Sprays that run by the week's clock, and what became of each time they were due.
create table spray_plan (
  id text primary key,
  project_code text not null references project on delete cascade,
  device_id text not null references device on delete cascade,
  name text not null check (length(name) between 1 and 30),
  -- 1 Monday to 7 Sunday, of the Shanghai week.
  days smallint[] not null check (cardinality(days) between 1 and 7),
  -- HH:mm of the Shanghai day.
  times text[] not null check (cardinality(times) between 1 and 24),
  minutes int not null check (minutes between 1 and 120),
  enabled boolean not null default true,
  -- Nothing that was due before this moment is made up for.
  since timestamptz not null,
  create_by text not null,
  create_time timestamptz not null,
  update_by text,
  update_time timestamptz,
  version int not null default 0,
  unique (project_code, name)
);
create index spray_plan_of_device on spray_plan (device_id);
call zg_by_project('spray_plan');

-- What stands here was decided once: a time that is due is claimed by its row, whoever looks first.
create table spray_plan_run (
  id text primary key,
  plan_id text references spray_plan on delete set null,
  plan_name text not null,
  project_code text not null references project on delete cascade,
  device_id text not null references device on delete cascade,
  due_at timestamptz not null,
  minutes int not null,
  state text not null check (state in ('sending', 'sent', 'held', 'failed', 'missed')),
  message text not null default '',
  at timestamptz not null,
  unique (plan_id, due_at)
);
create index spray_plan_run_of on spray_plan_run (project_code, due_at desc);
create index spray_plan_run_of_device on spray_plan_run (device_id, due_at desc);
create index spray_plan_run_open on spray_plan_run (at) where state = 'sending';
call zg_by_project('spray_plan_run');
