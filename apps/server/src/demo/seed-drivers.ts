import type { DriverState } from '@zhugong/contract/drivers/calls'
import { driverTypes } from '@zhugong/contract/drivers/rules'
import { dayMs, hourMs } from '@zhugong/contract/kit/time'
import type { City } from '@zhugong/simulator/city-types'
import { idOf, stream } from '@zhugong/simulator/random'
import { type Insertable, sql } from 'kysely'
import { driverKindName, driverTodos } from '#domains/drivers/public'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import type { Tables, Tx } from '#kit/db'
import { type Actor, actorsOf } from './actors.ts'
import { insertAll } from './seed-trade.ts'
import { todoRows } from './todo-rows.ts'

interface Person {
  workerId: string
  name: string
  corpCode: string
  idCardMask: string
  phoneMask: string | null
}
interface Machine {
  id: string
  family: string
  operators: readonly string[]
}

const mostDrivers = 26
/** Every one of these in the order of registering waits for its audit, or holds a licence that ends soon. */
const waitingAt = [2, 5, 8, 11]
const endingAt = [1, 4, 7]
const rejectedAt = 10
/** The machines refuse the picture of this one. */
const refusedAt = 3
const licenceOf: Readonly<Record<string, string>> = { towerCrane: '0401', lifter: '0402' }
const typeOf: Readonly<Record<string, string>> = { towerCrane: '1', lifter: '2' }

/** Operators of the cranes and lifts of several sites: four wait for their audit, three licences end soon, one crane has nobody. */
export async function seedDrivers(tx: Tx, city: City, now: number): Promise<void> {
  const people = await actorsOf(tx)
  const author = people.of('hospital-pm')
  const auditor = people.of('hospital-jl')
  if (!author || !auditor) return
  const own = city.projects.find((one) => city.personas.some((p) => p.account === 'hospital-pm' && p.projectCode === one.projectCode))
  const sites = [...city.projects].sort((a, b) => Number(b === own) - Number(a === own))
  const { rows } = await sql<{ id: string }>`select id from device where status = '1'`.execute(tx)
  const inService = new Set(rows.map((one) => one.id))
  const made = new Set<string>()
  let number = 0
  for (const { projectCode } of sites) {
    const machines = machinesOf(city, projectCode).filter((one) => inService.has(one.id))
    // The last crane of the first site stays without a driver.
    const bare = projectCode === own?.projectCode ? machines.filter((one) => one.family === 'towerCrane').at(-1)?.id : undefined
    for (const machine of machines) {
      if (machine.id === bare) continue
      for (const workerId of machine.operators) {
        if (made.size >= mostDrivers || made.has(`${projectCode} ${workerId}`)) continue
        const person = await personOf(tx, projectCode, workerId)
        if (!person) continue
        made.add(`${projectCode} ${workerId}`)
        const others = machines.filter((one) => one.id !== bare && one.family === machine.family && one.operators.includes(workerId))
        await put(tx, city, {
          person,
          projectCode,
          family: machine.family,
          deviceIds: others.map((one) => one.id),
          at: number++,
          author,
          auditor,
          now,
        })
      }
    }
  }
}

const machinesOf = (city: City, projectCode: string): Machine[] =>
  city.devices
    .filter((one) => one.projectCode === projectCode && one.family in licenceOf)
    .map(({ id, family, operators }) => ({ id, family, operators }))

async function personOf(tx: Tx, projectCode: string, workerId: string): Promise<Person | undefined> {
  const { rows } =
    await sql<Person>`select pw.worker_id, pw.worker_name as name, pw.corp_code, pw.id_card_mask, pw.cell_phone_mask as phone_mask
    from project_worker pw where pw.project_code = ${projectCode} and pw.worker_id = ${workerId} and pw.exit_time is null and not pw.black_hit`.execute(
      tx,
    )
  return rows[0]
}

interface Given {
  person: Person
  projectCode: string
  family: string
  deviceIds: readonly string[]
  at: number
  author: Actor
  auditor: Actor
  now: number
}

