import { actOnAlarm, actOnSuppression, startDrill, startSuppression } from '@zhugong/contract/alarms/endpoints'
import { actOnNotice } from '@zhugong/contract/alarms/notices'
import { anyProject, call, type Fixtures, ofProject, reason, rowId } from '../../../test/fixtures/helpers.ts'

export const fixtures: Fixtures = {
  calls: [
    call(actOnAlarm, 'machines')((_s, c) => ({ params: { id: rowId('alarm', c) }, query: anyProject, body: { action: 'ack' } })),
    call(
      startSuppression,
      'site',
    )((s) => ({
      query: anyProject,
      body: {
        deviceId: s.device('towerCrane'),
        alarmKeys: ['offline'],
        kind: 'calibration',
        reason,
        personName: '周大勇',
        until: new Date(Date.now() + 3_600_000).toISOString(),
      },
    })),
    call(actOnSuppression, 'site')((s) => ({ params: { id: rowId('suppress', s) }, query: anyProject, body: { action: 'end' } })),
    call(
      startDrill,
      'site',
    )((s) => ({ body: { deviceId: s.device('towerCrane'), alarmKey: 'windAlarm', level: 3, notify: false, linkage: false } })),
  ],
  exempt: [{ why: 'test/decided.test.ts tries every state, action and account', calls: [actOnNotice] }],
  withoutPage: [
    {
      why: 'records and figures for clients that read them, shown on pages by calls of several kinds at once',
      names: ['towerDailyAlarms', 'envDailyAlarms'],
    },
  ],
  projectRows: async ({ pool, projectCode, device }) => {
    await pool.query(
      `insert into alarm (id, project_code, device_id, device_name, family, alarm_key, label, level, max_level, start_time, fire_time)
       values (md5($1), $2, $3, $4, $5, 'offline', '离线', 3, 3, now(), now())`,
      [`alarm ${projectCode}`, projectCode, device.id, device.name, device.family],
    )
    await pool.query(
      `insert into device_suppress (id, project_code, device_id, alarm_keys, kind, reason, person_name, from_time, until_time)
       values (md5($1), $2, $3, array['offline'], 'other', '隔离测试', '测试', now(), now() + interval '1 hour')`,
      [`suppress ${projectCode}`, projectCode, device.id],
    )
  },
  companyRows: (pool, company, site) =>
    pool.query(
      `insert into alarm (id, project_code, device_id, device_name, family, alarm_key, label, level, max_level, start_time, fire_time)
         values ($1, $2, $3, '塔机', 'towerCrane', 'offline', '离线', 3, 3, now(), now())`,
      [rowId('alarm', company), site.projectCode, company.deviceId],
    ),
  owners: {
    alarm: ofProject('alarm'),
    suppress: ofProject('device_suppress'),
  },
  guarded: ['alarm', 'device_suppress'],
}
