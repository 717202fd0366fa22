import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mostZipPapers, submitExport } from '@zhugong/contract/exports/endpoints'
import { listTodos } from '@zhugong/contract/home/endpoints'
import { checkPaper } from '@zhugong/contract/process/papers'
import { changeRectify, createRectify, getRectify } from '@zhugong/contract/rectify/calls'
import type { RectifyAction } from '@zhugong/contract/rectify/moves'
import { changePenalty } from '@zhugong/contract/rectify/penalty'
import { signRectify } from '@zhugong/contract/rectify/seats'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { newId } from '#kit/ids'
import { createLog } from '#kit/log'
import { Pdf } from '#kit/pdf'
import { createSecrets } from '#kit/secret'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { storedFile, strokes } from '../../../test/givens.ts'
import { type Caller, testSecretKey, type World } from '../../../test/world.ts'
import { runExport } from '../exports/run-export.ts'

let world: World
let settled: CityWorld
let projectCode = ''
let contractor = ''
const cast = {
  site: 'hospital-pm',
  officer: 'bj-zhao',
  head: 'bj-qian',
  supervisor: 'hospital-jl',
  contractor: 'yunze-lu',
  subcontractor: 'dingli-cheng',
  stranger: 'zhigu-pm',
} as const
type Who = keyof typeof cast
const as = {} as Record<Who, Caller>
const files = {} as Record<Who, string>
const names = {} as Record<Who, string>

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  projectCode = settled.city.personas.find((p) => p.account === cast.site)?.projectCode ?? ''
  const db = world.database.kysely
  for (const [who, account] of Object.entries(cast) as [Who, string][]) {
    as[who] = await settled.as(account)
    const { rows } = await sql<{ id: string; code: string; name: string }>`select t.id, t.code, u.name from app_user u
      join member m on m.user_id = u.id join tenant t on t.id = m.group_id where u.account = ${account} limit 1`.execute(db)
    files[who] = await storedFile(world, rows[0]?.id ?? '')
    names[who] = rows[0]?.name ?? ''
    if (who === 'contractor') contractor = rows[0]?.code ?? ''
    if (who === 'head')
      await sql`insert into member_role (member_id, role_id) select m.id, r.id from member m join app_user u on u.id = m.user_id and u.account = ${account},
        role r where r.groups_type = 1 and r.name = '科室负责人' and m.group_id = ${rows[0]?.id} on conflict do nothing`.execute(db)
  }
})
afterAll(() => world.close())

const later = (days: number) => new Date(Date.now() + 8 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10)
const issue = async (who: Who = 'officer', action: 'issue' | 'save' = 'issue') =>
  (
    await as[who].call(createRectify, {
      body: {
        projectCode,
        action,
        corpCode: contractor,
        sourceType: '01',
        noticeType: '2',
        category: '01',
        level: '1',
        checkDate: later(0),
        deadline: later(7),
        responsiblePerson: '周大勇',
        lines: [
          { description: '三层临边防护缺失', part: '三层东侧', requirement: '补齐防护栏杆', clause: '第 3.1 条', photos: [files[who]] },
        ],
      },
    })
  ).id
const read = (who: Who, id: string) => as[who].call(getRectify, { params: { id } })
async function act(who: Who, id: string, action: RectifyAction, more: object = {}) {
  const { version } = await read('officer', id)
  return as[who].ask(changeRectify, { body: { id, version, action, ...more } } as never)
}
const put = (who: Who, id: string, seat: string, more: object = {}) =>
  as[who].ask(signRectify, {
    params: { id },
    query: { projectCode: '*' },
    body: { action: 'sign', id: newId(), seat, image: strokes(), ...more },
  } as never)
const refuse = (who: Who, id: string, seat: string, more: object) =>
  as[who].ask(signRectify, { params: { id }, query: { projectCode: '*' }, body: { action: 'refuse', id: newId(), seat, ...more } } as never)
const seatOf = async (who: Who, id: string, seat: string) => (await read(who, id)).signatures.filter((one) => one.seat === seat)

