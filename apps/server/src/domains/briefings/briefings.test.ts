import * as calls from '@zhugong/contract/briefings/calls'
import { type BriefingAction, gangMoves } from '@zhugong/contract/briefings/moves'
import { signGangBriefing, signManagerBriefing } from '@zhugong/contract/briefings/seats'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { newId } from '#kit/ids'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { storedFile, strokes } from '../../../test/givens.ts'
import type { Caller, World } from '../../../test/world.ts'

let world: World
let settled: CityWorld
let projectCode = ''
const now = Date.parse('2026-11-20T10:00:00+08:00')
const today = '2026-11-20'
let at = now
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
const names = {} as Record<Who, string>
const files = {} as Record<Who, string>
interface Gang {
  teamId: string
  corpCode: string
  workType: string
  stays: { id: string; workerId: string; name: string }[]
}
let gang: Gang

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => at } })
  settled = await settleCity(world)
  const db = world.database.kysely
  projectCode = settled.city.personas.find((p) => p.account === cast.site)?.projectCode ?? ''
  for (const [who, account] of Object.entries(cast) as [Who, string][]) {
    as[who] = await settled.as(account)
    const { rows } = await sql<{ id: string; name: string }>`select t.id, u.name from app_user u join member m on m.user_id = u.id
      join tenant t on t.id = m.group_id where u.account = ${account} order by m.is_default desc limit 1`.execute(db)
    files[who] = await storedFile(world, rows[0]?.id ?? '')
    names[who] = rows[0]?.name ?? ''
  }
  // The largest gang of a subcontractor.
  const { rows } = await sql<{ id: string; corpCode: string; workType: string }>`select t.id, t.corp_code, t.work_type from team t
    join project_worker w on w.team_id = t.id and w.exit_time is null where t.project_code = ${projectCode} and t.exit_time is null
    group by t.id order by count(*) desc, t.id limit 1`.execute(db)
  const team = rows[0]
  if (!team) throw new Error('no gang')
  const { rows: stays } = await sql<Gang['stays'][number]>`select id, worker_id, worker_name as name from project_worker
    where team_id = ${team.id} and exit_time is null and post is null order by id limit 8`.execute(db)
  gang = { teamId: team.id, corpCode: team.corpCode, workType: team.workType, stays }
  await sql`update project_worker set work_type = ${team.workType} where id = any (${stays.map((one) => one.id)})`.execute(db)
  // Gates have seen everybody but the last.
  for (const one of stays.slice(0, -1))
    await sql`insert into attendance_day (project_code, worker_id, work_day, stay_id, corp_code, team_id, record_count, present, rules_version, setting_version)
      values (${projectCode}, ${one.workerId}, ${today}, ${one.id}, ${team.corpCode}, ${team.id}, 1, true, 'x', 'x')
      on conflict (project_code, worker_id, work_day) do update set record_count = 1, present = true`.execute(db)
  await sql`delete from attendance_day where project_code = ${projectCode} and worker_id = ${stays.at(-1)?.workerId ?? ''} and work_day = ${today}`.execute(
    db,
  )
})
afterAll(() => world.close())

const content = '系挂安全带，架体验收合格后使用；专人监护，禁止抛掷工具和材料'
const gangBody = (more: object = {}) => ({
  id: newId(),
  action: 'begin',
  name: '外架搭设安全技术交底',
  workType: gang.workType,
  part: '1 号楼外架',
  content,
  date: today,
  discloser: names.site,
  witness: '冯建业',
  corpCode: gang.corpCode,
  teamId: gang.teamId,
  receivers: gang.stays.slice(0, 3).map((one) => one.id),
  ...more,
})
const managerBody = (more: object = {}) => ({
  id: newId(),
  action: 'begin',
  kind: 'supervisor',
  name: '监理交底',
  part: '全场',
  content,
  date: today,
  discloser: names.supervisor,
  receivers: gang.stays.slice(0, 2).map((one) => one.id),
  ...more,
})
const query = { projectCode: '*' }
const tryCreate = (body: object, who: Who = 'site') => as[who].ask(calls.createGangBriefing, { query: { projectCode }, body } as never)
const create = (body: object, who: Who = 'site') => as[who].call(calls.createGangBriefing, { query: { projectCode }, body } as never)
const read = (id: string, who: Who = 'site') => as[who].call(calls.getGangBriefing, { params: { id }, query })
async function act(who: Who, id: string, body: object) {
  const { rows } = await sql<{ version: number; type: string }>`select version, type from briefing where id = ${id}`.execute(
    world.database.kysely,
  )
  const call = rows[0]?.type === 'technical' ? calls.changeManagerBriefing : calls.changeGangBriefing
  return as[who].ask(
    call as typeof calls.changeGangBriefing,
    { params: { id }, query, body: { version: rows[0]?.version, ...body } } as never,
  )
}
const sign = (id: string, seat: string, name: string | null, more: object = {}, who: Who = 'site') =>
  as[who].ask(signGangBriefing, {
    params: { id },
    query,
    body: { action: 'sign', id: newId(), seat, name, image: strokes(), ...more },
  } as never)
