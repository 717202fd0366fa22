import { auditAreaRule, setAreaRule } from '@zhugong/contract/organisation/fences'
import { call, type Fixtures, reason } from '../../../test/fixtures/helpers.ts'

export const fixtures: Fixtures = {
  calls: [
    call(
      setAreaRule,
      'site',
    )((s) => ({
      body: {
        projectCode: s.projectCode,
        areaRule: { type: '1', center: { lng: 114.3, lat: 30.5 }, radius: 100 },
        reason,
        version: s.projectBody.version ?? 0,
      },
    })),
    call(auditAreaRule, 'site', {
      meanwhile: [
        `insert into project_fence (id, project_code, state, reason, filed_name, create_time) values ('waits', $1, '0', '样例', '样例', now())`,
        `delete from project_fence where id = 'waits' and project_code = $1`,
      ],
    })((s) => ({ body: { projectCode: s.projectCode, result: '2', opinion: reason, version: 0 } })),
  ],
}
