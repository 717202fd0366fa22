-- Groups (tenants), accounts, memberships, roles, sessions, audit, settings, files, exports.

create table tenant (
  id text primary key,
  type smallint not null check (type between 0 and 3),
  code text not null,
  name text not null,
  sys_name text,
  logo text,
  screen text,
  lng double precision,
  lat double precision,
  primary_color text,
  area_code text,
  settings jsonb not null default '{}',
  enable text not null default '1',
  create_time timestamptz not null default now(),
  unique (type, code)
);

create table app_user (
  id text primary key,
  account text not null unique,
  name text not null,
  phone bytea,
  phone_hash text,
  phone_mask text,
  password_hash text not null,
  password_at timestamptz not null default now(),
  password_history text[] not null default '{}',
  must_change boolean not null default false,
  enable text not null default '1',
  otp_secret bytea,
  last_login_at timestamptz,
  last_login_ip text,
  create_time timestamptz not null default now(),
  create_by text
);

create table role (
  id text primary key,
  -- Null: delivered with the product, for every group of its type.
  group_id text references tenant,
  groups_type smallint not null,
  name text not null,
  codes text[] not null default '{}',
  built_in boolean not null default false,
  remark text not null default '',
  create_time timestamptz not null default now(),
  create_by text
);
create unique index role_name on role (coalesce(group_id, ''), groups_type, name);

create table member (
  id text primary key,
  user_id text not null references app_user on delete cascade,
  group_id text not null references tenant,
  deadline date,
  is_default boolean not null default false,
  enable text not null default '1',
  last_visit_at timestamptz,
  last_project text,
  create_time timestamptz not null default now(),
  unique (user_id, group_id)
);
create index member_group on member (group_id);

create table member_role (
  member_id text not null references member on delete cascade,
  role_id text not null references role,
  deadline date,
  primary key (member_id, role_id)
);

create table session (
  token_hash text primary key,
  user_id text not null references app_user on delete cascade,
  group_id text references tenant,
  project_code text not null default '*',
  live boolean not null,
  entry text not null,
  ip text not null,
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  hard_expires_at timestamptz not null
);
create index session_of_user on session (user_id);

-- Failures are counted by account name, known or not, so that the answer never tells which exist.
create table login_failure (
  account text primary key,
  failures int not null,
  last_at timestamptz not null,
  locked_until timestamptz
);

create table captcha (
  key text primary key,
  answer_hash text not null,
  expires_at timestamptz not null
);

create table audit_log (
  id text primary key,
  at timestamptz not null,
  user_id text,
  account text not null,
  user_name text not null,
  group_id text,
  group_name text not null,
  action text not null,
  summary text not null,
  object_id text,
  project_code text,
  result text not null default 'ok',
  ip text not null
);
create index audit_at on audit_log (at desc);
create index audit_group on audit_log (group_id, at desc);

create table setting (
  key text primary key,
  value jsonb not null,
  update_time timestamptz not null default now(),
  update_by text
);

create table stored_file (
  id text primary key,
  project_code text,
  group_id text not null,
  name text not null,
  mime text not null,
  bytes bigint not null,
  sha256 text not null,
  create_time timestamptz not null default now(),
  create_by text not null
);

create table export_task (
  id text primary key,
  user_id text not null,
  group_id text not null,
  feature text not null,
  title text not null,
  file_name text not null,
  status smallint not null,
  progress int not null default 0,
  rows_done bigint not null default 0,
  bytes bigint not null default 0,
  message text not null default '',
  request jsonb not null,
  path text,
  create_time timestamptz not null default now(),
  end_time timestamptz,
  expire_time timestamptz
);
create index export_user on export_task (user_id, create_time desc);

call zg_by_group('tenant', 'id');
-- Whoever may open a government or a project opens its group with it, and whoever may add users adds an account before its membership.
create policy opens_group on tenant for insert to zg_some, zg_wide with check (type in (1, 2, 3));
call zg_by_group('member');
call zg_by_parent('app_user', 'id', 'member', 'user_id');
create policy adds_account on app_user for insert to zg_some, zg_wide with check (true);
call zg_by_parent('member_role', 'member_id', 'member');
call zg_open('role');
create policy own_or_delivered on role for select to zg_some, zg_wide
  using (group_id = (select zg_setting('app.group')) or group_id is null);
create policy own_written on role for all to zg_some, zg_wide using (group_id = (select zg_setting('app.group')));
call zg_by_group('audit_log');
call zg_by_group('export_task');
call zg_by_group('stored_file');
call zg_reference('setting');
-- Nobody rewrites the audit log, the platform's own administrators included.
revoke update, delete on audit_log from zg_some, zg_wide, zg_all;
-- Sessions, captchas and failures are the login's own business: no request role reaches them.
revoke all on session, captcha, login_failure from public;
