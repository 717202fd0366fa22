import { idCardCheckCharacter } from '@zhugong/contract/kit/checks'
import { emptyOption } from '@zhugong/contract/kit/fields'
import { shanghaiOffsetMs } from '@zhugong/contract/kit/time'
import { addYears } from '@zhugong/contract/kit/years'
import { enterWorker, exitWorkers, setAccount, setTerms } from '@zhugong/contract/labour/stays'
import * as badRecordsCalls from '@zhugong/contract/personnel/bad-records'
import * as batches from '@zhugong/contract/personnel/batches'
import * as careersCalls from '@zhugong/contract/personnel/careers'
import * as papersCalls from '@zhugong/contract/personnel/papers'
import * as peopleCalls from '@zhugong/contract/personnel/people'
import { certStates, type EntryCondition, entryConditions } from '@zhugong/contract/personnel/rules'
import * as workersCalls from '@zhugong/contract/personnel/workers'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { bankCard, contractOf, idCard, mobile, newcomer, type Site, siteOf, storedFile } from '../../../test/givens.ts'
import type { Answer, Caller, World } from '../../../test/world.ts'

let world: World
let settled: CityWorld
let clerk: Caller
let manager: Caller
let subcontractor: Caller
let site: Site
/** Milliseconds the clock advances with each reading, as on a busy machine; and the total advance. */
let [eachLookMs, goneMs] = [0, 0]
const clock = {
  now: () => {
    goneMs += eachLookMs
    return Date.now() + goneMs
  },
}
const today = new Date(Date.now() + shanghaiOffsetMs).toISOString().slice(0, 10)
/** Within the two-year validity of a licence. */
const licensed = addYears(today, -1)

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock })
  settled = await settleCity(world)
  clerk = await settled.as('hospital-labour')
  manager = await settled.as('hospital-pm')
  subcontractor = await settled.as('dingli-cheng')
  const code = settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  site = await siteOf(world, code)
})
afterAll(() => world.close())

const fieldsOf = (answer: Answer) => {
  const detail = answer.data as { field?: string; fields?: { field: string; message: string }[] } | null
  return Object.fromEntries([
    ...(detail?.fields ?? []).map((f) => [f.field, f.message]),
    ...(detail?.field ? [[detail.field, answer.message]] : []),
  ]) as Record<string, string>
}
const register = (more: Parameters<typeof newcomer>[1] = {}) => clerk.call(workersCalls.registerWorker, { body: newcomer(site, more) })

describe('registration checks', () => {
  const good = idCard('1990-03-04')
  const wrongDigit = good.slice(0, 17) + (good[17] === '1' ? '2' : '1')
  const noDate = `42011519900230${'123'}`
  const stayWith = (more: object) => ({ stay: { ...newcomer(site).stay, ...more } as never })
  test.each<[string, () => Parameters<typeof newcomer>[1], string, RegExp]>([
    ['a wrong check digit', () => ({ idCardNumber: wrongDigit }), 'idCardNumber', /校验位/],
    ['an impossible birthday', () => ({ idCardNumber: noDate + idCardCheckCharacter(noDate) }), 'idCardNumber', /出生日期不存在/],
    ['an old number of 15 digits', () => ({ idCardNumber: '420115900304123' }), 'idCardNumber', /15 位/],
    ['a gender the number does not say', () => ({ idCardNumber: idCard('1990-03-04', '1'), gender: '2' }), 'gender', /性别/],
    ['a birthday the number does not say', () => ({ idCardNumber: idCard('1990-03-04'), birthday: '1990-03-05' }), 'birthday', /出生日期/],
    ['no name', () => ({ name: '' }), 'name', /姓名/],
    ['a name of 60 characters', () => ({ name: '田'.repeat(60) }), 'name', /2–50/],
    ['control characters in a name', () => ({ name: '田\u0000光' }), 'name', /控制字符/],
    ['control characters in an address', () => ({ address: '云泽市\u0007路' }), 'address', /控制字符/],
    ['an overlong address', () => ({ address: '路'.repeat(201) }), 'address', /200/],
    ['an unknown nation', () => ({ nation: '9988' }), 'nation', /字典/],
    ['a bad telephone', () => ({ cellPhone: '12345678901' }), 'cellPhone', /手机号/],
    [
      'a family telephone that is one’s own',
      () => ({ cellPhone: '13800138000', urgentLinkManPhone: '13800138000' }),
      'urgentLinkManPhone',
      /相同/,
    ],
    ['a day that is none', () => ({ startDate: '2026-02-30' }), 'startDate', /不存在/],
    ['an end before the start', () => ({ startDate: '2020-01-02', expiryDate: '2019-01-02' }), 'expiryDate', /晚于/],
    ['union membership without its date', () => ({ isJoined: true }), 'joinedTime', /加入/],
    ['a passport without gender', () => ({ idCardType: '08', idCardNumber: 'E12345678', birthday: '1990-01-01' }), 'gender', /性别/],
    [
      'a bank card that fails Luhn',
      () => stayWith({ payRollBankCardNumber: '6222020000000000019', payRollBankCode: '102', payRollBankName: '工行' }),
      'stay.payRollBankCardNumber',
      /校验位/,
    ],
    ['a labourer without a team', () => stayWith({ teamId: null }), 'stay.teamId', /班组/],
    ['a manager without a post', () => stayWith({ workRole: '10', teamId: null, workType: null }), 'stay.post', /岗位/],
    ['an unknown trade', () => stayWith({ workType: '777' }), 'stay.workType', /字典/],
    ['a face without consent', () => ({ facePhoto: 'f'.repeat(32) }), 'facePhoto', /人脸/],
  ])('%s is refused at its field', async (_what, more, field, message) => {
    const answer = await clerk.ask(workersCalls.registerWorker, { body: newcomer(site, more()) })
    expect(answer.status).not.toBe(0)
    expect(fieldsOf(answer)).toMatchObject({ [field]: expect.stringMatching(message) })
  })

  test('gender, birthday and native place come from the number', async () => {
    const { workerId } = await register({ idCardNumber: idCard('1985-07-08', '2'), name: '阿依古丽•买买提' })
    const d = await clerk.call(workersCalls.workerDetailInfo, { params: { id: workerId }, query: {} })
    // The masked number hides the birthday, so the age is shown beside it.
    expect(d).toMatchObject({ gender: '2', birthday: null, name: '阿依古丽·买买提', realNameState: '0' })
    const { rows } = await world.database.pool.query('select birthday::text as birthday from worker where id = $1', [workerId])
    expect(rows).toEqual([{ birthday: '1985-07-08' }])
    expect(d.birthPlaceName).toContain('武汉市')
  })
  test('somebody of 17 does not enter, nor with an expired card', async () => {
    const young = `${Number(today.slice(0, 4)) - 17}-01-01`
    const child = await clerk.ask(workersCalls.registerWorker, { body: newcomer(site, { idCardNumber: idCard(young) }) })
    expect(child.message).toContain('未满 18 周岁')
    const old = await clerk.ask(workersCalls.registerWorker, {
      body: newcomer(site, { startDate: '2010-01-01', expiryDate: '2020-01-01' }),
    })
    expect(fieldsOf(old)).toHaveProperty('expiryDate')
  })
})

