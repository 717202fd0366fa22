import { changeHazard, createHazard, getHazard, hazardMap, listHazards, listPermits, removeHazard } from '@zhugong/contract/hazards/calls'
import { type HazardAction, hazardMoves } from '@zhugong/contract/hazards/moves'
import { type PermitAction, permitMoves } from '@zhugong/contract/hazards/permit-moves'
import { permitTypes } from '@zhugong/contract/hazards/permit-rules'
import { changePermit, createPermit, getPermit, permitPeople, removePermit, signPermit } from '@zhugong/contract/hazards/permits'
import { hourMs, minuteMs } from '@zhugong/contract/kit/time'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { formatInstant } from '#kit/clock'
import { newId } from '#kit/ids'
import { createLog } from '#kit/log'
import { createSecrets } from '#kit/secret'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { storedFile, strokes } from '../../../test/givens.ts'
import { type Caller, testSecretKey, type World } from '../../../test/world.ts'
import { endOverdue } from './public.ts'

const now = Date.parse('2026-11-20T09:00:00+08:00')
let world: World
let settled: CityWorld
let projectCode = ''
/** Two people on the site: a welder with his licence, and somebody without one. */
let welder = ''
let guardian = ''
let third = ''
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
const files = {} as Record<Who, string>
let corpCode = ''

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world)
  const db = world.database.kysely
  projectCode = settled.city.personas.find((p) => p.account === cast.site)?.projectCode ?? ''
  for (const [who, account] of Object.entries(cast) as [Who, string][]) {
    as[who] = await settled.as(account)
    const { rows } = await sql<{ id: string; code: string }>`select t.id, t.code from app_user u join member m on m.user_id = u.id
      join tenant t on t.id = m.group_id where u.account = ${account} order by m.is_default desc limit 1`.execute(db)
    files[who] = await storedFile(world, rows[0]?.id ?? '')
    if (who === 'company') corpCode = rows[0]?.code ?? ''
  }
  const { rows } = await sql<{ id: string }>`select pw.worker_id as id from project_worker pw where pw.project_code = ${projectCode}
    and pw.exit_time is null and not pw.black_hit and pw.entry_time < ${new Date(now)}
    and not exists (select from worker_cert c where c.worker_id = pw.worker_id) order by pw.worker_id limit 3`.execute(db)
  ;[welder = '', guardian = '', third = ''] = rows.map((one) => one.id)
  await sql`insert into worker_cert (id, worker_id, cert_type, special_type, name, cert_no, issue_date, valid_end, grant_org, status, audit_status)
    values (${newId()}, ${welder}, '7', '07', '建筑焊工', 'TEST-07', '2026-01-01', '2027-12-31', '样例', '1', '1')`.execute(db)
  await arrive(welder, guardian, third)
})
afterAll(() => world.close())

async function arrive(...ids: string[]): Promise<void> {
  for (const id of ids)
    await sql`insert into attendance_presence (project_code, worker_id, direction, time) values (${projectCode}, ${id}, '01', ${new Date(now - minuteMs)})
      on conflict (project_code, worker_id) do update set direction = '01', time = excluded.time, cleared_at = null`.execute(
      world.database.kysely,
    )
}

const at = (ms: number) => formatInstant(now + ms)
const measuresOf = (type: string, who: Who = 'site') =>
  (permitTypes[type]?.measures ?? []).map((one, seq) => ({ seq, done: true, photos: one.photo ? [files[who]] : [] }))
const permit = (more: object = {}, who: Who = 'site') => ({
  type: '1',
  level: '二级',
  content: '钢梁焊接',
  part: '屋面①轴',
  corpCode,
  startTime: at(-minuteMs),
  endTime: at(4 * hourMs),
  workers: [welder],
  guardianId: guardian,
  measures: measuresOf('1', who),
  ...more,
})
const other = { type: '99', level: null }
const otherPermit = (more: object = {}, who: Who = 'site') => permit({ ...other, measures: measuresOf('99', who), ...more }, who)
const tryCreate = (body: object) =>
  as.site.ask(createPermit, { query: { projectCode }, body: { id: newId(), action: 'submit', ...body } } as never)
const create = (body: object) =>
  as.site.call(createPermit, { query: { projectCode }, body: { id: newId(), action: 'submit', ...body } } as never)
