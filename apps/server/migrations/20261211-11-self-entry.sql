-- A site's QR code for self-registration: enabled or not, and its counter. Renewing increments the counter, which invalidates older posters.
create table self_entry_door (
  project_code text primary key references project on delete cascade,
  is_open boolean not null,
  turn int not null default 0,
  update_name text not null,
  update_time timestamptz not null,
  version int not null default 1
);
call zg_by_project('self_entry_door');

-- A self-registration, not yet a person's file. ID number, phone numbers and photo are sealed, and deleted when it is decided.
create table self_entry (
  id text primary key,
  project_code text not null references project on delete cascade,
  corp_code text not null,
  team_id text not null,
  work_type text not null,
  name text not null,
  id_card_number bytea,
  id_card_hash text not null,
  id_card_mask text not null,
  cell_phone bytea,
  cell_phone_hash text not null,
  cell_phone_mask text not null,
  -- The phone number was confirmed by an SMS code.
  phone_proved boolean not null,
  urgent_link_man text,
  urgent_phone bytea,
  urgent_phone_mask text,
  consent_face boolean not null,
  -- JPEG in base64, sealed.
  photo bytea,
  receipt_hash text not null unique,
  state text not null default 'waiting' check (state in ('waiting', 'accepted', 'returned')),
  reason text,
  decided_name text,
  decided_at timestamptz,
  worker_id text,
  project_worker_id text,
  create_time timestamptz not null,
  version int not null default 0
);
create index self_entry_waiting on self_entry (project_code, state, create_time);
create index self_entry_twin on self_entry (id_card_hash);
call zg_by_project('self_entry', 'project_code', 'corp_code');

-- Daily counters of anonymous use: codes sent per phone number, codes and registrations per site.
create table open_use (
  subject text not null,
  day date not null,
  n int not null,
  primary key (subject, day)
);
call zg_serve('open_use');

-- Short-lived tokens of workers who confirmed the phone number in their file: read access to that one file.
create table own_look (
  token_hash text primary key,
  worker_id text not null references worker on delete cascade,
  expires_at timestamptz not null
);
create index own_look_worker on own_look (worker_id);
call zg_serve('own_look');