describe('duplicates', () => {
  test('a number in sight says who has it, one out of sight does not', async () => {
    const idCardNumber = idCard()
    const { workerId } = await register({ idCardNumber, name: '鲁国平' })
    const again = await clerk.ask(workersCalls.registerWorker, { body: newcomer(site, { idCardNumber }) })
    expect(again.message).toContain('鲁国平')
    expect(again.data).toMatchObject({ field: 'idCardNumber', workerId })
    const stranger = await settled.as('zhigu-pm')
    const elsewhere = await siteOf(world, settled.city.personas.find((p) => p.account === 'zhigu-pm')?.projectCode ?? '')
    const foreign = await stranger.ask(workersCalls.registerWorker, { body: newcomer(elsewhere, { idCardNumber }) })
    expect(foreign.status).toBe(4)
    expect(JSON.stringify(foreign)).not.toContain('鲁国平')
    expect(JSON.stringify(foreign)).not.toContain(workerId)
  })
  test('who holds the papers takes the person over with name and number', async () => {
    const idCardNumber = idCard()
    const { workerId } = await register({ idCardNumber, name: '覃业军' })
    const stranger = await settled.as('zhigu-pm')
    const elsewhere = await siteOf(world, settled.city.personas.find((p) => p.account === 'zhigu-pm')?.projectCode ?? '')
    const stay = newcomer(elsewhere).stay
    if (!stay) throw new Error('no stay')
    const wrong = await stranger.ask(enterWorker, { body: { ...stay, idCardNumber, name: '覃业兵' } })
    expect(wrong.status).toBe(2)
    const right = await stranger.call(enterWorker, { body: { ...stay, idCardNumber, name: '覃业军' } })
    expect(right.workerId).toBe(workerId)
    const seen = await stranger.call(workersCalls.workerBaseInfo, { params: { id: workerId } })
    expect(seen.stay?.projectCode).toBe(elsewhere.projectCode)
    // The other site's stay is not visible.
    const bound = await stranger.call(workersCalls.workerProjects, { params: { id: workerId } })
    expect(bound.list.map((s) => s.projectCode)).toEqual([elsewhere.projectCode])
  })
  test('one wage card, one person', async () => {
    const card = bankCard()
    const first = await register()
    const second = await register()
    const account = { payRollBankCode: '105', payRollBankName: '建设银行', payRollBankCardNumber: card, bankLinkNumber: null }
    await clerk.call(setAccount, { body: { id: first.projectWorkerId ?? '', ...account } })
    const refused = await clerk.ask(setAccount, { body: { id: second.projectWorkerId ?? '', ...account } })
    expect(refused.message).toContain('一人一卡')
  })
})

