-- Who is told of alarms, how, and what became of it; what machines were started by alarms.

-- Each reader of the outbox marks what it has taken, so that neither depends on the other nor on the order of commits.
alter table alarm_outbox add column noticed boolean not null default false;
alter table alarm_outbox add column linked boolean not null default false;
create index alarm_outbox_notice on alarm_outbox (id) where not noticed;
create index alarm_outbox_link on alarm_outbox (id) where not linked;

-- Mail goes here; sealed like the phone.
alter table app_user add column email bytea;
alter table app_user add column email_mask text;

-- One message to one person over one channel, or one machine that was started: what the alarm's timeline and the action's log show.
create table exec_log (
  id text primary key,
  project_code text not null references project,
  -- The first of a group; the others stand in alarm_ids.
  alarm_id text references alarm on delete cascade,
  alarm_ids text[] not null default '{}',
  exec_id text,
  -- notify, webhook, linkage
  kind text not null,
  -- first, upgrade, clear, repeat, escalate, digest, urge, drill, test; start, stop, hold
  step text not null,
  level smallint not null,
  -- 1 in-app, 2 SMS, 4 mail; webhook; the command of a linkage
  channel text not null,
  receiver_id text,
  receiver_name text not null,
  receiver_mask text,
  title text not null,
  text text not null,
  -- waiting, sent, failed, skipped, held
  state text not null,
  result text not null default '',
  attempts int not null default 0,
  -- What is tried next when this channel has failed for good.
  next_channels text[] not null default '{}',
  due_at timestamptz,
  sent_at timestamptz,
  create_time timestamptz not null default now()
);
create index exec_log_due on exec_log (due_at) where state = 'waiting';
create index exec_log_project on exec_log (project_code, create_time desc);
create index exec_log_exec on exec_log (exec_id, create_time desc) where exec_id is not null;
create index exec_log_alarm on exec_log using gin (alarm_ids);

-- Alarms that are being told together: open for a moment, then sent as one.
create table notice_group (
  id text primary key,
  project_code text not null references project,
  family text not null,
  level smallint not null,
  step text not null,
  -- Which plan tells: the action's id, or '' for the level's own plan.
  exec_id text not null,
  alarm_ids text[] not null,
  due_at timestamptz not null,
  -- Kept back by quiet hours until then, and sent as a digest.
  digest boolean not null default false
);
create unique index notice_group_open on notice_group (project_code, family, level, step, exec_id, digest);
create index notice_group_due on notice_group (due_at);

-- What goes on until somebody has taken the alarm up: repeats and the ladder.
create table notice_watch (
  alarm_id text not null references alarm on delete cascade,
  exec_id text not null,
  project_code text not null references project,
  level smallint not null,
  -- The ladder's next rung, from 0.
  rung int not null default 0,
  began_at timestamptz not null,
  repeat_at timestamptz,
  -- Who is told on the next rung, as the screen counts down to it.
  next_roles text[] not null default '{}',
  escalate_at timestamptz,
  primary key (alarm_id, exec_id)
);
create index notice_watch_repeat on notice_watch (repeat_at) where repeat_at is not null;
create index notice_watch_escalate on notice_watch (escalate_at) where escalate_at is not null;
create index notice_watch_project on notice_watch (project_code);

create table duty_shift (
  id text primary key,
  project_code text not null references project,
  user_id text not null references app_user on delete cascade,
  from_time timestamptz not null,
  until_time timestamptz not null check (until_time > from_time),
  remark text not null default '',
  create_time timestamptz not null default now(),
  create_by text, update_time timestamptz, update_by text, version int not null default 0
);
create index duty_shift_project on duty_shift (project_code, from_time);

-- What a person finds behind the bell.
create table message (
  id text primary key,
  user_id text not null references app_user on delete cascade,
  project_code text references project,
  kind text not null,
  level smallint,
  title text not null,
  text text not null,
  -- Where a click leads, inside the product.
  link text,
  alarm_id text,
  simulated boolean not null default false,
  read_time timestamptz,
  create_time timestamptz not null default now()
);
create index message_of_user on message (user_id, create_time desc);
create index message_unread on message (user_id) where read_time is null;

call zg_by_project('exec_log');
call zg_by_project('notice_group');
call zg_by_project('notice_watch');
call zg_by_project('duty_shift');
call zg_open('message');
create policy own_messages on message to zg_some, zg_wide using (user_id = (select zg_setting('app.user')));
