import { shanghaiOffsetMs } from '@zhugong/contract/kit/time'
import * as staysCalls from '@zhugong/contract/labour/stays'
import * as teamsCalls from '@zhugong/contract/labour/teams'
import * as unitsCalls from '@zhugong/contract/labour/units'
import { listStays } from '@zhugong/contract/personnel/people'
import { registerWorker, workerDetailInfo } from '@zhugong/contract/personnel/workers'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { idCard, mobile, newcomer, type Site, siteOf } from '../../../test/givens.ts'
import type { Answer, Caller, World } from '../../../test/world.ts'

let world: World
let settled: CityWorld
let clerk: Caller
let site: Site
const today = new Date(Date.now() + shanghaiOffsetMs).toISOString().slice(0, 10)

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  clerk = await settled.as('hospital-labour')
  site = await siteOf(world, settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? '')
})
afterAll(() => world.close())

const fieldOf = (answer: Answer) => (answer.data as { field?: string } | null)?.field
let teams = 0
const team = (more: object = {}) =>
  clerk.call(teamsCalls.createTeam, {
    body: {
      projectCode: site.projectCode,
      corpCode: site.corpCode,
      teamName: `试验${++teams}班`,
      workType: '020',
      entryTime: today,
      responsiblePersonName: '周立新',
      responsiblePersonPhone: mobile(),
      responsiblePersonIdNumber: idCard(),
      teamLeaderId: null,
      remark: null,
      ...more,
    },
  })
const person = (teamId: string, more: object = {}) =>
  clerk.call(registerWorker, { body: newcomer({ ...site, teamId }, { stay: { ...newcomer({ ...site, teamId }).stay, ...more } as never }) })

describe('entry goes unit, team, person', () => {
  test('a unit that is not in place brings nobody', async () => {
    const other = settled.city.corporations.find(
      (c) => !settled.city.projectCorps.some((p) => p.projectCode === site.projectCode && p.corpCode === c.corpCode),
    )
    const answer = await clerk.ask(registerWorker, {
      body: newcomer(site, { stay: { ...newcomer(site).stay, corpCode: other?.corpCode } as never }),
    })
    expect(answer.status).not.toBe(0)
    expect(fieldOf(answer)).toBe('stay.corpCode')
  })
  test('[entity-project-links] the team is in place, of that unit, and not entered later', async () => {
    const otherTeam = settled.city.teams.find((t) => t.projectCode === site.projectCode && t.corpCode !== site.corpCode && !t.exitTime)
    const wrong = await clerk.ask(registerWorker, { body: newcomer({ ...site, teamId: otherTeam?.id ?? '' }) })
    expect(wrong.message).toContain('不属于所选单位')
    const { id } = await team()
    const early = await clerk.ask(registerWorker, {
      body: newcomer(site, { stay: { ...newcomer(site).stay, teamId: id, entryTime: '2026-01-02' } as never }),
    })
    expect(fieldOf(early)).toBe('stay.entryTime')
  })
  test('nobody enters in the future, or twice at once', async () => {
    const { id } = await team()
    const { workerId } = await person(id)
    const stay = { ...newcomer({ ...site, teamId: id }).stay, workerId } as never
    expect((await clerk.ask(staysCalls.enterWorker, { body: stay })).message).toContain('只能在场一次')
    const tomorrow = new Date(Date.parse(today) + 2 * 86_400_000).toISOString().slice(0, 10)
    const future = await clerk.ask(registerWorker, {
      body: newcomer(site, { stay: { ...newcomer(site).stay, teamId: id, entryTime: tomorrow } as never }),
    })
    expect(fieldOf(future)).toBe('stay.entryTime')
  })
  test('two clerks at the same moment make one stay', async () => {
    const { workerId, projectWorkerId } = await person((await team()).id)
    await clerk.call(staysCalls.exitWorkers, { body: { ids: [projectWorkerId ?? ''], exitTime: today, exitReason: '3' } })
    const { id } = await team()
    const body = { ...newcomer({ ...site, teamId: id }).stay, workerId } as never
    const answers = await Promise.all([1, 2, 3, 4].map(() => clerk.ask(staysCalls.enterWorker, { body })))
    expect(answers.filter((a) => a.status === 0)).toHaveLength(1)
    expect(answers.filter((a) => a.message.includes('只能在场一次'))).toHaveLength(3)
  })
  test('a team’s name is taken once per project and unit, its entry not before the unit’s', async () => {
    await team({ teamName: '唯一班' })
    const again = clerk.ask(teamsCalls.createTeam, {
      body: {
        projectCode: site.projectCode,
        corpCode: site.corpCode,
        teamName: '唯一班',
        workType: '020',
        entryTime: today,
        responsiblePersonName: '周立新',
        responsiblePersonPhone: mobile(),
        responsiblePersonIdNumber: idCard(),
      },
    })
    expect(fieldOf(await again)).toBe('teamName')
    await expect(team({ entryTime: '2001-01-01' })).rejects.toThrow('不能早于所在单位进场')
  })
  test('a project has one general contractor', async () => {
    const free = settled.city.corporations.find(
      (c) => !settled.city.projectCorps.some((p) => p.projectCode === site.projectCode && p.corpCode === c.corpCode),
    )
    const admin = await settled.as('admin')
    const body = {
      projectCode: site.projectCode,
      corpCode: free?.corpCode ?? '',
      corpType: '009',
      parentCorpCode: null,
      contractNo: null,
      contractAmount: null,
      entryTime: today,
      pmName: '李四海',
      pmIdCardNumber: idCard(),
      pmPhone: mobile(),
      payType: null,
    }
    // The platform only reads; the project's own people add units.
    expect((await admin.ask(unitsCalls.addUnit, { body })).http).toBe(403)
    await world.database.kysely.updateTable('corporation').set({ ownerGroup: site.groupId }).where('corpCode', '=', body.corpCode).execute()
    expect((await clerk.ask(unitsCalls.addUnit, { body })).message).toContain('已有施工总承包单位')
    const withoutContract = await clerk.ask(unitsCalls.addUnit, { body: { ...body, corpType: '006' } })
    expect(withoutContract.message).toMatch(/上级发包单位|分包合同/)
    const parent = settled.city.projectCorps.find((c) => c.projectCode === site.projectCode && c.corpType === '009')
    const sub = { ...body, corpType: '006', parentCorpCode: parent?.corpCode ?? null, contractNo: 'FB-1' }
    const { id } = await clerk.call(unitsCalls.addUnit, { body: sub })
    expect((await clerk.ask(unitsCalls.addUnit, { body: sub })).status).toBe(4)
    const filled = await clerk.call(unitsCalls.fillUnit, { params: { id } })
    expect(filled.pmIdCardNumber).toContain('********')
    await clerk.call(unitsCalls.removeUnit, { body: { id } })
  })
})

