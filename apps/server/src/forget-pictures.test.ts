import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as contract from '@zhugong/contract/settings/system'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../test/city.ts'
import type { Caller, World } from '../test/world.ts'
import { forgetPictures } from './forget-pictures.ts'

const now = Date.parse('2026-11-20T10:00:00+08:00')
let world: World
let city: CityWorld
let platform: Caller
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  city = await settleCity(world)
  platform = await city.as('admin')
})
afterAll(() => world.close())

test('pictures that came by themselves go when their days are over; what people filed and what is laid to an alarm stays', async () => {
  const { pool, kysely } = world.database
  const folder = await mkdtemp(join(tmpdir(), 'zg-pictures-'))
  const projectCode = city.city.projects[0]?.projectCode ?? ''
  const { rows: devices } = await pool.query<{ id: string }>('select id from device where project_code = $1 limit 1', [projectCode])
  const put = async (id: string, source: string | null, days: number, sha256: string) => {
    await mkdir(join(folder, sha256.slice(0, 2)), { recursive: true })
    await writeFile(join(folder, sha256.slice(0, 2), sha256), 'picture')
    await pool.query(
      `insert into stored_file (id, project_code, group_id, name, mime, bytes, sha256, create_time, create_by, source)
       select $1, $2, id, 'p.png', 'image/png', 7, $3, $4, '闸机', $5 from tenant where type = 3 and code = $2`,
      [id, projectCode, sha256, new Date(now - days * 86_400_000), source],
    )
  }
  const mark = (id: string, file: string | null, days: number, alarmId: string | null) =>
    pool.query(
      `insert into video_mark (id, project_code, device_id, kind, at, file_id, note, by_id, by_name, by_group, create_time, alarm_id)
       values ($1, $2, $3, $4, $5, $6, '样例', 'x', '某人', '某组', $5, $7)`,
      [id, projectCode, devices[0]?.id, file ? 'snapshot' : 'bookmark', new Date(now - days * 86_400_000), file, alarmId],
    )
  await pool.query(
    `insert into alarm (id, project_code, device_id, device_name, family, alarm_key, label, level, max_level, start_time, fire_time)
     values ('kept for', $1, $2, '摄像机', 'videoAi', 'kept', '样例', 3, 3, now(), now())`,
    [projectCode, devices[0]?.id],
  )
  await put('gate-old', 'attendance', 1200, 'aa11')
  await put('gate-new', 'attendance', 1000, 'bb22')
  await put('filed', null, 3000, 'aa11')
  await put('device-old', 'device', 1200, 'cc33')
  await put('seen-old', 'video', 400, 'dd44')
  await put('seen-kept', 'video', 400, 'ee55')
  await put('filed-seen', null, 400, 'ff66')
  await mark('m1', 'seen-old', 400, null)
  await mark('m2', 'seen-kept', 400, 'kept for')
  await mark('m3', 'filed-seen', 400, null)
  await mark('m4', null, 300, null)
  const left = async (table: string, ids: string[]) =>
    (await pool.query<{ id: string }>(`select id from ${table} where id = any ($1) order by id`, [ids])).rows.map((row) => row.id)
  expect(await forgetPictures(kysely, folder, now)).toEqual({ attendance: 1, device: 1, video: 1 })
  const files = ['gate-old', 'gate-new', 'filed', 'device-old', 'seen-old', 'seen-kept', 'filed-seen']
  expect(await left('stored_file', files)).toEqual(['filed', 'filed-seen', 'gate-new', 'seen-kept'])
  expect(await left('video_mark', ['m1', 'm2', 'm3', 'm4'])).toEqual(['m2', 'm4'])
  // Two rows refer to one content: the file is kept as long as either row exists.
  expect(['aa/aa11', 'bb/bb22', 'cc/cc33', 'dd/dd44', 'ee/ee55'].map((path) => existsSync(join(folder, path)))).toEqual([
    true,
    true,
    false,
    false,
    true,
  ])
  // As the operator sets it, but not below the legal minimum.
  const { version, value } = (await platform.call(contract.getSystem)).retention
  const set = (days: number) =>
    platform.ask(contract.setSystem, { body: { part: 'retention', value: { ...value, attendancePictureDays: days }, version } })
  expect(await set(200)).toMatchObject({ http: 400, message: '考勤抓拍保留至少 365 天' })
  expect(await set(400)).toMatchObject({ status: 0 })
  expect(await forgetPictures(kysely, folder, now)).toEqual({ attendance: 1, device: 0, video: 0 })
})
