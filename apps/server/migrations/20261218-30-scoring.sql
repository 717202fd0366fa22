-- Scored safety inspections: the library of check items, the sheets of an inspection, and what was found.

-- Items that a group adds to the standard (dictionary safetyCheckItem). A change inserts a new revision; inspections keep the one they used.
create table check_item (
  id text primary key,
  group_id text not null references tenant on delete cascade,
  owner text not null check (owner in ('platform', 'government', 'company', 'project')),
  library text not null,
  item_code text not null,
  name text not null,
  -- The item of the standard from which the marks are taken, so that its sheet keeps 100 points.
  taken_from text not null,
  max_score int not null check (max_score > 0),
  clause text,
  rule text,
  enable boolean not null default true,
  revision int not null default 1,
  superseded_at timestamptz,
  version int not null default 0,
  create_by text,
  create_time timestamptz not null default now(),
  update_by text,
  update_time timestamptz
);
create unique index check_item_current on check_item (group_id, library, item_code) where superseded_at is null;
call zg_by_group('check_item');

-- Usual findings of an item, of the standard or its own, as a group writes them.
create table check_phrase (
  group_id text not null references tenant on delete cascade,
  library text not null,
  item_code text not null,
  seq int not null,
  phrase text not null,
  primary key (group_id, library, item_code, seq)
);
call zg_by_group('check_phrase');

-- The score of an inspection, frozen when it is submitted; closing its problems later does not raise it.
create table check_score (
  check_id text primary key references site_check on delete cascade,
  project_code text not null references project on delete cascade,
  corp_code text,
  shown_at timestamptz,
  groups text[] not null,
  score numeric(5, 2),
  -- Dictionary safetyGrade.
  grade text,
  reason text,
  -- The category with the lowest score.
  weakest text
);
create index check_score_project on check_score (project_code, shown_at desc) where score is not null;
call zg_by_project('check_score', 'project_code', 'corp_code');
call zg_until_shown('check_score');

create table check_category (
  check_id text not null references site_check on delete cascade,
  category text not null,
  project_code text not null references project on delete cascade,
  corp_code text,
  shown_at timestamptz,
  groups text[] not null,
  weight int not null,
  -- Out of 100, and its share of the summary.
  score numeric(5, 2) not null,
  points numeric(5, 2) not null,
  primary key (check_id, category)
);
call zg_by_project('check_category', 'project_code', 'corp_code');
call zg_until_shown('check_category');

-- One sheet of an inspection. Its own version: two people on two sheets do not meet.
create table check_sheet (
  id text primary key,
  check_id text not null references site_check on delete cascade,
  project_code text not null references project on delete cascade,
  corp_code text,
  shown_at timestamptz,
  groups text[] not null,
  seq int not null,
  sheet_code text not null,
  -- Which machine or place, where one kind of sheet is used several times.
  label text not null default '',
  category text not null,
  assignee text,
  -- Why the whole sheet does not apply.
  not_applicable text,
  saved_by text,
  saved_at timestamptz,
  version int not null default 0
);
create unique index check_sheet_once on check_sheet (check_id, sheet_code, label);
call zg_by_project('check_sheet', 'project_code', 'corp_code');
call zg_until_shown('check_sheet');

-- One item of a sheet, as the library had it when the inspection began, and what was found.
create table check_result (
  sheet_id text not null references check_sheet on delete cascade,
  item_code text not null,
  check_id text not null references site_check on delete cascade,
  project_code text not null references project on delete cascade,
  corp_code text,
  shown_at timestamptz,
  groups text[] not null,
  seq int not null,
  -- The revision of an own item; null for the standard's.
  item_id text,
  name text not null,
  max_score numeric(4, 1) not null,
  guarantee boolean not null,
  clause text,
  rule text,
  -- Dictionary itemResult.
  result text not null default '4',
  deduction numeric(4, 1) not null default 0,
  note text,
  photos text[] not null default '{}',
  reason text,
  primary key (sheet_id, item_code)
);
create index check_result_check on check_result (check_id);
create index check_result_lost on check_result (item_code, shown_at) where result = '2';
call zg_by_project('check_result', 'project_code', 'corp_code');
call zg_until_shown('check_result');

-- Who of the inspected side and of 监理 confirmed the result.
create table check_sign (
  check_id text not null references site_check on delete cascade,
  side text not null check (side in ('site', 'supervisor')),
  project_code text not null references project on delete cascade,
  corp_code text,
  shown_at timestamptz,
  groups text[] not null,
  by_id text not null,
  name text not null,
  group_name text not null,
  opinion text not null,
  at timestamptz not null,
  primary key (check_id, side)
);
call zg_by_project('check_sign', 'project_code', 'corp_code');
call zg_until_shown('check_sign');