/** Everybody signs, one after the other. */
async function signAll(id: string) {
  const file = await read(id)
  for (const seat of file.signatures.filter((one) => one.state === 'waiting')) {
    at += 40_000
    const answer = await sign(id, seat.seat, seat.expects === names.site ? null : seat.expects)
    expect([seat.role, answer.message, answer.status]).toEqual([seat.role, answer.message, 0])
  }
}

test('a gang signs one by one: frozen by the first signature, finished when everybody signed or has a reason', async () => {
  const { id, state, code } = await create(gangBody())
  expect([state, code?.includes('-JD-2026-')]).toEqual(['1', true])
  const file = await read(id)
  expect(file.signatures.map((one) => one.role)).toEqual(['交底人', '安全员（见证）', '被交底人', '被交底人', '被交底人'])
  const [first, second, third] = file.receivers
  if (!first || !second || !third) throw new Error('no receivers')
  expect((await sign(id, first.id, '别人')).status).not.toBe(0)
  expect((await sign(id, first.id, first.name)).status).toBe(0)
  expect((await sign(id, first.id, first.name)).message).toContain('已由')
  expect((await act('site', id, { action: 'finish' })).message).toBe('还有 2 人未签字，请补签或标记未到')
  expect((await sign(id, second.id, second.name)).status).toBe(0)
  expect((await act('site', id, { action: 'excuse', receiverId: first.id, reason: '请假回家三天' })).message).toContain('已签字')
  expect((await act('site', id, { action: 'excuse', receiverId: third.id, reason: '请假回家三天' })).status).toBe(0)
  expect((await act('site', id, { action: 'finish' })).message).toBe(`交底人${names.site}还没有签字`)
  expect((await sign(id, 'discloser', null)).status).toBe(0)
  expect((await act('site', id, { action: 'finish' })).message).toContain('见证的安全员冯建业')
  expect((await sign(id, 'witness', '冯建业')).status).toBe(0)
  expect((await act('site', id, { action: 'finish' })).status).toBe(0)
  const done = await read(id, 'authority')
  expect([done.state, done.signed, done.total, done.excused, done.digest.length]).toEqual(['2', 2, 3, 1, 64])
  expect((await sign(id, third.id, third.name)).message).toContain('不能签名')
})

test('a change makes every signature void, as many as the page said, and says so in the history', async () => {
  const body = gangBody()
  const { id } = await create(body)
  const { receivers } = await read(id)
  for (const one of receivers.slice(0, 2)) await sign(id, one.id, one.name)
  const { id: _id, action: _action, ...fields } = body as Record<string, unknown>
  const amend = { ...fields, action: 'amend', content: `${content}；雨后先检查` }
  const wrong = await act('site', id, { ...amend, voiding: 0 })
  expect(wrong.message).toContain('2 个签名失效')
  expect((await read(id)).signed).toBe(2)
  expect((await act('site', id, { ...amend, voiding: 2 })).status).toBe(0)
  const after = await read(id)
  expect([after.signed, after.signatures.filter((one) => one.state === 'void').length]).toEqual([0, 2])
  expect(after.timeline.find((one) => one.action === 'amend')?.opinion).toBe('2 个签名失效')
})

