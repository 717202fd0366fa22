import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { changeActivity, createActivity, getActivity } from '@zhugong/contract/experts/activities'
import { changeDraw, drawCandidates, freezeDraw, getDraw, listDraws, verifyDraw } from '@zhugong/contract/experts/draws'
import { changeExpert, listExperts } from '@zhugong/contract/experts/library'
import type { DrawAction } from '@zhugong/contract/experts/moves'
import { listTodos } from '@zhugong/contract/home/endpoints'
import { dayMs } from '@zhugong/contract/kit/time'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { formatDay } from '#kit/clock'
import { createLog } from '#kit/log'
import { createSecrets } from '#kit/secret'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { type Caller, testSecretKey, type World } from '../../../test/world.ts'
import { anywhere, enlist, type Library, openLibrary } from './givens-for-test.ts'
import { passSilent, showNames } from './public.ts'

let world: World
let settled: CityWorld
let library: Library
let projectCode = ''
let listed: { id: string; phone: string; name: string }[] = []
const cast = {
  clerk: 'city-xu',
  head: 'city-fang',
  district: 'bj-wu',
  other: 'yd-wang',
  site: 'hospital-pm',
  officer: 'hospital-officer',
  contractor: 'yunze-lu',
  subcontractor: 'dingli-cheng',
  supervisor: 'hospital-jl',
  owner: 'weijian-xia',
  stranger: 'zhigu-pm',
} as const
type Who = keyof typeof cast
const as = {} as Record<Who, Caller>
const db = () => world.database.kysely
/** Now on the clock of the jobs; requests use the real one. */
let now = Date.now()
const deps = () => ({
  db: db(),
  clock: { now: () => now },
  secrets: createSecrets(testSecretKey),
  log: createLog('test-jobs', 'warn'),
})
const inDays = (days: number) => formatDay(Date.now() + days * dayMs)

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  projectCode = settled.city.personas.find((p) => p.account === cast.site)?.projectCode ?? ''
  for (const who of Object.keys(cast) as Who[]) as[who] = await settled.as(cast[who])
  library = await openLibrary(world, as.clerk, as.head)
  listed = await enlist(world, library, 12)
})
afterAll(() => world.close())

let meetings = 0
/** Each draw is for a meeting of its own. */
const request = (more: object = {}) => ({
  purpose: '1',
  title: '深基坑方案论证',
  meetingDate: inDays(3 + Math.floor(meetings / 2)),
  half: meetings++ % 2 ? ('pm' as const) : ('am' as const),
  place: '市建设大厦 3 楼',
  quotas: [{ specialty: '01', seats: 2 }],
  ...more,
})
const freeze = async (who: Who, more: object = {}, about = projectCode) =>
  (await as[who].call(freezeDraw, { query: { projectCode: about }, body: request(more) })).id
const see = (who: Who, id: string) => as[who].call(getDraw, { params: { id }, query: anywhere })
async function act(who: Who, id: string, action: DrawAction, more: object = {}) {
  const { rows } = await sql<{ version: number }>`select version from expert_draw where id = ${id}`.execute(db())
  return as[who].ask(changeDraw, { params: { id }, query: anywhere, body: { action, version: rows[0]?.version ?? 0, ...more } } as never)
}
const witnesses = [
  { name: '王监督', digits: '42' },
  { name: '李代表', digits: '007' },
]
const drawn = async (who: Who, more: object = {}) => {
  const id = await freeze(who, more)
  expect((await act(who, id, 'draw', { witnesses })).status).toBe(0)
  return id
}

