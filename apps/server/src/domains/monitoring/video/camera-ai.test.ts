import { listNotices, sendNotice } from '@zhugong/contract/alarms/notices'
import { findAiEvents, findAiGroups } from '@zhugong/contract/monitoring/video/ai-events'
import * as calls from '@zhugong/contract/monitoring/video/camera-ai'
import { rehearseTrigger } from '@zhugong/contract/rules/endpoints'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openHospital } from '../../../../test/city.ts'
import type { Caller, World } from '../../../../test/world.ts'

const now = Date.parse('2026-11-27T04:00:00Z')
const hour = 3_600_000
let world: World
let settled: CityWorld
let pm: Caller
let regulator: Caller
let stranger: Caller
let main: string
let camera: string

async function seen(ago: number, data: Record<string, unknown>): Promise<void> {
  await world.database.pool.query(
    `insert into device_record (device_id, project_code, ts, id, record, data, received_at) values ($1, $2, $3, $4, 'aiEvent', $5, $3)`,
    [camera, main, new Date(now - ago), `aiEvent:${now - ago}`, JSON.stringify(data)],
  )
}

beforeAll(async () => {
  ;({ world, settled, pm, regulator, stranger, main } = await openHospital(inject('postgresUrl'), now))
  camera = settled.city.devices.find((d) => d.family === 'videoAi' && d.projectCode === main)?.id ?? ''
  await seen(hour, { type: 'noHelmet', confidence: 0.72, review: '1' })
  await seen(2 * hour, { type: 'noHelmet', confidence: 0.68, review: '2' })
  await seen(3 * hour, { type: 'noHelmet', confidence: 0.9, review: '0' })
  await seen(4 * hour, { type: 'noHelmet', confidence: 0.5, review: '0' })
  await seen(5 * hour, { type: 'intrusion', confidence: 0.9, boxes: '[[0.1,0.1,0.1,0.2]]', review: '1' })
  await seen(6 * hour, { type: 'intrusion', confidence: 0.9, boxes: [[0.7, 0.6, 0.1, 0.2]], review: '0' })
  await seen(9 * 24 * hour, { type: 'noHelmet', confidence: 0.7, review: '1' })
})
afterAll(() => world.close())

const at = () => ({ params: { id: camera }, query: { projectCode: main } })
const left: calls.CameraZone = {
  name: '基坑边',
  points: [
    [0, 0],
    [0.5, 0],
    [0.5, 1],
    [0, 1],
  ],
  fromMinute: null,
  untilMinute: null,
}
const rules: calls.CameraRules = { thresholds: [{ type: 'noHelmet', least: 0.75 }], zones: [left] }
const kept = async () =>
  (
    await pm.call(findAiEvents, { query: { projectCode: main, deviceId: camera, startTime: String(now - 24 * hour), sort: '-time' } })
  ).list.map((one) => one.kept)

test('a preview counts what would be told no more, and what of it was true; saved, the same holds for the list', async () => {
  expect(await kept()).toEqual([null, null, null, 'confidence', null, null])
  const preview = await pm.call(calls.previewCameraAi, { ...at(), body: rules })
  expect(preview).toEqual({
    days: 7,
    seen: 6,
    fewer: 3,
    fewerReal: 1,
    more: 0,
    moreReal: 0,
    types: [
      { type: 'noHelmet', fewer: 2, fewerReal: 1, more: 0, moreReal: 0 },
      { type: 'intrusion', fewer: 1, fewerReal: 0, more: 0, moreReal: 0 },
    ],
  })
  const saved = await pm.call(calls.setCameraAi, { ...at(), body: { ...rules, version: -1 } })
  expect(saved).toMatchObject({ ...rules, version: 0, editable: true, deviceId: camera })
  expect(await kept()).toEqual(['confidence', 'confidence', null, 'confidence', null, 'zone'])
  expect(await pm.call(calls.previewCameraAi, { ...at(), body: { thresholds: [], zones: [] } })).toMatchObject({
    fewer: 0,
    more: 3,
    moreReal: 1,
  })
  // Concurrent changes do not overwrite each other.
  expect((await pm.ask(calls.setCameraAi, { ...at(), body: { ...rules, version: -1 } })).message).toContain('请刷新后再改')
  expect(await pm.call(calls.setCameraAi, { ...at(), body: { ...rules, thresholds: [], version: 0 } })).toMatchObject({ version: 1 })
})

