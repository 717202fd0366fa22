import { confirmLinkage, stopLinkage } from '@zhugong/contract/linkage/endpoints'
import { anyProject, call, type Fixtures, ofProject, reason, rowId } from '../../../test/fixtures/helpers.ts'

export const fixtures: Fixtures = {
  calls: [
    call(confirmLinkage, 'site')((s) => ({ params: { id: rowId('run', s) }, query: anyProject })),
    call(stopLinkage, 'site')((s) => ({ params: { id: rowId('run', s) }, query: anyProject, body: { reason } })),
  ],
  projectRows: async ({ pool, projectCode, device }) => {
    await pool.query(
      `insert into linkage_run (id, project_code, exec_id, exec_name, command, device_id, device_name, family, definition, level, state, cmd_id, stop_cmd_id,
         confirm_until, due_at, create_time)
       values (md5($1), $2, md5($3), '隔离测试', 'crane.warn', $4, $5, $6, '{}', 3, 'waitingConfirm', md5($1), md5($1), now() + interval '1 hour', now(), now())`,
      [`run ${projectCode}`, projectCode, `exec ${projectCode}`, device.id, device.name, device.family],
    )
    await pool.query(`insert into linkage_run_alarm (run_id, alarm_id, project_code, joined_at) values (md5($1), md5($2), $3, now())`, [
      `run ${projectCode}`,
      `alarm ${projectCode}`,
      projectCode,
    ])
  },
  owners: {
    linkageRun: ofProject('linkage_run'),
  },
  guarded: ['linkage_run'],
}