test('who joins later makes nothing void; a paper sheet counts; who has left signs no more and holds up nobody', async () => {
  const { id } = await create(gangBody())
  const [first, second] = (await read(id)).receivers
  if (!first || !second) throw new Error('no receivers')
  await sign(id, first.id, first.name)
  const more = gang.stays[3]?.id ?? ''
  expect((await act('site', id, { action: 'add', receivers: [more] })).status).toBe(0)
  expect((await read(id)).signed).toBe(1)
  expect((await act('site', id, { action: 'scan', files: [], signers: [second.id] })).message).toContain('扫描件')
  expect((await act('site', id, { action: 'scan', files: [files.site], signers: [second.id] })).status).toBe(0)
  const paper = (await read(id)).receivers.find((one) => one.id === second.id)
  expect(paper?.state).toBe('paper')
  const gone = (await read(id)).receivers.find((one) => one.stayId === more)
  await sql`update project_worker set exit_time = ${new Date(at)} where id = ${more}`.execute(world.database.kysely)
  expect((await sign(id, gone?.id ?? '', gone?.name ?? '')).message).toContain('不能签名')
  expect((await read(id)).receivers.find((one) => one.stayId === more)?.state).toBe('gone')
  await sql`update project_worker set exit_time = null where id = ${more}`.execute(world.database.kysely)
})

test('doubtful signing is flagged: too fast, not on the site, too many by one device', async () => {
  const whole = gang.stays.map((one) => one.id)
  const { id: fast } = await create(gangBody({ receivers: whole.slice(0, 5) }))
  for (const one of (await read(fast)).receivers) await sign(fast, one.id, one.name)
  expect((await read(fast)).doubts).toEqual(['fast'])
  const { id: slow } = await create(gangBody({ receivers: whole.slice(0, 5) }))
  await signAll(slow)
  expect((await read(slow)).doubts).toEqual([])
  const { id: away } = await create(gangBody({ receivers: whole.slice(-1) }))
  await signAll(away)
  const file = await read(away)
  expect([file.doubts, file.receivers[0]?.onSite]).toEqual([['away'], false])
  const { id: pad } = await create(gangBody({ receivers: whole.slice(0, 1) }))
  const [one] = (await read(pad)).receivers
  await sign(pad, one?.id ?? '', one?.name ?? '', { device: '平板甲' })
  expect((await read(pad)).doubts).toEqual([])
  await sql`insert into process_signature (id, kind, object_id, project_code, corp_code, shown_at, groups, seat, role, name, image, hash, device, by_id, by_name, at)
    select md5('pad ' || n), 'safetyPTechnical', 'elsewhere', ${projectCode}, ${gang.corpCode}, now(), '{}', 's' || n, 'x', 'x', '\\x00', 'x', '平板甲', 'x', 'x', ${new Date(at)}
    from generate_series(1, 40) n`.execute(world.database.kysely)
  expect((await read(pad)).doubts).toEqual(['device'])
  const { list, counts } = await as.authority.call(calls.listGangBriefings, { query: { projectCode, doubtful: true, size: 100 } })
  expect(list.map((row) => row.id).sort()).toEqual([fast, away, pad].sort())
  expect(counts.doubtful).toBe(3)
})

test('whoever looks from outside asks for it again; the site is reminded until another briefing replaces it', async () => {
  const { id } = await create(gangBody())
  expect((await act('site', id, { action: 'redo', reason: '内容与方案不符' })).status).not.toBe(0)
  expect((await act('authority', id, { action: 'redo', reason: '内容与方案不符' })).status).toBe(0)
  const waits = async () => (await sql`select from process_todo where object_id = ${id}`.execute(world.database.kysely)).rows.length
  expect([(await read(id)).state, await waits()]).toEqual(['9', 1])
  const { id: next } = await create(gangBody({ replacesId: id }))
  expect([await waits(), (await read(id)).replacedBy?.id, (await read(next)).replaces?.id]).toEqual([0, next, id])
  expect((await tryCreate(gangBody({ replacesId: next }))).message).toContain('已作废')
})

test('comments reach both sides; a reminder is given once a day', async () => {
  const { id } = await create(gangBody())
  expect((await act('supervisor', id, { action: 'comment', opinion: '请补充吊装要求' })).status).toBe(0)
  expect((await read(id)).timeline.find((one) => one.action === 'comment')?.opinion).toBe('请补充吊装要求')
  expect((await act('authority', id, { action: 'remind' })).status).toBe(0)
  expect((await act('authority', id, { action: 'remind' })).message).toBe('24 小时内已督促过')
})

