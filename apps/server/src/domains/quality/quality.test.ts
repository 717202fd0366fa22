import { frequentProblems } from '@zhugong/contract/checks/security-check'
import {
  changeImprovement,
  createImprovement,
  getImprovement,
  improvementFindings,
  improvementMatrix,
  listImprovements,
  removeImprovement,
} from '@zhugong/contract/quality/improvement'
import { type ImprovementAction, repeatsProblem } from '@zhugong/contract/quality/improvement-moves'
import {
  changeQualityCheck,
  createQualityCheck,
  getQualityCheck,
  listQualityChecks,
  qualityHints,
  removeQualityCheck,
} from '@zhugong/contract/quality/inspection'
import { itemFault, qualityMoves } from '@zhugong/contract/quality/inspection-moves'
import { changeRectify, getRectify } from '@zhugong/contract/rectify/calls'
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
let subcontractor = ''
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
    const { rows } = await sql<{ id: string; code: string }>`select t.id, t.code from app_user u join member m on m.user_id = u.id
      join tenant t on t.id = m.group_id where u.account = ${account} order by m.is_default desc limit 1`.execute(world.database.kysely)
    files[who] = await storedFile(world, rows[0]?.id ?? '')
    if (who === 'company') contractor = rows[0]?.code ?? ''
    if (who === 'subcontractor') subcontractor = rows[0]?.code ?? ''
  }
})
afterAll(() => world.close())

const later = (days: number) => new Date(Date.now() + 8 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10)
const problem = (who: Who, more: object = {}) => ({
  description: '填充墙水平灰缝不饱满，瞎缝三处',
  part: '四层 3 轴',
  itemCode: '0202',
  qualityProblem: '07',
  measured: '饱满度 68%',
  standard: '≥ 80%',
  dangerLevel: '1',
  requirement: '拆除重砌，饱满度不低于 80%',
  corpCode: contractor,
  person: '周大勇',
  deadline: later(3),
  photos: [files[who]],
  ...more,
})
const fields = (problems: object[], items: object[] = [{ itemCode: '0202', result: problems.length ? '2' : '1' }]) => ({
  part: '四层',
  items,
  problems,
})
const create = (who: Who, action: 'save' | 'submit', problems: object[] = [problem(who)], items?: object[]) =>
  as[who].call(createQualityCheck, { query: { projectCode }, body: { id: newId(), action, ...fields(problems, items) } } as never)
const ask = (who: Who, body: object) =>
  as[who].ask(createQualityCheck, { query: { projectCode }, body: { id: newId(), action: 'submit', ...body } } as never)
const read = (who: Who, id: string) => as[who].call(getQualityCheck, { params: { id }, query: { projectCode: '*' } })
const listed = async (who: Who, more: object = {}) =>
  (await as[who].call(listQualityChecks, { query: { projectCode: '*', size: 1000, ...more } })).list.map((row) => row.id)

