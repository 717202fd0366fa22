import {
  changeCivilCheck,
  compareCivilPoint,
  createCivilCheck,
  createCivilPoint,
  getCivilCheck,
  listCivilChecks,
  listCivilPoints,
  removeCivilCheck,
  removeCivilPoint,
} from '@zhugong/contract/civil/inspection'
import {
  changeCivilItem,
  createCivilVersion,
  getCivilItem,
  issueCivilVersion,
  listCivilVersions,
  removeCivilVersion,
} from '@zhugong/contract/civil/library'
import { areaOfItem, passedInARow, scoreCivil } from '@zhugong/contract/civil/score'
import { createCheckItem, listCivilItems } from '@zhugong/contract/scoring/library'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { newId } from '#kit/ids'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { storedFile } from '../../../test/givens.ts'
import type { Caller, World } from '../../../test/world.ts'

let world: World
let settled: CityWorld
let projectCode = ''
let contractor = ''
const cast = {
  safety: 'hospital-safety',
  manager: 'hospital-pm',
  company: 'yunze-lu',
  supervisor: 'hospital-jl',
  authority: 'bj-zhao',
  city: 'city-fang',
  subcontractor: 'dingli-cheng',
  stranger: 'zhigu-pm',
} as const
type Who = keyof typeof cast
const everybody = Object.keys(cast) as Who[]
const as = {} as Record<Who, Caller>
const files = {} as Record<Who, string>
const points: string[] = []

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  projectCode = settled.city.personas.find((p) => p.account === cast.safety)?.projectCode ?? ''
  contractor = settled.city.projects.find((one) => one.projectCode === projectCode)?.contractorCorpCode ?? ''
  for (const [who, account] of Object.entries(cast) as [Who, string][]) {
    as[who] = await settled.as(account)
    const { rows } = await sql<{ id: string }>`select t.id from app_user u join member m on m.user_id = u.id
      join tenant t on t.id = m.group_id where u.account = ${account} order by m.is_default desc limit 1`.execute(world.database.kysely)
    files[who] = await storedFile(world, rows[0]?.id ?? '')
  }
  for (const [name, area] of [
    ['大门', 'gate'],
    ['堆场', 'ground'],
  ] as const) {
    const id = newId()
    await as.safety.call(createCivilPoint, { query: { projectCode }, body: { id, name, area } })
    points.push(id)
  }
})
afterAll(() => world.close())

const later = (days: number) => new Date(Date.now() + 8 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10)
const itemsAt = async (i: number) =>
  (await as.safety.call(listCivilPoints, { query: { projectCode } })).points.find((one) => one.id === points[i])?.items ?? []
/** Everything right but the first item of the second point, where `fails`. */
async function walked(who: Who, fails = false) {
  const at = async (i: number) => ({
    pointId: points[i] ?? '',
    photos: [files[who]],
    items: (await itemsAt(i)).map(({ itemCode }, n) =>
      fails && i === 1 && n === 0 ? { itemCode, result: '2', deduction: 2, note: '积水' } : { itemCode, result: '1' },
    ),
  })
  const [first] = await itemsAt(1)
  const problems = fails
    ? [
        {
          description: '堆场积水未排',
          part: '堆场',
          itemCode: first?.itemCode ?? '',
          dangerLevel: '1',
          requirement: '排水疏通',
          corpCode: contractor,
          deadline: later(3),
          photos: [files[who]],
        },
      ]
    : []
  return { points: [await at(0), await at(1)], problems }
}
const create = (who: Who, action: 'save' | 'submit', fields: object) =>
  as[who].ask(createCivilCheck, { query: { projectCode }, body: { id: newId(), action, ...fields } } as never) as Promise<{
    status: number
    message: string
    data: { id: string; state: string; code: string | null; field?: string }
  }>
const read = (who: Who, id: string) => as[who].call(getCivilCheck, { params: { id }, query: { projectCode: '*' } })

