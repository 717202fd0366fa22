import { actOnFix, actOnMonth, createFix } from '@zhugong/contract/attendance/fix-endpoints'
import { anyProject, call, type Fixtures, ofPeople, reason } from '../../../test/fixtures/helpers.ts'

export const fixtures: Fixtures = {
  calls: [
    call(
      createFix,
      'people',
    )((s, c) => ({
      query: { projectCode: s.projectCode },
      body: {
        kind: 'leave' as const,
        workerIds: [c.workerId],
        fromDay: '2026-11-20',
        reason: '家中有事请假一天',
      },
    })),
    // Each approver has given an opinion.
    call(actOnFix, 'review', {
      meanwhile: [
        `insert into attendance_correction (id, project_code, kind, state, value, requested_by, requested_at, work_day, reason, needs)
       values ('parts-fix', $1, 'stopDay', '1', '{"target":null,"time":null,"direction":null,"fromDay":"2026-11-19","toDay":"2026-11-19","gate":null,"fromTime":null,"toTime":null,"shiftMs":null}',
         'somebody', now(), '2026-11-19', '暴雨停工一天', '{site,company,review}')`,
        `delete from attendance_correction where id = 'parts-fix' and project_code = $1`,
      ],
    })(() => ({ params: { id: 'parts-fix' }, query: anyProject, body: { action: 'pass' as const, version: 0 } })),
    call(actOnMonth, 'site', {
      meanwhile: [
        `insert into attendance_month (id, project_code, month, version, sheet, hash, closed_at) values ('parts-month', $1, '2026-01', 1, '[]', 'x', now())`,
        `delete from attendance_month where id = 'parts-month' and project_code = $1`,
      ],
    })((s) => ({ query: { projectCode: s.projectCode }, body: { month: '2026-01', action: 'reopen' as const, version: 1, reason } })),
  ],
  projectRows: async ({ pool, projectCode }) => {
    await pool.query(
      `insert into attendance_correction (id, project_code, worker_id, corp_code, kind, state, value, requested_by, requested_name, requested_at, work_day, reason)
       select md5($1), w.project_code, w.worker_id, w.corp_code, 'leave', '1',
         '{"target":null,"time":null,"direction":null,"fromDay":"2026-11-19","toDay":"2026-11-19","gate":null,"fromTime":null,"toTime":null,"shiftMs":null}',
         'sample', '样例', now(), '2026-11-19', '家中有事请假一天'
       from project_worker w where w.project_code = $2 and w.exit_time is null order by w.id limit 1`,
      [`fix ${projectCode}`, projectCode],
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
      [`fix ${projectCode}`],
    )
  },
  owners: {
    correction: ofPeople('attendance_correction'),
  },
}
