import { getCorporation, removeCorporation, switchCorporation } from '@zhugong/contract/organisation/corporations'
import { type ProjectAction, projectActions } from '@zhugong/contract/organisation/model'
import { changeProjectState, removeProject, switchProjectStatus } from '@zhugong/contract/organisation/projects'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'

/** The specified transitions: from a state by an action to a state. All others are refused. */
const transitions: readonly [from: string, act: ProjectAction, to: string][] = [
  ['001', 'approve', '002'],
  ['002', 'start', '003'],
  ['003', 'complete', '006'],
  ['006', 'accept', '004'],
  ['006', 'rework', '003'],
]
const states = ['001', '002', '003', '004', '005', '006', '007']
const acts = Object.keys(projectActions) as ProjectAction[]
const reason = '按现场情况办理'

let world: World
let city: CityWorld
let projectCode: string
const callers: Record<string, Caller> = {}
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  city = await settleCity(world)
  projectCode = city.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  for (const account of ['admin', 'city-fang', 'yunze-lu', 'hospital-pm', 'hospital-safety']) callers[account] = await city.as(account)
  // Fulfils the requirements of start and end: a licence, five parties, a number; no team on the site.
  const { pool } = world.database
  await pool.query('update team set exit_time = now() where project_code = $1', [projectCode])
  await pool.query(
    `update project set supervise_no = 'JD-1', builder_licenses = '[{"prjName":"门诊楼","builderLicenseNum":"1","licenseDate":"2026-01-01","grantOrg":"住建局"}]'
     where project_code = $1`,
    [projectCode],
  )
  for (const type of ['007', '008', '009', '010', '011'])
    await pool.query(
      `insert into project_corp (id, project_code, corp_code, corp_type, entry_time, pm_name)
       select 'party-' || $2, $1, corp_code, $2, current_date, '待登记' from corporation
       where not exists (select 1 from project_corp where project_code = $1 and corp_type = $2) order by corp_code limit 1`,
      [projectCode, type],
    )
})
afterAll(() => world.close())

const put = (state: string) =>
  world.database.pool.query('update project set prj_status = $2, version = 0 where project_code = $1', [projectCode, state])
const stateNow = async () => {
  const { rows } = await world.database.pool.query<{ prj_status: string }>('select prj_status from project where project_code = $1', [
    projectCode,
  ])
  return rows[0]?.prj_status
}
const act = (account: string, action: ProjectAction, over: object = {}) =>
  (callers[account] as Caller).ask(changeProjectState, { body: { projectCode, action, reason, version: 0, ...over } })

