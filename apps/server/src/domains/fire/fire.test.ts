import { acceptFires, changeFire, createFire, drawFires, fireSetup, getFire, listFire, verifyFireDraw } from '@zhugong/contract/fire/calls'
import { isPoint } from '@zhugong/contract/fire/catalogue'
import { fireDashboard } from '@zhugong/contract/fire/dashboard'
import { judgeBuild } from '@zhugong/contract/fire/judge'
import { type FireAction, fireMoves } from '@zhugong/contract/fire/moves'
import { fireItemsOf, writeFirePoint, writeFireSub } from '@zhugong/contract/fire/points'
import { signFire } from '@zhugong/contract/fire/seats'
import { changeFireItem, listFireItems, listFirePlaces } from '@zhugong/contract/fire/settings'
import type { InputFor } from '@zhugong/contract/kit/endpoint'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { newId } from '#kit/ids'
import { openCity, settleCity } from '../../../test/city.ts'
import { storedFile, strokes } from '../../../test/givens.ts'
import type { Answer, Caller, World } from '../../../test/world.ts'

/** A Monday, so that working days can be told. */
const start = Date.parse('2026-11-16T09:00:00+08:00')
let world: World
let projectCode = ''
let file = ''
let officerFile = ''
let chief = ''
const cast = {
  applicant: 'weijian-xia',
  officer: 'bj-zhao',
  second: 'bj-qian',
  chief: 'bj-wu',
  city: 'city-fang',
  elsewhere: 'yd-wang',
  site: 'hospital-pm',
  contractor: 'yunze-lu',
  supervisor: 'hospital-jl',
} as const
type Who = keyof typeof cast
const everybody = Object.keys(cast) as Who[]
const as = {} as Record<Who, Caller>
const ids = {} as Record<Who, string>
const query = { projectCode: '*' }

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => start } })
  const settled = await settleCity(world)
  const db = world.database.kysely
  projectCode = settled.city.personas.find((p) => p.account === cast.site)?.projectCode ?? ''
  for (const [who, account] of Object.entries(cast) as [Who, string][]) {
    as[who] = await settled.as(account)
    const { rows } = await sql<{ id: string; user: string }>`select t.id, u.id as user from app_user u join member m on m.user_id = u.id
      join tenant t on t.id = m.group_id where u.account = ${account} order by m.is_default desc limit 1`.execute(db)
    ids[who] = rows[0]?.user ?? ''
    if (who === 'applicant') file = await storedFile(world, rows[0]?.id ?? '')
    if (who === 'officer') officerFile = await storedFile(world, rows[0]?.id ?? '')
    if (who === 'chief') chief = rows[0]?.user ?? ''
  }
})
afterAll(() => world.close())

const tower = {
  unitId: null,
  name: '住院楼',
  use: 'mall' as const,
  structureType: null,
  fireRating: '1',
  danger: '9',
  useProperty: '1',
  floorsUp: 18,
  floorsDown: 2,
  height: 76,
  length: null,
  footprint: null,
  areaUp: 30_000,
  areaDown: 8_000,
  addedPlaces: [] as string[],
}
const application = (more: object = {}) => ({
  kind: '1' as const,
  contact: '夏文博',
  tel: '13800000000',
  isPart: false,
  designReviewNo: '消审 2024-12',
  designReviewDate: '2024-05-06',
  licenseNo: '420202202401010101',
  builds: [tower],
  parts: [],
  materials: [file],
  ...more,
})
const small = { ...tower, name: '门卫', use: 'other' as const, floorsUp: 1, floorsDown: 0, height: 4, areaUp: 60, areaDown: 0 }
const filing = () => application({ kind: '2', builds: [small], designReviewNo: null, designReviewDate: null })

const stored = async (id: string) =>
  (await sql<{ version: number; state: string }>`select version, state from fire_case where id = ${id}`.execute(world.database.kysely))
    .rows[0]
const tried = async (who: Who, id: string, body: object) =>
  as[who].ask(changeFire, {
    params: { id },
    query,
    body: { version: (await stored(id))?.version ?? 0, ...body } as InputFor<typeof changeFire>['body'],
  })
