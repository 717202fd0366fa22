import { shanghaiOffsetMs } from '@zhugong/contract/kit/time'
import { enterWorker, exitWorkers } from '@zhugong/contract/labour/stays'
import * as badRecordsCalls from '@zhugong/contract/personnel/bad-records'
import * as careersCalls from '@zhugong/contract/personnel/careers'
import * as papersCalls from '@zhugong/contract/personnel/papers'
import * as peopleCalls from '@zhugong/contract/personnel/people'
import * as workersCalls from '@zhugong/contract/personnel/workers'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { inScope } from '#kit/db'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { contractOf, idCard, mobile, newcomer, type Site, siteOf, storedFile } from '../../../test/givens.ts'
import type { Caller, World } from '../../../test/world.ts'
import { findScope } from '../access/public.ts'

let world: World
let settled: CityWorld
/** The hospital is the former site, 智谷 the present one. */
let former: Caller
let present: Caller
let here: Site
let there: Site
const today = new Date(Date.now() + shanghaiOffsetMs).toISOString().slice(0, 10)
const codeOf = (account: string) => settled.city.personas.find((p) => p.account === account)?.projectCode ?? ''

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  former = await settled.as('hospital-pm')
  present = await settled.as('zhigu-pm')
  here = await siteOf(world, codeOf('hospital-pm'))
  there = await siteOf(world, codeOf('zhigu-pm'))
})
afterAll(() => world.close())

interface Mover {
  workerId: string
  firstStay: string
  idCardNumber: string
  name: string
  oldPhone: string
  newPhone: string
}

/** Registered at the hospital, left, entered 智谷 with documents, and gave 智谷 a new phone and address. */
/** The person passes the gate, which confirms the stay and opens the file to the site. */
const passedGate = (workerId: string) =>
  sql`update project_worker set confirmed_at = now() where worker_id = ${workerId} and confirmed_at is null`.execute(world.database.kysely)

async function moved(name = '方建设'): Promise<Mover> {
  const [idCardNumber, oldPhone, newPhone] = [idCard(), mobile(), mobile()]
  const { workerId, projectWorkerId } = await former.call(workersCalls.registerWorker, {
    body: newcomer(here, { name, idCardNumber, cellPhone: oldPhone, address: '云泽市老街 1 号' }),
  })
  const firstStay = projectWorkerId ?? ''
  const exit = await former.call(exitWorkers, { body: { ids: [firstStay], exitTime: today, exitReason: '1' } })
  expect(exit.failed).toEqual([])
  const stay = newcomer(there).stay
  if (!stay) throw new Error('no stay')
  await present.call(enterWorker, { body: { ...stay, idCardNumber, name } })
  await passedGate(workerId)
  const fill = await present.call(workersCalls.fillWorker, { params: { id: workerId } })
  await present.call(workersCalls.updateWorker, {
    params: { id: workerId },
    body: {
      cellPhone: newPhone,
      address: '武汉市新街 2 号',
      headImage: await storedFile(world, there.groupId),
      version: fill.version,
    } as never,
  })
  return { workerId, firstStay, idCardNumber, name, oldPhone, newPhone }
}

const versionOf = async (workerId: string) =>
  (await world.database.kysely.selectFrom('worker').select('version').where('id', '=', workerId).executeTakeFirstOrThrow()).version
const certificate = () => ({
  certType: '7',
  specialType: '0201',
  name: '建筑架子工',
  certNo: `鄂A02${Math.random().toString().slice(2, 10)}`,
  level: null,
  majorType: null,
  firstIssueDate: null,
  issueDate: '2026-01-05',
  validStart: null,
  validEnd: null,
  grantOrg: '云泽市住建局',
})

