import { listApprovals } from '@zhugong/contract/home/endpoints'
import * as mine from '@zhugong/contract/settings/my-person'
import * as calls from '@zhugong/contract/settings/my-requests'
import { actOnApproval, getApproval } from '@zhugong/contract/workflow/endpoints'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../../test/city.ts'
import type { Caller, World } from '../../../../test/world.ts'

/** A site's manager makes requests as a person; labour officer, company and platform decide; all others are refused. */
let world: World
let city: CityWorld
let me: Caller
let officer: Caller
let projectCode: string
let worker: string
let stay: { id: string; corpCode: string; teamId: string | null }
let other: { worker: string; stay: string }
let password: string

const query = <T extends object>(text: string, values: unknown[] = []) =>
  world.database.pool.query<T>(text, values).then(({ rows }) => rows)
const one = async <T extends object>(text: string, values: unknown[] = []) => (await query<T>(text, values))[0] as T

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  city = await settleCity(world)
  const persona = city.accounts.find((account) => account.account === 'hospital-pm')
  projectCode = persona?.projectCode ?? ''
  password = persona?.password ?? ''
  const rows = await query<{ id: string; workerId: string; corpCode: string; teamId: string | null }>(
    `select id, worker_id as "workerId", corp_code as "corpCode", team_id as "teamId" from project_worker where project_code = $1 and exit_time is null
     order by id limit 2`,
    [projectCode],
  )
  worker = rows[0]?.workerId ?? ''
  stay = { id: rows[0]?.id ?? '', corpCode: rows[0]?.corpCode ?? '', teamId: rows[0]?.teamId ?? null }
  other = { worker: rows[1]?.workerId ?? '', stay: rows[1]?.id ?? '' }
  await proved()
  me = await city.as('hospital-pm')
  officer = await city.as('hospital-labour')
})
afterAll(() => world.close())
/** The person was verified by a phone code; a link of the site's account ends with the stay, and needs new proof. */
const proved = () => query(`update app_user set worker_id = $1 where account = 'hospital-pm'`, [worker])

const reason = '当天实际在场并出勤，记录与门卫登记不一致'
const itemOf = async (requestId: string) =>
  one<{ id: string; version: number; title: string }>(
    `select id, version, title from work_item where object_id = $1 order by create_time desc limit 1`,
    [requestId],
  )
const decide = async (who: Caller, requestId: string, result: 'pass' | 'reject', opinion = '已核对，同意更正') => {
  const item = await itemOf(requestId)
  return who.ask(actOnApproval, { params: { id: item.id }, body: { result, opinion, version: item.version } })
}
const file = async (account: string, name: string) => {
  const row = await one<{ id: string }>(
    `insert into stored_file (id, group_id, project_code, name, mime, bytes, sha256, create_by)
     select md5($2), m.group_id, null, $2 || '.png', 'image/png', 1, '', u.id from member m join app_user u on u.id = m.user_id
     where u.account = $1 limit 1 returning id`,
    [account, name],
  )
  return row.id
}
const bad = async (mark: string, whose: string, status: string, until: string | null) =>
  one<{ id: string }>(
    `insert into worker_bad (id, type, worker_id, project_code, corp_code, bad_record_type, bad_record_level, action_degree, occurrence_date, reason,
       audit_status, valid_until)
     values (md5($1), '1', $2, $3, $4, '001', '1', '1', '2026-11-01', '高处作业未系安全带，现场制止后再犯', $5, $6) returning id`,
    [mark, whose, projectCode, stay.corpCode, status, until],
  )

