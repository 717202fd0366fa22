import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { shanghaiOffsetMs } from '@zhugong/contract/kit/time'
import * as staysCalls from '@zhugong/contract/labour/stays'
import * as teamsCalls from '@zhugong/contract/labour/teams'
import { leaveWithTeam, removeTeamStay } from '@zhugong/contract/labour/unit-info'
import * as unitsCalls from '@zhugong/contract/labour/units'
import { registerWorker, setFormal } from '@zhugong/contract/personnel/workers'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { idCard, mobile, newcomer, type Site, siteOf } from '../../../test/givens.ts'
import type { Answer, Caller, World } from '../../../test/world.ts'

/**
 * States of people, teams and units on a site: every state x every step x every role. The expected results are in the tables below,
 * taken from entities.md (项目人员; 班组; 项目参建单位), not from the product. Everything not listed must be refused with a message.
 */
let world: World
let settled: CityWorld
let site: Site
/** The site's clerk, its general contractor, a higher authority, and another site's manager. */
const cast = { clerk: 'hospital-labour', contractor: 'yunze-lu', authority: 'city-fang', stranger: 'zhigu-pm' } as const
type Who = keyof typeof cast
const everybody = Object.keys(cast) as Who[]
/** The roles that run the site. The authority only reads, the stranger sees nothing. */
const hands: readonly Who[] = ['clerk', 'contractor']
const as = {} as Record<Who, Caller>
const dayOf = (shift = 0) => new Date(Date.now() + shanghaiOffsetMs + shift * 86_400_000).toISOString().slice(0, 10)
const today = dayOf()
const db = () => world.database.kysely

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  site = await siteOf(world, settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? '')
  for (const who of everybody) as[who] = await settled.as(cast[who])
})
afterAll(() => world.close())

const refusals = /权限|已经|已在|正式|退场|进场|唯一|记录|不存在|管辖|不在|预登记|暂停|先|不能|还有|进场条件/
const tellsWhy = (answer: Answer): boolean => {
  const failed = (answer.data as { failed?: { message: string }[] } | null)?.failed
  return refusals.test(failed?.[0]?.message ?? answer.message)
}
/** Whether the action was performed; a batch reports failures per person although its status is 0. */
const isDone = (answer: Answer): boolean => answer.status === 0 && !(answer.data as { failed?: unknown[] } | null)?.failed?.length
const ask = (who: Who, endpoint: Endpoint, input: unknown) => as[who].ask(endpoint, input as never)

interface Machine {
  states: readonly string[]
  steps: Readonly<Record<string, (who: Who) => Promise<Answer>>>
  /** State, step, and resulting state. */
  allowed: readonly (readonly [state: string, step: string, to: string])[]
  bring(state: string): Promise<void>
  now(): Promise<string>
}
function tries(name: string, machine: () => Machine, states: readonly string[], steps: readonly string[]) {
  describe(name, () => {
    for (const state of states)
      for (const step of steps)
        test(`${state} ${step}`, async () => {
          const one = machine()
          const to = one.allowed.find(([from, by]) => from === state && by === step)?.[2]
          for (const who of everybody) {
            await one.bring(state)
            const run = one.steps[step]
            if (!run) throw new Error(`no step ${step}`)
            const answer = await run(who)
            const may = to !== undefined && hands.includes(who)
            expect([who, isDone(answer), await one.now(), answer.message, JSON.stringify(answer.data)]).toEqual([
              who,
              may,
              may ? to : state,
              expect.any(String),
              expect.any(String),
            ])
            if (!may) expect([who, answer.message, tellsWhy(answer)]).toEqual([who, expect.any(String), true])
          }
        })
  })
}

