import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { listAudit } from '@zhugong/contract/access/endpoints'
import { changeTrip, createTrip, listTrips } from '@zhugong/contract/experts/activities'
import { applyExpert, applyLimits, ticketHeader, uploadExpertFile } from '@zhugong/contract/experts/apply'
import { changeExpert, createExpert, getExpert, listExperts, saveLibrary, unmaskExpert } from '@zhugong/contract/experts/library'
import { correctScore, freezeYear, getEvaluation, giveScore, listPendingScores, listYearScores } from '@zhugong/contract/experts/scores'
import { listTodos } from '@zhugong/contract/home/endpoints'
import { dayMs } from '@zhugong/contract/kit/time'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { formatDay } from '#kit/clock'
import { createLog } from '#kit/log'
import { createSecrets } from '#kit/secret'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { idCard, mobile, storedFile } from '../../../test/givens.ts'
import { type Answer, type Caller, testSecretKey, type World } from '../../../test/world.ts'
import { anywhere, enlist, type Library, openLibrary, registration } from './givens-for-test.ts'
import { endTerms, forgetApplications } from './public.ts'

let world: World
let settled: CityWorld
let library: Library
let gateway: Server
const messages: { phone: string; text: string }[] = []
const as = {} as Record<'clerk' | 'head' | 'site' | 'other' | 'admin', Caller>
const db = () => world.database.kysely

beforeAll(async () => {
  gateway = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      messages.push(JSON.parse(body) as { phone: string; text: string })
      response.end('{}')
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => gateway.once('listening', resolve))
  const { port } = gateway.address() as AddressInfo
  world = await openCity(
    inject('postgresUrl'),
    {},
    { environment: { SMS_URL: `http://127.0.0.1:${port}/sms`, OUTGOING_INSIDE: '127.0.0.0/8' } },
  )
  settled = await settleCity(world)
  for (const [who, account] of Object.entries({
    clerk: 'city-xu',
    head: 'city-fang',
    site: 'hospital-pm',
    other: 'yd-wang',
    admin: 'admin',
  }))
    as[who as keyof typeof as] = await settled.as(account)
  library = await openLibrary(world, as.clerk, as.head)
})
afterAll(async () => {
  await world.close()
  gateway.close()
})
beforeEach(async () => {
  await world.database.pool.query('delete from open_use')
})

const ask = (body: object) => world.anonymous.ask(applyExpert, { body } as never)
async function call(body: object) {
  const answer = await ask(body)
  if (answer.status !== 0) throw new Error(`${answer.message} ${JSON.stringify(answer.data)}`)
  return answer.data
}
async function captcha(): Promise<{ captchaKey: string; captcha: string }> {
  const { createHash } = await import('node:crypto')
  const captchaKey = Math.random().toString(16).slice(2).padEnd(16, '0')
  const hash = createHash('sha256').update(`${captchaKey}:abcde`).digest('hex')
  await world.database.pool.query(`insert into captcha (key, answer_hash, expires_at) values ($1, $2, now() + interval '5 minutes')`, [
    captchaKey,
    hash,
  ])
  return { captchaKey, captcha: 'ABCDE' }
}
const askCode = async (phone: string) => ask({ step: 'code', phone, ...(await captcha()) })
async function ticketFor(phone: string) {
  await world.database.pool.query('delete from one_time_code')
  const before = messages.length
  expect((await askCode(phone)).status).toBe(0)
  await expect.poll(() => messages.length).toBeGreaterThan(before)
  const code = /验证码 (\d{6})/.exec(messages.at(-1)?.text ?? '')?.[1] ?? ''
  const { ticket = '' } = await call({ step: 'verify', phone, code })
  return ticket
}
const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex')
async function upload(ticket: string, body: Buffer = png, fileName = '照片.png') {
  const head = `--x\r\ncontent-disposition: form-data; name="file"; filename="${fileName}"\r\ncontent-type: image/png\r\n\r\n`
  const answer = await world.api.app.inject({
    method: 'POST',
    url: uploadExpertFile.path,
    headers: { [ticketHeader]: ticket, 'content-type': 'multipart/form-data; boundary=x' },
    payload: Buffer.concat([Buffer.from(head), body, Buffer.from('\r\n--x--\r\n')]),
  })
  return answer.json() as Answer<{ id: string }>
}
const person = (more: object = {}) => ({
  name: '申请人甲',
  idCardNumber: idCard('1972-03-04'),
  workUnit: '江城理工大学',
  title: '4',
  titleMajor: '结构工程',
  degree: '08',
  workYears: 22,
  ...more,
})
const career = {
  specialties: ['08', '02'],
  resume: '长期从事结构工程教学与咨询',
  certs: [{ name: '一级注册结构工程师', number: 'S001', validEnd: null }],
}
async function fill(ticket: string, more: object = {}) {
  const save = { step: 'save', ticket, library: library.groupId }
  await call({ ...save, person: person(more) })
  await call({ ...save, career })
  const { data } = await upload(ticket)
  await call({ ...save, papers: { photo: data.id, unitOpinion: data.id, commitments: data.id } })
}
const rowOf = async (phone: string) => {
  const { list } = await as.clerk.call(listExperts, { query: { ...anywhere, tab: 'waiting', size: 1000 } })
  return list.find((one) => one.phone === `${phone.slice(0, 3)}****${phone.slice(-4)}`)
}
const decide = async (who: 'clerk' | 'head', id: string, action: string, more: object = {}) => {
  const { rows } = await sql<{ version: number }>`select version from expert where id = ${id}`.execute(db())
  return as[who].ask(changeExpert, { params: { id }, query: anywhere, body: { action, version: rows[0]?.version ?? 0, ...more } } as never)
}

