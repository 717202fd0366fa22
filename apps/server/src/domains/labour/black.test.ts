import { weekends } from '@zhugong/contract/kit/rest-days'
import { shanghaiOffsetMs } from '@zhugong/contract/kit/time'
import * as black from '@zhugong/contract/labour/black'
import * as blackListsCalls from '@zhugong/contract/labour/black-lists'
import * as staysCalls from '@zhugong/contract/labour/stays'
import * as teamsCalls from '@zhugong/contract/labour/teams'
import * as unitsCalls from '@zhugong/contract/labour/units'
import { listStays } from '@zhugong/contract/personnel/people'
import { registerWorker, syncWorker, workerBaseInfo } from '@zhugong/contract/personnel/workers'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { idCard, mobile, newcomer, type Site, siteOf, storedFile } from '../../../test/givens.ts'
import type { Caller, World } from '../../../test/world.ts'
import { takeOffWhoMayNot } from '../equipment/gate-jobs.ts'
import { answerUntil, monthsAfter } from './black-days.ts'
import { turnBlackLists } from './public.ts'

let world: World
let settled: CityWorld
let site: Site
const dayOf = (shift = 0) => new Date(Date.now() + shanghaiOffsetMs + shift * 86_400_000).toISOString().slice(0, 10)
const today = dayOf()
/** The project's clerk, its general contractor, its district and city authorities, a subcontractor, and another site. */
const cast = {
  clerk: 'hospital-labour',
  contractor: 'yunze-lu',
  authority: 'bj-zhao',
  city: 'city-fang',
  subcontractor: 'dingli-cheng',
  stranger: 'zhigu-pm',
} as const
type Who = keyof typeof cast
const as = {} as Record<Who, Caller>
const fileIds = {} as Record<Who, string>
const groups = {} as Record<Who, { id: string; name: string; code: string }>
let projectCode = ''
let area = ''
const all = { projectCode: '*' }

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  projectCode = settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  site = await siteOf(world, projectCode)
  area = settled.city.projects.find((p) => p.projectCode === projectCode)?.areaCode ?? ''
  for (const [who, account] of Object.entries(cast) as [Who, string][]) {
    as[who] = await settled.as(account)
    const { rows } = await sql<{ id: string; name: string; code: string }>`
      select t.id, t.name, t.code from app_user u join member m on m.user_id = u.id join tenant t on t.id = m.group_id
      where u.account = ${account} limit 1`.execute(world.database.kysely)
    groups[who] = rows[0] as (typeof groups)[Who]
    fileIds[who] = await storedFile(world, groups[who].id)
  }
})
afterAll(() => world.close())

const entryOf = (who: Who, more: object = {}) => ({
  name: '田光明',
  idCardNumber: idCard(),
  reasonType: '2',
  reason: '在生活区聚众斗殴，致一人轻伤，公安机关已处理',
  occurrenceDate: dayOf(-20),
  scope: '1',
  scopeProject: projectCode,
  startDate: dayOf(-1),
  endDate: dayOf(364),
  files: [fileIds[who]],
  notifiedTime: `${dayOf(-15)} 10:00:00`,
  ...more,
})
const propose = (who: Who, more: object = {}) => as[who].call(black.createLaborBlack, { query: all, body: entryOf(who, more) as never })
const read = (who: Who, id: string) => as[who].call(black.getLaborBlack, { params: { id }, query: all })
const move = async (who: Who, id: string, action: string, more: object = {}) => {
  const { rows } = await sql<{ version: number }>`select version from black_entry where id = ${id}`.execute(world.database.kysely)
  return as[who].ask(black.changeLaborBlack, {
    params: { id },
    query: all,
    body: { action, version: rows[0]?.version ?? 0, opinion: '核对了材料', files: [fileIds[who]], ...more } as never,
  })
}
const stateOf = async (id: string) =>
  (await sql<{ state: string }>`select state from black_entry where id = ${id}`.execute(world.database.kysely)).rows[0]?.state
/** A person proposed by the site's clerk and approved by the contractor. */
async function recognised(more: object = {}): Promise<string> {
  const { id } = await propose('clerk', more)
  expect((await move('clerk', id, 'submit')).message).toBe('ok')
  expect((await move('contractor', id, 'decide')).message).toBe('ok')
  return id
}
const person = (more: object = {}) => as.clerk.call(registerWorker, { body: newcomer(site, more) })

