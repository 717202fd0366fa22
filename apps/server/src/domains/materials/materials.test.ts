import { listTodos } from '@zhugong/contract/home/endpoints'
import {
  changeMaterial,
  getMaterial,
  listMaterials,
  materialFlow,
  materialRules,
  materialStock,
  receiveMaterial,
  saveMaterialPlan,
  saveMaterialRule,
} from '@zhugong/contract/materials/calls'
import { type MaterialAction, materialMoves } from '@zhugong/contract/materials/moves'
import { deviationOf, samplesDue, usualRule } from '@zhugong/contract/materials/rules'
import { signMaterial } from '@zhugong/contract/materials/seats'
import { findTickets } from '@zhugong/contract/monitoring/weigh/weigh-lists'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { newId } from '#kit/ids'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { recordId } from '../../../test/fixtures/helpers.ts'
import { storedFile, strokes } from '../../../test/givens.ts'
import type { Caller, World } from '../../../test/world.ts'

let world: World
let settled: CityWorld
let projectCode = ''
let bridge = ''
/** The site, its general contractor, 监理, the authority, a subcontractor, and another site. */
const cast = {
  site: 'hospital-pm',
  company: 'yunze-lu',
  supervisor: 'hospital-jl',
  authority: 'bj-zhao',
  subcontractor: 'dingli-cheng',
  stranger: 'zhigu-pm',
} as const
type Who = keyof typeof cast
const everybody = Object.keys(cast) as Who[]
const as = {} as Record<Who, Caller>
const files = {} as Record<Who, string>
const corps = {} as Record<Who, string>

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  const { city } = settled
  projectCode = city.personas.find((p) => p.account === cast.site)?.projectCode ?? ''
  bridge = city.devices.find((d) => d.family === 'weighbridge' && d.projectCode === projectCode)?.id ?? ''
  for (const [who, account] of Object.entries(cast) as [Who, string][]) {
    as[who] = await settled.as(account)
    const { rows } = await sql<{ id: string; code: string }>`select t.id, t.code from app_user u join member m on m.user_id = u.id
      join tenant t on t.id = m.group_id where u.account = ${account} order by m.is_default desc limit 1`.execute(world.database.kysely)
    files[who] = await storedFile(world, rows[0]?.id ?? '')
    corps[who] = rows[0]?.code ?? ''
  }
})
afterAll(() => world.close())

const rebar = (more: object = {}) => ({
  category: '01',
  name: '热轧带肋钢筋',
  spec: 'HRB400E Φ25',
  supplier: '江北钢材公司',
  batchNo: `L${newId().slice(-8)}`,
  quantity: 58.2,
  unit: '1',
  corpCode: corps.company,
  certFiles: [files.site],
  ...more,
})
const tiles = (more: object = {}) =>
  rebar({ category: '14', name: '饰面砖', spec: '600×600', batchNo: null, quantity: 300, unit: '3', ...more })
const receive = async (body: object, who: Who = 'site') =>
  as[who].call(receiveMaterial, { query: { projectCode }, body: { id: newId(), ...body, certFiles: [files[who]] } } as never)
const tryReceive = (body: object, who: Who = 'site') =>
  as[who].ask(receiveMaterial, { query: { projectCode }, body: { id: newId(), ...body } } as never)
const read = (who: Who, id: string) => as[who].call(getMaterial, { params: { id }, query: { projectCode: '*' } })
const requestOf = (who: Who, id: string) => as[who].ask(getMaterial, { params: { id }, query: { projectCode: '*' } })
async function act(who: Who, id: string, body: object) {
  const { rows } = await sql<{ version: number }>`select version from material_batch where id = ${id}`.execute(world.database.kysely)
  return as[who].ask(changeMaterial, { params: { id }, query: { projectCode: '*' }, body: { version: rows[0]?.version, ...body } } as never)
}
const accept = (id: string, result: string, opinion = '') =>
  act('supervisor', id, { action: 'accept', result, opinion, signature: strokes() })
const sample = (id: string, sampleNo: string) =>
  act('site', id, { action: 'sample', sampleNo, note: '自三捆各取一根', photos: [files.site] })
const witness = (id: string, who: Who = 'supervisor') =>
  as[who].ask(signMaterial, {
    params: { id },
    query: { projectCode: '*' },
    body: { action: 'sign', id: newId(), seat: 'witness', image: strokes() },
  } as never)
const report = (id: string, passed: boolean) =>
  act('site', id, { action: 'report', reportNo: `R${newId().slice(-6)}`, passed, values: '屈服 445 MPa', files: [files.site] })
