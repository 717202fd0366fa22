import {
  changeDustCheck,
  createDustCheck,
  dustNow,
  getDustCheck,
  listDustChecks,
  removeDustCheck,
} from '@zhugong/contract/dustchecks/calls'
import { coreItems } from '@zhugong/contract/dustchecks/items'
import { changeRectify, getRectify } from '@zhugong/contract/rectify/calls'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { newId } from '#kit/ids'
import { openCity, settleCity } from '../../../test/city.ts'
import { storedFile } from '../../../test/givens.ts'
import type { Caller, World } from '../../../test/world.ts'

let world: World
let projectCode = ''
let contractor = ''
let station = ''
const cast = {
  safety: 'hospital-safety',
  manager: 'hospital-pm',
  supervisor: 'hospital-jl',
  company: 'yunze-lu',
  authority: 'bj-qian',
  subcontractor: 'dingli-cheng',
  stranger: 'zhigu-pm',
} as const
type Who = keyof typeof cast
const everybody = Object.keys(cast) as Who[]
const as = {} as Record<Who, Caller>
const files = {} as Record<Who, string>
const db = () => world.database.kysely

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  const settled = await settleCity(world)
  const persona = (account: string) => settled.city.personas.find((one) => one.account === account)
  projectCode = persona(cast.safety)?.projectCode ?? ''
  contractor = persona('yunze-lu')?.corpCode ?? ''
  station = settled.city.devices.find((one) => one.projectCode === projectCode && one.family === 'environment')?.id ?? ''
  for (const [who, account] of Object.entries(cast) as [Who, string][]) {
    as[who] = await settled.as(account)
    const { rows } = await sql<{ id: string }>`select t.id from app_user u join member m on m.user_id = u.id
      join tenant t on t.id = m.group_id where u.account = ${account} and m.is_default`.execute(db())
    files[who] = await storedFile(world, rows[0]?.id ?? '')
  }
})
afterAll(() => world.close())

const later = (days: number) => new Date(Date.now() + 8 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10)
const items = (who: Who, changes: Record<string, object> = {}) =>
  coreItems.map(({ code }) => ({ code, result: '1', photos: [files[who]], ...changes[code] }))
const soil = (who: Who, more: object = {}) => ({
  description: '西侧裸土约 200 平方米未覆盖',
  part: '西侧基坑边',
  itemCode: '02',
  dangerLevel: '1',
  requirement: '全部覆盖防尘网',
  corpCode: contractor,
  person: '周大勇',
  deadline: later(0),
  photos: [files[who]],
  ...more,
})
const uncovered = (who: Who, more: object = {}) => ({ items: items(who, { '02': { result: '2' } }), problems: [soil(who, more)] })
const body = (who: Who, more: object = {}) => ({ id: newId(), action: 'submit', items: items(who), problems: [], ...more })
const ask = (who: Who, more: object = {}) => as[who].ask(createDustCheck, { query: { projectCode }, body: body(who, more) } as never)
const check = (who: Who, more: object = {}) => as[who].call(createDustCheck, { query: { projectCode }, body: body(who, more) } as never)
const read = (who: Who, id: string) => as[who].call(getDustCheck, { params: { id }, query: { projectCode: '*' } })
const sees = async (who: Who, id: string) => (await as[who].ask(getDustCheck, { params: { id }, query: { projectCode: '*' } })).status === 0

