import {
  changeConstructionLog,
  createConstructionLog,
  getConstructionLog,
  listConstructionLogs,
  prefillConstructionLog,
} from '@zhugong/contract/daylogs/construction'
import { safetyMoves } from '@zhugong/contract/daylogs/moves'
import { changeOwnLog, createOwnLog, getOwnLog, listOwnLogs, prefillOwnLog } from '@zhugong/contract/daylogs/own-log'
import {
  changeSafetyLog,
  createSafetyLog,
  getSafetyLog,
  handleSafetyLogs,
  listSafetyLogs,
  prefillSafetyLog,
  removeSafetyLog,
  safetyLogMatrix,
} from '@zhugong/contract/daylogs/safety-log'
import { listTodos } from '@zhugong/contract/home/endpoints'
import { listScheduleTasks } from '@zhugong/contract/schedule/calls'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { newId } from '#kit/ids'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { storedFile } from '../../../test/givens.ts'
import type { Caller, World } from '../../../test/world.ts'

let world: World
let settled: CityWorld
let projectCode = ''
let other = ''
let unitId = ''
let taskId = ''
/** The sessions begin last, so that none has ended when a test looks back. */
let now = Date.parse('2026-11-22T19:00:00+08:00')
/** The site, its general contractor, 监理, the authority, a subcontractor, and another site. */
const cast = {
  site: 'hospital-pm',
  company: 'yunze-lu',
  supervisor: 'hospital-jl',
  authority: 'bj-wu',
  subcontractor: 'dingli-cheng',
  stranger: 'zhigu-pm',
} as const
type Who = keyof typeof cast
const everybody = Object.keys(cast) as Who[]
const as = {} as Record<Who, Caller>
let photo = ''

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world)
  const codeOf = (account: string) => settled.city.personas.find((p) => p.account === account)?.projectCode ?? ''
  projectCode = codeOf(cast.site)
  other = codeOf(cast.stranger)
  for (const [who, account] of Object.entries(cast) as [Who, string][]) as[who] = await settled.as(account)
  const db = world.database.kysely
  const group = await sql<{ id: string }>`select id from tenant where code = ${projectCode} and type = 3`.execute(db)
  photo = await storedFile(world, group.rows[0]?.id ?? '')
  unitId = newId()
  taskId = newId()
  await sql`insert into unit_project (id, project_code, seq, name) values (${unitId}, ${projectCode}, 950, '试验楼')`.execute(db)
  const schedule = newId()
  const builder = await sql<{ code: string }>`select contractor_corp_code as code from project where project_code = ${projectCode}`.execute(
    db,
  )
  const corp = builder.rows[0]?.code ?? ''
  await sql`insert into schedule (id, project_code, corp_code, shown_at, groups, create_by, create_time)
    values (${schedule}, ${projectCode}, ${corp}, now(), '{}', 'nobody', now())`.execute(db)
  await sql`insert into schedule_task (id, schedule_id, project_code, corp_code, shown_at, groups, unit_id, wbs, name, weight, plan_start, plan_end,
      actual_start, percent)
    values (${taskId}, ${schedule}, ${projectCode}, ${corp}, now(), '{}', ${unitId}, '1', '八层主体', 100, '2026-11-01', '2026-12-01', '2026-11-02', 40)`.execute(
    db,
  )
})
afterAll(() => world.close())

const all = { projectCode: '*' }
const at = (text: string) => {
  now = Date.parse(`${text}+08:00`)
}
const safety = (day: string, more: object = {}) => ({ day, weather: '1', parts: '八层梁板钢筋绑扎', safetyState: '临边防护完好', ...more })
const built = (day: string, more: object = {}) => ({ day, unitId, weather: '4', parts: '八层', qualityState: '合格', ...more })
const ask = (who: Who, body: object, code = projectCode) =>
  as[who].ask(createSafetyLog, { query: { projectCode: code }, body: { id: newId(), action: 'submit', ...body } } as never)
