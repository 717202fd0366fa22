-- Docking: what sites hand up to the platforms of the authorities, and what platforms below hand to this one.

-- A connection to a platform above.
create table docking_platform (
  id text primary key,
  -- Who keeps the connection: the operator or a body.
  group_id text not null references tenant on delete cascade,
  name text not null,
  -- Dictionary govLevel of the platform above.
  level text not null,
  area_code text not null,
  profile text not null,
  -- The profile has been held to the papers of the platform above.
  profile_checked boolean not null default false,
  endpoint text not null default '',
  app_key text not null default '',
  -- Sealed, never read back.
  secret bytea,
  objects text[] not null default '{}',
  -- Dictionaries dockingProgress and dockingStatus.
  progress text not null default '01',
  status text not null default '02' check (status in ('01', '02', '03')),
  -- What was handed in on the way and what came of it, the newest first: step, at, by, note.
  steps jsonb not null default '[]',
  -- Stopped by hand.
  paused boolean not null default false,
  -- Since when it does not answer; asked again at `probe_at`.
  down_since timestamptz,
  down_reason text,
  probe_at timestamptz,
  last_answer timestamptz,
  -- Days compared: the last one.
  compared_to date,
  create_time timestamptz not null default now(),
  create_by text, update_time timestamptz, update_by text, version int not null default 0,
  unique (group_id, name)
);

-- Whose data goes where.
create table docking_enrol (
  platform_id text not null references docking_platform on delete cascade,
  project_code text not null references project on delete cascade,
  since timestamptz not null,
  create_by text,
  primary key (platform_id, project_code)
);
create index docking_enrol_project on docking_enrol (project_code);
call zg_by_project('docking_enrol');
-- Whether a change has to be noted at all is asked by triggers, whoever makes it.
create policy everybody_reads on docking_enrol for select to zg_some, zg_wide using (true);

call zg_by_group('docking_platform');
create policy hands_up on docking_platform for select to zg_some, zg_wide using (exists (
  select 1 from docking_enrol e where e.platform_id = docking_platform.id and e.project_code in (select unnest(zg_list('app.projects')))));

-- How our fields become theirs. What is delivered stands in the program; a row here is a version written by hand.
create table docking_mapping (
  platform_id text not null references docking_platform on delete cascade,
  object_type text not null,
  version int not null check (version > 0),
  -- [{upper, source, fixed, codes: {ours: theirs}}]
  fields jsonb not null,
  create_time timestamptz not null,
  create_by text not null,
  primary key (platform_id, object_type, version)
);
call zg_by_parent('docking_mapping', 'platform_id', 'docking_platform');

-- What has changed at the source, told by triggers; the sender makes records of it and takes it away.
create table docking_outbox (
  seq bigint generated always as identity primary key,
  object_type text not null,
  source_id text not null,
  -- 1 new, 2 changed, 3 deleted
  op text not null,
  at timestamptz not null default now()
);
call zg_serve('docking_outbox');
grant insert on docking_outbox to zg_some, zg_wide, zg_all;
create policy told on docking_outbox for insert to zg_some, zg_wide, zg_all with check (true);

-- One piece of data on its way up.
create table docking_record (
  id text primary key,
  -- The order within a lane.
  seq bigint generated always as identity unique,
  platform_id text not null references docking_platform on delete cascade,
  object_type text not null,
  rank smallint not null,
  source_id text not null,
  project_code text not null references project on delete cascade,
  -- Of people: whose they are.
  corp_code text,
  -- Rows of one lane go one after the other; `after_lane` must have nothing open before it.
  lane text not null,
  after_lane text,
  biz_name text not null,
  op text not null check (op in ('1', '2', '3')),
  -- Dictionaries uploadStatus and asyncStatus.
  upload_status text not null default '0' check (upload_status in ('0', '1', '2', '3', '4', '5', '-1')),
  async_status text check (async_status in ('0', '10', '20')),
  failed boolean generated always as (upload_status = '-1') stored,
  attempts int not null default 0,
  -- Counts what was definitely refused: the key above is `id` and this.
  revision int not null default 0,
  error_code text,
  error_field text,
  error_text text,
  wait_for text,
  wait_lane text,
  -- When the sender looks at it next; null while it waits for what goes before, and when it is done.
  due_at timestamptz,
  queued_time timestamptz not null,
  receipt_no text,
  receipt_time timestamptz,
  ticket text,
  mapping_version int,
  -- What was sent, sealed; goes again unchanged until its fate is known.
  payload bytea
);
-- What the sender takes next, and what is open in a lane.
create index docking_record_due on docking_record (platform_id, rank, seq) where due_at is not null;
create index docking_record_open on docking_record (platform_id, lane, seq) where upload_status not in ('1', '3');
create index docking_record_waits on docking_record (platform_id, wait_lane) where wait_lane is not null;
create index docking_record_source on docking_record (source_id, object_type, platform_id);
-- The list: failed first, then the newest.
create index docking_record_list on docking_record (failed desc, queued_time desc, id desc);
create index docking_record_site on docking_record (project_code, failed desc, queued_time desc, id desc);
create index docking_record_cause on docking_record (error_code, error_field) where upload_status = '-1';
call zg_by_project('docking_record', 'project_code', 'corp_code');

-- Each try, with the answer as it came.
create table docking_attempt (
  id text primary key,
  record_id text not null references docking_record on delete cascade,
  at timestamptz not null,
  took_ms int not null,
  -- stored, duplicate, locked, later, refused, held (not sent: what is required is wanting), trouble
  outcome text not null,
  http int,
  answer text not null default '',
  error_code text,
  payload bytea
);
create index docking_attempt_record on docking_attempt (record_id, at desc);
call zg_by_parent('docking_attempt', 'record_id', 'docking_record');

