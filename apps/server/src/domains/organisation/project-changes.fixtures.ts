import { auditProjectChange, fileProjectChange } from '@zhugong/contract/organisation/project-changes'
import { call, type Fixtures, ofProject, reason, rowId } from '../../../test/fixtures/helpers.ts'

export const fixtures: Fixtures = {
  calls: [
    // Only one application may be pending, so the pending one is put aside during the test.
    call(fileProjectChange, 'site', {
      meanwhile: [
        "update project_change set state = '1' where project_code = $1",
        "update project_change set state = '0' where project_code = $1",
      ],
    })((s) => ({ body: { projectCode: s.projectCode, areaCode: s.projectCode.startsWith('420203') ? '420202' : '420203', reason } })),
    call(auditProjectChange, 'body')((s) => ({ body: { id: rowId('change', s), result: '1', version: 0 } })),
  ],
  projectRows: async ({ pool, projectCode }) => {
    await pool.query(
      `insert into project_change (id, project_code, changes, reason, filed_group, filed_by, filed_name, create_time)
       values (md5($1), $2, '{"areaCode":{"from":"420202","to":"420203"}}', '隔离测试', 'test', 'test', '测试', now())`,
      [`change ${projectCode}`, projectCode],
    )
  },
  owners: {
    projectChange: ofProject('project_change'),
  },
  guarded: ['project_change'],
}
