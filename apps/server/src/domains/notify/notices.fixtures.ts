import { resendNotice, testExec } from '@zhugong/contract/notify/endpoints'
import { anyProject, call, type Fixtures, ofProject, rowId } from '../../../test/fixtures/helpers.ts'

export const fixtures: Fixtures = {
  calls: [
    call(resendNotice, 'site')((s) => ({ params: { id: rowId('log', s) }, query: anyProject })),
    call(testExec, 'site')((s) => ({ params: { id: rowId('exec', s) }, body: { projectCode: s.projectCode } })),
  ],
  projectRows: async ({ pool, projectCode }) => {
    await pool.query(
      `insert into exec_log (id, project_code, kind, step, level, channel, receiver_name, title, text, state)
       values (md5($1), $2, 'notify', 'open', 2, '2', '测试', '隔离测试', '隔离测试', 'failed')`,
      [`log ${projectCode}`, projectCode],
    )
  },
  owners: {
    execLog: ofProject('exec_log'),
  },
  guarded: ['exec_log'],
}
