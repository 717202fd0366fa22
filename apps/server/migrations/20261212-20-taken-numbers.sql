-- Numbers registered elsewhere that a group tried to register, one row per number and day; many of them block registrations for the day.
create table taken_number (
  group_id text not null,
  day date not null,
  number text not null,
  at timestamptz not null,
  primary key (group_id, day, number)
);
call zg_serve('taken_number');