describe('a public application', () => {
  test('is written step by step, comes back after a reload, is returned, corrected and admitted', async () => {
    const phone = mobile()
    let ticket = await ticketFor(phone)
    await fill(ticket)
    ticket = await ticketFor(phone)
    const again = await call({ step: 'query', ticket })
    expect(again.draft).toMatchObject({ library: library.groupId, person: { name: '申请人甲' }, career: { specialties: ['08', '02'] } })
    expect(again.application).toBeNull()
    expect((await call({ step: 'submit', ticket })).application).toMatchObject({ state: '1', stateName: '待审核' })
    expect((await ask({ step: 'submit', ticket })).message).toContain('已提交')
    const waiting = await rowOf(phone)
    expect(waiting).toMatchObject({ applied: true, specialtyNames: ['混凝土与结构', '模板与脚手架'] })
    expect(JSON.stringify(await as.clerk.call(listTodos, { query: {} } as never))).toContain('专家入库审核')
    const id = waiting?.id ?? ''
    expect((await decide('clerk', id, 'reject', { opinion: '业绩材料不足' })).status).toBe(0)
    expect((await call({ step: 'query', ticket })).application).toMatchObject({ state: '3', opinion: '业绩材料不足' })
    await call({ step: 'submit', ticket })
    await call({ step: 'withdraw', ticket })
    expect(await rowOf(phone)).toBeUndefined()
    expect((await as.clerk.ask(getExpert, { params: { id }, query: anywhere })).message).toContain('不存在')
    await call({ step: 'submit', ticket })
    expect((await decide('clerk', id, 'pass', { years: 3 })).status).toBe(0)
    const file = await as.clerk.call(getExpert, { params: { id }, query: anywhere })
    expect([file.state, file.certs.length, file.photo !== null, file.phone.includes('*'), file.idCardNumber.includes('*')]).toEqual([
      '2',
      1,
      true,
      true,
      true,
    ])
    expect(file.validEnd?.slice(0, 4)).toBe(String(Number(file.validStart?.slice(0, 4)) + 3))
    expect(file.timeline.map((one) => one.label)).toEqual(['提交申请', '驳回', '提交申请', '撤回申请', '提交申请', '通过'])
    expect((await ask({ step: 'submit', ticket })).message).toContain('已有专家档案')
  })

  test('is checked at the basic data, before anything is uploaded', async () => {
    const ticket = await ticketFor(mobile())
    const save = (more: object) => ask({ step: 'save', ticket, library: library.groupId, person: person(more) })
    expect((await save({ idCardNumber: idCard('1950-01-01') })).data).toMatchObject({ field: 'idCardNumber' })
    expect((await save({ title: '2' })).data).toMatchObject({ field: 'title' })
    expect((await save({ workYears: 14 })).data).toMatchObject({ field: 'workYears' })
    expect((await upload(ticket)).message).toContain('请先保存基本信息')
    expect((await ask({ step: 'submit', ticket })).data).toMatchObject({ field: 'person' })
    expect((await ask({ step: 'save', ticket, library: 'nowhere', person: person() })).data).toMatchObject({ field: 'library' })
  })

  test('answers the same for known and unknown phones and numbers', async () => {
    const [known] = await enlist(world, library, 1)
    const answers = [await askCode(known?.phone ?? ''), await askCode(mobile())]
    expect(answers.map(({ status, data }) => [status, data])).toEqual([
      [0, {}],
      [0, {}],
    ])
    const { rows } = await sql<{ number: Buffer }>`select id_card_number as number from expert where id = ${known?.id ?? ''}`.execute(db())
    const number = createSecrets(testSecretKey).open(rows[0]?.number) ?? ''
    const phone = mobile()
    const ticket = await ticketFor(phone)
    await fill(ticket, { idCardNumber: number })
    expect((await call({ step: 'submit', ticket })).application).toMatchObject({ state: '1' })
    // Only the clerk is told, and cannot admit the same person twice.
    const twin = await rowOf(phone)
    expect(twin?.twin).toBe(true)
    expect((await decide('clerk', twin?.id ?? '', 'pass', { years: 3 })).message).toContain('已有档案')
  })

  test('needs a captcha, and a code is sent once a minute and five times a day', async () => {
    const phone = mobile()
    expect((await ask({ step: 'code', phone, captchaKey: 'x', captcha: 'abcde' })).data).toMatchObject({ field: 'captcha' })
    expect((await askCode(phone)).status).toBe(0)
    expect((await askCode(phone)).message).toContain('1 分钟后')
    for (let i = 2; i < applyLimits.codes; i++) {
      await world.database.pool.query('delete from one_time_code')
      expect((await askCode(phone)).status, String(i)).toBe(0)
    }
    await world.database.pool.query('delete from one_time_code')
    expect((await askCode(phone)).message).toContain(`最多获取 ${applyLimits.codes} 次`)
    expect((await ask({ step: 'verify', phone, code: '000000' })).message).toContain('不正确')
  })

  test('is submitted ten times a day from one address', async () => {
    await world.database.pool.query(`insert into open_use (subject, day, n) values ('expert applications of 127.0.0.1', $1, $2)`, [
      formatDay(Date.now()),
      applyLimits.submits,
    ])
    const phone = mobile()
    const ticket = await ticketFor(phone)
    await fill(ticket)
    expect((await ask({ step: 'submit', ticket })).message).toContain('一天最多提交')
    expect(await rowOf(phone)).toBeUndefined()
  })

  test('hangs on its own ticket: others, forged and expired ones do nothing', async () => {
    const [mine, yours] = [mobile(), mobile()]
    const ticket = await ticketFor(mine)
    await fill(ticket)
    const theirs = await ticketFor(yours)
    expect((await call({ step: 'query', ticket: theirs })).draft).toMatchObject({ person: null })
    const { draft } = (await call({ step: 'query', ticket })) as unknown as { draft: { papers: { photo: string } } }
    const stolen = draft.papers.photo
    await call({ step: 'save', ticket: theirs, library: library.groupId, person: person() })
    const papers = { photo: stolen, unitOpinion: stolen, commitments: stolen }
    expect((await ask({ step: 'save', ticket: theirs, library: library.groupId, papers })).message).toContain('附件不存在')
    const forged = 'f'.repeat(64)
    for (const step of ['submit', 'query', 'withdraw']) expect((await ask({ step, ticket: forged })).message, step).toContain('已过期')
    expect((await upload(forged)).message).toContain('已过期')
    expect((await upload('')).message).toContain('已过期')
    await world.database.pool.query(`update expert_ticket set expires_at = now() - interval '1 second'`)
    expect((await ask({ step: 'submit', ticket })).message).toContain('已过期')
    await forgetApplications(db(), Date.now())
    expect((await sql`select from expert_ticket`.execute(db())).rows).toHaveLength(0)
  })

  test('takes pictures and PDF by content only, and no more than its share', async () => {
    const ticket = await ticketFor(mobile())
    await call({ step: 'save', ticket, library: library.groupId, person: person() })
    expect((await upload(ticket, Buffer.from('<!doctype html><script>1</script>'), 'a.png')).message).toContain('不能上传网页或 SVG 文件')
    expect((await upload(ticket, Buffer.from('PK\u0003\u0004 a zip'), 'a.png')).status).not.toBe(0)
    for (let i = 2; i < applyLimits.uploads; i++) expect((await upload(ticket)).status).toBe(0)
    expect((await upload(ticket)).message).toContain(`最多上传 ${applyLimits.uploads}`)
  })
})

