import { type PatrolAction, securityMoves } from '@zhugong/contract/checks/patrol-moves'
import { signSecurityCheck } from '@zhugong/contract/checks/seats'
import {
  changeSecurityCheck,
  createSecurityCheck,
  frequentProblems,
  getSecurityCheck,
  listSecurityChecks,
  removeSecurityCheck,
  securityHints,
} from '@zhugong/contract/checks/security-check'
import { changeRectify, getRectify, listRectify } from '@zhugong/contract/rectify/calls'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { newId } from '#kit/ids'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { storedFile, strokes } from '../../../test/givens.ts'
import type { Caller, World } from '../../../test/world.ts'

let world: World
let settled: CityWorld
let projectCode = ''
let contractor = ''
let subcontractor = ''
/** The site's safety officer, its manager, its company, its supervisor, its authority, a subcontractor, and another site. */
const cast = {
  safety: 'hospital-safety',
  manager: 'hospital-pm',
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

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  projectCode = settled.city.personas.find((p) => p.account === cast.safety)?.projectCode ?? ''
  for (const [who, account] of Object.entries(cast) as [Who, string][]) {
    as[who] = await settled.as(account)
    const group = await groupOf(account)
    files[who] = await storedFile(world, group.id)
    if (who === 'company') contractor = group.code
    if (who === 'subcontractor') subcontractor = group.code
  }
})
afterAll(() => world.close())

async function groupOf(account: string): Promise<{ id: string; code: string }> {
  const { rows } = await sql<{ id: string; code: string }>`select t.id, t.code from app_user u join member m on m.user_id = u.id
    join tenant t on t.id = m.group_id where u.account = ${account} order by m.is_default desc limit 1`.execute(world.database.kysely)
  return rows[0] ?? { id: '', code: '' }
}

const later = (days: number) => new Date(Date.now() + 8 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10)
const problem = (who: Who, more: object = {}) => ({
  description: '三层临边防护栏杆缺失',
  part: '三层东侧',
  itemCode: '060004',
  dangerLevel: '1',
  requirement: '补齐防护栏杆',
  corpCode: contractor,
  person: '周大勇',
  deadline: later(3),
  photos: [files[who]],
  ...more,
})
const fields = (problems: object[] = []) => ({ part: '三层', problems })
async function create(who: Who, action: PatrolAction, problems: object[] = [problem(who)]) {
  const body = { id: newId(), action, ...fields(problems) }
  return as[who].call(createSecurityCheck, { query: { projectCode }, body } as never)
}
const ask = (who: Who, body: object) =>
  as[who].ask(createSecurityCheck, { query: { projectCode }, body: { id: newId(), action: 'submit', ...body } } as never)
const read = (who: Who, id: string) => as[who].call(getSecurityCheck, { params: { id }, query: { projectCode: '*' } })
const requestOf = (who: Who, id: string) => as[who].ask(getSecurityCheck, { params: { id }, query: { projectCode: '*' } })
const listed = async (who: Who, more: object = {}) =>
  (await as[who].call(listSecurityChecks, { query: { projectCode: '*', size: 1000, ...more } })).list.map((row) => row.id)

