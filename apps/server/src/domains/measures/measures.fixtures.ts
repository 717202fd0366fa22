import { randomUUID } from 'node:crypto'
import { changeMeasure, createMeasure, removeMeasure } from '@zhugong/contract/measures/measures'
import type pg from 'pg'
import { anyProject, call, daysAgo, type Fixtures, ofPeople, rowId } from '../../../test/fixtures/helpers.ts'

interface Given {
  name: string
  key: string
  projectCode: string
  corpCode: string
  state: string
  done?: boolean
}

async function insertMeasure(pool: pg.Pool, { name, key, projectCode, corpCode, state, done = false }: Given): Promise<void> {
  const row = [`${name} ${key}`, projectCode, corpCode]
  await pool.query(
    `insert into safety_measure (id, project_code, corp_code, shown_at, groups, author_group, author_group_name, name, hazard_source, risk_level,
       content, responsible, start_date, end_date, cost, done_at, state, create_by, create_time)
     values (md5($1), $2, $3, now(), '{}', 'nobody', '样例机构', '临边防护专项措施', '01', '2', '补齐各层临边防护栏杆并每日巡查', '样例', '2026-11-01',
       '2026-12-01', 120000, $5, $4, 'nobody', now())`,
    [...row, state, done ? new Date() : null],
  )
  await pool.query(
    `insert into safety_measure_work (id, measure_id, project_code, corp_code, shown_at, groups, note, photos, by_id, by_name, at)
     values (md5($1 || ' work'), md5($1), $2, $3, now(), '{}', '栏杆已补齐', '{}', 'nobody', '样例', now())`,
    row,
  )
}

export const fixtures: Fixtures = {
  calls: [
    call(
      createMeasure,
      'site',
    )((s, c, a) => ({
      query: { projectCode: s.projectCode },
      body: {
        id: randomUUID().replaceAll('-', ''),
        action: 'save',
        name: '临边防护专项措施',
        hazardSource: '01',
        riskLevel: '2',
        content: '各层临边补齐防护栏杆，由架子班组三日内完成',
        corpCode: c.corpCode,
        responsible: '周大勇',
        startDate: daysAgo(0),
        endDate: daysAgo(-10),
        photos: [a.fileId],
      },
    })),
    call(
      changeMeasure,
      'people',
    )((_s, c, a) => ({
      params: { id: rowId('measure to do', c) },
      query: anyProject,
      body: { version: 0, action: 'implement', photos: [a.fileId], note: '栏杆已补齐验收' },
    })),
    call(
      changeMeasure,
      'supervision',
    )((_s, c) => ({
      params: { id: rowId('measure done', c) },
      query: anyProject,
      body: { version: 0, action: 'archive', opinion: '属实' },
    })),
  ],
  exempt: [
    {
      why: 'only the group that wrote a draft knows of it, which no other caller shares; measures.test.ts tries it with every account',
      calls: [removeMeasure],
    },
  ],
  projectRows: async ({ pool, projectCode }) => {
    const { rows } = await pool.query<{ corp_code: string }>(
      'select corp_code from project_corp where project_code = $1 order by entry_time, id limit 1',
      [projectCode],
    )
    if (rows[0])
      await insertMeasure(pool, { name: 'measure of project', key: projectCode, projectCode, corpCode: rows[0].corp_code, state: '1' })
  },
  companyRows: async (pool, { key, corpCode }, { projectCode }) => {
    await insertMeasure(pool, { name: 'measure to do', key, projectCode, corpCode, state: '1' })
    await insertMeasure(pool, { name: 'measure done', key, projectCode, corpCode, state: '1', done: true })
  },
  owners: { safetyMeasure: ofPeople('safety_measure') },
  guarded: ['safety_measure', 'safety_measure_work'],
}
