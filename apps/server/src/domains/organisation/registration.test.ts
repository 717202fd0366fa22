import { assignSupervisor, createProjectFast, fillProject, updateProject } from '@zhugong/contract/organisation/projects'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { inScope } from '#kit/db'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'
import { findScope } from '../access/public.ts'

let world: World
let settled: CityWorld
/** The hospital is in 420202, supervised by 420202001; 420200001 is the city's bureau above it, 420203001 a neighbour. */
let projectCode: string
let before: Record<string, string | null>
const columns = ['area_code', 'supervise_org', 'build_corp_code', 'contractor_corp_code'] as const
const [district, neighbour, city] = ['420202001', '420203001', '420200001']

const registered = async () => {
  const { rows } = await world.database.pool.query(`select ${columns.join(', ')} from project where project_code = $1`, [projectCode])
  return rows[0] as Record<string, string | null>
}
const edit = async (caller: Caller, change: object) => {
  const { linkPhone: _masked, ...rest } = await caller.call(fillProject, { params: { projectCode } })
  return caller.ask(updateProject, { params: { projectCode }, body: { ...rest, ...change } as never })
}

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  projectCode = settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  before = await registered()
  expect(before).toMatchObject({ area_code: '420202', supervise_org: district })
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.database.pool.query('delete from project_change')
  await world.database.pool.query(`update project set ${columns.map((c, i) => `${c} = $${i + 2}`).join(', ')} where project_code = $1`, [
    projectCode,
    ...columns.map((c) => before[c]),
  ])
})

const otherCompany = () => settled.city.corporations.find((c) => !Object.values(before).includes(c.corpCode))?.corpCode ?? ''

