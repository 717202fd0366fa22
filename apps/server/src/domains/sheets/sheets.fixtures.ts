import { changeSheet, createSheet, removeSheet } from '@zhugong/contract/sheets/calls'
import { signSheet } from '@zhugong/contract/sheets/seats'
import type pg from 'pg'
import { newId } from '#kit/ids'
import { anyProject, call, type Fixtures, ofPeople, rowId } from '../../../test/fixtures/helpers.ts'
import { strokes } from '../../../test/givens.ts'

/** A record sheet of a project, with a problem and a person; `group`: an SQL expression for the institution. */
async function insertSheet(pool: pg.Pool, name: string, projectCode: string, state: string): Promise<void> {
  const row = [`${name} ${projectCode}`, projectCode, state]
  await pool.query(
    `insert into manualsheet (id, code, project_code, corp_code, shown_at, groups, group_id, group_name, owner_group, doc_type, check_date, officers, check_part,
       content, opinion, author_name, submit_time, state, create_by, create_time)
     select md5($1), case when $3 <> '0' then '样例-' || md5($1) end, p.project_code, p.contractor_corp_code, case when $3 <> '0' then now() end, array[g.id], g.id,
       '样例机构', (select t.id from tenant t where t.type = 2 and t.code = p.build_corp_code), '102', '2026-11-01', array['样例'], '三层', '样例检查情况', '1', '样例', now(), $3, 'nobody', now()
     from project p cross join lateral (select coalesce((select t.id from tenant t where t.type = 1 and t.code = p.supervise_org), 'nobody') as id) g
     where p.project_code = $2`,
    row,
  )
  const key = row.slice(0, 1)
  await pool.query(
    `insert into manualsheet_problem (sheet_id, seq, project_code, corp_code, shown_at, groups, description)
     select id, 0, project_code, corp_code, shown_at, groups, '样例问题' from manualsheet where id = md5($1)`,
    key,
  )
  await pool.query(
    `insert into manualsheet_person (sheet_id, seq, project_code, corp_code, shown_at, groups, name)
     select id, 0, project_code, corp_code, shown_at, groups, '样例' from manualsheet where id = md5($1)`,
    key,
  )
}

export const fixtures: Fixtures = {
  calls: [
    call(
      createSheet,
      'body',
    )((s) => ({
      query: { projectCode: s.projectCode },
      body: { id: newId(), docType: '102', checkPart: '三层', content: '样例检查情况' },
    })),
    call(
      changeSheet,
      'body',
    )((s) => ({ params: { id: rowId('sheet draft', s) }, query: anyProject, body: { version: 0, action: 'save', docType: '102' } })),
    call(
      signSheet,
      'supervision',
    )((s) => ({
      params: { id: rowId('sheet to sign', s) },
      query: anyProject,
      body: { action: 'sign', id: newId(), seat: 'supervisor', image: strokes() },
    })),
    call(
      signSheet,
      'state',
    )((s) => ({
      params: { id: rowId('sheet to sign', s) },
      query: anyProject,
      body: { action: 'sign', id: newId(), seat: 'owner', image: strokes() },
    })),
    call(removeSheet, 'body')((s) => ({ params: { id: rowId('sheet draft', s) }, query: anyProject })),
  ],
  projectRows: ({ pool, projectCode }) => insertSheet(pool, 'sheet of', projectCode, '3'),
  siteRows: async (pool, { projectCode }) => {
    await insertSheet(pool, 'sheet draft', projectCode, '0')
    await insertSheet(pool, 'sheet to sign', projectCode, '1')
  },
  owners: { manualsheet: ofPeople('manualsheet') },
  guarded: ['manualsheet'],
}
