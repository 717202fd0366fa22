import * as corporations from '@zhugong/contract/organisation/corporation-views'
import { getCorporation, listCorporations } from '@zhugong/contract/organisation/corporations'
import * as projects from '@zhugong/contract/organisation/project-views'
import { fillProject, listProjects } from '@zhugong/contract/organisation/projects'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'

let world: World
let city: CityWorld
let projectCode: string
let [admin, bureau, company, site]: Caller[] = []
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  city = await settleCity(world)
  projectCode = city.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  admin = await city.as('admin')
  bureau = await city.as('city-fang')
  company = await city.as('yunze-lu')
  site = await city.as('hospital-pm')
})
afterAll(() => world.close())
const as = (caller: Caller | undefined) => caller as Caller

describe('older calls are views of the same', () => {
  test('projects: list, file by id or code, change', async () => {
    const query = { size: 5, sort: 'name' } as const
    expect(await as(bureau).call(projects.listProjectsV1, { query })).toEqual(await as(bureau).call(listProjects, { query }))
    const file = await as(site).call(fillProject, { params: { projectCode } })
    for (const id of [file.id, projectCode]) expect(await as(site).call(projects.getProjectV1, { params: { id } })).toEqual(file)
    expect(await as(site).call(projects.fillProjectV1, { params: { id: file.id } })).toEqual(file)
    const { linkPhone: _masked, ...body } = file
    const answer = await as(site).ask(projects.updateProjectV1, {
      params: { id: file.id },
      body: { ...body, description: '旧接口修改' } as never,
    })
    expect(answer).toMatchObject({ status: 0 })
    expect((await as(site).call(fillProject, { params: { projectCode } })).description).toBe('旧接口修改')
    const other = city.city.projects.find((p) => p.projectCode !== projectCode)
    expect(await as(site).ask(projects.getProjectV1, { params: { id: other?.id ?? '' } })).toMatchObject({ message: '项目不存在或已删除' })
  })
  test('companies: list, file by id or code', async () => {
    const query = { size: 5, sort: 'corpName' } as const
    const list = await as(admin).call(listCorporations, { query })
    expect(await as(admin).call(corporations.listCorporationsV1, { query })).toEqual(list)
    const [one] = list.list
    const file = await as(admin).call(getCorporation, { params: { corpCode: one?.corpCode ?? '' } })
    const { licenseUrl: _link, ...rest } = file
    expect(await as(admin).call(corporations.getCorporationV1, { params: { id: one?.id ?? '' } })).toMatchObject(rest)
  })
  test('a form knows what must be there and where choices come from', async () => {
    const info = await as(company).call(projects.projectFormInfo, { query: {} })
    expect(info.required).toEqual(expect.arrayContaining(['name', 'areaCode', 'category', 'superviseOrg']))
    expect(info.required).not.toContain('phase')
    expect(info.dictionaries).toMatchObject({ category: 'projectCategory', phase: 'projectPhase' })
    const form = await as(admin).call(corporations.corporationFormInfo)
    expect(form.dictionaries).toMatchObject({ corpKind: 'corpKind', corpType: 'corpType' })
  })
})

describe('before a project is there', () => {
  test('what the own group settles is filled in, and one of the same name in the area is told of', async () => {
    const own = await as(company).call(projects.fastProjectInfo, { query: {} })
    expect(own).toMatchObject({
      contractorCorpCode: city.city.personas.find((p) => p.account === 'yunze-lu')?.corpCode,
      superviseOrg: null,
      same: [],
    })
    const file = await as(company).call(fillProject, { params: { projectCode } })
    const same = await as(company).call(projects.fastProjectInfo, { query: { name: file.name, areaCode: file.areaCode } })
    expect(same.same).toMatchObject([{ projectCode, name: file.name }])
  })
})