test.each([
  ['a person of the site', { receivers: ['nobody'] }, 'receivers'],
  ['somebody to brief', { receivers: [] }, 'receivers'],
  ['a witness', { witness: null }, 'witness'],
  ['another person as witness', () => ({ witness: names.site }), 'witness'],
  ['a day that has come', { date: '2026-11-21' }, 'date'],
  ['a gang of the site', { teamId: 'nobody' }, 'teamId'],
  ['a company on the site', { corpCode: 'nobody' }, 'corpCode'],
  ['a known dangerous work', { bigProjectId: 'nobody' }, 'bigProjectId'],
  ['known measures', { measureIds: ['nobody'] }, 'measureIds'],
  ['content', { content: '注意安全' }, 'content'],
])('asks for %s, at its field', async (_what, more, field) => {
  const answer = await tryCreate(gangBody(typeof more === 'function' ? more() : more))
  expect(answer.status).not.toBe(0)
  expect(JSON.stringify(answer.data)).toContain(field)
})

test('an over-scale work whose plan is not approved cannot be briefed; without a briefing it is a gap', async () => {
  const id = newId()
  await sql`insert into bigproject (id, code, project_code, corp_code, shown_at, groups, name, category, over_scale, risk_level, part, construction_corp,
      plan_start_date, plan_end_date, state, state_since, create_by, create_time)
    select ${id}, 'WD-900', ${projectCode}, corp_code, now(), '{}', '深基坑开挖', '103', true, '1', '基坑', corp_code, '2026-11-22', '2026-12-30', '3', now(), 'x', now()
    from project_corp where project_code = ${projectCode} and corp_type = '009' and exit_time is null limit 1`.execute(
    world.database.kysely,
  )
  const refused = await tryCreate(gangBody({ bigProjectId: id }))
  expect(refused.message).toContain('通过前不能交底')
  const { works } = await as.site.call(calls.briefingDesk, { query: { projectCode } })
  expect(works.find((one) => one.id === id)?.hindrance).toContain('通过前不能交底')
  await sql`update bigproject set state = '5' where id = ${id}`.execute(world.database.kysely)
  const gaps = async () => (await as.authority.call(calls.briefingGaps, { query: { projectCode, view: 'gap', size: 200 } })).list
  expect((await gaps()).find((one) => one.id === id)).toMatchObject({ kind: 'work', soon: true, remindedAt: null })
  const remind = (who: Who) => as[who].ask(calls.remindGap, { query: { projectCode }, body: { bigProjectId: id, teamId: null } })
  expect((await remind('stranger')).status).not.toBe(0)
  expect((await remind('authority')).status).toBe(0)
  expect((await remind('authority')).message).toBe('24 小时内已督促过')
  expect((await gaps()).find((one) => one.id === id)?.remindedAt).not.toBeNull()
  await create(gangBody({ bigProjectId: id }))
  expect((await gaps()).some((one) => one.id === id)).toBe(false)
  expect((await remind('authority')).status).not.toBe(0)
})

test('people without a briefing for their trade are listed until they have signed one', async () => {
  const last = gang.stays[5]
  if (!last) throw new Error('no person')
  await sql`update project_worker set work_type = '131' where id = ${last.id}`.execute(world.database.kysely)
  const shown = async () =>
    (await as.site.call(calls.unbriefedPeople, { query: { projectCode, view: 'people', name: last.name, size: 100 } })).list.find(
      (one) => one.id === last.id,
    )
  expect(await shown()).toMatchObject({ waiting: false, present: true })
  const { id } = await create(gangBody({ workType: '130', receivers: [last.id] }))
  expect(await shown()).toMatchObject({ waiting: true })
  const [one] = (await read(id)).receivers
  await sign(id, one?.id ?? '', last.name)
  expect(await shown()).toBeUndefined()
})

test('a draft is known to its author’s group only; what is signed to whoever has a part in it', async () => {
  const { id: draft } = await create(gangBody({ action: 'save' }))
  const { id: shown } = await create(gangBody())
  const mayRead = async (who: Who, id: string) => (await as[who].ask(calls.getGangBriefing, { params: { id }, query })).status === 0
  for (const who of everybody) {
    expect([who, await mayRead(who, draft)]).toEqual([who, who === 'site'])
    if (who !== 'subcontractor') expect([who, await mayRead(who, shown)]).toEqual([who, who !== 'stranger'])
  }
  const remove = (who: Who) => as[who].ask(calls.removeGangBriefing, { params: { id: draft }, query })
  for (const who of everybody.filter((one) => one !== 'site')) expect((await remove(who)).status, who).not.toBe(0)
  expect((await remove('site')).status).toBe(0)
})

test('the same request again creates nothing more', async () => {
  const body = gangBody()
  const first = await create(body)
  expect(await create(body)).toEqual(first)
  const { rows } = await sql`select from briefing_receiver where briefing_id = ${first.id}`.execute(world.database.kysely)
  expect(rows).toHaveLength(3)
})