describe('a quality check', () => {
  test('keeps items, defects and measured values, and issues notices of quality', async () => {
    const { id, code, state } = await create(
      'manager',
      'submit',
      [problem('manager'), problem('manager', { corpCode: subcontractor })],
      [
        { itemCode: '0202', result: '2', measured: '饱满度 68%', standard: '≥ 80%' },
        { itemCode: '0302', result: '1' },
      ],
    )
    expect(code).toMatch(/-ZJ-\d{4}-\d{3}$/)
    expect(state).toBe('1')
    const file = await read('supervisor', id)
    expect(file.items.map((one) => [one.name, one.resultName, one.groupName])).toEqual([
      ['砌体结构', '不合格', '主体结构'],
      ['抹灰', '合格', '建筑装饰装修'],
    ])
    expect(file.problems.map((one) => [one.qualityProblemName, one.itemName, one.measured])).toEqual([
      ['砌体灰缝不饱满', '砌体结构', '饱满度 68%'],
      ['砌体灰缝不饱满', '砌体结构', '饱满度 68%'],
    ])
    expect([file.conclusion, file.qualityProblemNames]).toEqual(['3', ['砌体灰缝不饱满']])
    const notice = await as.manager.call(getRectify, { params: { id: file.notices[0]?.id ?? '' } })
    expect([notice.category, notice.source]).toEqual([
      '02',
      { title: '质量检查', page: `/qualityInspectiondetail?id=${id}`, handling: null },
    ])
    expect(notice.code).toContain('-ZL-')
  })

  test('counts how often a defect was at the same part', async () => {
    const part = '九层 1 轴'
    for (const times of [1, 2, 3]) {
      const { id } = await create('manager', 'submit', [problem('manager', { part })])
      expect((await read('manager', id)).problems[0]?.times).toBe(times)
    }
  })

  test('all right is closed at once, and mended on the spot is said so', async () => {
    const right = await create('supervisor', 'submit', [])
    expect([right.state, (await read('manager', right.id)).conclusion]).toEqual(['7', '1'])
    const mended = await create('manager', 'submit', [problem('manager', { mended: '当场返工', mendedPhotos: [files.manager] })])
    expect([mended.state, (await read('manager', mended.id)).conclusion]).toEqual(['7', '2'])
  })

  test('does not mix with the hazards of the safety patrol', async () => {
    const { list } = await as.manager.call(frequentProblems, { query: { projectCode, group: 'item' } })
    expect(list.map((one) => one.key)).not.toContain('0202')
    const hints = await as.manager.call(qualityHints, { query: { projectCode } })
    expect(hints.items.map((one) => one.code)).toContain('0202')
    expect(hints.phrases[0]?.qualityProblem).toBe('07')
  })

  const wrong: readonly [string, (who: Who) => object, string, string][] = [
    ['an item', () => fields([], []), 'items', '至少检查一项'],
    ['a result', () => fields([], [{ itemCode: '0202', result: '4' }]), 'items.0.result', '没有结果'],
    ['a problem for a failed item', () => fields([], [{ itemCode: '0202', result: '2' }]), 'items.0.result', '须写明问题'],
    [
      'a failed item for a problem',
      (who) => fields([problem(who)], [{ itemCode: '0202', result: '1' }]),
      'problems.0.itemCode',
      '判为不合格',
    ],
    ['a defect', (who) => fields([problem(who, { qualityProblem: '' })]), 'problems.0.qualityProblem', '请选择质量通病'],
    ['a photograph', (who) => fields([problem(who, { photos: [] })]), 'problems.0.photos', '请附问题照片'],
    ['a scale for a hollow area', (who) => fields([problem(who, { qualityProblem: '09' })]), 'problems.0.photos', '带标尺'],
    ['an item of the dictionary', () => fields([], [{ itemCode: '9999', result: '1' }]), 'items.0.itemCode', '不在字典'],
  ]
  test.each(wrong)('asks for %s', async (_what, body, field, words) => {
    const answer = await ask('manager', body('manager'))
    expect(answer.status).not.toBe(0)
    expect(JSON.stringify([answer.message, answer.data])).toContain(words)
    expect(JSON.stringify(answer.data)).toContain(field)
  })

  test('is known to its group alone while it is written; a subcontractor never sees it, only its notice', async () => {
    const { id } = await create('supervisor', 'save', [problem('supervisor')])
    for (const who of everybody) expect([who, (await listed(who)).includes(id)]).toEqual([who, who === 'supervisor'])
    const sent = await create('supervisor', 'submit', [problem('supervisor', { corpCode: subcontractor })])
    for (const who of everybody)
      expect([who, (await listed(who)).includes(sent.id)]).toEqual([who, !['subcontractor', 'stranger'].includes(who)])
    for (const who of ['subcontractor', 'authority', 'stranger'] as const)
      expect([who, (await ask(who, fields([]))).status === 0]).toEqual([who, false])
  })

  test('figures are those of the lists behind them, and filters find what they say', async () => {
    const query = { projectCode, size: 1000 }
    const { counts, list } = await as.manager.call(listQualityChecks, { query })
    const total = async (more: object) => (await as.manager.call(listQualityChecks, { query: { ...query, ...more } })).total
    expect(counts.open).toBe(await total({ tab: 'open' }))
    expect(counts.overdue).toBe(await total({ overdue: true }))
    expect(counts.topProblem?.checks).toBe(
      await total({ qualityProblem: counts.topProblem?.code, checkTime: `${counts.topProblem?.from},` }),
    )
    expect(await total({ items: '02' })).toBe(list.filter((row) => row.itemNames.some((one) => one.includes('结构'))).length)
    expect(await total({ conclusion: '1' })).toBe(list.filter((row) => row.conclusion === '1').length)
    expect(await total({ problemCount: '2,' })).toBe(list.filter((row) => row.problemCount >= 2).length)
  })
})

