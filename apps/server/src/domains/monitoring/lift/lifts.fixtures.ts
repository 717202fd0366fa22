import { resumeLift, stopLift } from '@zhugong/contract/monitoring/lift/lift-stops'
import { addLiftTest, voidLiftTest } from '@zhugong/contract/monitoring/lift/lift-tests'
import { markLiftRun } from '@zhugong/contract/monitoring/record-fixes'
import { type CallCase, call, type Fixtures, insertRecord, ofProject, reason, recordId, rowId } from '../../../../test/fixtures/helpers.ts'
import type { SiteRows } from '../../../../test/parts/site-rows.ts'

const liftRun = (site: SiteRows) => recordId(site.device('lifter'), 'liftRun')

/** A record as the device sent it, without corrections. */
const uncorrected: Pick<CallCase, 'meanwhile'> = {
  meanwhile: ['delete from record_fix where project_code = $1', 'delete from record_fix where project_code = $1'],
}

export const fixtures: Fixtures = {
  calls: [
    call(
      addLiftTest,
      'site',
    )((s) => ({
      query: { projectCode: s.projectCode },
      body: {
        deviceId: s.device('lifter'),
        kind: 'drop',
        testedOn: '2026-11-01',
        result: 'pass',
        personName: '周大勇',
        distanceMeters: 0.6,
      },
    })),
    call(voidLiftTest, 'site', {
      meanwhile: [
        `update lift_test set void_reason = null, void_by = null, void_time = null where project_code = $1`,
        `update lift_test set void_reason = null, void_by = null, void_time = null where project_code = $1`,
      ],
    })((s) => ({ params: { id: rowId('lift test', s) }, query: { projectCode: s.projectCode }, body: { reason } })),
    call(stopLift, 'site', {
      meanwhile: [
        `delete from lift_stop where project_code = $1 and device_id in (select id from device where family = 'lifter')`,
        `delete from lift_stop where project_code = $1 and reason <> '隔离测试'`,
      ],
    })((s) => ({ query: { projectCode: s.projectCode }, body: { deviceId: s.device('lifter'), alarmId: null, reason } })),
    call(resumeLift, 'site', {
      meanwhile: [
        // Far in the future, so that the calibration never expires in a test.
        `with calibrated as (
         update device set params = params || '{"safetyDeviceExpiry": "2999-12-31T00:00:00+08:00"}' where project_code = $1 and family = 'lifter')
       insert into lift_stop (id, project_code, device_id, stopped_at, reason, by_name, create_time)
       select md5('lift stop ' || $1::text), $1, min(id), '2026-10-10', '隔离测试', '样例', '2026-10-10' from device where project_code = $1 and family = 'lifter'
       on conflict (id) do update set device_id = excluded.device_id, stopped_at = excluded.stopped_at, resumed_at = null, checked_on = null`,
        `update lift_stop set resumed_at = null, resumed_by = null, checked_on = null where project_code = $1 and reason = '隔离测试'`,
      ],
    })((s, _c, a) => ({
      params: { id: rowId('lift stop', s) },
      query: { projectCode: s.projectCode },
      body: { checkedOn: '2026-10-11', personName: '周大勇', finding: '门联锁修复，试运行正常', files: [a.fileId] },
    })),
    call(
      markLiftRun,
      'site',
      uncorrected,
    )((s) => ({ params: { id: liftRun(s) }, query: { projectCode: s.projectCode }, body: { illegal: true, reason, version: 0 } })),
  ],
  projectRows: async ({ pool, projectCode, device }) => {
    await pool.query(
      `insert into lift_test (id, project_code, device_id, kind, tested_on, result, person_name, by_name, create_time)
       values (md5($1), $2, $3, 'drop', '2026-10-10', 'pass', '样例', '样例', now())`,
      [`lift test ${projectCode}`, projectCode, device.id],
    )
    await pool.query(
      `insert into lift_stop (id, project_code, device_id, stopped_at, reason, by_name, create_time)
       values (md5($1), $2, $3, now() - interval '1 hour', '隔离测试', '样例', now())`,
      [`lift stop ${projectCode}`, projectCode, device.id],
    )
  },
  siteRows: (pool, site) =>
    insertRecord(pool, site, site.device('lifter'), { id: 'liftRun', record: 'workingCycle', data: { cage: '1', maxPersonCount: 4 } }),
  owners: {
    liftTest: ofProject('lift_test'),
    liftStop: ofProject('lift_stop'),
  },
  guarded: ['lift_test', 'lift_stop'],
}
