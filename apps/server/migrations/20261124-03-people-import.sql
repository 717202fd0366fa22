-- People from a workbook: one import, and its rows. They belong to the group that brought them; another group of the same project has
-- files of its own. The cells are personal data: sealed as a whole, gone thirty days after the import.
create table worker_import (
  id text primary key,
  group_id text not null,
  -- Null: files of people alone, without a stay.
  project_code text references project on delete cascade,
  kind text not null check (kind in ('project', 'base', 'paste')),
  file_name text not null,
  -- SHA-256 of the file: the same file says so.
  file_hash text not null,
  -- Dictionary importState.
  state text not null check (state in ('0', '1', '2', '3', '4', '5', '6', '7')),
  total int not null default 0,
  success int not null default 0,
  fail int not null default 0,
  message text not null default '',
  unknown_columns jsonb not null default '[]',
  remarks jsonb not null default '[]',
  -- Somebody has said yes to what the rows say now.
  confirmed boolean not null default false,
  cancelled boolean not null default false,
  create_by text not null,
  create_name text not null,
  create_time timestamptz not null,
  update_time timestamptz not null
);
create index worker_import_recent on worker_import (group_id, create_time desc);
create index worker_import_same on worker_import (group_id, file_hash);
create index worker_import_open on worker_import (state) where state in ('0', '1', '4');
call zg_by_group('worker_import');

create table worker_import_row (
  import_id text not null references worker_import on delete cascade,
  -- The line of the file, heading included, as its writer counts.
  row_no int not null,
  cells bytea not null,
  state text not null default 'new' check (state in ('new', 'ok', 'warning', 'error', 'duplicate', 'done', 'failed', 'skipped')),
  -- [{field, kind, level, text, value?, suggest?}], never what tells of the person.
  issues jsonb not null default '[]',
  id_hash text,
  card_hash text,
  team text,
  hidden boolean not null default false,
  -- The file is there already: the person joins with it.
  joins boolean not null default false,
  result text check (result in ('created', 'joined')),
  worker_id text,
  project_worker_id text,
  message text not null default '',
  version int not null default 0,
  primary key (import_id, row_no)
);
create index worker_import_row_state on worker_import_row (import_id, state);
create index worker_import_row_twin on worker_import_row (import_id, id_hash);
create index worker_import_row_card on worker_import_row (import_id, card_hash) where card_hash is not null;
create index worker_import_row_stay on worker_import_row (project_worker_id) where project_worker_id is not null;
call zg_by_parent('worker_import_row', 'import_id', 'worker_import');
