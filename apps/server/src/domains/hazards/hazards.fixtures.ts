import { changeHazard, createHazard, removeHazard } from '@zhugong/contract/hazards/calls'
import { changePermit, createPermit, removePermit, signPermit } from '@zhugong/contract/hazards/permits'
import type pg from 'pg'
import { newId } from '#kit/ids'
import { anyProject, call, type Fixtures, ofPeople, rowId } from '../../../test/fixtures/helpers.ts'

interface Given {
  name: string
  key: string
  projectCode: string
  corpCode: string
  state: string
}

/** A hazard with one patrol. */
async function insertHazard(pool: pg.Pool, { name, key, projectCode, corpCode, state }: Given): Promise<void> {
  const row = [`${name} ${key}`, projectCode, corpCode]
  await pool.query(
    `insert into hazard_source (id, project_code, corp_code, shown_at, groups, author_group, author_group_name, name, hazard_source, part, likelihood,
       exposure, consequence, score, risk_level, control_level, measures, responsible, check_every, start_date, next_check, state, create_by, create_time)
     values (md5($1), $2, $3, now(), '{}', 'nobody', '样例机构', '样例危险源', '{01}', '1层', 1, 1, 1, 1, '4', '2', '{样例措施}', '样例', 7, '2026-01-01',
       '2026-01-08', $4, 'nobody', now())`,
    [...row, state],
  )
  await pool.query(
    `insert into hazard_patrol (id, hazard_id, project_code, corp_code, shown_at, groups, at, by_name, result)
     values (md5($1 || ' patrol'), md5($1), $2, $3, now(), '{}', now(), '样例', '1')`,
    row,
  )
}

/** A permit of a kind that asks for no licence. */
async function insertPermit(pool: pg.Pool, { name, key, projectCode, corpCode, state }: Given): Promise<void> {
  const row = [`${name} ${key}`, projectCode, corpCode]
  await pool.query(
    `insert into work_permit (id, code, project_code, corp_code, shown_at, groups, author_group, author_group_name, type, content, part, start_time, end_time,
       closes_by, state, create_by, create_time)
     values (md5($1), '样例-' || md5($1), $2, $3, now(), '{}', 'nobody', '样例机构', '99', '样例作业', '1层', now() + interval '1 hour',
       now() + interval '5 hours', now() + interval '5 hours', $4, 'nobody', now())`,
    [...row, state],
  )
  await pool.query(
    `insert into work_permit_measure (id, permit_id, project_code, corp_code, shown_at, groups, seq, text, photo, done)
     values (md5($1 || ' measure'), md5($1), $2, $3, now(), '{}', 0, '样例', false, true)`,
    row,
  )
  await pool.query(
    `insert into work_permit_gas (id, permit_id, project_code, corp_code, shown_at, groups, at, spot, tester, oxygen, combustible, carbon_monoxide,
       hydrogen_sulfide) values (md5($1 || ' gas'), md5($1), $2, $3, now(), '{}', now(), '样例', '样例', 20.9, 0, 0, 0)`,
    row,
  )
}

export const fixtures: Fixtures = {
  calls: [
    call(
      createHazard,
      'site',
    )((s, c) => ({
      query: { projectCode: s.projectCode },
      body: {
        id: newId(),
        action: 'save',
        name: '样例危险源',
        hazardSource: ['01'],
        part: '1层',
        corpCode: c.corpCode,
        likelihood: 1,
        exposure: 1,
        consequence: 1,
        riskLevel: '4',
        controlLevel: '2',
        measures: ['样例措施'],
        responsible: '样例',
        checkEvery: 7,
        startDate: '2026-01-01',
      },
    })),
    call(
      changeHazard,
      'site',
    )((_s, c) => ({
      params: { id: rowId('hazard controlled', c) },
      query: anyProject,
      body: { version: 0, action: 'patrol', result: '1' },
    })),
    call(
      createPermit,
      'site',
    )((s, c) => ({
      query: { projectCode: s.projectCode },
      body: {
        id: newId(),
        action: 'save',
        type: '99',
        content: '样例作业',
        part: '1层',
        corpCode: c.corpCode,
        startTime: '2199-01-01 08:00:00',
        endTime: '2199-01-01 12:00:00',
        workers: [c.workerId],
        guardianId: c.workerId,
        measures: [],
      },
    })),
    call(
      changePermit,
      'site',
    )((_s, c) => ({
      params: { id: rowId('permit to approve', c) },
      query: anyProject,
      body: { version: 0, action: 'approve', opinion: '' },
    })),
    call(
      changePermit,
      'site',
    )((_s, c) => ({
      params: { id: rowId('permit approved', c) },
      query: anyProject,
      body: { version: 0, action: 'close', photos: [] },
    })),
  ],
  exempt: [
    {
      why: 'only the group that wrote it throws a draft away, and workers sign under a permit with people; hazards.test.ts tries them',
      calls: [removeHazard, removePermit, signPermit],
    },
  ],
  withoutPage: [{ why: 'pages ask for its views, listHazards and listPermits', names: ['dangerousRecords'] }],
  projectRows: async ({ pool, projectCode }) => {
    const { rows } = await pool.query<{ corp_code: string }>(
      'select corp_code from project_corp where project_code = $1 order by entry_time, id limit 1',
      [projectCode],
    )
    const corpCode = rows[0]?.corp_code
    if (!corpCode) return
    await insertHazard(pool, { name: 'hazard of project', key: projectCode, projectCode, corpCode, state: '2' })
    await insertPermit(pool, { name: 'permit of project', key: projectCode, projectCode, corpCode, state: '2' })
  },
  companyRows: async (pool, { key, corpCode, workerId }, { projectCode }) => {
    await insertHazard(pool, { name: 'hazard controlled', key, projectCode, corpCode, state: '2' })
    await insertPermit(pool, { name: 'permit to approve', key, projectCode, corpCode, state: '1' })
    await insertPermit(pool, { name: 'permit approved', key, projectCode, corpCode, state: '2' })
    await pool.query(
      `insert into work_permit_person (id, permit_id, project_code, corp_code, shown_at, groups, seq, role, worker_id, name)
       values (md5($1 || ' person'), md5($1), $2, $3, now(), '{}', 1, 'worker', $4, '样例')`,
      [`permit approved ${key}`, projectCode, corpCode, workerId],
    )
  },
  owners: { hazardSource: ofPeople('hazard_source'), workPermit: ofPeople('work_permit') },
  guarded: ['hazard_source', 'hazard_patrol', 'work_permit', 'work_permit_person', 'work_permit_measure', 'work_permit_gas'],
}
