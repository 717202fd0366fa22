import { changeBadAction, createBadAction, removeBadAction } from '@zhugong/contract/misconduct/calls'
import { call, daysAgo, type Fixtures, ofPeople } from '../../../test/fixtures/helpers.ts'

export const fixtures: Fixtures = {
  calls: [
    call(
      createBadAction,
      'review',
    )((s, c, a) => ({
      body: {
        action: 'save',
        projectCode: s.projectCode,
        targetType: '3',
        target: c.corpCode,
        type: '2',
        level: '2',
        degree: '4',
        occurrenceDate: daysAgo(1),
        fact: '三层临边防护缺失，交底后仍未补齐',
        basis: '《建设工程安全生产管理条例》第六十二条',
        score: 8,
        files: [a.fileId],
      },
    })),
  ],
  exempt: [
    {
      why: 'a record is changed by the groups it names, whatever their part in the project; who may do what is in misconduct.test.ts',
      calls: [changeBadAction, removeBadAction],
    },
  ],
  projectRows: async ({ pool, projectCode }) => {
    await pool.query(
      `insert into misconduct (id, code, project_code, corp_code, shown_at, groups, target_type, target_name, type, level, degree, occurrence_date, fact, basis, score,
         source, propose_group, propose_group_name, propose_time, decide_group, decide_group_name, decide_time, months, appeal_days, state, create_by, create_time)
       select md5('misconduct ' || $1::text), '样例-BL', $1::text, c.corp_code, now(), '{nobody}', '3', '样例企业', '2', '2', '4', current_date - 9, '样例事实样例事实样例', '样例', 8, '2',
         'nobody', '样例', now(), 'nobody', '样例', now(), 6, 15, '2', 'nobody', now()
       from project_corp c where c.project_code = $1 order by c.entry_time, c.id limit 1`,
      [projectCode],
    )
    await pool.query(
      `insert into misconduct_plea (id, misconduct_id, project_code, corp_code, shown_at, groups, kind, reason, by_id, by_name, group_name, at)
       select md5('plea ' || m.id), m.id, m.project_code, m.corp_code, m.shown_at, m.groups, 'repair', '样例', 'nobody', '样例', '样例', now()
       from misconduct m where m.id = md5('misconduct ' || $1::text)`,
      [projectCode],
    )
  },
  owners: { badAction: ofPeople('misconduct') },
  guarded: ['misconduct', 'misconduct_plea'],
}