describe('a draw', () => {
  test('is frozen, committed, witnessed and drawn, and an outsider repeats it from its file', async () => {
    const id = await freeze('head')
    const before = await see('head', id)
    expect([before.state, before.candidates, before.seats]).toEqual(['0', 12, []])
    expect(before.quotas).toEqual([{ specialty: '01', name: '岩土与基坑', seats: 2, candidates: 12 }])
    expect((await act('head', id, 'draw', { witnesses })).status).toBe(0)
    const after = await see('head', id)
    expect(after.seats?.map((one) => one.reply).filter((one) => one === 'invited')).toHaveLength(2)
    expect(after.seats).toHaveLength(12)
    const { file, agrees, chain } = await as.clerk.call(verifyDraw, { params: { id }, query: anywhere })
    expect([agrees, chain.sound]).toEqual([true, true])
    expect([file.listHash, file.commitment, file.digits]).toEqual([before.listHash, before.commitment, ['42', '007']])
    expect(file.result?.[0]?.seats).toEqual(after.seats?.slice(0, 2).map((one) => one.expertId))
    const path = join(world.config.dataDir, 'draw.json')
    writeFileSync(path, JSON.stringify(file))
    const script = join(import.meta.dirname, '../../../../../docs/draw/repeat.mjs')
    expect(execFileSync(process.execPath, [script, path]).toString()).toContain('list, seed and result agree')
    writeFileSync(path, JSON.stringify({ ...file, digits: ['42', '008'] }))
    expect(() => execFileSync(process.execPath, [script, path], { stdio: 'pipe' })).toThrow('result differs')
    expect((await act('head', id, 'draw', { witnesses })).message).toContain('不能抽取')
  })

  test('leaves the seed to the server: no organiser names one, and none is known before the draw', async () => {
    const seed = 'ab'.repeat(32)
    const id = await freeze('head', { seed })
    await act('head', id, 'draw', { witnesses, seed })
    const { file } = await as.head.call(verifyDraw, { params: { id }, query: anywhere })
    expect(file.seed).not.toBe(seed)
    const other = await freeze('head')
    const open = await as.head.call(verifyDraw, { params: { id: other }, query: anywhere })
    expect([open.file.seed, open.file.result, open.agrees]).toEqual([null, null, true])
    const { rows } = await sql<{ sealed: Buffer }>`select sealed_seed as sealed from draw_run where object_id = ${other}`.execute(db())
    expect(rows[0]?.sealed.toString('latin1')).not.toContain(file.seed)
    const second = await freeze('head')
    expect((await see('head', second)).commitment).not.toBe((await see('head', other)).commitment)
  })

  test('keeps the frozen list whatever becomes of its candidates, and the database refuses to change it', async () => {
    const id = await freeze('head', { quotas: [{ specialty: '01', seats: 12 }] })
    const one = listed[0]
    if (!one) throw new Error('nobody is listed')
    const turn = async (action: 'suspend' | 'resume') => {
      const { rows } = await sql<{ version: number }>`select version from expert where id = ${one.id}`.execute(db())
      await as.head.call(changeExpert, {
        params: { id: one.id },
        query: anywhere,
        body: { action, version: rows[0]?.version ?? 0, opinion: '核实情况' },
      } as never)
    }
    await turn('suspend')
    await act('head', id, 'draw', { witnesses })
    expect((await see('head', id)).seats?.map((seat) => seat.expertId)).toContain(one.id)
    await turn('resume')
    await act('head', id, 'cancel', { note: '改期' })
    for (const statement of [
      `update draw_run set list_text = '{}' where object_id = '${id}'`,
      `update draw_run set commitment = 'x' where object_id = '${id}'`,
      `update draw_result set digits = '{1}'`,
      `delete from draw_result`,
      `delete from draw_chain`,
    ])
      await expect(world.database.pool.query(statement), statement).rejects.toThrow('never changed')
  })

  test('is repeated under a number and a reason only, and the earlier one stays', async () => {
    const meeting = request()
    const ask = (more: object = {}) => as.head.ask(freezeDraw, { query: { projectCode }, body: { ...meeting, ...more } })
    const first = (await ask()).data.id
    expect((await ask()).message).toContain('请从该记录重抽')
    expect((await ask({ repeatOf: first, reason: '专业需要调整' })).message).toContain('请先取消')
    await act('head', first, 'cancel', { note: '专业需要调整' })
    expect((await ask()).message).toContain('请从该记录重抽')
    expect((await ask({ repeatOf: first })).data).toMatchObject({ field: 'reason' })
    const second = (await ask({ repeatOf: first, reason: '专业需要调整' })).data.id
    const seen = await see('head', second)
    expect([seen.run, seen.siblings.map((one) => one.id), seen.reason]).toEqual([2, [first], '专业需要调整'])
    expect((await as.head.call(listDraws, { query: { ...anywhere, size: 1000 } })).list.map((one) => one.id)).toContain(first)
  })

  test('recuses whoever works for a company of the project or its branch, and names the others by hand with a reason', async () => {
    const { rows } = await sql<{ corpName: string }>`select c.corp_name from project_corp u join corporation c using (corp_code)
      where u.project_code = ${projectCode} limit 1`.execute(db())
    const corpName = rows[0]?.corpName ?? ''
    const [near] = await enlist(world, library, 1, () => ({ name: '关联人', workUnit: `${corpName}第一分公司` }))
    const byHand = listed[3]
    const query = { projectCode, meetingDate: inDays(90), half: 'am' as const, specialties: '01' }
    const counted = await as.head.call(drawCandidates, { query })
    expect(counted.list[0]).toMatchObject({ candidates: 12, recused: 1 })
    expect(counted.recusals.map((one) => one.name)).toEqual(['关联人'])
    const id = await drawn('head', { exclusions: [{ expert: byHand?.id ?? '', reason: '与设计人是同学' }] })
    const seen = await see('head', id)
    expect(seen.recusals.map((one) => [one.name, one.manual])).toEqual([
      [byHand?.name, true],
      ['关联人', false],
    ])
    expect(seen.seats?.map((one) => one.expertId)).not.toContain(near?.id)
    // Without a project nothing recuses by company.
    const free = await as.head.call(drawCandidates, { query: { ...query, projectCode: '*' } })
    expect(free.list[0]).toMatchObject({ candidates: 13, recused: 0 })
    await sql`update expert set state = '5' where id = ${near?.id ?? ''}`.execute(db())
  })

  test('takes at most two of one unit and nobody twice in a half day', async () => {
    const same = await enlist(world, library, 4, () => ({ workUnit: '同一设计院', specialties: ['02'] }))
    const meeting = request({ quotas: [{ specialty: '02', seats: 3 }] })
    const { id } = await as.head.call(freezeDraw, { query: { projectCode }, body: meeting })
    await act('head', id, 'draw', { witnesses })
    const seats = (await see('head', id)).seats ?? []
    expect(seats.filter((one) => one.reply === 'invited')).toHaveLength(2)
    expect(seats).toHaveLength(4)
    const query = { projectCode: '*', meetingDate: meeting.meetingDate, half: meeting.half, specialties: '02' }
    expect((await as.clerk.call(drawCandidates, { query })).list[0]).toMatchObject({ candidates: 2, busy: 2 })
    const elsewhere = { ...query, half: meeting.half === 'am' ? ('pm' as const) : ('am' as const) }
    expect((await as.clerk.call(drawCandidates, { query: elsewhere })).list[0]).toMatchObject({ candidates: 4, busy: 0 })
    await sql`update expert set state = '5' where id = any (${same.map((one) => one.id)})`.execute(db())
  })
})

