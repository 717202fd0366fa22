-- 项目安全检查: the head of a scored check that a site holds of itself; its sheets, results and score are those of every scored check.
create table site_examine (
  check_id text primary key references site_check on delete cascade,
  project_code text not null references project on delete cascade,
  corp_code text,
  shown_at timestamptz,
  groups text[] not null,
  -- 1 daily, 2 weekly, 3 monthly, 4 by the leader on duty.
  round text not null check (round in ('1', '2', '3', '4')),
  -- Inspected companies.
  corp_codes text[] not null default '{}',
  archived_at timestamptz,
  archived_by text
);
create index site_examine_project on site_examine (project_code, round);
call zg_by_project('site_examine', 'project_code', 'corp_code');
call zg_until_shown('site_examine');

-- 项目专项检查: one theme with its points, its objects from the registers of the site, and an end date.
create table theme_campaign (
  id text primary key,
  project_code text not null references project on delete cascade,
  corp_code text,
  shown_at timestamptz,
  groups text[] not null,
  leader_group text not null,
  leader_group_name text not null,
  title text not null,
  theme text not null,
  -- Who ordered it: own, company, authority.
  ordered_by text not null check (ordered_by in ('own', 'company', 'authority')),
  basis text,
  -- The notice that ordered it.
  notice_id text references rectify on delete set null,
  start_date date not null,
  end_date date not null,
  persons text[] not null,
  -- Registers that are checked as a whole: what joins them later is to be checked too.
  registers text[] not null default '{}',
  points jsonb not null,
  report text,
  reported_at timestamptz,
  closed_at timestamptz,
  state text not null default '0',
  version int not null default 0,
  create_by text not null,
  create_time timestamptz not null,
  update_by text,
  update_time timestamptz not null default now()
);
create index theme_campaign_project on theme_campaign (project_code, end_date desc);
create index theme_campaign_notice on theme_campaign (notice_id) where notice_id is not null;
call zg_by_project('theme_campaign', 'project_code', 'corp_code');
call zg_until_shown('theme_campaign');

create table theme_object (
  id text primary key,
  campaign_id text not null references theme_campaign on delete cascade,
  project_code text not null references project on delete cascade,
  corp_code text,
  shown_at timestamptz,
  groups text[] not null,
  seq int not null,
  register text not null,
  -- Its key in the register; null: written by hand.
  ref_id text,
  name text not null,
  -- It joined the register after the campaign began.
  added boolean not null default false
);
create unique index theme_object_name on theme_object (campaign_id, name);
create unique index theme_object_ref on theme_object (campaign_id, register, ref_id) where ref_id is not null;
call zg_by_project('theme_object', 'project_code', 'corp_code');
call zg_until_shown('theme_object');

-- The campaign that a check belongs to.
create table theme_check (
  check_id text primary key references site_check on delete cascade,
  campaign_id text not null references theme_campaign on delete cascade,
  project_code text not null references project on delete cascade,
  corp_code text,
  shown_at timestamptz,
  groups text[] not null
);
create index theme_check_campaign on theme_check (campaign_id);
call zg_by_project('theme_check', 'project_code', 'corp_code');
call zg_until_shown('theme_check');

-- The object that a sheet of a check is about.
create table theme_sheet (
  sheet_id text primary key references check_sheet on delete cascade,
  check_id text not null references site_check on delete cascade,
  object_id text not null references theme_object on delete cascade,
  project_code text not null references project on delete cascade,
  corp_code text,
  shown_at timestamptz,
  groups text[] not null
);
create index theme_sheet_check on theme_sheet (check_id);
create index theme_sheet_object on theme_sheet (object_id);
call zg_by_project('theme_sheet', 'project_code', 'corp_code');
call zg_until_shown('theme_sheet');
