import { stateFinding } from '@zhugong/contract/monitoring/alarm-findings'
import { attachReadings, detachReadings } from '@zhugong/contract/monitoring/alarm-readings'
import { stateCause } from '@zhugong/contract/monitoring/exceed-causes'
import { call, type Fixtures, ofProject, rowId } from '../../../../test/fixtures/helpers.ts'

export const fixtures: Fixtures = {
  calls: [
    call(attachReadings, 'site', {
      meanwhile: [
        `delete from alarm_reading where project_code = $1 and by_name <> '样例'`,
        `delete from alarm_reading where project_code = $1 and by_name <> '样例'`,
      ],
    })((s) => ({
      query: { projectCode: s.projectCode },
      body: { alarmId: rowId('alarm', s), deviceId: s.device('towerCrane'), from: '2026-11-19 08:00:00', to: '2026-11-19 09:00:00' },
    })),
    call(detachReadings, 'site', {
      meanwhile: [
        'delete from alarm_reading where false and project_code = $1',
        `insert into alarm_reading (id, project_code, alarm_id, device_id, from_time, until_time, by_name, create_time)
       select md5('alarm reading ' || $1::text), $1, a.id, a.device_id, now() - interval '2 hours', now() - interval '1 hour', '样例', now() from alarm a
       where a.id = md5('alarm ' || $1::text) on conflict (id) do nothing`,
      ],
    })((s) => ({ params: { id: rowId('alarm reading', s) }, query: { projectCode: s.projectCode } })),
    call(stateCause, 'site', {
      meanwhile: [
        `update alarm set family = 'environment', alarm_key = 'pm10Alarm' where id = md5('alarm ' || $1::text)`,
        `with gone as (delete from exceed_cause where project_code = $1 and by_name <> '样例')
       update alarm a set family = d.family, alarm_key = 'offline' from device d where d.id = a.device_id and a.id = md5('alarm ' || $1::text)`,
      ],
    })((s, _c, a) => ({
      query: { projectCode: s.projectCode },
      body: { alarmId: rowId('alarm', s), source: 'road', text: '出口道路未及时冲洗', files: [a.fileId] },
    })),
    call(stateFinding, 'review', {
      meanwhile: [
        `update alarm set family = 'electricMeter', alarm_key = 'residualAlarm' where id = md5('alarm ' || $1::text)`,
        `with gone as (delete from alarm_finding where project_code = $1 and by_name <> '样例')
       update alarm a set family = d.family, alarm_key = 'offline' from device d where d.id = a.device_id and a.id = md5('alarm ' || $1::text)`,
      ],
    })((s, _c, a) => ({
      query: { projectCode: s.projectCode },
      body: { alarmId: rowId('alarm', s), code: 'damp', text: '雨后箱体进水', files: [a.fileId] },
    })),
  ],
  projectRows: async ({ pool, projectCode, device }) => {
    await pool.query(
      `insert into alarm_reading (id, project_code, alarm_id, device_id, from_time, until_time, by_name, create_time)
       values (md5($1), $2, md5($3), $4, now() - interval '2 hours', now() - interval '1 hour', '样例', now())`,
      [`alarm reading ${projectCode}`, projectCode, `alarm ${projectCode}`, device.id],
    )
    await pool.query(
      `insert into exceed_cause (id, project_code, alarm_id, source, text, by_name, at) values (md5($1), $2, md5($3), 'road', '隔离测试', '样例', now())`,
      [`exceed cause ${projectCode}`, projectCode, `alarm ${projectCode}`],
    )
    await pool.query(
      `insert into alarm_finding (id, project_code, alarm_id, code, text, by_name, by_group, at) values (md5($1), $2, md5($3), 'damp', '隔离测试', '样例', '样例', now())`,
      [`alarm finding ${projectCode}`, projectCode, `alarm ${projectCode}`],
    )
  },
  owners: {
    alarmReading: ofProject('alarm_reading'),
  },
  guarded: ['alarm_reading', 'exceed_cause', 'alarm_finding'],
}
