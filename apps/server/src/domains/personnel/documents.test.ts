import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { exportStatus, submitExport } from '@zhugong/contract/exports/endpoints'
import { shanghaiOffsetMs } from '@zhugong/contract/kit/time'
import { exitWorkers } from '@zhugong/contract/labour/stays'
import { mostBadges } from '@zhugong/contract/personnel/badges'
import * as peopleCalls from '@zhugong/contract/personnel/people'
import { createSession } from '@zhugong/contract/personnel/training'
import * as workersCalls from '@zhugong/contract/personnel/workers'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createLog } from '#kit/log'
import { greyPng } from '#kit/png'
import { createSecrets } from '#kit/secret'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { newcomer, type Site, siteOf } from '../../../test/givens.ts'
import type { Caller, World } from '../../../test/world.ts'
import { runExport } from '../exports/run-export.ts'

let world: World
let settled: CityWorld
let manager: Caller
let site: Site
let root: string
const clock = { now: () => Date.now() }

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  manager = await settled.as('hospital-pm')
  site = await siteOf(world, settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? '')
  root = mkdtempSync(join(tmpdir(), 'zg-documents-'))
})
afterAll(async () => {
  await world.close()
  rmSync(root, { recursive: true })
})

async function printed(feature: string, query: object, as: Caller = manager) {
  const { id } = await as.call(submitExport, { body: { feature, exportType: 'pdf', query: query as Record<string, unknown> } })
  const { database, config } = world
  const folder = join(root, 'exports')
  await runExport({ database, clock, secrets: createSecrets(config.secretKey), log: createLog('test', 'warn'), folder }, id)
  const task = await database.kysely.selectFrom('exportTask').select(['status', 'message']).where('id', '=', id).executeTakeFirstOrThrow()
  if (task.status !== exportStatus.done) return { message: task.message, pages: 0, images: 0 }
  const body = readFileSync(join(folder, `${id}.pdf`)).toString('latin1')
  return { message: '', pages: body.match(/\/Type \/Page\b/g)?.length ?? 0, images: body.match(/\/Subtype \/Image/g)?.length ?? 0 }
}
async function person(name: string) {
  const made = await manager.call(workersCalls.registerWorker, { body: newcomer(site, { name }) })
  return { workerId: made.workerId, stayId: made.projectWorkerId ?? '' }
}

test('badges are cut eight from a sheet, with the picture where there is one', async () => {
  const people = await Promise.all(Array.from('甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午', (one) => person(`边胸牌${one}`)))
  const ids = people.map((p) => p.stayId).join(',')
  const bare = await printed('workerBadge', { ids })
  expect([bare.message, bare.pages]).toEqual(['', 3])
  const picture = greyPng(new Uint8Array(4).fill(0xff), 2, 2)
  const sha256 = 'ab'.repeat(32)
  const path = join(root, 'files', 'ab', sha256)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, picture)
  await world.database.kysely
    .insertInto('storedFile')
    .values({
      id: 'badge-face',
      name: '证件照.png',
      mime: 'image/png',
      bytes: picture.length,
      sha256,
      groupId: site.groupId,
      createBy: 'test',
      projectCode: null,
    })
    .execute()
  await world.database.pool.query("update worker set head_image = 'badge-face' where id = $1", [people[0]?.workerId])
  expect((await printed('workerBadge', { ids })).images).toBeGreaterThan(bare.images)
})

test('badges of a filter are those of the list; too many, nobody, and whoever has left are told', async () => {
  const stays = await manager.call(peopleCalls.listStays, { query: { teamId: site.teamId, stationed: '1', size: 1 } })
  const team = await printed('workerBadge', { teamId: site.teamId, view: 'project' })
  expect([team.message, team.pages]).toEqual(['', Math.ceil(stays.total / 8)])
  expect((await printed('workerBadge', { name: '没有这样的人' })).message).toContain('没有符合筛选')
  const gone = await person('边离开')
  await manager.call(exitWorkers, {
    body: { ids: [gone.stayId], exitTime: new Date(Date.now() + shanghaiOffsetMs).toISOString().slice(0, 10), exitReason: '1' },
  })
  expect((await printed('workerBadge', { ids: gone.stayId })).message).toContain('已经退场')
  const many = Array.from({ length: mostBadges + 1 }, (_, i) => `x${i}`).join(',')
  await expect(printed('workerBadge', { ids: many })).rejects.toThrow(`${mostBadges}`)
  const stranger = await settled.as('zhigu-pm')
  const other = await person('边外人')
  expect((await printed('workerBadge', { ids: other.stayId }, stranger)).message).toContain('不在您的管辖范围')
})

test('the sheet of a person, the card of three levels and the list to sign are made', async () => {
  const one = await person('边三表')
  const { id } = await manager.call(createSession, {
    query: { projectCode: site.projectCode },
    body: {
      corpCode: site.corpCode,
      trainingType: '003101',
      name: '公司级安全教育',
      trainer: '廖安全',
      startTime: '2026-11-01 08:00:00',
      duration: 15,
      content: '法律法规、规章制度',
      workers: [{ projectWorkerId: one.stayId, passed: true, score: 88 }],
    },
  })
  expect(await printed('workerDossier', { id: one.workerId })).toMatchObject({ message: '', pages: expect.any(Number) })
  expect((await printed('workerDossier', { id: one.workerId, parts: 'identity' })).pages).toBe(1)
  expect(await printed('trainingSheet', { id })).toMatchObject({ message: '', pages: 1 })
  expect(await printed('trainingCard', { ids: one.stayId })).toMatchObject({ message: '', pages: 1 })
  const stranger = await settled.as('zhigu-pm')
  for (const [feature, query] of [
    ['workerDossier', { id: one.workerId }],
    ['trainingSheet', { id }],
    ['trainingCard', { ids: one.stayId }],
  ] as const)
    expect((await printed(feature, query, stranger)).message).toMatch(/不存在|管辖范围/)
})