describe('a project the person has left', () => {
  test('writes nothing into the file', async () => {
    const m = await moved()
    const id = m.workerId
    const before = await world.database.kysely.selectFrom('worker').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const version = before.version
    const base = { idCardNumber: null, gender: null, birthday: null, reason: '录入错字' }
    const theirs = await present.call(papersCalls.saveCert, {
      body: { workerId: id, ...certificate(), files: [await storedFile(world, there.groupId)] } as never,
    })
    const files = [await storedFile(world, here.groupId)]
    const resume = {
      workerId: id,
      projectName: '桥',
      corpName: '路桥公司',
      teamName: null,
      workType: '020',
      entryTime: '2015-01-01',
      exitTime: '2016-01-01',
      evaluate: null,
    }
    const attempts = {
      rename: () => former.ask(workersCalls.updateWorkerBase, { params: { id }, body: { ...base, name: '方改名', version } as never }),
      telephone: () => former.ask(workersCalls.updateWorker, { params: { id }, body: { cellPhone: mobile(), version } as never }),
      consent: () =>
        former.ask(workersCalls.updateWorker, { params: { id }, body: { consents: [{ kind: 'face', state: '同意' }], version } as never }),
      verification: () =>
        former.ask(workersCalls.verifyWorker, { body: { way: 'card', workerId: id, name: m.name, idCardNumber: m.idCardNumber, version } }),
      certificate: () => former.ask(papersCalls.saveCert, { body: { workerId: id, ...certificate(), files } as never }),
      certificates: () => former.ask(papersCalls.saveCerts, { body: { workerId: id, list: [{ ...certificate(), files }] } as never }),
      'audit of a certificate': () => former.ask(papersCalls.auditCert, { body: { id: theirs.id, result: '1' } }),
      'removal of a certificate': () => former.ask(papersCalls.removeCert, { params: { id: theirs.id } }),
      health: () =>
        former.ask(careersCalls.saveHealth, {
          params: { id },
          body: {
            contraindications: [],
            examDate: today,
            examReport: [],
            vaccinated: [],
            healthStatus: '1',
            bloodType: null,
            declare: null,
            version,
          } as never,
        }),
      career: () => former.ask(careersCalls.saveHistory, { params: { id: `${'0'.repeat(31)}8` }, body: resume }),
      removal: () => former.ask(workersCalls.removeWorker, { params: { id } }),
      'entry by the file alone': () => former.ask(enterWorker, { body: { ...newcomer(here).stay, workerId: id } as never }),
    }
    for (const [what, attempt] of Object.entries(attempts)) {
      const answer = await attempt()
      expect([what, answer.status]).not.toEqual([what, 0])
      expect([what, answer.message]).toEqual([what, expect.stringMatching(/不在本单位的项目在场|已退场/)])
    }
    const after = await world.database.kysely.selectFrom('worker').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(after).toEqual(before)
    const certs = await world.database.kysely.selectFrom('workerCert').select(['id', 'auditStatus']).where('workerId', '=', id).execute()
    expect(certs).toEqual([{ id: theirs.id, auditStatus: '0' }])
  })
  test('sees what its own stay wrote down and nothing of later days, in clear nothing at all', async () => {
    const m = await moved('史知秋')
    const params = { id: m.workerId }
    await present.call(papersCalls.saveCert, {
      body: { workerId: m.workerId, ...certificate(), files: [await storedFile(world, there.groupId)] } as never,
    })
    const [old, young] = [m.oldPhone, m.newPhone].map((p) => `${p.slice(0, 3)}****${p.slice(-4)}`)
    const detail = await former.call(workersCalls.workerDetailInfo, { params, query: { projectWorkerId: m.firstStay } })
    expect(detail).toMatchObject({ hold: 'former', name: '史知秋', cellPhone: old, address: null, headImage: null, urgentLinkMan: null })
    expect(detail.stay?.id).toBe(m.firstStay)
    const head = await former.call(workersCalls.workerBaseInfo, { params })
    expect(head).toMatchObject({ hold: 'former', cellPhone: old, address: null, photo: null, counts: { certs: 0 } })
    expect((await former.call(papersCalls.workerCerts, { params })).list).toEqual([])
    const career = await former.call(careersCalls.workerHistory, { params })
    expect(career.list.map((r) => r.source)).toEqual(['platform'])
    const files = (await former.call(peopleCalls.listFiles, { query: { view: 'file', idCardNumber: m.idCardNumber } })).list
    expect(files).toMatchObject([{ cellPhone: old, workTypeCode: null }])
    const stays = (await former.call(peopleCalls.listStays, { query: { view: 'project', idCardNumber: m.idCardNumber } })).list
    expect(stays).toMatchObject([{ id: m.firstStay, cellPhone: old, photo: null }])
    for (const query of [
      { view: 'file', cellPhone: m.newPhone },
      { view: 'file', q: m.newPhone },
    ] as const)
      expect((await former.call(peopleCalls.listFiles, { query })).list).toEqual([])
    expect((await former.call(peopleCalls.listFiles, { query: { view: 'file', cellPhone: m.oldPhone } })).list).toHaveLength(1)
    for (const plain of ['cellPhone', 'idCardNumber', 'address']) {
      for (const projectWorkerId of [undefined, m.firstStay]) {
        const query = { plain, reason: '核对参保', ...(projectWorkerId ? { projectWorkerId } : {}) }
        expect(await former.ask(workersCalls.workerDetailInfo, { params, query })).toMatchObject({ http: 403 })
      }
    }
    expect((await former.ask(careersCalls.getHealth, { params })).http).toBe(403)
    expect((await former.ask(workersCalls.fillWorker, { params })).http).toBe(403)
    // The present site sees everything.
    expect(await present.call(workersCalls.workerBaseInfo, { params })).toMatchObject({
      hold: 'present',
      cellPhone: young,
      counts: { certs: 1 },
    })
    expect((await present.call(peopleCalls.listFiles, { query: { view: 'file', cellPhone: m.newPhone } })).list).toHaveLength(1)
  })
  test('keeps the name it knew when a later project corrects it', async () => {
    const m = await moved('梅更名')
    await present.call(workersCalls.updateWorkerBase, {
      params: { id: m.workerId },
      body: { name: '梅正名', idCardNumber: null, gender: null, birthday: null, reason: '录入错字', version: await versionOf(m.workerId) },
    })
    const names = async (caller: Caller) =>
      (await caller.call(peopleCalls.listStays, { query: { view: 'project', idCardNumber: m.idCardNumber } })).list.map((r) => r.name)
    expect(await names(former)).toEqual(['梅更名'])
    expect(await names(present)).toEqual(['梅正名'])
  })
  test('is told nothing by the number alone, and takes him back with his papers', async () => {
    const m = await moved('归来人')
    const look = (name?: string) =>
      former.call(workersCalls.syncWorker, { body: { idCardType: '01', idCardNumber: m.idCardNumber, ...(name ? { name } : {}) } })
    expect(await look()).toMatchObject({ known: 'none', name: null, workerId: null })
    expect(await look('归来人')).toMatchObject({ known: 'other', name: null, workerId: null })
    await former.call(enterWorker, { body: { ...newcomer(here).stay, idCardNumber: m.idCardNumber, name: '归来人' } as never })
    expect(await former.call(workersCalls.workerBaseInfo, { params: { id: m.workerId } })).toMatchObject({ hold: 'unconfirmed' })
    await passedGate(m.workerId)
    expect(await former.call(workersCalls.workerBaseInfo, { params: { id: m.workerId } })).toMatchObject({ hold: 'present' })
  })
  test('ends the contract of its own stay and signs none for later', async () => {
    const { workerId, projectWorkerId } = await former.call(workersCalls.registerWorker, { body: newcomer(here, { name: '签约人' }) })
    const terms = contractOf(here, workerId, [await storedFile(world, here.groupId)])
    const { id } = await former.call(papersCalls.saveContract, { body: terms as never })
    await former.call(exitWorkers, { body: { ids: [projectWorkerId ?? ''], exitTime: today, exitReason: '1' } })
    const another = await former.ask(papersCalls.saveContract, { body: { ...terms, contractCode: `${terms.contractCode}-2` } as never })
    expect(another.message).toContain('已退场')
    const ended = { ...terms, id, terminateDate: today, terminateReason: '本人离职' }
    expect(await former.ask(papersCalls.saveContract, { body: ended as never })).toMatchObject({ status: 0 })
  })
  test('a bad record is still the site’s for a month after the exit, not longer', async () => {
    const m = await moved('记过人')
    const record = {
      workerId: m.workerId,
      projectCode: here.projectCode,
      badRecordType: '05',
      badRecordLevel: '3',
      actionDegree: '6',
      occurrenceDate: today,
      reason: '高处作业不系安全带，屡次提醒不改正',
      processResult: null,
      score: null,
      files: [await storedFile(world, here.groupId)],
    }
    expect(await former.ask(badRecordsCalls.createBadRecord, { body: record })).toMatchObject({ status: 0 })
    const long = '2020-03-05'
    await sql`update project_worker set entry_time = ${long}::date, exit_time = ${long}::date + 1 where id = ${m.firstStay}`.execute(
      world.database.kysely,
    )
    const late = await former.ask(badRecordsCalls.createBadRecord, { body: { ...record, occurrenceDate: long } })
    expect(late.message).toContain('30 天')
  })
  test('the database refuses the same writes', async () => {
    const m = await moved('锁定人')
    const groupOf = async (code: string) => {
      const t = await world.database.kysely
        .selectFrom('tenant')
        .selectAll()
        .where('type', '=', 3)
        .where('code', '=', code)
        .executeTakeFirstOrThrow()
      return { id: t.id, type: 3 as const, code, name: t.name, areaCode: t.areaCode }
    }
    const attempt = async (site: Site) => {
      const scope = await findScope(world.database.kysely, await groupOf(site.projectCode), 'test')
      const file = await inScope(world.database.kysely, scope, (tx) =>
        tx.updateTable('worker').set({ specialty: '砌筑' }).where('id', '=', m.workerId).executeTakeFirst(),
      )
      const cert = await inScope(world.database.kysely, scope, (tx) =>
        sql`insert into worker_cert (id, worker_id, cert_type, name, cert_no, issue_date, grant_org, status)
          values (md5(random()::text), ${m.workerId}, '1', '证', md5(random()::text), now(), '局', '1')`.execute(tx),
      ).then(
        () => 'written',
        (error: { code?: string }) => error.code,
      )
      return [Number(file.numUpdatedRows), cert]
    }
    expect(await attempt(here)).toEqual([0, '42501'])
    expect(await attempt(there)).toEqual([1, 'written'])
  })
})