async function make(body: object): Promise<string> {
  const answer = await ask('site', body)
  if (answer.status !== 0) throw new Error(answer.message)
  return (answer.data as { id: string }).id
}
const read = (who: Who, id: string) => as[who].call(getSafetyLog, { params: { id }, query: all })
async function act(who: Who, id: string, body: object, call: unknown = changeSafetyLog) {
  const { rows } = await sql<{ version: number }>`select version from day_log where id = ${id}`.execute(world.database.kysely)
  return as[who].ask(call as typeof changeSafetyLog, { params: { id }, query: all, body: { version: rows[0]?.version, ...body } } as never)
}
const fieldOf = (answer: { data: unknown }) => JSON.stringify(answer.data)

test('a day is written once, late from 48 hours on with a reason, and never ahead', async () => {
  at('2026-11-20T17:30:00')
  await make(safety('2026-11-20'))
  const again = await ask('site', safety('2026-11-20'))
  expect([again.status !== 0, again.message]).toEqual([true, '当日已有安全日志，请打开后修改'])
  expect(fieldOf(await ask('site', safety('2026-11-21')))).toContain('day')
  const inTime = await make(safety('2026-11-18'))
  expect((await read('site', inTime)).late).toBe(false)
  expect(fieldOf(await ask('site', safety('2026-11-17')))).toContain('lateReason')
  const late = await make(safety('2026-11-17', { lateReason: '安全员外出培训' }))
  expect([(await read('site', late)).late, (await read('site', late)).lateReason]).toEqual([true, '安全员外出培训'])
})

test.each([
  ['weather', { weather: null }],
  ['parts', { parts: '' }],
  ['safetyState', { safetyState: '' }],
  ['tempLow', { tempHigh: 3, tempLow: 5 }],
  ['problems.0.rectifyId', { problems: [{ description: '临边缺失', rectifyId: 'nothing' }] }],
])('asks for %s, at its field; a draft may lack it', async (field, more) => {
  at('2026-11-16T18:00:00')
  const answer = await ask('site', safety('2026-11-16', more))
  expect(answer.status).not.toBe(0)
  expect(fieldOf(answer)).toContain(field)
})

test('what the day recorded comes from the records, and shows what became of them', async () => {
  at('2026-11-15T18:00:00')
  const db = world.database.kysely
  const device = await sql<{
    id: string
  }>`select id from device where project_code = ${projectCode} and family = 'towerCrane' order by id limit 1`.execute(db)
  const alarm = newId()
  await sql`insert into alarm (id, project_code, device_id, device_name, family, alarm_key, label, level, max_level, active, start_time, fire_time)
    values (${alarm}, ${projectCode}, ${device.rows[0]?.id}, '1# 塔机', 'towerCrane', 'overMoment', '力矩超限', 2, 2, false, '2026-11-15 10:00+08', '2026-11-15 10:00+08')`.execute(
    db,
  )
  const { facts } = await as.site.call(prefillSafetyLog, { query: { projectCode, day: '2026-11-15' } })
  expect(facts.find((one) => one.refId === alarm)).toMatchObject({ kind: 'alarm', text: '10:00 1# 塔机 力矩超限（二级）', state: '未处理' })
  const id = await make(
    safety('2026-11-15', {
      facts: [
        { kind: 'alarm', refId: alarm },
        { kind: 'alarm', refId: 'invented' },
      ],
    }),
  )
  await sql`update alarm set state = 'closed' where id = ${alarm}`.execute(db)
  const kept = (await read('supervisor', id)).facts
  expect(kept.map(({ refId, state, later }) => [refId, state, later])).toEqual([[alarm, '未处理', '已关闭']])
  // Another site's day is nobody's business.
  expect((await as.stranger.ask(prefillSafetyLog, { query: { projectCode, day: '2026-11-15' } })).status).not.toBe(0)
})

