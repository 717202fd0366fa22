import { codesFor } from '@zhugong/contract/access/codes'
import { currentRoles, grantedApps, initMenus, myProjects, switchUser } from '@zhugong/contract/access/endpoints'
import type { MenuNode } from '@zhugong/contract/access/menu'
import { actOnSuppression, getAlarm } from '@zhugong/contract/alarms/endpoints'
import { findAlarms } from '@zhugong/contract/alarms/lists'
import { deviceStatistics } from '@zhugong/contract/equipment/device-tools'
import { dockingRow, listDockings } from '@zhugong/contract/equipment/docking-endpoints'
import { listDevices, pickDevices } from '@zhugong/contract/equipment/endpoints'
import { connectionTypes, listGateways } from '@zhugong/contract/equipment/gateway-endpoints'
import { listBrands, listFactories } from '@zhugong/contract/equipment/library-endpoints'
import { listModels } from '@zhugong/contract/equipment/model-endpoints'
import { exportStatus, listExports } from '@zhugong/contract/exports/endpoints'
import { getMyInfo, ownGroups, publicSettings } from '@zhugong/contract/identity/endpoints'
import { codesOf, type Endpoint } from '@zhugong/contract/kit/endpoint'
import { listTeams } from '@zhugong/contract/labour/teams'
import { stopLinkage } from '@zhugong/contract/linkage/endpoints'
import { createHelmetGroup, listHelmetGroups } from '@zhugong/contract/monitoring/helmet/helmets'
import { deleteDuty } from '@zhugong/contract/notify/endpoints'
import * as corporationsCalls from '@zhugong/contract/organisation/corporations'
import * as governmentsCalls from '@zhugong/contract/organisation/governments'
import * as projectsCalls from '@zhugong/contract/organisation/projects'
import * as badRecordsCalls from '@zhugong/contract/personnel/bad-records'
import * as careersCalls from '@zhugong/contract/personnel/careers'
import * as papersCalls from '@zhugong/contract/personnel/papers'
import * as peopleCalls from '@zhugong/contract/personnel/people'
import * as workersCalls from '@zhugong/contract/personnel/workers'
import { listExecs, listLevels, listTriggers, ruleBase } from '@zhugong/contract/rules/endpoints'
import { dictionaryOf } from '@zhugong/contract/settings/dictionaries'
import { dictsByCode } from '@zhugong/contract/settings/endpoints'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { type CityWorld, openCity, settleCity } from './city.ts'
import { furnish } from './furnish.ts'
import type { World } from './world.ts'

/** Statements about calls and their answers, tested in the demonstration city. */
let world: World
let settled: CityWorld
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  await furnish(world.database.pool, settled.city)
})
afterAll(() => world.close())

const keysOf = (value: object | undefined) => Object.keys(value ?? {})
/** Keys of a schema; of one with several views those of the view that is answered by default, which stands first. */
const names = (schema: unknown): string[] =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : schema instanceof z.ZodUnion ? names(schema.options[0]) : []
/** A value for `:id`: one accepted by the call's schema, or any. */
const anId = (schema: z.ZodType | undefined): string => {
  const id = schema instanceof z.ZodObject ? schema.shape['id'] : undefined
  return id instanceof z.ZodEnum ? String(id.options[0]) : 'x'
}
/** The key that chooses the view of a call with several, with the first one's value. */
const viewOf = (schema: z.ZodType | undefined): string => {
  if (!(schema instanceof z.ZodDiscriminatedUnion)) return ''
  const [first] = schema.options as readonly z.ZodObject[]
  const key = schema.def.discriminator
  const value = first?.shape[key]
  return value instanceof z.ZodLiteral ? `?${key}=${String(value.value)}` : ''
}
const page = { page: 1, size: 20 }