const read = (who: Who, id: string) => as[who].call(getPermit, { params: { id }, query: { projectCode: '*' } })
const requestOf = (who: Who, id: string) => as[who].ask(getPermit, { params: { id }, query: { projectCode: '*' } })
async function act(who: Who, id: string, body: object) {
  const { rows } = await sql<{ version: number }>`select version from work_permit where id = ${id}`.execute(world.database.kysely)
  return as[who].ask(changePermit, { params: { id }, query: { projectCode: '*' }, body: { version: rows[0]?.version, ...body } } as never)
}
const ok = async (who: Who, id: string, body: object) => {
  const answer = await act(who, id, body)
  expect(answer.status, answer.message).toBe(0)
}
/** A permit that is running. */
async function running(body = permit()): Promise<string> {
  const { id } = await create(body)
  await ok('company', id, { action: 'approve', opinion: '同意' })
  await ok('site', id, { action: 'start' })
  return id
}
const deps = (time: number) => ({
  db: world.database.kysely,
  clock: { now: () => time },
  secrets: createSecrets(testSecretKey),
  log: createLog('test', 'silent'),
})
const stateOf = async (id: string) =>
  (
    await sql<{ state: string; late: boolean; version: number }>`select state, late, version from work_permit where id = ${id}`.execute(
      world.database.kysely,
    )
  ).rows[0]
/** Lets time go by for one permit: the sessions of the callers would not last. */
const passes = (id: string, ms: number) =>
  sql`update work_permit set start_time = start_time - make_interval(secs => ${ms / 1000}), end_time = end_time - make_interval(secs => ${ms / 1000}),
    closes_by = closes_by - make_interval(secs => ${ms / 1000}), started_at = started_at - make_interval(secs => ${ms / 1000}),
    ended_at = ended_at - make_interval(secs => ${ms / 1000}) where id = ${id}`.execute(world.database.kysely)

test('hot work: asked, approved by another, begun, ended, looked at for embers, closed', async () => {
  const { id, code } = await create(permit())
  expect(code).toMatch(/ZY-2026-\d{3}$/)
  expect((await act('site', id, { action: 'approve', opinion: '' })).message).toBe('不能批准自己申请的作业票')
  await ok('company', id, { action: 'approve', opinion: '同意' })
  await ok('site', id, { action: 'start' })
  expect((await act('site', id, { action: 'close', photos: [files.site] })).message).toBe('请先登记动火结束')
  await ok('site', id, { action: 'finish', photos: [files.site] })
  expect((await read('site', id)).stateName).toBe('余火观察')
  expect((await act('site', id, { action: 'close', photos: [files.site] })).message).toContain('30 分钟后检查余火')
  await passes(id, 30 * minuteMs)
  await ok('site', id, { action: 'close', photos: [files.site] })
  const file = await read('supervisor', id)
  expect([file.state, file.late, file.timeline.map((one) => one.action)]).toEqual([
    '4',
    false,
    ['submit', 'approve', 'start', 'finish', 'close'],
  ])
})