describe('an objection to one’s own record', () => {
  let id: string

  test('is of one’s own rows, inside one’s own stay, and says what is wrong', async () => {
    const on = (body: object) =>
      me.ask(calls.disputeRecord, {
        query: { projectCode: '*' },
        body: { subject: 'attendance', stayId: stay.id, workDay: '2026-11-10', reason, ...body } as never,
      })
    expect(await on({ reason: '不对' })).toMatchObject({ data: { field: 'reason' } })
    expect(await on({ workDay: undefined })).toMatchObject({ data: { field: 'workDay' } })
    expect(await on({ workDay: '2001-01-01' })).toMatchObject({ data: { field: 'workDay' } })
    expect((await on({ stayId: other.stay })).message).toMatch(/从业记录不存在/)
    const foreign = await bad('somebody else', other.worker, '0', null)
    expect((await on({ subject: 'bad', badId: foreign.id })).message).toMatch(/不良记录不存在/)
    const stranger = await file('yunze-lu', 'not mine')
    expect(await on({ files: [stranger] })).toMatchObject({ data: { field: 'files' } })
  })

  test('goes to the labour officer of the site, who says what comes of it; nobody else decides', async () => {
    const today = new Date().toISOString().slice(0, 10)
    ;({ id } = await me.call(calls.disputeRecord, {
      query: { projectCode: '*' },
      body: { subject: 'attendance', stayId: stay.id, workDay: today, reason },
    }))
    const again = await me.ask(calls.disputeRecord, {
      query: { projectCode: '*' },
      body: { subject: 'attendance', stayId: stay.id, workDay: today, reason },
    })
    expect(again.message).toMatch(/正在办理/)
    const item = await itemOf(id)
    const { list } = await officer.call(listApprovals, { query: { box: 'todo', size: 100 } as never })
    expect(list.map((row) => row.id)).toContain(item.id)
    expect((await me.call(listApprovals, { query: { box: 'mine', size: 100 } as never })).list.map((row) => row.id)).toContain(item.id)
    // Neither the person, nor the site's safety officer, nor another site's labour officer, nor another company.
    for (const account of ['hospital-pm', 'hospital-safety', 'dongwan-officer', 'yunze-lu']) {
      if (!city.accounts.some((known) => known.account === account)) continue
      const caller = await city.as(account)
      expect([account, (await decide(caller, id, 'pass')).status]).not.toEqual([account, 0])
    }
    expect(await decide(officer, id, 'pass', '好')).toMatchObject({ data: { field: 'opinion' } })
    expect((await decide(officer, id, 'pass')).status).toBe(0)
    const [row] = (await me.call(calls.listMyRequests, { query: { kind: 'recordDispute' } as never })).list
    expect(row).toMatchObject({ id, state: '2', opinion: '已核对，同意更正', mayWithdraw: false })
  })

  test('is taken back by whoever asked, and by nobody else', async () => {
    const { id: second } = await me.call(calls.disputeRecord, {
      query: { projectCode: '*' },
      body: { subject: 'stay', stayId: stay.id, reason },
    })
    await query(`update app_user set worker_id = $1 where account = 'hospital-safety'`, [other.worker])
    const safety = await city.as('hospital-safety')
    expect((await safety.ask(calls.withdrawMyRequest, { params: { id: second } })).message).toMatch(/不存在/)
    expect((await safety.call(calls.listMyRequests)).list).toEqual([])
    expect((await officer.ask(calls.withdrawMyRequest, { params: { id: second } })).status).not.toBe(0)
    await me.call(calls.withdrawMyRequest, { params: { id: second } })
    expect((await me.call(calls.listMyRequests)).list.find((row) => row.id === second)).toMatchObject({ state: '4' })
  })
})