const holders: readonly Who[] = ['safety', 'manager']
describe.each([...(Object.keys(qualityMoves) as ('save' | 'submit')[]), 'remove' as const])('%s of a check', (action) => {
  test.each(['0', '1', '7'])('in state %s', async (state) => {
    for (const who of everybody) {
      const { id } = await create('manager', 'save')
      const shown = state === '0' ? null : new Date()
      await sql`update site_check set state = ${state}, shown_at = ${shown}, version = 3 where id = ${id}`.execute(world.database.kysely)
      const target = { params: { id }, query: { projectCode: '*' } }
      const answer =
        action === 'remove'
          ? await as[who].ask(removeQualityCheck, target)
          : await as[who].ask(changeQualityCheck, { ...target, body: { action, version: 3, ...fields([problem(who)]) } } as never)
      expect([who, answer.status === 0, answer.message]).toEqual([who, holders.includes(who) && state === '0', answer.message])
    }
  })
})

const written = (findings: { kind: string; id: string }[], more: object = {}) => ({
  title: '灰缝饱满度改进',
  qualityProblem: '07',
  corpCode: contractor,
  findings,
  causes: [{ group: 'method', text: '铺浆过长砂浆失水' }],
  whys: ['砂浆为什么失水'],
  lines: [{ part: '四层', text: '瞎缝墙段拆除重砌', person: '周大勇' }],
  prevention: '铺浆长度不超过五百毫米，砌块提前湿润',
  deadline: later(7),
  recheckAfter: later(40),
  targetRate: 90,
  ...more,
})
async function findingOf(who: Who = 'manager', more: object = {}) {
  const { id } = await create(who, 'submit', [problem(who, more)])
  return { kind: 'qualityInspection', id: (await read(who, id)).problems[0]?.id ?? '', checkId: id }
}
const improve = (who: Who, action: 'save' | 'issue', findings: { kind: string; id: string }[], more: object = {}) =>
  as[who].ask(createImprovement, { query: { projectCode }, body: { id: newId(), action, ...written(findings, more) } } as never)
const improvement = (who: Who, id: string) => as[who].call(getImprovement, { params: { id }, query: { projectCode: '*' } })
const judge = (who: Who, id: string, version: number, action: ImprovementAction) =>
  as[who].ask(changeImprovement, {
    params: { id },
    query: { projectCode: '*' },
    body: { action, version, opinion: '抽查三处均合格' },
  } as never)