describe('the profile', () => {
  const fields = [
    ...['mainHead', 'subHead', 'privateCloudIdentifier', 'serverHost', 'mqttHost', 'resourceHost', 'logoImage'],
    ...['backgroundImage', 'appQrcodePrj', 'appQrcodeGov', 'prjBtnName', 'govBtnName', 'helpDoc', 'serviceHotline'],
  ]
  test('[branding-profile-at-start] [profile-fields] is answered before anybody is logged in, fourteen fields, each a text', async () => {
    const profile: Record<string, unknown> = await world.anonymous.call(publicSettings, { query: {} })
    expect(fields).toHaveLength(14)
    expect(fields.filter((name) => typeof profile[name] !== 'string')).toEqual([])
    expect(profile).toMatchObject({ mainHead: '筑工', prjBtnName: '项目端', govBtnName: '监管端' })
  })

  test('[branding-group-fields] [entity-group-info] [entity-coordinate] each group has its own name, logo, screen and place', async () => {
    const caller = await settled.as('yunze-lu')
    const { list } = await caller.call(ownGroups)
    expect(list).toHaveLength(2)
    const brands = list.map((_, i) => ({ sysName: `系统${i}`, logo: `/logo-${i}.png`, screen: `/screen/${i}`, lng: 115 + i, lat: 30 + i }))
    for (const [i, { id }] of list.entries())
      await world.database.kysely
        .updateTable('tenant')
        .set(brands[i] ?? {})
        .where('id', '=', id)
        .execute()
    const { list: branded } = await caller.call(ownGroups)
    const byId = new Map(branded.map((group) => [group.id, group]))
    for (const [i, { id }] of list.entries()) expect(byId.get(id)).toMatchObject(brands[i] ?? {})
  })
})

test('[user-group-type] everybody works for a group, and the group has a type', async () => {
  for (const { account, groupType } of settled.accounts) {
    const caller = await settled.as(account)
    const info = await caller.call(getMyInfo)
    expect([account, info.groupsType]).toEqual([account, groupType])
    const { list } = await caller.call(ownGroups)
    expect(list.find((group) => group.id === info.groupId)?.groupsType, account).toBe(groupType)
    expect(list.filter((group) => ![0, 1, 2, 3].includes(group.groupsType))).toEqual([])
  }
})

test('[role-matrix-open] every kind of group has its administrator, and further roles with fewer codes', async () => {
  const delivered = await world.database.kysely
    .selectFrom('role')
    .select(['name', 'groupsType', 'codes'])
    .where('builtIn', '=', true)
    .execute()
  const administrators = ['平台管理员', '监管机构管理员', '企业管理员', '项目管理员']
  for (const [groupsType, administrator] of administrators.entries()) {
    const roles = delivered.filter((role) => role.groupsType === groupsType)
    const whole = roles.find(({ name }) => name === administrator)
    const others = roles.filter((role) => role !== whole)
    expect(others.length, administrator).toBeGreaterThan(0)
    for (const { name, codes } of others) {
      expect(codes.length, name).toBeLessThan(whole?.codes.length ?? 0)
      expect(
        codes.filter((code) => !whole?.codes.includes(code)),
        name,
      ).toEqual([])
    }
  }
})

describe('menus', () => {
  const all = (nodes: readonly MenuNode[]): MenuNode[] => nodes.flatMap((node) => [node, ...all(node.children)])
  test('[entity-menu-tree] [entity-menu-item] a node has id, title and children; a page is a MENU, what holds pages a DIR', async () => {
    const tree = await (await settled.as('hospital-pm')).call(initMenus)
    const nodes = all(tree)
    expect(nodes.length).toBeGreaterThan(20)
    expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length)
    for (const node of nodes) {
      for (const key of ['id', 'name', 'title', 'menuType', 'children', 'operator']) expect(node, node.title).toHaveProperty(key)
      expect(node.menuType, node.title).toBe(node.path ? 'MENU' : 'DIR')
      expect(node.children.length > 0, node.title).toBe(node.menuType === 'DIR')
    }
  })

  test('[menus-data-driven] they and the codes of their buttons are the user’s', async () => {
    const of = async (account: string) => {
      const caller = await settled.as(account)
      const current = (await caller.call(currentRoles)).list.flatMap((role) => role.codes)
      return { held: new Set(current), nodes: all(await caller.call(initMenus)) }
    }
    const [officer, admin] = [await of('hospital-labour'), await of('admin')]
    const paths = (nodes: MenuNode[]) => nodes.flatMap(({ path }) => path ?? [])
    expect(paths(officer.nodes)).toContain('/personList')
    expect(paths(officer.nodes)).not.toContain('/gateway')
    expect(paths(admin.nodes)).toContain('/gateway')
    for (const { held, nodes } of [officer])
      expect(nodes.flatMap(({ code, operator }) => [...(code ? [code] : []), ...operator]).filter((code) => !held.has(code))).toEqual([])
  })

  test('[response-apps-shape] the granted applications come with the end of the grant and the time left', async () => {
    const answer = await (await settled.as('hospital-pm')).call(grantedApps)
    expect(keysOf(answer)).toEqual(['apps', 'deadline', 'leftTime'])
    expect(answer.apps.length).toBeGreaterThan(3)
  })
})

