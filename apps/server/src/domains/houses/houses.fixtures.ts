import { runHouseSync, signHouse } from '@zhugong/contract/houses/houses'
import type pg from 'pg'
import { newId } from '#kit/ids'
import { anyProject, call, type Fixtures, ofProject, rowId } from '../../../test/fixtures/helpers.ts'
import { strokes } from '../../../test/givens.ts'

/** A house in acceptance in the room of the places' fixtures, with one item. */
async function insertHouse(pool: pg.Pool, name: string, key: string, projectCode: string, state: string): Promise<void> {
  const row = [`${name} ${key}`, projectCode]
  await pool.query(
    `insert into house (id, project_code, shown_at, groups, external_no, place_id, building_id, building_name, floor_name, name, state, create_by, create_time)
     values (md5($1), $2, now(), '{}', md5($1), md5('room ' || $2::text), md5('building ' || $2::text), '样例楼', '1层', '101', $3, 'nobody', now())`,
    [...row, state],
  )
  await pool.query(
    `insert into house_item (house_id, item_code, project_code, result, by_name, at) values (md5($1), '0101', $2, '1', '样例', now())`,
    row,
  )
}

export const fixtures: Fixtures = {
  calls: [
    call(runHouseSync, 'review')((_s, c) => ({ query: anyProject, body: { action: 'start', id: rowId('house to start', c), version: 0 } })),
    call(
      signHouse,
      'supervision',
    )((_s, c) => ({
      params: { id: rowId('house running', c) },
      query: anyProject,
      body: { action: 'sign', id: newId(), seat: 'supervisor', image: strokes() },
    })),
  ],
  projectRows: async ({ pool, projectCode }) => {
    await insertHouse(pool, 'house of project', projectCode, projectCode, '0')
    await pool.query(
      `insert into house_sync (id, project_code, source, at, rows, added, changed, missing, failed, by_name)
       values (md5('house sync ' || $1::text), $1, 'file', now(), 1, 1, 0, 0, 0, '样例')`,
      [projectCode],
    )
  },
  companyRows: async (pool, { key }, { projectCode }) => {
    await insertHouse(pool, 'house to start', key, projectCode, '0')
    await insertHouse(pool, 'house running', key, projectCode, '1')
  },
  owners: { house: ofProject('house') },
  guarded: ['house', 'house_sync'],
}