describe('the steps of an entry', () => {
  /** From the specification (entities.md, 黑名单与不良行为): state before, step, who, state after. `clerk` proposed it, with the scope project. */
  const allowed: readonly [from: string, step: string, by: readonly Who[], to: string][] = [
    ['0', 'submit', ['clerk'], '1'],
    ['3', 'submit', ['clerk'], '1'],
    ['1', 'withdraw', ['clerk'], '0'],
    ['1', 'decide', ['contractor', 'city'], '2'],
    ['1', 'reject', ['contractor', 'city'], '3'],
    ['2', 'appeal', ['clerk', 'contractor'], '4'],
    ['4', 'uphold', ['contractor', 'city'], '2'],
    ['4', 'cancel', ['contractor', 'city'], '7'],
    ['2', 'repair', ['contractor', 'city'], '5'],
  ]
  const states = ['0', '1', '2', '3', '4', '5', '6', '7']
  const steps = ['submit', 'withdraw', 'decide', 'reject', 'appeal', 'uphold', 'cancel', 'repair']
  let id = ''
  beforeAll(async () => {
    id = (await propose('clerk')).id
  })
  const bring = async (state: string) => {
    await sql`delete from black_log where entry_id = ${id}`.execute(world.database.kysely)
    await sql`
    update black_entry set state = ${state}, submit_by = 'somebody', submit_time = now(), issuer = 'x', decided_by = 'somebody',
      decided_time = case when ${state} in ('2') then now() - interval '100 days' else now() end where id = ${id}`.execute(
      world.database.kysely,
    )
  }

  for (const state of states)
    for (const step of steps) {
      test(`${state} ${step}`, async () => {
        const line = allowed.find(([from, one]) => from === state && one === step)
        for (const who of Object.keys(cast) as Who[]) {
          await bring(state)
          // After a hundred days an appeal is too late and a repair possible, so an appeal needs a recent decision. Both are tested
          // below.
          if (step === 'appeal')
            await sql`update black_entry set decided_time = now() - interval '3 days' where id = ${id}`.execute(world.database.kysely)
          const answer = await move(who, id, step)
          const isAllowed = line?.[2].includes(who) ?? false
          expect([who, answer.status === 0, await stateOf(id)]).toEqual([who, isAllowed, isAllowed ? line?.[3] : state])
          if (isAllowed) continue
          // Each refusal states a reason: not visible, wrong role, missing permission, or wrong state.
          expect(answer.message).toMatch(/当前状态不允许该操作|没有此项权限|没有权限|无权|不存在|只有|认定|管辖/)
          if (!line && ['clerk', 'contractor', 'city'].includes(who) && state !== '0')
            expect(answer.message).toMatch(/当前状态不允许该操作|没有此项权限|没有权限|无权/)
        }
      })
    }

  test('each step is written down with its hand and words, and two at once are one', async () => {
    const { id: one } = await propose('clerk')
    await move('clerk', one, 'submit')
    const answers = await Promise.all([move('contractor', one, 'reject'), move('city', one, 'decide')])
    expect(answers.filter((a) => a.status === 0)).toHaveLength(1)
    const { log } = await read('clerk', one)
    expect(log.map((l) => l.action).slice(0, 2)).toEqual(['create', 'submit'])
    expect(log).toHaveLength(3)
    expect(log[2]?.opinion).toBe('核对了材料')
  })
  test('it is decided by another than who handed it in, after the days to answer; repaired after its months; appealed in time', async () => {
    const own = await as.contractor.call(black.createLaborBlack, {
      query: all,
      body: entryOf('contractor', { scope: '2', scopeProject: null }) as never,
    })
    await move('contractor', own.id, 'submit')
    expect((await move('contractor', own.id, 'decide')).message).toContain('提出人不能认定')
    const soon = await propose('clerk', { notifiedTime: `${dayOf(-1)} 09:00:00` })
    await move('clerk', soon.id, 'submit')
    expect((await move('contractor', soon.id, 'decide')).message).toContain('5 个工作日')
    const fresh = await recognised()
    expect((await move('contractor', fresh, 'repair')).message).toContain('满 3 个月')
    await sql`update black_entry set decided_time = now() - interval '61 days' where id = ${fresh}`.execute(world.database.kysely)
    expect((await move('clerk', fresh, 'appeal')).message).toContain('60 日内')
    expect((await move('clerk', fresh, 'appeal', { opinion: '' })).status).not.toBe(0)
    await sql`update black_entry set decided_time = now() - interval '100 days' where id = ${fresh}`.execute(world.database.kysely)
    expect((await move('contractor', fresh, 'repair', { files: [] })).data).toMatchObject({ field: 'files' })
  })
  test('days by the calendar', () => {
    // A Friday evening: the term ends a week later, without the weekend.
    expect(answerUntil(new Date('2026-11-20T18:00:00+08:00'), weekends)).toBe('2026-11-27')
    expect(answerUntil(new Date('2026-11-22T10:00:00+08:00'), weekends)).toBe('2026-11-27')
    // A holiday extends the term, a working Saturday shortens it.
    expect(answerUntil(new Date('2026-11-20T18:00:00+08:00'), { ...weekends, restDates: ['2026-11-24', '2026-11-25'] })).toBe('2026-12-01')
    expect(answerUntil(new Date('2026-11-20T18:00:00+08:00'), { ...weekends, workDates: ['2026-11-21'] })).toBe('2026-11-26')
    expect([monthsAfter('2026-11-30', 3), monthsAfter('2026-01-15', 3)]).toEqual(['2027-02-28', '2026-04-15'])
  })
})

