import { changeExamine, createExamine, examineProposal, getExamine, listExamines, removeExamine } from '@zhugong/contract/examine/calls'
import { rounds } from '@zhugong/contract/examine/rhythm'
import { itemResults } from '@zhugong/contract/scoring/score'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { newId } from '#kit/ids'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { storedFile } from '../../../test/givens.ts'
import type { Caller, World } from '../../../test/world.ts'

let world: World
let settled: CityWorld
let projectCode = ''
let contractor = ''
let file = ''
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
const as = {} as Record<Who, Caller>

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  projectCode = settled.city.personas.find((p) => p.account === cast.safety)?.projectCode ?? ''
  contractor = settled.city.projects.find((one) => one.projectCode === projectCode)?.contractorCorpCode ?? ''
  for (const [who, account] of Object.entries(cast) as [Who, string][]) as[who] = await settled.as(account)
  const { rows } = await sql<{ id: string }>`select t.id from app_user u join member m on m.user_id = u.id
    join tenant t on t.id = m.group_id where u.account = ${cast.safety} order by m.is_default desc limit 1`.execute(world.database.kysely)
  file = await storedFile(world, rows[0]?.id ?? '')
})
afterAll(() => world.close())

const deadline = () => new Date(Date.now() + 8 * 3_600_000 + 3 * 86_400_000).toISOString().slice(0, 10)
const anyProject = { projectCode: '*' }
const read = (who: Who, id: string) => as[who].call(getExamine, { params: { id }, query: anyProject })
const refused = async (who: Who, id: string) => (await as[who].ask(getExamine, { params: { id }, query: anyProject })).status
interface Answer {
  status: number
  message: string
  data: { id: string; state: string; code: string | null; version: number; field?: string }
}
const head = { round: rounds.weekly as string, part: '全场', checkers: ['周安', '李检'] }
/** A draft with one sheet, as its page begins it. */
async function draft(round: string = rounds.weekly, who: Who = 'safety'): Promise<string> {
  const body = { id: newId(), action: 'save', ...head, round, sheets: [{ sheetCode: '02' }], problems: [] }
  const made = (await as[who].ask(createExamine, { query: { projectCode }, body } as never)) as Answer
  expect(made.message && made.status).toBe(0)
  return made.data.id
}
/** Everything right but the last item, where `fails`. */
async function filled(id: string, fails: boolean, round: string = rounds.weekly) {
  const { sheets, version } = await read('safety', id)
  const items = (sheets[0]?.items ?? []).map(({ itemCode }, i, all) =>
    fails && i === all.length - 1
      ? { itemCode, result: itemResults.wrong, deduction: 2, note: '灭火器失效' }
      : { itemCode, result: itemResults.right },
  )
  const problem = {
    description: '灭火器失效未更换',
    part: '文明施工',
    itemCode: items.at(-1)?.itemCode ?? '',
    dangerLevel: '1',
    requirement: '更换灭火器',
    corpCode: contractor,
    deadline: deadline(),
    photos: [file],
  }
  return { version, ...head, round, sheets: [{ sheetCode: '02', items }], problems: fails ? [problem] : [] }
}
const change = (who: Who, id: string, body: object) =>
  as[who].ask(changeExamine, { params: { id }, query: anyProject, body } as never) as Promise<Answer>
const submit = async (id: string, fails: boolean, round?: string) =>
  change('safety', id, { action: 'submit', ...(await filled(id, fails, round)) })

