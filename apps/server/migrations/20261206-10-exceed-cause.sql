-- Why a limit was exceeded, as the site tells whoever supervises it: said once more where more is known, never taken back. How the alarm was handled is kept elsewhere.
create table exceed_cause (
  id text primary key,
  project_code text not null references project on delete cascade,
  alarm_id text not null references alarm on delete cascade,
  source text not null check (source in ('earthwork', 'road', 'pour', 'nearby', 'device', 'other')),
  text text not null,
  files text[] not null default '{}',
  by_name text not null,
  at timestamptz not null
);
create index exceed_cause_alarm on exceed_cause (alarm_id, at desc);
create index exceed_cause_project on exceed_cause (project_code, at desc);
call zg_by_project('exceed_cause');
