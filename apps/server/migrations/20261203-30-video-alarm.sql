-- A picture or a place in a recording laid to an alarm of its site: what was seen then stands on the alarm's page.
alter table video_mark add column alarm_id text references alarm on delete set null, add column attached_by text, add column attached_at timestamptz;
create index video_mark_of_alarm on video_mark (alarm_id) where alarm_id is not null;