describe('the answers', () => {
  const invited = async (id: string) => ((await see('clerk', id)).seats ?? []).filter((one) => one.reply === 'invited')

  test('of those who refuse or stay silent bring in the next of the reserve by themselves', async () => {
    const id = await drawn('head')
    const [one, two] = await invited(id)
    expect((await act('clerk', id, 'reply', { seat: one?.id, answer: 'refused' })).data).toMatchObject({ field: 'note' })
    await act('clerk', id, 'reply', { seat: one?.id, answer: 'refused', note: '出差' })
    const next = await invited(id)
    expect(next.map((seat) => seat.rank)).toEqual([2, 3])
    await act('clerk', id, 'reply', { seat: two?.id, answer: 'accepted' })
    now = Date.now() + 25 * 3_600_000
    expect(await passSilent(deps())).toBeGreaterThan(0)
    now = Date.now()
    const seats = (await see('clerk', id)).seats ?? []
    expect(seats.slice(0, 4).map((seat) => seat.reply)).toEqual(['refused', 'accepted', 'silent', 'invited'])
    const last = seats[3]
    await act('clerk', id, 'next', { seat: last?.id, note: '电话不通' })
    const after = await invited(id)
    await act('clerk', id, 'reply', { seat: after[0]?.id, answer: 'accepted' })
    const full = await see('head', id)
    expect([full.state, full.accepted]).toEqual(['2', 2])
    // The clock of the jobs was ahead.
    expect(full.timeline.map((step) => step.label).sort()).toEqual(
      ['冻结名单', '抽取', '登记答复', '登记答复', '无应答，自动顺延', '顺延', '登记答复'].sort(),
    )
    // Accepted and withdrawn: another steps in.
    await act('clerk', id, 'reply', { seat: after[0]?.id, answer: 'refused', note: '临时有事' })
    expect((await see('head', id)).state).toBe('1')
  })

  test('are recorded by whoever may know the names', async () => {
    const id = await drawn('site')
    const [one] = await invited(id)
    for (const who of ['site', 'contractor', 'supervisor', 'owner', 'district'] as const)
      expect((await act(who, id, 'reply', { seat: one?.id, answer: 'accepted' })).status, who).not.toBe(0)
    expect((await act('clerk', id, 'reply', { seat: one?.id, answer: 'accepted' })).status).toBe(0)
    const todos = await as.clerk.call(listTodos, { query: {} } as never)
    expect(JSON.stringify(todos)).toContain('专家论证答复')
  })
})

