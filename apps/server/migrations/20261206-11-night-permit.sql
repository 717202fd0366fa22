-- Permits to build at night. They keep no alarm quiet: noise at night within one is marked and counted apart.
create table night_permit (
  id text primary key,
  project_code text not null references project on delete cascade,
  permit_no text not null,
  issuer text not null,
  scope text not null,
  from_time timestamptz not null,
  until_time timestamptz not null,
  files text[] not null default '{}',
  by_name text not null,
  create_time timestamptz not null,
  -- Taken back as wrongly filed, or revoked by whoever gave it: from then on it counts for nothing.
  void_reason text,
  void_by text,
  void_at timestamptz,
  check (from_time < until_time),
  check ((void_at is null) = (void_by is null) and (void_at is null) = (void_reason is null))
);
create unique index night_permit_no on night_permit (project_code, permit_no) where void_at is null;
create index night_permit_project on night_permit (project_code, from_time desc);
call zg_by_project('night_permit');
