-- Governments, corporations, projects, participating units, teams, people: the national labour data standard's objects.
-- 🔒 fields are sealed bytea with a keyed hash (…_hash) for finding them and a mask (…_mask) for lists.

create table government (
  gov_code text primary key,
  name text not null,
  type text not null,
  level text not null,
  area_code text not null,
  parent_gov_code text references government,
  credit_code text,
  disciplines text[] not null default '{}',
  link_man text not null,
  link_phone bytea,
  link_phone_mask text,
  address text,
  -- Projects added or taken away by hand, beside those of the area.
  added_projects text[] not null default '{}',
  removed_projects text[] not null default '{}',
  enable text not null default '1',
  create_time timestamptz not null default now(),
  create_by text, update_time timestamptz, update_by text, version int not null default 0
);

create table corporation (
  id text not null unique,
  corp_code text primary key,
  corp_name text not null,
  corp_type text not null,
  corp_kind text[] not null default '{}',
  license_num text,
  area_code text not null,
  address text not null,
  zip_code text,
  legal_man text not null,
  legal_man_duty text,
  legal_man_pro_title text,
  legal_man_id_card_type text,
  legal_man_id_card_number bytea,
  legal_man_id_card_mask text,
  reg_capital numeric(18,4) not null default 0,
  fact_reg_capital numeric(18,4),
  capital_currency_type text not null default 'CNY',
  register_date date not null,
  establish_date date,
  office_phone text, fax_number text,
  link_man text not null,
  link_phone bytea,
  link_phone_mask text,
  email text, web_site text,
  safety_license_no text, safety_license_end date, license_file text,
  credit_score numeric(5,1) not null default 100,
  enable text not null default '1',
  -- The group that entered the file; it keeps seeing it before the company takes part anywhere.
  owner_group text,
  create_time timestamptz not null default now(),
  create_by text, update_time timestamptz, update_by text, version int not null default 0
);
create index corporation_name on corporation (corp_name);

create table project (
  id text not null unique,
  project_code text primary key,
  name text not null,
  short_name text,
  contractor_corp_code text references corporation,
  build_corp_code text references corporation,
  category text not null,
  prj_status text not null,
  description text,
  area_code text not null,
  address text not null,
  lng double precision not null,
  lat double precision not null,
  area_rule jsonb,
  build_plan_num text, prj_plan_num text,
  builder_licenses jsonb not null default '[]',
  invest_project_code text, approval_num text, approval_level_num text, prj_size text,
  property_num text not null,
  function_num text, nation_num text,
  invest numeric(18,6) not null,
  contract_price numeric(18,2), labor_cost_ratio numeric(5,2),
  building_area numeric(18,2), building_length numeric(18,2),
  structure_type text, floors_up int, floors_down int,
  start_date date not null,
  complete_date date not null,
  actual_start_date date, actual_complete_date date,
  fund_source text, project_mode text, phase text,
  link_man text not null,
  link_phone bytea,
  link_phone_mask text,
  charge_email text,
  supervise_org text references government,
  supervise_no text,
  attendance_start_time text not null default '07:00',
  attendance_end_time text not null default '18:00',
  pay_roll_create_day int, pay_roll_day int, pay_roll_delay_days int,
  is_closed_site boolean not null default true,
  cover text,
  -- Buildings, no-lift zones and the site plane's origin: what the live pages draw beneath the machines.
  site_plan jsonb,
  enable text not null default '1',
  third_party_project_code text,
  upload_status text not null default '0',
  create_time timestamptz not null default now(),
  create_by text, update_time timestamptz, update_by text, version int not null default 0,
  unique (area_code, name)
);

create table project_state_log (
  id text primary key,
  project_code text not null references project,
  from_state text,
  to_state text not null,
  at timestamptz not null,
  reason text not null default '',
  by_user text
);
create index project_state_project on project_state_log (project_code, at);

create table project_group (
  id text primary key,
  group_id text not null references tenant,
  parent_id text references project_group,
  module text not null default 'labor_real_name',
  name text not null,
  sort int not null default 0,
  create_time timestamptz not null default now()
);
create table project_group_item (
  project_group_id text not null references project_group on delete cascade,
  project_code text not null references project,
  primary key (project_group_id, project_code)
);