describe('the receipt of a notice', () => {
  test('is drawn by the receiver when he signs for it', async () => {
    const id = await issue()
    expect(await seatOf('site', id, 'receiver')).toMatchObject([{ state: 'waiting', own: false, tablet: false }])
    expect((await act('site', id, 'sign', { signature: strokes(), place: '项目部' })).status).toBe(0)
    const [receiver] = await seatOf('officer', id, 'receiver')
    expect(receiver).toMatchObject({ state: 'signed', name: names.site, place: '项目部', byName: null })
    expect(receiver?.image).toBe(strokes())
    const again = await put('contractor', id, 'receiver')
    expect(again.message).toContain(`已由${names.site}于`)
  })

  test('without a drawing keeps name and time, and can be drawn later', async () => {
    const id = await issue()
    await act('site', id, 'sign')
    expect(await seatOf('site', id, 'receiver')).toMatchObject([{ state: 'named', name: names.site, own: true }])
    expect((await put('site', id, 'receiver')).status).toBe(0)
    expect(await seatOf('site', id, 'receiver')).toMatchObject([{ state: 'signed' }])
  })

  test('is taken on the tablet of the officer from whoever has no account', async () => {
    const id = await issue()
    expect((await act('site', id, 'serve', { name: '刘门卫', signature: strokes() })).status).not.toBe(0)
    expect((await act('officer', id, 'serve', { name: '刘门卫', phone: '13800138000', signature: strokes(2) })).status).toBe(0)
    const file = await read('site', id)
    expect(file.state).toBe('2')
    expect(file.signatures.find((one) => one.seat === 'receiver')).toMatchObject({
      state: 'signed',
      name: '刘门卫',
      phone: '138****8000',
      byName: names.officer,
    })
  })

  test('refused counts as delivered, with reason, officer and a witness who is neither of the two', async () => {
    const id = await issue()
    const given = { name: '周大勇', reason: '对问题有异议', witness: names.head }
    for (const [more, field] of [
      [{ witness: '' }, 'witness'],
      [{ witness: '周大勇' }, 'witness'],
      [{ witness: names.officer }, 'witness'],
      [{ witness: '路人甲' }, 'witness'],
      [{ reason: '' }, 'reason'],
    ] as const) {
      const answer = await act('officer', id, 'refuse', { ...given, ...more })
      expect(answer.data, JSON.stringify(more)).toMatchObject({ field })
    }
    for (const who of ['site', 'contractor', 'supervisor'] as const) expect((await act(who, id, 'refuse', given)).status).not.toBe(0)
    expect((await read('officer', id)).state).toBe('1')
    expect((await act('officer', id, 'refuse', given)).status).toBe(0)
    const file = await read('site', id)
    expect([file.state, file.deemed]).toEqual(['2', false])
    expect(file.signatures.find((one) => one.seat === 'receiver')).toMatchObject({
      state: 'refused',
      name: '周大勇',
      reason: '对问题有异议',
      witness: names.head,
      byName: names.officer,
      image: null,
    })
    expect(file.timeline.at(-1)?.opinion).toContain(`见证人 ${names.head}`)
  })

  test('a picture that is no drawing is refused', async () => {
    const id = await issue()
    const broken = `data:image/png;base64,${Buffer.from('not a picture').toString('base64')}`
    expect((await act('site', id, 'sign', { signature: broken })).data).toMatchObject({ field: 'image' })
    expect((await read('site', id)).state).toBe('1')
  })
})