// ---- people: 在场·预登记, 在场·正式, 在场·暂停作业, 退场
const person = { id: '', workerId: '', idCardNumber: idCard(), name: '周立秋' }
const stayState = async (): Promise<string> => {
  const { rows } = await sql<{ state: string }>`
    select case when exit_time is not null then 'left' when formal_status = '0' then 'registered' when formal_status = '1' then 'formal' else 'paused' end as state
    from project_worker where worker_id = ${person.workerId} order by exit_time is null desc, entry_time desc, id desc limit 1`.execute(
    db(),
  )
  return rows[0]?.state ?? 'none'
}
async function bringPerson(state: string): Promise<void> {
  if (!person.workerId) {
    const made = await as.clerk.call(registerWorker, { body: newcomer(site, { idCardNumber: person.idCardNumber, name: person.name }) })
    person.workerId = made.workerId
    person.id = made.projectWorkerId ?? ''
    // All data required for the formal state.
    await sql`update worker set real_name_state = '1', nation = '01', grant_org = '公安局', start_date = '2020-01-01', expiry_date = '2099-12-31', head_image = 'x',
      culture_level = '20', work_type_code = '020', urgent_link_man = '周某', has_bad_medical_history = false, address = '\\x00', cell_phone = '\\x00',
      urgent_link_man_phone = '\\x00', consents = '[{"kind":"personal","state":"同意","version":"1.0","way":"纸质","time":"2026-01-01 00:00:00"}]'
      where id = ${person.workerId}`.execute(db())
  }
  await sql`delete from project_worker where worker_id = ${person.workerId} and id <> ${person.id}`.execute(db())
  await sql`update project_worker set exit_time = ${state === 'left' ? new Date(Date.now() - 3_600_000) : null}, stationed = ${state === 'left' ? '2' : '1'},
    entry_time = now() - interval '2 days', formal_status = ${state === 'registered' ? '0' : state === 'paused' ? '2' : '1'}, has_contract = true, entry_trained = true,
    pay_roll_bank_card_hash = 'card', payment_type = '1', has_buy_insurance = true, attend_enabled = ${state === 'formal'}, version = 0
    where id = ${person.id}`.execute(db())
}
const body = () => ({ ...(newcomer(site).stay as object), idCardNumber: person.idCardNumber, name: person.name })
const people: Machine = {
  states: ['registered', 'formal', 'paused', 'left'],
  steps: {
    enter: (who) => ask(who, staysCalls.enterWorker, { body: body() }),
    formal: (who) => ask(who, setFormal, { body: { ids: [person.id], status: '1' } }),
    pause: (who) => ask(who, setFormal, { body: { ids: [person.id], status: '2', reason: '安全检查不合格' } }),
    exit: (who) => ask(who, staysCalls.exitWorkers, { body: { ids: [person.id], exitTime: today, exitReason: '1' } }),
  },
  allowed: [
    ['registered', 'formal', 'formal'],
    ['formal', 'pause', 'paused'],
    ['paused', 'formal', 'formal'],
    ['registered', 'exit', 'left'],
    ['formal', 'exit', 'left'],
    ['paused', 'exit', 'left'],
    // A person who has left can enter again with their papers, which creates a new pre-registered stay.
    ['left', 'enter', 'registered'],
  ],
  bring: bringPerson,
  now: stayState,
}
tries('people on a site', () => people, ['registered', 'formal', 'paused', 'left'], ['enter', 'formal', 'pause', 'exit'])

// ---- teams: 在场 (empty or with people), 退场
const team = { id: '', stayId: '', person: '' }
async function bringTeam(state: string): Promise<void> {
  if (!team.id) {
    const { id } = await as.clerk.call(teamsCalls.createTeam, {
      body: {
        projectCode: site.projectCode,
        corpCode: site.corpCode,
        teamName: '状态试验班',
        workType: '020',
        entryTime: dayOf(-3),
        responsiblePersonName: '周立新',
        responsiblePersonPhone: mobile(),
        responsiblePersonIdNumber: idCard(),
        teamLeaderId: null,
        remark: null,
      },
    })
    team.id = id
    const { list } = await as.clerk.call(teamsCalls.listTeamStays, { query: { teamId: id } })
    team.stayId = list[0]?.id ?? ''
    const made = await as.clerk.call(registerWorker, { body: newcomer({ ...site, teamId: id }) })
    team.person = made.projectWorkerId ?? ''
  }
  const left = state === 'left'
  await sql`delete from project_team where team_id = ${team.id} and id <> ${team.stayId}`.execute(db())
  await sql`update project_team set exit_time = ${left ? today : null}, version = 0 where id = ${team.stayId}`.execute(db())
  await sql`update team set exit_time = ${left ? today : null}, stationed = ${left ? '2' : '1'}, version = 0 where id = ${team.id}`.execute(
    db(),
  )
  await sql`update project_worker set exit_time = ${state === 'peopled' ? null : new Date()}, stationed = ${state === 'peopled' ? '1' : '2'}, formal_status = '0', version = 0
    where id = ${team.person}`.execute(db())
}
const teams: Machine = {
  states: ['empty', 'peopled', 'left'],
  steps: {
    exit: (who) => ask(who, teamsCalls.setTeamTime, { body: { id: team.stayId, exitTime: today } }),
    together: (who) =>
      ask(who, leaveWithTeam, { body: { id: team.stayId, exitTime: today, withPeople: true, exitReason: '1', remark: null } }),
    undo: (who) => ask(who, teamsCalls.setTeamTime, { body: { id: team.stayId, exitTime: null } }),
    enter: (who) => ask(who, teamsCalls.addTeamStay, { body: { projectCode: site.projectCode, teamId: team.id, entryTime: today } }),
    takeBack: (who) => ask(who, removeTeamStay, { params: { id: team.stayId } }),
    remove: (who) => ask(who, teamsCalls.removeTeam, { params: { id: team.id } }),
  },
  allowed: [
    ['empty', 'exit', 'left'],
    ['empty', 'together', 'left'],
    ['peopled', 'together', 'left'],
    ['left', 'undo', 'empty'],
    // Corrects the day: the same endpoint with another exit, or without one.
    ['left', 'exit', 'left'],
    ['empty', 'undo', 'empty'],
    ['peopled', 'undo', 'peopled'],
    ['left', 'enter', 'empty'],
  ],
  bring: bringTeam,
  now: async () => {
    const { rows } = await sql<{ state: string }>`
      select case when t.exit_time is not null then 'left' when exists (select 1 from project_worker w where w.team_id = t.id and w.exit_time is null) then 'peopled'
        else 'empty' end as state from team t where t.id = ${team.id}`.execute(db())
    return rows[0]?.state ?? 'gone'
  },
}
tries('teams on a site', () => teams, ['empty', 'peopled', 'left'], ['exit', 'together', 'undo', 'enter', 'takeBack', 'remove'])

