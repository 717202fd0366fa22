-- Supervision is one process: asked with a deadline, answered by the site with evidence, accepted or to be done again by whoever asked.
alter table site_notice
  add column photo_wanted boolean not null default false,
  add column redone int not null default 0,
  add column check_text text,
  add column check_name text,
  add column check_time timestamptz;
alter table site_notice drop constraint site_notice_state_check;
-- Dictionary approvalState, and 5: the sender has accepted the answer.
alter table site_notice add constraint site_notice_state_check check (state in ('1', '2', '3', '4', '5'));
alter table site_notice add constraint site_notice_accepted check ((state = '5') <= (check_time is not null and kind = 'supervise'));

-- Every step of a notice. A round that was done again keeps its answer and its pictures here.
create table site_notice_step (
  id text primary key,
  notice_id text not null references site_notice on delete cascade,
  project_code text not null references project on delete cascade,
  at timestamptz not null,
  action text not null check (action in ('send', 'read', 'answer', 'return', 'withdraw', 'accept', 'redo')),
  text text not null default '',
  by_name text not null,
  by_group text not null default '',
  deadline timestamptz,
  files text[] not null default '{}'
);
create index site_notice_step_notice on site_notice_step (notice_id, at);
create index site_notice_step_project on site_notice_step (project_code);
call zg_by_project('site_notice_step');

insert into site_notice_step (id, notice_id, project_code, at, action, text, by_name, by_group, deadline)
  select md5(id || ' send'), id, project_code, create_time, 'send', text, from_name, from_group_name, deadline from site_notice;
insert into site_notice_step (id, notice_id, project_code, at, action, by_name)
  select md5(id || ' read'), id, project_code, read_time, 'read', coalesce(read_name, '') from site_notice where read_time is not null;
insert into site_notice_step (id, notice_id, project_code, at, action, text, by_name, files)
  select md5(id || ' done'), id, project_code, done_time, case state when '2' then 'answer' when '3' then 'return' else 'withdraw' end,
    coalesce(answer, ''), coalesce(done_name, ''), files
  from site_notice where done_time is not null;
-- What was asked about an alarm belongs to the alarm's course.
insert into alarm_log (id, alarm_id, project_code, at, event, text, by_name)
  select md5(n.id || ' urge'), n.alarm_id, n.project_code, n.create_time, 'urge',
    '督办：' || n.text || '（期限 ' || to_char(n.deadline at time zone 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI') || '）', n.from_name
  from site_notice n where n.kind = 'supervise' and n.alarm_id is not null;
insert into alarm_log (id, alarm_id, project_code, at, event, text, by_name)
  select md5(n.id || ' urgeAnswer'), n.alarm_id, n.project_code, n.done_time, 'urgeAnswer', '答复督办：' || coalesce(n.answer, ''), n.done_name
  from site_notice n where n.kind = 'supervise' and n.alarm_id is not null and n.state = '2';
