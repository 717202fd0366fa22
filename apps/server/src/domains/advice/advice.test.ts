import { listAudit } from '@zhugong/contract/access/endpoints'
import {
  adviceAddressees,
  changeAdvice,
  getAdvice,
  listAdvice,
  similarAdvice,
  submitAdvice,
  unmaskAdvice,
} from '@zhugong/contract/advice/calls'
import { type AdviceAction, adviceMoves, complaint } from '@zhugong/contract/advice/moves'
import { listTodos } from '@zhugong/contract/home/endpoints'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createLog } from '#kit/log'
import { createSecrets } from '#kit/secret'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { storedFile } from '../../../test/givens.ts'
import { type Caller, testSecretKey, type World } from '../../../test/world.ts'
import { closeAnswered } from './public.ts'

let world: World
let settled: CityWorld
let projectCode = ''
/** Two people of one site, its contractor, its supervisor, a subcontractor, its district with a colleague, another district, a stranger. */
const cast = {
  submitter: 'hospital-officer',
  site: 'hospital-pm',
  labour: 'hospital-labour',
  contractor: 'yunze-lu',
  subcontractor: 'dingli-cheng',
  supervisor: 'hospital-jl',
  authority: 'bj-zhao',
  colleague: 'bj-qian',
  other: 'yd-wang',
  city: 'city-fang',
  stranger: 'zhigu-pm',
  operator: 'admin',
} as const
type Who = keyof typeof cast
const everybody = Object.keys(cast) as Who[]
/** Who belongs to the project or to a company on it. */
const ofSite = ['site', 'labour', 'contractor', 'subcontractor', 'supervisor'] as const
const as = {} as Record<Who, Caller>
const groups = {} as Record<Who, string>
const files = {} as Record<Who, string>
const db = () => world.database.kysely

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  projectCode = settled.city.personas.find((p) => p.account === cast.site)?.projectCode ?? ''
  for (const who of everybody) {
    as[who] = await settled.as(cast[who])
    const { rows } = await sql<{ id: string }>`select m.group_id as id from app_user u join member m on m.user_id = u.id
      where u.account = ${cast[who]} order by m.is_default desc limit 1`.execute(db())
    groups[who] = rows[0]?.id ?? ''
    files[who] = await storedFile(world, groups[who])
  }
})
afterAll(() => world.close())

const anywhere = { projectCode: '*' }
async function submit(who: Who, to: Who, more: object = {}, about = projectCode): Promise<string> {
  const body = { title: '塔吊夜间施工噪声大', type: '4', content: '夜里十一点以后仍在吊装', addressee: groups[to], ...more }
  return (await as[who].call(submitAdvice, { query: { projectCode: about }, body })).id
}
const complain = (who: Who, more: object = {}) =>
  submit(who, 'authority', { title: '夜间违规吊装', type: complaint, images: [files[who]], ...more })
const read = (who: Who, id: string) => as[who].ask(getAdvice, { params: { id }, query: anywhere })
const see = (who: Who, id: string) => as[who].call(getAdvice, { params: { id }, query: anywhere })
async function act(who: Who, id: string, action: AdviceAction, more: object = {}) {
  const { rows } = await sql<{ version: number }>`select version from advice where id = ${id}`.execute(db())
  const body = { action, version: rows[0]?.version ?? 0, ...more }
  return as[who].ask(changeAdvice, { params: { id }, query: anywhere, body } as never)
}
const inputs: Record<AdviceAction, (who: Who) => object> = {
  reply: () => ({ content: '已派员现场核查' }),
  forward: () => ({ addressee: groups.city, reason: '属市级职责' }),
  note: () => ({ content: '与去年同一工地' }),
  reask: (who) => ({ content: '昨晚仍未停止', images: [files[who]] }),
  close: () => ({ satisfaction: 3 }),
}
const listed = async (who: Who, more: object = {}) =>
  (await as[who].call(listAdvice, { query: { ...anywhere, size: 1000, ...more } })).list.map((row) => row.id)

