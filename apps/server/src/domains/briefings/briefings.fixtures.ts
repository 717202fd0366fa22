import {
  changeGangBriefing,
  changeManagerBriefing,
  createGangBriefing,
  createManagerBriefing,
  remindGap,
  removeGangBriefing,
  removeManagerBriefing,
} from '@zhugong/contract/briefings/calls'
import { signGangBriefing, signManagerBriefing } from '@zhugong/contract/briefings/seats'
import type pg from 'pg'
import { newId } from '#kit/ids'
import { anyProject, call, daysAgo, type Fixtures, ofPeople, reason, rowId } from '../../../test/fixtures/helpers.ts'

interface Given {
  name: string
  key: string
  type: string
  projectCode: string
  corpCode: string
}

async function insertBriefing(pool: pg.Pool, { name, key, type, projectCode, corpCode }: Given): Promise<void> {
  const row = [`${name} ${key}`, projectCode, corpCode]
  await pool.query(
    `insert into briefing (id, type, code, project_code, corp_code, shown_at, groups, author_group, author_group_name, name, work_type, part, content, date,
       discloser, state, create_by, create_time)
     values (md5($1), $4, '样例-' || md5($1), $2, $3, now(), '{}', 'nobody', '样例机构', '脚手架搭设', '030', '外架', '系挂安全带，专人监护', '2026-11-10',
       '样例', '1', 'nobody', now())`,
    [...row, type],
  )
  await pool.query(
    `insert into briefing_receiver (id, briefing_id, project_code, corp_code, shown_at, groups, seq, stay_id, worker_id, name, unit, role)
     values (md5($1 || ' receiver'), md5($1), $2, $3, now(), '{}', 1, 'nobody', 'nobody', '样例', '样例单位', '架子工')`,
    row,
  )
}

const shared = {
  action: 'save',
  name: '外架搭设安全技术交底',
  part: '1 号楼外架',
  content: '系挂安全带，架体验收合格后使用，专人监护，禁止抛掷',
  date: daysAgo(0),
  discloser: '周大勇',
} as const

export const fixtures: Fixtures = {
  calls: [
    call(
      createGangBriefing,
      'people',
    )((s, c) => ({
      query: { projectCode: s.projectCode },
      body: { id: newId(), ...shared, workType: '030', corpCode: c.corpCode, witness: '冯建业', receivers: [c.projectWorkerId] },
    })),
    call(
      createManagerBriefing,
      'review',
    )((s) => ({ query: { projectCode: s.projectCode }, body: { id: newId(), ...shared, kind: 'supervisor' } })),
    call(
      changeGangBriefing,
      'review',
    )((_s, c) => ({ params: { id: rowId('gang briefing', c) }, query: anyProject, body: { version: 0, action: 'redo', reason } })),
    call(
      changeManagerBriefing,
      'review',
    )((_s, c) => ({ params: { id: rowId('manager briefing', c) }, query: anyProject, body: { version: 0, action: 'redo', reason } })),
  ],
  exempt: [
    {
      why: 'only the group that wrote it throws a draft away and collects signatures, and a gap is computed; briefings.test.ts tries them',
      calls: [removeGangBriefing, removeManagerBriefing, signGangBriefing, signManagerBriefing, remindGap],
    },
  ],
  withoutPage: [{ why: 'pages ask for its views, listGangBriefings, briefingGaps and unbriefedPeople', names: ['gangBriefings'] }],
  projectRows: async ({ pool, projectCode }) => {
    const { rows } = await pool.query<{ corp_code: string }>(
      'select corp_code from project_corp where project_code = $1 order by entry_time, id limit 1',
      [projectCode],
    )
    const corpCode = rows[0]?.corp_code
    if (!corpCode) return
    for (const type of ['safetyPTechnical', 'technical'])
      await insertBriefing(pool, { name: `${type} of project`, key: projectCode, type, projectCode, corpCode })
    await pool.query(
      `insert into briefing_reminder (id, project_code, kind, subject_id, by_id, by_name, at)
       values (md5('reminder ' || $1), $1, 'team', 'nobody', 'nobody', '样例', now())`,
      [projectCode],
    )
  },
  companyRows: async (pool, { key, corpCode }, { projectCode }) => {
    await insertBriefing(pool, { name: 'gang briefing', key, type: 'safetyPTechnical', projectCode, corpCode })
    await insertBriefing(pool, { name: 'manager briefing', key, type: 'technical', projectCode, corpCode })
  },
  owners: { briefing: ofPeople('briefing'), briefingReceiver: ofPeople('briefing_receiver') },
  guarded: ['briefing', 'briefing_receiver', 'briefing_reminder'],
}
