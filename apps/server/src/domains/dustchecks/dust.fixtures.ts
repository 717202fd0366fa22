import { changeDustCheck, createDustCheck, removeDustCheck } from '@zhugong/contract/dustchecks/calls'
import { coreItems } from '@zhugong/contract/dustchecks/items'
import { newId } from '#kit/ids'
import { call, type Fixtures } from '../../../test/fixtures/helpers.ts'

export const fixtures: Fixtures = {
  calls: [
    call(
      createDustCheck,
      'review',
    )((s, _c, a) => ({
      query: { projectCode: s.projectCode },
      body: {
        id: newId(),
        action: 'submit',
        items: coreItems.map(({ code }) => ({ code, result: '1' as const, photos: [a.fileId] })),
        problems: [],
      },
    })),
  ],
  exempt: [
    {
      why: 'only the group that wrote a draft knows of it, which no other caller shares; dust.test.ts tries it with every account',
      calls: [changeDustCheck, removeDustCheck],
    },
  ],
  projectRows: async ({ pool, projectCode }) => {
    const row = [`dust ${projectCode}`, projectCode]
    await pool.query(
      `insert into site_check (id, kind, code, project_code, shown_at, groups, checker_group, checker_group_name, checker_id, inspect_type, check_time,
         checkers, part, state, create_by, create_time)
       values (md5($1), 'dust', '样例-' || md5($1), $2, now(), '{}', 'nobody', '样例机构', 'nobody', '12', now(), '{样例}', '全工地', '7', 'nobody', now())`,
      row,
    )
    await pool.query(
      `insert into dust_check (check_id, project_code, shown_at, groups, items, pass_rate, result)
       values (md5($1), $2, now(), '{}', '[{"code": "01", "result": "1", "note": null, "photos": []}]', 100, '1')`,
      row,
    )
  },
}