describe('sight', () => {
  test('lists show masks; the whole number and telephone find the person, parts do not', async () => {
    const idCardNumber = idCard()
    const cellPhone = mobile()
    const { workerId } = await register({ idCardNumber, cellPhone, name: '彭秋生' })
    const find = async (query: object) => (await clerk.call(peopleCalls.listStays, { query: { view: 'project', ...query } })).list
    for (const query of [
      { idCardNumber },
      { idCardNumber: idCardNumber.toLowerCase() },
      { cellPhone },
      { q: cellPhone },
      { q: idCardNumber },
      // As copied from a chat, a list or a sheet.
      { q: `\u202d${cellPhone}\u202c` },
      { q: [...cellPhone].map((digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0)).join('') },
      { q: `${cellPhone.slice(0, 3)}-${cellPhone.slice(3, 7)}-${cellPhone.slice(7)}` },
      { cellPhone: `+86 ${cellPhone}\u200b` },
      { idCardNumber: `${idCardNumber.slice(0, 6)} ${idCardNumber.slice(6)}` },
    ]) {
      const rows = await find(query)
      expect(rows.map((r) => r.workerId)).toEqual([workerId])
      expect(rows[0]?.idCardNumber).toBe(`${idCardNumber.slice(0, 6)}********${idCardNumber.slice(-4)}`)
      expect(rows[0]?.cellPhone).toBe(`${cellPhone.slice(0, 3)}****${cellPhone.slice(-4)}`)
    }
    expect(await find({ idCardNumber: idCardNumber.slice(0, 17) })).toEqual([])
    const file = await clerk.call(peopleCalls.listFiles, { query: { view: 'file', idCardNumber } })
    expect(file.list.map((r) => r.workerId)).toEqual([workerId])
    expect(JSON.stringify(file)).not.toContain(idCardNumber)
  })
  test('clear text needs the permission and a reason, and every look is logged', async () => {
    const idCardNumber = idCard()
    const { workerId } = await register({ idCardNumber })
    const look = { params: { id: workerId }, query: { plain: 'idCardNumber', reason: '核对参保' } }
    expect((await clerk.ask(workersCalls.workerDetailInfo, look)).http).toBe(403)
    const withoutReason = await manager.ask(workersCalls.workerDetailInfo, { params: { id: workerId }, query: { plain: 'idCardNumber' } })
    expect(fieldsOf(withoutReason)).toHaveProperty('reason')
    const seen = await manager.call(workersCalls.workerDetailInfo, look)
    expect(seen.plain).toEqual({ idCardNumber })
    expect(seen.idCardNumber).not.toBe(idCardNumber)
    const looks = await manager.call(workersCalls.workerLooks, { params: { id: workerId } })
    expect(looks.map((l) => l.summary)).toEqual(['查看明文：证件号码（核对参保）'])
    expect(
      (await manager.ask(workersCalls.workerDetailInfo, { params: { id: workerId }, query: { plain: 'health', reason: '看看' } })).status,
    ).toBe(2)
  })
  test('opening health data is logged; others see one line', async () => {
    const { workerId } = await register()
    const before = await manager.call(careersCalls.getHealth, { params: { id: workerId } })
    await manager.call(careersCalls.saveHealth, {
      params: { id: workerId },
      body: {
        contraindications: ['5'],
        examDate: today,
        examReport: [],
        vaccinated: [],
        healthStatus: '1',
        bloodType: null,
        declare: { temperature: 36.5, symptoms: null, trip: null },
        version: before.version,
      },
    })
    expect((await clerk.ask(careersCalls.getHealth, { params: { id: workerId } })).http).toBe(403)
    const line = await clerk.call(workersCalls.workerDetailInfo, { params: { id: workerId }, query: {} })
    expect(line.fitness).toEqual({ state: 'check', date: today })
    const after = await manager.call(careersCalls.getHealth, { params: { id: workerId } })
    expect(after.declarations).toHaveLength(1)
    expect((await manager.call(workersCalls.workerLooks, { params: { id: workerId } })).map((l) => l.summary)).toEqual([
      '查看健康信息',
      '查看健康信息',
    ])
    const raw = await world.database.kysely.selectFrom('worker').select('health').where('id', '=', workerId).executeTakeFirstOrThrow()
    expect(raw.health?.toString('latin1')).not.toContain('36.5')
  })
  test('a subcontractor sees its own people only', async () => {
    const own = await subcontractor.call(peopleCalls.listStays, { query: { view: 'project', size: 1000 } })
    const all = await clerk.call(peopleCalls.listStays, { query: { view: 'project', size: 1000 } })
    expect(own.list.length).toBeGreaterThan(0)
    const corps = new Set(own.list.map((r) => r.corpName))
    expect(corps.size).toBe(1)
    const foreign = all.list.find((r) => !corps.has(r.corpName))
    if (!foreign) throw new Error('no other unit')
    for (const endpoint of [
      workersCalls.workerBaseInfo,
      papersCalls.workerCerts,
      papersCalls.workerContracts,
      careersCalls.workerHistory,
    ] as const)
      expect((await subcontractor.ask(endpoint, { params: { id: foreign.workerId } } as never)).status).toBe(2)
    const figures = await subcontractor.call(peopleCalls.stayFigures, { query: {} })
    expect(figures.onSite).toBe(own.list.filter((r) => r.stationed === '1').length)
    const exit = await subcontractor.ask(exitWorkers, { body: { ids: [foreign.id], exitTime: today, exitReason: '1' } })
    expect(exit.status).not.toBe(0)
    const still = await world.database.kysely
      .selectFrom('projectWorker')
      .select('exitTime')
      .where('id', '=', foreign.id)
      .executeTakeFirstOrThrow()
    expect(still.exitTime).toEqual(foreign.exitTime === null ? null : expect.any(Date))
  })
})

