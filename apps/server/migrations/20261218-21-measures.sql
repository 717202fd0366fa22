-- 安全措施: what is done against a hazard, by whom, until when, at what cost; proved with photographs, archived by 监理.
create table safety_measure (
  id text primary key,
  project_code text not null references project on delete cascade,
  -- The responsible company.
  corp_code text not null references corporation,
  shown_at timestamptz,
  groups text[] not null,
  author_group text not null,
  author_group_name text not null,
  name text not null,
  hazard_source text not null,
  risk_level text not null,
  content text not null,
  responsible text not null,
  start_date date not null,
  end_date date not null,
  -- Cents.
  cost bigint,
  -- The series of repeated problems that it stands against: by check item (its code, or the words where none was chosen) or by part.
  series_by text check (series_by in ('item', 'part')),
  series_key text,
  photos text[] not null default '{}',
  vouchers text[] not null default '{}',
  -- When its work was first shown with photographs.
  done_at timestamptz,
  state text not null default '0',
  version int not null default 0,
  create_by text not null,
  create_time timestamptz not null,
  update_by text,
  update_time timestamptz not null default now(),
  constraint safety_measure_series check ((series_by is null) = (series_key is null)),
  constraint safety_measure_days check (end_date >= start_date)
);
create index safety_measure_project on safety_measure (project_code, state, end_date);
call zg_by_project('safety_measure', 'project_code', 'corp_code');
call zg_until_shown('safety_measure');

-- Work done for a measure, with its photographs.
create table safety_measure_work (
  id text primary key,
  measure_id text not null references safety_measure on delete cascade,
  project_code text not null references project on delete cascade,
  corp_code text not null,
  shown_at timestamptz,
  groups text[] not null,
  note text not null,
  photos text[] not null,
  by_id text not null,
  by_name text not null,
  at timestamptz not null
);
create index safety_measure_work_measure on safety_measure_work (measure_id, at);
call zg_by_project('safety_measure_work', 'project_code', 'corp_code');
call zg_until_shown('safety_measure_work');
