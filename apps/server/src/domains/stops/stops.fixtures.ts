import { changeStop, createStop, removeStop } from '@zhugong/contract/stops/calls'
import { signStop } from '@zhugong/contract/stops/seats'
import type pg from 'pg'
import { newId } from '#kit/ids'
import { anyProject, call, daysAgo, type Fixtures, ofPeople, rowId } from '../../../test/fixtures/helpers.ts'
import { strokes } from '../../../test/givens.ts'

interface Given {
  name: string
  key: string
  projectCode: string
  corpCode: string
  state: string
  /** Dictionary stopApplyType: a project has one running application of a kind. */
  type: string
}

/** An application of a company, with one group of its resumption table. */
async function insertApplication(pool: pg.Pool, { name, key, projectCode, corpCode, state, type }: Given): Promise<void> {
  const row = [`${name} ${key}`, projectCode, corpCode]
  await pool.query(
    `insert into stopapply (id, code, project_code, corp_code, shown_at, groups, type, reason_type, reason, stop_date, plan_resume_date, apply_group,
       applicant_name, submit_time, wait_since, state, create_by, create_time)
     select md5($1), case when $4 <> '0' then '样例-' || md5($1) end, $2, $3, case when $4 <> '0' then now() end, array[t.id], $5, '3', '春节放假全面停工',
       current_date + 1, current_date + 20, t.id, '样例', now(), now(), $4, 'nobody', now()
     from tenant t where t.type = 2 and t.code = $3`,
    [...row, state, type],
  )
  await pool.query(
    `insert into stopapply_check (apply_id, item, project_code, corp_code, shown_at, groups, passed)
     select md5($1), '1', $2, $3, a.shown_at, a.groups, true from stopapply a where a.id = md5($1)`,
    row,
  )
}

export const fixtures: Fixtures = {
  calls: [
    call(
      createStop,
      'state',
    )((s, _c, a) => ({
      query: { projectCode: s.projectCode },
      body: {
        action: 'submit',
        type: '1',
        reasonType: '3',
        reason: '春节放假，主体作业面全部停工',
        stopDate: daysAgo(-2),
        planResumeDate: daysAgo(-20),
        ongoingParts: '主体结构三层，临边防护已封闭，基坑每日巡查',
        guardPersons: '周大勇',
        attachments: [a.fileId],
      },
    })),
    call(
      changeStop,
      'state',
    )((s) => ({
      params: { id: rowId('owner draft', s) },
      query: anyProject,
      body: { version: 0, action: 'save', type: '1', reason: '春节放假，主体作业面全部停工' },
    })),
    call(
      changeStop,
      'supervision',
    )((s) => ({
      params: { id: rowId('to audit', s) },
      query: anyProject,
      body: { version: 0, action: 'agree', opinion: '情况属实' },
    })),
    call(
      signStop,
      'state',
    )((s) => ({
      params: { id: rowId('granted', s) },
      query: anyProject,
      body: { action: 'sign', id: newId(), seat: 'receiver', image: strokes() },
    })),
    call(removeStop, 'state')((s) => ({ params: { id: rowId('owner draft', s) }, query: anyProject })),
  ],
  projectRows: async ({ pool, projectCode }) => {
    const { rows } = await pool.query<{ corp_code: string }>(
      'select corp_code from project_corp where project_code = $1 order by entry_time, id limit 1',
      [projectCode],
    )
    if (rows[0])
      await insertApplication(pool, {
        name: 'application of',
        key: projectCode,
        projectCode,
        corpCode: rows[0].corp_code,
        state: '5',
        type: '1',
      })
    await pool.query(
      `insert into project_stop (id, project_code, source, source_id, code, ordered_by, reason, from_day, until_day)
       values (md5($1), $2, 'rectify', md5($1), '样例停整', '样例机构', '样例', '2026-10-01', '2026-10-05')`,
      [`stop ${projectCode}`, projectCode],
    )
  },
  siteRows: async (pool, { projectCode }) => {
    const { rows } = await pool.query<{ corp_code: string }>(
      `select corp_code from project_corp where project_code = $1 and corp_type = '008' and exit_time is null order by id limit 1`,
      [projectCode],
    )
    const owner = { key: projectCode, projectCode, corpCode: rows[0]?.corp_code ?? '' }
    await insertApplication(pool, { ...owner, name: 'owner draft', state: '0', type: '1' })
    await insertApplication(pool, { ...owner, name: 'to audit', state: '1', type: '3' })
    await insertApplication(pool, { ...owner, name: 'granted', state: '4', type: '2' })
    await pool.query(`update stopapply set doc_code = '样例恢复' where id = md5($1)`, [`granted ${projectCode}`])
  },
  owners: {
    stopapply: ofPeople('stopapply'),
  },
  guarded: ['stopapply', 'project_stop'],
}