describe('changes', () => {
  test('the second of two editors is told', async () => {
    const { workerId } = await register()
    const { version } = await clerk.call(workersCalls.fillWorker, { params: { id: workerId } })
    const body = { nation: '01', cultureLevel: '02', version }
    await clerk.call(workersCalls.updateWorker, { params: { id: workerId }, body: body as never })
    const late = await manager.ask(workersCalls.updateWorker, { params: { id: workerId }, body: body as never })
    expect(late.status).toBe(4)
    expect(late.message).toContain('请刷新后再改')
  })
  test('a corrected name follows into every stay and asks for a new check', async () => {
    const { workerId, projectWorkerId } = await register({ fromCard: true, name: '胡志刚' })
    const base = await clerk.call(workersCalls.getWorkerBase, { params: { id: workerId } })
    expect(base.realNameState).toBe('1')
    await clerk.call(workersCalls.updateWorkerBase, {
      params: { id: workerId },
      body: { name: '胡志强', idCardNumber: null, gender: null, birthday: null, reason: '录入错字', version: base.version },
    })
    const { list } = await clerk.call(peopleCalls.listStays, { query: { view: 'project', name: '胡志强' } })
    expect(list.map((r) => r.id)).toEqual([projectWorkerId])
    expect(list[0]?.missing).toContain('realName')
  })
  test('an edit holds the own number and the own age to account, though neither is typed again', async () => {
    const cellPhone = mobile()
    const { workerId } = await register({ name: '刘守信', cellPhone })
    const { version } = await clerk.call(workersCalls.fillWorker, { params: { id: workerId } })
    const edit = (change: object) =>
      clerk.ask(workersCalls.updateWorker, { params: { id: workerId }, body: { ...change, version } as never })
    expect(fieldsOf(await edit({ urgentLinkManPhone: cellPhone }))).toMatchObject({
      urgentLinkManPhone: expect.stringContaining('本人手机'),
    })
    const { age } = await clerk.call(workersCalls.getWorkerBase, { params: { id: workerId } })
    const tooEarly = `${new Date().getFullYear() - age + 14}-06-01`
    expect(fieldsOf(await edit({ workDate: tooEarly }))).toMatchObject({ workDate: expect.stringContaining('16 周岁') })
  })
  test('who changes team leaves what was worked with the old one; a registration nobody used is put right', async () => {
    const { pool } = world.database
    const { rows } = await pool.query<{ id: string }>(
      'select id from team where project_code = $1 and corp_code = $2 and id <> $3 and exit_time is null limit 1',
      [site.projectCode, site.corpCode, site.teamId],
    )
    const teamId = rows[0]?.id ?? ''
    const { workerId, projectWorkerId } = await register({ name: '江流水' })
    const move = async (to: string) => {
      const { list } = await clerk.call(workersCalls.workerProjects, { params: { id: workerId } })
      const now = list.find((s) => s.exitTime === null)
      if (!now) throw new Error('nobody in place')
      await manager.call(workersCalls.moveWorker, {
        params: { id: workerId },
        body: { projectWorkerId: now.id, corpCode: site.corpCode, teamId: to, version: now.version },
      })
      return (await clerk.call(workersCalls.workerProjects, { params: { id: workerId } })).list
    }
    expect((await move(teamId)).map((s) => [s.id, s.teamId])).toEqual([[projectWorkerId, teamId]])
    await pool.query(
      `insert into attendance_event (project_code, id, dedup_key, worker_id, time, received_at, attend_type, terminal_code, source, seq)
       values ($1, 'moved-pass', 'moved-pass', $2, now(), now(), '001', 'G', '1', 0)`,
      [site.projectCode, workerId],
    )
    eachLookMs = 600
    const after = await move(site.teamId)
    ;[eachLookMs, goneMs] = [0, 0]
    expect(after.map((s) => [s.teamId, s.stationed])).toEqual([
      [site.teamId, '1'],
      [teamId, '2'],
    ])
    expect(after[0]?.entryTime).toBe(after[1]?.exitTime)
    expect(after[0]?.formalStatus).toBe(after[1]?.formalStatus)
  })
  test('a person with a stay is never deleted, one without is', async () => {
    const stayed = await register()
    expect((await manager.ask(workersCalls.removeWorker, { params: { id: stayed.workerId } })).message).toContain('还在场')
    const { workerId } = await manager.call(workersCalls.registerWorker, { body: newcomer(undefined) })
    await manager.call(workersCalls.removeWorker, { params: { id: workerId } })
    expect((await manager.ask(workersCalls.workerBaseInfo, { params: { id: workerId } })).status).toBe(2)
  })
})

test('a link that knows the stay alone opens it, and only within one’s own projects', async () => {
  const { workerId, projectWorkerId } = await register({ name: '向明' })
  const id = projectWorkerId ?? ''
  const seen = await clerk.call(workersCalls.workerDetailInfo, { params: { id }, query: { projectWorkerId: id } })
  expect(seen).toMatchObject({ workerId, stay: { id } })
  const other = await settled.as('zhigu-pm')
  expect((await other.ask(workersCalls.workerDetailInfo, { params: { id }, query: { projectWorkerId: id } })).status).toBe(2)
})

describe('what was signed by hand', () => {
  const signed = (file?: string | null) => ({
    kind: 'personal' as const,
    state: '同意' as const,
    way: '手写签名' as const,
    file: file ?? null,
  })
  const consentOf = async (caller: Caller, workerId: string) =>
    (await caller.call(workersCalls.workerDetailInfo, { params: { id: workerId }, query: {} })).consents.find((c) => c.kind === 'personal')

  test('needs the signature, which stays with the answer and goes with another one', async () => {
    const unsigned = await clerk.ask(workersCalls.registerWorker, { body: newcomer(site, { consents: [signed()] }) })
    expect(fieldsOf(unsigned)).toEqual({ consents: '请本人在签名板上签名' })
    const unknown = await clerk.ask(workersCalls.registerWorker, { body: newcomer(site, { consents: [signed('0'.repeat(32))] }) })
    expect(fieldsOf(unknown)).toMatchObject({ consents: expect.stringContaining('附件不存在') })
    const { workerId } = await register({ consents: [signed(await storedFile(world, site.groupId))] })
    const first = await consentOf(clerk, workerId)
    expect(first).toMatchObject({ way: '手写签名', state: '同意', file: expect.stringContaining('/api/v1/tool/') })
    // The form sends back what it received, including the link: no new signature is recorded.
    const save = async (consents: unknown) => {
      const { version } = await clerk.call(workersCalls.fillWorker, { params: { id: workerId } })
      return clerk.ask(workersCalls.updateWorker, { params: { id: workerId }, body: { consents, version } as never })
    }
    expect((await save([first])).status).toBe(0)
    expect(await consentOf(clerk, workerId)).toMatchObject({ time: first?.time, file: expect.any(String) })
    expect((await save([{ ...first, file: null }])).status).toBe(0)
    expect((await consentOf(clerk, workerId))?.file).not.toBeNull()
    eachLookMs = 1_000
    expect((await save([{ ...first, state: '已撤回' }])).status).toBe(0)
    eachLookMs = 0
    const taken = await consentOf(clerk, workerId)
    expect(taken).toMatchObject({ state: '已撤回', file: null })
    expect(taken?.time).not.toBe(first?.time)
  })

  test('a file of others is no signature, and whoever does not see the person does not see his', async () => {
    const foreign = await storedFile(
      world,
      (await siteOf(world, settled.city.personas.find((p) => p.account === 'zhigu-pm')?.projectCode ?? '')).groupId,
    )
    const stolen = await clerk.ask(workersCalls.registerWorker, { body: newcomer(site, { consents: [signed(foreign)] }) })
    expect(fieldsOf(stolen)).toMatchObject({ consents: expect.stringContaining('附件不存在') })
    const { workerId } = await register({ consents: [signed(await storedFile(world, site.groupId))] })
    const params = { params: { id: workerId }, query: {} }
    const neighbour = await settled.as('zhigu-pm')
    expect((await neighbour.ask(workersCalls.workerDetailInfo, params)).status).not.toBe(0)
  })
})

