import { listTodos } from '@zhugong/contract/home/endpoints'
import {
  changeRectify,
  changeRectifySetting,
  createRectify,
  getRectify,
  getRectifySetting,
  listRectify,
} from '@zhugong/contract/rectify/calls'
import { type RectifyAction, rectifyMoves } from '@zhugong/contract/rectify/moves'
import {
  changeProjectRectify,
  createProjectRectify,
  getAbarbeitung,
  getProjectRectify,
  listAbarbeitung,
  listProjectRectify,
} from '@zhugong/contract/rectify/process'
import { listReplies } from '@zhugong/contract/rectify/replies'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createLog } from '#kit/log'
import { createSecrets } from '#kit/secret'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { type Site, siteOf, storedFile, strokes } from '../../../test/givens.ts'
import { printed as printedBy } from '../../../test/printed.ts'
import { type Caller, testSecretKey, type World } from '../../../test/world.ts'
import { climbLadders } from '../process/public.ts'
import { deemReceived, rectifyLadder } from './public.ts'

let world: World
let settled: CityWorld
let site: Site
let projectCode = ''
let contractor = ''
/** The site, its district, its supervisor, its general contractor, a subcontractor, and another site. */
const cast = {
  site: 'hospital-pm',
  authority: 'bj-zhao',
  /** The head of the authority's section. */
  head: 'bj-qian',
  contractor: 'yunze-lu',
  subcontractor: 'dingli-cheng',
  stranger: 'zhigu-pm',
} as const
type Who = keyof typeof cast | 'supervisor'
const as = {} as Record<Who, Caller>
const files = {} as Record<Who, string>
const names = {} as Record<Who, string>

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  projectCode = settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  site = await siteOf(world, projectCode)
  const supervisor = settled.city.personas.find((p) => p.account.endsWith('-jl'))?.account ?? ''
  for (const [who, account] of Object.entries({ ...cast, supervisor }) as [Who, string][]) {
    as[who] = await settled.as(account)
    const { rows } = await sql<{
      id: string
      code: string
      name: string
    }>`select t.id, t.code, u.name from app_user u join member m on m.user_id = u.id
      join tenant t on t.id = m.group_id where u.account = ${account} limit 1`.execute(world.database.kysely)
    files[who] = await storedFile(world, rows[0]?.id ?? '')
    names[who] = rows[0]?.name ?? ''
    if (who === 'head')
      await sql`insert into member_role (member_id, role_id) select m.id, r.id from member m join app_user u on u.id = m.user_id and u.account = ${account},
        role r where r.groups_type = 1 and r.name = '科室负责人' and m.group_id = ${rows[0]?.id} on conflict do nothing`.execute(
        world.database.kysely,
      )
    if (who === 'contractor') contractor = rows[0]?.code ?? ''
  }
})
afterAll(() => world.close())

const today = () => new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)
const later = (days: number) => new Date(Date.now() + 8 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10)
const notice = (who: Who, more: object = {}) => ({
  projectCode,
  action: 'issue' as const,
  corpCode: contractor,
  sourceType: '01',
  noticeType: '2',
  category: '01',
  level: '1',
  checkDate: today(),
  deadline: later(7),
  responsiblePerson: '周大勇',
  lines: [
    { description: '三层临边防护缺失', part: '三层东侧', requirement: '补齐防护栏杆', photos: [files[who]] },
    { description: '配电箱未上锁', part: '一层', requirement: '上锁并挂牌', photos: [files[who]] },
  ],
  ...more,
})
const issue = async (who: Who, more: object = {}) => (await as[who].call(createRectify, { body: notice(who, more) })).id
const read = (who: Who, id: string) => as[who].call(getRectify, { params: { id } })
const answersOf = async (id: string, who: Who) =>
  (await read('site', id)).lines
    .filter((line) => line.state === 'open')
    .map((line) => ({ id: line.id, measure: '已按要求整改到位', photos: [files[who]], doneDate: today() }))
/** Takes an action with valid input; answers the envelope. */
async function act(who: Who, id: string, action: RectifyAction, more: object = {}) {
  const { version } = await read('site', id)
  return as[who].ask(changeRectify, { body: { id, version, action, ...more } } as never)
}
const lineIds = async (id: string) => (await read('site', id)).lines.map((line) => line.id)

