-- How long before its newest reading a device spoke last, while it was online: one that rests reports seldom and is not stale for it.
alter table device_latest add column pace_seconds real;