describe('an improvement', () => {
  test('covers findings, becomes a notice, follows its state, is verified after its date and counts what comes again', async () => {
    const finding = await findingOf()
    const made = (await improve('manager', 'issue', [finding])) as { status: number; data: { id: string; state: string } }
    expect([made.status, made.data?.state]).toEqual([0, '1'])
    const { id } = made.data
    const file = await improvement('supervisor', id)
    expect(file.findings).toMatchObject([{ id: finding.id, measured: '饱满度 68%' }])
    expect([file.code, file.findingCount, file.recurrence]).toEqual([expect.stringContaining('-ZG-'), 1, null])
    expect((await read('manager', finding.checkId)).improvements.map((one) => one.id)).toEqual([id])
    const noticeId = file.noticeId ?? ''
    const notice = await as.manager.call(getRectify, { params: { id: noticeId } })
    expect([notice.category, notice.source?.title, notice.lines[0]?.requirement]).toEqual(['02', '质量改进', '瞎缝墙段拆除重砌'])
    const step = async (who: Who, body: object) => {
      const { version, lines } = await as[who].call(getRectify, { params: { id: noticeId } })
      const answer = await as[who].ask(changeRectify, {
        body: {
          id: noticeId,
          version,
          lines: lines.map((one) => ({ id: one.id, measure: '已拆除重砌并复测', photos: [files[who]] })),
          ...body,
        },
      } as never)
      expect([body, answer.status, answer.message]).toEqual([body, 0, answer.message])
    }
    await step('manager', { action: 'sign' })
    await step('company', { action: 'start' })
    await step('company', { action: 'reply', opinion: '完成' })
    expect((await improvement('manager', id)).state).toBe('4')
    await step('supervisor', { action: 'jlPass', opinion: '属实' })
    await step('manager', { action: 'recheckPass', opinion: '合格' })
    const closed = await improvement('manager', id)
    expect([closed.state, closed.recurrence, closed.verifyInDays]).toEqual(['7', 0, 40])
    const todo = await sql<{ due: string }>`select due from process_todo where kind = 'qualityImprovement' and object_id = ${id}`.execute(
      world.database.kysely,
    )
    expect(todo.rows).toEqual([{ due: later(40) }])
    // Not before its date.
    expect((await judge('manager', id, closed.version, 'effective')).message).toContain('到期后才能验证')
    await findingOf('manager', { part: '五层 2 轴' })
    await findingOf('manager', { corpCode: subcontractor })
    expect((await improvement('manager', id)).recurrences.map((one) => one.part)).toEqual(['五层 2 轴'])
    await sql`update quality_improvement set recheck_after = current_date - 1 where id = ${id}`.execute(world.database.kysely)
    for (const who of everybody.filter((one) => !holders.includes(one)))
      expect([who, (await judge(who, id, closed.version, 'effective')).status === 0]).toEqual([who, false])
    expect((await judge('manager', id, closed.version, 'ineffective')).status).toBe(0)
    const after = await improvement('manager', id)
    expect([after.verdict, after.followedBy?.code]).toEqual(['ineffective', null])
    const next = await improvement('manager', after.followedBy?.id ?? '')
    expect([next.state, next.follows?.id, next.findings.map((one) => one.id)]).toEqual(['0', id, [finding.id]])
    expect((await sql`select from process_todo where object_id = ${id}`.execute(world.database.kysely)).rows).toHaveLength(0)
    expect((await judge('manager', id, after.version, 'effective')).message).toContain('已经验证过')
  })

  test('a subcontractor sees what is addressed to it alone, a stranger nothing, drafts only their group', async () => {
    const finding = await findingOf('manager', { corpCode: subcontractor })
    const own = (await improve('manager', 'issue', [finding], { corpCode: subcontractor })) as { data: { id: string } }
    const other = (await improve('manager', 'issue', [await findingOf()])) as { data: { id: string } }
    const draft = (await improve('supervisor', 'save', [await findingOf('supervisor')])) as { data: { id: string } }
    const seen = async (who: Who) =>
      (await as[who].call(listImprovements, { query: { projectCode: '*', size: 1000 } })).list.map((row) => row.id)
    for (const who of everybody) {
      const ids = await seen(who)
      const all = !['subcontractor', 'stranger'].includes(who)
      expect([who, ids.includes(own.data.id), ids.includes(other.data.id), ids.includes(draft.data.id)]).toEqual([
        who,
        all || who === 'subcontractor',
        all,
        who === 'supervisor',
      ])
    }
    for (const who of ['subcontractor', 'stranger', 'authority'] as const)
      expect([who, (await improve(who, 'save', [finding])).status === 0]).toEqual([who, false])
    for (const who of everybody.filter((one) => one !== 'supervisor'))
      expect([
        who,
        (await as[who].ask(removeImprovement, { params: { id: draft.data.id }, query: { projectCode: '*' } })).status === 0,
      ]).toEqual([who, false])
    expect((await as.supervisor.ask(removeImprovement, { params: { id: draft.data.id }, query: { projectCode: '*' } })).status).toBe(0)
  })

  const faults: readonly [string, object, string, string][] = [
    ['a finding that is known', { findings: [{ kind: 'qualityInspection', id: 'nothing' }] }, 'findings.0.id', '不存在'],
    ['a kind that is known', { findings: [{ kind: 'weather', id: 'x' }] }, 'findings.0.id', '不存在'],
    ['a cause', { causes: [] }, 'causes', '至少写一个原因'],
    [
      'each kind of cause once',
      {
        causes: [
          { group: 'man', text: '班组不熟悉' },
          { group: 'man', text: '班组不熟练' },
        ],
      },
      'causes',
      '每类原因写一条',
    ],
    ['a deadline to come', { deadline: later(-1) }, 'deadline', '不能早于今天'],
    ['a verification after it', { recheckAfter: later(7) }, 'recheckAfter', '须晚于整改期限'],
    ['a company on the site', { corpCode: 'nobody' }, 'corpCode', '不在本项目场内'],
  ]
  test.each(faults)('asks for %s', async (_what, more, field, words) => {
    const answer = await improve('manager', 'issue', [await findingOf()], more)
    expect(answer.status).not.toBe(0)
    expect(JSON.stringify([answer.message, answer.data])).toContain(words)
    expect(JSON.stringify(answer.data)).toContain(field)
  })

  test('findings are offered by defect and company, the matrix counts them, and figures are those of their lists', async () => {
    const { series } = await as.manager.call(improvementFindings, { query: { projectCode } })
    const first = series[0]
    expect(first?.findings.length).toBeGreaterThanOrEqual(series[1]?.findings.length ?? 0)
    const { sites } = await as.manager.call(improvementMatrix, { query: { projectCode: '*' } })
    const cells = sites.find((one) => one.projectCode === projectCode)?.cells ?? []
    const { list } = await as.manager.call(listQualityChecks, { query: { projectCode, size: 1000, qualityProblem: '07' } })
    expect(cells.find((one) => one.problem === '07')?.found).toBe(
      list.filter((row) => row.state !== '0').reduce((n, row) => n + row.problemCount, 0),
    )
    const { counts } = await as.manager.call(listImprovements, { query: { projectCode } })
    for (const tab of ['running', 'effective', 'again', 'verify', 'todo'] as const)
      expect([tab, (await as.manager.call(listImprovements, { query: { projectCode, tab } })).total]).toEqual([tab, counts[tab]])
  })
})

test('what is wrong between items and problems is told at the field', () => {
  const photo = ['a']
  expect(itemFault([{ itemCode: '1', result: '1' }], [])).toBeUndefined()
  expect(
    itemFault(
      [
        { itemCode: '1', result: '1' },
        { itemCode: '1', result: '1' },
      ],
      [],
    )?.field,
  ).toBe('items.1.itemCode')
  expect(itemFault([{ itemCode: '1', result: '2' }], [{ itemCode: '1', qualityProblem: '12', photos: photo }])?.field).toBe(
    'problems.0.photos',
  )
  expect(itemFault([{ itemCode: '1', result: '2' }], [{ itemCode: '1', qualityProblem: '12', photos: ['a', 'b'] }])).toBeUndefined()
})

test('a cause that only repeats the problem is noticed', () => {
  expect(repeatsProblem('抹灰空鼓', ['内墙抹灰空鼓 4 处'])).toBe(true)
  expect(repeatsProblem('内墙抹灰空鼓，4处。', ['内墙抹灰空鼓 4 处'])).toBe(true)
  expect(repeatsProblem('基层未甩浆', ['内墙抹灰空鼓 4 处'])).toBe(false)
  expect(repeatsProblem('', ['内墙抹灰空鼓'])).toBe(false)
})