describe('a notice of the authority', () => {
  test('goes from issuing to closing, one hand after another, and only the failed problem comes back', async () => {
    const id = await issue('authority')
    const issued = await read('authority', id)
    expect(issued.code).toMatch(/安整〔\d{4}〕第\d{4}号$/)
    expect(issued.state).toBe('1')
    expect((await act('site', id, 'sign')).status).toBe(0)
    expect((await act('site', id, 'reply', { lines: await answersOf(id, 'site'), opinion: '已整改' })).status).toBe(0)
    expect((await read('site', id)).state).toBe('4')
    const [first = ''] = await lineIds(id)
    expect((await act('supervisor', id, 'jlReturn', { lines: [{ id: first, opinion: '栏杆高度不足' }] })).status).toBe(0)
    const returned = await read('site', id)
    expect([returned.state, returned.returns]).toEqual(['6', 1])
    expect(returned.lines.map((line) => line.state)).toEqual(['open', 'answered'])
    expect((await act('site', id, 'reply', { lines: await answersOf(id, 'site'), opinion: '已加高' })).status).toBe(0)
    expect((await act('supervisor', id, 'jlPass', { opinion: '属实' })).status).toBe(0)
    expect((await act('authority', id, 'recheckPass', { opinion: '合格', second: null })).message).toContain('两名')
    expect((await act('authority', id, 'recheckPass', { opinion: '合格', second: '钱进' })).status).toBe(0)
    const closed = await read('authority', id)
    expect([closed.state, closed.passedCount, closed.actions]).toEqual(['7', 2, []])
    expect(closed.timeline.map((one) => one.action)).toEqual(['issue', 'sign', 'reply', 'jlReturn', 'reply', 'jlPass', 'recheckPass'])
  })

  test('is unknown to everybody on the site until it is issued', async () => {
    const id = await issue('authority', { action: 'save' })
    for (const who of ['site', 'contractor', 'supervisor', 'subcontractor', 'stranger'] as const) {
      expect((await as[who].ask(getRectify, { params: { id } })).message, who).toContain('不存在')
      const { list } = await as[who].call(listRectify, { query: { projectCode: '*', size: 1000 } })
      expect(list.map((row) => row.id)).not.toContain(id)
    }
    // The database itself hides it, with its problems and history, from the roles of requests.
    const { rows: groups } = await sql<{ id: string }>`select id from tenant where type = 3 and code = ${projectCode}`.execute(
      world.database.kysely,
    )
    const seen = await world.database.kysely.transaction().execute(async (tx) => {
      await sql`select set_config('role', 'zg_some', true), set_config('app.projects', ${projectCode}, true), set_config('app.limited', '', true),
        set_config('app.corps', '', true), set_config('app.group', ${groups[0]?.id ?? ''}, true), set_config('app.group_type', '3', true),
        set_config('app.governments', '', true), set_config('app.user', '', true)`.execute(tx)
      const { rows } = await sql<{
        n: number
      }>`select (select count(*) from rectify where id = ${id}) + (select count(*) from rectify_line where rectify_id = ${id})
        + (select count(*) from process_log where object_id = ${id}) + (select count(*) from process_todo where object_id = ${id}) as n`.execute(
        tx,
      )
      return rows[0]?.n
    })
    expect(Number(seen)).toBe(0)
    expect((await read('authority', id)).code).toBeNull()
  })

  test('numbers have no gaps: a draft draws none', async () => {
    const number = async (id: string) => Number(/第(\d+)号/.exec((await read('authority', id)).code ?? '')?.[1])
    const before = await number(await issue('authority'))
    await issue('authority', { action: 'save' })
    expect(await number(await issue('authority'))).toBe(before + 1)
  })
})

test('a repeated creation with the id of the device creates nothing more', async () => {
  const id = '0123456789abcdef0123456789abcdef'
  const first = await as.site.call(createRectify, { body: notice('site', { id }) })
  const again = await as.site.call(createRectify, { body: notice('site', { id }) })
  expect(again).toEqual(first)
})

test('the loser of a race learns who acted and when', async () => {
  const id = await issue('authority')
  expect((await as.site.ask(changeRectify, { body: { id, version: 1, action: 'sign' } })).status).toBe(0)
  const late = await as.contractor.ask(changeRectify, { body: { id, version: 1, action: 'sign' } })
  expect(late.message).toMatch(/整改单已由.+于 \d\d-\d\d \d\d:\d\d 签收/)
})

test('a reply needs a measure and a photo for every open problem, and says which', async () => {
  const id = await issue('authority')
  await act('site', id, 'sign')
  const [one, two] = await answersOf(id, 'site')
  const missing = await act('site', id, 'reply', { lines: [one], opinion: '' })
  expect(missing.message).toContain('第 2 个问题')
  const bare = await act('site', id, 'reply', { lines: [one, { ...two, photos: [] }], opinion: '' })
  expect(bare.data).toMatchObject({ field: 'lines.1.photos' })
  expect((await act('site', id, 'saveReply', { lines: [one] })).status).toBe(0)
  expect((await read('site', id)).lines[0]?.answers[0]?.draft).toBe(true)
  // What is not sent is not seen by the other side.
  expect((await read('authority', id)).lines[0]?.answers).toEqual([])
})

