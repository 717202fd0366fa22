import { shanghaiOffsetMs } from '@zhugong/contract/kit/time'
import * as teamsCalls from '@zhugong/contract/labour/teams'
import * as units from '@zhugong/contract/labour/unit-info'
import * as unitsCalls from '@zhugong/contract/labour/units'
import { registerWorker } from '@zhugong/contract/personnel/workers'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { idCard, mobile, newcomer, type Site, siteOf } from '../../../test/givens.ts'
import type { Caller, World } from '../../../test/world.ts'

let world: World
let settled: CityWorld
let clerk: Caller
let manager: Caller
let contractor: Caller
let site: Site
let unitId = ''
const today = new Date(Date.now() + shanghaiOffsetMs).toISOString().slice(0, 10)

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  clerk = await settled.as('hospital-labour')
  manager = await settled.as('hospital-pm')
  contractor = await settled.as('yunze-lu')
  site = await siteOf(world, settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? '')
  const { rows } = await sql<{ id: string }>`
    select id from project_corp where project_code = ${site.projectCode} and corp_code = ${site.corpCode} limit 1`.execute(
    world.database.kysely,
  )
  unitId = rows[0]?.id ?? ''
})
afterAll(() => world.close())

const info = () => clerk.call(units.getUnitInfo, { query: { id: unitId } })
const account = {
  businessType: '1',
  bankCode: '102',
  bankName: '工商银行黄石支行',
  bankNumber: '4200 1234 5678 9012',
  bankLinkNumber: '102521000123',
}
let teams = 0
async function team(): Promise<{ id: string; stayId: string }> {
  const { id } = await clerk.call(teamsCalls.createTeam, {
    body: {
      projectCode: site.projectCode,
      corpCode: site.corpCode,
      teamName: `扩展${++teams}班`,
      workType: '020',
      entryTime: today,
      responsiblePersonName: '周立新',
      responsiblePersonPhone: mobile(),
      responsiblePersonIdNumber: idCard(),
      teamLeaderId: null,
      remark: null,
    },
  })
  const { list } = await clerk.call(teamsCalls.listTeamStays, { query: { teamId: id } })
  return { id, stayId: list[0]?.id ?? '' }
}
const person = (teamId: string) => clerk.call(registerWorker, { body: newcomer({ ...site, teamId }) })

describe('a unit from all sides', () => {
  test('its people by trade add up to its people in place, its teams to its teams', async () => {
    const one = await info()
    expect(one.byTrade.reduce((sum, t) => sum + t.present, 0)).toBe(one.onSite)
    expect(one.teams.filter((t) => !t.exitTime)).toHaveLength(one.teamCount ?? 0)
    expect(one.workers).toBeLessThanOrEqual(one.onSite ?? 0)
  })
  test('to a company of another line its people, teams and contract are unknown, which is never none', async () => {
    const foreigner = await settled.as('dingli-cheng')
    const { list } = await foreigner.call(unitsCalls.listUnits, { query: { projectCode: site.projectCode, size: 100 } })
    const hidden = list.filter((u) => u.onSite === null)
    expect(list.length - hidden.length).toBeGreaterThan(0)
    expect(hidden.length).toBeGreaterThan(0)
    const whole = (await clerk.call(unitsCalls.listUnits, { query: { projectCode: site.projectCode, size: 100 } })).list
    for (const unit of hidden) {
      const none = { teamCount: null, onSite: null, contractAmount: null }
      expect(unit, unit.corpName).toMatchObject(none)
      expect(await foreigner.call(units.getUnitInfo, { query: { id: unit.id } }), unit.corpName).toMatchObject({
        isOwnLine: false,
        ...none,
      })
      expect(whole.find((one) => one.id === unit.id)?.onSite, unit.corpName).not.toBeNull()
    }
    expect((await info()).onSite).toBeGreaterThan(0)
  })
  test('each group is saved by itself; a number is masked once it is saved', async () => {
    const { version } = await info()
    await clerk.call(units.updateUnitInfo, {
      body: {
        part: 'insurance',
        id: unitId,
        version,
        insurances: [{ kind: '1', policyNo: 'PYI2026', insurer: '人保财险', startDate: '2026-01-01', endDate: '2027-01-01' }],
      },
    })
    await clerk.call(units.updateUnitInfo, { body: { part: 'accounts', id: unitId, version: version + 1, accounts: [account] } })
    const saved = await info()
    expect(saved.insurances[0]).toMatchObject({ kindName: '工伤保险（按项目参保）', policyNo: 'PYI2026' })
    expect(saved.accounts[0]?.bankNumber).toBe('4200********9012')
    const plain = await sql<{ t: string }>`select bank_accounts::text as t from project_corp where id = ${unitId}`.execute(
      world.database.kysely,
    )
    expect(plain.rows[0]?.t).not.toContain('4200123456789012')
    const stale = await clerk.ask(units.updateUnitInfo, { body: { part: 'remark', id: unitId, version, remark: 'x' } })
    expect(stale.message).toContain('请刷新后再改')
  })
  test('changed accounts wait for another’s yes', async () => {
    const { version } = await info()
    const change = { part: 'accounts' as const, id: unitId, accounts: [{ ...account, bankNumber: '6222000011112222' }] }
    await clerk.call(units.updateUnitInfo, { body: { ...change, version } })
    const waiting = await info()
    expect(waiting.accounts[0]?.bankNumber).toBe('4200********9012')
    expect(waiting.accountChange).toMatchObject({ own: true })
    const own = await clerk.ask(units.updateUnitInfo, { body: { part: 'confirmAccounts', id: unitId, version: version + 1, accept: true } })
    expect(own.message).toContain('另一人确认')
    await manager.call(units.updateUnitInfo, { body: { part: 'confirmAccounts', id: unitId, version: version + 1, accept: true } })
    expect((await info()).accounts[0]?.bankNumber).toBe('6222********2222')
    expect((await info()).accountChange).toBeNull()
  })
})

