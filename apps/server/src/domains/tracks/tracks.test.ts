import { shanghaiOffsetMs } from '@zhugong/contract/kit/time'
import { getDuty, getTrack, listLooks, saveDutyHours, sendPlaces, setDuty, trackSheet } from '@zhugong/contract/tracks/calls'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { newId } from '#kit/ids'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'
import { forgetPlaces } from './public.ts'

let world: World
let settled: CityWorld
const cast = {
  officer: 'bj-zhao',
  second: 'bj-qian',
  head: 'bj-wu',
  otherDistrict: 'yd-wang',
  site: 'hospital-pm',
  company: 'yunze-lu',
  platform: 'admin',
} as const
type Who = keyof typeof cast
const as = {} as Record<Who, Caller>
const ids = {} as Record<Who, string>

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  for (const [who, account] of Object.entries(cast) as [Who, string][]) {
    as[who] = await settled.as(account)
    const { rows } = await sql<{ id: string }>`select id from app_user where account = ${account}`.execute(world.database.kysely)
    ids[who] = rows[0]?.id ?? ''
  }
}, 180_000)
afterAll(() => world.close())
const db = () => world.database.kysely
const always = { begin: '00:00', end: '24:00', weekdays: [1, 2, 3, 4, 5, 6, 7], keepDays: 90 }
beforeEach(async () => {
  for (const table of ['officer_place', 'officer_shift', 'officer_setting']) await sql`delete from ${sql.table(table)}`.execute(db())
  await sql`truncate officer_look`.execute(db())
  await as.head.call(saveDutyHours, { body: { ...always, version: 0 } })
})

const place = (ago = 0, more: object = {}) => ({ id: newId(), time: Date.now() - ago, lng: 114.3, lat: 30.6, accuracy: 10, ...more })
const on = async (who: Who, minutesAgo = 60) => {
  await as[who].call(setDuty, { body: { on: true } })
  await sql`update officer_shift set begin_time = now() - make_interval(mins => ${minutesAgo}) where user_id = ${ids[who]}`.execute(db())
}
const stored = async () => (await sql<{ n: number }>`select count(*)::int as n from officer_place`.execute(db())).rows[0]?.n

test('a batch is stored once, however often the device sends it', async () => {
  await on('officer')
  const places = [place(3 * 60_000), place(60_000), place()]
  expect(await as.officer.call(sendPlaces, { body: { places } })).toEqual({ stored: 3, refused: [] })
  expect(await as.officer.call(sendPlaces, { body: { places: [...places, place()] } })).toEqual({ stored: 1, refused: [] })
  expect(await stored()).toBe(4)
})

test('the id of another officer’s position stands in nobody’s way', async () => {
  await on('officer')
  await on('second')
  const given = place()
  await as.officer.call(sendPlaces, { body: { places: [given] } })
  expect(await as.second.call(sendPlaces, { body: { places: [given] } })).toMatchObject({ stored: 1 })
})

/** A weekday that is neither today nor beside it: places from before midnight are off duty as well. ISO numbers, Monday is 1. */
function farWeekday(): number[] {
  const days = 3
  return [((new Date(Date.now() + shanghaiOffsetMs).getUTCDay() + 6 + days) % 7) + 1]
}

test('nothing is stored outside of the duty hours, while switched off, from the future or from long ago, and it says so', async () => {
  expect((await as.officer.call(sendPlaces, { body: { places: [place()] } })).refused[0]?.why).toContain('定位未开启')
  await on('officer', 30)
  const { refused } = await as.officer.call(sendPlaces, {
    body: { places: [place(50 * 60_000), place(-10 * 60_000), place(3 * 86_400_000)] },
  })
  expect(refused.map((one) => one.why)).toEqual([
    expect.stringContaining('定位未开启'),
    expect.stringContaining('晚于'),
    expect.stringContaining('2 天'),
  ])
  await as.head.call(saveDutyHours, { body: { ...always, weekdays: farWeekday(), version: 0 } })
  const off = await as.officer.call(sendPlaces, { body: { places: [place()] } })
  expect(off).toMatchObject({ stored: 0, refused: [{ why: expect.stringContaining('不在执勤时段') }] })
  expect(await as.officer.call(getDuty, { query: {} })).toMatchObject({ on: true, open: false })
  expect(await stored()).toBe(0)
})