describe('a question', () => {
  test('goes to the authority and back, is asked again, and is closed by whoever put it', async () => {
    const id = await submit('submitter', 'authority')
    expect(await listed('authority', { tab: 'waiting' })).toContain(id)
    expect((await act('authority', id, 'reply', inputs.reply('authority'))).status).toBe(0)
    expect((await act('submitter', id, 'reask', inputs.reask('submitter'))).status).toBe(0)
    expect((await act('colleague', id, 'reply', { content: '已责令停止' })).status).toBe(0)
    expect((await act('submitter', id, 'close', { satisfaction: 3 })).status).toBe(0)
    const closed = await see('authority', id)
    expect([closed.state, closed.rounds, closed.satisfaction]).toEqual(['2', 2, 3])
    expect(closed.thread.map((one) => one.kind)).toEqual(['ask', 'reply', 'ask', 'reply'])
    expect(closed.timeline.map((one) => one.label)).toEqual(['提交', '回复', '追问', '回复', '关闭'])
    // Its colleagues see it, others do not.
    expect((await read('site', id)).status).toBe(0)
    for (const who of ['contractor', 'supervisor', 'stranger', 'other', 'city', 'operator'] as const)
      expect((await read(who, id)).message, who).toContain('不存在')
  })

  test('is repeated without being put twice, and only to institutions in charge', async () => {
    const id = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'
    expect(await submit('submitter', 'authority', { id })).toBe(await submit('submitter', 'authority', { id }))
    const { list } = await as.submitter.call(adviceAddressees, { query: { projectCode } })
    const ids = list.map((one) => one.groupId)
    expect([ids.includes(groups.authority), ids.includes(groups.city), ids.includes(groups.operator)]).toEqual([true, true, true])
    expect(ids.includes(groups.other)).toBe(false)
    const wrong = await as.submitter.ask(submitAdvice, {
      query: { projectCode },
      body: { title: '越区提交', type: '4', content: '不归该区管辖', addressee: groups.other },
    })
    expect(wrong.data).toMatchObject({ field: 'addressee' })
  })

  test('may be put to the platform without a project', async () => {
    const id = await submit('contractor', 'operator', { type: '1', title: '导出慢' }, '*')
    expect((await see('operator', id)).projectCode).toBeNull()
    expect((await act('operator', id, 'reply', { content: '已优化导出速度' })).status).toBe(0)
  })

  test('of an authority is put to the site and answered there', async () => {
    const id = await submit('authority', 'site', { title: '2 号塔吊三天无数据' })
    expect((await see('site', id)).actions.map((one) => one.action)).toContain('reply')
    expect((await act('site', id, 'reply', { content: '黑匣子故障，已报修' })).status).toBe(0)
    expect((await see('authority', id)).state).toBe('1')
    expect((await read('contractor', id)).message).toContain('不存在')
    const own = await as.submitter.ask(submitAdvice, {
      query: { projectCode },
      body: { title: '自问自答', type: '4', content: '项目不能问自己', addressee: groups.site },
    })
    expect(own.data).toMatchObject({ field: 'addressee' })
  })

  test('is forwarded: the next institution answers, the former only reads, and notes stay where they were written', async () => {
    const id = await submit('submitter', 'authority')
    await act('authority', id, 'note', inputs.note('authority'))
    expect((await see('authority', id)).notes).toHaveLength(1)
    expect((await see('submitter', id)).notes).toBeNull()
    expect((await act('authority', id, 'forward', inputs.forward('authority'))).status).toBe(0)
    expect((await see('city', id)).notes).toEqual([])
    expect((await act('authority', id, 'reply', inputs.reply('authority'))).status).not.toBe(0)
    expect((await act('city', id, 'reply', inputs.reply('city'))).status).toBe(0)
    expect((await see('submitter', id)).thread.map((one) => one.kind)).toEqual(['ask', 'forward', 'reply'])
  })

  test('waits on the desk of the institution, and nowhere else', async () => {
    const id = await submit('submitter', 'authority')
    const desks: Who[] = []
    for (const who of everybody) {
      const { list } = await as[who].call(listTodos, { query: { group: '*', kind: 'advice', size: 1000 } })
      if (list.some(({ link }) => link.endsWith(id))) desks.push(who)
    }
    expect(desks).toEqual(['authority', 'colleague'])
  })

  test('is closed by itself a week after the answer', async () => {
    const id = await submit('submitter', 'authority')
    await act('authority', id, 'reply', inputs.reply('authority'))
    const later = (days: number) => ({
      db: db(),
      clock: { now: () => Date.now() + days * 86_400_000 },
      secrets: createSecrets(testSecretKey),
      log: createLog('test', 'warn'),
    })
    await closeAnswered(later(6.9))
    expect((await see('submitter', id)).state).toBe('1')
    await closeAnswered(later(7.1))
    expect((await see('submitter', id)).state).toBe('2')
    expect((await see('authority', id)).timeline.at(-1)?.label).toBe('自动关闭')
  })

  test('like one that was answered is proposed before it is put again', async () => {
    const id = await submit('submitter', 'authority', { title: '现场扬尘监测数据不更新' })
    const hidden = await complain('submitter', { title: '现场扬尘监测数据造假' })
    const query = { projectCode, title: '扬尘监测数据不更新怎么办' }
    const ids = (await as.site.call(similarAdvice, { query })).list.map((one) => one.id)
    expect([ids.includes(id), ids.includes(hidden)]).toEqual([true, false])
    expect((await as.stranger.call(similarAdvice, { query: { ...query, ...anywhere } })).list).toEqual([])
  })
})