describe('the seats of the officers', () => {
  test('are filled by the officers, not by the site, and by two different people', async () => {
    const id = await issue()
    for (const who of ['site', 'contractor', 'supervisor', 'head'] as const) expect((await put(who, id, 'issuer')).status, who).not.toBe(0)
    expect((await put('site', id, 'issuer', { name: names.officer })).status).not.toBe(0)
    // Whichever seat is asked for first, nobody takes both.
    expect((await put('officer', id, 'issuer2')).message).toContain('不同的人')
    expect((await put('officer', id, 'issuer')).status).toBe(0)
    expect((await put('officer', id, 'issuer2')).message).toContain('不同的人')
    expect((await put('officer', id, 'issuer2', { name: names.officer })).message).toContain('不同的人')
    expect((await put('head', id, 'issuer2')).status).toBe(0)
    const both = (await read('site', id)).signatures.filter((one) => one.seat.startsWith('issuer'))
    expect(both.map((one) => [one.state, one.name])).toEqual([
      ['signed', names.officer],
      ['signed', names.head],
    ])
    expect((await put('officer', id, 'nothing')).data).toMatchObject({ field: 'seat' })
  })

  test('of a recheck are signed under the names that it keeps', async () => {
    const id = await issue()
    await act('site', id, 'sign')
    const answers = (await read('site', id)).lines.map((line) => ({ id: line.id, measure: '已按要求整改到位', photos: [files.site] }))
    await act('site', id, 'reply', { lines: answers, opinion: '' })
    await act('supervisor', id, 'jlPass', { opinion: '' })
    expect(await seatOf('officer', id, 'recheck1.1')).toEqual([])
    await act('officer', id, 'recheckPass', { opinion: '合格', second: names.head })
    expect(await seatOf('officer', id, 'recheck1.1')).toMatchObject([{ state: 'named', name: names.officer, own: true }])
    expect((await put('head', id, 'recheck1.1')).message).toContain(names.officer)
    expect((await put('officer', id, 'recheck1.1')).status).toBe(0)
    expect((await put('officer', id, 'recheck1.2', { name: '别人' })).message).toContain(names.head)
    const second = await put('officer', id, 'recheck1.2', { name: names.head })
    expect(second.status, second.message).toBe(0)
    expect(await seatOf('site', id, 'recheck1.2')).toMatchObject([{ state: 'signed', name: names.head, byName: names.officer }])
  })

  test('two tablets write two seats at once; of two for one seat the second hears who signed', async () => {
    const id = await issue()
    const answers = await Promise.all([put('officer', id, 'issuer'), put('head', id, 'issuer2')])
    expect(answers.map((one) => one.status)).toEqual([0, 0])
    const other = await issue()
    await put('officer', other, 'issuer')
    const twice = await Promise.all([put('head', other, 'issuer2'), put('officer', other, 'issuer2', { name: '张见习' })])
    expect(twice.filter((one) => one.status === 0)).toHaveLength(1)
    expect(twice.find((one) => one.status !== 0)?.message).toMatch(/第二名监督员处已由.+于 \d\d-\d\d \d\d:\d\d 签名/)
  })

  test('a repeated request is written once', async () => {
    const id = await issue()
    const body = { action: 'sign', id: newId(), seat: 'issuer', image: strokes() }
    for (let i = 0; i < 2; i++)
      expect((await as.officer.ask(signRectify, { params: { id }, query: { projectCode: '*' }, body } as never)).status).toBe(0)
    const { rows } = await sql`select from process_signature where object_id = ${id}`.execute(world.database.kysely)
    expect(rows).toHaveLength(1)
  })

  test('the id of a stranger’s signature opens nothing', async () => {
    const id = await issue()
    const body = { action: 'sign', id: newId(), seat: 'issuer', image: strokes() }
    await as.officer.ask(signRectify, { params: { id }, query: { projectCode: '*' }, body } as never)
    expect((await as.site.ask(signRectify, { params: { id }, query: { projectCode: '*' }, body } as never)).status).not.toBe(0)
    expect((await put('stranger', id, 'receiver')).message).toContain('不存在')
    expect((await put('subcontractor', id, 'receiver')).message).toContain('不存在')
  })

  test('nothing is refused where refusing is not foreseen', async () => {
    const id = await issue()
    const answer = await refuse('officer', id, 'issuer', { name: names.officer, reason: '不签', witness: names.head })
    expect(answer.message).toContain('没有拒签')
  })
})

