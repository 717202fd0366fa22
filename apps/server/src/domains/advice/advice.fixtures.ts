import { changeAdvice, submitAdvice, unmaskAdvice } from '@zhugong/contract/advice/calls'
import type { Fixtures } from '../../../test/fixtures/helpers.ts'

/** Who may see an item in the tests of isolation: the group that put it; a complaint nobody, not even that group. */
const owners = `select x.id, null as project_code, t.type || '/' || t.code as group_key from advice x join tenant t on t.id = x.submitter_group
    where not x.secret
  union all select x.id, null, 'secret/secret' from advice x where x.secret`

export const fixtures: Fixtures = {
  exempt: [
    {
      why: 'belongs to persons and institutions, not to a part in a project; who may do what is in advice.test.ts',
      calls: [submitAdvice, changeAdvice, unmaskAdvice],
    },
  ],
  projectRows: async ({ pool, projectCode }) => {
    for (const secret of [false, true])
      await pool.query(
        `insert into advice (id, title, type, secret, anonymous, about_project, about_name, addressee_kind, addressee_group, addressee_name,
           handlers, submitter_id, submitter_name, submitter_group, submitter_group_name, asked_at, create_time)
         select md5('advice ' || $2::boolean::text || $1::text), '样例', case when $2::boolean then '3' else '4' end, $2::boolean, false, $1::text, '样例', 'government', 'nobody', '样例机构',
           '{nobody}', 'nobody', '样例', t.id, t.name, now(), now() from tenant t where t.type = 3 and t.code = $1`,
        [projectCode, secret],
      )
  },
  owners: { advice: owners },
}
