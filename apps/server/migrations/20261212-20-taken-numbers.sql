-- Numbers of others that a group tried to register, one row for a number and a day: a group that tries many registers nothing more that day.
create table taken_number (
  group_id text not null,
  day date not null,
  number text not null,
  at timestamptz not null,
  primary key (group_id, day, number)
);
call zg_serve('taken_number');