describe('photographs as evidence', () => {
  const photo = async (who: Who, values: object): Promise<string> => {
    const { rows } = await sql<{ groupId: string }>`select group_id from stored_file where id = ${files[who]}`.execute(
      world.database.kysely,
    )
    const id = await storedFile(world, rows[0]?.groupId ?? '')
    await world.database.kysely
      .updateTable('storedFile')
      .set({ mime: 'image/jpeg', ...values })
      .where('id', '=', id)
      .execute()
    return id
  }
  const answer = async (id: string, photos: string[]) => (await answersOf(id, 'site')).map((one, i) => (i === 0 ? { ...one, photos } : one))
  const notesOf = async (id: string, who: Who = 'authority') => (await read(who, id)).lines[0]?.answers.at(-1)?.photoNotes

  test('one older than the check, far from the site or of another record says so, to the author before he sends it', async () => {
    const { rows } = await sql<{ lng: number; lat: number }>`select lng, lat from project where project_code = ${projectCode}`.execute(
      world.database.kysely,
    )
    const at = rows[0] ?? { lng: 0, lat: 0 }
    await world.database.kysely
      .updateTable('project')
      .set({ areaRule: JSON.stringify({ type: '1', center: at, radius: 300 }) } as never)
      .where('projectCode', '=', projectCode)
      .execute()
    const id = await issue('authority')
    await act('site', id, 'sign')
    const old = await photo('site', { takenAt: new Date(Date.now() - 9 * 86_400_000), takenFrom: 'exif' })
    const far = await photo('site', { lng: at.lng + 0.02, lat: at.lat })
    const here = await photo('site', { lng: at.lng, lat: at.lat, takenAt: new Date() })
    await act('site', id, 'saveReply', { lines: await answer(id, [old, far, here]) })
    const notes = await notesOf(id, 'site')
    expect(notes?.[0]).toMatch(/^拍摄于 .+，早于检查$/)
    expect(notes?.[1]).toMatch(/^拍摄位置在围栏外 1\.\d 公里$/)
    expect(notes?.[2]).toBeNull()
    // He takes the old one out: its note is gone with it, and it counts as used nowhere.
    await act('site', id, 'reply', { lines: await answer(id, [far, here]), opinion: '' })
    expect(await notesOf(id)).toHaveLength(2)
    const other = await issue('authority')
    await act('site', other, 'sign')
    await act('site', other, 'reply', { lines: await answer(other, [here, old]), opinion: '' })
    const [again, fresh] = (await notesOf(other)) ?? []
    expect(again).toMatch(/该照片已在本项目的整改回复使用/)
    expect(fresh).not.toContain('使用')
  })

  test('the photograph of the problem does not pass for that of its mending; the same one for two problems of a round does', async () => {
    const shot = await photo('site', {})
    const own = await photo('authority', { sha256: shot })
    const id = await issue('authority', {
      lines: [
        { description: '三层临边防护缺失', part: '三层东侧', requirement: '补齐防护栏杆', photos: [own] },
        { description: '四层临边防护缺失', part: '四层东侧', requirement: '补齐防护栏杆', photos: [files.authority] },
      ],
    })
    await act('site', id, 'sign')
    const both = await photo('site', {})
    const lines = (await answersOf(id, 'site')).map((one) => ({ ...one, photos: [both, shot] }))
    expect((await act('site', id, 'reply', { lines, opinion: '' })).status).toBe(0)
    const { lines: read2 } = await read('authority', id)
    for (const line of read2) {
      expect(line.answers[0]?.photoNotes[0]).toBeNull()
      expect(line.answers[0]?.photoNotes[1]).toContain('该照片已在本项目的整改单使用')
    }
  })
})

test('an extension is asked for twice at most, and decided by the issuer', async () => {
  const id = await issue('authority')
  for (const days of [10, 12]) {
    expect((await act('site', id, 'applyExtend', { until: later(days), reason: '预埋件未到货' })).status).toBe(0)
    expect((await act('site', id, 'applyExtend', { until: later(days + 1), reason: '预埋件未到货' })).message).toContain('已有一次')
    expect((await act('head', id, 'decideExtend', { agree: true, opinion: '' })).status).toBe(0)
    expect((await read('site', id)).deadline).toBe(later(days))
  }
  expect((await act('site', id, 'applyExtend', { until: later(20), reason: '预埋件未到货' })).message).toContain('至多 2 次')
})

test('a problem is given to another person; one who has left the site is marked', async () => {
  const { rows } = await sql<{ name: string }>`select worker_name as name from project_worker w where project_code = ${projectCode}
    and corp_code = ${contractor} and exit_time is not null and not exists (select from project_worker v where v.project_code = w.project_code
      and v.corp_code = w.corp_code and v.worker_name = w.worker_name and v.exit_time is null) order by id limit 1`.execute(
    world.database.kysely,
  )
  const gone = rows[0]?.name ?? ''
  expect(gone).not.toBe('')
  const id = await issue('authority')
  const [one = '', two = ''] = await lineIds(id)
  await act('site', id, 'sign')
  expect((await act('site', id, 'assign', { lines: [{ id: one, person: gone }] })).status).toBe(0)
  expect((await read('site', id)).lines.map((line) => [line.person, line.personLeft])[0]).toEqual([gone, true])
  expect((await act('contractor', id, 'assign', { lines: [{ id: one, person: '李强' }] })).status).toBe(0)
  const after = await read('site', id)
  expect([after.state, after.lines[0]?.person, after.lines[0]?.personLeft]).toEqual(['2', '李强', false])
  expect(after.timeline.map(({ label, opinion }) => `${label} ${opinion}`)).toContain('转派 问题 1 由李强整改')
  const other = await issue('authority')
  expect((await act('site', id, 'assign', { lines: [{ id: (await lineIds(other))[0], person: '李强' }] })).data).toMatchObject({
    field: 'lines',
  })
  await act('site', id, 'reply', { lines: await answersOf(id, 'site'), opinion: '' })
  await act('supervisor', id, 'jlReturn', { lines: [{ id: one, opinion: '栏杆高度不足' }] })
  expect((await act('site', id, 'assign', { lines: [{ id: two, person: '李强' }] })).message).toContain('不在待整改之列')
})

