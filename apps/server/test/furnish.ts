import type { City } from '@zhugong/simulator/city-types'
import type pg from 'pg'

/** One row of everything that comes to a site by working on it: alarms, rules, notices, duties, linkage runs. */
export async function furnish(pool: pg.Pool, city: City): Promise<void> {
  for (const project of city.projects) {
    const device = city.devices.find((d) => d.projectCode === project.projectCode)
    if (!device) continue
    const platform = city.devices.find((d) => d.projectCode === project.projectCode && d.family === 'unloadingPlatform') ?? device
    await pool.query(
      `insert into alarm (id, project_code, device_id, device_name, family, alarm_key, label, level, max_level, start_time, fire_time)
       values (md5($1), $2, $3, $4, $5, 'offline', '离线', 3, 3, now(), now())`,
      [`alarm ${project.projectCode}`, project.projectCode, device.id, device.name, device.family],
    )
    await pool.query(
      `insert into device_record (device_id, project_code, ts, id, record, data, received_at)
       values ($1, $2, now(), 'weighRecord:1', 'weighRecord', '{"plateNo":"鄂B12345","grossWeight":40,"tareWeight":12}', now())`,
      [device.id, project.projectCode],
    )
    await pool.query(
      `insert into sight_rule (id, group_id, party, project_code, shows, modules, reason, grant_by, until)
       select md5($1), id, '004', $2, false, '{payroll}', '样例', '样例', '2020-01-01' from tenant where type = 3 and code = $2`,
      [`sight ${project.projectCode}`, project.projectCode],
    )
    await pool.query(
      `insert into device_due (id, device_id, project_code, kind, due_date, create_time) values (md5($1), $2, $3, 'lifetime', '2030-01-01', now()) on conflict do nothing`,
      [`due ${project.projectCode}`, device.id, project.projectCode],
    )
    await pool.query(
      `insert into project_material (id, project_code, item, stage, name, state, not_needed, create_time, update_time, update_by)
       values (md5($1), $2, 'crane', '2', '起重机械使用登记', '1', '样例', now(), now(), '样例')`,
      [`paper ${project.projectCode}`, project.projectCode],
    )
    await pool.query(
      `insert into device_repair (id, device_id, device_name, project_code, at, by_name, fault) values (md5($1), $2, '设备', $3, now(), '样例', '异响')`,
      [`repair ${project.projectCode}`, device.id, project.projectCode],
    )
    await pool.query(
      `insert into worker_import (id, group_id, project_code, kind, file_name, file_hash, state, create_by, create_name, create_time, update_time)
       select md5($1), id, $2, 'project', '名单.xlsx', md5($1), '3', 'sample', '样例', now(), now() from tenant where type = 3 and code = $2`,
      [`import ${project.projectCode}`, project.projectCode],
    )
    await pool.query(
      `with stay as (select * from project_worker where project_code = $2 and exit_time is null order by id limit 1),
         session as (insert into training (id, project_code, corp_code, training_type, name, trainer, start_time, duration, content)
           select md5($1), $2, corp_code, '003002', '隔离测试', '样例', now(), 4, '隔离测试' from stay returning id)
       insert into worker_training (id, project_code, corp_code, worker_id, project_worker_id, training_type, train_date, hours, passed, training_id)
       select md5($1 || ' task'), $2, stay.corp_code, stay.worker_id, stay.id, '003002', now(), 4, true, session.id from stay, session`,
      [`training ${project.projectCode}`, project.projectCode],
    )
    await pool.query(
      `insert into self_entry (id, project_code, corp_code, team_id, work_type, name, id_card_hash, id_card_mask, cell_phone_hash, cell_phone_mask,
         phone_proved, consent_face, receipt_hash, create_time)
       select md5($1), w.project_code, w.corp_code, w.team_id, '020', '样例', md5($1), '420***', md5($1), '139****', true, false, md5($1), now()
       from project_worker w where w.project_code = $2 and w.team_id is not null order by w.id limit 1`,
      [`self entry ${project.projectCode}`, project.projectCode],
    )
    await pool.query(`insert into self_entry_door (project_code, is_open, update_name, update_time) values ($1, true, '样例', now())`, [
      project.projectCode,
    ])
    await pool.query(
      `insert into labor_alarm (id, project_code, worker_id, stay_id, corp_code, team_id, type, content, time, last_time)
       select md5($1), w.project_code, w.worker_id, w.id, w.corp_code, w.team_id, '207', '进场 12 天，未签劳动合同', now(), now()
       from project_worker w where w.project_code = $2 and w.exit_time is null order by w.id limit 1`,
      [`labour ${project.projectCode}`, project.projectCode],
    )
    await pool.query(
      `insert into attendance_correction (id, project_code, worker_id, corp_code, kind, state, value, requested_by, requested_name, requested_at, work_day, reason)
       select md5($1), w.project_code, w.worker_id, w.corp_code, 'leave', '1',
         '{"target":null,"time":null,"direction":null,"fromDay":"2026-11-19","toDay":"2026-11-19","gate":null,"fromTime":null,"toTime":null,"shiftMs":null}',
         'sample', '样例', now(), '2026-11-19', '家中有事请假一天'
       from project_worker w where w.project_code = $2 and w.exit_time is null order by w.id limit 1`,
      [`fix ${project.projectCode}`, project.projectCode],
    )
    await pool.query(
      `with item as (
         insert into work_item (id, kind, object_id, code, title, group_id, project_code, corp_code, groups, applicant_id, applicant_name, applicant_group,
           node, snapshot, hash, create_time, update_time)
         select md5($1 || ' item'), 'attendanceFix', x.id, 'SAMPLE-1', '请假', t.id, x.project_code, x.corp_code, array[t.id], 'sample', '样例', t.id,
           '项目', '{"fields":[]}', repeat('0', 64), now(), now()
         from attendance_correction x join tenant t on t.type = 3 and t.code = x.project_code where x.id = md5($1) returning id, group_id),
       step as (
         insert into work_step (id, item_id, place, stage, round, key, name, node, state, began_at)
         select md5($1 || ' step'), id, 1, 0, 1, 'site', '项目',
           '{"key":"site","name":"项目","places":["site"],"by":{"kind":"code","code":"attendance.approve"},"mode":"any","beside":false,"when":[],"hours":null,"late":"remind","handTo":null,"mayTransfer":true,"sign":false,"copyTo":[],"locked":false}',
           '1', now() from item returning id, item_id)
       insert into work_approver (id, item_id, step_id, group_id, code)
       select md5($1 || ' seat'), step.item_id, step.id, item.group_id, 'attendance.approve' from step join item on item.id = step.item_id`,
      [`fix ${project.projectCode}`],
    )
    await pool.query(
      `insert into temp_alarm (id, project_code, worker_id, corp_code, team_id, work_day, temperature, threshold, level, time, last_time)
       select md5($1), w.project_code, w.worker_id, w.corp_code, w.team_id, '2026-11-19', 37.6, 37.3, '2', now(), now()
       from project_worker w where w.project_code = $2 and w.exit_time is null order by w.id limit 1`,
      [`temp ${project.projectCode}`, project.projectCode],
    )
    await pool.query(`insert into helmet_group (id, project_code, name) values (md5($1), $2, '巡检组')`, [
      `group ${project.projectCode}`,
      project.projectCode,
    ])
    await pool.query(
      `insert into rule_trigger (id, name, family, alarm_key, scope, project_code, levels)
       values (md5($1), '隔离测试', 'towerCrane', 'windAlarm', jsonb_build_object('kind', 'projects', 'projectCodes', jsonb_build_array($2::text)), $2,
         '[{"level":2,"condition":{"type":"threshold","metric":"windSpeed","op":">=","value":12}}]')`,
      [`rule ${project.projectCode}`, project.projectCode],
    )
    await pool.query(
      `insert into rule_exec (id, name, kind, project_code, definition) values (md5($1), '隔离测试', 'webhook', $2, '{"url":"https://example.com/"}')`,
      [`exec ${project.projectCode}`, project.projectCode],
    )
    await pool.query(
      `insert into device_suppress (id, project_code, device_id, alarm_keys, kind, reason, person_name, from_time, until_time)
       values (md5($1), $2, $3, array['offline'], 'other', '隔离测试', '测试', now(), now() + interval '1 hour')`,
      [`suppress ${project.projectCode}`, project.projectCode, device.id],
    )
    await pool.query(
      `insert into crane_zone (id, project_code, name, kind, points) values (md5($1), $2, '隔离测试', 'forbidden', '[[0,0],[9,0],[9,9]]')`,
      [`zone ${project.projectCode}`, project.projectCode],
    )
    const camera = city.devices.find((d) => d.projectCode === project.projectCode && d.family === 'videoAi')
    if (camera)
      await pool.query(
        `insert into camera_ai (device_id, project_code, zones, update_by, update_time)
         values ($1, $2, '[{"name":"隔离测试","points":[[0,0],[1,0],[1,1]],"fromMinute":null,"untilMinute":null}]', '样例', now())`,
        [camera.id, project.projectCode],
      )
    await pool.query(
      `insert into meter_price (id, project_code, kind, from_month, price, create_by, create_time) values (md5($1), $2, 'electric', '2020-02', 0.8, '样例', now())`,
      [`meter price ${project.projectCode}`, project.projectCode],
    )
    const meter = city.devices.find((d) => d.projectCode === project.projectCode && d.family === 'electricMeter') ?? device
    await pool.query(
      `insert into meter_entry (id, project_code, device_id, kind, at, reading, reason, by_name, create_time)
       values (md5($1), $2, $3, 'reading', now(), 0, '样例', '样例', now())`,
      [`meter entry ${project.projectCode}`, project.projectCode, meter.id],
    )
    await pool.query(
      `insert into meter_month (id, project_code, kind, month, total_usage, rows, close_by, close_time) values (md5($1), $2, 'electric', '2020-01', 1,
        '[{"deviceId":"sample","deviceName":"总表","area":null,"corpName":"样例单位","parentId":null,"startReading":0,"endReading":1,"ratio":1,"usage":1,"quota":null,"quotaPercent":null,"rollbacks":0,"peakUsage":null,"valleyUsage":null,"amount":null,"estimatedShare":0,"carried":0}]',
        '样例', now())`,
      [`meter month ${project.projectCode}`, project.projectCode],
    )
    await pool.query(
      `insert into vehicle_fence (id, project_code, name, kind, points) values (md5($1), $2, '隔离测试', 'dumpSites', '[[115,30],[115.01,30],[115.01,30.01]]')`,
      [`vehicle fence ${project.projectCode}`, project.projectCode],
    )
    await pool.query(
      `insert into vehicle_registry (id, project_code, kind, plate_no, create_time, create_by) values (md5($1), $2, 'known', '鄂A00009', now(), '样例')`,
      [`registered vehicle ${project.projectCode}`, project.projectCode],
    )
    await pool.query(
      `insert into passage_pair (id, project_code, kind, in_device, in_ts, in_id, out_device, out_ts, out_id, reason, by_name, at)
       select md5($1), $2, 'joined', d.id, now() - interval '2 hours', 'in', d.id, now() - interval '1 hour', 'out', '样例', '样例', now()
       from device d where d.project_code = $2 order by d.id limit 1`,
      [`passage pair ${project.projectCode}`, project.projectCode],
    )
    await pool.query(
      `insert into pile (id, project_code, pile_no, kind, design_length, made_on, create_by, create_time)
       values (md5($1), $2, '隔离-1', 'bored', 20, current_date - 1, '样例', now())`,
      [`pile ${project.projectCode}`, project.projectCode],
    )
    await pool.query(
      `insert into pile_work (id, project_code, device_id, pile_id, started_at, by_name, ended_at)
       values (md5($1), $2, $3, md5($4), now() - interval '3 hours', '样例', now() - interval '2 hours')`,
      [`pile work ${project.projectCode}`, project.projectCode, device.id, `pile ${project.projectCode}`],
    )
    await pool.query(
      `insert into pile_trouble (id, project_code, device_id, at, kind, text, by_name) values (md5($1), $2, $3, now(), 'stop', '隔离测试', '样例')`,
      [`pile trouble ${project.projectCode}`, project.projectCode, device.id],
    )
    await pool.query(
      `insert into video_mark (id, project_code, device_id, kind, at, note, by_id, by_name, by_group, create_time)
       values (md5($1), $2, $3, 'bookmark', now(), '隔离测试', 'sample', '样例', '样例', now())`,
      [`video mark ${project.projectCode}`, project.projectCode, device.id],
    )
    await pool.query(
      `insert into video_wall (id, group_id, project_code, name, size, cameras, shared, by_id, by_name, update_time)
       select md5($1), id, $2, '隔离测试', 4, '{}', true, 'sample', '样例', now() from tenant where type = 3 and code = $2`,
      [`video wall ${project.projectCode}`, project.projectCode],
    )
    await pool.query(
      `insert into site_notice (id, project_code, batch, kind, text, deadline, reply_wanted, device_id, subject, from_id, from_name, from_group_name, create_time)
       values (md5($1), $2, 'sample', 'urge', '隔离测试', now() + interval '1 day', true, $3, '样例', 'sample', '样例', '样例', now())`,
      [`site notice ${project.projectCode}`, project.projectCode, device.id],
    )
    await pool.query(
      `insert into site_notice_step (id, notice_id, project_code, at, action, by_name) values (md5($1), md5($2), $3, now(), 'send', '样例')`,
      [`site notice step ${project.projectCode}`, `site notice ${project.projectCode}`, project.projectCode],
    )
    await pool.query(
      `insert into lift_test (id, project_code, device_id, kind, tested_on, result, person_name, by_name, create_time)
       values (md5($1), $2, $3, 'drop', '2026-10-10', 'pass', '样例', '样例', now())`,
      [`lift test ${project.projectCode}`, project.projectCode, device.id],
    )
    await pool.query(
      `insert into pour_advice (id, project_code, bay_name, text, by_name, at) values (md5($1), $2, '样例', '隔离测试', '样例', now())`,
      [`pour advice ${project.projectCode}`, project.projectCode],
    )
    await pool.query(
      `insert into point_change (id, project_code, device_id, family, point_code, kind, at, by_name)
       values (md5($1), $2, $3, 'foundationPit', '样例', 'damaged', now() - interval '1 hour', '样例')`,
      [`point change ${project.projectCode}`, project.projectCode, device.id],
    )
    await pool.query(
      `insert into lift_stop (id, project_code, device_id, stopped_at, reason, by_name, create_time)
       values (md5($1), $2, $3, now() - interval '1 hour', '隔离测试', '样例', now())`,
      [`lift stop ${project.projectCode}`, project.projectCode, device.id],
    )
    await pool.query(
      `insert into alarm_reading (id, project_code, alarm_id, device_id, from_time, until_time, by_name, create_time)
       values (md5($1), $2, md5($3), $4, now() - interval '2 hours', now() - interval '1 hour', '样例', now())`,
      [`alarm reading ${project.projectCode}`, project.projectCode, `alarm ${project.projectCode}`, device.id],
    )
    await pool.query(
      `insert into exceed_cause (id, project_code, alarm_id, source, text, by_name, at) values (md5($1), $2, md5($3), 'road', '隔离测试', '样例', now())`,
      [`exceed cause ${project.projectCode}`, project.projectCode, `alarm ${project.projectCode}`],
    )
    await pool.query(
      `insert into alarm_finding (id, project_code, alarm_id, code, text, by_name, by_group, at) values (md5($1), $2, md5($3), 'damp', '隔离测试', '样例', '样例', now())`,
      [`alarm finding ${project.projectCode}`, project.projectCode, `alarm ${project.projectCode}`],
    )
    await pool.query(
      `insert into night_permit (id, project_code, permit_no, issuer, scope, from_time, until_time, by_name, create_time)
       values (md5($1), $2, '夜施-样例', '样例', '隔离测试', now() - interval '2 days', now() - interval '1 day', '样例', now())`,
      [`night permit ${project.projectCode}`, project.projectCode],
    )
    await pool.query(
      `insert into platform_move (id, project_code, device_id, moved_at, to_place, person_name, by_name, create_time)
       values (md5($1), $2, $3, now() - interval '1 day', '样例', '样例', '样例', now())`,
      [`platform move ${project.projectCode}`, project.projectCode, platform.id],
    )
    await pool.query(
      `insert into video_patrol (id, project_code, at, cameras, result, finding, by_id, by_name, by_group, state)
       values (md5($1), $2, now(), '[]', 'found', '隔离测试', 'sample', '样例', '样例', 'open')`,
      [`video patrol ${project.projectCode}`, project.projectCode],
    )
    await pool.query(
      `insert into spray_plan (id, project_code, device_id, name, days, times, minutes, since, create_by, create_time)
       values (md5($1), $2, $3, '隔离测试', '{1}', '{06:30}', 5, now(), '样例', now())`,
      [`spray plan ${project.projectCode}`, project.projectCode, device.id],
    )
    await pool.query(`insert into device_event (device_id, ts, id, kind, data) values ($1, $2, 'furnished', 'offline', '{}')`, [
      device.id,
      new Date(Date.now() - 3 * 86_400_000),
    ])
    await pool.query(
      `insert into duty_shift (id, project_code, user_id, from_time, until_time)
       select md5($1), $2, u.id, now(), now() + interval '1 hour' from app_user u
       order by exists (select 1 from member m join tenant t on t.id = m.group_id where m.user_id = u.id and t.type = 3 and t.code = $2) desc, u.id limit 1`,
      [`duty ${project.projectCode}`, project.projectCode],
    )
    await pool.query(
      `insert into linkage_run (id, project_code, exec_id, exec_name, command, device_id, device_name, family, definition, level, state, cmd_id, stop_cmd_id,
         confirm_until, due_at, create_time)
       values (md5($1), $2, md5($3), '隔离测试', 'crane.warn', $4, $5, $6, '{}', 3, 'waitingConfirm', md5($1), md5($1), now() + interval '1 hour', now(), now())`,
      [`run ${project.projectCode}`, project.projectCode, `exec ${project.projectCode}`, device.id, device.name, device.family],
    )
    await pool.query(`insert into linkage_run_alarm (run_id, alarm_id, project_code, joined_at) values (md5($1), md5($2), $3, now())`, [
      `run ${project.projectCode}`,
      `alarm ${project.projectCode}`,
      project.projectCode,
    ])
    await pool.query(
      `insert into exec_log (id, project_code, kind, step, level, channel, receiver_name, title, text, state)
       values (md5($1), $2, 'notify', 'open', 2, '2', '测试', '隔离测试', '隔离测试', 'failed')`,
      [`log ${project.projectCode}`, project.projectCode],
    )
    await pool.query(
      `insert into project_change (id, project_code, changes, reason, filed_group, filed_by, filed_name, create_time)
       values (md5($1), $2, '{"areaCode":{"from":"420202","to":"420203"}}', '隔离测试', 'test', 'test', '测试', now())`,
      [`change ${project.projectCode}`, project.projectCode],
    )
    await pool.query(
      `insert into project_state_apply (id, project_code, action, from_state, reason, state, filed_by, filed_name, create_time)
       select md5($1), project_code, 'stop', prj_status, '隔离测试', '3', 'test', '测试', now() from project where project_code = $2`,
      [`state ${project.projectCode}`, project.projectCode],
    )
    const worker = city.projectWorkers.find((w) => w.projectCode === project.projectCode)
    await pool.query(
      `insert into worker_bad (id, type, worker_id, project_code, corp_code, bad_record_type, bad_record_level, action_degree, occurrence_date, reason)
       values (md5($1), '1', $2, $3, $4, '001', '1', '1', '2026-11-01', '隔离测试用的不良记录')`,
      [`bad ${project.projectCode}`, worker?.workerId, project.projectCode, worker?.corpCode],
    )
    await pool.query(
      `insert into person_request (id, kind, user_id, worker_id, project_code, corp_code, subject_id, about, reason, start_date, expiry_date, grant_org, state, create_time)
       select md5($1), 'idRenewal', 'test', worker_id, project_code, corp_code, id, '隔离测试', '', '2026-01-01', '2046-01-01', '隔离测试', '4', now()
       from project_worker where project_code = $2 and exit_time is null order by id limit 1`,
      [`request ${project.projectCode}`, project.projectCode],
    )
    await pool.query(
      `insert into black_entry (id, kind, group_id, group_name, scope, scope_code, source_project, id_card_type, id_card_hash, id_card_mask, name, reason_type, reason,
         occurrence_date, start_date, end_date, notified_time, state)
       select md5($1), 'worker', t.id, t.name, '1', $2, $2, '01', w.id_card_hash, w.id_card_mask, w.worker_name, '2', '隔离测试用的黑名单记录', '2026-11-01',
         '2026-11-02', '2027-11-01', now(), '1' from project_worker w, tenant t where w.project_code = $2 and w.exit_time is null and t.type = 3 and t.code = $2
       order by w.id limit 1`,
      [`black ${project.projectCode}`, project.projectCode],
    )
  }
}