describe('a round', () => {
  test('makes one notice for each company and deadline, closes what was mended, and follows its notices', async () => {
    const { id, code, state } = await create('safety', 'submit', [
      problem('safety'),
      problem('safety', { description: '楼梯踏步临边未设栏杆' }),
      problem('safety', { description: '配电箱箱门未上锁', deadline: later(1) }),
      problem('safety', { description: '脚手板有探头板', corpCode: subcontractor }),
      problem('safety', { description: '灭火器被材料遮挡', mended: '已移开材料', mendedPhotos: [files.safety] }),
    ])
    expect(code).toMatch(/-XJ-\d{4}-\d{3}$/)
    expect(state).toBe('1')
    const file = await read('manager', id)
    expect(file.notices.map((one) => [one.problemCount, one.state]).sort()).toEqual([
      [1, '1'],
      [1, '1'],
      [1, '7'],
      [2, '1'],
    ])
    expect([file.problemCount, file.passedCount, file.dangerLevel, file.inspectType]).toEqual([5, 1, '1', '12'])
    expect(file.problems.find((one) => one.mended)?.notice).toMatchObject({ state: '7', passed: true })
    for (const notice of file.notices) {
      const { source, version, state: own, lines } = await as.manager.call(getRectify, { params: { id: notice.id } })
      expect(source).toEqual({ title: '安全检查', page: `/securityCheck/securityCheckdetail?id=${id}`, handling: null })
      // The photographs of the check are those of its notice: no contradiction.
      expect(lines.flatMap((one) => one.photoNotes).filter(Boolean)).toEqual([])
      if (own === '1') expect((await as.manager.ask(changeRectify, { body: { id: notice.id, version, action: 'sign' } })).status).toBe(0)
    }
    expect((await read('safety', id)).state).toBe('2')
    const { total } = await as.safety.call(listRectify, { query: { projectCode: '*', sourceKind: 'securityCheck', sourceId: id } })
    expect(total).toBe(4)
  })

  test('without problems is closed at once, and proves the checking', async () => {
    const { id, code, state } = await create('supervisor', 'submit', [])
    expect(state).toBe('7')
    expect(code).not.toBeNull()
    const file = await read('manager', id)
    expect([file.problemCount, file.notices, file.inspectType, file.timeline.map((one) => one.opinion)]).toEqual([
      0,
      [],
      '13',
      ['未发现问题'],
    ])
  })

  test('what was said of a problem is heard in the check and by whoever gets its notice; a photograph is no recording', async () => {
    const voice = await storedFile(world, (await groupOf(cast.safety)).id, 'audio/webm')
    const { id } = await create('safety', 'submit', [problem('safety', { corpCode: subcontractor, voices: [voice] })])
    const [written] = (await read('manager', id)).problems
    expect(written?.voices).toEqual([expect.stringContaining(`id=${voice}`)])
    const notice = written?.notice?.id ?? ''
    const { lines } = await as.subcontractor.call(getRectify, { params: { id: notice } })
    expect(lines.map((one) => one.voices)).toEqual([[expect.stringContaining(`id=${voice}`)]])
    const wrong = await ask('safety', fields([problem('safety', { voices: [files.safety] })]))
    expect([wrong.status, wrong.message]).toEqual([2, '这不是录音文件'])
    const many = await ask('safety', fields([problem('safety', { voices: [voice, voice, voice, voice] })]))
    expect(many.message).toContain('录音最多 3 段')
    const strange = await ask('manager', fields([problem('manager', { voices: [newId()] })]))
    expect(strange.message).toContain('附件不存在')
  })

  test('all mended on the spot is closed at once', async () => {
    const mended = problem('safety', { mended: '当场补齐', mendedPhotos: [files.safety] })
    expect((await create('safety', 'submit', [mended])).state).toBe('7')
  })

  test('the device names the id: the same request again creates nothing more', async () => {
    const body = { id: newId(), action: 'submit' as const, ...fields([problem('safety')]) }
    const first = await as.safety.call(createSecurityCheck, { query: { projectCode }, body } as never)
    const again = await as.safety.call(createSecurityCheck, { query: { projectCode }, body } as never)
    expect(again).toEqual(first)
    expect((await read('safety', first.id)).notices).toHaveLength(1)
    // Nobody takes over an id by naming it.
    const other = await as.company.ask(createSecurityCheck, {
      query: { projectCode },
      body: { ...body, problems: [problem('company')] },
    } as never)
    expect(other.message).toContain('已被使用')
  })

  test('a draft whose answer was lost takes what the device says next, also that it is submitted', async () => {
    const id = newId()
    const send = (action: PatrolAction, problems: object[]) =>
      as.safety.call(createSecurityCheck, { query: { projectCode }, body: { id, action, ...fields(problems) } } as never)
    await send('save', [problem('safety')])
    const { state } = await send('submit', [problem('safety'), problem('safety', { description: '配电箱箱门未上锁' })])
    expect(state).toBe('1')
    expect((await read('safety', id)).problems).toHaveLength(2)
  })

  test('numbers of a site have no gaps: a draft draws none', async () => {
    const number = async (made: Promise<{ code: string | null }>) => Number(/(\d+)$/.exec((await made).code ?? '')?.[1])
    const before = await number(create('safety', 'submit', []))
    await create('safety', 'save', [])
    expect(await number(create('safety', 'submit', []))).toBe(before + 1)
  })

  test('two who submit one draft at once: the loser learns it, and there is one set of notices', async () => {
    const { id, version } = await create('safety', 'save')
    const submit = () =>
      as.safety.ask(changeSecurityCheck, {
        params: { id },
        query: { projectCode: '*' },
        body: { action: 'submit', version, ...fields([problem('safety')]) },
      } as never)
    const answers = await Promise.all([submit(), submit()])
    expect(answers.map((one) => one.status).filter((status) => status === 0)).toHaveLength(1)
    expect(answers.find((one) => one.status !== 0)?.message).toContain('安全检查已由')
    expect((await read('safety', id)).notices).toHaveLength(1)
  })

  test('a major hazard is told at once to the site, the contractor, 监理 and the authority', async () => {
    const major = problem('safety', { dangerLevel: '2', majorClause: '判定标准第九条', deadline: later(10) })
    const { id } = await create('safety', 'submit', [major])
    const { rows } = await sql<{
      account: string
      n: number
    }>`select u.account, count(*)::int as n from message m join app_user u on u.id = m.user_id
      where m.title = '发现重大事故隐患' and m.link like ${`%${id}`} group by 1 order by 1`.execute(world.database.kysely)
    const messages = new Map(rows.map((row) => [row.account, row.n]))
    for (const who of ['manager', 'company', 'supervisor', 'authority'] as const) expect([who, messages.get(cast[who])]).toEqual([who, 1])
    for (const who of ['subcontractor', 'stranger', 'safety'] as const) expect([who, messages.get(cast[who])]).toEqual([who, undefined])
  })
})