describe('every call', () => {
  const calls = () => world.api.serve.endpoints
  test('[response-list-shape] that answers a list answers the rows and their total', () => {
    const lists = calls().filter(({ answers }) => answers === 'list')
    expect(lists.length).toBeGreaterThan(80)
    const odd = lists.filter(({ schemas }) => !['list', 'total'].every((name) => names(schemas.response).includes(name)))
    expect(odd.map(({ method, path }) => `${method} ${path}`)).toEqual([])
  })

  test('[key-identifiers] names things by these keys in its address', () => {
    const keys = new Set(calls().flatMap(({ path }) => [...path.matchAll(/:(\w+)/g)].map(([, key]) => key)))
    for (const key of ['id', 'projectCode', 'govCode', 'corpCode']) expect(keys).toContain(key)
    const queried = new Set(calls().flatMap(({ schemas }) => [...names(schemas.query), ...names(schemas.body)]))
    for (const key of ['projectCode', 'corpCode', 'roleIds', 'deviceId']) expect(queried).toContain(key)
  })

  test('[entity-download] that hands out a file says where it is and what it is called', () => {
    const stored = calls().filter(({ multipart, path }) => multipart && path.endsWith('/tool/upload'))
    expect(stored).toHaveLength(1)
    for (const { schemas } of stored) expect(names(schemas.response)).toEqual(expect.arrayContaining(['url', 'name']))
    expect(names(listExports.schemas.response)).toEqual(expect.arrayContaining(['exportUrl', 'fileName']))
  })

  test('[rule-base-read-only] leaves the rule base as it is: it can be listed only', async () => {
    expect(calls().flatMap(({ method, path }) => (path.startsWith(ruleBase.path) ? [`${method} ${path}`] : []))).toEqual([
      'GET /api/v1/iot/rule/base',
    ])
    const admin = await settled.as('admin')
    expect((await admin.call(ruleBase, { query: page })).total).toBeGreaterThan(50)
    for (const method of ['POST', 'PUT', 'DELETE'] as const)
      for (const url of [ruleBase.path, `${ruleBase.path}/1`])
        expect(
          (await world.api.app.inject({ method, url, headers: { token: admin.token, group: '*' } })).statusCode,
          `${method} ${url}`,
        ).toBe(404)
  })

  test('[switch-status-kinds] projects, people, authorities and companies are switched by calls of one form', async () => {
    const admin = await settled.as('admin')
    const project = settled.city.projects[5]?.projectCode ?? ''
    const { id: user } = await (await settled.as('zhigu-pm')).call(getMyInfo)
    const { list: governments } = await admin.call(governmentsCalls.listGovernments, { query: page })
    const { list: companies } = await admin.call(corporationsCalls.listCorporations, { query: page })
    const govCode = governments.at(-1)?.govCode ?? ''
    const corpCode = companies.at(-1)?.corpCode ?? ''
    const kinds: [Endpoint, object, string, string, string][] = [
      [projectsCalls.switchProjectStatus, { projectCode: project }, 'project', 'project_code', project],
      [governmentsCalls.switchGovernment, { govCode }, 'government', 'gov_code', govCode],
      [corporationsCalls.switchCorporation, { corpCode }, 'corporation', 'corp_code', corpCode],
      [switchUser, { id: user }, 'app_user', 'id', user],
    ]
    for (const [endpoint, key, table, column, value] of kinds) {
      expect(endpoint.path).toMatch(/\/switch\/status$/)
      for (const status of ['0', '1']) {
        await admin.call(endpoint as Endpoint<{ body: object }>, { body: { ...key, status } })
        const { rows } = await world.database.pool.query(`select enable from ${table} where ${column} = $1`, [value])
        expect([endpoint.path, rows]).toEqual([endpoint.path, [{ enable: status }]])
      }
    }
  })
})

