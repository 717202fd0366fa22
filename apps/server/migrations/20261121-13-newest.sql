-- The newest values change with every reading: without an index on what changes, and with room on the page, a change stays where the row is.
drop index device_latest_received;
alter table device_latest set (fillfactor = 50);