describe('the end', () => {
  test('comes by itself at its minute and not before, once, and leaves a mark', async () => {
    const id = await running()
    const { closesBy } = await read('site', id)
    await endOverdue(deps(closesBy - 1))
    expect((await stateOf(id))?.state).toBe('3')
    await Promise.all([1, 2, 3].map(() => endOverdue(deps(closesBy))))
    const file = await read('site', id)
    expect([file.state, file.late, file.timeline.filter((one) => one.action === 'overdue').length]).toEqual(['6', true, 1])
    expect((await act('site', id, { action: 'extend', extendTo: at(hourMs), opinion: '再做一会儿' })).status).not.toBe(0)
    await ok('site', id, { action: 'finish', photos: [files.site] })
    await passes(id, 30 * minuteMs)
    await ok('site', id, { action: 'close', photos: [files.site] })
    expect(await stateOf(id)).toMatchObject({ state: '4', late: true })
  })
  test('comes to a permit that was approved and never begun', async () => {
    const { id } = await create(permit())
    await ok('company', id, { action: 'approve', opinion: '' })
    await endOverdue(deps(now + 5 * hourMs))
    expect((await stateOf(id))?.state).toBe('6')
    await ok('site', id, { action: 'close', photos: [] })
  })
  test('waits for a permit that was prolonged, and for the look for embers', async () => {
    const prolonged = await running()
    await ok('site', prolonged, { action: 'extend', extendTo: at(6 * hourMs), opinion: '焊缝未完' })
    await ok('company', prolonged, { action: 'extendPass', opinion: '' })
    const watched = await running()
    await passes(watched, 4 * hourMs - 5 * minuteMs)
    await ok('site', watched, { action: 'finish', photos: [files.site] })
    await endOverdue(deps(now + 10 * minuteMs))
    expect((await stateOf(watched))?.state).toBe('3')
    await endOverdue(deps(now + 5 * hourMs))
    expect((await stateOf(prolonged))?.state).toBe('3')
    expect((await stateOf(watched))?.state).toBe('6')
  })
  test('comes to many in one look', async () => {
    const db = world.database.kysely
    await sql`insert into work_permit (id, project_code, corp_code, shown_at, groups, author_group, author_group_name, type, content, part, start_time,
        end_time, closes_by, state, create_by, create_time)
      select md5('many ' || n), ${projectCode}, ${corpCode}, now(), '{}', 'nobody', '样例', '99', '样例', '1层', ${new Date(now)}, ${new Date(now + hourMs)},
        ${new Date(now + hourMs)}, '3', 'nobody', now() from generate_series(1, 450) n`.execute(db)
    const both = await Promise.all([1, 2].map(() => endOverdue(deps(now + hourMs))))
    expect(both.reduce((sum, n) => sum + n, 0)).toBeGreaterThanOrEqual(450)
    const { rows } = await sql<{
      n: number
    }>`select count(*)::int as n from work_permit where author_group = 'nobody' and state <> '6'`.execute(db)
    expect(rows[0]?.n).toBe(0)
    const logs = await sql<{ n: number }>`select count(*)::int as n from process_log l join work_permit w on w.id = l.object_id
      where w.author_group = 'nobody' and l.action = 'overdue'`.execute(db)
    expect(logs.rows[0]?.n).toBe(450)
    await sql`delete from work_permit where author_group = 'nobody'`.execute(db)
  })
})

test('people without the licence stand in the list with the reason, and are refused', async () => {
  const { people } = await as.site.call(permitPeople, { query: { projectCode, type: '1' } })
  const of = (id: string) => people.find((one) => one.workerId === id)
  expect([of(welder)?.unfit, of(guardian)?.unfit]).toEqual([null, expect.stringContaining('没有操作证')])
  const refused = await tryCreate(permit({ workers: [guardian], guardianId: third }))
  expect([refused.message, JSON.stringify(refused.data)]).toEqual([
    expect.stringContaining('没有操作证'),
    expect.stringContaining('workers'),
  ])
})

test.each<[string, () => object, string, string]>([
  ['a guardian who does not work', () => ({ guardianId: welder }), 'guardianId', '不得是作业人员'],
  ['a level of hot work', () => ({ level: null }), 'level', '级别'],
  ['a time within the limit', () => ({ endTime: at(80 * hourMs) }), 'endTime', '最长 3 天'],
  ['confirmed measures', () => ({ measures: [] }), 'measures', '未确认'],
  [
    'a photograph where the measure asks for one',
    () => ({ measures: measuresOf('1').map((one) => ({ ...one, photos: [] })) }),
    'measures',
    '未确认',
  ],
  ['people of the site', () => ({ workers: ['nobody'] }), 'workers', '不在本项目场内'],
  ['a machine for lifting', () => ({ type: '3', level: null, workers: [welder], measures: measuresOf('3') }), 'workers', '不符'],
])('asks for %s, at its field', async (_what, more, field, words) => {
  const answer = await tryCreate(permit(more()))
  expect(answer.status).not.toBe(0)
  expect([answer.message, JSON.stringify(answer.data)]).toEqual([expect.stringContaining(words), expect.stringContaining(field)])
})