create table project_corp (
  id text primary key,
  project_code text not null references project,
  corp_code text not null references corporation,
  corp_type text not null,
  parent_corp_code text references corporation,
  contract_no text, contract_amount numeric(18,2), contract_file jsonb not null default '[]',
  entry_time date not null,
  exit_time date,
  pm_name text not null,
  pm_id_card_type text,
  pm_id_card_number bytea, pm_id_card_mask text,
  pm_phone bytea, pm_phone_mask text,
  pay_type text,
  bank_accounts jsonb not null default '[]',
  stationed text not null default '1',
  create_time timestamptz not null default now(),
  create_by text, update_time timestamptz, update_by text, version int not null default 0,
  unique (project_code, corp_code, corp_type)
);
create index project_corp_corp on project_corp (corp_code);

create sequence team_sys_no_seq start 1001;
create table team (
  id text primary key,
  team_sys_no bigint not null unique default nextval('team_sys_no_seq'),
  project_code text not null references project,
  corp_code text not null references corporation,
  team_name text not null,
  work_type text not null,
  team_leader_id text,
  team_leader_name text,
  responsible_person_name text not null,
  responsible_person_phone bytea, responsible_person_phone_mask text,
  responsible_person_id_card_type text,
  responsible_person_id_number bytea, responsible_person_id_mask text,
  entry_time date not null,
  exit_time date,
  stationed text not null default '1',
  remark text,
  create_time timestamptz not null default now(),
  create_by text, update_time timestamptz, update_by text, version int not null default 0
);
-- A team that left may be followed by one of the same name.
create unique index team_name_once on team (project_code, corp_code, team_name) where exit_time is null;
create index team_project on team (project_code);

create table project_team (
  id text primary key,
  project_code text not null references project,
  team_id text not null references team on delete cascade,
  corp_code text not null,
  entry_time date not null,
  exit_time date,
  create_time timestamptz not null default now()
);
create index project_team_project on project_team (project_code, team_id);

create table worker (
  id text primary key,
  name text not null,
  id_card_type text not null default '01',
  id_card_number bytea not null,
  id_card_hash text not null,
  id_card_mask text not null,
  gender text not null,
  nation text,
  birthday date not null,
  birth_place_code text,
  address bytea,
  grant_org text,
  start_date date,
  expiry_date date,
  head_image text, positive_id_card_image text, negative_id_card_image text, face_photo text,
  cell_phone bytea, cell_phone_hash text, cell_phone_mask text,
  real_name_state text not null default '0',
  -- [{kind: personal|face, state, version, way, at}]
  consents jsonb not null default '[]',
  politics text, culture_level text, degree text, marital_status text,
  is_joined boolean, joined_time date, specialty text,
  work_type_code text, work_corp_name text, work_date date, skill_level text,
  urgent_link_man text,
  urgent_link_man_phone bytea, urgent_link_man_phone_mask text,
  has_bad_medical_history boolean,
  health bytea,
  owner_group text,
  deleted boolean not null default false,
  create_time timestamptz not null default now(),
  create_by text, update_time timestamptz, update_by text, version int not null default 0
);
create unique index worker_id_card on worker (id_card_type, id_card_hash) where not deleted;
create index worker_phone on worker (cell_phone_hash);

create table project_worker (
  id text primary key,
  project_code text not null references project,
  worker_id text not null references worker,
  corp_code text not null references corporation,
  team_id text references team,
  work_role text not null,
  work_type text,
  post text,
  is_team_leader boolean not null default false,
  entry_time timestamptz not null,
  exit_time timestamptz,
  exit_reason text,
  entry_attachment jsonb not null default '[]',
  exit_attachment jsonb not null default '[]',
  issue_card_date date, issue_card_pic text, card_number text,
  pay_roll_bank_code text, pay_roll_bank_name text,
  pay_roll_bank_card_number bytea, pay_roll_bank_card_hash text, pay_roll_bank_card_mask text,
  bank_link_number text,
  has_contract boolean not null default false,
  has_buy_insurance boolean not null default false,
  payment_type text,
  unit_price_cents bigint,
  entry_trained boolean not null default false,
  formal_status text not null default '0',
  formal_from timestamptz,
  stationed text not null default '1',
  attend_enabled boolean not null default false,
  black_hit boolean not null default false,
  upload_status text not null default '0',
  -- Copies of the person's list fields: a list of a million stays then needs one table and one index.
  worker_name text not null,
  gender text not null,
  birthday date not null,
  id_card_mask text not null,
  id_card_hash text not null,
  cell_phone_mask text,
  cell_phone_hash text,
  create_time timestamptz not null default now(),
  create_by text, update_time timestamptz, update_by text, version int not null default 0
);
create unique index project_worker_once on project_worker (project_code, worker_id) where exit_time is null;
create unique index project_worker_card on project_worker (project_code, card_number) where exit_time is null and card_number is not null;
create index project_worker_list on project_worker (project_code, entry_time desc, id desc);
create index project_worker_name on project_worker (project_code, worker_name);
create index project_worker_worker on project_worker (worker_id);
create index project_worker_team on project_worker (team_id);