describe('signatures of a round', () => {
  const put = (who: Who, id: string, seat: string, more: object = {}) =>
    as[who].ask(signSecurityCheck, {
      params: { id },
      query: { projectCode: '*' },
      body: { action: 'sign', id: newId(), seat, image: strokes(), ...more },
    } as never)
  const read = (who: Who, id: string) => as[who].call(getSecurityCheck, { params: { id }, query: { projectCode: '*' } })
  const hold = async (who: Who, action: 'save' | 'submit' = 'submit') => {
    const id = newId()
    const body = { id, action, part: '三层东侧', checkers: ['郑成'], problems: [problem(who)] }
    await as[who].call(createSecurityCheck, { query: { projectCode }, body } as never)
    return id
  }

  test('are by the names of the round, one after another on one device, and by the site', async () => {
    const id = await hold('company')
    const { signatures } = await read('company', id)
    expect(signatures.map(({ seat, state }) => [seat, state])).toEqual([
      ['checker1', 'named'],
      ['site', 'waiting'],
    ])
    for (const who of ['manager', 'supervisor', 'subcontractor', 'stranger'] as const)
      expect((await put(who, id, 'checker1', { name: '郑成' })).status, who).not.toBe(0)
    expect((await put('company', id, 'checker1', { name: '别人' })).data).toMatchObject({ field: 'name' })
    expect((await put('company', id, 'checker1', { name: '郑成' })).status).toBe(0)
    for (const who of ['supervisor', 'subcontractor', 'stranger'] as const) expect((await put(who, id, 'site')).status, who).not.toBe(0)
    expect((await put('manager', id, 'site')).status).toBe(0)
    expect((await read('manager', id)).signatures.map(({ state }) => state)).toEqual(['signed', 'signed'])
  })

  test('wait for the round to be submitted', async () => {
    const id = await hold('company', 'save')
    expect((await put('company', id, 'checker1', { name: '郑成' })).message).toContain('不能签名')
  })
})