describe('unpaid wages', () => {
  test('are told of by who worked, months inside his stay, and the authority reads along', async () => {
    const entry = (await one<{ m: string }>(`select to_char(entry_time, 'YYYY-MM') as m from project_worker where id = $1`, [stay.id])).m
    const on = (body: object) =>
      me.ask(calls.complainOfWages, {
        query: { projectCode: '*' },
        body: {
          stayId: stay.id,
          fromMonth: entry,
          toMonth: entry,
          amount: 823_050,
          reason: '上月工资至今未发，班组三人均未收到',
          ...body,
        } as never,
      })
    expect(await on({ fromMonth: '2001-01' })).toMatchObject({ data: { field: 'fromMonth' } })
    expect((await on({ stayId: other.stay })).message).toMatch(/从业记录不存在/)
    const answer = await on({})
    expect(answer.status).toBe(0)
    const { id } = answer.data as { id: string }
    const item = await itemOf(id)
    const copies = await query<{ type: number }>(
      'select distinct t.type from work_copy c join tenant t on t.id = c.group_id where c.item_id = $1',
      [item.id],
    )
    expect(copies).toEqual([{ type: 1 }])
    const document = (await officer.call(getApproval, { params: { id: item.id } })).document
    expect(document?.fields).toContainEqual({ label: '本人主张金额', value: '8230.50 元' })
    // Access to the project alone does not let the accused read it.
    const safety = await city.as('hospital-safety')
    expect((await safety.ask(getApproval, { params: { id: item.id } })).status).not.toBe(0)
    expect((await decide(officer, id, 'reject', '已于昨日发放，附回单')).status).toBe(0)
  })

  test('stay one’s own to tell of after one has gone', async () => {
    await query(`update project_worker set exit_time = now() - interval '1 hour' where id = $1`, [stay.id])
    await proved()
    const month = (await one<{ m: string }>(`select to_char(now() - interval '1 hour', 'YYYY-MM') as m`)).m
    const { id } = await me.call(calls.complainOfWages, {
      query: { projectCode: '*' },
      body: { stayId: stay.id, fromMonth: month, toMonth: month, amount: null, reason: '退场时未结清工资，请核实' },
    })
    await me.call(calls.withdrawMyRequest, { params: { id } })
    // Without a site, nobody could compare the data with the new card.
    const [front, back] = [await file('hospital-pm', 'gone front'), await file('hospital-pm', 'gone back')]
    const renewal = { startDate: '2026-10-01', expiryDate: '2098-10-01', grantOrg: '某市公安局', front: [front], back: [back] }
    expect((await me.ask(calls.renewIdCard, { query: { projectCode: '*' }, body: renewal })).message).toMatch(/没有在场项目/)
    await query(`update project_worker set exit_time = null where id = $1`, [stay.id])
  })
})

describe('an appeal', () => {
  test('is possible while the record counts; found right, it counts no longer', async () => {
    const current = await bad('held', worker, '1', '2030-01-01')
    const over = await bad('over', worker, '1', '2020-01-01')
    const open = await bad('open', worker, '0', null)
    const foreign = await bad('foreign', other.worker, '1', '2030-01-01')
    const on = (badId: string) =>
      me.ask(calls.appealBadRecord, { query: { projectCode: '*' }, body: { badId, reason: '当时安全带挂在生命线上，有照片为证' } })
    expect((await on(over.id)).message).toMatch(/已过申诉期限/)
    expect((await on(open.id)).message).toMatch(/只能申诉已认定/)
    expect((await on(foreign.id)).message).toMatch(/不存在/)
    const answer = await on(current.id)
    expect(answer.status).toBe(0)
    const { id } = answer.data as { id: string }
    const company = await city.as('yunze-lu')
    await query(`update worker_bad set audited_by = (select id from app_user where account = 'yunze-lu') where id = $1`, [current.id])
    expect((await decide(company, id, 'reject')).message).toMatch(/认定该记录的人员不能审理/)
    await query('update worker_bad set audited_by = null where id = $1', [current.id])
    expect((await decide(officer, id, 'pass')).status).not.toBe(0)
    expect((await decide(company, id, 'pass')).status).toBe(0)
    const record = (await me.call(mine.listMyBadRecords)).list.find((row) => row.id === current.id)
    expect(record).toMatchObject({ counts: false, revokedDay: expect.any(String) })
  })
})