describe('a walk', () => {
  test('is scored by points, freezes its score, issues notices of 文明施工 and shows the walk before', async () => {
    const before = await create('safety', 'submit', await walked('safety'))
    expect([before.status, before.message, before.data?.state]).toEqual([0, before.message, '7'])
    expect((await read('supervisor', before.data.id)).score).toBe(100)
    const { data } = await create('safety', 'submit', await walked('safety', true))
    expect([data.state, data.code]).toEqual(['1', expect.stringContaining('-WM-')])
    const file = await read('supervisor', data.id)
    const full = (await itemsAt(0)).concat(await itemsAt(1)).reduce((n, one) => n + one.maxScore, 0)
    expect(file.score).toBe(Math.round(((full - 2) / full) * 10_000) / 100)
    expect(file.points.map((one) => [one.name, one.open, one.before.length, one.photos.length])).toEqual([
      ['大门', 0, 1, 1],
      ['堆场', 1, 1, 1],
    ])
    expect([file.areaNames, file.failItems.length, file.conclusion, file.candidate]).toEqual([['场地'], 1, '3', false])
    expect((await read('manager', data.id)).notices).toHaveLength(1)
    const { walks } = await as.manager.call(compareCivilPoint, { params: { id: points[1] ?? '' }, query: { projectCode } })
    expect(walks.map((one) => one.failItems.length)).toEqual([1, 0])
  })

  const faults: readonly [string, (whole: Awaited<ReturnType<typeof walked>>) => object, string, string][] = [
    ['every point', (w) => ({ ...w, points: w.points.slice(0, 1), problems: [] }), 'points', '还有 1 个点位没有走：堆场'],
    [
      'a photograph of each point',
      (w) => ({ ...w, points: w.points.map((one, i) => (i ? { ...one, photos: [] } : one)) }),
      'points.1.photos',
      '还没有照片',
    ],
    [
      'a result of each item',
      (w) => ({ ...w, points: w.points.map((one, i) => (i ? { ...one, items: one.items.slice(1) } : one)), problems: [] }),
      'points.1.items',
      '还没有结果',
    ],
    ['who mends what failed', (w) => ({ ...w, problems: [] }), 'points.1.items', '须写明责任人和期限'],
    [
      'a deduction within its marks',
      (w) => ({
        ...w,
        points: w.points.map((one, i) =>
          i ? { ...one, items: one.items.map((item, n) => (n ? item : { ...item, deduction: 99 })) } : one,
        ),
      }),
      'points.1.items.0.deduction',
      '最多扣',
    ],
    ['points of the site', (w) => ({ ...w, points: [{ ...w.points[0], pointId: 'nothing' }] }), 'points.0.pointId', '不存在'],
    ['each point once', (w) => ({ ...w, points: [w.points[0], w.points[0]] }), 'points.1.pointId', '重复'],
  ]
  test.each(faults)('asks for %s', async (_what, change, field, words) => {
    const answer = await create('safety', 'submit', change(await walked('safety', true)))
    expect([answer.status === 0, answer.message]).toEqual([false, expect.stringContaining(words)])
    expect(answer.data?.field).toBe(field)
  })

  test('leaves out what is skipped with a reason', async () => {
    const whole = await walked('safety')
    const { data, message } = await create('safety', 'submit', {
      ...whole,
      points: [whole.points[0], { pointId: points[1], skipped: '正在浇筑' }],
    })
    expect([message, data.state]).toEqual([message, '7'])
    const file = await read('safety', data.id)
    expect([file.score, file.points[1]?.skipped, file.areas.map((one) => one.code)]).toEqual([100, '正在浇筑', ['gate']])
  })

  test('is known to its group alone while it goes on, and never to a subcontractor or a stranger; only its group changes it', async () => {
    const { data } = await create('supervisor', 'save', await walked('supervisor'))
    const listed = async (who: Who) =>
      (await as[who].call(listCivilChecks, { query: { projectCode: '*', size: 1000 } })).list.map((row) => row.id)
    for (const who of everybody) expect([who, (await listed(who)).includes(data.id)]).toEqual([who, who === 'supervisor'])
    for (const who of everybody.filter((one) => one !== 'supervisor')) {
      const target = { params: { id: data.id }, query: { projectCode: '*' } }
      expect([
        who,
        (await as[who].ask(changeCivilCheck, { ...target, body: { action: 'submit', version: 0, ...(await walked(who)) } } as never))
          .status === 0,
      ]).toEqual([who, false])
      expect([who, (await as[who].ask(removeCivilCheck, target)).status === 0]).toEqual([who, false])
    }
    const sent = await as.supervisor.ask(changeCivilCheck, {
      params: { id: data.id },
      query: { projectCode: '*' },
      body: { action: 'submit', version: 0, ...(await walked('supervisor')) },
    } as never)
    expect([sent.status, sent.message]).toEqual([0, sent.message])
    for (const who of everybody)
      expect([who, (await listed(who)).includes(data.id)]).toEqual([who, !['subcontractor', 'stranger'].includes(who)])
    for (const who of ['subcontractor', 'authority', 'city', 'stranger'] as const) {
      expect([who, (await create(who, 'save', await walked(who))).status === 0]).toEqual([who, false])
      expect([
        who,
        (await as[who].ask(removeCivilPoint, { params: { id: points[0] ?? '' }, query: { projectCode } })).status === 0,
      ]).toEqual([who, false])
    }
  })

  test('figures are those of the lists behind them, and filters find what they say', async () => {
    const query = { projectCode, size: 1000 }
    const { counts, list } = await as.manager.call(listCivilChecks, { query })
    const total = async (more: object) => (await as.manager.call(listCivilChecks, { query: { ...query, ...more } })).total
    expect(counts.open).toBe(await total({ tab: 'open' }))
    expect(counts.overdue).toBe(await total({ overdue: true }))
    expect(await total({ area: 'ground' })).toBe(list.filter((row) => row.areaNames.includes('场地')).length)
    expect(await total({ score: '100,' })).toBe(list.filter((row) => row.score === 100).length)
    const sorted = (await as.manager.call(listCivilChecks, { query: { ...query, sort: 'score' } })).list.flatMap((row) => row.score ?? [])
    expect(sorted).toEqual(sorted.toSorted((a, b) => a - b))
  })
})

