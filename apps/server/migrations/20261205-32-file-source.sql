-- Pictures that came by themselves are forgotten when their days are over; what people filed never is. Null: filed by somebody.
alter table stored_file add column source text check (source in ('attendance', 'device', 'video'));
update stored_file f set source = 'attendance' where f.name like '抓拍-%' and exists (select 1 from device d where d.name = f.create_by and d.project_code = f.project_code);
update stored_file set source = 'device' where source is null and (create_by like '终端 %' or create_by like '应用 %');
update stored_file f set source = 'video' from video_mark m where m.file_id = f.id and m.project_code = f.project_code and f.source is null and f.create_by = m.by_name;
create index stored_file_by_source on stored_file (source, create_time) where source is not null;
create index video_mark_made on video_mark (create_time) where alarm_id is null;