describe('a problem passed on to a subcontractor', () => {
  const passOn = async (above: string, more: object = {}) => {
    const file = await read('site', above)
    const [line] = file.lines
    const { rows } = await sql<{ code: string }>`select t.code from app_user u join member m on m.user_id = u.id
      join tenant t on t.id = m.group_id where u.account = ${cast.subcontractor} limit 1`.execute(world.database.kysely)
    return as.site.ask(createRectify, {
      body: {
        ...notice('site', {
          corpCode: rows[0]?.code,
          sourceKind: 'rectify',
          sourceId: above,
          lines: [{ description: line?.description, part: line?.part, requirement: line?.requirement, photos: line?.photos }],
        }),
        ...more,
      } as never,
    })
  }

  test('is an order of its own; its answer is taken over above, and the notice above stays unknown below', async () => {
    const id = await issue('authority', {
      lines: [{ description: '三层临边防护缺失', part: '三层东侧', requirement: '补齐防护栏杆', photos: [files.authority] }],
    })
    await act('site', id, 'sign')
    expect((await passOn(id, { deadline: later(8) })).data).toMatchObject({ field: 'deadline' })
    const made = await passOn(id)
    expect(made.status, made.message).toBe(0)
    const below = made.data?.id ?? ''
    expect((await read('site', id)).passedOn).toMatchObject([{ id: below, state: '1' }])
    // The photograph of the officer is shown to the subcontractor, the officer's notice is not.
    const seen = await read('subcontractor', below)
    expect(seen.lines[0]?.photos).toHaveLength(1)
    expect((await as.subcontractor.ask(getRectify, { params: { id } })).message).toContain('不存在')
    await act('subcontractor', below, 'sign')
    await act('subcontractor', below, 'reply', {
      lines: [{ id: seen.lines[0]?.id, measure: '栏杆已由分包补齐', photos: [files.subcontractor], doneDate: today() }],
      opinion: '',
    })
    const line = (await read('site', id)).lines[0]
    expect(line?.fromBelow).toMatchObject({ measure: '栏杆已由分包补齐' })
    // The authority is told nothing of who below answered.
    expect((await read('authority', id)).lines[0]?.fromBelow).toBeNull()
    const taken = { id: line?.id, measure: '栏杆已由分包补齐', photos: line?.fromBelow?.photos, doneDate: today() }
    expect((await act('site', id, 'reply', { lines: [taken], opinion: '' })).status).toBe(0)
  })

  test('takes nothing over from a notice that is closed, of another site, or not seen', async () => {
    const id = await issue('authority')
    await act('head', id, 'revoke', { reason: '下发有误，撤销' })
    expect((await passOn(id)).data).toMatchObject({ field: 'sourceId' })
    const foreign = await as.stranger.ask(createRectify, {
      body: {
        ...notice('stranger'),
        projectCode: settled.city.personas.find((p) => p.account === 'zhigu-pm')?.projectCode ?? '',
        sourceKind: 'rectify',
        sourceId: await issue('authority'),
      } as never,
    })
    expect(foreign.status).not.toBe(0)
  })
})

describe('where the site lets 监理 close ordinary hazards', () => {
  const setting = async () => as.site.call(getRectifySetting, { query: { projectCode } })
  const change = async (who: Who, supervisorCloses: boolean) =>
    as[who].ask(changeRectifySetting, { body: { projectCode, supervisorCloses, version: (await setting()).version } })
  const passed = async (who: Who, more: object = {}) => {
    const id = await issue(who, more)
    await act('site', id, 'sign')
    await act('site', id, 'reply', { lines: await answersOf(id, 'site'), opinion: '' })
    expect((await act('supervisor', id, 'jlPass', { opinion: '属实' })).status).toBe(0)
    return read('site', id)
  }

  test('its review closes them; major hazards and orders of authorities go on to their issuer', async () => {
    expect((await passed('contractor')).state).toBe('5')
    for (const who of ['supervisor', 'subcontractor', 'authority'] as const) expect((await change(who, true)).status, who).not.toBe(0)
    expect((await change('site', true)).status).toBe(0)
    expect(await setting()).toMatchObject({ supervisorCloses: true, version: 1 })
    const closed = await passed('contractor')
    expect([closed.state, closed.passedCount, closed.closeTime === null]).toEqual(['7', closed.problemCount, false])
    expect((await passed('contractor', { level: '2', majorClause: '第三条' })).state).toBe('5')
    expect((await passed('authority')).state).toBe('5')
    const late = await as.site.ask(changeRectifySetting, { body: { projectCode, supervisorCloses: false, version: 0 } })
    expect(late.message).toContain('整改设置')
    expect((await change('site', false)).status).toBe(0)
    expect((await passed('contractor')).state).toBe('5')
  })
})