const use = (id: string, quantity: number) => act('site', id, { action: 'use', quantity, part: '9层梁板' })

/** A ticket of the site's weighbridge, in tonnes. */
async function ticket(direction: '1' | '2', actual: number, bill: number | null): Promise<string> {
  const id = newId()
  const at = Date.now() - 3_600_000
  await sql`insert into device_record (device_id, project_code, ts, id, record, data, received_at) values (${bridge}, ${projectCode}, ${new Date(at)},
    ${`weighRecord:${id}`}, 'weighRecord', ${JSON.stringify({
      recordNo: id.slice(-8),
      plateNo: '鄂A12345',
      direction,
      goodsName: '螺纹钢',
      grossWeight: actual + 12,
      tareWeight: 12,
      ...(bill === null ? {} : { plannedWeight: bill }),
      status: '2',
    })}, ${new Date(at)})`.execute(world.database.kysely)
  return recordId(bridge, `weighRecord:${id}`, at)
}

test('a batch goes from delivery over a blocked use to its withdrawal; every step is an event', async () => {
  const inward = await ticket('1', 58.0, 58.2)
  const { id } = await receive(rebar({ tickets: [inward] }))
  expect((await read('site', id)).deviation).toBe(deviationOf(58.0, 58.2))
  expect((await read('site', id)).deviates).toBe(true)
  expect((await use(id, 1)).message).toContain('待验收，不能领用')
  expect((await accept(id, '1')).message).toContain('须见证取样复验')
  expect((await accept(id, '2')).status).toBe(0)
  expect((await use(id, 1)).message).toBe('复验未出合格报告，不得使用')
  const no = `Y${newId().slice(-6)}`
  expect((await sample(id, no)).status).toBe(0)
  expect((await act('site', id, { action: 'send', labOrg: '市检测中心', note: '' })).message).toContain('尚无监理见证人签名')
  expect((await witness(id, 'site')).status).not.toBe(0)
  expect((await witness(id)).status).toBe(0)
  expect((await report(id, false)).message).toContain('尚未送检')
  expect((await act('site', id, { action: 'send', labOrg: '市检测中心', note: '' })).status).toBe(0)
  expect((await report(id, false)).status).toBe(0)
  const failed = await read('company', id)
  expect([failed.state, failed.usable, failed.whyNot, failed.step]).toEqual(['3', false, '复验不合格，须退场', 'banned'])
  expect((await use(id, 1)).message).toContain('不合格退场，不能领用')
  const leave = { action: 'withdraw', plateNo: '鄂A12345', note: '退回供应商', photos: [files.site] }
  expect((await act('site', id, leave)).message).toContain('须关联出场磅单')
  expect((await act('site', id, { ...leave, tickets: [inward] })).message).toContain('是进场过磅')
  expect((await act('site', id, { ...leave, tickets: [await ticket('2', 58, null)] })).status).toBe(0)
  const file = await read('authority', id)
  expect([file.exited, file.actions]).toEqual([true, []])
  expect(file.events.map((one) => one.action)).toEqual(['receive', 'accept', 'sample', 'send', 'report', 'withdraw'])
  const { list } = await as.company.call(materialFlow, { query: { projectCode, view: 'flow', trace: no, size: 100 } })
  expect(list.map((one) => one.action).toReversed()).toEqual(file.events.map((one) => one.action))
})

test('a passed retest allows the use, up to what is left', async () => {
  const { id } = await receive(rebar({ quantity: 120.5 }))
  await accept(id, '2')
  await sample(id, `Y${newId().slice(-8)}`)
  await witness(id)
  expect((await act('site', id, { action: 'send', labOrg: '市检测中心', note: '' })).message).toContain('应取样 3 组，已取 1 组')
  await sample(id, `Y${newId().slice(-8)}`)
  await sample(id, `Y${newId().slice(-8)}`)
  expect(
    (await act('site', id, { action: 'send', labOrg: '市检测中心', note: '' })).message,
    'a further sample voids the signature',
  ).toContain('见证人')
  await witness(id)
  await act('site', id, { action: 'send', labOrg: '市检测中心', note: '' })
  expect((await report(id, true)).status).toBe(0)
  expect((await use(id, 120.6)).message).toContain('结存 120.5 吨')
  expect((await use(id, 100.1)).status).toBe(0)
  expect((await use(id, 20.4)).status).toBe(0)
  expect((await use(id, 0.1)).message).toContain('已全部领用')
  expect((await read('site', id)).usedQuantity).toBe(120.5)
})