describe('who may list whom, and how far', () => {
  const ask = (who: Who, more: object) => as[who].ask(black.createLaborBlack, { query: all, body: entryOf(who, more) as never })
  test('a site for itself and its contractor, a company for its own, an authority for its area', async () => {
    const other = settled.city.projects.find((p) => p.projectCode !== projectCode)?.projectCode
    expect((await ask('clerk', { scope: '3', scopeArea: area })).message).toContain('监管机构提出')
    expect((await ask('clerk', { scopeProject: other })).message).toContain('管辖范围')
    expect((await ask('clerk', { scope: '2' })).message).toBe('ok')
    expect((await ask('contractor', { scope: '2' })).message).toBe('ok')
    expect((await ask('subcontractor', { scopeProject: projectCode })).message).toContain('只能查看')
    expect((await ask('authority', { scope: '2' })).message).toContain('企业级名单由企业')
    expect((await ask('authority', { scope: '3', scopeArea: area })).message).toBe('ok')
    const elsewhere = settled.city.projects.find((p) => p.areaCode !== area)?.areaCode
    expect((await ask('authority', { scope: '3', scopeArea: elsewhere })).message).toContain('不在本机构管辖范围')
  })
  test('facts are asked for at the field, nobody twice, nobody for asking for wages', async () => {
    const idCardNumber = idCard()
    await propose('clerk', { idCardNumber })
    expect((await ask('clerk', { idCardNumber })).message).toContain('已有一条未结束')
    expect((await ask('clerk', { reasonType: '1' })).data).toMatchObject({ field: 'reason' })
    expect((await ask('clerk', { files: [] })).status).toBe(2)
    expect((await ask('clerk', { endDate: dayOf(1200) })).status).toBe(2)
    expect((await ask('clerk', { idCardNumber: '420202199001010011' })).status).toBe(2)
  })
  test('whom it holds for learns reason, days and issuer; the story is the side’s; a stranger sees nothing', async () => {
    const { id } = await as.authority.call(black.createLaborBlack, {
      query: all,
      body: entryOf('authority', { scope: '3', scopeArea: area, name: '田光明' }) as never,
    })
    await move('authority', id, 'submit')
    const done = await as.city.ask(black.changeLaborBlack, {
      params: { id },
      query: all,
      body: { action: 'decide', version: 1, opinion: '同意' } as never,
    })
    expect(done.message).toBe('ok')
    const result = await read('clerk', id)
    expect(result).toMatchObject({ full: false, reason: null, files: [], log: [], name: '田**', issuer: expect.any(String) })
    expect(result.idCardNumber).toMatch(/^\d{6}\*+/)
    const foreign = settled.city.projects.find((p) => p.projectCode === groups.stranger.code)?.areaCode === area
    if (!foreign) expect((await as.stranger.ask(black.getLaborBlack, { params: { id }, query: all })).status).not.toBe(0)
    // A subcontractor sees its own people only.
    expect((await as.subcontractor.ask(black.getLaborBlack, { params: { id }, query: all })).status).not.toBe(0)
    const list = await as.clerk.call(blackListsCalls.listLaborBlack, { query: { projectCode, view: 'effective', size: 100 } })
    expect(list.list.map((e) => e.id)).toContain(id)
  })
})

