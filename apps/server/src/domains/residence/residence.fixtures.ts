import { changeRoom, createRooms, moveOutLeft, removeRoom } from '@zhugong/contract/residence/calls'
import type pg from 'pg'
import { newId } from '#kit/ids'
import { anyProject, call, type Fixtures, ofPeople, ofProject, rowId } from '../../../test/fixtures/helpers.ts'

const insertRoom = (pool: pg.Pool, name: string, key: string, projectCode: string) =>
  pool.query(
    `insert into living_room (id, project_code, type, building_name, floor, room_no, area, beds, manager, extinguisher, smoke_alarm, emergency_light,
       exit_sign, low_voltage, power_limit, create_by, create_time)
     values (md5($1), $2, '1', '样例', 1, $1, 20, 8, '样例', true, true, true, true, true, true, 'nobody', now())`,
    [`${name} ${key}`.slice(0, 80), projectCode],
  )

export const fixtures: Fixtures = {
  calls: [
    call(
      createRooms,
      'site',
    )((s, c) => ({
      query: { projectCode: s.projectCode },
      body: {
        rooms: [
          { type: '1', buildingName: c.key.slice(0, 40), floor: 1, roomNo: newId().slice(0, 12), area: 20, beds: 4, manager: '样例' },
        ],
      },
    })),
    call(
      changeRoom,
      'site',
    )((s) => ({
      params: { id: rowId('room of site', s) },
      query: anyProject,
      body: { version: 0, action: 'check', fire: true, power: true, hygiene: true },
    })),
    call(removeRoom, 'site')((s) => ({ params: { id: rowId('empty room of site', s) }, query: anyProject })),
  ],
  exempt: [{ why: 'moves out whoever has left the site, of whom the fixtures have nobody: residence.test.ts', calls: [moveOutLeft] }],
  projectRows: async ({ pool, projectCode }) => {
    await insertRoom(pool, 'room of project', projectCode, projectCode)
    await pool.query(
      `insert into room_stay (id, room_id, project_code, corp_code, worker_id, name, gender, bed, from_day, by_name)
       select md5('stay of project ' || $1), md5('room of project ' || $1), $1, corp_code, worker_id, '样例', '1', 1, '2026-01-01', '样例'
       from project_worker where project_code = $1 and exit_time is null order by entry_time, id limit 1`,
      [projectCode],
    )
    await pool.query(
      `insert into room_check (id, room_id, project_code, at, by_name, fire, power, hygiene)
       values (md5('check of project ' || $1), md5('room of project ' || $1), $1, now(), '样例', true, true, true)`,
      [projectCode],
    )
  },
  siteRows: async (pool, { key, projectCode }) => {
    await insertRoom(pool, 'room of site', key, projectCode)
    await insertRoom(pool, 'empty room of site', key, projectCode)
  },
  owners: { livingRoom: ofProject('living_room'), roomStay: ofPeople('room_stay') },
  guarded: ['living_room', 'room_stay', 'room_check'],
}
