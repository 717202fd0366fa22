import type { InputFor } from '@zhugong/contract/kit/endpoint'
import { alterForm, fileAlter, getAlter, listAlters, withdrawAlter } from '@zhugong/contract/organisation/project-alter'
import { actOnApproval, getApproval } from '@zhugong/contract/workflow/endpoints'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'

let world: World
let settled: CityWorld
let projectCode: string
let before: Record<string, string | null>
let parts: string[]
const cast = {
  site: 'hospital-pm',
  leader: 'yunze-lu',
  supervisor: 'hospital-jl',
  owner: 'weijian-xia',
  city: 'city-fang',
  officer: 'bj-zhao',
  otherBody: 'yd-wang',
  subcontractor: 'dingli-cheng',
  stranger: 'zhigu-pm',
} as const
type Who = keyof typeof cast
const as = {} as Record<Who, Caller>
const paper = 'test-paper'

const rows = async <T>(sql: string, values: unknown[] = []) => (await world.database.pool.query(sql, values)).rows as T[]
const one = async <T>(sql: string, values: unknown[] = []) => (await rows<T>(sql, values))[0]
const columns = ['name', 'area_code', 'supervise_org', 'build_corp_code', 'contractor_corp_code', 'invest', 'complete_date', 'address']

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  projectCode = settled.city.personas.find((p) => p.account === cast.site)?.projectCode ?? ''
  for (const who of Object.keys(cast) as Who[]) as[who] = await settled.as(cast[who])
  before = (await one(`select ${columns.join(', ')} from project where project_code = $1`, [projectCode])) ?? {}
  parts = (await rows<{ id: string }>('select id from project_corp where project_code = $1', [projectCode])).map(({ id }) => id)
  await rows(
    `insert into stored_file (id, group_id, name, mime, bytes, sha256, create_by)
     select $1 || '-' || t.id, t.id, '材料.pdf', 'application/pdf', 3, md5(t.id), 'test' from tenant t`,
    [paper],
  )
})
afterAll(() => world.close())
beforeEach(async () => {
  await rows('delete from project_change')
  await rows("delete from work_item where kind = 'projectChange'")
  await rows(`update project set ${columns.map((c, i) => `${c} = $${i + 2}`).join(', ')} where project_code = $1`, [
    projectCode,
    ...columns.map((c) => before[c]),
  ])
  await rows('delete from project_corp where project_code = $1 and id <> all ($2)', [projectCode, parts])
  await rows(`update project_corp set exit_time = null, stationed = '1' where project_code = $1 and corp_type in ('007', '008', '009')`, [
    projectCode,
  ])
})

const query = () => ({ projectCode })
const fileOf = async (who: Who) => {
  const account = cast[who]
  const group = await one<{ id: string }>(
    'select s.group_id as id from session s join app_user u on u.id = s.user_id where u.account = $1 order by s.expires_at desc limit 1',
    [account],
  )
  return `${paper}-${group?.id ?? ''}`
}
async function tryFile(who: Who, body: Record<string, unknown>) {
  const file = await fileOf(who)
  const consent = body.stayId ? { consent: [file] } : {}
  return as[who].ask(fileAlter, {
    query: query(),
    body: { reason: '合同补充协议已签订', files: [file], ...consent, ...body } as InputFor<typeof fileAlter>['body'],
  })
}
async function file(who: Who, body: Record<string, unknown>): Promise<string> {
  const answer = await tryFile(who, body)
  expect({ status: answer.status, message: answer.message }).toMatchObject({ status: 0 })
  return answer.data.id
}
const read = (who: Who, id: string) => as[who].call(getAlter, { params: { id }, query: query() })
async function tryAct(who: Who, id: string, result: 'pass' | 'reject' | 'transfer', more: Record<string, unknown> = {}) {
  const item = await one<{ id: string; version: number }>(
    "select id, version from work_item where kind = 'projectChange' and object_id = $1 order by create_time desc limit 1",
    [id],
  )
  return as[who].ask(actOnApproval, {
    params: { id: item?.id ?? '' },
    body: { result, version: item?.version ?? 0, ...more } as InputFor<typeof actOnApproval>['body'],
  })
}
async function act(who: Who, id: string, result: 'pass' | 'reject', more: Record<string, unknown> = {}) {
  const { status, message } = await tryAct(who, id, result, more)
  expect({ who, status, message }).toMatchObject({ status: 0 })
}
const project = async () => (await one<Record<string, string | null>>('select * from project where project_code = $1', [projectCode])) ?? {}
const otherCompany = async () =>
  (await one<{ corp_code: string }>(
    "select corp_code from corporation where enable = '1' and corp_code not in (select corp_code from project_corp where project_code = $1) order by 1",
    [projectCode],
  ))!.corp_code