describe('process items', () => {
  test('[process-project-code] every call of theirs names the project in its query, and is refused without', async () => {
    const calls = world.api.serve.endpoints.filter(({ path }) => path.startsWith('/api/v1/oa/process/'))
    expect(calls.length).toBeGreaterThan(13)
    // Calls reserved for participants of a site are made by a company of the site, those of an authority by its
    // administrator, those of its library by its clerk, those of a site's managers by one of them.
    const [admin, company, clerk, city, site] = [
      await settled.as('admin'),
      await settled.as('yunze-lu'),
      await settled.as('city-xu'),
      await settled.as('city-fang'),
      await settled.as('hospital-pm'),
    ]
    const [ofPlatform, ofCompanies] = [new Set(codesFor(0)), new Set(codesFor(2))]
    const mayAsk = (of: ReadonlySet<string>, type: 0 | 2, { needs, groupTypes }: Pick<Endpoint, 'needs' | 'groupTypes'>) =>
      codesOf({ needs }).some((code) => of.has(code)) && (groupTypes?.includes(type) ?? true)
    const callerOf = (call: Pick<Endpoint, 'needs' | 'groupTypes'>) =>
      mayAsk(ofPlatform, 0, call)
        ? admin
        : mayAsk(ofCompanies, 2, call)
          ? company
          : codesOf(call).some((code) => code.startsWith('experts.'))
            ? clerk
            : call.groupTypes?.every((type) => type === 3)
              ? site
              : city
    for (const { method, path, schemas, needs, groupTypes } of calls) {
      expect(names(schemas.query), `${method} ${path}`).toContain('projectCode')
      const payload = method === 'GET' || method === 'DELETE' ? {} : { payload: {} }
      const answer = await world.api.app.inject({
        method,
        url: path.replace(':id', anId(schemas.params)) + viewOf(schemas.query),
        headers: { token: callerOf({ needs, groupTypes }).token, group: '*' },
        ...payload,
      })
      expect([method, path, answer.statusCode, answer.json().status, JSON.stringify(answer.json().data)]).toEqual([
        method,
        path,
        400,
        2,
        expect.stringContaining('projectCode'),
      ])
    }
  })

  test('[process-item-key] an item is found by its type and id within one project', async () => {
    const admin = await settled.as('admin')
    const [here = '', there = ''] = settled.city.projects.map(({ projectCode }) => projectCode)
    const { list } = await admin.call(findAlarms, { query: { projectCode: here } })
    const id = list[0]?.id ?? ''
    const requested = (call: typeof getAlarm, projectCode: string) => admin.ask(call, { params: { id }, query: { projectCode } })
    expect((await requested(getAlarm, here)).data).toMatchObject({ id, projectCode: here })
    expect((await requested(getAlarm, '*')).data).toMatchObject({ id, projectCode: here })
    expect(await requested(getAlarm, there)).toMatchObject({ http: 400, status: 2 })
    const item = { params: { id }, query: { projectCode: here } }
    expect(await admin.ask(deleteDuty, item), 'the same id of another type').toMatchObject({ http: 400, status: 2 })
    for (const [call, body] of [
      [actOnSuppression, { action: 'end' }],
      [stopLinkage, { reason: '核对现场情况' }],
    ] as const) {
      const { rows } = await world.database.pool.query<{ id: string }>(
        `select id from ${call === stopLinkage ? 'linkage_run' : 'device_suppress'} where project_code = $1`,
        [here],
      )
      const given = { params: { id: rows[0]?.id ?? '' }, body }
      const of = (projectCode: string) => admin.ask(call as Endpoint<object>, { ...given, query: { projectCode } })
      expect(await of(there), call.path).toMatchObject({ http: 400, status: 2 })
      expect(await of(here), call.path).toMatchObject({ http: 200, status: 0 })
    }
  })
})