describe('formal', () => {
  test('[worker-formal-call] [entity-project-links] says what is missing, and takes the person when all seven hold', async () => {
    const idCardNumber = idCard()
    const { workerId, projectWorkerId, missing, fields } = await register({ name: '向自强', idCardNumber })
    const id = projectWorkerId ?? ''
    expect(missing).toEqual(['实名', '合同', '教育', '工资卡'])
    // Registration, the page of the stay and the error message all list both sets of requirements.
    expect(fields).toEqual(expect.arrayContaining(['民族', '住址', '手机号码', '工伤或意外险', '个人信息告知同意']))
    const before = await clerk.call(workersCalls.workerDetailInfo, { params: { id: workerId }, query: { projectWorkerId: id } })
    expect(before.stay).toMatchObject({ lacking: fields, hasBuyInsurance: null })
    const refused = await clerk.call(workersCalls.setFormal, { body: { ids: [id], status: '1' } })
    expect(refused.done).toBe(0)
    expect(refused.missing[0]?.conditions).toEqual(['实名', '合同', '教育', '工资卡'])
    expect(refused.missing[0]?.fields).toEqual(fields)
    const photo = await storedFile(world, site.groupId)
    const fill = await clerk.call(workersCalls.fillWorker, { params: { id: workerId } })
    await clerk.call(workersCalls.updateWorker, {
      params: { id: workerId },
      body: {
        nation: '01',
        address: '云泽市滨江区江堤路 1 号',
        grantOrg: '云泽市公安局',
        startDate: '2020-01-01',
        expiryDate: '2099-12-31',
        headImage: photo,
        cellPhone: mobile(),
        cultureLevel: '02',
        workTypeCode: '020',
        urgentLinkMan: '杨秀英',
        urgentLinkManPhone: mobile(),
        hasBadMedicalHistory: false,
        consents: [{ kind: 'personal', state: '同意' }],
        // Only the endpoint for it makes a person formal, whatever other requests contain.
        formalStatus: '1',
        version: fill.version,
      } as never,
    })
    const stateOf = async () =>
      (await clerk.call(workersCalls.workerDetailInfo, { params: { id: workerId }, query: { projectWorkerId: id } })).stay?.formalStatus
    expect(await stateOf()).toBe('0')
    const { version } = await clerk.call(workersCalls.getWorkerBase, { params: { id: workerId } })
    await clerk.call(workersCalls.verifyWorker, { body: { way: 'card', workerId, name: '向自强', idCardNumber, version } })
    await clerk.call(setAccount, {
      body: { id, payRollBankCode: '102', payRollBankName: '工商银行', payRollBankCardNumber: bankCard(), bankLinkNumber: null },
    })
    await clerk.call(papersCalls.saveContract, { body: contractOf(site, workerId, [photo]) as never })
    await manager.call(workersCalls.trainWorkers, { body: { ids: [id], trainDate: today, hours: 8 } })
    // The way of payment came from the contract.
    const almost = await clerk.call(workersCalls.setFormal, { body: { ids: [id], status: '1' } })
    expect(almost.missing[0]).toMatchObject({ conditions: [], fields: ['工伤或意外险'] })
    expect(await clerk.call(setTerms, { body: { ids: [id], hasBuyInsurance: true } })).toEqual({ done: 1, failed: [] })
    const form = await clerk.call(workersCalls.workerForm, { query: {} })
    const { rows: registered } = await world.database.pool.query<{ n: number }>(
      `select count(*)::int as n from project_worker where project_code = $1 and exit_time is null
         and create_time >= date_trunc('day', now() at time zone 'Asia/Shanghai') at time zone 'Asia/Shanghai'`,
      [site.projectCode],
    )
    expect(form.todayTotal).toBe(registered[0]?.n)
    expect(form.today.length).toBeLessThanOrEqual(form.todayTotal)
    const todays = async () => (await clerk.call(workersCalls.workerForm, { query: {} })).today.find((one) => one.id === id)
    expect(await todays()).toMatchObject({ missing: [], formal: false })
    expect(await clerk.call(workersCalls.setFormal, { body: { ids: [id], status: '1' } })).toMatchObject({ done: 1, failed: [] })
    expect(await todays()).toMatchObject({ missing: [], formal: true })
    const row = await clerk.call(workersCalls.workerDetailInfo, { params: { id: workerId }, query: { projectWorkerId: id } })
    expect(row.stay).toMatchObject({ formalStatus: '1', attendEnabled: true, missing: [] })
    expect(row.stay?.conditions.every((c) => c.met)).toBe(true)
    expect((await clerk.ask(workersCalls.setFormal, { body: { ids: [id], status: '2' } })).message).toContain('原因')
    expect((await clerk.call(workersCalls.setFormal, { body: { ids: [id], status: '2', reason: '证书过期' } })).done).toBe(1)
  })
  test('many are checked, moved and asked at once: each as a whole, the refused by name, a line in the log for each', async () => {
    const people = [await register({ name: '田一一' }), await register({ name: '田二二' })]
    const ids = people.map((p) => p.projectWorkerId ?? '')
    const unseen = await clerk.ask(batches.verifyWorkers, { body: { ids, seen: false as true } })
    expect(fieldsOf(unseen)).toEqual({ seen: '请确认已逐人核对证件原件' })
    expect(await clerk.call(batches.verifyWorkers, { body: { ids: ids.slice(0, 1), seen: true } })).toEqual({ done: 1, failed: [] })
    expect(await clerk.call(batches.verifyWorkers, { body: { ids, seen: true } })).toEqual({
      done: 1,
      failed: [{ id: ids[0], name: '田一一', message: '已核验一致' }],
    })
    expect((await clerk.call(batches.consentWorkers, { body: { ids, seen: true } })).done).toBe(2)
    const { corpCode, teamId } = site
    expect((await clerk.call(batches.moveWorkers, { body: { ids, corpCode, teamId, workType: '030' } })).done).toBe(2)
    expect(await clerk.ask(batches.moveWorkers, { body: { ids, corpCode, teamId: 'nobody' } })).toMatchObject({
      message: '班组不存在或已删除',
    })
    for (const { workerId, projectWorkerId } of people) {
      const query = { projectWorkerId: projectWorkerId ?? '' }
      const d = await clerk.call(workersCalls.workerDetailInfo, { params: { id: workerId }, query })
      expect(d).toMatchObject({
        realNameState: '1',
        consents: [{ kind: 'personal', state: '同意', way: '纸质' }],
        stay: { workType: '030' },
      })
      const { rows } = await world.database.pool.query('select summary from audit_log where object_id = $1', [workerId])
      const lines = rows.map((r) => r.summary as string)
      for (const words of ['实名核验一致', '登记个人信息告知同意', '调班组']) expect(lines).toContainEqual(expect.stringContaining(words))
    }
  })
  test('terms are set for many at once; what is left out stays, nothing at all is refused, and who has left is named', async () => {
    const people = [await register(), await register(), await register({ name: '田已退' })]
    const ids = people.map((p) => p.projectWorkerId ?? '')
    await clerk.call(exitWorkers, { body: { ids: ids.slice(2), exitTime: today, exitReason: '1' } })
    expect(await clerk.call(setTerms, { body: { ids, paymentType: '2', unitPriceCents: 32_000 } })).toMatchObject({
      done: 2,
      failed: [{ id: ids[2], name: '田已退', message: '已经退场' }],
    })
    await clerk.call(setTerms, { body: { ids: ids.slice(0, 1), hasBuyInsurance: true } })
    const stayOf = async (i: number) =>
      (await clerk.call(workersCalls.workerDetailInfo, { params: { id: people[i]?.workerId ?? '' }, query: { projectWorkerId: ids[i] } }))
        .stay
    expect(await stayOf(0)).toMatchObject({ paymentType: '2', unitPriceCents: 32_000, hasBuyInsurance: true })
    expect(await stayOf(1)).toMatchObject({ paymentType: '2', unitPriceCents: 32_000, hasBuyInsurance: null })
    const nothing = await clerk.ask(setTerms, { body: { ids } })
    expect(fieldsOf(nothing)).toEqual({ paymentType: '请至少填写一项' })
  })
  test('what somebody began on an earlier day waits for him above the form, and for nobody else, until it is finished', async () => {
    const { projectWorkerId } = await register()
    const id = projectWorkerId ?? ''
    const form = async (caller = clerk) => caller.call(workersCalls.workerForm, { query: {} })
    const has = (list: readonly { id: string }[]) => list.some((one) => one.id === id)
    const first = await form()
    expect([has(first.today), has(first.unfinished.list)]).toEqual([true, false])
    const { pool } = world.database
    await pool.query(`update project_worker set create_time = create_time - interval '2 days' where id = $1`, [id])
    const later = await form()
    expect([has(later.today), later.unfinished.list[0]?.id]).toEqual([false, id])
    expect(later.unfinished).toMatchObject({ total: first.unfinished.total + 1 })
    expect(later.unfinished.list[0]).toMatchObject({ formal: false, time: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) })
    expect(later.unfinished.list[0]?.missing.length).toBeGreaterThan(0)
    expect(has((await form(manager)).unfinished.list)).toBe(false)
    await pool.query(`update project_worker set formal_status = '1' where id = $1`, [id])
    expect((await form()).unfinished.total).toBe(first.unfinished.total)
  })
  test('all three levels of safety education open the site as the entry training does', async () => {
    const { projectWorkerId } = await register()
    const ids = [projectWorkerId ?? '']
    for (const [trainingType, opened] of [
      ['003101', true],
      ['003102', true],
      ['003103', false],
    ] as const) {
      await manager.call(workersCalls.trainWorkers, { body: { ids, trainingType, trainDate: today, hours: 4 } })
      const { list } = await clerk.call(peopleCalls.listStays, { query: { view: 'project', missing: 'training', size: 1000 } })
      expect(list.some((r) => r.id === projectWorkerId)).toBe(opened)
    }
  })
})