test('a sample number is used once on a site', async () => {
  const { id } = await receive(rebar())
  const { id: other } = await receive(rebar())
  await accept(id, '2')
  await accept(other, '2')
  const no = `Y${newId().slice(-8)}`
  expect((await sample(id, no)).status).toBe(0)
  const again = await sample(other, no)
  expect([again.message, JSON.stringify(again.data)]).toEqual([expect.stringContaining('已使用'), expect.stringContaining('sampleNo')])
})

test('events are never changed: a correction is a further one, and voids the signature', async () => {
  const { id } = await receive(tiles())
  await accept(id, '1')
  expect((await act('site', id, { action: 'correct', quantity: 280, spec: '600×600', reason: '卸货清点少 20 平方' })).status).toBe(0)
  const file = await read('supervisor', id)
  expect(file.quantity).toBe(280)
  expect(file.events.map((one) => [one.action, one.quantity])).toEqual([
    ['receive', 300],
    ['accept', 300],
    ['correct', 280],
  ])
  expect(file.signatures.filter((one) => one.seat === 'supervisor').map((one) => one.state)).toContain('void')
  const change = world.database.kysely.transaction().execute(async (tx) => {
    await sql`set local role zg_all`.execute(tx)
    await sql`update material_event set quantity = 1 where batch_id = ${id}`.execute(tx)
  })
  await expect(change).rejects.toThrow(/permission denied/)
})

test('a ticket belongs to one batch; until then it is listed as unlinked', async () => {
  const key = await ticket('1', 30, 30)
  const unlinked = async () =>
    (await as.site.call(findTickets, { query: { projectCode, unlinked: true, size: 1000 } } as never)).list.some((one) => one.id === key)
  expect(await unlinked()).toBe(true)
  const { id } = await receive(rebar({ quantity: 30 }))
  expect((await act('site', id, { action: 'link', tickets: [key] })).status).toBe(0)
  expect(await unlinked()).toBe(false)
  expect((await tryReceive(rebar({ tickets: [key] }))).message).toContain('已关联其他批次')
  expect((await read('site', id)).deviation).toBe(0)
})

test.each([
  ['a number of the batch', { batchNo: null }, 'batchNo'],
  ['papers', { certFiles: [] }, 'certFiles'],
  ['a quantity', { quantity: 0 }, 'quantity'],
  ['at most three decimals', { quantity: 1.2345 }, 'quantity'],
  ['a known category', { category: '77' }, 'category'],
  ['a company on the site', { corpCode: 'nobody' }, 'corpCode'],
  ['an arrival that has happened', { arriveTime: '2199-01-01 00:00:00' }, 'arriveTime'],
])('asks for %s, at its field', async (_what, more, field) => {
  const answer = await tryReceive(rebar(more))
  expect(answer.status).not.toBe(0)
  expect(JSON.stringify(answer.data)).toContain(field)
})

test('whoever has no part in the batch does not see it', async () => {
  const { id } = await receive(tiles())
  for (const who of everybody) {
    const known = who !== 'subcontractor' && who !== 'stranger'
    expect([who, (await requestOf(who, id)).status === 0]).toEqual([who, known])
    const { list } = await as[who].call(listMaterials, { query: { projectCode: '*', size: 1000 } })
    expect([who, list.some((row) => row.id === id)]).toEqual([who, known])
    const flow = await as[who].call(materialFlow, { query: { projectCode: '*', view: 'flow', size: 1000 } })
    expect([who, flow.list.some((row) => row.batchId === id)]).toEqual([who, known])
  }
  const { id: theirs } = await receive(tiles({ corpCode: corps.subcontractor }))
  expect((await requestOf('subcontractor', theirs)).status).toBe(0)
})

test('what waits for somebody is on his desk', async () => {
  const { id } = await receive(tiles())
  const desks = async () => {
    const found: Who[] = []
    for (const who of everybody) {
      const { list } = await as[who].call(listTodos, { query: { group: '*', size: 1000 } })
      if (list.some(({ link }) => link.endsWith(id))) found.push(who)
    }
    return found
  }
  expect(await desks()).toEqual(['supervisor'])
  await accept(id, '3', '大面积色差，不符合样板')
  expect(await desks()).toContain('site')
  expect(await desks()).not.toContain('supervisor')
})

test('the device names the id: the same request again registers nothing more', async () => {
  const body = { id: newId(), ...tiles() }
  const first = await as.site.call(receiveMaterial, { query: { projectCode }, body } as never)
  expect(await as.site.call(receiveMaterial, { query: { projectCode }, body } as never)).toEqual(first)
  expect((await read('site', first.id)).events).toHaveLength(1)
})