describe('the library', () => {
  test('is admitted to by a second person, and a known number opens its file', async () => {
    const papers = await storedFile(world, library.groupId)
    const body = registration(papers)
    const { id, known } = await as.clerk.call(createExpert, { query: anywhere, body })
    expect(known).toBe(false)
    expect(await as.clerk.call(createExpert, { query: anywhere, body })).toEqual({ id, known: true })
    expect((await decide('clerk', id, 'pass', { years: 3 })).message).toContain('另一人')
    expect((await decide('head', id, 'pass', { years: 3 })).status).toBe(0)
    const { idCardNumber: _number, submit: _submit, ...kept } = body
    // Listed experts keep their specialties until a change is decided, by another person.
    expect((await decide('clerk', id, 'save', { ...kept, phone: null, specialties: ['03'] })).status).toBe(0)
    const wished = await as.clerk.call(getExpert, { params: { id }, query: anywhere })
    expect([wished.specialties, wished.wish]).toEqual([['01'], ['03']])
    expect((await decide('clerk', id, 'accept')).message).toContain('另一人')
    expect((await decide('head', id, 'accept')).status).toBe(0)
    expect((await as.head.call(getExpert, { params: { id }, query: anywhere })).specialties).toEqual(['03'])
    for (const [action, state] of [
      ['suspend', '4'],
      ['resume', '2'],
      ['remove', '5'],
    ] as const) {
      expect((await decide('head', id, action, { opinion: '核实情况' })).status).toBe(0)
      expect((await as.head.call(getExpert, { params: { id }, query: anywhere })).state).toBe(state)
    }
    const draft = await as.clerk.call(createExpert, { query: anywhere, body: registration(papers, { photo: null, submit: false }) })
    expect((await decide('clerk', draft.id, 'submit')).data).toMatchObject({ field: 'photo' })
  })

  test('shows numbers in full to its own authority with a reason, and records who looked', async () => {
    const [one] = await enlist(world, library, 1)
    const unmask = (who: keyof typeof as) =>
      as[who].ask(unmaskExpert, { params: { id: one?.id ?? '' }, query: anywhere, body: { reason: '电话通知参会' } })
    expect((await unmask('clerk')).data).toMatchObject({ phone: one?.phone })
    for (const who of ['site', 'other', 'admin'] as const) expect((await unmask(who)).status, who).not.toBe(0)
    const { list } = await as.head.call(listAudit, { query: { size: 100 } } as never)
    expect(JSON.stringify(list)).toContain('电话通知参会')
  })

  test('of another authority is closed: nobody else reads its applications, decides or changes its rules', async () => {
    const papers = await storedFile(world, library.groupId)
    const { id } = await as.clerk.call(createExpert, { query: anywhere, body: registration(papers) })
    for (const who of ['site', 'other'] as const) {
      expect((await as[who].ask(getExpert, { params: { id }, query: anywhere })).status, who).not.toBe(0)
      const body = { action: 'pass', version: 0, years: 3 }
      expect((await as[who].ask(changeExpert, { params: { id }, query: anywhere, body } as never)).status, who).not.toBe(0)
    }
    const body = { action: 'pass', version: 0, years: 3 }
    expect((await as.admin.ask(changeExpert, { params: { id }, query: anywhere, body } as never)).status).not.toBe(0)
    expect((await as.admin.ask(createExpert, { query: anywhere, body: registration(papers) })).status).not.toBe(0)
    const rules = { name: 'x', isOpen: false, maxAge: 65, leastYears: 0, termYears: 3, coolDays: 0, hideNames: false, version: 1 }
    for (const who of ['site', 'other', 'admin'] as const)
      expect((await as[who].ask(saveLibrary, { query: anywhere, body: rules })).status, who).not.toBe(0)
  })

  test('ends terms on their day', async () => {
    const [one] = await enlist(world, library, 1)
    await sql`update expert set valid_end = ${formatDay(Date.now() + dayMs)}::date where id = ${one?.id ?? ''}`.execute(db())
    const at = (days: number) => ({
      db: db(),
      clock: { now: () => Date.now() + days * dayMs },
      secrets: createSecrets(testSecretKey),
      log: createLog('test-jobs', 'warn'),
    })
    expect(await endTerms(at(1))).toBe(0)
    expect(await endTerms(at(2))).toBe(1)
    expect((await as.head.call(getExpert, { params: { id: one?.id ?? '' }, query: anywhere })).stateName).toBe('聘期届满')
    expect((await decide('head', one?.id ?? '', 'renew', { years: 2 })).status).toBe(0)
  })
})