test('a head count a fifth off the attendance is shown with it', async () => {
  at('2026-11-14T18:00:00')
  const day = '2026-11-14'
  const { rows } = await sql<{ n: number }>`with people as (select worker_id, id, corp_code, team_id from project_worker
      where project_code = ${projectCode} and exit_time is null order by id limit 10)
    insert into attendance_day (project_code, worker_id, work_day, stay_id, corp_code, team_id, record_count, rules_version, setting_version)
    select ${projectCode}, worker_id, ${day}::date, id, corp_code, team_id, 2, '1', '1' from people returning 1 as n`.execute(
    world.database.kysely,
  )
  expect(rows).toHaveLength(10)
  const { workerCount, facts } = await as.site.call(prefillSafetyLog, { query: { projectCode, day } })
  const heads = facts.filter((one) => one.kind === 'gang').reduce((sum, one) => sum + (one.amount ?? 0), 0)
  expect([workerCount, heads]).toEqual([10, 10])
  const id = await make(safety(day, { workerCount: 13 }))
  expect((await read('site', id)).attendance).toEqual({ count: 10, differs: true })
})

test('a comment is answered by the site before the log is archived; then only comments are added', async () => {
  at('2026-11-13T18:00:00')
  const id = await make(safety('2026-11-13'))
  expect((await act('supervisor', id, { action: 'comment', content: '塔机限位未写' })).status).toBe(0)
  const waiting = await as.site.call(listTodos, { query: { group: '*', size: 1000 } })
  expect(waiting.list.some((one) => one.link.endsWith(id))).toBe(true)
  expect((await act('site', id, { action: 'archive' })).status).not.toBe(0)
  const { comments } = await read('site', id)
  const answer = { action: 'answer', commentId: comments[0]?.id, content: '已复核，限位正常' }
  expect((await act('supervisor', id, answer)).status).not.toBe(0)
  expect((await act('site', id, answer)).status).toBe(0)
  expect((await act('site', id, answer)).status).not.toBe(0)
  expect((await act('authority', id, { action: 'archive' })).status).toBe(0)
  const file = await read('site', id)
  expect([file.state, file.comments[0]?.answer]).toEqual(['2', '已复核，限位正常'])
  expect((await act('site', id, { action: 'edit', ...safety('2026-11-13') })).status).not.toBe(0)
  expect((await act('authority', id, { action: 'comment', content: '抽查时调阅' })).status).toBe(0)
})

test('a safety log is changed on its day; later it must be returned, and old and new stay', async () => {
  at('2026-11-12T18:00:00')
  const id = await make(safety('2026-11-12', { photos: [photo] }))
  expect((await act('site', id, { action: 'edit', ...safety('2026-11-12', { photos: [photo], parts: '九层' }) })).status).toBe(0)
  at('2026-11-13T08:00:00')
  expect((await act('site', id, { action: 'edit', ...safety('2026-11-12') })).message).toContain('当日可以修改')
  expect((await act('site', id, { action: 'return', opinion: '请写明临边防护' })).status).not.toBe(0)
  expect((await act('supervisor', id, { action: 'return', opinion: '请写明临边防护' })).status).toBe(0)
  const moved = await act('site', id, { action: 'submit', ...safety('2026-11-11') })
  expect(fieldOf(moved)).toContain('day')
  expect(
    (await act('site', id, { action: 'submit', ...safety('2026-11-12', { photos: [photo], parts: '九层', safetyState: '临边已补' }) }))
      .status,
  ).toBe(0)
  const { changes, state } = await read('authority', id)
  expect(state).toBe('1')
  expect(changes.map(({ field, before, after }) => [field, before, after])).toEqual([
    ['施工部位与内容', '八层梁板钢筋绑扎', '九层'],
    ['安全生产情况', '临边防护完好', '临边已补'],
  ])
})