/** Whose turn an action is, by the practice of the trade; everybody else is refused whatever the state. */
const hands: Record<RectifyAction, readonly Who[]> = {
  save: ['authority', 'head'],
  issue: ['authority', 'head'],
  sign: ['site', 'contractor'],
  serve: ['authority', 'head'],
  refuse: ['authority', 'head'],
  start: ['site', 'contractor'],
  saveReply: ['site', 'contractor'],
  reply: ['site', 'contractor'],
  assign: ['site', 'contractor'],
  proxyReply: ['authority', 'head'],
  jlPass: ['supervisor'],
  jlReturn: ['supervisor'],
  recheckPass: ['authority', 'head'],
  recheckFail: ['authority', 'head'],
  applyExtend: ['site', 'contractor'],
  decideExtend: ['head'],
  revoke: ['head'],
  urge: ['authority', 'head'],
}

/** Every state x action x caller: whoever may, changes the state as the table says; all others change nothing. */
describe.each(Object.keys(rectifyMoves) as RectifyAction[])('%s', (action) => {
  test.each(['0', '1', '2', '3', '4', '5', '6', '7', '8'])('in state %s', async (state) => {
    for (const who of ['authority', 'head', 'site', 'contractor', 'supervisor', 'subcontractor', 'stranger'] as const) {
      const id = await inState(state, action === 'decideExtend')
      const { rows } = await sql<{ version: number }>`select version from rectify where id = ${id}`.execute(world.database.kysely)
      const body = { id, version: rows[0]?.version ?? 0, action, ...(await inputOf(action, id, who)) }
      const answer = await as[who].ask(changeRectify, { body } as never)
      const after = await sql<{ state: string; version: number }>`select state, version from rectify where id = ${id}`.execute(
        world.database.kysely,
      )
      const move = rectifyMoves[action]
      const allowed = hands[action].includes(who) && (move.from as readonly string[]).includes(state)
      const where = `${who}: ${answer.message}`
      if (allowed) {
        expect(answer.status, where).toBe(0)
        expect(move.to === null ? [state] : [move.to].flat(), where).toContain(after.rows[0]?.state)
      } else {
        expect(answer.status, where).not.toBe(0)
        expect(after.rows[0], where).toEqual({ state, version: body.version })
      }
    }
  })
})

/** A fresh notice of the authority in a state, written directly. */
async function inState(state: string, extensionAsked: boolean): Promise<string> {
  const id = await issue('authority', { action: 'save' })
  const shown = state === '0' ? null : new Date()
  const db = world.database.kysely
  await sql`update rectify set state = ${state}, shown_at = ${shown}, version = 3 where id = ${id}`.execute(db)
  const line = state === '4' || state === '5' ? 'answered' : state === '7' ? 'passed' : 'open'
  await sql`update rectify_line set state = ${line}, shown_at = ${shown} where rectify_id = ${id}`.execute(db)
  if (extensionAsked)
    await sql`insert into rectify_extension (id, rectify_id, project_code, corp_code, shown_at, groups, until_day, reason, by_name, at)
      select md5(id), id, project_code, corp_code, now(), groups, ${later(9)}::date, '材料未到', '样例', now() from rectify where id = ${id}`.execute(
      db,
    )
  return id
}

/** What an officer writes down from paper. */
const paperReply = (who: Who, lines: readonly { id: string }[], more: object = {}) => ({
  opinion: '已按要求整改',
  reason: '项目没有账号，送来纸质报告',
  scans: [files[who]],
  lines: lines.map((line) => ({ id: line.id, measure: '已按要求整改到位', photos: [files[who]], doneDate: today() })),
  ...more,
})

async function inputOf(action: RectifyAction, id: string, who: Who): Promise<object> {
  const { rows } = await sql<{
    id: string
    state: string
  }>`select id, state from rectify_line where rectify_id = ${id} order by seq`.execute(world.database.kysely)
  const verdicts = [{ id: rows[0]?.id ?? '', opinion: '不合格' }]
  const { projectCode: _site, action: _action, ...fields } = notice(who)
  switch (action) {
    case 'save':
    case 'issue':
      return fields
    case 'saveReply':
    case 'reply':
      return {
        opinion: '',
        lines: rows.map((line) => ({ id: line.id, measure: '已按要求整改到位', photos: [files[who]], doneDate: today() })),
      }
    case 'proxyReply':
      return paperReply(who, rows)
    case 'assign':
      return { lines: rows.filter((one) => one.state === 'open').map((one) => ({ id: one.id, person: '李强' })) }
    case 'jlPass':
      return { opinion: '属实' }
    case 'jlReturn':
      return { lines: verdicts }
    case 'recheckPass':
      return { opinion: '合格', second: '钱进' }
    case 'recheckFail':
      return { lines: verdicts, second: '钱进' }
    case 'applyExtend':
      return { until: later(20), reason: '预埋件未到货' }
    case 'decideExtend':
      return { agree: true, opinion: '' }
    case 'serve':
      return { name: '周大勇', signature: strokes() }
    case 'refuse':
      return { name: '周大勇', reason: '对问题有异议', witness: witnessBeside(who) }
    case 'revoke':
      return { reason: '下发有误，撤销' }
    default:
      return {}
  }
}