describe('the states of a project', () => {
  test('the product knows the trade’s transitions and no other', () => {
    expect(acts.map((name) => [projectActions[name].from, name, projectActions[name].to]).toSorted()).toEqual(
      transitions.toSorted() as never,
    )
  })
  test.each(states)('from %s: what is allowed leads on and is written down, all else is refused', async (state) => {
    for (const action of acts) {
      const to = transitions.find(([from, name]) => from === state && name === action)?.[2]
      await put(state)
      await world.database.pool.query('delete from project_state_log where project_code = $1', [projectCode])
      const answer = await act('city-fang', action)
      const { rows } = await world.database.pool.query(
        'select from_state, to_state, reason from project_state_log where project_code = $1',
        [projectCode],
      )
      if (to) {
        expect([action, answer]).toMatchObject([action, { status: 0, data: { prjStatus: to, version: 1 } }])
        expect(rows).toEqual([{ from_state: state, to_state: to, reason }])
        expect(await stateNow()).toBe(to)
      } else {
        expect([action, answer]).toMatchObject([action, { status: 4, message: '当前状态不允许该操作' }])
        expect(rows).toEqual([])
        expect(await stateNow()).toBe(state)
      }
    }
  })
  test.each(transitions)('%s by %s: the platform and the authority may, the site and a contractor may not', async (from, action, to) => {
    const { rows } = await world.database.pool.query<{ build_corp_code: string }>(
      'select build_corp_code from project where project_code = $1',
      [projectCode],
    )
    const corpOf = city.city.personas.find((p) => p.account === 'yunze-lu')?.corpCode
    for (const account of Object.keys(callers)) {
      await put(from)
      const answer = await act(account, action)
      const isOwner = account === 'yunze-lu' && rows[0]?.build_corp_code === corpOf
      const decides = account === 'admin' || account === 'city-fang'
      const may = decides || isOwner
      expect([account, answer.status === 0, await stateNow()]).toEqual([account, may, decides ? to : from])
      if (!may) expect([account, answer.http]).toEqual([account, 403])
      if (account === 'yunze-lu' && !isOwner) expect(answer.message).toBe('项目状态由监管机构、平台或建设单位变更')
    }
  })
  test('the owner asks for the next state of his own project, and the authority agrees', async () => {
    const corpOf = city.city.personas.find((p) => p.account === 'yunze-lu')?.corpCode
    const { rows } = await world.database.pool.query('select build_corp_code from project where project_code = $1', [projectCode])
    await world.database.pool.query('update project set build_corp_code = $2 where project_code = $1', [projectCode, corpOf])
    for (const [from, action, to] of transitions) {
      await put(from)
      expect([action, await act('yunze-lu', action)]).toMatchObject([action, { status: 0, data: { prjStatus: from, waiting: true } }])
      expect(await stateNow()).toBe(from)
      expect([action, await act('city-fang', action)]).toMatchObject([action, { status: 0, data: { prjStatus: to, version: 1 } }])
      expect(await stateNow()).toBe(to)
    }
    await world.database.pool.query('update project set build_corp_code = $2 where project_code = $1', [
      projectCode,
      rows[0]?.build_corp_code,
    ])
  })
  test.each(transitions.filter(([, name]) => projectActions[name].needsReason))('%s by %s asks for a reason', async (from, action) => {
    await put(from)
    const answer = await act('admin', action, { reason: '短' })
    expect(answer).toMatchObject({
      http: 400,
      data: { field: 'reason' },
      message: `${projectActions[action].name}请填写原因（至少 5 个字）`,
    })
    expect(await stateNow()).toBe(from)
  })
  test('a start names what lacks, an end the teams that are there; of two at once one is told', async () => {
    const { pool } = world.database
    await put('002')
    await pool.query(`update project set supervise_no = null where project_code = $1`, [projectCode])
    expect(await act('admin', 'start')).toMatchObject({ status: 4, message: '还不能确认开工，缺少：监督登记号' })
    await pool.query(`update project set supervise_no = 'JD-1' where project_code = $1`, [projectCode])
    await put('003')
    const { rows } = await pool.query<{ id: string }>(
      'update team set exit_time = null where id = (select id from team where project_code = $1 order by id limit 1) returning id',
      [projectCode],
    )
    expect(await act('admin', 'complete')).toMatchObject({ message: '还有 1 个班组未退场，不能确认完工' })
    await pool.query('update team set exit_time = now() where id = $1', [rows[0]?.id])
    const both = await Promise.all([act('admin', 'complete'), act('city-fang', 'complete')])
    expect(both.filter((answer) => answer.status === 0)).toHaveLength(1)
    expect(both.find((answer) => answer.status !== 0)?.message).toMatch(/当前状态不允许该操作|请刷新后再改/)
  })
  test.each(states)('a project with people is never removed, in state %s', async (state) => {
    await put(state)
    const answer = await (callers.admin as Caller).ask(removeProject, { params: { projectCode } })
    expect(answer.message).toMatch(state === '001' ? /已有人员或设备，不能删除/ : /只有筹备中的项目可以删除/)
  })
  test.each([
    ['admin', 'yes'],
    ['city-fang', 'yes'],
    ['yunze-lu', 'no'],
    ['hospital-pm', 'no'],
  ])('switching the accounts off and on is no state: %s %s', async (account, may) => {
    await put('003')
    for (const status of ['0', '1'] as const) {
      const answer = await (callers[account] as Caller).ask(switchProjectStatus, { body: { projectCode, status } })
      expect([status, answer.status === 0]).toEqual([status, may === 'yes'])
      expect(await stateNow()).toBe('003')
      if (may === 'yes') {
        const { rows } = await world.database.pool.query(
          'select p.enable, t.enable as accounts from project p join tenant t on t.code = p.project_code where p.project_code = $1',
          [projectCode],
        )
        expect(rows).toEqual([{ enable: status, accounts: status }])
      }
    }
  })
})

describe('the states of a company', () => {
  const enableOf = async (corpCode: string) => (await (callers.admin as Caller).call(getCorporation, { params: { corpCode } })).enable
  test('on and off by the platform anywhere and by an authority in its area; by nobody else', async () => {
    const fang = city.city.personas.find((p) => p.account === 'city-fang')?.govCode
    const front = city.city.governments.find((g) => g.govCode === fang)?.areaCode.replace(/(00){1,2}$/, '') ?? 'none'
    const inside = city.city.corporations.find((c) => c.areaCode.startsWith(front))
    const outside = city.city.corporations.find((c) => !c.areaCode.startsWith(front))
    for (const corporation of [inside, outside]) {
      if (!corporation) continue
      for (const [account, may] of [
        ['admin', true],
        ['city-fang', corporation === inside],
        ['yunze-lu', false],
        ['hospital-pm', false],
      ] as const) {
        for (const status of ['0', '1'] as const) {
          const before = await enableOf(corporation.corpCode)
          const answer = await (callers[account] as Caller).ask(switchCorporation, { body: { corpCode: corporation.corpCode, status } })
          expect([account, corporation.corpName, status, answer.status === 0]).toEqual([account, corporation.corpName, status, may])
          expect(await enableOf(corporation.corpCode)).toBe(may ? status : before)
          if (account === 'city-fang' && !may) expect(answer.message).toMatch(/本辖区|不存在/)
        }
      }
    }
  })
  test('one that took part or has accounts stays; a status that is none is refused', async () => {
    const admin = callers.admin as Caller
    const used = city.city.projectCorps[0]?.corpCode ?? ''
    expect((await admin.ask(removeCorporation, { params: { corpCode: used } })).message).toMatch(/参与过 \d+ 个项目，不能删除/)
    expect(await admin.ask(switchCorporation, { body: { corpCode: used, status: '2' as never } })).toMatchObject({
      http: 400,
      data: { field: 'status' },
    })
  })
})