test('a draft is known to its group; a log to whoever has a part in the whole site', async () => {
  at('2026-11-11T18:00:00')
  const id = newId()
  await as.site.call(createSafetyLog, { query: { projectCode }, body: { id, action: 'save', day: '2026-11-11' } } as never)
  const known = async (who: Who) => (await as[who].ask(getSafetyLog, { params: { id }, query: all })).status === 0
  for (const who of everybody) expect([who, await known(who)]).toEqual([who, who === 'site'])
  expect((await act('site', id, { action: 'submit', ...safety('2026-11-11') })).status).toBe(0)
  for (const who of everybody) expect([who, await known(who)]).toEqual([who, who !== 'subcontractor' && who !== 'stranger'])
  expect((await as.site.ask(removeSafetyLog, { params: { id }, query: all })).message).toContain('只能删除草稿')
  // Nobody but the site and who runs it writes its log.
  for (const who of ['supervisor', 'authority', 'subcontractor', 'stranger'] as const)
    expect([who, (await ask(who, safety('2026-11-10'))).status === 0]).toEqual([who, false])
})

test('the same request again makes nothing more', async () => {
  at('2026-11-10T18:00:00')
  const input = { query: { projectCode }, body: { id: newId(), action: 'submit', ...safety('2026-11-10') } } as never
  const first = await as.site.call(createSafetyLog, input)
  expect(await as.site.call(createSafetyLog, input)).toEqual(first)
})

describe('a month of sites', () => {
  test('stopped days and days before the works are not missing; the figures are those of the table', async () => {
    at('2026-11-20T17:30:00')
    const db = world.database.kysely
    await sql`update project set prj_status = '003', actual_start_date = '2026-11-06', actual_complete_date = null where project_code = ${other}`.execute(
      db,
    )
    await sql`delete from project_stop where project_code = ${other}`.execute(db)
    await sql`insert into project_stop (id, project_code, source, source_id, from_day, until_day)
      values (${newId()}, ${other}, 'former', ${newId()}, '2026-11-10', '2026-11-13')`.execute(db)
    const query = { projectCode: '*', view: 'matrix', month: '2026-11', size: 1000 } as const
    const row = (await as.stranger.call(safetyLogMatrix, { query })).list[0]
    expect(row?.marks).toBe('-----mmmmsssmmmmmmmt----------')
    expect([row?.missing, row?.stopped, row?.due]).toEqual([11, 3, 12])
    const table = await as.stranger.call(safetyLogMatrix, { query })
    expect([table.counts.due, table.counts.missing, table.counts.silent]).toEqual([1, 1, 1])
  })

  test('who owes a log is reminded once a day by a group, and nobody of a foreign site', async () => {
    at('2026-11-19T19:00:00')
    const call = (who: Who, projects: string[]) =>
      as[who].ask(handleSafetyLogs, { query: all, body: { action: 'remind', projects, day: '2026-11-19' } } as never)
    expect((await call('supervisor', [projectCode])).data).toEqual({ done: 1, skipped: 0 })
    expect((await call('supervisor', [projectCode])).data).toEqual({ done: 0, skipped: 1 })
    expect((await call('supervisor', [other])).status).not.toBe(0)
    expect((await call('site', [projectCode])).status).not.toBe(0)
  })

  test('a month is archived but for what waits for an answer', async () => {
    at('2026-11-20T20:00:00')
    const waits = await make(safety('2026-11-19'))
    await act('authority', waits, { action: 'comment', content: '补充塔机记录' })
    const answer = await as.authority.call(handleSafetyLogs, {
      query: { projectCode },
      body: { action: 'archiveMonth', month: '2026-11' },
    } as never)
    expect([answer.done > 0, answer.skipped]).toEqual([true, 1])
    const { list } = await as.site.call(listSafetyLogs, { query: { projectCode, month: '2026-11', state: '1', size: 100 } })
    expect(list.map((one) => one.id)).toEqual([waits])
  })
})

