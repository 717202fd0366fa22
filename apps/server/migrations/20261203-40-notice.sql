-- What a body, a company or the platform asks of a site from a row of its own list: dust to be laid, a machine to be seen to, a word with a
-- driver. It waits for the site's people as a work item and stands, with receipt and answer, in the row it came from.
create table site_notice (
  id text primary key,
  project_code text not null references project on delete cascade,
  -- Sent together, to one site or several.
  batch text not null,
  kind text not null check (kind in ('dust', 'urge', 'supervise', 'talk')),
  text text not null,
  deadline timestamptz not null,
  reply_wanted boolean not null,
  -- What it is about: the machine or alarm of the row, and the row in words.
  device_id text references device on delete set null,
  alarm_id text references alarm on delete set null,
  subject text not null default '',
  from_id text not null,
  from_name text not null,
  from_group text references tenant on delete set null,
  from_group_name text not null,
  read_time timestamptz,
  read_name text,
  -- Dictionary approvalState: waiting, answered, sent back, withdrawn.
  state text not null default '1' check (state in ('1', '2', '3', '4')),
  answer text,
  files text[] not null default '{}',
  done_name text,
  done_time timestamptz,
  create_time timestamptz not null,
  version int not null default 0,
  check ((state = '1') = (done_time is null))
);
create index site_notice_project on site_notice (project_code, create_time desc);
create index site_notice_from on site_notice (from_group, create_time desc);
create index site_notice_device on site_notice (device_id, create_time desc) where device_id is not null;
create index site_notice_alarm on site_notice (alarm_id) where alarm_id is not null;
call zg_by_project('site_notice');