test('somebody who left comes back with his papers, and a second registration is told the way', async () => {
  const body = newcomer(site, { name: '钟又来' })
  const { workerId, projectWorkerId } = await clerk.call(workersCalls.registerWorker, { body })
  const exited = await clerk.call(exitWorkers, { body: { ids: [projectWorkerId ?? ''], exitTime: today, exitReason: '1' } })
  expect(exited).toEqual({ done: 1, failed: [] })
  const known = await clerk.call(workersCalls.syncWorker, { body: { idCardType: '01', idCardNumber: body.idCardNumber, name: '钟又来' } })
  expect(['own', 'other']).toContain(known.known)
  expect(known.onSite).toEqual([])
  const twice = await clerk.ask(workersCalls.registerWorker, { body })
  expect(twice.message).toContain('办理进场')
  const papers = { idCardNumber: body.idCardNumber, name: '钟又来' }
  const back = await clerk.call(enterWorker, { body: { ...body.stay, ...papers } as never })
  expect(back.workerId).toBe(workerId)
  const { list } = await clerk.call(peopleCalls.listStays, { query: { name: '钟又来', sort: '-entryTime' } })
  expect(list.map((r) => [r.id, r.stationed])).toEqual([
    [back.id, '1'],
    [projectWorkerId, '2'],
  ])
})