describe('construction', () => {
  test('a percent does not fall without a reason, and is proposed, not written', async () => {
    at('2026-11-20T18:00:00')
    const create = (body: object) =>
      as.site.ask(createConstructionLog, { query: { projectCode }, body: { id: newId(), action: 'submit', ...body } } as never)
    const { tasks, existing } = await as.site.call(prefillConstructionLog, { query: { projectCode, day: '2026-11-20', unitId } })
    expect([tasks.map((one) => [one.taskId, one.percent]), existing]).toEqual([[[taskId, 40]], null])
    const falling = await create(built('2026-11-20', { tasks: [{ taskId, percent: 30 }] }))
    expect(fieldOf(falling)).toContain('tasks.0.reason')
    expect(fieldOf(await create(built('2026-11-20', { unitId: 'nothing' })))).toContain('unitId')
    const pour = { part: '八层板', grade: 'C30', volume: 120, from: '08:00', until: '06:00' }
    expect(fieldOf(await create(built('2026-11-20', { pours: [pour] })))).toContain('until')
    const made = await create(
      built('2026-11-20', { tasks: [{ taskId, percent: 45 }], pours: [{ ...pour, until: '16:00' }], impact: 'weather', idleCount: 12 }),
    )
    expect(made.status).toBe(0)
    const { id } = made.data as { id: string }
    const file = await as.supervisor.call(getConstructionLog, { params: { id }, query: all })
    expect(file.tasks).toEqual([{ taskId, name: '八层主体', before: 40, percent: 45, now: 40, reason: null }])
    const planned = await as.site.call(listScheduleTasks, { query: { projectCode, view: 'tasks', size: 500 } })
    expect(planned.list.find((one) => one.id === taskId)).toMatchObject({ percent: 40, proposal: { percent: 45, day: '2026-11-20' } })
    const { counts, list } = await as.site.call(listConstructionLogs, {
      query: { projectCode, month: '2026-11', impact: 'weather', size: 10 },
    })
    expect([counts.affected, counts.idle, list.length]).toEqual([1, 12, 1])
    expect((await create(built('2026-11-20'))).message).toContain('该单体当日已有施工日志')
  })

  test('several write their own parts at once; nobody changes another’s; the old words stay', async () => {
    at('2026-11-19T18:00:00')
    const made = await as.site.call(createConstructionLog, {
      query: { projectCode },
      body: { id: newId(), action: 'submit', ...built('2026-11-19', { blocks: [{ part: '东段', content: '钢筋绑扎 60%' }] }) },
    } as never)
    const block = (who: Who, body: object) =>
      as[who].ask(changeConstructionLog, {
        params: { id: made.id },
        query: all,
        body: { action: 'block', version: 0, blockId: null, ...body },
      } as never)
    expect((await block('company', { part: '西段', content: '模板支设' })).status).toBe(0)
    const { blocks } = await as.site.call(getConstructionLog, { params: { id: made.id }, query: all })
    expect(blocks.map((one) => [one.part, one.own])).toEqual([
      ['东段', true],
      ['西段', false],
    ])
    expect((await block('site', { blockId: blocks[1]?.id, part: '西段', content: '改写' })).status).not.toBe(0)
    expect((await block('company', { blockId: blocks[1]?.id, part: '西段', content: '模板支设完成' })).status).toBe(0)
    for (const who of ['supervisor', 'authority', 'subcontractor', 'stranger'] as const)
      expect([who, (await block(who, { part: '中段', content: '无' })).status === 0]).toEqual([who, false])
    const { changes } = await as.authority.call(getConstructionLog, { params: { id: made.id }, query: all })
    expect(changes.map((one) => [one.before, one.after])).toEqual([
      ['', '西段　模板支设'],
      ['西段　模板支设', '西段　模板支设完成'],
    ])
    at('2026-11-22T18:00:00')
    const edit = await act('site', made.id, { action: 'edit', ...built('2026-11-19') }, changeConstructionLog)
    expect(edit.message).toContain('48 小时内可以修改')
  })
})

