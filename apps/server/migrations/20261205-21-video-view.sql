-- Who looked through which camera: one row a person, camera, kind of look and hour. The site reads who looked.
create table video_view (
  id text primary key,
  project_code text not null references project on delete cascade,
  device_id text not null references device on delete cascade,
  kind text not null check (kind in ('live', 'playback', 'clip')),
  -- The hour it stands for.
  slot timestamptz not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  user_id text not null,
  user_name text not null,
  group_name text not null,
  -- Of a look that asks for one.
  reason text,
  unique (device_id, user_id, kind, slot)
);
create index video_view_of on video_view (project_code, last_at desc);
call zg_by_project('video_view');

-- Who turns a camera now; the hold ends by itself.
create table video_hold (
  device_id text primary key references device on delete cascade,
  project_code text not null references project on delete cascade,
  user_id text not null,
  user_name text not null,
  until timestamptz not null
);
call zg_by_project('video_hold');