describe('the registration of a project', () => {
  const wishes: [string, () => object][] = [
    ['areaCode', () => ({ areaCode: '420203' })],
    ['superviseOrg', () => ({ superviseOrg: neighbour })],
    ['buildCorpCode', () => ({ buildCorpCode: otherCompany() })],
    ['contractorCorpCode', () => ({ contractorCorpCode: otherCompany() })],
  ]
  test.each(wishes)('%s is changed neither by the project nor by its contractor', async (field, wish) => {
    for (const account of ['hospital-pm', 'yunze-lu']) {
      const answer = await edit(await settled.as(account), wish())
      expect([account, answer.http, answer.data]).toEqual([account, 403, expect.objectContaining({ field })])
      expect(answer.message).toContain('申请')
    }
    expect(await registered()).toEqual(before)
  })
  test('what else stands in the file is the project’s to write, with or without the locked fields', async () => {
    const site = await settled.as('hospital-pm')
    expect(await edit(site, { description: '新建门诊楼' })).toMatchObject({ status: 0 })
    const locked = { areaCode: undefined, superviseOrg: undefined, buildCorpCode: undefined, contractorCorpCode: undefined }
    expect(await edit(site, { description: '新建住院楼', ...locked })).toMatchObject({ status: 0 })
    expect(await registered()).toEqual(before)
    expect((await site.call(fillProject, { params: { projectCode } })).description).toBe('新建住院楼')
  })
  test('a fence is a ring that nowhere meets itself; closed by its first corner or not', async () => {
    // A company on the site: a move this large may not be decided by the site itself.
    const company = await settled.as('yunze-lu')
    const ring = [
      { lng: 114.3, lat: 30.5 },
      { lng: 114.31, lat: 30.5 },
      { lng: 114.31, lat: 30.51 },
      { lng: 114.3, lat: 30.51 },
    ]
    const [a, b, c, d] = ring
    const fence = (points: unknown[]) => edit(company, { areaRule: { type: '2', points } })
    expect(await fence(ring)).toMatchObject({ status: 0 })
    expect(await fence([...ring, a])).toMatchObject({ status: 0 })
    for (const crossed of [
      [a, c, b, d],
      [...ring, b],
      [a, b, a],
    ])
      expect(await fence(crossed)).toMatchObject({ http: 400, data: { field: 'areaRule' } })
  })
  test('an authority keeps a project in its area and its line; the one above both moves it', async () => {
    const clerk = await settled.as('city-fang')
    // The district's officers lack the permission; its administrator has it, but only in the district's area.
    await grant('bj-zhao', '监管机构管理员')
    const officer = await settled.as('bj-zhao')
    expect(await edit(officer, { areaCode: '420203', superviseOrg: neighbour })).toMatchObject({ http: 403 })
    for (const govCode of [neighbour, city])
      expect(await officer.ask(assignSupervisor, { body: { projectCodes: [projectCode], govCode } })).toMatchObject({
        http: 403,
        data: { field: 'superviseOrg' },
      })
    expect(await registered()).toEqual(before)
    // Area and supervisor must match.
    expect(await edit(clerk, { areaCode: '420203' })).toMatchObject({ status: 2, data: { field: 'superviseOrg' } })
    expect(await edit(clerk, { areaCode: '420203', superviseOrg: neighbour })).toMatchObject({ status: 0 })
    expect(await registered()).toMatchObject({ area_code: '420203', supervise_org: neighbour })
    await forgotten()
    expect(await officer.ask(fillProject, { params: { projectCode } })).toMatchObject({ status: 2 })
  })
  test('an authority opens projects in its own area only', async () => {
    await grant('yd-wang', '监管机构管理员')
    const officer = await settled.as('yd-wang')
    const body = { name: '界外新建', category: '01', address: '一路', linkMan: '王海', linkPhone: '13800138000' }
    const companies = { contractorCorpCode: before.contractor_corp_code ?? '', buildCorpCode: before.build_corp_code ?? '' }
    const open = (areaCode: string) => officer.ask(createProjectFast, { body: { ...body, ...companies, areaCode } })
    expect(await open('420202')).toMatchObject({ http: 403, data: { field: 'areaCode' } })
    expect(await open('420203')).toMatchObject({ status: 0 })
  })
  test('the database refuses what the application would let through', async () => {
    const attempt = async (account: string, change: string) => {
      const persona = settled.city.personas.find((p) => p.account === account)
      const code = persona?.govCode ?? persona?.corpCode ?? persona?.projectCode ?? ''
      const type = persona?.groupType ?? 3
      const db = world.database.kysely
      const t = await db.selectFrom('tenant').selectAll().where('type', '=', type).where('code', '=', code).executeTakeFirstOrThrow()
      const group = { id: t.id, type: t.type as 0 | 1 | 2 | 3, code, name: t.name, areaCode: t.areaCode }
      const scope = await findScope(db, group, 'test')
      const [column = '', value = ''] = change.split('=')
      return inScope(db, scope, (tx) =>
        tx
          .updateTable('project')
          .set({ [column]: value })
          .where('projectCode', '=', projectCode)
          .execute(),
      ).then(
        () => 'written',
        (error: { code?: string }) => error.code,
      )
    }
    const companyCode = otherCompany()
    for (const account of ['hospital-pm', 'yunze-lu'])
      for (const change of [
        'areaCode=420203',
        `superviseOrg=${neighbour}`,
        `buildCorpCode=${companyCode}`,
        `contractorCorpCode=${companyCode}`,
      ])
        expect([account, change, await attempt(account, change)]).toEqual([account, change, '42501'])
    expect(await attempt('hospital-pm', 'description=照常')).toBe('written')
    expect(await attempt('bj-zhao', 'areaCode=420203')).toBe('42501')
    expect(await attempt('bj-zhao', `superviseOrg=${city}`)).toBe('42501')
    expect(await attempt('city-fang', 'areaCode=420203')).toBe('written')
  })
})

/** Gives an account a default role of its group type in addition to its own. */
async function grant(account: string, role: string): Promise<void> {
  await world.database.pool.query(
    `insert into member_role (member_id, role_id)
     select m.id, r.id from member m join app_user u on u.id = m.user_id join tenant t on t.id = m.group_id
       join role r on r.groups_type = t.type and r.name = $2 and r.group_id is null
     where u.account = $1 on conflict do nothing`,
    [account, role],
  )
  await forgotten()
}
/** Longer than the cache time of a session's principal. */
const forgotten = () => new Promise((resolve) => setTimeout(resolve, 1000))