async function act(who: Who, id: string, body: object): Promise<void> {
  const { status, message } = await tried(who, id, body)
  expect({ status, message }).toMatchObject({ status: 0 })
}
const fieldOf = (answer: Answer<unknown>) => (answer.data as { field?: string } | null)?.field
async function made(body: object = application(), action = 'submit'): Promise<string> {
  const id = newId()
  await as.applicant.call(createFire, { query: { projectCode }, body: { id, action, ...body } as InputFor<typeof createFire>['body'] })
  return id
}
const team = () => ({
  action: 'assign',
  assessors: [
    { userId: ids.officer, expertId: null, name: '赵启明' },
    { userId: ids.second, expertId: null, name: '钱红' },
  ],
  drawn: null,
})
async function accepted(body: object = application()): Promise<string> {
  const id = await made(body)
  await act('officer', id, { action: 'accept' })
  return id
}
async function onSite(body: object = application()): Promise<string> {
  const id = await accepted(body)
  await act('chief', id, team())
  await act('officer', id, { action: 'start', placeReason: '地下室无信号' })
  return id
}
const read = (who: Who, id: string) => as[who].call(getFire, { params: { id }, query })

interface Given {
  itemCode: string
  part: string
  result?: '1' | '2' | '3'
}
/** Writes findings straight into the table, as if so many calls had been made; the last one by the call, which judges. */
async function write(id: string, buildId: string, all: readonly Given[], round = 1): Promise<void> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from fire_point where case_id = ${id}`.execute(world.database.kysely)
  let n = rows[0]?.n ?? 0
  for (const { itemCode, part, result = '1' } of all)
    await sql`insert into fire_point (id, case_id, round, build_id, project_code, corp_code, groups, item_code, level, check_part, result, product_fail,
        design_value, actual_value, tolerance, description, photos, by_id, by_name, at)
      select ${newId()}, c.id, ${round}, ${buildId}, c.project_code, c.corp_code, array_remove(c.groups, c.applicant_group), ${itemCode}, 'B', ${part},
        ${result}, false, '1', '1', 5, ${result === '2' ? '不符合' : null}, '{}', ${ids.officer}, '赵启明', ${new Date(start + n++)}
      from fire_case c where c.id = ${id}`.execute(world.database.kysely)
}
/** Looks at every point of a building at two places. */
async function wholeBuilding(id: string, round = 1, more: readonly Given[] = []): Promise<string> {
  const [build] = (await read('officer', id)).buildRows
  const buildId = build?.id ?? ''
  const { items, only } = await as.officer.call(fireItemsOf, { query: { ...query, assessmentId: id, buildId } })
  const points = items.filter((one) => isPoint(one.code) && (only === null || only.includes(one.code.slice(0, 4))))
  await write(
    id,
    buildId,
    points
      .flatMap((one) => ['1层', '2层'].map((part) => ({ itemCode: one.code, part })))
      .filter((one) => !more.some((m) => m.itemCode === one.itemCode && m.part === one.part)),
    round,
  )
  await write(id, buildId, more, round)
  for (const sub of items.filter((one) => one.code.length === 4 && one.fullCheck && (only === null || only.includes(one.code))))
    await as.officer.call(writeFireSub, { query, body: { assessmentId: id, buildId, subCode: sub.code, total: 2, absentReason: null } })
  // Judged by whichever call comes last.
  const [first] = points
  await as.officer.call(writeFirePoint, {
    query,
    body: {
      id: newId(),
      assessmentId: id,
      buildId,
      itemCode: points.find((one) => !one.needsValue)?.code ?? first?.code ?? '',
      checkPart: '3层',
      result: '1',
    },
  })
  return buildId
}
async function signAll(id: string): Promise<void> {
  for (const who of ['officer', 'second'] as const) {
    const seat = (await read(who, id)).signatures.find((one) => one.own)?.seat ?? ''
    await as[who].call(signFire, { params: { id }, query, body: { action: 'sign', id: newId(), seat, image: strokes() } })
  }
}
const opinion = { action: 'issue', opinion: '按评定结果出具意见' }
async function issued(more: readonly Given[] = []): Promise<string> {
  const id = await onSite()
  await wholeBuilding(id, 1, more)
  await signAll(id)
  await act('officer', id, { action: 'conclude' })
  await act('chief', id, opinion)
  return id
}

describe('an application', () => {
  test('follows its buildings: kind, places and projects are not typed', async () => {
    const id = newId()
    const wrong = await as.applicant.ask(createFire, {
      query: { projectCode },
      body: { id, action: 'submit', ...application({ kind: '2' }) },
    })
    expect([fieldOf(wrong), wrong.message]).toEqual(['kind', '单体属于特殊建设工程，应申请消防验收'])
    const own = await made()
    const { firePlaces, special, buildRows, authorityName } = await read('applicant', own)
    expect([firePlaces, special, buildRows[0]?.projects.length, authorityName]).toEqual([['03', '12'], true, 14, '滨江区建设工程监督站'])
  })

  test('a repeated request creates nothing more', async () => {
    const id = newId()
    const body = { id, action: 'submit' as const, ...application() }
    const before = (await as.applicant.call(listFire, { query: { ...query, page: 1, size: 1 } })).total
    const [one, two] = [
      await as.applicant.call(createFire, { query: { projectCode }, body }),
      await as.applicant.call(createFire, { query: { projectCode }, body }),
    ]
    expect(one).toEqual(two)
    expect((await as.applicant.call(listFire, { query: { ...query, page: 1, size: 1 } })).total).toBe(before + 1)
  })

  test('only the 建设单位 of the project applies', async () => {
    const answer = await as.contractor.ask(createFire, {
      query: { projectCode },
      body: { id: newId(), action: 'save', ...application() },
    })
    expect(answer.status).not.toBe(0)
  })

  test('it is known to the applicant and the authorities of the area, a draft to its author alone', async () => {
    const draft = await made(application(), 'save')
    const id = await made()
    for (const who of everybody) {
      const [ofDraft, ofCase] = [
        await as[who].ask(getFire, { params: { id: draft }, query }),
        await as[who].ask(getFire, { params: { id }, query }),
      ]
      expect([who, ofDraft.status === 0, ofCase.status === 0]).toEqual([
        who,
        who === 'applicant',
        ['applicant', 'officer', 'second', 'chief', 'city'].includes(who),
      ])
    }
  })

  test('refused with the missing paper, filed again', async () => {
    const id = await made()
    await act('officer', id, { action: 'refuse', noAcceptReason: '3', opinion: '缺消防竣工图纸' })
    expect(await read('applicant', id)).toMatchObject({ state: '2', noAcceptName: '缺少文件', noAcceptNote: '缺消防竣工图纸' })
    await act('applicant', id, { action: 'submit', ...application() })
    expect(await read('applicant', id)).toMatchObject({ state: '1', noAcceptName: null })
  })
})

describe('the deadline', () => {
  test('counts working days and stands still while papers are repaired', async () => {
    const id = await accepted()
    expect(await read('applicant', id)).toMatchObject({ dueDate: '2026-12-07', daysLeft: 15, paused: false })
    await act('officer', id, { action: 'askPapers', opinion: '补充竣工图纸第 12 页' })
    await sql`update fire_pause set from_day = '2026-11-11' where case_id = ${id}`.execute(world.database.kysely)
    await sql`update fire_case set due_from = '2026-11-09', due_date = '2026-11-30', paused_at = '2026-11-11' where id = ${id}`.execute(
      world.database.kysely,
    )
    expect(await read('applicant', id)).toMatchObject({ paused: true, daysLeft: 13, pausedDays: 3 })
    await act('applicant', id, { action: 'givePapers', opinion: '已补充图纸', materials: [file] })
    expect(await read('officer', id)).toMatchObject({ paused: false, dueDate: '2026-12-03', daysLeft: 13, pausedDays: 3 })
  })

  test('late and near cases are those of the list', async () => {
    const id = await accepted()
    const counted = async (deadline: 'near' | 'late') =>
      (await as.officer.call(listFire, { query: { ...query, page: 1, size: 1, deadline } })).total
    await sql`update fire_case set due_date = '2026-11-13' where id = ${id}`.execute(world.database.kysely)
    const wall = await as.chief.call(fireDashboard, { query })
    expect([wall.late, wall.near]).toEqual([await counted('late'), await counted('near')])
    expect(wall.late).toBeGreaterThan(0)
    expect((await read('officer', id)).daysLeft).toBeLessThan(0)
  })
})

describe('the draw', () => {
  test('is repeatable, and who is not drawn ends by the papers', async () => {
    const cases = []
    for (let i = 0; i < 4; i++) cases.push(await accepted(filing()))
    const body = {
      id: newId(),
      cases: await Promise.all(cases.map(async (id) => ({ id, version: (await stored(id))?.version ?? 0 }))),
      ratio: 25,
      witnesses: [{ name: '吴静', digits: '42' }],
    }
    const drawn = await as.officer.call(drawFires, { query, body })
    expect(drawn).toMatchObject({ drawn: 1, left: 3 })
    expect(await as.officer.call(drawFires, { query, body })).toEqual(drawn)
    expect(await as.city.call(verifyFireDraw, { params: { id: drawn.id }, query })).toMatchObject({ agrees: true, chain: { sound: true } })
    const files = await Promise.all(cases.map((id) => read('applicant', id)))
    expect(files.map((one) => one.state).sort()).toEqual(['3', '9', '9', '9'])
    expect(files.find((one) => one.state === '3')).toMatchObject({ kind: '3', inRandom: true, dueDate: '2026-12-07' })
    expect(files.find((one) => one.state === '9')).toMatchObject({ inRandom: false, dueDate: null })
    const again = await tried('officer', cases[0] ?? '', { action: 'accept' })
    expect(again.status).not.toBe(0)
  })

  test('an undrawn 备案 has no team', async () => {
    const id = await accepted(filing())
    expect((await tried('chief', id, team())).message).toBe('备案须先随机抽取')
  })

  test('several are accepted at once', async () => {
    const cases = [await made(), await made()]
    const body = { cases: await Promise.all(cases.map(async (id) => ({ id, version: (await stored(id))?.version ?? 0 }))) }
    expect(await as.officer.call(acceptFires, { query, body })).toEqual({ accepted: 2 })
  })
})

describe('the team', () => {
  test('at least two, of the authority, and nobody who works for a unit of the project', async () => {
    const id = await accepted()
    const [one] = team().assessors
    expect((await tried('chief', id, { ...team(), assessors: [one] })).message).toContain('至少 2 名')
    await sql`insert into member (id, user_id, group_id) select ${newId()}, ${ids.second}, t.id from tenant t where t.type = 3 and t.code = ${projectCode}`.execute(
      world.database.kysely,
    )
    expect((await tried('chief', id, team())).message).toContain('须回避')
    const { people } = await as.chief.call(fireSetup, { query: { ...query, caseId: id } })
    expect(people.find((person) => person.userId === ids.second)?.recused).toContain('任职于')
    await sql`delete from member m using tenant t where m.group_id = t.id and t.type = 3 and t.code = ${projectCode} and m.user_id = ${ids.second}`.execute(
      world.database.kysely,
    )
    await act('chief', id, { action: 'assign', assessors: [], drawn: 2 })
    expect((await read('chief', id)).assessors).toHaveLength(2)
  })
})

describe('on the site', () => {
  test('a point is added to, never overwritten; a 不符合 is changed with a reason only', async () => {
    const id = await onSite()
    const [build] = (await read('officer', id)).buildRows
    const point = (who: Who, more: object) =>
      as[who].ask(writeFirePoint, {
        query,
        body: { id: newId(), assessmentId: id, buildId: build?.id ?? '', itemCode: '010101', checkPart: '1层', result: '1', ...more },
      })
    expect(fieldOf(await point('officer', { result: '2' }))).toBe('description')
    expect(fieldOf(await point('officer', { result: '2', description: '墙体' }))).toBe('photos')
    expect((await point('chief', {})).message).toContain('没有此项权限')
    const same = newId()
    expect((await point('officer', { id: same, result: '2', description: '墙体', photos: [officerFile] })).status).toBe(0)
    expect((await point('officer', { id: same, result: '2', description: '墙体', photos: [officerFile] })).status).toBe(0)
    expect(fieldOf(await point('second', {}))).toBe('changeReason')
    expect((await point('second', { changeReason: '复核图纸后符合' })).status).toBe(0)
    const { entries, items } = await as.officer.call(fireItemsOf, { query: { ...query, assessmentId: id, buildId: build?.id ?? '' } })
    expect(entries.map((one) => [one.byName, one.result])).toEqual([
      ['赵启明', '2'],
      ['钱红', '1'],
    ])
    const judged = judgeBuild(items, build ?? { projects: [], places: [] }, entries, [], null)
    const detail = await read('officer', id)
    expect(detail.buildRows[0]?.judged).toMatchObject({
      verdict: judged.judged.verdict,
      subsDone: judged.subsDone,
      subsTotal: judged.subsTotal,
    })
  })

  test('is submitted when it is complete and everybody has signed; the verdict follows, and the applicant learns it from the opinion', async () => {
    const id = await onSite()
    expect((await tried('officer', id, { action: 'conclude' })).message).toContain('个子项没有完成')
    await wholeBuilding(id)
    expect((await tried('officer', id, { action: 'conclude' })).message).toBe('还有 2 名评定人员没有签名')
    await signAll(id)
    await act('officer', id, { action: 'conclude' })
    const hidden = await read('applicant', id)
    expect(hidden).toMatchObject({ submitted: false, rounds: [], problems: [], signatures: [], subsDone: null })
    expect(hidden.timeline.map((one) => one.action)).not.toContain('conclude')
    const items = await as.applicant.call(fireItemsOf, { query: { ...query, assessmentId: id, buildId: hidden.buildRows[0]?.id ?? '' } })
    expect(items.entries).toEqual([])
    await act('chief', id, { ...opinion, remark: '个别部位建议再查' })
    const decided = await read('applicant', id)
    expect(decided).toMatchObject({ state: '6', rounds: [{ verdict: 'pass', remark: '个别部位建议再查' }] })
  })

  test('a failed A fails; 复评 looks at the failed sub-items only, with proof for each', async () => {
    const id = await issued([{ itemCode: '010101', part: '1层', result: '2' }])
    const failed = await read('applicant', id)
    expect(failed).toMatchObject({ state: '7', rounds: [{ verdict: 'fail' }] })
    expect(failed.problems.map((one) => [one.itemCode, one.failing])).toEqual([['010101', true]])
    expect(
      (await tried('applicant', id, { action: 'recheck', proofs: [{ pointId: newId(), note: '已整改', files: [file] }] })).message,
    ).toContain('整改证明')
    await act('applicant', id, { action: 'recheck', proofs: [{ pointId: failed.problems[0]?.pointId, note: '已整改', files: [file] }] })
    await act('officer', id, { action: 'acceptRecheck' })
    const second = await read('officer', id)
    expect(second).toMatchObject({ state: '4', round: 2, applyType: '2', subsTotal: 1 })
    await wholeBuilding(id, 2)
    await signAll(id)
    await act('officer', id, { action: 'conclude' })
    await act('chief', id, opinion)
    const end = await read('applicant', id)
    expect([end.state, end.rounds.map((one) => one.verdict)]).toEqual(['6', ['fail', 'pass']])
  })
})

test('an assessment keeps the catalogue it began with', async () => {
  const catalogue = await as.city.call(listFireItems, { query: { ...query, page: 1, size: 5 } })
  expect(catalogue).toMatchObject({ levels: { A: 91, B: 107, C: 53 }, total: 251 })
  const id = await onSite()
  const [build] = (await read('officer', id)).buildRows
  const points = async () =>
    (await as.officer.call(fireItemsOf, { query: { ...query, assessmentId: id, buildId: build?.id ?? '' } })).items.map((one) => one.code)
  const before = await points()
  const local = { version: catalogue.version, code: '0101', name: '本地要点', level: 'B' as const }
  const added = await as.city.call(changeFireItem, { query, body: local })
  expect(added).toMatchObject({ code: '010191', version: catalogue.version + 1 })
  const off = await as.city.call(changeFireItem, { query, body: { version: added.version, code: '010101', enable: false } })
  expect(off.open).toBeGreaterThan(0)
  const fixed = await as.city.ask(changeFireItem, { query, body: { version: off.version, code: '010101', level: 'C' } })
  expect(fieldOf(fixed)).toBe('level')
  expect(await points()).toEqual(before)
  expect((await read('officer', id)).catalogue).toBe('交付目录')
  const next = await onSite()
  const [own] = (await read('officer', next)).buildRows
  const { items } = await as.officer.call(fireItemsOf, { query: { ...query, assessmentId: next, buildId: own?.id ?? '' } })
  expect(items.some((one) => one.code === '010191')).toBe(true)
  expect((await as.officer.call(listFirePlaces, { query: { ...query, page: 1, size: 50 } })).total).toBe(13)
})

describe('every state, action and caller', () => {
  const states = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'] as const
  const turns: Record<string, readonly Who[]> = {
    applicant: ['applicant'],
    authority: ['officer', 'second', 'chief'],
    assessor: ['officer', 'second'],
    either: ['applicant', 'officer', 'second', 'chief'],
  }
  const codes: Partial<Record<Who, readonly string[]>> = {
    applicant: ['fire-acceptance.apply'],
    officer: ['fire-acceptance.accept', 'fire-acceptance.assess'],
    second: ['fire-acceptance.accept', 'fire-acceptance.assess'],
    chief: ['fire-acceptance.accept', 'fire-acceptance.assign', 'fire-acceptance.sign'],
  }
  test.each(states)('state %s', async (state) => {
    const id = await onSite()
    await sql`update fire_case set state = ${state} where id = ${id}`.execute(world.database.kysely)
    for (const who of everybody) {
      const answer = await as[who].ask(getFire, { params: { id }, query })
      const offered = answer.status === 0 ? (answer.data as Awaited<ReturnType<typeof read>>).actions.map((one) => one.action) : []
      for (const [action, move] of Object.entries(fireMoves) as [FireAction, (typeof fireMoves)[FireAction]][]) {
        const may =
          (move.from as readonly string[]).includes(state) &&
          (turns[move.turn] ?? []).includes(who) &&
          [move.needs].flat().some((code) => codes[who]?.includes(code))
        if (!may) expect([who, action, offered.includes(action)]).toEqual([who, action, false])
      }
    }
    expect(chief).not.toBe('')
  })
})
