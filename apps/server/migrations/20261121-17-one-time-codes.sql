-- A dynamic code opens the door once: the 30-second step it was last taken for.
alter table app_user add column otp_step bigint;
