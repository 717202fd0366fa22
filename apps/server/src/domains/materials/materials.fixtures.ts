import { changeMaterial, receiveMaterial, saveMaterialPlan, saveMaterialRule } from '@zhugong/contract/materials/calls'
import { signMaterial } from '@zhugong/contract/materials/seats'
import type pg from 'pg'
import { newId } from '#kit/ids'
import { anyProject, call, type Fixtures, ofPeople, rowId } from '../../../test/fixtures/helpers.ts'
import { strokes } from '../../../test/givens.ts'

interface Given {
  name: string
  key: string
  projectCode: string
  corpCode: string
  state: string
}

async function insertBatch(pool: pg.Pool, { name, key, projectCode, corpCode, state }: Given): Promise<void> {
  const row = [`${name} ${key}`, projectCode, corpCode]
  await pool.query(
    `insert into material_batch (id, project_code, corp_code, shown_at, groups, category, name, spec, supplier, batch_no, quantity, unit, arrive_time,
       cert_files, need_retest, samples_due, tolerance, receiver_id, receiver_name, state, create_by, create_time)
     values (md5($1), $2, $3, now(), '{}', '14', '样例饰面砖', '600×600', '样例供应商', md5($1), 100, '3', now(), '{}', false, 0, 20, 'nobody', '样例', $4,
       'nobody', now())`,
    [...row, state],
  )
  await pool.query(
    `insert into material_event (id, batch_id, project_code, corp_code, shown_at, groups, seq, action, at, quantity, by_id, by_name, group_name)
     values (md5($1 || ' event'), md5($1), $2, $3, now(), '{}', 1, 'receive', now(), 100, 'nobody', '样例', '样例机构')`,
    row,
  )
  await pool.query(
    `insert into material_weigh (weigh_id, batch_id, project_code, corp_code, shown_at, groups, direction, bill_no, plate_no, weighed_at)
     values (md5($1 || ' ticket'), md5($1), $2, $3, now(), '{}', 'in', '样例', '鄂A00001', now())`,
    row,
  )
}

export const fixtures: Fixtures = {
  calls: [
    call(
      receiveMaterial,
      'people',
    )((s, c, a) => ({
      query: { projectCode: s.projectCode },
      body: {
        id: newId(),
        category: '14',
        name: '饰面砖',
        spec: '600×600',
        supplier: '样例供应商',
        quantity: 100,
        unit: '3',
        corpCode: c.corpCode,
        certFiles: [a.fileId],
      },
    })),
    call(
      changeMaterial,
      'people',
    )((_s, c) => ({
      params: { id: rowId('material in use', c) },
      query: anyProject,
      body: { version: 0, action: 'use', quantity: 1, part: '三层走廊' },
    })),
    call(
      changeMaterial,
      'supervision',
    )((_s, c) => ({
      params: { id: rowId('material to accept', c) },
      query: anyProject,
      body: { version: 0, action: 'accept', result: '1', opinion: '', signature: strokes() },
    })),
    call(
      saveMaterialRule,
      'review',
    )((s) => ({
      query: { projectCode: s.projectCode },
      body: { category: '14', needRetest: false, perQuantity: null, unit: null, tolerance: 20 },
    })),
    call(
      saveMaterialPlan,
      'site',
    )((s) => ({
      query: { projectCode: s.projectCode },
      body: { category: '14', name: '饰面砖', spec: '600×600', unit: '3', planned: 5000 },
    })),
  ],
  exempt: [
    {
      why: 'a seat belongs to a role, which row-level security does not know; materials.test.ts tries them',
      calls: [signMaterial],
    },
  ],
  withoutPage: [{ why: 'pages ask for its views, listMaterials, materialFlow and materialStock', names: ['materialRecords'] }],
  projectRows: async ({ pool, projectCode }) => {
    const { rows } = await pool.query<{ corp_code: string }>(
      'select corp_code from project_corp where project_code = $1 order by entry_time, id limit 1',
      [projectCode],
    )
    if (rows[0])
      await insertBatch(pool, { name: 'material of project', key: projectCode, projectCode, corpCode: rows[0].corp_code, state: '1' })
  },
  companyRows: async (pool, { key, corpCode }, { projectCode }) => {
    await insertBatch(pool, { name: 'material in use', key, projectCode, corpCode, state: '1' })
    await insertBatch(pool, { name: 'material to accept', key, projectCode, corpCode, state: '0' })
  },
  owners: { materialBatch: ofPeople('material_batch') },
  guarded: ['material_batch', 'material_event'],
}