test('the log of an institution is its own: written by one, read by its people, by nobody else', async () => {
  at('2026-11-20T18:00:00')
  const body = { id: newId(), action: 'submit', ...safety('2026-11-20', { projects: [projectCode] }) }
  expect(fieldOf(await as.supervisor.ask(createOwnLog, { query: all, body: { ...body, projects: [] } } as never))).toContain('projects')
  expect(
    (await as.supervisor.ask(createOwnLog, { query: all, body: { ...body, id: newId(), projects: [other] } } as never)).status,
  ).not.toBe(0)
  const { id } = await as.supervisor.call(createOwnLog, { query: all, body } as never)
  for (const who of everybody) {
    const answer = await as[who].ask(getOwnLog, { params: { id }, query: all })
    expect([who, answer.status === 0]).toEqual([who, who === 'supervisor'])
  }
  const { list } = await as.supervisor.call(listOwnLogs, { query: { projectCode: '*', project: projectCode, size: 10 } })
  expect(list.map((one) => [one.id, one.visited.length])).toEqual([[id, 1]])
  expect((await act('supervisor', id, { action: 'comment', content: '写得好' }, changeOwnLog)).status).not.toBe(0)
  const { existing } = await as.supervisor.call(prefillOwnLog, { query: { projectCode: '*', day: '2026-11-20' } })
  expect(existing?.id).toBe(id)
})

/** Whose turn an action is, by the practice of the trade; everybody else is refused whatever the state. */
type Action = keyof typeof safetyMoves
const hands: Record<Action, readonly Who[]> = {
  save: ['site', 'company'],
  submit: ['site', 'company'],
  edit: ['site', 'company'],
  comment: ['company', 'supervisor', 'authority'],
  answer: ['site', 'company'],
  archive: everybody.filter((one) => one !== 'subcontractor' && one !== 'stranger'),
  return: ['company', 'supervisor', 'authority'],
}

describe.each(Object.keys(hands) as Action[])('%s', (action) => {
  test.each(['0', '1', '2', '3'])('in state %s', async (state) => {
    at('2026-11-05T18:00:00')
    const db = world.database.kysely
    for (const who of everybody) {
      const id = newId()
      const comment = newId()
      const group = await sql<{ id: string; name: string }>`select id, name from tenant where code = ${projectCode} and type = 3`.execute(
        db,
      )
      const author = group.rows[0]
      await sql`delete from day_log where project_code = ${projectCode} and day = '2026-11-05'`.execute(db)
      await sql`insert into day_log (id, kind, project_code, shown_at, groups, author_group, author_group_name, day, weather, parts, safety_state, recorder,
          submitted_at, state, version, create_by, create_time)
        values (${id}, 'safetyPLog', ${projectCode}, now(), '{}', ${author?.id}, ${author?.name}, '2026-11-05', '1', '八层', '完好', '样例', now(), ${state}, 3, 'nobody', now())`.execute(
        db,
      )
      if (action === 'answer')
        await sql`insert into day_log_comment (id, log_id, project_code, shown_at, groups, content, by_id, by_name, group_name, at)
          values (${comment}, ${id}, ${projectCode}, now(), '{}', '请补充', 'nobody', '样例', '样例机构', now())`.execute(db)
      const inputs: Record<Action, object> = {
        save: safety('2026-11-05'),
        submit: safety('2026-11-05'),
        edit: safety('2026-11-05'),
        comment: { content: '请补充照片' },
        answer: { commentId: comment, content: '已补充' },
        archive: {},
        return: { opinion: '请写明部位与人数' },
      }
      const answer = await act(who, id, { action, ...inputs[action] })
      const after = await sql<{ version: number }>`select version from day_log where id = ${id}`.execute(db)
      const allowed = hands[action].includes(who) && (safetyMoves[action].from as readonly string[]).includes(state)
      expect([who, answer.status === 0, after.rows[0]?.version], `${who}: ${answer.message}`).toEqual([who, allowed, allowed ? 4 : 3])
    }
  })
})