test('whoever opened a file keeps it until somebody else has the person', async () => {
  const idCardNumber = idCard()
  const { workerId } = await former.call(workersCalls.registerWorker, { body: newcomer(undefined, { idCardNumber, name: '候场人' }) })
  const params = { id: workerId }
  expect(await former.call(workersCalls.workerBaseInfo, { params })).toMatchObject({ hold: 'keeper' })
  const edit = async () =>
    former.ask(workersCalls.updateWorker, { params, body: { cellPhone: mobile(), version: await versionOf(workerId) } as never })
  expect(await edit()).toMatchObject({ status: 0 })
  const { id } = await present.call(enterWorker, { body: { ...newcomer(there).stay, idCardNumber, name: '候场人' } as never })
  expect(await edit(), 'entered by his papers alone').toMatchObject({ status: 0 })
  await passedGate(workerId)
  expect(await edit()).toMatchObject({ http: 403 })
  expect(await former.ask(workersCalls.workerBaseInfo, { params })).toMatchObject({ status: 2 })
  expect((await former.call(peopleCalls.listFiles, { query: { view: 'file', idCardNumber } })).list).toEqual([])
  // Refused even after the person has left there too.
  await present.call(exitWorkers, { body: { ids: [id], exitTime: today, exitReason: '1' } })
  expect(await edit()).toMatchObject({ http: 403 })
})