describe('the names', () => {
  test('are hidden from the applying site until the meeting day, whatever it calls', async () => {
    const id = await drawn('site', { hideNames: false })
    const names = ((await see('clerk', id)).seats ?? []).map((one) => one.expertId)
    expect(names.length).toBeGreaterThan(0)
    for (const who of ['site', 'contractor', 'owner', 'supervisor'] as const) {
      const seen = await see(who, id)
      expect(seen.seats, who).toBeNull()
      const text = JSON.stringify(seen)
      for (const one of names) expect(text.includes(one), who).toBe(false)
    }
    const { file } = await as.site.call(verifyDraw, { params: { id }, query: anywhere })
    expect([file.seed, file.result]).toEqual([null, null])
    expect((await as.site.ask(createActivity, activityOf(id))).message).toContain('会议当天公开')
    const audit = await sql<{ summary: string }>`select summary from audit_log where object_id = ${id}`.execute(db())
    for (const one of listed) expect(JSON.stringify(audit.rows)).not.toContain(`"${one.name}"`)
    // Row-level security alone holds the names back, too.
    const site = await sql<{
      id: string
    }>`select m.group_id as id from app_user u join member m on m.user_id = u.id where u.account = ${cast.site}`.execute(db())
    const client = await world.database.pool.connect()
    try {
      await client.query('begin')
      await client.query(`set local role zg_some`)
      await client.query(`select set_config('app.group', $1, true), set_config('app.projects', $2, true)`, [site.rows[0]?.id, projectCode])
      expect((await client.query('select 1 from expert_draw where id = $1', [id])).rowCount).toBe(1)
      for (const table of [
        'expert_draw_seat where draw_id = $1',
        `draw_result r join draw_run d on d.id = r.run_id where d.object_id = $1`,
      ])
        expect((await client.query(`select 1 from ${table}`, [id])).rowCount, table).toBe(0)
      await client.query('rollback')
    } finally {
      client.release()
    }
    now = Date.now() + 60 * dayMs
    expect(await showNames(deps())).toBeGreaterThan(0)
    now = Date.now()
    expect((await see('site', id)).seats?.length).toBe(names.length)
    expect((await as.site.call(verifyDraw, { params: { id }, query: anywhere })).agrees).toBe(true)
  })

  test('and the draw itself stay unknown to others', async () => {
    const id = await freeze('site')
    for (const who of ['stranger', 'other', 'subcontractor'] as const) {
      const refused = who === 'subcontractor' ? '没有此项权限' : '不存在'
      expect((await as[who].ask(getDraw, { params: { id }, query: anywhere })).message, who).toContain(refused)
      expect((await as[who].ask(verifyDraw, { params: { id }, query: anywhere })).message, who).toContain(refused)
      expect((await act(who, id, 'draw', { witnesses })).status, who).not.toBe(0)
    }
    // The site froze the list, so nobody else draws from it.
    for (const who of ['clerk', 'head', 'contractor'] as const) expect((await act(who, id, 'draw', { witnesses })).status, who).not.toBe(0)
    for (const who of ['subcontractor', 'stranger'] as const)
      expect((await as[who].ask(freezeDraw, { query: { projectCode }, body: request() })).status, who).not.toBe(0)
    expect((await as.site.ask(freezeDraw, { query: anywhere, body: request() })).data).toMatchObject({ field: 'projectCode' })
  })
})

const activityOf = (drawId: string, more: object = {}) => ({
  query: { projectCode },
  body: {
    drawId,
    activityType: '1',
    title: '深基坑专项方案论证会',
    date: inDays(1),
    half: 'am' as const,
    place: '项目部',
    content: '论证深基坑专项施工方案',
    ...more,
  },
})