/** An officer of the authority other than the caller. */
const witnessBeside = (who: Who) => names[who === 'head' ? 'authority' : 'head'] ?? ''

test('figures of the strip are those of the lists behind them', async () => {
  const query = { projectCode, size: 1000 }
  const { counts } = await as.site.call(listRectify, { query })
  const total = async (more: object) => (await as.site.call(listRectify, { query: { ...query, ...more } })).total
  expect(counts.running).toBe(await total({ tab: 'running' }))
  expect(counts.mine).toBe(await total({ tab: 'mine' }))
  expect(counts.overdue).toBe(await total({ overdue: true }))
  expect(counts.unsigned).toBe(await total({ state: '1' }))
  expect(site.projectCode).toBe(projectCode)
})

describe('with time', () => {
  const deps = (daysLater: number) => ({
    db: world.database.kysely,
    clock: { now: () => Date.now() + daysLater * 86_400_000 },
    secrets: createSecrets(testSecretKey),
    log: createLog('test', 'warn'),
  })
  const steps = async (id: string) => (await read('site', id)).timeline.map(({ label, opinion }) => [label, opinion])

  test('a notice that nobody signs for is taken as received after 24 hours', async () => {
    const id = await issue('authority')
    await deemReceived(deps(0.9))
    expect((await read('site', id)).state).toBe('1')
    await deemReceived(deps(1.1))
    const row = await read('site', id)
    expect([row.state, row.deemed]).toEqual(['2', true])
    expect(await steps(id)).toContainEqual(['视同送达', '24 小时未签收'])
    // Signing comes too late then, but the answer does not.
    expect((await act('site', id, 'sign')).status).not.toBe(0)
  })

  test('an overdue notice climbs its ladder once a step, and a granted extension starts it again', async () => {
    const id = await issue('authority', { deadline: later(1) })
    await act('site', id, 'sign')
    await climbLadders(deps(0.2), [rectifyLadder])
    expect((await steps(id)).filter(([label]) => label === '逾期提醒')).toEqual([])
    await act('site', id, 'applyExtend', { until: later(5), reason: '预埋件未到货' })
    for (const days of [2.5, 2.6, 4.5, 8.5, 20]) await climbLadders(deps(days), [rectifyLadder])
    expect((await steps(id)).filter(([label]) => label === '逾期提醒')).toEqual([
      ['逾期提醒', '逾期 1 天'],
      ['逾期提醒', '逾期 3 天，已告知负责人'],
      ['逾期提醒', '逾期 7 天，建议提出不良行为认定'],
    ])
    const { rows } = await sql<{
      title: string
    }>`select distinct title from message where link like ${`%${id}`} and kind = 'rectify' order by 1`.execute(world.database.kysely)
    expect(rows.map((row) => row.title)).toEqual(['收到整改通知，请签收', '整改逾期 1 天', '整改逾期 3 天', '整改逾期 7 天'])
    await act('head', id, 'decideExtend', { agree: true, opinion: '' })
    await climbLadders(deps(6.5), [rectifyLadder])
    expect((await steps(id)).filter(([label]) => label === '逾期提醒').length).toBe(4)
  })
})

test('what waits for somebody is on his desk, and on nobody else’s', async () => {
  const id = await issue('authority', { deadline: today() })
  const desks = async () => {
    const found: Who[] = []
    for (const who of ['authority', 'site', 'contractor', 'supervisor', 'subcontractor', 'stranger'] as const) {
      const { list } = await as[who].call(listTodos, { query: { group: '*', kind: 'rectify', size: 1000 } })
      if (list.some(({ link }) => link.endsWith(id))) found.push(who)
    }
    return found
  }
  expect(await desks()).toEqual(['site', 'contractor'])
  await act('site', id, 'sign')
  await act('site', id, 'reply', { lines: await answersOf(id, 'site'), opinion: '' })
  expect(await desks()).toEqual(['supervisor'])
  await act('supervisor', id, 'jlPass', { opinion: '' })
  expect(await desks()).toEqual(['authority'])
  await act('authority', id, 'recheckPass', { opinion: '', second: '钱进' })
  expect(await desks()).toEqual([])
})