describe('the standard', () => {
  const versions = async (who: Who) =>
    (await as[who].call(listCivilVersions, { query: { projectCode: who === 'safety' ? projectCode : '*' } })).list
  const items = async (who: Who, more: object = {}) =>
    (await as[who].call(listCivilItems, { query: { projectCode, library: 'civil', size: 1000, ...more } as never })).list

  test('is the dictionary until a city issues a version; walks that have begun finish on the old one', async () => {
    expect((await items('safety')).every((one) => one.owner === 'standard')).toBe(true)
    const begun = await create('safety', 'save', { ...(await walked('safety')), problems: [] })
    const id = newId()
    expect((await as.city.ask(createCivilVersion, { query: { projectCode: '*' }, body: { id, name: '2026 版', from: null } })).status).toBe(
      0,
    )
    expect((await versions('safety')).map((one) => one.id)).not.toContain(id)
    const draft = (
      await as.city.call(listCivilItems, { query: { projectCode: '*', library: 'civil', versionId: id, size: 1000 } as never })
    ).list
    const fence = draft.find((one) => one.itemCode === 'C0101')
    expect(
      (
        await as.city.ask(changeCivilItem, {
          params: { id: fence?.id ?? '' },
          query: { projectCode: '*' },
          body: { action: 'edit', version: 0, name: '围挡', maxScore: 12 },
        })
      ).status,
    ).toBe(0)
    expect(
      (
        await as.company.ask(changeCivilItem, {
          params: { id: fence?.id ?? '' },
          query: { projectCode: '*' },
          body: { action: 'disable', version: 1 },
        })
      ).status,
    ).not.toBe(0)
    const past = await as.city.ask(issueCivilVersion, {
      params: { id },
      query: { projectCode: '*' },
      body: { version: 0, effectiveFrom: later(-1) },
    })
    expect(past.message).toContain('不能早于今天')
    expect(
      (await as.city.ask(issueCivilVersion, { params: { id }, query: { projectCode: '*' }, body: { version: 0, effectiveFrom: later(0) } }))
        .status,
    ).toBe(0)
    expect(
      (
        await as.city.ask(changeCivilItem, {
          params: { id: fence?.id ?? '' },
          query: { projectCode: '*' },
          body: { action: 'disable', version: 1 },
        })
      ).message,
    ).toContain('已发布')
    expect((await as.city.ask(removeCivilVersion, { params: { id }, query: { projectCode: '*' } })).message).toContain('已发布')
    for (const who of ['safety', 'company', 'supervisor'] as const)
      expect([who, (await versions(who)).find((one) => one.id === id)?.inForce]).toEqual([who, true])
    expect((await items('safety')).find((one) => one.itemCode === 'C0101')).toMatchObject({
      name: '围挡',
      maxScore: 12,
      owner: 'government',
      own: false,
    })
    const old = await read('safety', begun.data.id)
    expect([old.versionName.includes('JGJ 59'), old.points[0]?.items.find((one) => one.itemCode === 'C0101')?.maxScore]).toEqual([true, 5])
    const fresh = await create('safety', 'submit', await walked('safety'))
    expect((await read('safety', fresh.data.id)).versionName).toBe('2026 版')
    const detail = await as.safety.call(getCivilItem, { params: { id: fence?.id ?? '' }, query: { projectCode: '*' } })
    expect([detail.versionName, detail.mayShow, detail.pictures.length > 0]).toEqual(['2026 版', false, true])
  })

  test('extras of a site count on it alone; a change is a new revision', async () => {
    const made = (await as.manager.call(createCheckItem, {
      query: { projectCode },
      body: { id: newId(), library: 'civil', versionId: null, part: '03', name: '院区道路保洁', maxScore: 4 } as never,
    })) as { id: string; itemCode: string }
    expect(made.itemCode).toBe('C03-P1')
    expect((await itemsAt(1)).map((one) => one.itemCode)).toContain('C03-P1')
    const elsewhere = await as.stranger.call(listCivilItems, { query: { projectCode: '*', library: 'civil', size: 1000 } as never })
    expect(elsewhere.list.map((one) => one.id)).not.toContain(made.id)
    expect((await as.stranger.ask(getCivilItem, { params: { id: made.id }, query: { projectCode: '*' } })).status).not.toBe(0)
    const twice = await as.manager.ask(createCheckItem, {
      query: { projectCode },
      body: { id: newId(), library: 'civil', versionId: null, part: '03', name: '院区道路保洁', maxScore: 4 } as never,
    })
    expect(twice.message).toContain('已有同名')
    const next = (await as.manager.call(changeCivilItem, {
      params: { id: made.id },
      query: { projectCode: '*' },
      body: { action: 'edit', version: 0, name: '院区道路保洁', maxScore: 6 },
    })) as { id: string }
    expect(next.id).not.toBe(made.id)
    const { history, maxScore, revision } = await as.manager.call(getCivilItem, { params: { id: next.id }, query: { projectCode: '*' } })
    expect([history.length, maxScore, revision]).toEqual([2, 6, 2])
    expect(
      (
        await as.company.ask(changeCivilItem, {
          params: { id: next.id },
          query: { projectCode: '*' },
          body: { action: 'disable', version: 0 },
        })
      ).status,
    ).not.toBe(0)
    expect(
      (
        await as.manager.ask(changeCivilItem, {
          params: { id: next.id },
          query: { projectCode: '*' },
          body: { action: 'examples', version: 0, good: [files.manager], bad: [] },
        })
      ).status,
    ).toBe(0)
  })
})

