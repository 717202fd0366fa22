-- Bytes uploaded, by account and hour: what an account may send in an hour and a group in a day.
create table upload_use (
  group_id text not null,
  user_id text not null,
  hour timestamptz not null,
  bytes bigint not null,
  files int not null,
  primary key (group_id, user_id, hour)
);
call zg_by_group('upload_use');
