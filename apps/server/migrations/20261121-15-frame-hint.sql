-- What whoever reads the log is told about a frame that was not taken: what was expected, what came.
alter table device_frame add column hint text;
