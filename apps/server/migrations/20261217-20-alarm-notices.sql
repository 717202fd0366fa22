-- Events of alarms are read by a third worker, which issues notices of rectification. What happened before needs none.
alter table alarm_outbox add column rectified boolean not null default false;
update alarm_outbox set rectified = true;
create index alarm_outbox_rectify on alarm_outbox (id) where not rectified;
