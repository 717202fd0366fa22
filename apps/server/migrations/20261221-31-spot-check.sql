-- 质量抽查: what an authority or a company sampled or measured on a site, and what the laboratory found.
create table spot_check (
  id text primary key,
  code text,
  project_code text not null references project on delete cascade,
  -- The company whose work or material it is.
  corp_code text not null references corporation,
  -- Null while it is a draft: the site knows nothing of it.
  shown_at timestamptz,
  groups text[] not null,
  checker_group text not null,
  checker_group_name text not null,
  checker_id text not null,
  checkers text[] not null,
  kind text not null,
  -- Which table of readings it has.
  test text not null check (test in ('rebound', 'thickness', 'scan', 'material', 'other')),
  part text not null,
  unit_id text references unit_project on delete set null,
  place_id text references site_place on delete set null,
  batch_id text references material_batch on delete set null,
  check_date date not null,
  method text not null,
  design_value text not null,
  actual_value text,
  -- Readings as they were taken.
  readings jsonb not null,
  sample_no text,
  lab_org text,
  lab_due date,
  report_no text,
  photos text[] not null default '{}',
  result text,
  handle text,
  rectify_id text,
  closed_at timestamptz,
  state text not null default '0',
  version int not null default 0,
  create_by text not null,
  create_time timestamptz not null,
  update_by text,
  update_time timestamptz not null default now()
);
create index spot_check_project on spot_check (project_code, check_date desc);
create unique index spot_check_sample on spot_check (sample_no) where sample_no is not null;
create index spot_check_batch on spot_check (batch_id) where batch_id is not null;
create index spot_check_unit on spot_check (unit_id) where unit_id is not null;
create index spot_check_place on spot_check (place_id) where place_id is not null;
call zg_by_project('spot_check', 'project_code', 'corp_code');
call zg_until_shown('spot_check');

-- Reports of the laboratory: a changed one is a further row, the first stays.
create table spot_check_report (
  id text primary key,
  check_id text not null references spot_check on delete cascade,
  project_code text not null references project on delete cascade,
  corp_code text not null,
  shown_at timestamptz,
  groups text[] not null,
  seq int not null,
  -- `again`: of the second sample, after the matter was put right.
  stage text not null check (stage in ('first', 'changed', 'again')),
  report_no text not null,
  lab_org text not null,
  report_date date not null,
  actual_value text not null,
  passed boolean not null,
  reason text,
  files text[] not null,
  by_id text not null,
  by_name text not null,
  at timestamptz not null
);
create unique index spot_check_report_seq on spot_check_report (check_id, seq);
call zg_by_project('spot_check_report', 'project_code', 'corp_code');
call zg_until_shown('spot_check_report');
revoke update, delete on spot_check_report from zg_some, zg_wide, zg_all;
