-- What a photograph says of itself: when and where it was taken. Read at upload, before the metadata is removed from the file.
alter table stored_file
  add column taken_at timestamptz,
  -- `exif`: by the camera, `device`: the time of the file, as the uploading device names it.
  add column taken_from text check (taken_from in ('exif', 'device')),
  add column lng double precision,
  add column lat double precision,
  add column device text,
  -- Of the file as it was sent, with its metadata: by this hash the device knows that it arrived.
  add column sent_sha256 text;
create index stored_file_content on stored_file (sha256);

-- Photographs used as evidence, with the contradictions found when they were used. A contradiction stays with the photograph for good.
create table photo_use (
  id text primary key,
  sha256 text not null,
  file_id text not null,
  kind text not null,
  object_id text not null,
  -- Where in the object: `before`, or `after 2` for the second round of answers.
  stage text not null,
  project_code text not null references project on delete cascade,
  corp_code text,
  shown_at timestamptz,
  groups text[] not null,
  -- Taken before what it shows can have been there.
  early boolean not null default false,
  -- Metres outside the fence of the site, when that is more than the tolerance.
  far_m int,
  -- The same picture in another record, or in another stage of this one.
  reused_kind text,
  reused_at timestamptz,
  reused_here boolean,
  taken_at timestamptz,
  at timestamptz not null
);
create index photo_use_content on photo_use (sha256);
create index photo_use_object on photo_use (object_id, stage);
call zg_by_project('photo_use', 'project_code', 'corp_code');
call zg_until_shown('photo_use');