test('a running check opens it outside of the duty hours, from its beginning on', async () => {
  await on('officer')
  await as.head.call(saveDutyHours, { body: { ...always, weekdays: farWeekday(), version: 0 } })
  const projectCode = settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  await sql`insert into site_check (id, kind, project_code, groups, checker_group, checker_group_name, checker_id, inspect_type, check_time, checkers, part, state, create_by, create_time)
    select 'open-check', 'securityCheck', ${projectCode}, array[m.group_id], m.group_id, '区站', m.user_id, '11', now(), '{赵}', '三层', '0', m.user_id, now() - interval '20 minutes'
    from member m where m.user_id = ${ids.officer} and m.is_default`.execute(db())
  const answer = await as.officer.call(sendPlaces, { body: { places: [place(10 * 60_000), place(40 * 60_000)] } })
  expect(answer).toMatchObject({ stored: 1, refused: [{ why: expect.stringContaining('不在执勤时段') }] })
  await sql`delete from site_check where id = 'open-check'`.execute(db())
})

test('only the own institution sees positions, and an officer without the right only his own', async () => {
  await on('officer')
  await as.officer.call(sendPlaces, { body: { places: [place()] } })
  const track = (userId: string) => ({ query: { userId } })
  expect((await as.head.call(getTrack, { query: {} })).officers).toMatchObject([{ userId: ids.officer, state: 'duty' }])
  expect((await as.head.call(getTrack, track(ids.officer))).day?.segments).toHaveLength(1)
  expect((await as.second.ask(getTrack, track(ids.officer))).status).not.toBe(0)
  expect((await as.second.call(getTrack, { query: {} })).officers).toEqual([])
  expect((await as.officer.call(getTrack, track(ids.officer))).day?.name).toBeTruthy()
  await sql`insert into member_role (member_id, role_id) select m.id, r.id from member m join app_user u on u.id = m.user_id and u.account = 'yd-wang',
    role r where r.groups_type = 1 and r.name = '科室负责人' and r.group_id is null on conflict do nothing`.execute(db())
  const neighbour = await settled.as('yd-wang')
  expect((await neighbour.call(getTrack, { query: {} })).officers).toEqual([])
  expect((await neighbour.ask(getTrack, track(ids.officer))).status).not.toBe(0)
  for (const who of ['site', 'company', 'platform'] as const) {
    expect((await as[who].ask(getTrack, { query: {} })).status, who).not.toBe(0)
    expect((await as[who].ask(sendPlaces, { body: { places: [place()] } })).status, who).not.toBe(0)
    expect(
      (await as[who].ask(trackSheet, { query: { userId: ids.officer, day: '2026-11-27', purpose: '核对出勤' } })).status,
      who,
    ).not.toBe(0)
  }
})

test('every look is kept, and the officer sees who looked; his own looks are not kept', async () => {
  await on('officer')
  await as.officer.call(sendPlaces, { body: { places: [place()] } })
  await as.officer.call(getTrack, { query: { userId: ids.officer } })
  await as.head.call(getTrack, { query: {} })
  await as.head.call(getTrack, { query: {} })
  await as.head.call(getTrack, { query: { userId: ids.officer } })
  const day = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)
  expect((await as.head.ask(trackSheet, { query: { userId: ids.officer, day, purpose: '无' } })).status).not.toBe(0)
  const sheet = await as.head.ask(trackSheet, { query: { userId: ids.officer, day, purpose: '核对现场检查' } })
  expect(Buffer.isBuffer(sheet.data)).toBe(true)
  const seen = await as.officer.call(listLooks, { query: {} })
  expect(seen.list.map((one) => one.kind).sort()).toEqual(['day', 'latest', 'sheet'])
  expect(seen.list.find((one) => one.kind === 'sheet')).toMatchObject({ purpose: '核对现场检查' })
  expect((await as.second.call(listLooks, { query: {} })).total).toBe(0)
})

test('the hours are set by whoever may view, with a version, and positions go when they are old enough', async () => {
  expect((await as.officer.ask(saveDutyHours, { body: { ...always, version: 0 } })).status).not.toBe(0)
  await as.head.call(saveDutyHours, { body: { ...always, keepDays: 30, version: 0 } })
  expect((await as.head.ask(saveDutyHours, { body: { ...always, version: 0 } })).status).not.toBe(0)
  expect((await as.head.ask(saveDutyHours, { body: { ...always, begin: '18:00', end: '08:00', version: 1 } })).status).not.toBe(0)
  await on('officer')
  await as.officer.call(sendPlaces, { body: { places: [place(), place(60_000)] } })
  await forgetPlaces(db(), Date.now() + 29 * 86_400_000)
  expect(await stored()).toBe(2)
  await forgetPlaces(db(), Date.now() + 31 * 86_400_000)
  expect(await stored()).toBe(0)
})
