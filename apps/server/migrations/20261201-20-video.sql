-- A moment of a camera that somebody kept: as a picture of what was seen, or as a place in the recording to come back to.
create table video_mark (
  id text primary key,
  project_code text not null references project on delete cascade,
  device_id text not null references device on delete cascade,
  kind text not null check (kind in ('snapshot', 'bookmark')),
  -- The moment shown.
  at timestamptz not null,
  file_id text,
  note text,
  by_id text not null,
  by_name text not null,
  by_group text not null,
  create_time timestamptz not null,
  check ((kind = 'snapshot') = (file_id is not null)),
  check (kind = 'snapshot' or length(note) > 0)
);
create index video_mark_of on video_mark (project_code, at desc);
create index video_mark_of_camera on video_mark (device_id, at);
call zg_by_project('video_mark');

-- What became of a finding: the site was told, says what it did, and whoever looked agrees or sends it back.
alter table video_patrol drop column alarm_id;
alter table video_patrol add column state text check (state in ('open', 'answered', 'closed')),
  add column told int not null default 0,
  add column answer text, add column answer_photos text[] not null default '{}', add column answer_by text, add column answer_by_id text, add column answer_at timestamptz,
  add column verdict text, add column verdict_by text, add column verdict_at timestamptz, add column version int not null default 0;
update video_patrol set state = 'open' where result = 'found';
alter table video_patrol add constraint video_patrol_state check ((result = 'found') = (state is not null)),
  add constraint video_patrol_answer check (state is null or state = 'open' or (length(answer) > 0 and answer_at is not null));