describe('papers', () => {
  const cert = (more: object = {}) => ({
    certType: '7',
    specialType: '0201',
    name: '建筑架子工',
    certNo: `鄂A02${Math.random().toString().slice(2, 10)}`,
    level: null,
    majorType: null,
    firstIssueDate: null,
    issueDate: licensed,
    validStart: null,
    validEnd: null,
    grantOrg: '云泽市住建局',
    ...more,
  })
  test('licences: kind, default end, one holder, review by another, no delete once passed', async () => {
    const { workerId, projectWorkerId } = await register({ stay: { ...newcomer(site).stay, workType: '031' } as never, name: '马小龙' })
    const other = await register({ name: '詹文斌' })
    const files = [await storedFile(world, site.groupId)]
    const bare = await clerk.ask(papersCalls.saveCert, { body: { workerId, ...cert({ specialType: null }), files } as never })
    expect(fieldsOf(bare)).toHaveProperty('specialType')
    const withoutPicture = await clerk.ask(papersCalls.saveCert, { body: { workerId, ...cert(), files: [] } as never })
    expect(fieldsOf(withoutPicture)).toHaveProperty('files')
    const foreignFile = await clerk.ask(papersCalls.saveCert, { body: { workerId, ...cert(), files: ['e'.repeat(32)] } as never })
    expect(foreignFile.message).toContain('附件不存在')
    const body = { workerId, ...cert(), files } as never
    const { id } = await clerk.call(papersCalls.saveCert, { body })
    const taken = await clerk.ask(papersCalls.saveCert, { body: { ...(body as object), workerId: other.workerId } as never })
    expect(taken.message).toContain('马**')
    const state = async () => (await clerk.call(peopleCalls.listStays, { query: { view: 'project', name: '马小龙' } })).list[0]?.certState
    expect(await state()).toBe('pending')
    const own = await manager.ask(papersCalls.auditCert, { body: { id, result: '2' } })
    expect(fieldsOf(own)).toHaveProperty('opinion')
    await manager.call(papersCalls.auditCert, { body: { id, result: '1' } })
    expect(await state()).toBe('valid')
    const { list, demands } = await clerk.call(papersCalls.workerCerts, { params: { id: workerId } })
    expect(list[0]).toMatchObject({ validEnd: addYears(licensed, 2), state: 'valid' })
    expect(demands).toMatchObject([{ met: true }])
    expect((await clerk.ask(papersCalls.removeCert, { params: { id } })).message).toContain('审核通过')
    const expired = await clerk.call(peopleCalls.listStays, { query: { view: 'project', certState: 'expired', size: 1000 } })
    expect(expired.list.every((r) => r.certState === 'expired')).toBe(true)
    expect(projectWorkerId).toBeTruthy()
  })
  test('whose a certificate or a wage card is, is told of people in sight only', async () => {
    const holder = await register({ stay: { ...newcomer(site).stay, workType: '031' } as never, name: '马小凤' })
    const files = [await storedFile(world, site.groupId)]
    const body = { ...cert(), files }
    await clerk.call(papersCalls.saveCert, { body: { ...body, workerId: holder.workerId } as never })
    const card = { payRollBankCode: '105', payRollBankName: '建设银行', payRollBankCardNumber: bankCard(), bankLinkNumber: null }
    await clerk.call(setAccount, { body: { id: holder.projectWorkerId ?? '', ...card } })
    const stranger = await settled.as('zhigu-pm')
    const elsewhere = await siteOf(world, settled.city.personas.find((p) => p.account === 'zhigu-pm')?.projectCode ?? '')
    const own = await stranger.call(workersCalls.registerWorker, { body: newcomer(elsewhere) })
    const theirs = [await storedFile(world, elsewhere.groupId)]
    const answers = [
      await stranger.ask(papersCalls.saveCert, { body: { ...body, files: theirs, workerId: own.workerId } as never }),
      await stranger.ask(setAccount, { body: { id: own.projectWorkerId ?? '', ...card } }),
    ]
    expect(answers.map(({ message }) => message)).toEqual(['该证书编号已登记在他人名下', '该工资卡已登记在他人名下，一人一卡'])
    for (const secret of ['马', holder.workerId]) expect(JSON.stringify(answers)).not.toContain(secret)
  })
  test('nothing is asked of whoever has left: the filters find what the rows say', async () => {
    const { rowCount } = await world.database.pool.query(
      `update worker_cert set valid_end = current_date - 1 where worker_id in (
         select worker_id from project_worker where exit_time is not null and project_code = $1)`,
      [site.projectCode],
    )
    expect(rowCount).toBeGreaterThan(0)
    const list = async (query: object) =>
      (await clerk.call(peopleCalls.listStays, { query: { view: 'project', size: 1000, ...query } })).list
    const ids = (rows: readonly { id: string }[]) => rows.map((r) => r.id).sort()
    const all = await list({})
    for (const state of Object.keys(certStates))
      expect(ids(await list({ certState: state }))).toEqual(ids(all.filter((r) => r.certState === state)))
    for (const lacking of Object.keys(entryConditions) as EntryCondition[])
      expect(ids(await list({ missing: lacking }))).toEqual(ids(all.filter((r) => r.missing.includes(lacking))))
    expect(ids(await list({ missing: emptyOption }))).toEqual(ids(all.filter((r) => r.missing.length === 0)))
  })
  test('a batch names the certificate at fault', async () => {
    const { workerId } = await register()
    const files = [await storedFile(world, site.groupId)]
    const number = cert().certNo
    const answer = await clerk.ask(papersCalls.saveCerts, {
      body: {
        workerId,
        list: [
          { ...cert({ certNo: number }), files },
          { ...cert({ certNo: number }), files },
        ],
      } as never,
    })
    expect(answer.message).toMatch(/第 2 本/)
    expect((await clerk.call(papersCalls.workerCerts, { params: { id: workerId } })).list).toEqual([])
  })
  test('contracts: fixed term, piece work, one code a company, the flag of the stay', async () => {
    const { workerId, projectWorkerId } = await register()
    const files = [await storedFile(world, site.groupId)]
    const base = contractOf(site, workerId, files) as object
    const fixed = await clerk.ask(papersCalls.saveContract, { body: { ...base, contractPeriodType: '0' } as never })
    expect(fieldsOf(fixed)).toHaveProperty('endDate')
    const piece = await clerk.ask(papersCalls.saveContract, { body: { ...base, paymentType: '5' } as never })
    expect(Object.keys(fieldsOf(piece))).toEqual(expect.arrayContaining(['unit', 'unitPrice']))
    const { id } = await clerk.call(papersCalls.saveContract, { body: base as never })
    const flag = async () =>
      (await clerk.call(workersCalls.workerDetailInfo, { params: { id: workerId }, query: { projectWorkerId: projectWorkerId ?? '' } }))
        .stay?.hasContract
    expect(await flag()).toBe(true)
    const again = await clerk.ask(papersCalls.saveContract, { body: base as never })
    expect(fieldsOf(again)).toHaveProperty('contractCode')
    await clerk.call(papersCalls.saveContract, { body: { ...base, id, terminateDate: today, terminateReason: '本人离职' } as never })
    expect(await flag()).toBe(false)
  })
  test('a bad record lies within the stay and is confirmed by another', async () => {
    const { workerId } = await register()
    const files = [await storedFile(world, site.groupId)]
    const body = {
      workerId,
      projectCode: site.projectCode,
      badRecordType: '05',
      badRecordLevel: '3',
      actionDegree: '6',
      occurrenceDate: today,
      reason: '高处作业不系安全带，屡次提醒不改正',
      processResult: null,
      score: null,
      files,
    }
    const before = await clerk.ask(badRecordsCalls.createBadRecord, { body: { ...body, occurrenceDate: '2020-01-01' } })
    expect(fieldsOf(before)).toHaveProperty('occurrenceDate')
    const { id } = await clerk.call(badRecordsCalls.createBadRecord, { body })
    expect((await manager.ask(badRecordsCalls.auditBadRecord, { body: { id, result: '1' } })).message).toContain('处理结果')
    await clerk.call(badRecordsCalls.updateBadRecord, { params: { id }, body: { ...body, processResult: '停工教育一天', version: 0 } })
    await manager.call(badRecordsCalls.auditBadRecord, { body: { id, result: '1' } })
    const row = await clerk.call(badRecordsCalls.getBadRecord, { params: { id } })
    expect(row).toMatchObject({ score: 6, auditStatus: '1', counts: true, validUntil: addYears(today, 3) })
    expect((await clerk.ask(badRecordsCalls.removeBadRecord, { params: { id } })).status).toBe(4)
  })
})

