-- Readings that people took at a pit, as a workbook brought them: who, when, which file, and the readings until they are written.
create table pit_survey (
  id text primary key,
  project_code text not null references project on delete cascade,
  file_name text not null,
  state text not null default 'waiting' check (state in ('waiting', 'done', 'failed')),
  -- What goes to the ingest, [{deviceId, items: [{time, seq, data}]}]; gone once it is written.
  items jsonb,
  row_count int not null check (row_count > 0),
  readings int not null check (readings > 0),
  points int not null check (points > 0),
  jumps int not null default 0,
  stored int not null default 0,
  doubled int not null default 0,
  first_time timestamptz not null,
  last_time timestamptz not null,
  message text not null default '',
  create_by text not null,
  create_time timestamptz not null,
  check ((state = 'done') = (items is null))
);
create index pit_survey_of on pit_survey (project_code, create_time desc);
create index pit_survey_open on pit_survey (id) where state = 'waiting';
call zg_by_project('pit_survey');
