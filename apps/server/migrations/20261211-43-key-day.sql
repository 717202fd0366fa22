-- What a key of a platform below has brought on a day: what it may fill is bounded.
alter table docking_key add column day date, add column day_bytes bigint not null default 0;