test('nobody begins without people inside, in a stopped site, or without a test of the air', async () => {
  const { id } = await create(otherPermit({ type: '5', measures: measuresOf('5') }))
  // The manager of the site decides about confined spaces.
  await sql`update work_permit set create_by = 'somebody' where id = ${id}`.execute(world.database.kysely)
  await ok('site', id, { action: 'approve', opinion: '' })
  const begin = () => act('site', id, { action: 'start' })
  expect((await begin()).message).toContain('须先检测气体')
  const air = { action: 'gas', oxygen: 18, combustible: 0, carbonMonoxide: 0, hydrogenSulfide: 0, spot: '井底', tester: '王检' }
  await ok('site', id, air)
  expect((await begin()).message).toContain('氧含量 18 %')
  await ok('site', id, { ...air, oxygen: 20.9 })
  await sql`update work_permit_gas set at = at - interval '31 minutes' where permit_id = ${id}`.execute(world.database.kysely)
  expect((await begin()).message).toContain('超过 30 分钟')
  await ok('site', id, { ...air, oxygen: 20.9 })
  await sql`update attendance_presence set direction = '02' where worker_id = ${guardian}`.execute(world.database.kysely)
  expect((await begin()).message).toContain('不在场')
  expect((await read('site', id)).checks.find((one) => one.key === 'inside')?.ok).toBe(false)
  await arrive(guardian)
  const stop = newId()
  await sql`insert into project_stop (id, project_code, source, source_id, ordered_by, reason, affect_attendance, from_day, begun, create_time)
    values (${stop}, ${projectCode}, 'former', ${stop}, '样例', '台风', false, '2026-11-20', true, now())`.execute(world.database.kysely)
  expect((await begin()).message).toContain('停工')
  await sql`delete from project_stop where id = ${stop}`.execute(world.database.kysely)
  expect((await begin()).status).toBe(0)
})

test('the guardian hands over to somebody inside who does not work', async () => {
  const id = await running()
  expect((await act('site', id, { action: 'handover', guardianId: welder })).message).toContain('不得是作业人员')
  expect((await act('site', id, { action: 'handover', guardianId: guardian })).message).toContain('正在监护')
  await ok('site', id, { action: 'handover', guardianId: third, note: '交班' })
  const { people } = await read('site', id)
  expect(people.filter((one) => one.role === 'guardian').map((one) => [one.workerId, one.until !== null])).toEqual([
    [guardian, true],
    [third, false],
  ])
})

test('a draft is known to its author’s group; what was submitted to whoever has a part in it', async () => {
  const { id } = await create({ ...permit(), action: 'save' })
  for (const who of everybody) expect([who, (await requestOf(who, id)).status === 0]).toEqual([who, who === 'site'])
  const { id: submitted } = await create(permit())
  for (const who of everybody) {
    const known = who !== 'subcontractor' && who !== 'stranger'
    expect([who, (await requestOf(who, submitted)).status === 0]).toEqual([who, known])
    if (who === 'subcontractor') continue
    const { list } = await as[who].call(listPermits, { query: { projectCode: '*', kind: 'permit', size: 1000 } })
    expect([who, list.some((row) => row.id === submitted)]).toEqual([who, known])
  }
  const remove = (who: Who, one: string) => as[who].ask(removePermit, { params: { id: one }, query: { projectCode: '*' } })
  for (const who of everybody.filter((one) => one !== 'site')) expect((await remove(who, id)).status, who).not.toBe(0)
  expect((await remove('site', submitted)).message).toContain('只能删除草稿')
  expect((await remove('site', id)).status).toBe(0)
})

test('workers sign on the site’s device by their names', async () => {
  const { id } = await create(permit())
  const { signatures } = await read('site', id)
  const [first] = signatures
  const sign = (who: Who) =>
    as[who].ask(signPermit, {
      params: { id },
      query: { projectCode: '*' },
      body: { action: 'sign', id: newId(), seat: first?.seat, name: first?.expects, image: strokes() },
    } as never)
  for (const who of ['supervisor', 'authority', 'subcontractor', 'stranger'] as const) expect((await sign(who)).status, who).not.toBe(0)
  expect((await sign('site')).status).toBe(0)
})