create table entry_exit_history (
  id text primary key,
  project_code text not null references project,
  worker_id text not null references worker,
  corp_code text not null,
  project_worker_id text not null references project_worker on delete cascade,
  type text not null,
  date timestamptz not null,
  voucher jsonb not null default '[]',
  reason text,
  source text not null,
  create_time timestamptz not null default now(),
  create_by text
);
create index entry_exit_worker on entry_exit_history (worker_id, date);
create index entry_exit_project on entry_exit_history (project_code, date);

create table worker_cert (
  id text primary key,
  worker_id text not null references worker,
  cert_type text not null,
  special_type text,
  name text not null,
  cert_no text not null,
  level text, major_type text,
  first_issue_date date,
  issue_date date not null,
  valid_start date, valid_end date,
  grant_org text not null,
  status text not null,
  audit_status text not null default '0',
  files jsonb not null default '[]',
  create_time timestamptz not null default now(),
  create_by text, update_time timestamptz, update_by text, version int not null default 0,
  unique (cert_type, cert_no)
);
create index worker_cert_worker on worker_cert (worker_id);
create index worker_cert_end on worker_cert (valid_end);

create table worker_contract (
  id text primary key,
  contract_code text not null,
  worker_id text not null references worker,
  project_code text not null references project,
  corp_code text not null references corporation,
  contract_kind text not null,
  contract_period_type text not null,
  start_date date not null,
  end_date date,
  payment_type text not null,
  unit text, unit_price bigint, salary bigint,
  pay_day int not null,
  work_content text,
  sign_date date not null,
  sign_mode text not null,
  files jsonb not null default '[]',
  terminate_date date, terminate_reason text,
  create_time timestamptz not null default now(),
  create_by text, update_time timestamptz, update_by text, version int not null default 0,
  unique (corp_code, contract_code)
);
create index worker_contract_worker on worker_contract (worker_id);
create index worker_contract_project on worker_contract (project_code);

create table worker_bad (
  id text primary key,
  type text not null,
  worker_id text references worker,
  project_code text not null references project,
  corp_code text not null references corporation,
  team_id text,
  bad_record_type text not null,
  bad_record_level text not null,
  action_degree text not null,
  occurrence_date date not null,
  reason text not null,
  process_result text,
  score numeric(4,1),
  files jsonb not null default '[]',
  audit_status text not null default '0',
  valid_until date,
  create_time timestamptz not null default now(),
  create_by text, update_time timestamptz, update_by text, version int not null default 0
);
create index worker_bad_project on worker_bad (project_code);
create index worker_bad_worker on worker_bad (worker_id);

call zg_open('government');
create policy own_line on government to zg_some, zg_wide using (gov_code = any ((select zg_list('app.governments'))::text[]));
call zg_by_project('project');
call zg_by_project('project_state_log');
call zg_by_project('project_corp');
-- A subcontractor sees who owns, leads and supervises the project, and its own line; not the other subcontracts.
create policy own_line on project_corp as restrictive to zg_some, zg_wide using (
  project_code <> all ((select zg_list('app.limited'))::text[])
  or corp_code = any ((select zg_list('app.corps'))::text[])
  or corp_type in ('007', '008', '009'));
call zg_open('corporation');
create policy takes_part on corporation to zg_some, zg_wide using (
  corp_code = any ((select zg_list('app.corps'))::text[])
  or owner_group = (select zg_setting('app.group'))
  or exists (select 1 from project_corp pc where pc.corp_code = corporation.corp_code));
call zg_by_group('project_group');
call zg_by_parent('project_group_item', 'project_group_id', 'project_group');
call zg_by_project('team', 'project_code', 'corp_code');
call zg_by_project('project_team', 'project_code', 'corp_code');
call zg_by_project('project_worker', 'project_code', 'corp_code');
call zg_open('worker');
create policy works_here on worker to zg_some, zg_wide using (
  not deleted and (
    owner_group = (select zg_setting('app.group'))
    or exists (select 1 from project_worker pw where pw.worker_id = worker.id)));
call zg_by_project('entry_exit_history', 'project_code', 'corp_code');
call zg_by_parent('worker_cert', 'worker_id', 'worker');
call zg_by_project('worker_contract', 'project_code', 'corp_code');
call zg_by_project('worker_bad', 'project_code', 'corp_code');
grant usage on sequence team_sys_no_seq to zg_some, zg_wide, zg_all;
