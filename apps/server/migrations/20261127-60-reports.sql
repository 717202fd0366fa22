-- Reports that go out by themselves: what, to whom, by what way and when.
create table report_push (
  id text primary key,
  group_id text not null references tenant on delete cascade,
  name text not null,
  report_type text not null check (report_type in ('1', '2', '3', '4')),
  content text[] not null check (cardinality(content) > 0),
  -- Empty: all that each receiver sees.
  projects text[] not null default '{}',
  user_ids text[] not null default '{}',
  role_ids text[] not null default '{}',
  channels text[] not null,
  webhook_url text not null default '',
  webhook_secret bytea,
  send_at text not null check (send_at ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  weekday smallint not null default 1 check (weekday between 1 and 7),
  monthday smallint not null default 1 check (monthday between 1 and 28),
  weekend text not null default 'send' check (weekend in ('send', 'skip', 'monday')),
  enable text not null default '1' check (enable in ('0', '1')),
  -- When it goes out next; none while it is paused.
  next_at timestamptz,
  -- Its last turn, by which its deliveries are counted.
  last_turn text,
  last_time timestamptz,
  -- Who wants no more of it.
  left_by text[] not null default '{}',
  create_time timestamptz not null default now(),
  create_by text,
  update_time timestamptz,
  update_by text,
  version int not null default 0,
  unique (group_id, name),
  check ((enable = '1') = (next_at is not null))
);
create index report_push_due on report_push (next_at) where next_at is not null;
call zg_by_group('report_push');

-- One row a receiver and way, computed when it is sent and kept: what somebody was told does not change afterwards.
create table report_sending (
  id text primary key,
  group_id text not null references tenant on delete cascade,
  push_id text references report_push on delete set null,
  push_name text not null,
  turn text not null,
  report_type text not null,
  content text[] not null,
  projects text[] not null default '{}',
  from_day date not null,
  to_day date not null,
  -- Whose eyes; of a webhook whoever set it up.
  user_id text references app_user on delete set null,
  receiver text not null,
  channel text not null,
  state text not null default '0' check (state in ('0', '1', '2', '3')),
  reason text not null default '',
  attempts int not null default 0,
  due_at timestamptz,
  test boolean not null default false,
  report jsonb,
  create_time timestamptz not null default now(),
  sent_time timestamptz,
  check ((state = '0') = (due_at is not null))
);
create index report_sending_due on report_sending (due_at) where state = '0';
create index report_sending_list on report_sending (group_id, create_time desc, id);
create index report_sending_turn on report_sending (turn);
create index report_sending_mine on report_sending (user_id, group_id, create_time desc) where state = '1';
call zg_by_group('report_sending');