describe('exit goes backwards', () => {
  test('a team with people does not leave; the refusal lists them', async () => {
    const { id } = await team()
    const { projectWorkerId, workerId } = await person(id, { isTeamLeader: true })
    const stay = await world.database.kysely.selectFrom('projectTeam').select('id').where('teamId', '=', id).executeTakeFirstOrThrow()
    const refused = await clerk.ask(teamsCalls.setTeamTime, { body: { id: stay.id, exitTime: today } })
    expect(refused.status).toBe(4)
    expect(refused.message).toContain('田光明')
    expect((refused.data as unknown as { people?: { workerId: string }[] }).people?.map((p) => p.workerId)).toEqual([workerId])
    expect((await clerk.call(teamsCalls.getTeam, { params: { id } })).teamLeaderName).toBe('田光明')
    await clerk.call(staysCalls.exitWorkers, { body: { ids: [projectWorkerId ?? ''], exitTime: today, exitReason: '1' } })
    expect((await clerk.call(teamsCalls.getTeam, { params: { id } })).teamLeaderName).toBeNull()
    await clerk.call(teamsCalls.setTeamTime, { body: { id: stay.id, exitTime: today } })
    // A team that left is replaced by a new one of the same name; nobody can join the old one.
    const late = await clerk.ask(registerWorker, { body: newcomer({ ...site, teamId: id }) })
    expect(fieldOf(late)).toBe('stay.teamId')
  })
  test('[entity-project-links] a unit with teams does not leave; the refusal lists them', async () => {
    const unit = await world.database.kysely
      .selectFrom('projectCorp')
      .select('id')
      .where('projectCode', '=', site.projectCode)
      .where('corpCode', '=', site.corpCode)
      .executeTakeFirstOrThrow()
    const refused = await clerk.ask(unitsCalls.setUnitTime, { body: { id: unit.id, exitTime: today } })
    expect(refused.message).toMatch(/个班组在场/)
    expect((refused.data as unknown as { teams: unknown[] }).teams.length).toBeGreaterThan(0)
    expect((await clerk.ask(unitsCalls.removeUnit, { body: { id: unit.id } })).message).toContain('不能移除')
  })
  test('people leave one by one: each answers for himself, entries and exits alternate', async () => {
    const { id } = await team()
    const a = await person(id)
    const b = await person(id, { entryTime: `${today} 00:00:01` })
    const ids = [a.projectWorkerId ?? '', b.projectWorkerId ?? '']
    const before = await clerk.call(staysCalls.exitWorkers, { body: { ids: [ids[1] ?? ''], exitTime: '2026-01-01', exitReason: '1' } })
    expect(before.failed[0]?.message).toContain('早于进场时间')
    const strange = await clerk.ask(staysCalls.exitWorkers, { body: { ids: [...ids, 'f'.repeat(32)], exitTime: today, exitReason: '2' } })
    expect(strange.status).toBe(2)
    const result = await clerk.call(staysCalls.exitWorkers, { body: { ids, exitTime: today, exitReason: '2' } })
    expect(result).toEqual({ done: 2, failed: [] })
    const twice = await clerk.call(staysCalls.exitWorkers, { body: { ids: ids.slice(0, 1), exitTime: today, exitReason: '2' } })
    expect(twice.failed[0]?.message).toBe('已经退场')
    await clerk.call(staysCalls.enterWorker, { body: { ...newcomer({ ...site, teamId: id }).stay, workerId: a.workerId } as never })
    const { list } = await clerk.call(listStays, { query: { view: 'project', teamId: id, stationed: '1' } })
    expect(list).toHaveLength(1)
    const back = await clerk.call(workerDetailInfo, { params: { id: a.workerId }, query: { projectWorkerId: list[0]?.id ?? '' } })
    expect(back.stay?.history.map((h) => h.type)).toEqual(['1', '0', '1'])
    expect(back.stay).toMatchObject({ formalStatus: '0', entryTrained: false })
    expect(back.otherStays.map((s) => s.id)).toEqual([a.projectWorkerId])
  })
  test('only a registration without passages can be taken back', async () => {
    const { id } = await team()
    const fresh = await person(id)
    const passed = await person(id)
    await world.database.pool.query(
      `insert into attendance_event (project_code, id, dedup_key, worker_id, time, received_at, direction, attend_type, terminal_code, source, seq)
       values ($1, 'e1', 'k1', $2, now() + interval '1 second', now(), '01', '001', 'T1', '1', 999999)`,
      [site.projectCode, passed.workerId],
    )
    const result = await clerk.call(staysCalls.removeStays, { body: { ids: [fresh.projectWorkerId ?? '', passed.projectWorkerId ?? ''] } })
    expect(result.done).toBe(1)
    expect(result.failed[0]?.message).toContain('通行记录')
  })
  test('a team that was used stays; it can come to another project of its company', async () => {
    const { id } = await team()
    const used = await person(id)
    expect((await clerk.ask(teamsCalls.removeTeam, { params: { id } })).message).toContain('不能删除')
    const empty = await team()
    await clerk.call(teamsCalls.removeTeam, { params: { id: empty.id } })
    const boss = await settled.as('dingli-cheng')
    const elsewhere = settled.city.projectCorps.find(
      (c) => c.corpCode === site.corpCode && c.projectCode !== site.projectCode && !c.exitTime,
    )
    if (!elsewhere) return
    const body = { projectCode: elsewhere.projectCode, teamId: id, entryTime: today }
    expect((await boss.ask(teamsCalls.addTeamStay, { body })).status).not.toBe(0)
    expect(used.projectWorkerId).toBeTruthy()
  })
})

