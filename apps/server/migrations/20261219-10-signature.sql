-- Drawn signatures under records: one row for a seat (监督员, 施工, 监理, 建设), bound to the SHA-256 of what was signed. A refusal is a row
-- without a drawing, with its reason and its witness. A row is never changed but for being void.
create table process_signature (
  id text primary key,
  kind text not null,
  object_id text not null,
  project_code text references project on delete cascade,
  corp_code text,
  shown_at timestamptz,
  groups text[] not null,
  seat text not null,
  role text not null,
  name text not null,
  -- Null: a guest or worker without account, on the device of by_id.
  user_id text,
  -- Encrypted.
  phone bytea,
  image bytea,
  hash text not null,
  refused boolean not null default false,
  reason text,
  witness text,
  place text,
  device text,
  by_id text not null,
  by_name text not null,
  at timestamptz not null,
  -- Since when the content differs from what was signed.
  void_at timestamptz,
  check (refused = (image is null)),
  check (not refused or (reason is not null and witness is not null and witness <> name))
);
create unique index process_signature_seat on process_signature (kind, object_id, seat) where void_at is null;
call zg_by_project('process_signature', 'project_code', 'corp_code');
call zg_until_shown('process_signature');
call zg_without_project('process_signature');
