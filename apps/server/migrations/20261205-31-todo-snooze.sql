-- What somebody has put off on his own workbench, and until when.
create table todo_snooze (
  user_id text not null references app_user on delete cascade,
  group_id text not null references tenant on delete cascade,
  task_id text not null,
  until timestamptz not null,
  primary key (user_id, group_id, task_id)
);
call zg_open('todo_snooze');
create policy own_snoozes on todo_snooze to zg_some, zg_wide
  using (user_id = (select zg_setting('app.user'))) with check (user_id = (select zg_setting('app.user')));