async function put(tx: Tx, city: City, given: Given): Promise<void> {
  const { person, projectCode, family, deviceIds, at, author, auditor, now } = given
  const driverType = typeOf[family] ?? '1'
  const id = idOf(city.seed, 'driver', projectCode, person.workerId, driverType)
  const random = stream(city.seed, 'driver', id)
  const today = formatDay(new Date(now))
  const state: DriverState = waitingAt.includes(at) ? '0' : at === rejectedAt ? '2' : '1'
  const certValidEnd = addDays(today, endingAt.includes(at) ? random.int(6, 26) : random.int(120, 620))
  const certType = licenceOf[family] ?? '0401'
  const certId = idOf(id, 'licence')
  const certNo = `鄂A04${certValidEnd.slice(0, 4)}${String(random.int(100_000, 999_999))}`
  await tx
    .insertInto('workerCert')
    .values({
      id: certId,
      workerId: person.workerId,
      certType: '7',
      specialType: certType,
      name: driverTypes[driverType]?.name ?? '操作证',
      certNo,
      issueDate: addDays(certValidEnd, -730),
      validEnd: certValidEnd,
      grantOrg: '住房和城乡建设局',
      status: '1',
      auditStatus: '1',
    })
    .onConflict((c) => c.doNothing())
    .execute()
  const made = new Date(startOfDay(addDays(today, state === '0' ? -random.int(1, 3) : -random.int(20, 90))) + random.int(8, 17) * hourMs)
  const decided = new Date(made.getTime() + dayMs / 4)
  const disclosed = { projectCode, corpCode: person.corpCode, shownAt: made, groups: [] }
  const row: Insertable<Tables['machineDriver']> = {
    id,
    ...disclosed,
    workerId: person.workerId,
    name: person.name,
    idCardMask: person.idCardMask,
    phoneMask: person.phoneMask,
    driverType,
    certId,
    certNo,
    certType,
    certValidEnd,
    endedAt: null,
    auditRemark: state === '2' ? '证书照片不清楚，请重新上传' : null,
    state,
    version: 1,
    createBy: author.id,
    createTime: made,
    updateBy: state === '0' ? null : auditor.id,
    updateTime: state === '0' ? made : decided,
  }
  await tx.insertInto('machineDriver').values(row).execute()
  await insertAll(
    tx,
    'machineDriverDevice',
    deviceIds.map((deviceId) => ({ id: idOf(id, 'device', deviceId), driverId: id, deviceId, ...disclosed })),
  )
  if (state === '1') await putFaces(tx, given, decided)
  const log = (
    action: string,
    from: string | null,
    to: string,
    by: Actor,
    when: Date,
    opinion: string | null,
  ): Insertable<Tables['processLog']> => ({
    id: idOf(id, 'log', action),
    kind: driverKindName,
    objectId: id,
    ...disclosed,
    action,
    fromState: from,
    toState: to,
    byId: by.id,
    byName: by.name,
    groupName: by.groupName,
    opinion,
    at: when,
  })
  await insertAll(tx, 'processLog', [
    log('create', null, '0', author, made, null),
    ...(state === '1' ? [log('pass', '0', '1', auditor, decided, '证书与本人相符')] : []),
    ...(state === '2' ? [log('reject', '0', '2', auditor, decided, row.auditRemark ?? null)] : []),
  ])
  const todos = driverTodos({ id, state, name: person.name, driverType })
  await insertAll(tx, 'processTodo', todoRows(driverKindName, { id, ...disclosed }, todos, made, now))
}

/** The machines know the people that passed; one of them has refused the first. */
async function putFaces(tx: Tx, { person, projectCode, deviceIds, at }: Given, decided: Date): Promise<void> {
  const refuses = at === refusedAt
  await sql`insert into gate_face (device_id, worker_id, project_code, corp_code, state, reason, at)
    select d.id, w.id, ${projectCode}, ${person.corpCode}, ${refuses ? '2' : '1'}, ${refuses ? '人脸照片不合格' : null}, ${decided}
    from device d, worker w where d.id = any (${[...deviceIds]}) and w.id = ${person.workerId} and w.consents @> '[{"kind":"face","state":"同意"}]'
    on conflict do nothing`.execute(tx)
}