describe('a reply on paper, written down by an officer', () => {
  test('is marked for ever, and neither rechecked nor seconded by whoever wrote it down', async () => {
    const id = await issue('authority')
    await act('site', id, 'sign')
    const lines = (await read('site', id)).lines
    expect((await act('authority', id, 'proxyReply', paperReply('authority', lines, { scans: [] }))).data).toMatchObject({ field: 'scans' })
    expect((await act('authority', id, 'proxyReply', paperReply('authority', lines, { reason: '无' }))).data).toMatchObject({
      field: 'reason',
    })
    expect((await act('authority', id, 'proxyReply', paperReply('authority', lines))).status).toBe(0)
    const replied = await read('site', id)
    expect([replied.state, replied.proxied, replied.rounds[0]?.onBehalf, replied.rounds[0]?.reason]).toEqual([
      '4',
      true,
      true,
      '项目没有账号，送来纸质报告',
    ])
    await act('supervisor', id, 'jlPass', { opinion: '属实' })
    const { rows } = await sql<{ name: string }>`select name from app_user where account = ${cast.authority}`.execute(world.database.kysely)
    const typist = rows[0]?.name ?? ''
    const failed = [{ id: lines[0]?.id ?? '', opinion: '不合格' }]
    // Every verdict that there is.
    for (const [action, body] of Object.entries({
      recheckPass: { opinion: '', second: '钱进' },
      recheckFail: { lines: failed, second: '钱进' },
    }) as [RectifyAction, object][]) {
      expect((await read('authority', id)).actions.map((one) => one.action)).not.toContain(action)
      expect((await act('authority', id, action, body)).message).toContain('不能复核、复查自己的回复')
      expect((await act('head', id, action, { ...body, second: typist })).data).toMatchObject({ field: 'second' })
    }
    expect((await act('head', id, 'recheckPass', { opinion: '', second: '钱进' })).status).toBe(0)
    const closed = await read('site', id)
    expect([closed.state, closed.proxied, closed.rounds[0]?.second]).toEqual(['7', true, '钱进'])
    expect(closed.timeline.map((one) => one.label)).toContain('代录回复')
  })

  test('goes straight to the recheck with the sheet that 监理 has signed', async () => {
    const id = await issue('authority')
    await act('site', id, 'sign')
    const lines = (await read('site', id)).lines
    await act('authority', id, 'proxyReply', paperReply('authority', lines, { reviewSheet: [files.authority] }))
    const { state, rounds } = await read('site', id)
    expect([state, rounds[0]?.reviewPassed, rounds[0]?.reviewBy]).toEqual(['5', true, '纸质签认'])
  })
})

describe('rounds of reply', () => {
  const replies = async (who: Who, more: object = {}) =>
    as[who].call(listReplies, { query: { view: 'reply', projectCode, size: 1000, ...more } })

  test('are rows of their own, each with its verdicts, oldest first', async () => {
    const id = await issue('authority')
    await act('site', id, 'sign')
    await act('site', id, 'reply', { lines: await answersOf(id, 'site'), opinion: '' })
    const mine = async (more: object = {}) => (await replies('authority', more)).list.filter((row) => row.id === id)
    expect((await mine())[0]).toMatchObject({ round: 1, state: 'review', lines: 2, jlResult: 'none', waitDays: 0, mustVisit: false })
    const [first = ''] = await lineIds(id)
    await act('supervisor', id, 'jlReturn', { lines: [{ id: first, opinion: '栏杆高度不足' }] })
    await act('site', id, 'reply', { lines: await answersOf(id, 'site'), opinion: '' })
    await act('supervisor', id, 'jlPass', { opinion: '' })
    expect((await mine({ sort: 'round' })).map((row) => [row.round, row.state, row.jlResult, row.lines])).toEqual([
      [1, 'returned', 'returned', 2],
      [2, 'recheck', 'passed', 1],
    ])
    expect((await mine({ forMe: true })).map((row) => row.round)).toEqual([2])
    await act('authority', id, 'recheckPass', { opinion: '', second: '钱进' })
    expect((await mine({ tab: 'passed' }))[0]).toMatchObject({ round: 2, waitDays: null })
    expect((await mine({ doneToday: true })).length).toBe(1)
    const waiting = (await replies('authority', { tab: 'recheck' })).list.map((row) => row.waitDays ?? 0)
    expect(waiting).toEqual([...waiting].sort((a, b) => b - a))
  })

  test('figures and tabs are those of the lists behind them', async () => {
    for (const who of ['authority', 'site', 'supervisor'] as const) {
      const { counts } = await replies(who)
      const total = async (more: object) => (await replies(who, more)).total
      for (const tab of ['recheck', 'review', 'passed', 'returned'] as const)
        expect(counts[tab], `${who} ${tab}`).toBe(await total({ tab }))
      expect(counts.forMe).toBe(await total({ forMe: true }))
      expect(counts.toVisit).toBe(await total({ tab: 'recheck', mustVisit: true }))
      expect(counts.doneToday).toBe(await total({ doneToday: true }))
    }
    expect((await replies('stranger', { projectCode: '*' })).list.filter((row) => row.projectCode === projectCode)).toEqual([])
    const { list } = await as.subcontractor.call(listReplies, { query: { view: 'reply', size: 1000 } })
    expect(list.filter((row) => row.corpCode === contractor)).toEqual([])
  })

  test('a tab of the other view is refused', async () => {
    const answer = await as.authority.ask(listReplies, { query: { view: 'reply', tab: 'running' } } as never)
    expect(answer.data).toMatchObject({ field: 'tab' })
  })
})