test('the real-name state is set by a verification and by no edit', async () => {
  const idCardNumber = idCard()
  const { workerId } = await former.call(workersCalls.registerWorker, { body: newcomer(here, { idCardNumber, name: '验真' }) })
  const stateOf = async () => (await former.call(workersCalls.getWorkerBase, { params: { id: workerId } })).realNameState
  const base = { name: '验真', idCardNumber: null, gender: null, birthday: null, reason: '当面核对证件' }
  await former.call(workersCalls.updateWorkerBase, {
    params: { id: workerId },
    body: { ...base, realNameState: '1', version: await versionOf(workerId) } as never,
  })
  expect(await stateOf()).toBe('0')
  const verify = async (caller: Caller, body: object) =>
    caller.ask(workersCalls.verifyWorker, { body: { workerId, version: await versionOf(workerId), ...body } as never })
  expect(await verify(former, { way: 'operator', state: '1', reason: '看着像本人' })).toMatchObject({ http: 403 })
  expect(await verify(former, { way: 'card', name: '验真', idCardNumber: idCard() })).toMatchObject({
    status: 4,
    data: { field: 'idCardNumber' },
  })
  expect(await verify(former, { way: 'card', name: '验假', idCardNumber })).toMatchObject({ status: 4, data: { field: 'name' } })
  expect(await stateOf()).toBe('0')
  expect(await verify(former, { way: 'card', name: '验真', idCardNumber })).toMatchObject({ status: 0 })
  expect(await stateOf()).toBe('1')
})

test('who has the person now sees every look at his data, whoever took it', async () => {
  const idCardNumber = idCard()
  const { workerId } = await former.call(workersCalls.registerWorker, { body: newcomer(here, { idCardNumber, name: '被看人' }) })
  const look = { params: { id: workerId }, query: { plain: 'idCardNumber', reason: '核对参保' } }
  await former.call(workersCalls.workerDetailInfo, look)
  // The contractor reads the file too; the project sees that in the log, and vice versa.
  const company = await settled.as('yunze-lu')
  await company.call(workersCalls.workerDetailInfo, { ...look, query: { ...look.query, reason: '集团抽查' } })
  for (const caller of [former, company]) {
    const looks = await caller.call(workersCalls.workerLooks, { params: { id: workerId } })
    expect(looks.map((l) => l.summary)).toEqual(['查看明文：证件号码（集团抽查）', '查看明文：证件号码（核对参保）'])
    expect(new Set(looks.map((l) => l.groupName)).size).toBe(2)
  }
})