test('a rehearsal of a rule raises what would have been raised: nothing of what is only kept', async () => {
  const safety = await settled.as('hospital-safety')
  const opens = async () =>
    (
      await safety.call(rehearseTrigger, {
        body: {
          trigger: {
            family: 'videoAi',
            on: 'aiEvent',
            levels: [{ level: 3, condition: { type: 'state', metric: 'type', equals: 'intrusion' } }],
          },
          samples: { deviceIds: [camera], from: now - 24 * hour, to: now },
        } as never,
      })
    ).events.filter((one) => one.event === 'open').length
  const [current] = (await pm.call(calls.listCameraAi, { query: { projectCode: main, deviceId: camera } })).list
  const under = await opens()
  await pm.call(calls.setCameraAi, {
    ...at(),
    body: { thresholds: [{ type: 'intrusion', least: 0.95 }], zones: [], version: current?.version ?? -1 },
  })
  expect([under, await opens()]).toEqual([1, 0])
  await pm.call(calls.setCameraAi, { ...at(), body: { ...rules, thresholds: [], version: (current?.version ?? -1) + 1 } })
})

test('what makes no sense is refused in words', async () => {
  const message = async (body: object) =>
    (await pm.ask(calls.setCameraAi, { ...at(), body: { ...rules, version: 1, ...body } as never })).message
  expect(await message({ thresholds: [{ type: 'noHelmet', least: 0.4 }] })).toBe('阈值不能低于 0.6')
  expect(
    await message({
      thresholds: [
        { type: 'noHelmet', least: 0.8 },
        { type: 'noHelmet', least: 0.9 },
      ],
    }),
  ).toBe('同一类型只能设一个阈值')
  expect(
    await message({
      zones: [
        {
          ...left,
          points: [
            [0, 0],
            [1, 1],
          ],
        },
      ],
    }),
  ).toBe('至少画三个角点')
  expect(
    await message({
      zones: [
        {
          ...left,
          points: [
            [0, 0],
            [1, 1],
            [1, 0],
            [0, 1],
          ],
        },
      ],
    }),
  ).toBe('边线不能互相交叉')
  expect(
    await message({
      zones: [
        {
          ...left,
          points: [
            [0, 0],
            [1.2, 0],
            [0, 1],
          ],
        },
      ],
    }),
  ).toBe('坐标应在 0 到 1 之间')
  expect(await message({ zones: [{ ...left, fromMinute: 60, untilMinute: null }] })).toBe('开始与结束时间应同时填写')
  expect(await message({ zones: [left, left] })).toBe('区域名称不能重复')
})

test('a body sees how a camera is set and sets nothing; a stranger sees none', async () => {
  const [shown] = (await regulator.call(calls.listCameraAi, { query: { projectCode: main, deviceId: camera } })).list
  expect(shown).toMatchObject({ deviceId: camera, zones: [left], editable: false })
  expect((await regulator.ask(calls.setCameraAi, { ...at(), body: { ...rules, version: 1 } })).status).not.toBe(0)
  expect((await stranger.call(calls.listCameraAi, { query: { projectCode: '*' } })).list.some((one) => one.deviceId === camera)).toBe(false)
  expect((await stranger.ask(calls.previewCameraAi, { ...at(), body: rules })).status).not.toBe(0)
  expect((await stranger.ask(calls.setCameraAi, { ...at(), body: { ...rules, version: 1 } })).status).not.toBe(0)
})

test('a body and a company ask a site about what nobody has looked at; the site reads who asked, a stranger cannot ask', async () => {
  const company = await settled.as('yunze-lu')
  const groups = await regulator.call(findAiGroups, { query: { projectCode: main, groupBy: 'project,type', size: 1000 } })
  const open = groups.list.reduce((all, one) => all + one.open, 0)
  expect(open).toBeGreaterThan(0)
  const subject = `AI 识别未复核 ${open} 条（近 30 天）`
  const body = {
    kind: 'supervise' as const,
    text: '请逐条复核',
    deadline: String(now + 48 * hour),
    targets: [{ projectCode: main, subject }],
  }
  const ask = (who: Caller) => who.ask(sendNotice, { query: { projectCode: '*' }, body: body as never })
  expect([(await ask(regulator)).status, (await ask(company)).status]).toEqual([0, 0])
  expect((await ask(stranger)).status).not.toBe(0)
  expect((await ask(pm)).status).not.toBe(0)
  const result = await pm.call(listNotices, { query: { projectCode: main, subject: 'AI 识别未复核' } })
  expect(result.list.map((one) => [one.kind, one.subject])).toEqual([
    ['supervise', subject],
    ['supervise', subject],
  ])
})