test('[dictionary-sets] these sets are served, each with its entries', async () => {
  const codes = [
    ...['projectState', 'projectCorpType', 'workerType', 'idCardType', 'gender', 'nation', 'politics', 'education', 'degree', 'marriage'],
    ...['contractType', 'bankCardType', 'paymentType', 'certType', 'certLevel', 'attendanceType', 'actionLevel', 'actionDegree'],
    ...['appCategory', 'projectCategory', 'buildArea', 'fundSource', 'projectMode', 'gatewayConnectionType'],
  ]
  expect(codes).toHaveLength(24)
  const served = await (await settled.as('hospital-pm')).call(dictsByCode, { body: { featCodes: codes.join(',') } })
  expect(codes.filter((code) => !(served[code] ?? []).some(({ name }) => /\p{Script=Han}|MQTT/u.test(name)))).toEqual([])
  expect(served.gender?.map(({ code, name }) => `${code} ${name}`)).toContain('1 男')
})

describe('things', () => {
  test('[entity-project] [entity-coordinate] [entity-project-tree-node] a project has its code and place; the tree names codes and projects', async () => {
    const admin = await settled.as('admin')
    const { list } = await admin.call(projectsCalls.listProjects, { query: page })
    const [first] = settled.city.projects
    const row = list.find((one) => one.projectCode === first?.projectCode)
    expect(row).toMatchObject({ name: first?.name, projectCode: first?.projectCode, lng: expect.any(Number), lat: expect.any(Number) })
    expect(row?.id).toMatch(/./)
    const tree = await admin.call(myProjects, { query: {} })
    const node = tree.find(({ code }) => code === row?.areaCode)
    expect(node?.projects.map(({ code }) => code)).toContain(first?.projectCode)
  })

  test('[entity-corporation-government-team] a company has id and code, an authority its code, a team its id', async () => {
    const admin = await settled.as('admin')
    const { list: companies } = await admin.call(corporationsCalls.listCorporations, { query: page })
    const { list: governments } = await admin.call(governmentsCalls.listGovernments, { query: page })
    const { list: teams } = await (await settled.as('hospital-pm')).call(listTeams, { query: page })
    const known = new Set(settled.city.corporations.map((one) => one.corpCode))
    expect(companies.filter(({ id, corpCode }) => !id || !known.has(corpCode))).toEqual([])
    expect(new Set(governments.map(({ govCode }) => govCode)).size).toBe(governments.length)
    expect(new Set(teams.map(({ id }) => id)).size).toBe(teams.length)
    for (const list of [companies, governments, teams]) expect(list.length).toBeGreaterThan(1)
  })

  test('[default-sort-created] companies and authorities stand newest first unless told otherwise', async () => {
    const admin = await settled.as('admin')
    const { pool } = world.database
    await pool.query(
      `update corporation set create_time = '2026-01-01'::timestamptz + (('x' || substr(md5(corp_code), 1, 4))::bit(16)::int * interval '1 minute')`,
    )
    await pool.query(
      `update government set create_time = '2026-01-01'::timestamptz + (('x' || substr(md5(gov_code), 1, 4))::bit(16)::int * interval '1 minute')`,
    )
    const many = { page: 1, size: 100 }
    const codes = async (table: string, column: string) =>
      (await pool.query(`select ${column} as code from ${table} order by create_time desc, ${column}`)).rows.map(({ code }) => code)
    const companies = (await admin.call(corporationsCalls.listCorporations, { query: many })).list.map((one) => one.corpCode)
    expect(companies).toEqual(await codes('corporation', 'corp_code'))
    const governments = (await admin.call(governmentsCalls.listGovernments, { query: many })).list.map((one) => one.govCode)
    expect(governments).toEqual(await codes('government', 'gov_code'))
    const byName = (await admin.call(corporationsCalls.listCorporations, { query: { ...many, sort: 'corpCode' } })).list.map(
      (one) => one.corpCode,
    )
    expect(byName).toEqual(companies.toSorted())
  })

  test('[entity-worker-parts] a person has its two ids, and each part of the file answers for it', async () => {
    const clerk = await settled.as('hospital-pm')
    const { list } = await clerk.call(peopleCalls.listStays, { query: { ...page, projectCode: settled.city.projects[0]?.projectCode } })
    const { id, workerId } = list[0] ?? { id: '', workerId: '' }
    expect([id, workerId].map((one) => one.length > 0)).toEqual([true, true])
    expect(id).not.toBe(workerId)
    const params = { id: workerId }
    expect(await clerk.call(workersCalls.workerBaseInfo, { params })).toMatchObject({ workerId })
    expect(await clerk.call(workersCalls.workerDetailInfo, { params, query: { projectWorkerId: id } })).toMatchObject({ workerId })
    for (const part of [papersCalls.workerCerts, papersCalls.workerContracts, badRecordsCalls.workerBadRecords, careersCalls.workerHistory])
      expect(
        await clerk.call(part as Endpoint<{ params: { id: string } }, unknown, { list: unknown[] }>, { params }),
        part.path,
      ).toHaveProperty('list')
    expect((await clerk.ask(careersCalls.getHealth, { params })).status).toBe(0)
  })

  test('[entity-gateway] gateways of both kinds have id, connection type and whether they are on', async () => {
    const admin = await settled.as('admin')
    const { list } = await admin.call(listGateways, { query: page })
    expect(list.length).toBeGreaterThan(0)
    for (const { id, connectionType, status } of list) {
      expect(id).not.toBe('')
      expect(keysOf(connectionTypes)).toContain(connectionType)
      expect(['0', '1']).toContain(status)
    }
    expect(names(dockingRow)).toEqual(expect.arrayContaining(['id', 'connType', 'enable']))
    expect(await admin.call(listDockings, { query: page })).toHaveProperty('total')
  })

  test('[entity-device] a device has id, name, category and type; makers, brands and models ids; groups their figures', async () => {
    const admin = await settled.as('admin')
    const { list } = await admin.call(listDevices, { query: page })
    for (const device of list) for (const key of ['id', 'name', 'category', 'type']) expect(device).toHaveProperty(key)
    expect(list.every(({ id, name, category }) => id && name && category)).toBe(true)
    for (const call of [listFactories, listBrands, listModels]) {
      const { list: rows } = await admin.call(call as Endpoint<{ query: object }, unknown, { list: { id: string }[] }>, { query: page })
      expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length)
    }
    const { all, groups } = await admin.call(deviceStatistics, { query: { groupBy: 'category' } })
    expect(all).toBe((await admin.call(listDevices, { query: page })).total)
    expect(groups.reduce((sum, group) => sum + group.all, 0)).toBe(all)
  })

  test('[device-list-size] the list of devices to choose from is asked for as a whole', async () => {
    const admin = await settled.as('admin')
    const { list, total } = await admin.call(pickDevices, { query: { size: 999_999 } })
    expect(list).toHaveLength(total)
    expect(total).toBeGreaterThan(100)
  })

  test('[entity-helmet-rule-ids] helmet groups, rules and actions have ids; the four levels are named by their number', async () => {
    const pm = (await settled.as('hospital-pm')).at(settled.city.projects[0]?.projectCode ?? '')
    const { id } = await pm.call(createHelmetGroup, { body: { name: '管理人员' } })
    expect((await pm.call(listHelmetGroups, { query: {} })).list.map((group) => group.id)).toContain(id)
    const admin = await settled.as('admin')
    for (const call of [listTriggers, listExecs]) {
      const { list } = await admin.call(call as Endpoint<{ query: object }, unknown, { list: { id: string }[] }>, { query: page })
      expect(list.length, call.path).toBeGreaterThan(0)
      expect(
        list.filter((row) => !row.id),
        call.path,
      ).toEqual([])
    }
    expect((await admin.call(listLevels)).list.map(({ level }) => level)).toEqual([1, 2, 3, 4])
  })

  test('[entity-export-file] [export-status-codes] an export tells its status, its file’s name and address; none is -1', async () => {
    expect(exportStatus).toEqual({ none: -1, failed: 0, done: 1, running: 2 })
    expect(
      dictionaryOf('exportStatus')
        ?.items.map(({ code }) => code)
        .toSorted(),
    ).toEqual(['-1', '0', '1', '2'])
    const answer = await (await settled.as('bj-zhao')).call(listExports, { query: { feature: 'team' } })
    expect(answer).toMatchObject({ exportStatus: -1, fileName: '', exportUrl: null })
  })
})
