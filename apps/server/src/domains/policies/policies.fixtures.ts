import { randomUUID } from 'node:crypto'
import { changePolicy, createPolicy, removePolicy } from '@zhugong/contract/policies/policies'
import type { Fixtures } from '../../../test/fixtures/helpers.ts'

/** A draft belongs to the group that wrote it. */
const owners = `select x.id, null as project_code, t.type || '/' || t.code as group_key from policy x join tenant t on t.id = x.group_id
  where x.state <> '1'`

export const fixtures: Fixtures = {
  exempt: [
    {
      why: 'texts belong to the platform and to authorities, not to a part in a project; who may do what is in policies.test.ts',
      calls: [createPolicy, changePolicy, removePolicy],
    },
  ],
  projectRows: async ({ pool, projectCode }) => {
    await pool.query(
      `insert into policy (id, group_id, area_front, title, level, category, issuer, issue_date, effect_date, content, body, create_by, create_time)
       select md5('policy ' || $1), t.id, '', '样例文本 ' || $2::text, '4', 'notice', '样例机构', '2026-01-01', '2026-01-01', '<p>样例</p>', '样例', 'nobody', now()
       from tenant t where t.type = 3 and t.code = $1`,
      [projectCode, randomUUID().slice(0, 8)],
    )
  },
  owners: { policy: owners },
}
