import { shanghaiOffsetMs } from '@zhugong/contract/kit/time'
import { enterWorker, exitWorkers } from '@zhugong/contract/labour/stays'
import { listTwins, mergeWorkers } from '@zhugong/contract/personnel/merge'
import * as papersCalls from '@zhugong/contract/personnel/papers'
import * as peopleCalls from '@zhugong/contract/personnel/people'
import * as workersCalls from '@zhugong/contract/personnel/workers'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { idCard, mobile, newcomer, type Site, siteOf, storedFile } from '../../../test/givens.ts'
import type { Caller, World } from '../../../test/world.ts'

let world: World
let settled: CityWorld
let platform: Caller
let clerk: Caller
let other: Caller
let here: Site
let there: Site
const today = new Date(Date.now() + shanghaiOffsetMs).toISOString().slice(0, 10)
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  platform = await settled.as('admin')
  clerk = await settled.as('hospital-labour')
  other = await settled.as('zhigu-labour')
  const codeOf = (account: string) => settled.city.personas.find((p) => p.account === account)?.projectCode ?? ''
  here = await siteOf(world, codeOf('hospital-pm'))
  there = await siteOf(world, codeOf('zhigu-pm'))
})
afterAll(() => world.close())

/** Creates one man twice: with the correct number at one site, and with a mistyped but valid number at another. */
async function twins(name: string) {
  const [right, wrong, phone] = [idCard(), idCard(), mobile()]
  const kept = await clerk.call(workersCalls.registerWorker, { body: newcomer(here, { name, idCardNumber: right, cellPhone: phone }) })
  const gone = await other.call(workersCalls.registerWorker, { body: newcomer(there, { name, idCardNumber: wrong, cellPhone: phone }) })
  await other.call(papersCalls.saveCert, {
    body: {
      workerId: gone.workerId,
      certType: '7',
      specialType: '01',
      name: '建筑电工操作资格证',
      certNo: `合并${wrong.slice(-8)}`,
      issueDate: '2025-06-01',
      grantOrg: '湖北省住房和城乡建设厅',
      files: [await storedFile(world, there.groupId)],
    },
  })
  return { right, wrong, kept, gone }
}
const versionsOf = async (keepId: string, dropId: string) => {
  const { rows } = await world.database.pool.query<{ id: string; version: number }>('select id, version from worker where id = any ($1)', [
    [keepId, dropId],
  ])
  const of = (id: string) => rows.find((r) => r.id === id)?.version ?? -1
  return { keepId, keepVersion: of(keepId), dropId, dropVersion: of(dropId) }
}
const reason = '同一人，劳务公司书面确认'

test('two files become one: stays, papers and chosen fields come over, and both numbers lead to it', async () => {
  const { right, wrong, kept, gone } = await twins('郝重复')
  await other.call(workersCalls.updateWorker, {
    params: { id: gone.workerId },
    body: { address: '江城市样例路 9 号', nation: '01', version: 0 },
  })
  const { list } = await platform.call(listTwins, {})
  const pair = list.find((p) => p.why === '同一手机号' && p.files.some((f) => f.workerId === kept.workerId))
  expect(pair?.files.map((f) => f.workerId)).toEqual([kept.workerId, gone.workerId])
  const ids = await versionsOf(kept.workerId, gone.workerId)
  const made = await platform.call(mergeWorkers, { body: { ...ids, take: ['address', 'nation', 'idCard'], reason } })
  expect(made).toMatchObject({ stays: 1, certs: 1 })
  const bound = await platform.call(workersCalls.workerProjects, { params: { id: kept.workerId } })
  expect(bound.list.map((s) => s.projectCode).sort()).toEqual([here.projectCode, there.projectCode].sort())
  const d = await platform.call(workersCalls.workerDetailInfo, {
    params: { id: kept.workerId },
    query: { plain: 'idCardNumber,address' as never, reason: '核对合并' },
  })
  expect([d.plain?.idCardNumber, d.plain?.address, d.nation, d.realNameState]).toEqual([wrong, '江城市样例路 9 号', '01', '0'])
  for (const number of [right, wrong]) {
    const found = await platform.call(peopleCalls.listFiles, { query: { view: 'file', idCardNumber: number } })
    expect(found.list.map((f) => f.workerId)).toEqual([kept.workerId])
    const again = await clerk.ask(workersCalls.registerWorker, { body: newcomer(undefined, { name: '郝重复', idCardNumber: number }) })
    expect(again.status).not.toBe(0)
  }
  // A person with the old number enters under the remaining file.
  await other.call(exitWorkers, { body: { ids: [gone.projectWorkerId ?? ''], exitTime: today, exitReason: '1' } })
  const stay = newcomer(there).stay as NonNullable<ReturnType<typeof newcomer>['stay']>
  const back = await other.call(enterWorker, { body: { ...stay, idCardNumber: right, name: '郝重复' } })
  expect(back.workerId).toBe(kept.workerId)
  expect((await platform.ask(workersCalls.workerBaseInfo, { params: { id: gone.workerId } })).status).not.toBe(0)
  const { rows } = await world.database.pool.query<{ summary: string }>("select summary from audit_log where summary like '合并人员档案%'")
  expect(rows.map((r) => r.summary).join()).toMatch(/合并人员档案 郝\*.*书面确认/)
  expect(rows.map((r) => r.summary).join()).not.toContain('郝重复')
})

test('a file with passages stays; two on one site at one time are not one; an old page is told', async () => {
  const { kept, gone } = await twins('郝通行')
  await world.database.pool.query(
    `insert into attendance_event (project_code, id, dedup_key, worker_id, time, received_at, attend_type, terminal_code, source, seq)
     values ($1, md5($2), md5($2), $2, now(), now(), '001', 'gate', '1', 900001)`,
    [there.projectCode, gone.workerId],
  )
  const ids = await versionsOf(kept.workerId, gone.workerId)
  const refused = await platform.ask(mergeWorkers, { body: { ...ids, take: [], reason } })
  expect(refused.message).toContain('账本不能改写')
  const { list } = await platform.call(listTwins, {})
  const files = list.find((p) => p.files.some((f) => f.workerId === gone.workerId))?.files ?? []
  expect(files.map((f) => [f.workerId, f.passes])).toEqual([
    [kept.workerId, false],
    [gone.workerId, true],
  ])
  const stale = await platform.ask(mergeWorkers, { body: { ...ids, keepVersion: ids.keepVersion + 1, take: [], reason } })
  expect(stale.message).toContain('刷新')
  const twice = await clerk.call(workersCalls.registerWorker, { body: newcomer(here, { name: '郝通行' }) })
  const same = await platform.ask(mergeWorkers, { body: { ...(await versionsOf(kept.workerId, twice.workerId)), take: [], reason } })
  expect(same.message).toContain('在场时间重叠')
})

test('nobody but the platform merges: a site, a company and an authority do not see both', async () => {
  const { kept, gone } = await twins('郝旁人')
  const ids = await versionsOf(kept.workerId, gone.workerId)
  for (const account of ['hospital-pm', 'yunze-lu', 'city-fang']) {
    const refused = await (await settled.as(account)).ask(mergeWorkers, { body: { ...ids, take: [], reason } })
    expect([account, refused.status === 0]).toEqual([account, false])
  }
})