/** Whose turn an action is on an item that the officer of the site put to the district. */
const hands: Record<AdviceAction, readonly Who[]> = {
  reply: ['authority', 'colleague'],
  forward: ['authority', 'colleague'],
  note: ['authority', 'colleague'],
  reask: ['submitter'],
  close: ['submitter'],
}

/** Every kind x state x action x caller: whoever may, changes the state as the table says; all others change nothing. */
describe.each(Object.keys(adviceMoves) as AdviceAction[])('%s', (action) => {
  test.each([
    ['question', '0'],
    ['question', '1'],
    ['question', '2'],
    ['complaint', '0'],
    ['complaint', '1'],
    ['complaint', '2'],
  ])('of a %s in state %s', async (kind, state) => {
    for (const who of everybody) {
      const id = kind === 'complaint' ? await complain('submitter') : await submit('submitter', 'authority')
      await sql`update advice set state = ${state} where id = ${id}`.execute(db())
      const before = await sql`select state, version from advice where id = ${id}`.execute(db())
      const answer = await act(who, id, action, inputs[action](who))
      const after = await sql<{ state: string }>`select state, version from advice where id = ${id}`.execute(db())
      const { from, to } = adviceMoves[action]
      const where = `${who}: ${answer.message}`
      if (hands[action].includes(who) && (from as readonly string[]).includes(state)) {
        expect(answer.status, where).toBe(0)
        expect(after.rows[0]?.state, where).toBe(to ?? state)
      } else {
        expect(answer.status, where).not.toBe(0)
        expect(after.rows, where).toEqual(before.rows)
      }
    }
  })
})