describe('an activity', () => {
  async function step(who: Who, id: string, action: string, more: object = {}) {
    const { rows } = await sql<{ version: number }>`select version from expert_activity where id = ${id}`.execute(db())
    return as[who].ask(changeActivity, {
      params: { id },
      query: anywhere,
      body: { action, version: rows[0]?.version ?? 0, ...more },
    } as never)
  }

  test('of an over-scale review has no conclusion with fewer than five who signed in by their phone', async () => {
    const drawId = await drawn('head', { overScale: true, quotas: [{ specialty: '01', seats: 5 }] })
    for (const seat of ((await see('head', drawId)).seats ?? []).filter((one) => one.reply === 'invited'))
      await act('head', drawId, 'reply', { seat: seat.id, answer: 'accepted' })
    const { id } = await as.head.call(createActivity, activityOf(drawId))
    expect((await as.head.ask(createActivity, activityOf(drawId))).message).toContain('已建活动')
    const seen = await as.head.call(getActivity, { params: { id }, query: anywhere })
    expect([seen.experts, seen.overScale, seen.date]).toEqual([5, true, (await see('head', drawId)).meetingDate])
    const phone = (expertId: string) => listed.find((one) => one.id === expertId)?.phone
    const [first] = seen.seats ?? []
    expect((await step('head', id, 'signIn', { seat: first?.id, phone: phone(first?.expertId ?? '') })).message).toContain('当天')
    await sql`update expert_activity set date = current_date where id = ${id}`.execute(db())
    expect((await step('head', id, 'signIn', { seat: first?.id, phone: '13900000000' })).data).toMatchObject({ field: 'phone' })
    const conclusion = { result: 'changed', conclusion: '修改后通过，补充降水计算' }
    for (const [i, seat] of (seen.seats ?? []).entries()) {
      if (i === 4) expect((await step('head', id, 'conclude', conclusion)).message).toContain('5 名以上')
      expect((await step('head', id, 'signIn', { seat: seat.id, phone: phone(seat.expertId) })).status).toBe(0)
    }
    expect((await step('head', id, 'conclude', conclusion)).status).toBe(0)
    expect((await step('head', id, 'finish')).message).toContain('论证报告')
    expect((await step('head', id, 'pay', { fees: [{ seat: first?.id, feeCents: 80_000 }] })).status).toBe(0)
    const paid = (who: Who) => as[who].call(getActivity, { params: { id }, query: anywhere })
    expect((await paid('head')).seats?.[0]?.feeCents).toBe(80_000)
    await sql`update expert_activity_seat set shown_at = now() where activity_id = ${id}`.execute(db())
    await sql`update expert_activity set shown_at = now() where id = ${id}`.execute(db())
    expect((await paid('site')).seats?.map((one) => one.feeCents)).toEqual([null, null, null, null, null])
    expect((await step('site', id, 'finish')).status).not.toBe(0)
  })

  test('without a draw needs a reason, free experts, and is no over-scale review', async () => {
    const [one] = listed
    const body = {
      drawId: null,
      noDrawReason: '应急支援，时间紧迫',
      activityType: '7',
      date: inDays(200),
      experts: [{ expert: one?.id ?? '' }],
    }
    const ask = (more: object = {}) => as.clerk.ask(createActivity, { ...activityOf('', { ...body, ...more }), query: anywhere } as never)
    expect((await ask({ noDrawReason: null })).data).toMatchObject({ field: 'noDrawReason' })
    expect((await ask({ activityType: '1', overScale: true })).message).toContain('须从专家库抽取')
    const created = await ask()
    expect(created.status).toBe(0)
    expect((await ask()).message).toContain('已有安排')
    // Cancelled: free again.
    const { id } = created.data as { id: string }
    expect((await step('clerk', id, 'cancel', { note: '险情解除' })).status).toBe(0)
    expect((await ask()).status).toBe(0)
  })

  test('shows the library to those it serves: listed experts, without what is masked', async () => {
    for (const who of ['site', 'district', 'contractor'] as const) {
      const { list } = await as[who].call(listExperts, { query: { ...anywhere, size: 1000 } })
      expect(list.length, who).toBeGreaterThan(10)
      expect(new Set(list.map((one) => one.state)), who).toEqual(new Set(['2']))
      expect(
        list.every((one) => one.phone.includes('*') && one.acceptRate === null),
        who,
      ).toBe(true)
    }
  })
})