describe('messages stand at their fields', () => {
  const cases: readonly [string, (who: Who) => object, string, string][] = [
    ['a part', () => ({ part: '', problems: [] }), 'part', '请填写检查部位'],
    ['a photo', (who) => fields([problem(who, { photos: [] })]), 'problems.0.photos', '请附问题照片'],
    ['a deadline not past', (who) => fields([problem(who), problem(who, { deadline: later(-1) })]), 'problems.1.deadline', '不能早于今天'],
    ['a clause', (who) => fields([problem(who, { dangerLevel: '2' })]), 'problems.0.majorClause', '判定条款'],
    [
      'no mending of a major hazard',
      (who) => fields([problem(who, { dangerLevel: '2', majorClause: '第九条', mended: '已改' })]),
      'problems.0.mended',
      '不能当场销项',
    ],
    ['an after-photo', (who) => fields([problem(who, { mended: '已改' })]), 'problems.0.mendedPhotos', '改正后照片'],
    ['a company on the site', (who) => fields([problem(who, { corpCode: 'nobody' })]), 'problems.0.corpCode', '不在本项目场内'],
    ['a time not ahead', () => ({ ...fields(), checkTime: `${later(1)} 08:00:00` }), 'checkTime', '不能晚于现在'],
    ['own photos', (who) => fields([problem(who, { photos: ['another'] })]), 'problems.0.photos', '重新上传'],
  ]
  test.each(cases)('asks for %s', async (_what, body, field, words) => {
    const answer = await ask('safety', body('safety'))
    expect(answer.status).not.toBe(0)
    expect(JSON.stringify([answer.message, answer.data])).toContain(words)
    expect(JSON.stringify(answer.data)).toContain(field)
  })
})

describe('who sees what', () => {
  test('a draft is known to the group that writes it alone, also to the database', async () => {
    const { id } = await create('supervisor', 'save', [problem('supervisor')])
    for (const who of everybody) {
      const known = who === 'supervisor'
      expect([who, (await listed(who)).includes(id)]).toEqual([who, known])
      expect([who, (await requestOf(who, id)).status === 0]).toEqual([who, known])
    }
    const { rows: groups } = await sql<{ id: string }>`select id from tenant where type = 3 and code = ${projectCode}`.execute(
      world.database.kysely,
    )
    const seen = await world.database.kysely.transaction().execute(async (tx) => {
      await sql`select set_config('role', 'zg_some', true), set_config('app.projects', ${projectCode}, true), set_config('app.limited', '', true),
        set_config('app.corps', '', true), set_config('app.group', ${groups[0]?.id ?? ''}, true), set_config('app.group_type', '3', true),
        set_config('app.governments', '', true), set_config('app.user', '', true)`.execute(tx)
      const { rows } = await sql<{ n: string }>`select (select count(*) from site_check where id = ${id})
        + (select count(*) from site_check_problem where check_id = ${id}) + (select count(*) from process_log where object_id = ${id}) as n`.execute(
        tx,
      )
      return Number(rows[0]?.n)
    })
    expect(seen).toBe(0)
  })

  test('a submitted round is known to everybody of the site and its authority; a subcontractor knows its own notice only', async () => {
    const { id } = await create('safety', 'submit', [
      problem('safety'),
      problem('safety', { corpCode: subcontractor, description: '脚手板有探头板' }),
    ])
    for (const who of ['safety', 'manager', 'company', 'supervisor', 'authority'] as const) {
      expect([who, (await listed(who)).includes(id)]).toEqual([who, true])
      expect((await read(who, id)).problems).toHaveLength(2)
    }
    for (const who of ['subcontractor', 'stranger'] as const) {
      expect([who, (await listed(who)).includes(id)]).toEqual([who, false])
      expect((await requestOf(who, id)).message).toContain('不存在')
    }
    const own = await as.subcontractor.call(listRectify, { query: { projectCode: '*', sourceId: id, size: 10 } })
    expect(own.list.map((one) => one.corpCode)).toEqual([subcontractor])
    expect((await as.stranger.call(listRectify, { query: { projectCode: '*', sourceId: id } })).total).toBe(0)
  })

  test('neither a subcontractor, nor an authority, nor another site holds a round here', async () => {
    for (const who of ['subcontractor', 'authority', 'stranger'] as const)
      expect([who, (await ask(who, fields([]))).status === 0]).toEqual([who, false])
  })

  test('a notice cannot claim a round that its issuer does not see', async () => {
    const { id } = await create('supervisor', 'save', [problem('supervisor')])
    expect((await as.safety.call(listRectify, { query: { projectCode: '*', sourceId: id } })).total).toBe(0)
  })
})

