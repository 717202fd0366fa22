-- The newest reading may tell of some metrics only: what the others showed last stays beside it, each with its own moment.
-- {metric: [epoch milliseconds, value, what was wrong with it or null]}; null where the newest reading lacks a metric that never came.
alter table device_latest add column held jsonb;