test('a signature is void, and stays, when the content changes; then the seat can be signed again', async () => {
  const id = await issue()
  await put('officer', id, 'issuer')
  await sql`update rectify_line set requirement = '改为张挂安全网' where rectify_id = ${id}`.execute(world.database.kysely)
  expect((await seatOf('officer', id, 'issuer')).map((one) => one.state)).toEqual(['named', 'void'])
  // The next action marks it, also for the paper.
  await act('site', id, 'sign')
  const { rows } = await sql<{ voidAt: Date | null }>`select void_at from process_signature where object_id = ${id}`.execute(
    world.database.kysely,
  )
  expect(rows[0]?.voidAt).not.toBeNull()
  expect((await put('officer', id, 'issuer')).status).toBe(0)
  expect((await seatOf('officer', id, 'issuer')).map((one) => one.state)).toEqual(['signed', 'void'])
  // An extension has a decision of its own: what was received stays received.
  await act('site', id, 'applyExtend', { until: later(12), reason: '预埋件未到货' })
  await act('head', id, 'decideExtend', { agree: true, opinion: '' })
  expect((await seatOf('officer', id, 'issuer')).map((one) => one.state)).toEqual(['signed', 'void'])
})

/** Rows that the site's role sees in the database. */
async function seenBySite(query: (tx: typeof world.database.kysely) => Promise<number>): Promise<number> {
  const { rows: groups } = await sql<{ id: string }>`select id from tenant where type = 3 and code = ${projectCode}`.execute(
    world.database.kysely,
  )
  return world.database.kysely.transaction().execute(async (tx) => {
    await sql`select set_config('role', 'zg_some', true), set_config('app.projects', ${projectCode}, true), set_config('app.limited', '', true),
      set_config('app.corps', '', true), set_config('app.group', ${groups[0]?.id ?? ''}, true), set_config('app.group_type', '3', true),
      set_config('app.governments', '', true), set_config('app.user', '', true)`.execute(tx)
    return query(tx as never)
  })
}