describe('absences', () => {
  test('are approved by another person, take the expert out of draws, and are refused across a meeting', async () => {
    const [one] = await enlist(world, library, 1, () => ({ specialties: ['99'] }))
    const day = (n: number) => formatDay(Date.now() + n * dayMs)
    const body = {
      expert: one?.id ?? '',
      activityType: '5',
      inviter: '省建设厅',
      destination: '420100',
      startDate: day(2),
      endDate: day(4),
      payer: '1' as const,
      content: '标准宣贯授课',
    }
    const { id } = await as.clerk.call(createTrip, { query: anywhere, body })
    const act = async (who: 'clerk' | 'head', action: string, more: object = {}) => {
      const { rows } = await sql<{ version: number }>`select version from expert_trip where id = ${id}`.execute(db())
      return as[who].ask(changeTrip, {
        params: { id },
        query: anywhere,
        body: { action, version: rows[0]?.version ?? 0, ...more },
      } as never)
    }
    expect((await act('clerk', 'pass')).message).toContain('另一人')
    expect((await act('head', 'pass')).status).toBe(0)
    expect((await as.clerk.ask(createTrip, { query: anywhere, body: { ...body, startDate: day(4), endDate: day(5) } })).message).toContain(
      '冲突',
    )
    expect((await act('head', 'extend', { endDate: day(3), opinion: '行程变化' })).data).toMatchObject({ field: 'endDate' })
    expect((await act('head', 'extend', { endDate: day(6), opinion: '行程变化' })).status).toBe(0)
    expect((await act('clerk', 'back', { report: '授课完成，学员 80 人' })).status).toBe(0)
    const { list } = await as.head.call(listTrips, { query: { ...anywhere, size: 50 } })
    expect(list.find((trip) => trip.id === id)).toMatchObject({ state: '3', days: 5, reportLate: false })
    for (const who of ['site', 'other'] as const) expect((await as[who].call(listTrips, { query: anywhere })).total, who).toBe(0)
  })
})

