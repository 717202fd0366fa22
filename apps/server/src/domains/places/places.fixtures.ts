import { changePlace, copyRooms, createPlace, createPlaces, orderPlaces, removePlace, setPlan } from '@zhugong/contract/places/places'
import { changeUnitProject, createUnitProject, removeUnitProject } from '@zhugong/contract/places/units'
import type pg from 'pg'
import { call, type Fixtures, type Meanwhile, ofProject, rowId } from '../../../test/fixtures/helpers.ts'
import { freshId } from '../../../test/parts/clone-row.ts'

/** A building with two floors, a room, a plan, and a unit of the works. */
async function insertTree(pool: pg.Pool, projectCode: string): Promise<void> {
  await pool.query(
    `insert into unit_project (id, project_code, seq, name) select md5('unit ' || $1::text), $1, 901, '样例单体'
     union all select md5('spare unit ' || $1::text), $1, 902, '备用单体'`,
    [projectCode],
  )
  await pool.query(
    `insert into site_place (id, project_code, parent_id, kind, seq, name, path, full_name) values
       (md5('building ' || $1::text), $1, null, 'building', 901, '样例楼', array[md5('building ' || $1::text)], '样例楼'),
       (md5('floor ' || $1::text), $1, md5('building ' || $1::text), 'floor', 1, '1层', array[md5('building ' || $1::text), md5('floor ' || $1::text)], '样例楼 / 1层'),
       (md5('other floor ' || $1::text), $1, md5('building ' || $1::text), 'floor', 2, '2层', array[md5('building ' || $1::text), md5('other floor ' || $1::text)],
         '样例楼 / 2层'),
       (md5('room ' || $1::text), $1, md5('floor ' || $1::text), 'room', 1, '101',
         array[md5('building ' || $1::text), md5('floor ' || $1::text), md5('room ' || $1::text)], '样例楼 / 1层 / 101')`,
    [projectCode],
  )
  await pool.query(
    `insert into site_plan (id, project_code, place_id, file_id, ratio, by_name, at)
     values (md5('plan ' || $1::text), $1, md5('floor ' || $1::text), 'none', 1.5, '样例', now())`,
    [projectCode],
  )
}

const unchanged: Meanwhile = [
  `update site_place set version = 0 where id = md5('room ' || $1::text)`,
  `update site_place set version = 0 where id = md5('room ' || $1::text)`,
]
const unitUnchanged: Meanwhile = [
  `update unit_project set version = 0 where id = md5('unit ' || $1::text)`,
  `update unit_project set version = 0 where id = md5('unit ' || $1::text)`,
]
const spareUnit = `insert into unit_project (id, project_code, seq, name) values (md5('spare unit ' || $1::text), $1, 902, '备用单体') on conflict do nothing`
const room = `insert into site_place (id, project_code, parent_id, kind, seq, name, path, full_name)
  values (md5('spare room ' || $1::text), $1, md5('other floor ' || $1::text), 'room', 9, '209',
    array[md5('building ' || $1::text), md5('other floor ' || $1::text), md5('spare room ' || $1::text)], '样例楼 / 2层 / 209') on conflict do nothing`

export const fixtures: Fixtures = {
  calls: [
    call(
      createPlace,
      'site',
    )((s) => ({ body: { projectCode: s.projectCode, parentId: rowId('floor', s), kind: 'room', name: freshId().slice(0, 8) } })),
    call(changePlace, 'site', { meanwhile: unchanged })((s) => ({
      body: { id: rowId('room', s), version: 0, name: '101', code: 'F1-01' },
    })),
    call(removePlace, 'site', { meanwhile: [room, room] })((s) => ({ params: { id: rowId('spare room', s) } })),
    call(orderPlaces, 'site')((s) => ({ body: { projectCode: s.projectCode, ids: [rowId('other floor', s), rowId('floor', s)] } })),
    call(createPlaces, 'site')((s) => ({ body: { projectCode: s.projectCode, parentId: rowId('building', s), from: 1, to: 3, rooms: 2 } })),
    call(copyRooms, 'site')((s) => ({ body: { id: rowId('floor', s), to: [rowId('other floor', s)] } })),
    call(setPlan, 'site')((s, _c, a) => ({ body: { id: rowId('other floor', s), file: a.fileId, ratio: 1.4 } })),
    call(
      createUnitProject,
      'site',
    )((s) => ({ body: { projectCode: s.projectCode, name: `样例 ${freshId().slice(0, 8)}`, type: '1', part: '1' } })),
    call(changeUnitProject, 'site', { meanwhile: unitUnchanged })((s) => ({
      params: { id: rowId('unit', s) },
      body: { version: 0, name: '样例单体', type: '1', part: '1', progressPercent: 30 },
    })),
    call(removeUnitProject, 'site', { meanwhile: [spareUnit, spareUnit] })((s) => ({ params: { id: rowId('spare unit', s) } })),
  ],
  projectRows: async ({ pool, projectCode }) => insertTree(pool, projectCode),
  owners: {
    unitProject: ofProject('unit_project'),
    sitePlace: ofProject('site_place'),
    sitePlan: ofProject('site_plan'),
  },
  guarded: ['unit_project', 'site_place', 'site_plan'],
}