describe('the proposal of a penalty', () => {
  async function failed(times: number): Promise<string> {
    const id = await issue()
    await act('site', id, 'sign')
    for (let i = 0; i < times; i++) {
      const { lines } = await read('site', id)
      await act('site', id, 'reply', {
        lines: lines
          .filter((line) => line.state === 'open')
          .map((line) => ({ id: line.id, measure: '已按要求整改到位', photos: [files.site] })),
        opinion: '',
      })
      await act('supervisor', id, 'jlPass', { opinion: '' })
      const answer = await act('officer', id, 'recheckFail', { lines: [{ id: lines[0]?.id, opinion: '栏杆仍缺' }], second: names.head })
      expect(answer.status, answer.message).toBe(0)
    }
    return id
  }
  const change = (who: Who, id: string, version: number, body: object) =>
    as[who].ask(changePenalty, { params: { id }, body: { version, ...body } } as never)

  test('is drafted by the third failed recheck, for the authority alone', async () => {
    expect((await read('officer', await failed(2))).penalties).toEqual([])
    const id = await failed(3)
    const [draft] = (await read('officer', id)).penalties
    expect(draft).toMatchObject({ state: '0', code: null, amountYuan: null, clause: '第 3.1 条' })
    expect(draft?.facts).toContain('3 次复查仍不合格')
    expect(draft?.facts).toContain('栏杆仍缺')
    expect(draft?.actions.map((one) => one.action)).toEqual(['save', 'drop'])
    for (const who of ['site', 'contractor', 'supervisor'] as const) {
      expect((await read(who, id)).penalties, who).toEqual([])
      const answer = await change(who, draft?.id ?? '', 0, { action: 'drop', reason: '我们不同意处罚' })
      expect(answer.status, who).not.toBe(0)
      const { list } = await as[who].call(listTodos, { query: { size: 100 } } as never)
      expect(
        list.filter((one) => one.title.includes('处罚')),
        who,
      ).toEqual([])
    }
    const seen = await seenBySite(async (tx) => {
      const { rows } = await sql<{ n: number }>`select ((select count(*) from rectify_penalty where rectify_id = ${id})
        + (select count(*) from process_log where object_id = ${draft?.id}) + (select count(*) from process_todo where object_id = ${draft?.id}))::int as n`.execute(
        tx,
      )
      return rows[0]?.n ?? -1
    })
    expect(seen).toBe(0)
    const { rows } = await sql`select from process_todo where object_id = ${draft?.id}`.execute(world.database.kysely)
    expect(rows).toHaveLength(1)
  })

  test('is completed by the officer, issued by the head with its number, and then known to the site', async () => {
    const id = await failed(3)
    const [draft] = (await read('officer', id)).penalties
    const key = draft?.id ?? ''
    const fields = { facts: '经三次复查仍不合格，临边防护缺失', clause: '第 3.1 条', amountYuan: 20000 }
    expect((await change('officer', key, 0, { action: 'save', ...fields })).status).toBe(0)
    expect((await change('officer', key, 1, { action: 'issue', ...fields })).status).not.toBe(0)
    expect((await change('head', key, 0, { action: 'issue', ...fields })).message).toMatch(/刷新/)
    expect((await change('head', key, 1, { action: 'issue', ...fields, clause: '' })).data).toMatchObject({ field: 'clause' })
    expect((await change('head', key, 1, { action: 'issue', ...fields })).status).toBe(0)
    const [issued] = (await read('site', id)).penalties
    expect(issued).toMatchObject({ state: '1', amountYuan: 20000, issuedBy: names.head, actions: [] })
    expect(issued?.code).toMatch(/罚建〔\d{4}〕第\d{4}号$/)
    expect((await change('head', key, 2, { action: 'drop', reason: '已整改到位' })).status).not.toBe(0)
    expect(await printed('site', 'rectifyPenalty', { id: key })).toContain('penalty.')
  })

  test('is dropped with a reason, and the next failure drafts another', async () => {
    const id = await failed(3)
    const key = (await read('officer', id)).penalties[0]?.id ?? ''
    expect(await printed('officer', 'rectifyPenalty', { id: key })).toContain('还没有出具')
    expect((await change('officer', key, 0, { action: 'drop', reason: '' })).data).toMatchObject({ field: 'reason' })
    expect((await change('officer', key, 0, { action: 'drop', reason: '当事人已停工整改' })).status).toBe(0)
    expect((await read('site', id)).penalties).toEqual([])
    expect((await read('officer', id)).penalties).toMatchObject([{ state: '2', dropReason: '当事人已停工整改' }])
  })
})