describe('lists', () => {
  test('the roster of a past day is rebuilt from entries and exits', async () => {
    const { projectWorkerId } = await register({
      name: '石金山',
      stay: { ...newcomer(site).stay, entryTime: `${today} 00:00:01` } as never,
    })
    const on = async (asOf: string) =>
      (await clerk.call(peopleCalls.listRoster, { query: { view: 'roster', asOf, projectCode: site.projectCode, size: 1000 } })).list.map(
        (r) => r.id,
      )
    expect(await on(today)).toContain(projectWorkerId)
    const yesterday = new Date(Date.parse(today) - 86_400_000).toISOString().slice(0, 10)
    expect(await on(yesterday)).not.toContain(projectWorkerId)
    const { list } = await clerk.call(peopleCalls.listRoster, { query: { view: 'roster', projectCode: site.projectCode } })
    expect(list.every((r) => r.idCardNumber.includes('*'))).toBe(true)
  })
  test('filters agree with the rows they leave', async () => {
    const ask = (query: object) => clerk.call(peopleCalls.listStays, { query: { view: 'project', size: 1000, ...query } })
    expect((await ask({ age: '30,40' })).list.every((r) => r.age >= 30 && r.age <= 40)).toBe(true)
    expect((await ask({ age: '30,40', stationed: '1' })).list.length).toBeGreaterThan(0)
    expect((await ask({ missing: '-9999', stationed: '1' })).list.every((r) => r.missing.length === 0)).toBe(true)
    expect((await ask({ missing: 'contract', stationed: '1' })).list.every((r) => r.missing.includes('contract'))).toBe(true)
    expect((await ask({ workType: '-9999' })).list.every((r) => r.workType === null)).toBe(true)
    for (const certState of ['none', 'valid', 'expiring', 'expired', 'missing'])
      expect((await ask({ certState, stationed: '1' })).list.every((r) => r.certState === certState)).toBe(true)
    const page = await ask({ size: 20, page: 2, sort: '-age' })
    expect([...page.list].sort((a, b) => b.age - a.age).map((r) => r.age)).toEqual(page.list.map((r) => r.age))
  })
  test('careers show another firm’s project and trade, not its terms', async () => {
    const { workerId } = await register()
    const fresh = `${'0'.repeat(31)}7`
    await clerk.call(careersCalls.saveHistory, {
      params: { id: fresh },
      body: {
        workerId,
        projectName: '老家的桥',
        corpName: '某建筑公司',
        teamName: null,
        workType: '020',
        entryTime: '2015-01-01',
        exitTime: '2016-01-01',
        evaluate: null,
      },
    })
    const h = await clerk.call(careersCalls.workerHistory, { params: { id: workerId } })
    expect(h.list.map((r) => r.source)).toEqual(['platform', 'own'])
    expect(h.idleMonths).toBeGreaterThan(100)
    expect((await clerk.ask(careersCalls.removeHistory, { params: { id: h.list[0]?.id ?? '' } })).status).toBe(4)
  })
})