/** Whose turn an action is, by the practice of the trade; everybody else is refused whatever the state. */
const permitHands: Record<PermitAction, readonly Who[]> = {
  save: ['site'],
  submit: ['site'],
  approve: ['site', 'company'],
  reject: ['site', 'company'],
  gas: ['site', 'company'],
  start: ['site', 'company'],
  handover: ['site', 'company'],
  extend: ['site', 'company'],
  extendPass: ['site', 'company'],
  extendRefuse: ['site', 'company'],
  finish: ['site', 'company'],
  close: ['site', 'company'],
}
const permitInputs: Record<PermitAction, (who: Who) => object> = {
  save: (who) => otherPermit({}, who),
  submit: (who) => otherPermit({}, who),
  approve: () => ({ opinion: '' }),
  reject: () => ({ opinion: '措施不足' }),
  gas: () => ({ oxygen: 20.9, combustible: 0, carbonMonoxide: 0, hydrogenSulfide: 0, spot: '井底', tester: '王检' }),
  start: () => ({}),
  handover: () => ({ guardianId: third }),
  extend: () => ({ extendTo: at(5 * hourMs), opinion: '工作未完' }),
  extendPass: () => ({ opinion: '' }),
  extendRefuse: () => ({ opinion: '另行申请' }),
  finish: (who) => ({ photos: [files[who]] }),
  close: (who) => ({ photos: [files[who]] }),
}
/** What the action needs to find beside its state. */
const prepared: Partial<Record<PermitAction, (id: string) => Promise<unknown>>> = {
  gas: (id) => sql`update work_permit set type = '5' where id = ${id}`.execute(world.database.kysely),
  extendPass: (id) => sql`update work_permit set extend_to = ${new Date(now + 5 * hourMs)} where id = ${id}`.execute(world.database.kysely),
  extendRefuse: (id) =>
    sql`update work_permit set extend_to = ${new Date(now + 5 * hourMs)} where id = ${id}`.execute(world.database.kysely),
  finish: (id) =>
    sql`update work_permit set type = '1', level = '三级', started_at = ${new Date(now)} where id = ${id}`.execute(world.database.kysely),
}

describe.each(Object.keys(permitHands) as PermitAction[])('permit %s', (action) => {
  test.each(['0', '1', '2', '3', '4', '5', '6'])('in state %s', async (state) => {
    const db = world.database.kysely
    for (const who of everybody) {
      const { id } = await create({ ...otherPermit(), action: 'save' })
      await prepared[action]?.(id)
      await sql`update work_permit set state = ${state}, shown_at = ${state === '0' ? null : new Date()}, version = 3, create_by = 'somebody'
        where id = ${id}`.execute(db)
      await sql`update work_permit_person set shown_at = ${state === '0' ? null : new Date()} where permit_id = ${id}`.execute(db)
      await sql`update work_permit_measure set shown_at = ${state === '0' ? null : new Date()} where permit_id = ${id}`.execute(db)
      const answer = await act(who, id, { action, ...permitInputs[action](who) })
      const after = await stateOf(id)
      const where = `${who}: ${answer.message}`
      if (permitHands[action].includes(who) && (permitMoves[action].from as readonly string[]).includes(state)) {
        expect(answer.status, where).toBe(0)
        expect(after?.version, where).toBe(4)
      } else {
        expect(answer.status, where).not.toBe(0)
        expect([after?.state, after?.version], where).toEqual([state, 3])
      }
    }
  })
})

const hazard = (more: object = {}) => ({
  name: '卸料平台',
  hazardSource: ['01', '03'],
  part: '12层东侧',
  corpCode,
  likelihood: 3,
  exposure: 6,
  consequence: 15,
  riskLevel: '2',
  controlLevel: '2',
  measures: ['限载标牌，专人检查'],
  responsible: '冯建业',
  checkEvery: 3,
  startDate: '2026-11-01',
  ...more,
})
const newHazard = (body: object) =>
  as.site.call(createHazard, { query: { projectCode }, body: { id: newId(), action: 'submit', ...body } } as never)
const tryHazard = (body: object) =>
  as.site.ask(createHazard, { query: { projectCode }, body: { id: newId(), action: 'submit', ...body } } as never)
async function actOn(who: Who, id: string, body: object) {
  const { rows } = await sql<{ version: number }>`select version from hazard_source where id = ${id}`.execute(world.database.kysely)
  return as[who].ask(changeHazard, { params: { id }, query: { projectCode: '*' }, body: { version: rows[0]?.version, ...body } } as never)
}
const readHazard = (who: Who, id: string) => as[who].call(getHazard, { params: { id }, query: { projectCode: '*' } })

test('a hazard is never lowered without a reason, and an over-scale work is at least level 2', async () => {
  const lowered = await tryHazard(hazard({ riskLevel: '3' }))
  expect(JSON.stringify(lowered.data)).toContain('levelReason')
  const { id } = await newHazard(hazard({ riskLevel: '1' }))
  expect((await actOn('site', id, { action: 'change', ...hazard() })).message).toContain('须说明理由')
  expect((await actOn('site', id, { action: 'change', ...hazard({ levelReason: '平台已拆除一半' }) })).status).toBe(0)
  const { timeline } = await readHazard('site', id)
  expect(timeline.at(-1)?.opinion).toBe('风险等级 1 → 2：平台已拆除一半')
})

