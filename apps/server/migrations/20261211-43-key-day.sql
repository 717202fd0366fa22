-- Bytes stored per docking key and day, for the daily limit.
alter table docking_key add column day date, add column day_bytes bigint not null default 0;
