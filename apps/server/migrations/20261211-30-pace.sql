-- Interval between the two newest readings of an online device: a resting device reports seldom and must not be shown as stale.
alter table device_latest add column pace_seconds real;