describe('a company one’s own lists do not have', () => {
  const company = {
    corpCode: '91420200MA4TERT13Y',
    corpName: '远山劳务有限公司',
    corpKind: ['6'],
    areaCode: '420200',
    address: '黄石大道 1 号',
    legalMan: '周大勇',
    linkMan: '周大勇',
    linkPhone: mobile(),
  }
  const ask = (more: object = {}, of: object = {}) =>
    clerk.ask(units.createUnit, {
      body: {
        projectCode: site.projectCode,
        company: { ...company, ...of },
        corpType: '010',
        entryTime: today,
        pmName: '李四海',
        pmIdCardNumber: idCard(),
        pmPhone: mobile(),
        ...more,
      } as never,
    })
  test('it is entered in short with its part; one the platform has joins by code and exact name', async () => {
    expect((await ask({}, { corpCode: '91420200MA4TERT13X' })).status).toBe(2)
    expect((await ask()).data).toMatchObject({ isNew: true, corpCode: company.corpCode })
    expect((await ask({ corpType: '011' }, { corpName: '远山建筑有限公司' })).data).toMatchObject({ field: 'company.corpName' })
    expect((await ask({ corpType: '011' })).data).toMatchObject({ isNew: false })
    const units = await clerk.call(unitsCalls.listUnits, { query: { projectCode: site.projectCode, corpCode: company.corpCode } })
    expect(units.list.map((u) => u.corpType).sort()).toEqual(['010', '011'])
  })
})

describe('a team’s stay', () => {
  test('shows its people, what each lacks, and its course', async () => {
    const { id, stayId } = await team()
    await person(id)
    const stay = await clerk.call(units.getTeamStay, { params: { id: stayId } })
    expect(stay).toMatchObject({ headcount: 1, today: { expected: 0, arrived: 0 }, unitId: expect.any(String) })
    expect(stay.members[0]?.gaps).toEqual(['未转正式', '无合同', '未教育', '无工资卡'])
    expect(stay.moves[0]).toMatchObject({ text: '进场' })
  })
  test('is changed for itself; its leader is one of its people', async () => {
    const { id, stayId } = await team()
    const { workerId } = await person(id)
    const change = (more: object) =>
      clerk.ask(units.updateTeamStay, {
        params: { id: stayId },
        body: { entryTime: today, remark: '二进场', teamLeaderId: null, version: 0, ...more } as never,
      })
    expect((await change({ entryTime: '2001-01-01' })).data).toMatchObject({ field: 'entryTime' })
    expect((await change({ teamLeaderId: settled.city.workers[0]?.workerId })).data).toMatchObject({ field: 'teamLeaderId' })
    expect((await change({ teamLeaderId: workerId })).status).toBe(0)
    expect((await change({})).message).toContain('请刷新后再改')
    const stay = await clerk.call(units.getTeamStay, { params: { id: stayId } })
    expect([stay.remark, stay.members[0]?.isTeamLeader]).toEqual(['二进场', true])
  })
  test('leaves with its people where that is asked for, and not without', async () => {
    const { id, stayId } = await team()
    await person(id)
    await person(id)
    const leave = (more: object) =>
      clerk.ask(units.leaveWithTeam, { body: { id: stayId, exitTime: today, remark: null, ...more } as never })
    expect((await leave({})).message).toContain('还有 2 人在场')
    expect((await leave({ withPeople: true })).data).toMatchObject({ field: 'exitReason' })
    expect((await leave({ withPeople: true, exitReason: '1' })).data).toMatchObject({ left: true, done: 2 })
    expect((await leave({ withPeople: true, exitReason: '1' })).message).toContain('已于')
    const form = await clerk.call(units.teamStayForm, { query: { projectCode: site.projectCode } })
    expect(form.free.map((t) => t.id)).toContain(id)
  })
  test('is taken back only where nobody ever came with it, and not the only one', async () => {
    const { id, stayId } = await team()
    expect((await clerk.ask(units.removeTeamStay, { params: { id: stayId } })).message).toContain('唯一的一段')
    await clerk.call(teamsCalls.setTeamTime, { body: { id: stayId, exitTime: today } })
    const again = await clerk.call(teamsCalls.addTeamStay, { body: { projectCode: site.projectCode, teamId: id, entryTime: today } })
    expect((await clerk.ask(units.removeTeamStay, { params: { id: again.id } })).status).toBe(0)
    const { list } = await contractor.call(teamsCalls.listTeamStays, { query: { teamId: id } })
    expect(list).toHaveLength(1)
  })
})

test('of a unit that is not of one’s own line, nothing reads as none: the page says that it is not shown', async () => {
  expect(await info()).toMatchObject({ isOwnLine: true })
  const subcontractor = await settled.as('dingli-cheng')
  const { rows } = await sql<{ id: string }>`select u.id from project_corp u where u.corp_type = '009' and u.contract_amount is not null
    and exists (select 1 from project_corp own join tenant t on t.code = own.corp_code join member m on m.group_id = t.id join app_user a on a.id = m.user_id
      where own.project_code = u.project_code and own.corp_code <> u.corp_code and a.account = 'dingli-cheng') limit 1`.execute(
    world.database.kysely,
  )
  const id = rows[0]?.id ?? ''
  expect(id).not.toBe('')
  expect(await subcontractor.call(units.getUnitInfo, { query: { id } })).toMatchObject({
    isOwnLine: false,
    contractAmount: null,
    accounts: [],
  })
})