test('监理 briefs managers, who sign with their own accounts', async () => {
  const id = newId()
  const made = await as.supervisor.call(calls.createManagerBriefing, { query: { projectCode }, body: managerBody({ id }) } as never)
  expect(made.state).toBe('1')
  // Somebody of the site with an account of his own name.
  const { receivers } = await as.site.call(calls.getManagerBriefing, { params: { id }, query })
  const [first, second] = receivers
  await sql`update briefing_receiver set name = ${names.site} where id = ${first?.id ?? ''}`.execute(world.database.kysely)
  const put = (who: Who, seat: string, name: string | null) =>
    as[who].ask(signManagerBriefing, {
      params: { id },
      query,
      body: { action: 'sign', id: newId(), seat, name, image: strokes() },
    } as never)
  expect((await put('site', second?.id ?? '', null)).status).not.toBe(0)
  expect((await put('site', second?.id ?? '', second?.name ?? '')).message).toContain('不由您')
  expect((await put('site', first?.id ?? '', null)).status).toBe(0)
  expect((await put('supervisor', second?.id ?? '', second?.name ?? '')).status).toBe(0)
  expect((await put('supervisor', 'discloser', null)).status).toBe(0)
  expect((await act('supervisor', id, { action: 'finish' })).status).toBe(0)
  const { list } = await as.authority.call(calls.listManagerBriefings, { query: { projectCode, size: 50 } })
  expect(list.find((row) => row.id === id)).toMatchObject({ state: '2', signed: 2, total: 2, kindName: '监理交底' })
  expect((await as.stranger.ask(calls.getManagerBriefing, { params: { id }, query })).status).not.toBe(0)
})

/** Inputs of each action, and who may take it in the states it starts from. */
const given: Record<Exclude<BriefingAction, 'save' | 'begin'>, { body: () => object; by: readonly Who[] }> = {
  amend: {
    body: () => {
      const { id: _id, action: _action, ...fields } = gangBody() as Record<string, unknown>
      return { ...fields, voiding: 0 }
    },
    by: ['site'],
  },
  add: { body: () => ({ receivers: [gang.stays[4]?.id ?? ''] }), by: ['site'] },
  excuse: { body: () => ({ receiverId: 'receiver', reason: '请假回家三天' }), by: ['site'] },
  scan: { body: () => ({ files: [files.site], signers: ['receiver'] }), by: ['site'] },
  finish: { body: () => ({}), by: [] },
  archive: { body: () => ({}), by: ['site'] },
  void: { body: () => ({ reason: '内容写错重新交底' }), by: ['site'] },
  redo: { body: () => ({ reason: '内容与方案不符' }), by: ['company', 'supervisor', 'authority'] },
  comment: { body: () => ({ opinion: '请补充' }), by: ['company', 'supervisor', 'authority'] },
  remind: { body: () => ({}), by: ['company', 'supervisor', 'authority'] },
}
const actions = Object.keys(given) as (keyof typeof given)[]

test.each(actions)('%s: by whom, in which state', async (action) => {
  const { id } = await create(gangBody())
  const [receiver] = (await read(id)).receivers
  const db = world.database.kysely
  for (const state of ['0', '1', '2', '3', '9']) {
    for (const who of everybody) {
      await sql`update briefing set state = ${state}, reminded_at = null, redo = false where id = ${id}`.execute(db)
      await sql`update briefing_receiver set absent_reason = null, paper_at = null where briefing_id = ${id}`.execute(db)
      const { rows } = await sql<{ version: number }>`select version from briefing where id = ${id}`.execute(db)
      const text = JSON.stringify({ version: rows[0]?.version, action, ...given[action].body() }).replaceAll(
        '"receiver"',
        `"${receiver?.id}"`,
      )
      const body = JSON.parse(text)
      const file = who === 'site' ? files.site : files[who]
      if (action === 'scan') body.files = [file]
      const answer = await as[who].ask(calls.changeGangBriefing, { params: { id }, query, body })
      const allowed = gangMoves[action].from.includes(state as never) && given[action].by.includes(who)
      // The general contractor's account holds fewer codes than its part would allow.
      if (who === 'company' && allowed) continue
      expect([state, who, answer.status === 0, answer.message]).toEqual([state, who, allowed, answer.message])
    }
  }
})