describe('a complaint', () => {
  test('is unknown to every account of the project and its companies, whatever they ask', async () => {
    const id = await complain('submitter')
    await act('authority', id, 'reply', inputs.reply('authority'))
    for (const who of ofSite) {
      expect((await read(who, id)).message, who).toContain('不存在')
      for (const query of [{}, { type: complaint }, { title: '违规吊装' }, { projectCode }, { tab: 'replied' }])
        expect(await listed(who, query), who).not.toContain(id)
      const { list } = await as[who].call(listTodos, { query: { group: '*', size: 1000 } })
      expect(JSON.stringify(list), who).not.toContain(id)
      const unmasked = await as[who].ask(unmaskAdvice, { params: { id }, query: anywhere, body: { reason: '想知道是谁投诉' } })
      expect(unmasked.status, who).not.toBe(0)
    }
    const { counts } = await as.site.call(listAdvice, { query: { projectCode } })
    expect(counts.complaints).toBe(0)
    // Its submitter alone follows it.
    expect((await see('submitter', id)).thread).toHaveLength(2)
    expect(await listed('submitter', { tab: 'mine' })).toContain(id)
  })

  test('is hidden by the database itself from the roles of requests of the site', async () => {
    const id = await complain('submitter')
    const other = await db()
      .transaction()
      .execute(async (tx) => {
        await sql`select set_config('role', 'zg_some', true), set_config('app.projects', ${projectCode}, true), set_config('app.limited', '', true),
          set_config('app.corps', '', true), set_config('app.group', ${groups.site}, true), set_config('app.group_type', '3', true),
          set_config('app.governments', '', true), set_config('app.user', 'somebody else', true)`.execute(tx)
        const { rows } = await sql<{ n: number }>`select (select count(*) from advice where id = ${id})
          + (select count(*) from advice_entry where advice_id = ${id}) + (select count(*) from process_log where object_id = ${id})
          + (select count(*) from process_todo where object_id = ${id}) + (select count(*) from audit_log where object_id = ${id}) as n`.execute(
          tx,
        )
        return rows[0]?.n
      })
    expect(Number(other)).toBe(0)
  })

  test('names its submitter nowhere: not to the institution, not in histories, not in the logs of either side', async () => {
    const { rows } = await sql<{ id: string; name: string }>`select id, name from app_user where account = ${cast.submitter}`.execute(db())
    const { id: userId = '', name = '' } = rows[0] ?? {}
    const id = await complain('submitter')
    await act('authority', id, 'reply', inputs.reply('authority'))
    await act('submitter', id, 'reask', inputs.reask('submitter'))
    const visible = JSON.stringify([
      await see('authority', id),
      (await as.authority.call(listAdvice, { query: { ...anywhere, size: 1000 } })).list.filter((row) => row.id === id),
      // Whoever comes second hears of the first one.
      await as.authority.ask(changeAdvice, {
        params: { id },
        query: anywhere,
        body: { action: 'reply', version: 0, content: '重复回复一次' },
      }),
    ])
    expect(visible).not.toContain(name)
    expect(visible).not.toContain(userId)
    expect(visible).toContain('实名（已隐去）')
    const audit = await sql<{ userId: string; userName: string; groupId: string; projectCode: string | null; ip: string }>`
      select user_id, user_name, group_id, project_code, ip from audit_log where object_id = ${id} order by at`.execute(db())
    expect(audit.rows.filter((row) => row.userName === '匿名')).toHaveLength(2)
    for (const row of audit.rows) {
      expect(row.groupId).toBe(groups.authority)
      expect([row.userId, row.userName]).not.toContain(userId)
      expect(row.userName).not.toBe(name)
      if (row.userName === '匿名') expect([row.projectCode, row.ip]).toEqual([null, ''])
    }
    for (const who of ['site', 'authority'] as const) {
      const answer = await as[who].ask(listAudit, { query: { size: 1000 } } as never)
      const lines = (answer.data as { list?: { objectId?: string; userName?: string }[] } | null)?.list ?? []
      expect(lines.filter((line) => line.objectId === id && line.userName === name)).toEqual([])
      if (who === 'site') expect(lines.filter((line) => line.objectId === id)).toEqual([])
    }
    const history = await sql<{ byId: string; byName: string }>`select by_id, by_name from process_log where object_id = ${id}`.execute(
      db(),
    )
    expect(JSON.stringify(history.rows)).not.toContain(name)
    expect(JSON.stringify(history.rows)).not.toContain(userId)
  })

  test('is unmasked with a reason that is recorded, and not at all when it is anonymous', async () => {
    const id = await complain('submitter')
    const ask = (who: Who, target: string, reason = '核实投诉人身份后回访') =>
      as[who].ask(unmaskAdvice, { params: { id: target }, query: anywhere, body: { reason } })
    expect((await ask('authority', id, '')).status).not.toBe(0)
    const { rows } = await sql<{ name: string }>`select name from app_user where account = ${cast.submitter}`.execute(db())
    expect((await ask('authority', id)).data).toMatchObject({ name: rows[0]?.name })
    expect((await see('colleague', id)).timeline.at(-1)).toMatchObject({ label: '查看投诉人', opinion: '核实投诉人身份后回访' })
    const looked = await sql`select from audit_log where object_id = ${id} and summary = '查看投诉人'`.execute(db())
    expect(looked.rows).toHaveLength(1)
    const hidden = await complain('submitter', { anonymous: true })
    expect((await ask('authority', hidden)).message).toContain('匿名')
    expect((await see('authority', hidden)).submitterName).toBe('匿名')
    const question = await submit('submitter', 'authority')
    expect((await ask('authority', question)).status).not.toBe(0)
  })

  test('is put to no site, and a question is not put without a name', async () => {
    const body = { title: '投诉', type: complaint, content: '夜里施工扰民', addressee: groups.site }
    expect((await as.authority.ask(submitAdvice, { query: { projectCode }, body })).data).toMatchObject({ field: 'addressee' })
    const open = { ...body, type: '4', addressee: groups.authority, anonymous: true }
    expect((await as.submitter.ask(submitAdvice, { query: { projectCode }, body: open })).data).toMatchObject({ field: 'anonymous' })
  })
})

test('figures of the strip and tabs are those of the lists behind them', async () => {
  for (const who of ['authority', 'submitter', 'operator'] as const) {
    const { counts } = await as[who].call(listAdvice, { query: anywhere })
    const total = async (more: object) => (await as[who].call(listAdvice, { query: { ...anywhere, ...more } })).total
    for (const tab of ['waiting', 'replied', 'closed', 'mine'] as const) expect(counts[tab], `${who} ${tab}`).toBe(await total({ tab }))
    expect(counts.late).toBe(await total({ late: true }))
    expect(counts.complaints).toBe(await total({ type: complaint }))
  }
})