describe('what a list does', () => {
  const idCardNumber = idCard()
  const papers = { idCardNumber, name: '田光明' }

  test('nobody listed enters, by the form, by his papers or by coming back; each refusal is kept', async () => {
    const { workerId, projectWorkerId } = await person(papers)
    const id = await recognised(papers)
    await as.clerk.call(staysCalls.exitWorkers, { body: { ids: [projectWorkerId ?? ''], exitTime: today, exitReason: '4' } })
    const stay = newcomer(site).stay as object
    const back = await as.clerk.ask(staysCalls.enterWorker, { body: { ...stay, ...papers } as never })
    expect(back.message).toContain('在黑名单内，不得进场：打架斗殴、聚众闹事，项目级')
    expect(back.data).toMatchObject({ field: 'idCardNumber' })
    const looked = await as.clerk.call(syncWorker, { body: { ...papers } })
    expect(looked.warnings.join()).toContain('在黑名单内')
    const other = idCard()
    await recognised({ idCardNumber: other, name: '周立新' })
    expect((await as.clerk.ask(registerWorker, { body: newcomer(site, { idCardNumber: other, name: '周立新' }) })).message).toContain(
      '不得进场',
    )
    const detail = await read('clerk', id)
    expect(detail.refusals.filter((r) => r.way === '办理进场被拒')).toHaveLength(1)
    expect(detail.hits).toBeGreaterThan(0)
    expect(detail.workerId).toBe(workerId)
  })

  test('who is in place stops working and leaves the gates; when the list lets go he has back what it took', async () => {
    const number = { idCardNumber: idCard(), name: '何志强' }
    const { projectWorkerId, workerId } = await person(number)
    const db = world.database.kysely
    await sql`update project_worker set formal_status = '1', attend_enabled = true where id = ${projectWorkerId}`.execute(db)
    await sql`update worker set consents = '[{"kind":"face","state":"同意","version":"1.0","way":"纸质","time":"2026-01-01 00:00:00"}]' where id = ${workerId}`.execute(
      db,
    )
    const gate = await sql<{
      id: string
    }>`select id from device where family = 'faceGate' and project_code = ${projectCode} limit 1`.execute(db)
    const gateId = gate.rows[0]?.id ?? ''
    await sql`insert into gate_face (device_id, worker_id, project_code, corp_code, state, at)
      values (${gateId}, ${workerId}, ${projectCode}, ${site.corpCode}, '1', now())`.execute(db)
    const id = await recognised(number)
    const current = async () =>
      (
        await sql<{ blackHit: boolean; formalStatus: string; attendEnabled: boolean }>`
          select black_hit, formal_status, attend_enabled from project_worker where id = ${projectWorkerId}`.execute(db)
      ).rows[0]
    const face = async () =>
      (await sql<{ state: string }>`select state from gate_face where worker_id = ${workerId}`.execute(db)).rows[0]?.state
    expect(await current()).toEqual({ blackHit: true, formalStatus: '2', attendEnabled: true })
    expect(await face()).toBe('3')
    const file = await as.clerk.call(workerBaseInfo, { params: { id: workerId } })
    expect(file.stay?.black).toMatchObject({ scopeName: '项目级', reasonTypeName: '打架斗殴、聚众闹事' })
    const hit = await as.clerk.call(listStays, {
      query: { view: 'project', projectCode, missing: ['blacklist'] as never, size: 100 } as never,
    })
    expect(hit.list.map((w) => w.id)).toContain(projectWorkerId)
    // The gate has removed the face meanwhile.
    await sql`delete from gate_face where worker_id = ${workerId}`.execute(db)
    await move('clerk', id, 'appeal')
    expect((await current())?.blackHit).toBe(true)
    expect((await move('contractor', id, 'cancel')).message).toBe('ok')
    expect(await current()).toEqual({ blackHit: false, formalStatus: '1', attendEnabled: true })
    expect(await face()).toBe('0')
  })

  test('a face that is put on a gate although its owner is listed goes off with the next look', async () => {
    const number = { idCardNumber: idCard(), name: '何志坚' }
    const { workerId } = await person(number)
    await recognised(number)
    const db = world.database.kysely
    const gate = await sql<{
      id: string
    }>`select id from device where family = 'faceGate' and project_code = ${projectCode} limit 1`.execute(db)
    await sql`update worker set consents = '[{"kind":"face","state":"同意","version":"1.0","way":"纸质","time":"2026-01-01 00:00:00"}]' where id = ${workerId}`.execute(
      db,
    )
    await sql`insert into gate_face (device_id, worker_id, project_code, corp_code, state, at)
      values (${gate.rows[0]?.id}, ${workerId}, ${projectCode}, ${site.corpCode}, '1', now())`.execute(db)
    await takeOffWhoMayNot({ pool: world.database.pool, now: Date.now })
    expect((await sql<{ state: string }>`select state from gate_face where worker_id = ${workerId}`.execute(db)).rows[0]?.state).toBe('3')
  })

  test('its days over, it ends by itself and lets go; one for a day to come takes hold on that day', async () => {
    const one = { idCardNumber: idCard(), name: '林国栋' }
    const two = { idCardNumber: idCard(), name: '林国梁' }
    const first = await person(one)
    const second = await person(two)
    const ending = await recognised({ ...one, endDate: today })
    const coming = await recognised({ ...two, startDate: dayOf(2), endDate: dayOf(30) })
    const hit = async (id: string | null) =>
      (await sql<{ blackHit: boolean }>`select black_hit from project_worker where id = ${id}`.execute(world.database.kysely)).rows[0]
        ?.blackHit
    expect([await hit(first.projectWorkerId), await hit(second.projectWorkerId)]).toEqual([true, false])
    await turnBlackLists(world.database.kysely, Date.now() + 2 * 86_400_000)
    expect([await hit(first.projectWorkerId), await hit(second.projectWorkerId)]).toEqual([false, true])
    expect([await stateOf(ending), await stateOf(coming)]).toEqual(['6', '2'])
  })

  test('a company listed joins no project and brings no team; one in place stays', async () => {
    const admin = world.database.kysely
    const { id } = await as.authority.call(black.createCompanyBlack, {
      query: all,
      body: {
        corpCode: site.corpCode,
        reasonType: '6',
        docNo: '鄂人社监〔2026〕118 号',
        decideOrg: '人力资源和社会保障局',
        reason: '拖欠农民工工资，已列入失信联合惩戒名单',
        occurrenceDate: dayOf(-9),
        scope: '3',
        scopeArea: area,
        startDate: dayOf(-1),
        endDate: dayOf(364),
        files: [fileIds.authority],
      } as never,
    })
    await sql`update black_entry set state = '2', issuer = '区局', decided_time = now() where id = ${id}`.execute(admin)
    const join = await as.clerk.ask(unitsCalls.addUnit, {
      body: {
        projectCode,
        corpCode: site.corpCode,
        corpType: '010',
        entryTime: today,
        pmName: '李四海',
        pmIdCardNumber: idCard(),
        pmPhone: mobile(),
      } as never,
    })
    expect(join.message).toContain('在企业黑名单内，不得加入项目：拖欠农民工工资列入失信名单')
    expect(join.data).toMatchObject({ field: 'corpCode' })
    const team = await as.clerk.ask(teamsCalls.createTeam, {
      body: {
        projectCode,
        corpCode: site.corpCode,
        teamName: '黑名单后新班',
        workType: '020',
        entryTime: today,
        responsiblePersonName: '周立新',
        responsiblePersonPhone: mobile(),
        responsiblePersonIdNumber: idCard(),
      } as never,
    })
    expect(team.message).toContain('不得新增班组')
    // Visible to everyone on the platform.
    const list = await as.stranger.call(blackListsCalls.listCompanyBlack, { query: { projectCode: '*', view: 'effective' } })
    expect(list.list.map((e) => e.corpCode)).toContain(site.corpCode)
  })
})

describe('each figure of the strips is the list it opens', () => {
  test.each(Object.keys(cast) as Who[])('for %s', async (who) => {
    const kinds = [
      [blackListsCalls.laborBlackFigures, blackListsCalls.listLaborBlack],
      [blackListsCalls.companyBlackFigures, blackListsCalls.listCompanyBlack],
    ] as const
    for (const [figures, list] of kinds) {
      const f = await as[who].call(figures, { query: all })
      const total = async (query: object) => (await as[who].call(list, { query: { ...all, ...query, size: 1 } })).total
      expect({
        effective: await total({ view: 'effective' }),
        own: await total({ view: 'own' }),
        waiting: await total({ view: 'waiting' }),
        appealed: await total({ view: 'appeal' }),
      }).toEqual({ effective: f.effective, own: f.own, waiting: f.waiting, appealed: f.appealed })
    }
  })
})