describe('scores', () => {
  const year = Number(formatDay(Date.now()).slice(0, 4)) - 1
  const lines = { presence: 16, skill: 17, opinion: 15, fairness: 18, discipline: 17 }

  /** A finished activity of the site's group in the last year, which the expert attended. */
  async function attended(who: string, expertId: string, seq: string): Promise<string> {
    const { rows } = await sql<{
      id: string
      name: string
    }>`select t.id, t.name from app_user u join member m on m.user_id = u.id join tenant t on t.id = m.group_id
      where u.account = ${who}`.execute(db())
    const group = rows[0]
    await sql`insert into expert_activity (id, code, library_group, organiser_group, organiser_name, groups, shown_at, activity_type, title, date, half, place,
        content, over_scale, result, conclusion, state, create_by, create_time)
      values (${`a${seq}`}, ${`ZJHD-${seq}`}, ${library.groupId}, ${group?.id}, ${group?.name}, ${[group?.id, library.groupId]}, now(), '2', '质量检查',
        ${`${year}-06-${seq.slice(-2).padStart(2, '0')}`}::date, 'am', '项目部', '检查', false, 'done', '完成', '4', 'x', now())`.execute(
      db(),
    )
    await sql`insert into expert_activity_seat (id, activity_id, groups, shown_at, expert_id, expert_name, work_unit, phone_hash, role, date, half, sign_at)
      values (${`s${seq}`}, ${`a${seq}`}, ${[group?.id, library.groupId]}, now(), ${expertId}, '专家', '院', '', '成员', ${`${year}-06-01`}::date, 'am', now())`.execute(
      db(),
    )
    return `s${seq}`
  }

  test('are given by the organiser once, settled for the year, and then corrected by a second person only', async () => {
    const [one] = await enlist(world, library, 1)
    const id = one?.id ?? ''
    const seats = [await attended('hospital-pm', id, '11'), await attended('city-xu', id, '12')]
    expect((await as.site.call(listPendingScores, { query: anywhere })).list.map((row) => row.id)).toEqual([seats[0]])
    const give = (who: 'clerk' | 'site' | 'other', seat = '', more: object = {}) =>
      as[who].ask(giveScore, { query: anywhere, body: { seat, ...lines, ...more } })
    expect((await give('clerk', seats[0])).status).not.toBe(0)
    expect((await give('other', seats[0])).status).not.toBe(0)
    expect((await give('site', seats[0], { presence: 5 })).data).toMatchObject({ field: 'sentence' })
    expect((await give('site', seats[0])).status).toBe(0)
    expect((await give('site', seats[0])).message).toContain('已评价')
    const of = async (who: 'clerk' | 'site') =>
      (await as[who].call(listYearScores, { query: { ...anywhere, year, size: 100 } })).list.find((row) => row.id === id)
    expect(await of('clerk')).toMatchObject({ times: 1, meanScore: 83, score: null, gradeName: '次数不足' })
    expect((await give('clerk', seats[1], { presence: 10, skill: 10, sentence: '迟到且意见笼统' })).status).toBe(0)
    expect(await of('clerk')).toMatchObject({ times: 2, meanScore: 76.5, score: 76.5, gradeName: '合格' })
    // The organiser sees its own score only.
    expect(await of('site')).toMatchObject({ times: 1, meanScore: 83 })
    const detail = await as.site.call(getEvaluation, { params: { id }, query: { ...anywhere, year } })
    expect(detail.scores.map((row) => row.organiserName)).toHaveLength(1)
    expect((await as.site.ask(freezeYear, { query: anywhere, body: { year } })).status).not.toBe(0)
    expect((await as.head.ask(freezeYear, { query: anywhere, body: { year: year + 1 } })).message).toContain('尚未结束')
    expect((await as.head.call(freezeYear, { query: anywhere, body: { year } })).experts).toBe(1)
    expect((await as.head.ask(freezeYear, { query: anywhere, body: { year } })).message).toContain('已结算')
    const late = await attended('hospital-pm', id, '13')
    expect((await give('site', late)).message).toContain('已结算')
    const own = (await as.clerk.call(getEvaluation, { params: { id }, query: { ...anywhere, year } })).scores
    const mine = own.find((row) => row.total === 70)
    const better = { ...lines, reason: '经申诉核实，未迟到' }
    expect((await as.clerk.ask(correctScore, { params: { id: mine?.id ?? '' }, query: anywhere, body: better })).message).toContain(
      '另一人',
    )
    expect((await as.head.ask(correctScore, { params: { id: mine?.id ?? '' }, query: anywhere, body: better })).status).toBe(0)
    const after = await as.head.call(getEvaluation, { params: { id }, query: { ...anywhere, year } })
    expect([after.score, after.frozen, after.scores.find((row) => row.id === mine?.id)?.before]).toEqual([83, true, 70])
    expect((await as.head.call(getExpert, { params: { id }, query: anywhere })).score).toBe(83)
  })
})
