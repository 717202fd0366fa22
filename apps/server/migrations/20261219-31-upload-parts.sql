-- Files that are sent in parts and not finished. The parts stand in DATA_DIR/parts/<id>; which have arrived is told by that folder alone.
create table upload_task (
  id text primary key,
  group_id text not null,
  create_by text not null,
  project_code text,
  name text not null,
  size bigint not null,
  -- Of the whole file, as the account named it at the beginning.
  sha256 text not null,
  create_time timestamptz not null default now(),
  -- Moved on as parts arrive, not by each of them.
  touch_time timestamptz not null
);
create index upload_task_own on upload_task (create_by, sha256);
call zg_by_group('upload_task');
-- "Does this account hold this content already?"
create index stored_file_sent on stored_file (create_by, sent_sha256) where sent_sha256 is not null;