// ---- units: 在场 (empty or with a team), 退场
const unit = { id: '', corpCode: '', team: '' }
async function bringUnit(state: string): Promise<void> {
  if (!unit.id) {
    const used = new Set(settled.city.projectCorps.filter((p) => p.projectCode === site.projectCode).map((p) => p.corpCode))
    unit.corpCode = settled.city.corporations.find((c) => !used.has(c.corpCode))?.corpCode ?? ''
    unit.id = 'unit-of-states'
    unit.team = 'team-of-unit-of-states'
    await sql`insert into project_corp (id, project_code, corp_code, corp_type, parent_corp_code, contract_no, entry_time, pm_name)
      values (${unit.id}, ${site.projectCode}, ${unit.corpCode}, '010', null, null, ${dayOf(-10)}, '周大勇')`.execute(db())
  }
  await sql`update project_corp set exit_time = ${state === 'left' ? today : null}, stationed = ${state === 'left' ? '2' : '1'}, version = 0 where id = ${unit.id}`.execute(
    db(),
  )
  await sql`delete from team where id = ${unit.team}`.execute(db())
  if (state !== 'bare')
    await sql`insert into team (id, project_code, corp_code, team_name, work_type, responsible_person_name, entry_time, exit_time)
      values (${unit.team}, ${site.projectCode}, ${unit.corpCode}, '状态二班', '020', '周某', ${dayOf(-9)}, ${state === 'teamed' ? null : today})`.execute(
      db(),
    )
}
const units: Machine = {
  states: ['bare', 'teamed', 'emptied', 'left'],
  steps: {
    exit: (who) => ask(who, unitsCalls.setUnitTime, { body: { id: unit.id, exitTime: today } }),
    undo: (who) => ask(who, unitsCalls.setUnitTime, { body: { id: unit.id, exitTime: null } }),
  },
  allowed: [
    ['bare', 'exit', 'left'],
    ['emptied', 'exit', 'left'],
    ['left', 'undo', 'emptied'],
    ['left', 'exit', 'left'],
    ['bare', 'undo', 'bare'],
    ['teamed', 'undo', 'teamed'],
    ['emptied', 'undo', 'emptied'],
  ],
  bring: bringUnit,
  now: async () => {
    const { rows } = await sql<{ state: string }>`
      select case when u.exit_time is not null then 'left' when exists (select 1 from team t where t.project_code = u.project_code and t.corp_code = u.corp_code and t.exit_time is null)
        then 'teamed' when exists (select 1 from team t where t.project_code = u.project_code and t.corp_code = u.corp_code) then 'emptied' else 'bare' end as state
      from project_corp u where u.id = ${unit.id}`.execute(db())
    const state = rows[0]?.state ?? 'gone'
    return state
  },
}
// A unit that left without own teams returns to its previous state.
tries('units on a site', () => units, ['bare', 'teamed', 'emptied', 'left'], ['exit', 'undo'])

test('a unit that has had a team or people is never removed; one that has not is, by whoever runs the site', async () => {
  for (const state of ['teamed', 'emptied', 'left']) {
    await bringUnit(state)
    for (const who of everybody) expect(isDone(await ask(who, unitsCalls.removeUnit, { body: { id: unit.id } }))).toBe(false)
  }
  await bringUnit('bare')
  for (const who of ['authority', 'stranger'] as const)
    expect(isDone(await ask(who, unitsCalls.removeUnit, { body: { id: unit.id } }))).toBe(false)
  expect(isDone(await ask('clerk', unitsCalls.removeUnit, { body: { id: unit.id } }))).toBe(true)
})