/** Only the group that holds the check changes it, and only while it is a draft. */
const holders: readonly Who[] = ['safety', 'manager']

describe.each([...(Object.keys(securityMoves) as PatrolAction[]), 'remove' as const])('%s', (action) => {
  test.each(['0', '1', '2', '3', '4', '5', '6', '7'])('in state %s', async (state) => {
    for (const who of everybody) {
      const { id } = await create('safety', 'save', [problem('safety')])
      const db = world.database.kysely
      const shown = state === '0' ? null : new Date()
      await sql`update site_check set state = ${state}, shown_at = ${shown}, version = 3 where id = ${id}`.execute(db)
      await sql`update site_check_problem set shown_at = ${shown} where check_id = ${id}`.execute(db)
      const target = { params: { id }, query: { projectCode: '*' } }
      const answer =
        action === 'remove'
          ? await as[who].ask(removeSecurityCheck, target)
          : await as[who].ask(changeSecurityCheck, { ...target, body: { action, version: 3, ...fields([problem(who)]) } } as never)
      const after = await sql<{ state: string; version: number }>`select state, version from site_check where id = ${id}`.execute(db)
      const where = `${who}: ${answer.message}`
      if (holders.includes(who) && state === '0') {
        expect(answer.status, where).toBe(0)
        expect(after.rows[0]?.state, where).toBe({ save: '0', submit: '1', remove: undefined }[action])
      } else {
        expect(answer.status, where).not.toBe(0)
        expect(after.rows[0], where).toEqual({ state, version: 3 })
      }
    }
  })
})

test('figures of the strip are those of the lists behind them, and filters find what they say', async () => {
  await create('safety', 'submit', [problem('safety', { description: '罕见的问题描述', part: '九层北侧', person: '冯小刚' })])
  const query = { projectCode, size: 1000 }
  const { counts } = await as.safety.call(listSecurityChecks, { query })
  const total = async (more: object) => (await as.safety.call(listSecurityChecks, { query: { ...query, ...more } })).total
  expect(counts.open).toBe(await total({ tab: 'open' }))
  expect(counts.today).toBe(await total({ today: true }))
  expect(counts.overdue).toBe(await total({ overdue: true }))
  expect(counts.todo).toBe(await total({ tab: 'todo' }))
  expect(await total({ problem: '罕见的' })).toBe(1)
  expect(await total({ person: '冯小刚' })).toBe(1)
  expect(await total({ deadline: `${later(4)},` })).toBe(await total({ deadline: `${later(4)},`, tab: 'open' }))
})

test('what was written before is offered again, with what is open at a part, and what comes again is counted', async () => {
  const words = { description: '吊篮安全锁失效', part: '南立面吊篮', itemCode: '0308' }
  for (let i = 0; i < 3; i++) await create('safety', 'submit', [problem('safety', words)])
  const hints = await as.safety.call(securityHints, { query: { projectCode } })
  expect(hints.phrases.map((one) => one.description)).toContain(words.description)
  expect(hints.parts).toContain(words.part)
  expect(hints.open.filter((one) => one.part === words.part)).toHaveLength(3)
  const byItem = await as.safety.call(frequentProblems, { query: { projectCode, group: 'item' } })
  expect(byItem.list.find((one) => one.key === words.itemCode)).toMatchObject({
    count: 3,
    checkCount: 3,
    openCount: 3,
    name: '高处作业吊篮',
  })
  const byPart = await as.safety.call(frequentProblems, { query: { projectCode, group: 'part' } })
  expect(byPart.list.find((one) => one.key === words.part)).toMatchObject({ count: 3, description: words.description })
  for (const who of ['stranger', 'subcontractor'] as const)
    expect((await as[who].ask(securityHints, { query: { projectCode } })).status, who).not.toBe(0)
})
