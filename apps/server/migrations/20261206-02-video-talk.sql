-- Who speaks at a camera now; the hold ends by itself.
create table video_talk (
  device_id text primary key references device on delete cascade,
  project_code text not null references project on delete cascade,
  user_id text not null,
  user_name text not null,
  until timestamptz not null
);
call zg_by_project('video_talk');
