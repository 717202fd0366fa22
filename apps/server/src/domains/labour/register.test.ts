import * as calls from '@zhugong/contract/labour/register'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { idCard } from '../../../test/givens.ts'
import type { Caller, World } from '../../../test/world.ts'

let world: World
let settled: CityWorld
let admin: Caller
let clerk: Caller
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  admin = await settled.as('admin')
  clerk = await settled.as('hospital-labour')
})
afterAll(() => world.close())

const outside = { corpCode: '91420200MA4TERT13Y', corpName: '远山劳务有限公司', corpKind: ['6'], safetyLicenseEnd: '2026-01-31' }
const hand = (more: object) => ({ source: '省建筑市场监管平台', asOf: '2026-11-01', ...more }) as never

test('the platform fills it; what is named again is replaced, a company’s people as a whole', async () => {
  const known = settled.city.corporations[0]
  const body = hand({
    enterprises: [outside, { corpCode: known?.corpCode, corpName: `${known?.corpName}（更名）`, corpKind: ['4'] }],
    operators: [
      {
        corpCode: outside.corpCode,
        name: '周大勇',
        idCardNumber: idCard(),
        kind: '安管',
        certName: '安全员 C 证',
        certNo: 'C-1',
        validEnd: '2026-02-01',
      },
      {
        corpCode: outside.corpCode,
        name: '周小勇',
        idCardNumber: idCard(),
        kind: '注册',
        certName: '一级建造师',
        certNo: 'J-1',
        validEnd: '2029-02-01',
      },
    ],
  })
  expect(await admin.call(calls.uploadRegister, { body })).toEqual({ enterprises: 2, operators: 2 })
  const { list, figures } = await clerk.call(calls.listEnterprises, { query: { q: '远山' } })
  expect(list[0]).toMatchObject({ here: 'unknown', registered: 1, safety: 1, asOf: '2026-11-01' })
  expect(figures.licenceEnded).toBeGreaterThan(0)
  const changed = await admin.call(calls.getEnterprise, { query: { id: known?.corpCode ?? '' } })
  expect(changed.here).toBe('differs')
  expect(changed.fields.find((f) => f.field === 'corpName')).toMatchObject({ differs: true, own: known?.corpName })
  await admin.call(calls.uploadRegister, {
    body: hand({
      operators: [
        { corpCode: outside.corpCode, name: '周小勇', idCardNumber: idCard(), kind: '注册', certName: '一级建造师', certNo: 'J-1' },
      ],
    }),
  })
  expect((await clerk.call(calls.listOperators, { query: { corpCode: outside.corpCode } })).total).toBe(1)
  // Shown as 周**: can be found by the visible part only.
  const sought = async (q: string) => (await clerk.call(calls.listOperators, { query: { corpCode: outside.corpCode, q } })).total
  expect([await sought('周'), await sought('小勇'), await sought('周小勇'), await sought('周小')]).toEqual([1, 0, 0, 0])
  expect((await clerk.ask(calls.uploadRegister, { body })).http).toBe(403)
  expect(
    (
      await admin.ask(calls.uploadRegister, {
        body: hand({
          operators: [{ corpCode: '91420200MA4TERT13Z', name: '甲乙', idCardNumber: idCard(), kind: '注册', certName: 'x', certNo: 'y' }],
        }),
      })
    ).status,
  ).toBe(2)
})

test('somebody of two companies, leading two projects, is a question; he is linked by his number, never by his name', async () => {
  const stay = settled.city.projectWorkers.find(
    (w) =>
      w.workRole === '10' && !w.exitTime && w.projectCode === settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode,
  )
  const person = settled.city.workers.find((w) => w.workerId === stay?.workerId)
  const other = settled.city.corporations[1]
  const paper = { name: person?.name, idCardNumber: person?.idCardNumber, kind: '注册', certName: '一级建造师' }
  await admin.call(calls.uploadRegister, {
    body: hand({
      enterprises: [outside, { corpCode: other?.corpCode, corpName: other?.corpName }],
      operators: [
        { ...paper, corpCode: outside.corpCode, certNo: 'J-9' },
        { ...paper, corpCode: other?.corpCode, certNo: 'J-8' },
        { ...paper, idCardNumber: idCard(), corpCode: outside.corpCode, certNo: 'J-7' },
      ],
    }),
  })
  const { list } = await clerk.call(calls.listOperators, { query: { corpCode: outside.corpCode } })
  const same = list.find((o) => o.certNo === 'J-9')
  const namesake = list.find((o) => o.certNo === 'J-7')
  const found = await clerk.call(calls.getOperator, { query: { id: same?.id ?? '' } })
  expect(found).toMatchObject({ workerId: person?.workerId, named: 2 })
  expect(found.warnings.join()).toContain('同时登记在 2 家企业')
  expect(found.name).not.toBe(person?.name)
  expect(await clerk.call(calls.getOperator, { query: { id: namesake?.id ?? '' } })).toMatchObject({ workerId: null, sameName: 1 })
  const stranger = await settled.as('zhigu-pm')
  expect((await stranger.call(calls.getOperator, { query: { id: same?.id ?? '' } })).workerId).toBeNull()
  const papers = await clerk.call(calls.listRegisterCertificates, { query: { id: same?.id ?? '' } })
  expect(papers.list).toHaveLength(2)
  const { rows } = await sql<{ t: string }>`select string_agg(o::text, '') as t from enterprise_operator o`.execute(world.database.kysely)
  expect(rows[0]?.t).not.toContain(person?.idCardNumber)
})