describe('a change of the file', () => {
  test('goes 施工, 监理, 建设, authority, each in turn, and is then written', async () => {
    const id = await file('site', { type: '1', name: '江临市中心医院新院区' })
    const seen = await read('site', id)
    expect(seen).toMatchObject({
      typeName: '项目名称',
      node: '施工单位',
      summary: `项目名称 ${before.name} → 江临市中心医院新院区`,
      differences: [{ before: before.name, after: '江临市中心医院新院区' }],
      mayWithdraw: true,
    })
    expect(seen.code).toMatch(/^XMBG-\d{4}-\d{6}$/)
    for (const who of ['supervisor', 'owner', 'city'] as const) expect((await tryAct(who, id, 'pass')).status, who).not.toBe(0)
    expect((await tryAct('site', id, 'pass')).status).not.toBe(0)
    const nodes = []
    for (const who of ['leader', 'supervisor', 'owner', 'city'] as const) {
      nodes.push((await read('site', id)).node)
      expect((await as[who].call(listAlters, { query: { ...query(), tab: 'waiting', page: 1, size: 20 } })).list.map((r) => r.id)).toEqual([
        id,
      ])
      await act(who, id, 'pass')
    }
    expect(nodes).toEqual(['施工单位', '监理单位', '建设单位', '监督机构'])
    expect((await project()).name).toBe('江临市中心医院新院区')
    const done = await read('site', id)
    expect(done).toMatchObject({ state: '2', node: null })
    expect(done.events.map((e) => e.action)).toEqual(['submit', 'pass', 'pass', 'pass', 'pass'])
  })
  test('a company is not asked about its own application; 参建单位 skips 监理 and writes the parts', async () => {
    const to = await otherCompany()
    const id = await file('leader', { type: '2', contractorCorpCode: to })
    expect((await read('leader', id)).node).toBe('建设单位')
    await act('owner', id, 'pass')
    await act('city', id, 'pass')
    expect((await project()).contractor_corp_code).toBe(to)
    const parts = await rows<{ corp_code: string; exit: boolean }>(
      "select corp_code, exit_time is not null as exit from project_corp where project_code = $1 and corp_type = '009'",
      [projectCode],
    )
    expect(parts).toContainEqual({ corp_code: to, exit: false })
    expect(parts).toContainEqual({ corp_code: before.contractor_corp_code, exit: true })
  })
  test('takes only the fields of its type, at least one that differs, reason and papers', async () => {
    const fieldOf = async (body: Record<string, unknown>) => {
      const answer = await tryFile('site', body)
      expect(answer.status).not.toBe(0)
      return (answer.data as { field?: string } | null)?.field
    }
    expect(await fieldOf({ type: '1', name: '新名称', invest: 10 })).toBe('invest')
    expect(await fieldOf({ type: '1' })).toBe('name')
    expect(await fieldOf({ type: '1', name: before.name })).toBe('name')
    expect(await fieldOf({ type: '8', name: '新名称' })).toBe('type')
    expect(await fieldOf({ type: '5', invest: 123, files: [] })).toBe('files')
    expect(await fieldOf({ type: '6', completeDate: '2000-01-01' })).toBe('completeDate')
    expect(await fieldOf({ type: '3' })).toBe('stayId')
    expect(await fieldOf({ type: '3', stayId: 'nobody', consent: [] })).toBe('consent')
  })
  test('one of a kind at a time, another kind beside it', async () => {
    await file('site', { type: '5', invest: 99_999 })
    expect((await tryFile('leader', { type: '5', invest: 88_888 })).message).toContain('正在审批')
    await file('leader', { type: '6', completeDate: '2040-01-01' })
  })
  test('is withdrawn before the first decision, not after it, and by its group only', async () => {
    const id = await file('site', { type: '5', invest: 99_999 })
    const version = (await read('site', id)).version
    const withdraw = (who: Who) =>
      as[who].ask(withdrawAlter, { params: { id }, query: query(), body: { action: 'withdraw', version, reason: '填错' } })
    expect((await withdraw('leader')).http).toBe(403)
    expect((await withdraw('site')).status).toBe(0)
    expect(await read('site', id)).toMatchObject({ state: '4', mayWithdraw: false })
    const second = await file('site', { type: '5', invest: 99_999 })
    await act('leader', second, 'pass')
    const late = await as.site.ask(withdrawAlter, {
      params: { id: second },
      query: query(),
      body: { action: 'withdraw', version: (await read('site', second)).version, reason: '' },
    })
    expect(late.status).not.toBe(0)
  })
  test('is refused with a reason by whoever has the turn', async () => {
    const id = await file('site', { type: '9', matter: '监督交底时间调整' })
    expect((await tryAct('leader', id, 'reject')).status).not.toBe(0)
    await act('leader', id, 'reject', { opinion: '缺补充协议' })
    expect(await read('site', id)).toMatchObject({ state: '3', opinion: '缺补充协议' })
    expect((await tryAct('leader', id, 'pass')).status).not.toBe(0)
  })
  test('moved meanwhile: the approver sees it and confirms it, again if it moves again', async () => {
    const id = await file('leader', { type: '2', contractorCorpCode: await otherCompany() })
    await rows('update project set contractor_corp_code = build_corp_code where project_code = $1', [projectCode])
    expect((await read('owner', id)).moved).toMatchObject([{ label: '总承包单位' }])
    const refused = await tryAct('owner', id, 'pass')
    expect(refused.message).toContain('原值已变化')
    const questionsOf = async (who: Who) => (await as[who].call(getApproval, { params: { id: (await read(who, id)).itemId ?? '' } })).asks
    const [ask] = await questionsOf('owner')
    expect(ask?.text).toContain('总承包单位')
    await rows('update project set contractor_corp_code = null where project_code = $1', [projectCode])
    expect((await tryAct('owner', id, 'pass', { choice: { moved: ask?.value } })).message).toContain('原值已变化')
    const again = (await questionsOf('owner'))[0]?.value
    await act('owner', id, 'pass', { choice: { moved: again } })
    expect((await tryAct('city', id, 'pass')).message).toContain('原值已变化')
    await act('city', id, 'pass', { choice: { moved: (await questionsOf('city'))[0]?.value } })
    expect((await read('city', id)).state).toBe('2')
  })
  test('out of the area is for whoever is above, who names the supervisor with it', async () => {
    const id = await file('owner', { type: '7', areaCode: '420203' })
    await act('leader', id, 'pass')
    await act('supervisor', id, 'pass')
    expect((await tryAct('city', id, 'pass')).message).toContain('监督机构')
    await act('city', id, 'pass', { choice: { superviseOrg: '420203001' } })
    expect(await project()).toMatchObject({ area_code: '420203', supervise_org: '420203001' })
  })
})