const folder = mkdtempSync(join(tmpdir(), 'zg-signed-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function exported(who: Who, feature: string, exportType: 'pdf' | 'zip', query: object) {
  const submitted = await as[who].ask(submitExport, { body: { feature, exportType, query } } as never)
  if (submitted.status !== 0) return { id: '', message: submitted.message }
  const { id } = submitted.data
  await runExport(
    {
      database: world.database,
      clock: { now: () => Date.now() },
      secrets: createSecrets(testSecretKey),
      log: createLog('test', 'warn'),
      folder,
    },
    id,
  )
  const { rows } = await sql<{ message: string }>`select message from export_task where id = ${id}`.execute(world.database.kysely)
  return { id, message: rows[0]?.message ?? '' }
}

/** The texts of a paper and of its QR code, or why it is not drawn. */
async function printed(who: Who, feature: string, query: object): Promise<string> {
  const texts: string[] = []
  const qr = vi.spyOn(Pdf.prototype, 'qr').mockImplementation((text) => void texts.push(text))
  const signed = vi.spyOn(Pdf.prototype, 'signed').mockImplementation((all) => {
    texts.push(...all.map((one) => `${one.role} ${one.image ? '有签名' : '空白'} ${one.note ?? ''}`))
  })
  const facts = vi.spyOn(Pdf.prototype, 'heading').mockImplementation((text) => void texts.push(text))
  const paragraphs = vi.spyOn(Pdf.prototype, 'paragraph').mockImplementation((text) => void texts.push(text))
  try {
    const { message } = await exported(who, feature, 'pdf', query)
    return message || texts.join('\n')
  } finally {
    for (const spy of [qr, signed, facts, paragraphs]) spy.mockRestore()
  }
}

describe('a printed notice', () => {
  test('carries the drawings, a blank line for who has not signed, and a refusal with its witness', async () => {
    const id = await issue()
    await put('officer', id, 'issuer')
    await act('officer', id, 'refuse', { name: '周大勇', reason: '对问题有异议', witness: names.head })
    const text = await printed('officer', 'rectifyNotice', { id })
    expect(text).toMatch(new RegExp(`监督员 有签名 ${names.officer}`))
    expect(text).toContain('第二名监督员 空白')
    expect(text).toMatch(new RegExp(`受送达人 空白 周大勇拒签：对问题有异议，见证人 ${names.head}、${names.officer}`))
  })

  const tokenIn = (text: string) => /\/verify\?t=(\S+)/.exec(text)?.[1] ?? ''
  const verify = (t: string) => world.anonymous.ask(checkPaper, { query: { t } })

  test('is verified by its code alone, and tells a stranger only what its head says', async () => {
    const id = await issue()
    const token = tokenIn(await printed('officer', 'rectifyNotice', { id }))
    const file = await read('officer', id)
    const { data } = await verify(token)
    expect(data).toEqual({
      title: '安全隐患限期整改通知书',
      number: file.code,
      issuer: file.issuerGroupName,
      date: later(0),
      projectName: file.projectName,
      revoked: false,
      same: true,
      digest: token.split('.')[2],
    })
    const [name, , digest, mac] = token.split('.')
    const other = await issue()
    for (const guess of [
      file.code ?? '',
      id,
      `notice.${id}`,
      `${name}.${other}.${digest}.${mac}`,
      `${name}.${id}.${'0'.repeat(16)}.${mac}`,
    ])
      expect((await verify(guess)).status, guess).not.toBe(0)
    expect(tokenIn(await printed('officer', 'rectifyNotice', { id: other }))).not.toBe(token)
  })

  test('no longer agrees after an extension, and says when it was revoked', async () => {
    const id = await issue()
    const token = tokenIn(await printed('officer', 'rectifyNotice', { id }))
    await act('site', id, 'applyExtend', { until: later(12), reason: '预埋件未到货' })
    await act('head', id, 'decideExtend', { agree: true, opinion: '' })
    expect((await verify(token)).data).toMatchObject({ same: false, revoked: false })
    await act('head', id, 'revoke', { reason: '下发有误，撤销' })
    expect((await verify(token)).data).toMatchObject({ revoked: true })
  })

  test('comes with others in one archive, up to a limit, and only with papers that the caller sees', async () => {
    const ids = [await issue(), await issue(), await issue()]
    const { id, message } = await exported('officer', 'rectifyNotice', 'zip', { ids })
    expect(message).toBe('')
    const bytes = readFileSync(join(folder, `${id}.zip`))
    expect(bytes.readUInt32LE(0)).toBe(0x04034b50)
    expect(bytes.readUInt16LE(bytes.length - 22 + 10)).toBe(3)
    expect(bytes.toString('utf8').match(/安全隐患限期整改通知书_[^\0]+?\.pdf/g)).toHaveLength(6)
    const many = await exported('officer', 'rectifyNotice', 'zip', { ids: Array.from({ length: mostZipPapers + 1 }, () => ids[0]) })
    expect(many.message).toContain(`最多 ${mostZipPapers} 份`)
    expect((await exported('officer', 'rectifyNotice', 'zip', { ids: [] })).message).toContain('请选择')
    expect((await exported('stranger', 'rectifyNotice', 'zip', { ids })).message).toContain('不存在')
    expect((await exported('officer', 'rectify', 'zip', { ids })).message).toContain('没有这个导出')
  })
})

test('of a notice that is not issued nobody sees seats or papers', async () => {
  const id = await issue('officer', 'save')
  expect((await put('site', id, 'receiver')).message).toContain('不存在')
  expect((await put('officer', id, 'issuer')).message).toContain('不能签名')
})