describe('what is asked of projects', () => {
  test('the map has the fences of those in sight, those without one can be asked for', async () => {
    const seen = await as(site).call(projects.findProjects, { query: { with: 'areaRule' } })
    expect(seen.list).toMatchObject([{ projectCode, areaRule: { type: '2' }, offsetMeters: 0 }])
    expect(seen.list[0]?.hectares).toBeGreaterThan(0)
    expect((await as(site).call(projects.findProjects, { query: { fenced: '0' } })).total).toBe(0)
  })
  test('whoever comes to check knows key posts, alarms and what the file lacks', async () => {
    const info = await as(bureau).call(projects.safetyCheckInfo, { params: { id: projectCode } })
    const { rows } = await world.database.pool.query<{ n: number }>(
      `select count(distinct post)::int as n from project_worker where project_code = $1 and exit_time is null and post = any ($2)`,
      [projectCode, info.keyPosts.map((p) => p.post)],
    )
    expect(info.keyPosts.filter((p) => p.holders.length > 0)).toHaveLength(rows[0]?.n ?? -1)
    expect(info.keyPosts.find((p) => p.post === '1009')).toMatchObject({ unit: '施工单位' })
    const over = await as(site).call(projects.projectOverview, { query: {} })
    expect(over).toMatchObject({
      projectCode,
      keyPosts: info.keyPosts.length,
      keyPostsHeld: rows[0]?.n,
      onSite: info.onSite,
      machines: info.machines,
    })
    expect(over.daysPlanned).toBeGreaterThan(0)
  })
  test('areas add up to the projects in sight', async () => {
    const { list } = await as(bureau).call(projects.progressByArea)
    const { total } = await as(bureau).call(listProjects, { query: { size: 1 } })
    expect(list.reduce((sum, one) => sum + one.projects, 0)).toBe(total)
    for (const one of list) if (one.elapsed !== null) expect(one.elapsed).toBeLessThanOrEqual(1)
  })
  test('a supervision number is fetched once, and never the same for two', async () => {
    const codes = city.city.projects.slice(0, 2).map((p) => p.projectCode)
    await world.database.pool.query('update project set supervise_no = null, supervise_org = $2 where project_code = any ($1)', [
      codes,
      '420202001',
    ])
    const fetched = await Promise.all(codes.map((code) => as(admin).call(projects.fetchSuperviseNo, { body: { projectCode: code } })))
    const numbers = fetched.map((one) => one.superviseNo)
    expect(numbers.toSorted()).toEqual([expect.stringMatching(/^420202001-\d{4}-0001$/), expect.stringMatching(/^420202001-\d{4}-0002$/)])
    expect(await as(admin).call(projects.fetchSuperviseNo, { body: { projectCode: codes[0] ?? '' } })).toEqual(fetched[0])
    expect(await as(company).ask(projects.fetchSuperviseNo, { body: { projectCode } })).toMatchObject({ http: 403 })
  })
})

describe('companies and who takes part', () => {
  test('the directory finds by the code or the beginning of a name, and says who is in the library', async () => {
    const [known] = city.city.corporations
    await world.database.pool.query(
      `insert into enterprise_register (corp_code, corp_name, legal_man, source, as_of) values ($1, $2, '王某', '测试名录', '2026-11-01'), ('91420000MA000000XX', '试验建工有限公司', '李某', '测试名录', '2026-11-01')
       on conflict (corp_code) do update set source = excluded.source`,
      [known?.corpCode, known?.corpName],
    )
    const search = (keyword: string) => as(admin).call(corporations.searchDirectory, { query: { keyword } })
    expect((await search(known?.corpCode ?? '')).list).toMatchObject([{ corpName: known?.corpName, known: true, source: '测试名录' }])
    expect((await search('试验建工')).list).toMatchObject([{ corpCode: '91420000MA000000XX', known: false }])
    expect((await search('%建工有限')).list).toEqual([])
    expect(await as(admin).ask(corporations.searchDirectory, { query: { keyword: '试验' } })).toMatchObject({
      http: 400,
      data: { field: 'keyword' },
    })
  })
  test('units of a project for a choice, as a tree of who hired whom, and with their people', async () => {
    const units = await as(site).call(corporations.findUnits, { query: { projectCode, size: 100 } })
    expect(units.total).toBeGreaterThan(2)
    const tree = await as(site).call(corporations.corpTree, { query: {} })
    const flat = (nodes: corporations.BusinessNode[]): corporations.BusinessNode[] => nodes.flatMap((n) => [n, ...flat(n.children)])
    expect(new Set(flat(tree).map((n) => n.id))).toEqual(new Set(units.list.map((u) => u.corpCode)))
    const people = await as(site).call(corporations.userTree, { query: {} })
    const { rows } = await world.database.pool.query<{ n: number }>(
      'select count(*)::int as n from project_worker where project_code = $1 and exit_time is null',
      [projectCode],
    )
    expect(flat(people).filter((n) => n.kind === 'user')).toHaveLength(rows[0]?.n ?? -1)
    expect(people.reduce((sum, n) => sum + n.count, 0)).toBe(rows[0]?.n)
    expect(tree.reduce((sum, n) => sum + n.count, 0)).toBe(rows[0]?.n)
    const other = city.city.projects.find((p) => p.projectCode !== projectCode)?.projectCode ?? ''
    expect(await as(site).ask(corporations.userTree, { query: { projectCode: other } })).toMatchObject({
      message: '项目不存在或不在您的管辖范围内',
    })
  })
})
