-- Record sheets of supervision (监督记录单): documents that officers write by hand and three parties sign (建质〔2014〕153号、154号).

create table manualsheet (
  id text primary key,
  -- Number by institution, document and year, drawn when it is submitted; kept when the sheet is void.
  code text,
  project_code text not null references project on delete cascade,
  -- The general contractor (施工单位), when the draft was written.
  corp_code text references corporation,
  shown_at timestamptz,
  groups text[] not null,
  -- The institution that writes it.
  group_id text not null,
  group_name text not null,
  -- Group of the owner (建设单位), when the draft was written.
  owner_group text,
  -- Dictionary superviseDocType.
  doc_type text not null,
  check_date date,
  officers text[] not null default '{}',
  -- Dictionary projectPhase.
  progress text,
  check_part text not null default '',
  content text not null default '',
  -- Dictionary checkResult.
  opinion text,
  photos text[] not null default '{}',
  -- Signed on paper on site and entered afterwards: the scans carry the signatures.
  on_paper boolean not null default false,
  scans text[] not null default '{}',
  meet_time timestamptz,
  meet_place text,
  author_name text not null,
  submit_time timestamptz,
  archive_time timestamptz,
  void_reason text,
  urged_at timestamptz,
  state text not null default '0',
  version int not null default 0,
  create_by text not null,
  create_time timestamptz not null,
  update_by text,
  update_time timestamptz not null default now()
);
create index manualsheet_project on manualsheet (project_code, check_date desc);
create index manualsheet_recent on manualsheet (check_date desc nulls first, id);
create unique index manualsheet_code on manualsheet (group_id, code);
call zg_by_project('manualsheet', 'project_code', 'corp_code');
call zg_until_shown('manualsheet');

create table manualsheet_problem (
  sheet_id text not null references manualsheet on delete cascade,
  seq int not null,
  project_code text not null references project on delete cascade,
  corp_code text,
  shown_at timestamptz,
  groups text[] not null,
  description text not null,
  clause text,
  -- The unit responsible for the problem.
  unit_code text references corporation,
  photos text[] not null default '{}',
  primary key (sheet_id, seq)
);
call zg_by_project('manualsheet_problem', 'project_code', 'corp_code');
call zg_until_shown('manualsheet_problem');

-- Who took part, was summoned, or accepted the work, by the kind of document.
create table manualsheet_person (
  sheet_id text not null references manualsheet on delete cascade,
  seq int not null,
  project_code text not null references project on delete cascade,
  corp_code text,
  shown_at timestamptz,
  groups text[] not null,
  name text not null,
  unit text,
  post text,
  primary key (sheet_id, seq)
);
call zg_by_project('manualsheet_person', 'project_code', 'corp_code');
call zg_until_shown('manualsheet_person');