test('counts of the tree are those of the list', async () => {
  const tree = await clerk.call(unitsCalls.teamTree, { query: {} })
  const { total } = await clerk.call(listStays, { query: { view: 'project', stationed: '1' } })
  expect(tree.reduce((sum, c) => sum + c.count, 0)).toBe(total)
  const first = tree.find((c) => c.children?.length)
  const one = await clerk.call(listStays, { query: { view: 'project', stationed: '1', teamId: first?.children?.[0]?.id ?? '' } })
  expect(one.total).toBe(first?.children?.[0]?.count)
})

test('the second editor of a team is told', async () => {
  const { id } = await team()
  const body = {
    teamName: `改名${teams}班`,
    workType: '020',
    responsiblePersonName: '周立新',
    responsiblePersonPhone: null,
    responsiblePersonIdNumber: null,
    teamLeaderId: null,
    remark: null,
    version: 0,
  }
  await clerk.call(teamsCalls.updateTeam, { params: { id }, body })
  expect((await clerk.ask(teamsCalls.updateTeam, { params: { id }, body })).message).toMatch(
    /^班组已被(?!他人).+于 \d\d:\d\d 修改，请刷新后再改$/,
  )
  expect((await clerk.call(teamsCalls.getTeam, { params: { id } })).responsiblePersonPhone).toContain('****')
})