test('patrols are due in turn; a late one says by how many days, a problem needs a photograph', async () => {
  const { id } = await newHazard(hazard())
  await actOn('site', id, { action: 'control', note: '标牌已挂', photos: [files.site] })
  expect((await readHazard('site', id)).nextCheck).toBe('2026-11-23')
  await sql`update hazard_source set next_check = '2026-11-18' where id = ${id}`.execute(world.database.kysely)
  const query = { projectCode, size: 1000 }
  const { counts } = await as.site.call(listHazards, { query })
  expect(
    (await as.site.call(listHazards, { query: { ...query, overdue: true } })).list.map((one) => [one.id, one.overdueDays]),
  ).toContainEqual([id, 2])
  expect(counts.overdue).toBeGreaterThan(0)
  const { list: due } = await as.site.call(listHazards, { query: { ...query, tab: 'todo' } })
  expect(due.some((one) => one.id === id)).toBe(true)
  expect(JSON.stringify((await actOn('site', id, { action: 'patrol', result: '2', note: '限载牌缺失' })).data)).toContain('photos')
  expect((await actOn('site', id, { action: 'patrol', result: '2', note: '限载牌缺失', photos: [files.site] })).status).toBe(0)
  const file = await readHazard('supervisor', id)
  expect([file.patrols[0]?.lateDays, file.nextCheck, file.overdueDays]).toEqual([2, '2026-11-23', 0])
})

test('the map has the live hazards of a site; other sites ask in vain', async () => {
  const { id } = await newHazard(hazard())
  const { hazards } = await as.site.call(hazardMap, { query: { projectCode } })
  expect(hazards.some((one) => one.id === id)).toBe(true)
  expect((await as.stranger.ask(hazardMap, { query: { projectCode } })).status).not.toBe(0)
  expect((await as.subcontractor.ask(getHazard, { params: { id }, query: { projectCode: '*' } })).status).not.toBe(0)
})

const hazardHands: Record<HazardAction, readonly Who[]> = {
  save: ['site'],
  submit: ['site'],
  change: ['site'],
  control: ['site', 'company'],
  patrol: ['site', 'company'],
  lift: ['site'],
}
const hazardInputs: Record<HazardAction, (who: Who) => object> = {
  save: () => hazard(),
  submit: () => hazard(),
  change: () => hazard(),
  control: (who) => ({ note: '已落实', photos: [files[who]] }),
  patrol: () => ({ result: '1' }),
  lift: () => ({ opinion: '已经拆除' }),
}
describe.each(Object.keys(hazardHands) as HazardAction[])('hazard %s', (action) => {
  test.each(['0', '1', '2', '3'])('in state %s', async (state) => {
    const db = world.database.kysely
    for (const who of everybody) {
      const { id } = await newHazard({ ...hazard(), action: 'save' })
      await sql`update hazard_source set state = ${state}, shown_at = ${state === '0' ? null : new Date()}, version = 3 where id = ${id}`.execute(
        db,
      )
      const answer = await actOn(who, id, { action, ...hazardInputs[action](who) })
      const after = await sql<{ state: string; version: number }>`select state, version from hazard_source where id = ${id}`.execute(db)
      const where = `${who}: ${answer.message}`
      if (hazardHands[action].includes(who) && (hazardMoves[action].from as readonly string[]).includes(state)) {
        expect(answer.status, where).toBe(0)
        expect(after.rows[0]?.version, where).toBe(4)
      } else {
        expect(answer.status, where).not.toBe(0)
        expect(after.rows[0], where).toEqual({ state, version: 3 })
      }
    }
  })
})

test('only a draft is thrown away, by its author', async () => {
  const { id } = await newHazard({ ...hazard(), action: 'save' })
  const remove = (who: Who) => as[who].ask(removeHazard, { params: { id }, query: { projectCode: '*' } })
  for (const who of everybody.filter((one) => one !== 'site')) expect((await remove(who)).status, who).not.toBe(0)
  expect((await remove('site')).status).toBe(0)
})