describe('the score', () => {
  const item = (maxScore: number, result: '1' | '2' | '3' | '4', deduction = 0) => ({ maxScore, result, deduction })

  test('is the marks left over the marks that were judged', () => {
    expect(scoreCivil([{ area: 'gate', skipped: false, items: [item(10, '2', 2.5), item(5, '3'), item(5, '4')] }])).toMatchObject({
      score: 75,
      got: 7.5,
      full: 10,
    })
    expect(scoreCivil([{ area: 'gate', skipped: true, items: [item(10, '1')] }]).score).toBeNull()
    expect(scoreCivil([]).score).toBeNull()
  })

  test('lies between 0 and 100, falls with every deduction, and is never moved by what does not apply', () => {
    let seed = 7
    const random = (n: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return seed % n
    }
    for (let i = 0; i < 300; i++) {
      const items = Array.from({ length: 1 + random(8) }, () =>
        item(1 + random(10), (['1', '2'] as const)[random(2)] ?? '1', random(150) / 10),
      )
      const at = { area: 'ground', skipped: false, items }
      const { score, areas } = scoreCivil([at])
      expect(score).toBeGreaterThanOrEqual(0)
      expect(score).toBeLessThanOrEqual(100)
      expect(areas[0]?.score).toBe(score)
      expect(scoreCivil([at, { area: 'fire', skipped: false, items: [item(10, '3')] }]).score).toBe(score)
      const worse = items.map((one) => (one.result === '2' ? { ...one, deduction: one.deduction + 1 } : one))
      expect(scoreCivil([{ ...at, items: worse }]).score ?? 0).toBeLessThanOrEqual(score ?? 0)
    }
  })

  test('counts passed walks from the newest, and knows the area of an item', () => {
    expect([passedInARow([95, 90, 70, 99]), passedInARow([60]), passedInARow([]), passedInARow([95, 89], 90)]).toEqual([2, 0, 0, 1])
    expect([areaOfItem('C0101'), areaOfItem('C0604'), areaOfItem('C10-P1')]).toEqual(['gate', 'fire', 'living'])
  })
})