describe('a change of a key person', () => {
  const candidates = async (who: Who, type: string) =>
    (await as[who].call(alterForm, { query: { ...query(), type } })).person?.candidates ?? []
  const newcomer = async () => {
    const form = await as.site.call(alterForm, { query: { ...query(), type: '3' } })
    return form.person?.candidates.find((c) => c.name !== form.person?.name)
  }
  test('goes company, 建设, authority; written to the part and to the post on the roster', async () => {
    const chosen = await newcomer()
    const id = await file('site', { type: '3', stayId: chosen?.stayId })
    const seen = await read('site', id)
    expect(seen).toMatchObject({ node: '施工单位', person: { newName: chosen?.name, role: '项目负责人' } })
    expect(seen.consent).toHaveLength(1)
    for (const who of ['leader', 'owner', 'city'] as const) await act(who, id, 'pass')
    const part = await one<{ pm_name: string; pm_id_card_mask: string }>(
      "select pm_name, pm_id_card_mask from project_corp where project_code = $1 and corp_type = '009' and exit_time is null",
      [projectCode],
    )
    expect(part).toMatchObject({ pm_name: chosen?.name, pm_id_card_mask: chosen?.idCardMask })
    const posts = await rows<{ worker_name: string }>(
      `select w.worker_name from project_worker w join project_corp u on u.project_code = w.project_code and u.corp_code = w.corp_code
        and u.corp_type = '009' and u.exit_time is null where w.project_code = $1 and w.post = '1009' and w.exit_time is null`,
      [projectCode],
    )
    const here = await one('select 1 as here from project_worker where id = $1 and project_code = $2', [chosen?.stayId, projectCode])
    expect(posts).toEqual(here ? [{ worker_name: chosen?.name }] : [])
  })
  test('总监 is a person of 监理', async () => {
    const people = await candidates('site', '4')
    expect(people.length).toBeGreaterThan(0)
    expect((await tryFile('site', { type: '4', stayId: (await newcomer())?.stayId })).data).toMatchObject({ field: 'stayId' })
  })
  test('what speaks against the newcomer is shown to every approver, also if it arises while the application waits', async () => {
    const chosen = await newcomer()
    const id = await file('site', { type: '3', stayId: chosen?.stayId })
    const hash = (await one<{ h: string }>('select id_card_hash as h from project_change_person where change_id = $1', [id]))?.h
    await rows(`update worker_cert set status = '2' where worker_id in (select id from worker where id_card_hash = $1)`, [hash])
    expect((await read('leader', id)).hits.join()).toContain('没有有效的')
    await act('leader', id, 'pass')
    await rows(
      `update project_corp set pm_id_card_hash = $1 where id = (select u.id from project_corp u join project p using (project_code)
         where u.corp_type = '009' and u.exit_time is null and u.project_code <> $2 and p.prj_status = '003' order by u.id limit 1)`,
      [hash, projectCode],
    )
    expect((await read('owner', id)).hits.join()).toMatch(/现任在建项目“.+”的项目负责人/)
    await act('owner', id, 'pass')
    await rows(
      `insert into black_entry (id, kind, id_card_hash, name, reason_type, reason, occurrence_date, notified_time, scope, scope_code, start_date, end_date, state, group_name, group_id)
       select 'listed', 'worker', $1, '某人', '1', '测试', '2026-01-01', now(), '1', $2, '2026-01-01', '2027-12-31', '2', '市住建局', id from tenant where type = 0 limit 1`,
      [hash, projectCode],
    )
    const atCity = await read('city', id)
    expect(atCity.hits.join()).toContain('黑名单')
    const { findings } = await as.city.call(getApproval, { params: { id: atCity.itemId ?? '' } })
    expect(findings.map((f) => f.text)).toEqual(atCity.hits)
    await rows("delete from black_entry where id = 'listed'")
    await rows('update project_corp set pm_id_card_hash = null where pm_id_card_hash = $1', [hash])
  })
})

describe('rights', () => {
  test('nobody outside sees or files: another site, a subcontractor, another authority, whoever has left', async () => {
    const id = await file('site', { type: '1', name: '新名称一号' })
    for (const who of ['stranger', 'subcontractor', 'otherBody'] as const) {
      const list = await as[who].ask(listAlters, { query: { projectCode: '*', page: 1, size: 20 } })
      expect([who, list.data?.total ?? 0]).toEqual([who, 0])
      expect((await as[who].ask(getAlter, { params: { id }, query: { projectCode: '*' } })).status, who).not.toBe(0)
      expect((await tryAct(who, id, 'pass')).status, who).not.toBe(0)
    }
    for (const who of ['stranger', 'subcontractor', 'supervisor', 'officer'] as const)
      expect((await tryFile(who, { type: '5', invest: 5 })).status, who).not.toBe(0)
    await rows("update project_corp set exit_time = '2026-11-01' where project_code = $1 and corp_type = '007'", [projectCode])
    await forgotten()
    expect((await as.supervisor.ask(getAlter, { params: { id }, query: { projectCode: '*' } })).status).not.toBe(0)
  })
})

/** Longer than the cache time of a session's principal. */
const forgotten = () => new Promise((resolve) => setTimeout(resolve, 5_100))