describe('a new identity card', () => {
  test('is written to the file by the officer’s word, its pictures shown to who has the person and no longer', async () => {
    const [front, back] = [await file('hospital-pm', 'front'), await file('hospital-pm', 'back')]
    const card = { startDate: '2026-10-01', expiryDate: '2098-10-01', grantOrg: '某市公安局', front: [front], back: [back] }
    expect(await me.ask(calls.renewIdCard, { query: { projectCode: '*' }, body: { ...card, back: [front] } })).toMatchObject({
      data: { field: 'back' },
    })
    expect(await me.ask(calls.renewIdCard, { query: { projectCode: '*' }, body: { ...card, expiryDate: '2020-01-01' } })).toMatchObject({
      data: { field: 'expiryDate' },
    })
    expect(
      await me.ask(calls.renewIdCard, { query: { projectCode: '*' }, body: { ...card, front: [await file('yunze-lu', 'stolen')] } }),
    ).toMatchObject({
      data: { field: 'front' },
    })
    const { id } = await me.call(calls.renewIdCard, { query: { projectCode: '*' }, body: card })
    expect((await officer.call(calls.getIdRenewal, { params: { id }, query: { projectCode: '*' } })).pictures).not.toBeNull()
    const next = city.accounts.find((known) => known.projectCode && known.projectCode !== projectCode && /labour/.test(known.account))
    if (next)
      expect(
        (await (await city.as(next.account)).ask(calls.getIdRenewal, { params: { id }, query: { projectCode: '*' } })).message,
      ).toMatch(/不存在/)
    const item = await itemOf(id)
    expect((await officer.call(getApproval, { params: { id: item.id } })).document?.files).toEqual([])
    expect((await decide(officer, id, 'pass')).status).toBe(0)
    expect(await one('select expiry_date::text as until, positive_id_card_image as front from worker where id = $1', [worker])).toEqual({
      until: '2098-10-01',
      front,
    })
    expect((await officer.call(calls.getIdRenewal, { params: { id }, query: { projectCode: '*' } })).pictures).toBeNull()
  })
})

describe('erasure', () => {
  test('is refused as long as somebody has the person; then it takes what no law keeps and leaves the rest', async () => {
    const scope = await me.call(calls.previewErasure)
    expect(scope.hindered).toMatch(/在场/)
    expect(scope.stays.length).toBeGreaterThan(3)
    const request = { query: { projectCode: '*' }, body: { understood: true as const, password } }
    expect((await me.ask(calls.eraseMyData, request)).message).toMatch(/退场后才能/)
    await query(`update project_worker set exit_time = now() - interval '1 minute' where worker_id = $1 and exit_time is null`, [worker])
    await proved()
    expect(
      await me.ask(calls.eraseMyData, { query: { projectCode: '*' }, body: { understood: true, password: 'Wrong#Pass123' } }),
    ).toMatchObject({
      data: { field: 'password' },
    })
    const { id } = await me.call(calls.eraseMyData, request)
    expect((await decide(officer, id, 'pass')).status).not.toBe(0)
    const admin = await city.as('admin')
    expect((await decide(admin, id, 'pass')).status).toBe(0)
    const left = await one<Record<string, unknown>>(
      `select name is not null and id_card_hash is not null as known, cell_phone, address, head_image, positive_id_card_image, health,
         (select count(*)::int from project_worker s where s.worker_id = w.id) > 0 as stays from worker w where id = $1`,
      [worker],
    )
    expect(left).toEqual({
      known: true,
      cell_phone: null,
      address: null,
      head_image: null,
      positive_id_card_image: null,
      health: null,
      stays: true,
    })
  })
})

test('an account without a file asks for nothing', async () => {
  expect(
    (await officer.ask(calls.disputeRecord, { query: { projectCode: '*' }, body: { subject: 'stay', stayId: stay.id, reason } })).message,
  ).toMatch(/尚未关联实名档案/)
  expect((await officer.ask(calls.listMyRequests)).message).toMatch(/尚未关联实名档案/)
})