/** Whose turn an action is, by the practice of the trade; everybody else is refused whatever the state. */
const keepers: readonly Who[] = ['site', 'company']
const hands: Record<MaterialAction, readonly Who[]> = {
  accept: ['supervisor'],
  sample: keepers,
  send: keepers,
  report: keepers,
  use: keepers,
  withdraw: keepers,
  correct: keepers,
  link: keepers,
}
const inputs: Record<MaterialAction, (who: Who) => object> = {
  accept: () => ({ result: '1', opinion: '', signature: strokes() }),
  sample: (who) => ({ sampleNo: newId(), note: '随机抽取', photos: [files[who]] }),
  send: () => ({ labOrg: '市检测中心', note: '' }),
  report: (who) => ({ reportNo: newId(), passed: true, values: '合格', files: [files[who]] }),
  use: () => ({ quantity: 1, part: '三层' }),
  withdraw: (who) => ({ plateNo: '鄂A1', note: '退回供应商', photos: [files[who]] }),
  correct: () => ({ quantity: 299, spec: '600×600', reason: '清点后少一平方' }),
  link: () => ({ tickets: ['nobody.1.1'] }),
}

describe.each((Object.keys(materialMoves) as MaterialAction[]).filter((one) => one !== 'send' && one !== 'report' && one !== 'link'))(
  '%s',
  (action) => {
    test.each(['0', '1', '2', '3', '4'])('in state %s', async (state) => {
      for (const who of everybody) {
        const { id } = await receive(tiles())
        await sql`update material_batch set state = ${state}, version = 3 where id = ${id}`.execute(world.database.kysely)
        const answer = await act(who, id, { action, ...inputs[action](who) })
        const after = await sql<{ state: string; version: number }>`select state, version from material_batch where id = ${id}`.execute(
          world.database.kysely,
        )
        const move = materialMoves[action]
        const where = `${who}: ${answer.message}`
        const hindered = (action === 'use' && state === '2') || (action === 'withdraw' && state !== '3')
        if (hands[action].includes(who) && (move.from as readonly string[]).includes(state) && !hindered) {
          expect(answer.status, where).toBe(0)
          expect(after.rows[0]?.version, where).toBe(4)
        } else {
          expect(answer.status, where).not.toBe(0)
          expect(after.rows[0], where).toEqual({ state, version: 3 })
        }
      }
    })
  },
)

test('figures are those of the list; stock adds up', async () => {
  const query = { projectCode, size: 1000 }
  const { counts, categories, total } = await as.site.call(listMaterials, { query })
  for (const step of ['accept', 'sample', 'report', 'banned', 'unweighed'] as const)
    expect([step, (await as.site.call(listMaterials, { query: { ...query, step } })).total]).toEqual([step, counts[step]])
  expect(categories.reduce((sum, one) => sum + one.count, 0)).toBe(total)
  await as.site.call(saveMaterialPlan, {
    query: { projectCode },
    body: { category: '14', name: '饰面砖', spec: '600×600', unit: '3', planned: 9000 },
  } as never)
  const { list } = await as.site.call(materialStock, { query: { projectCode, view: 'stock', size: 1000 } })
  const row = list.find((one) => one.name === '饰面砖')
  expect(row?.planned).toBe(9000)
  for (const one of list) expect(one.left).toBeCloseTo(one.accepted - one.used, 6)
})

test('a rule of the site counts for what arrives after it', async () => {
  const { id } = await receive(rebar({ quantity: 100 }))
  const rule = { category: '01', needRetest: true, perQuantity: 30, unit: '1', tolerance: 5 }
  await as.site.call(saveMaterialRule, { query: { projectCode }, body: rule } as never)
  const { id: later } = await receive(rebar({ quantity: 100 }))
  expect([(await read('site', id)).samplesDue, (await read('site', later)).samplesDue]).toEqual([2, 4])
  const { list } = await as.site.call(materialRules, { query: { projectCode } })
  expect(list.find((one) => one.category === '01')).toMatchObject({ perQuantity: 30, own: true })
  await as.site.call(saveMaterialRule, { query: { projectCode }, body: { ...rule, perQuantity: 60, tolerance: 3 } } as never)
})

test('sets of samples: one for each begun quantity, and never fewer for more', () => {
  const rule = usualRule('01')
  expect([60, 60.001, 59.9, 120].map((t) => samplesDue(rule, t, '1'))).toEqual([1, 2, 1, 2])
  expect(samplesDue(rule, 400, '5')).toBe(1)
  expect(samplesDue(usualRule('14'), 1000, '3')).toBe(0)
  let last = 0
  for (let t = 0.5; t < 400; t += 7.3) {
    const due = samplesDue(rule, t, '1')
    expect(due).toBeGreaterThanOrEqual(last)
    last = due
  }
})