describe('a scored check of the site itself', () => {
  test('freezes its score, issues one notice, and marks what was found the last time too', async () => {
    const first = await submit(await draft(), true)
    expect([first.status, first.data.state, first.data.code]).toEqual([0, '1', expect.stringContaining('-ZC-')])
    const { data } = await submit(await draft(), true)
    const own = await read('supervisor', data.id)
    const full = own.sheets[0]?.full ?? 0
    expect([own.roundName, own.sheets.length, own.problems.length, own.notices.length]).toEqual(['周检', 1, 1, 1])
    expect(own.score).toBe(Math.round(((full - 2) / full) * 10_000) / 100)
    expect(own.repeated).toEqual([own.problems[0]?.id])
    expect([own.previous?.id, own.previous?.sameSheets]).toEqual([first.data.id, true])
    expect(own.checkers).toEqual(['周安', '李检'])
  })

  test('without a result, or without a problem for what failed, it is not submitted', async () => {
    const id = await draft()
    const whole = await filled(id, true)
    const cut = { ...whole, sheets: [{ sheetCode: '02', items: whole.sheets[0]?.items.slice(1) ?? [] }] }
    const open = await change('safety', id, { action: 'submit', ...cut })
    expect([open.data.field, open.message]).toEqual(['sheets.0.items', expect.stringContaining('1 项没有结果')])
    const silent = await change('safety', id, { action: 'submit', ...whole, problems: [] })
    expect([silent.data.field, silent.message]).toEqual(['problems', expect.stringContaining('须写明问题、责任单位和期限')])
    await as.safety.call(removeExamine, { params: { id }, query: anyProject })
    expect(await refused('safety', id)).not.toBe(0)
  })

  test('a draft is known to its own group only, and an old version is refused', async () => {
    const id = await draft()
    for (const who of ['company', 'supervisor', 'authority', 'subcontractor', 'stranger'] as const)
      expect(await refused(who, id)).not.toBe(0)
    const body = await filled(id, false)
    expect((await change('safety', id, { action: 'save', ...body })).status).toBe(0)
    expect((await change('safety', id, { action: 'save', ...body })).message).toContain('刷新')
    await as.safety.call(removeExamine, { params: { id }, query: anyProject })
  })

  test('after submission those of the site see it; others and a subcontractor that it does not name do not', async () => {
    const { data } = await submit(await draft(rounds.daily), false, rounds.daily)
    for (const who of ['manager', 'company', 'supervisor', 'authority'] as const) expect((await read(who, data.id)).state).toBe('7')
    for (const who of ['subcontractor', 'stranger'] as const) expect(await refused(who, data.id)).not.toBe(0)
  })

  test('a second look adds a notice and opens it again; archived it stays as it is', async () => {
    const { data } = await submit(await draft(rounds.monthly), false, rounds.monthly)
    const problem = (await filled(await draft(), true)).problems[0]
    const more = await change('safety', data.id, { action: 'supplement', version: data.version, problems: [problem] })
    expect([more.status, more.message, more.data.state]).toEqual([0, more.message, '1'])
    const opened = await read('manager', data.id)
    expect([opened.problemCount, opened.notices.length, opened.score]).toEqual([1, 1, 100])
    expect((await change('safety', data.id, { action: 'archive', version: more.data.version })).status).not.toBe(0)
    const clean = await submit(await draft(rounds.leader), false, rounds.leader)
    const filed = await change('safety', clean.data.id, { action: 'archive', version: clean.data.version })
    expect(filed.status).toBe(0)
    const again = await change('safety', clean.data.id, { action: 'supplement', version: filed.data.version, problems: [problem] })
    expect(again.message).toContain('已归档')
  })

  test('监理, the authority and strangers do not hold it', async () => {
    const body = { id: newId(), action: 'save', ...head, sheets: [{ sheetCode: '02' }], problems: [] }
    for (const who of ['supervisor', 'authority', 'subcontractor', 'stranger'] as const)
      expect(((await as[who].ask(createExamine, { query: { projectCode }, body } as never)) as Answer).status).not.toBe(0)
  })
})

test('the list filters by form, score and grade; the week counts what was held', async () => {
  const query = { projectCode, size: 100 }
  const all = await as.manager.call(listExamines, { query })
  const weekly = await as.manager.call(listExamines, { query: { ...query, round: rounds.weekly } })
  expect(weekly.list.every((one) => one.round === rounds.weekly)).toBe(true)
  expect(weekly.total).toBeLessThan(all.total)
  const perfect = await as.manager.call(listExamines, { query: { ...query, score: '100,100', grade: '1' } as never })
  expect(perfect.list.every((one) => one.score === 100)).toBe(true)
  expect(all.rhythm?.find((one) => one.round === rounds.weekly)).toMatchObject({ due: 1, done: 1 })
  expect((await as.manager.call(listExamines, { query: { ...query, projectCode: '*' } })).rhythm?.length ?? 0).toBeGreaterThanOrEqual(0)
  const proposal = await as.safety.call(examineProposal, { query: { projectCode } })
  expect(proposal.last?.sheets.map((one) => one.sheetCode)).toEqual(['02'])
})