-- What a code of theirs means here, written once for all.
create table docking_error (
  profile text not null,
  code text not null,
  text text not null,
  -- Who mends it, in words.
  mender text not null,
  update_time timestamptz not null,
  update_by text not null,
  version int not null default 1,
  primary key (profile, code)
);
call zg_reference('docking_error');

-- Results by day, written with them.
create table docking_day (
  platform_id text not null references docking_platform on delete cascade,
  project_code text not null references project on delete cascade,
  object_type text not null,
  day date not null,
  accepted int not null default 0,
  refused int not null default 0,
  primary key (project_code, day, object_type, platform_id)
);
call zg_by_project('docking_day');

-- What they say they hold of a day beside what we say we sent.
create table docking_compare (
  platform_id text not null references docking_platform on delete cascade,
  day date not null,
  object_type text not null,
  ours int not null,
  theirs int not null,
  at timestamptz not null,
  primary key (platform_id, day, object_type)
);
call zg_by_parent('docking_compare', 'platform_id', 'docking_platform');

-- ---- the lower side: who may hand in
create table docking_key (
  id text primary key,
  group_id text not null references tenant on delete cascade,
  name text not null,
  area_code text not null,
  -- SHA-256 of the key; the key itself is shown once.
  key_hash text not null unique,
  key_hint text not null,
  revoked_time timestamptz,
  revoked_by text,
  last_time timestamptz,
  last_ip text,
  received bigint not null default 0,
  duplicate bigint not null default 0,
  rejected bigint not null default 0,
  create_time timestamptz not null,
  create_by text not null,
  version int not null default 0
);
create index docking_key_group on docking_key (group_id, create_time desc);
call zg_by_group('docking_key');

create table docking_received (
  key_id text not null references docking_key on delete cascade,
  idem_key text not null,
  object_type text not null,
  business_id text not null,
  op text not null,
  receipt_no text not null,
  -- Sealed: it may hold people.
  body bytea not null,
  at timestamptz not null,
  primary key (key_id, idem_key)
);
create index docking_received_day on docking_received (key_id, at);
call zg_by_parent('docking_received', 'key_id', 'docking_key');

create table docking_rejected (
  id text primary key,
  key_id text not null references docking_key on delete cascade,
  idem_key text not null,
  object_type text not null,
  business_id text not null,
  error_code text not null,
  error_field text,
  error_text text not null,
  at timestamptz not null
);
create index docking_rejected_list on docking_rejected (key_id, at desc, id desc);
call zg_by_parent('docking_rejected', 'key_id', 'docking_key');

-- ---- what tells the outbox. A statement that changes many rows writes them in one go; nothing is written where nobody is enrolled.
-- Arguments: object and key.
create function zg_docking_changed() returns trigger language plpgsql as $$
declare
  object text := tg_argv[0];
  key text := tg_argv[1];
begin
  if not exists (select 1 from docking_enrol) then return null; end if;
  if tg_op = 'INSERT' then
    execute format('insert into docking_outbox (object_type, source_id, op) select %L, %s, ''1'' from after n where %s is not null', object, key, key);
  else
    execute format(
      'insert into docking_outbox (object_type, source_id, op) select %L, %s, ''2'' from after n join before o using (id)
       where %s is not null and to_jsonb(n) - $1 is distinct from to_jsonb(o) - $1', object, key, key)
      -- Kept by the product itself, or not handed up.
      using array['upload_status', 'update_time', 'update_by', 'version', 'head_image', 'face_photo', 'positive_id_card_image', 'negative_id_card_image',
        'real_name_state', 'consents', 'health', 'black_hit', 'attend_enabled', 'formal_status', 'issue_card_pic', 'confirmed', 'cover'];
  end if;
  return null;
end $$;
create procedure zg_docking_follow(target regclass, object text, key text default 'n.id') language plpgsql as $$
begin
  execute format('create trigger %I after insert on %s referencing new table as after for each statement execute function zg_docking_changed(%L, %L)',
    'docking_new_' || lower(object), target, object, key);
  execute format('create trigger %I after update on %s referencing new table as after old table as before for each statement execute function zg_docking_changed(%L, %L)',
    'docking_change_' || lower(object), target, object, key);
end $$;
call zg_docking_follow('corporation', 'corporation', 'n.corp_code');
call zg_docking_follow('project', 'project', 'n.project_code');
call zg_docking_follow('project_corp', 'projectCorp');
call zg_docking_follow('team', 'team');
call zg_docking_follow('worker', 'workerBase');
call zg_docking_follow('worker_cert', 'workerCert');
call zg_docking_follow('project_worker', 'projectWorker');
call zg_docking_follow('worker_contract', 'workerContract');
call zg_docking_follow('worker_bad', 'workerBad');
create trigger docking_new_entry after insert on entry_exit_history referencing new table as after
  for each statement execute function zg_docking_changed('entryExitHistory', 'n.id');
create trigger docking_new_training after insert on worker_training referencing new table as after
  for each statement execute function zg_docking_changed('training', 'n.id');
call zg_docking_follow('black_entry', 'laborBlack', 'case when n.kind = ''worker'' and n.state in (''2'', ''4'', ''5'') then n.id end');

-- Passages come by the thousand: only those of people, since their site is enrolled, that count.
create function zg_docking_passed() returns trigger language plpgsql as $$
begin
  insert into docking_outbox (object_type, source_id, op)
    select 'attendanceRecord', n.project_code || '/' || n.id, '1' from after n
    where n.worker_id is not null and n.quarantine is null and exists (
      select 1 from docking_enrol e where e.project_code = n.project_code and n.time >= e.since);
  return null;
end $$;
create trigger docking_passed after insert on attendance_event referencing new table as after
  for each statement execute function zg_docking_passed();