describe('a dust check', () => {
  test('in which everything fits is closed at once', async () => {
    const { id, code, state } = await check('safety')
    expect([state, code]).toEqual(['7', expect.stringMatching(/-YC-\d{4}-\d{3}$/)])
    expect(await read('manager', id)).toMatchObject({ passRate: 100, result: '1', failItems: [], notices: [] })
  })

  test('becomes a notice of category 06 and follows it until it is closed', async () => {
    const { id, state } = await check('safety', uncovered('safety'))
    expect(state).toBe('1')
    const file = await read('manager', id)
    expect([file.passRate, file.result, file.results['02']]).toEqual([83.33, '3', '2'])
    const noticeId = file.notices[0]?.id ?? ''
    const act = async (who: Who, action: string, more: object = {}) => {
      const { version, lines, category } = await as.manager.call(getRectify, { params: { id: noticeId } })
      expect(category).toBe('06')
      const answers = { lines: lines.map((one) => ({ id: one.id, measure: '已全部覆盖防尘网', photos: [files.manager] })), opinion: '' }
      const given = { id: noticeId, version, action, ...(action === 'reply' ? answers : {}), ...more }
      return as[who].ask(changeRectify, { body: given } as never)
    }
    await act('manager', 'sign')
    expect((await act('manager', 'reply')).message).toBe('ok')
    await act('supervisor', 'jlPass', { opinion: '' })
    expect((await read('safety', id)).state).toBe('5')
    await act('safety', 'recheckPass', { opinion: '' })
    expect((await read('safety', id)).state).toBe('7')
  })

  test('mended on the spot with a photograph is closed at once, without one it is refused', async () => {
    const mended = { mended: '当场覆盖', mendedPhotos: [files.safety] }
    const { id, state } = await check('safety', uncovered('safety', mended))
    expect([state, (await read('safety', id)).result]).toEqual(['7', '2'])
    expect((await ask('safety', uncovered('safety', { mended: '当场覆盖', mendedPhotos: [] }))).message).toContain('改正后照片')
  })

  test.each([
    ['a core item is left out', (who: Who) => ({ items: items(who).slice(1) }), '六个百分百须逐项检查'],
    ['不涉及 without a word', (who: Who) => ({ items: items(who, { '05': { result: '3', photos: [] } }) }), '不涉及时须说明原因'],
    ['a core item without proof', (who: Who) => ({ items: items(who, { '01': { photos: [] } }) }), '须附照片'],
    ['a failed item without a problem', (who: Who) => ({ items: items(who, { '02': { result: '2' } }) }), '请写明问题'],
    ['a problem of an item that fits', (who: Who) => ({ problems: [soil(who)] }), '须属于一个不符合的检查项'],
    ['a check of tomorrow', () => ({ checkTime: `${later(1)} 12:00:00` }), '不能晚于现在'],
  ])('%s is refused', async (_what, more, message) => {
    expect((await ask('safety', more('safety'))).message).toContain(message)
  })

  test('with the station offline the item about monitoring cannot fit', async () => {
    await sql`update device_latest set online = false where device_id in (select id from device where project_code = ${projectCode} and family = 'environment')`.execute(
      db(),
    )
    const given = { items: [...items('safety'), { code: '07', result: '1' }] }
    expect((await ask('safety', given)).message).toContain('离线')
  })

  test('100 % beside an alarm about dust in the same hour is marked', async () => {
    await sql`insert into alarm (id, project_code, device_id, device_name, family, alarm_key, label, level, max_level, metric, start_time, fire_time)
      select ${newId()}, project_code, id, name, family, 'pm10High', 'PM10 超标', 3, 3, 'pm10', now(), now() from device where id = ${station}`.execute(
      db(),
    )
    const { id } = await check('safety')
    expect((await read('safety', id)).contradicted).toBe(true)
    const failed = await check('safety', uncovered('safety'))
    expect((await read('safety', failed.id)).contradicted).toBe(false)
  })

  test('the response of the last check leads, and the curve leaves gaps where nothing was measured', async () => {
    const { id } = await check('safety', { responseLevel: '2', weather: '8', pm10: 186.5 })
    expect((await as.safety.call(dustNow, { query: { projectCode } })).responseLevel).toBe('2')
    const { curve, pm10 } = await read('safety', id)
    expect(pm10).toBe(186.5)
    expect(curve.length).toBeGreaterThanOrEqual(144)
    expect(curve.some((one) => one.pm10 === 0)).toBe(false)
  })
})

describe('rights', () => {
  test('who may check: the site, its company, 监理 and the authority', async () => {
    const may = new Set<Who>()
    for (const who of everybody) if ((await ask(who)).status === 0) may.add(who)
    expect(may.has('safety') && may.has('supervisor')).toBe(true)
    expect(may.has('subcontractor') || may.has('stranger')).toBe(false)
  })

  test('a draft is known to its group alone, and is changed, submitted or thrown away by nobody else', async () => {
    const id = newId()
    await check('safety', { id, action: 'save', items: [] })
    for (const who of everybody) expect([who, await sees(who, id)]).toEqual([who, who === 'safety' || who === 'manager'])
    const change = (who: Who, action: string) =>
      as[who].ask(changeDustCheck, { query: { projectCode }, body: { id, version: 0, action, items: items(who), problems: [] } } as never)
    for (const who of ['supervisor', 'company', 'subcontractor', 'stranger'] as const)
      expect((await change(who, 'submit')).status).not.toBe(0)
    for (const who of ['supervisor', 'stranger'] as const)
      expect((await as[who].ask(removeDustCheck, { params: { id }, query: { projectCode: '*' } })).status).not.toBe(0)
    expect((await change('safety', 'submit')).status).toBe(0)
    expect((await as.safety.ask(removeDustCheck, { params: { id }, query: { projectCode: '*' } })).status).not.toBe(0)
    expect(await sees('supervisor', id)).toBe(true)
    expect(await sees('stranger', id)).toBe(false)
  })

  test('the draft is thrown away by its writer', async () => {
    const id = newId()
    await check('safety', { id, action: 'save', ...uncovered('safety') })
    expect((await as.safety.ask(removeDustCheck, { params: { id }, query: { projectCode: '*' } })).status).toBe(0)
    expect(await sees('safety', id)).toBe(false)
  })

  test('the device names the id: the same request again creates nothing more', async () => {
    const id = newId()
    const first = await check('safety', { id })
    expect(await check('safety', { id })).toEqual(first)
    const { list } = await as.safety.call(listDustChecks, { query: { projectCode, size: 1000 } })
    expect(list.filter((one) => one.id === id)).toHaveLength(1)
  })
})