test('a major hazard is closed on the site only, and the third failure tells the head', async () => {
  const id = await issue('authority', { level: '2', majorClause: '第七条' })
  await act('site', id, 'sign')
  for (let failures = 1; failures <= 3; failures++) {
    await act('site', id, 'reply', { lines: await answersOf(id, 'site'), opinion: '' })
    await act('supervisor', id, 'jlPass', { opinion: '' })
    const [first = ''] = await lineIds(id)
    expect((await act('authority', id, 'recheckFail', { lines: [{ id: first, opinion: '未到位' }], second: '钱进' })).status).toBe(0)
    const { rows } = await sql`select from message where title = '整改第 3 次复查不合格' and link like ${`%${id}`}`.execute(
      world.database.kysely,
    )
    expect(rows.length > 0).toBe(failures === 3)
  }
  await act('site', id, 'reply', { lines: await answersOf(id, 'site'), opinion: '' })
  await act('supervisor', id, 'jlPass', { opinion: '' })
  expect((await act('authority', id, 'recheckPass', { opinion: '', second: '钱进' })).data).toMatchObject({ field: 'onSite' })
  expect((await act('authority', id, 'recheckPass', { opinion: '', second: '钱进', onSite: true })).status).toBe(0)
})

test('as process types the notices are the same rows, each under its origin', async () => {
  const query = { projectCode }
  const { projectCode: _site, ...content } = notice('authority')
  const made = await as.authority.call(createProjectRectify, { query, body: content })
  const ofSite = await issue('site')
  const own = await as.site.ask(createProjectRectify, { query, body: { ...content, lines: notice('site').lines } })
  expect(own.message).toContain('监管机构')
  const ids = async (list: typeof listProjectRectify) =>
    (await as.site.call(list, { query: { ...query, size: 1000 } })).list.map((row) => row.id)
  expect([(await ids(listProjectRectify)).includes(made.id), (await ids(listProjectRectify)).includes(ofSite)]).toEqual([true, false])
  expect([(await ids(listAbarbeitung)).includes(made.id), (await ids(listAbarbeitung)).includes(ofSite)]).toEqual([false, true])
  const anywhere = { projectCode: '*' }
  expect((await as.site.call(getProjectRectify, { params: { id: made.id }, query: anywhere })).code).toBe(made.code)
  expect((await as.site.ask(getAbarbeitung, { params: { id: made.id }, query: anywhere })).message).toContain('不存在')
  const sign = (id: string) => as.site.ask(changeProjectRectify, { params: { id }, query: anywhere, body: { version: 1, action: 'sign' } })
  expect((await sign(made.id)).status).toBe(0)
  expect((await sign(ofSite)).status).not.toBe(0)
})

describe('on paper', () => {
  const printed = (who: Who, feature: string, query: object) => printedBy(world, as[who], feature, query)

  test('the notice says what the record says, and ends with the stub of its receipt', async () => {
    const draft = await issue('authority', { action: 'save' })
    expect(await printed('authority', 'rectifyNotice', { id: draft })).toContain('草稿不能打印')
    for (const [more, title] of [
      [{}, '安全隐患限期整改通知书'],
      [{ noticeType: '3' }, '安全隐患停工整改通知书'],
      [{ category: '02' }, '建筑工程质量整改通知书'],
    ] as const) {
      const id = await issue('authority', more)
      await act('site', id, 'sign')
      const row = await read('authority', id)
      const text = await printed('authority', 'rectifyNotice', { id })
      for (const wanted of [
        title,
        row.code,
        row.projectName,
        row.corpName,
        row.deadline,
        row.checkDate,
        row.responsiblePerson,
        row.issuerGroupName,
        row.receiveTime,
        '送达回证',
        ...row.lines.flatMap((line) => [line.description, line.part, line.requirement]),
      ])
        expect(text, String(wanted)).toContain(wanted)
      expect(text).toContain(`发现 ${row.problemCount} 个问题`)
    }
    const id = await issue('authority')
    expect(await printed('stranger', 'rectifyNotice', { id })).toContain('不存在')
    expect(await printed('subcontractor', 'rectifyNotice', { id })).toContain('不存在')
    expect(await printed('site', 'rectifyReport', { id })).toContain('还没有回复')
  })

  test('the report has every answer of its round, and who judged it', async () => {
    const id = await issue('authority')
    await act('site', id, 'sign')
    await act('authority', id, 'proxyReply', paperReply('authority', (await read('site', id)).lines))
    await act('supervisor', id, 'jlPass', { opinion: '属实' })
    await act('head', id, 'recheckPass', { opinion: '到位', second: '钱进' })
    const { code, lines, rounds } = await read('site', id)
    const text = await printed('site', 'rectifyReport', { id })
    for (const wanted of [
      '安全隐患整改报告',
      code,
      rounds[0]?.byName,
      rounds[0]?.reason,
      rounds[0]?.reviewBy,
      rounds[0]?.recheckBy,
      '钱进',
      '代录',
      ...lines.flatMap((line) => [line.description, line.answers[0]?.measure, line.answers[0]?.doneDate]),
    ])
      expect(text, String(wanted)).toContain(wanted)
  })
})
