import type { MachineAction, MachineState } from '@zhugong/contract/machines/moves'
import type { acceptParties } from '@zhugong/contract/machines/seats'
import { ageLimitOf, retireDateOf } from '@zhugong/contract/machines/verdict'
import type { City } from '@zhugong/simulator/city-types'
import { drawFile } from '@zhugong/simulator/pictures'
import { idOf, stream } from '@zhugong/simulator/random'
import { type Insertable, sql } from 'kysely'
import { machineKind, machineSeats, nextTest, todosOf } from '#domains/machines/public'
import { contentHash } from '#domains/process/public'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import type { Row, Tables, Tx } from '#kit/db'
import { type Actor, actorsOf } from './actors.ts'
import { drawnName } from './drawn-name.ts'
import { type Drawn, keepFile } from './seed-pictures.ts'
import { keepAll } from './seed-proofs.ts'
import { insertAll } from './seed-trade.ts'
import { todoRows } from './todo-rows.ts'

const hour = 3_600_000
const halfHour = hour / 2
/** Days between filing a machine on a site and its test. */
const daysBefore = 30
/** Machines of the demonstration: those that telemetry watches, and others up to this number. */
const wanted = 30
const sites = ['hospital', 'dongwan', 'jiangtan', 'zhigu', 'school', 'tunnel']
const heads: Readonly<Record<string, string>> = { 420202: 'bj-zhao', 420203: 'yd-wang' }

interface Plan {
  state: MachineState
  /** Days ago the machine was filed on the site. */
  age: number
  /** Days ago of the last test. */
  tested: number
  made: string
  moment: number
  unconfirmed?: true
  suspended?: string
}
const usual: Plan = { state: '6', age: 210, tested: 150, made: '2019-04-12', moment: 1600 }
/** What is special about a machine that telemetry watches, by its place in the list of devices. */
const special: Readonly<Record<number, Partial<Plan>>> = {
  1: { state: '5', tested: 36, age: 70 },
  2: { made: '2010-03-18', moment: 800 },
  3: { tested: 371 },
  5: { tested: 380 },
  4: { state: '7', suspended: '起升高度限位器失效，责令停用' },
  6: { tested: 345 },
}
/** Machines that no device watches yet, or any more. */
const others: readonly Partial<Plan>[] = [
  { state: '0', age: 1 },
  { state: '1', age: 4, unconfirmed: true },
  { state: '1', age: 12 },
  { state: '2', age: 9, unconfirmed: true },
  { state: '2', age: 16 },
  { state: '3', age: 20 },
  { state: '4', age: 26, tested: 1 },
  { state: '8', age: 400, tested: 200, unconfirmed: true },
  { state: '9', age: 520, tested: 380 },
]

type Place = {
  projectCode: string
  deviceId: string | null
  family: string
  name: string
  recordNo: string | null
  installPlace: string | null
}

/** Legal files of thirty hoisting machines in all states, each linked to the device that watches it. */
export async function seedLegalMachines(tx: Tx, city: City, now: number, folder: string): Promise<void> {
  const people = await actorsOf(tx)
  const places = await placesOf(tx, city)
  await qualify(tx, city, now)
  const drawn: Drawn[] = []
  const numbers = new Map<string, number>()
  let watched = 0
  for (const [at, place] of places.entries()) {
    const project = city.projects.find((one) => one.projectCode === place.projectCode)
    const key = sites.find((one) => city.personas.some((p) => p.account === `${one}-pm` && p.projectCode === place.projectCode))
    const manager = people.of(`${key ?? ''}-pm`)
    if (!project || !manager) continue
    const isLift = place.family === 'lifter'
    const plan: Plan = {
      ...usual,
      ...(isLift ? { made: '2021-06-20' } : {}),
      ...(place.deviceId ? special[watched++] : { tested: 0, ...others[at % others.length] }),
    }
    const officer = people.of(heads[project.areaCode] ?? '') ?? manager
    const id = idOf(city.seed, 'machineStay', String(at))
    const file = { id: idOf(id, 'paper'), name: `${place.name}检测报告.png`, mime: 'image/png' as const }
    const lines = [project.shortName, place.name, '检测机构盖章']
    drawn.push(await keepFile(folder, project.projectCode, file, drawFile({ ...file, kind: 'licence', title: '检测报告', lines })))
    await put(tx, city, {
      id,
      place,
      plan,
      isLift,
      contractor: project.contractorCorpCode,
      manager,
      officer,
      supervisor: people.of(`${key ?? ''}-jl`) ?? manager,
      paper: file.id,
      number: (series) => {
        const last = (numbers.get(series) ?? 0) + 1
        numbers.set(series, last)
        return last
      },
      now,
    })
  }
  await keepAll(tx, drawn)
  await insertAll(
    tx,
    'documentNumber',
    [...numbers].map(([series, last]) => {
      const [owner = '', docType = '', year = ''] = series.split('/')
      return { owner, docType, year: Number(year), last }
    }),
  )
}

/** The cranes and lifts that report, but for the last one of the first site, and places for further machines. */
async function placesOf(tx: Tx, city: City): Promise<Place[]> {
  const codes = sites.flatMap((key) => city.personas.find((one) => one.account === `${key}-pm`)?.projectCode ?? [])
  const { rows } =
    await sql<Place>`select d.project_code, d.id as device_id, d.family, d.name, d.special_record_no as record_no, d.install_place
    from device d where d.project_code = any (${codes}) and d.status = '1' and d.family in ('towerCrane', 'lifter')
    order by array_position(${codes}::text[], d.project_code), d.family desc, d.name, d.id`.execute(tx)
  // One machine works on the platform without a legal file: a finding of its own.
  const stray = rows.findLastIndex((one) => one.projectCode === codes[0])
  const kept = rows.filter((_one, at) => at !== stray).slice(0, wanted - others.length)
  const more = Array.from({ length: wanted - kept.length }, (_one, at): Place => {
    const family = at % 3 === 2 ? 'lifter' : 'towerCrane'
    const name = `${family === 'lifter' ? '备用升降机' : '备用塔吊'} ${at + 1}`
    return { projectCode: codes[at % codes.length] ?? '', deviceId: null, family, name, recordNo: null, installPlace: null }
  })
  return [...kept, ...more]
}

/** Installing licences of the contractors, and operators of lifts beside those of cranes. */
async function qualify(tx: Tx, city: City, now: number): Promise<void> {
  const at = new Date(now)
  for (const code of new Set(city.projects.map((one) => one.contractorCorpCode)))
    await sql`insert into corp_qualification (id, corp_code, cert_type_num, trade_bound_num, title_level_num, cert_code, organ_name, organ_date, end_date, status,
        create_time, update_time, update_by)
      select ${idOf(city.seed, 'liftLicence', code)}, corp_code, cert_type_num, '71402002', title_level_num, ${`QZ${code.slice(-8)}`}, organ_name, '2019-06-01', '2029-05-31', '001', ${at}::timestamptz,
        ${at}::timestamptz, update_by from corp_qualification where corp_code = ${code} order by cert_code limit 1 on conflict do nothing`.execute(
      tx,
    )
  await sql`insert into worker_cert (id, worker_id, cert_type, special_type, name, cert_no, issue_date, valid_end, grant_org, status, audit_status)
    select md5('lift ' || c.id), c.worker_id, c.cert_type, '0402', '建筑起重机械司机（施工升降机）', 'S' || c.cert_no, c.issue_date, (${at}::timestamptz + interval '400 days')::date, c.grant_org, '1', '1'
    from (select distinct on (p.project_code) k.* from worker_cert k join project_worker p on p.worker_id = k.worker_id and p.exit_time is null
      where k.special_type = '0401' order by p.project_code, k.id) c on conflict do nothing`.execute(tx)
}

interface MachineStory {
  id: string
  place: Place
  plan: Plan
  isLift: boolean
  contractor: string
  manager: Actor
  officer: Actor
  supervisor: Actor
  paper: string
  number: (series: string) => number
  now: number
}
interface Step {
  action: MachineAction | 'create'
  from: MachineState | null
  to: MachineState
  by: Actor
  at: Date
}

/** The steps to the state of the plan, the last test on its day. */
function stepsOf({ plan, manager, officer, now }: MachineStory): Step[] {
  const all: [Step['action'], MachineState | null, MachineState, Actor][] = [
    ['create', null, '0', manager],
    ['file', '0', '1', manager],
    ['confirm', '1', '1', officer],
    ['noticeInstall', '1', '2', manager],
    ['confirm', '2', '2', officer],
    ['install', '2', '3', manager],
    ['selfCheck', '3', '4', manager],
    ['testPass', '4', '5', manager],
    ['register', '5', '6', officer],
    ['suspend', '6', '7', officer],
    ['noticeDismantle', '6', '8', manager],
    ['confirm', '8', '8', officer],
    ['dismantle', '8', '9', manager],
  ]
  const chain = all.filter(([action]) => action !== 'suspend' || plan.state === '7')
  const end = chain.findLastIndex(([, , to]) => to === plan.state) - (plan.unconfirmed ? 1 : 0)
  const taken = chain.slice(0, end + 1)
  // A machine was filed before its last test.
  const age = Math.max(plan.age, plan.tested + daysBefore)
  return taken.map(([action, from, to, by], i) => {
    const day = -age + Math.floor(((age - plan.tested) * i) / Math.max(1, taken.length))
    const moment = startOfDay(addDays(formatDay(now), day)) + 9 * hour + i * halfHour
    return { action, from, to, by, at: new Date(Math.min(moment, now - (taken.length - i) * halfHour)) }
  })
}

async function put(tx: Tx, city: City, told: MachineStory): Promise<void> {
  const { id, place, plan, isLift, contractor, manager, officer, supervisor, paper, number, now } = told
  const steps = stepsOf(told)
  const at = (action: Step['action']) => steps.find((one) => one.action === action)?.at
  const dayOf = (moment: Date | undefined) => (moment ? formatDay(moment) : null)
  const { projectCode } = place
  const shownAt = steps[0]?.at ?? new Date(now)
  const disclosed = { projectCode, corpCode: contractor, shownAt, groups: [manager.groupId] }
  const reached = (state: number) => Number(plan.state) >= state
  const inspectDate = reached(5) ? addDays(formatDay(now), -plan.tested) : null
  const ageLimit = isLift ? ageLimitOf('2', null, 'SC') : ageLimitOf('1', plan.moment, null)
  const registered = at('register')
  const year = dayOf(registered)?.slice(0, 4) ?? ''
  const useRegNo = registered
    ? `${officer.groupName}机登〔${year}〕第${String(number(`${officer.groupId}/spdevice/${year}`)).padStart(4, '0')}号`
    : null
  const machineId = idOf(id, 'machine')
  const owner = '江城建筑机械租赁有限公司'
  await tx
    .insertInto('specialMachine')
    .values({
      id: machineId,
      recordNo: reached(1) ? (place.recordNo ?? `鄂B-${isLift ? 'S' : 'T'}-2024-${id.slice(0, 4).toUpperCase()}`) : null,
      deviceType: isLift ? '2' : '1',
      name: place.name,
      model: isLift ? 'SC200/200' : plan.moment < 1250 ? 'QTZ80' : 'QTZ160',
      manufactureNo: `${isLift ? 'S' : 'T'}${id.slice(4, 10).toUpperCase()}`,
      manufacturer: isLift ? '江南升降机械厂' : '江城塔机制造有限公司',
      manufactureDate: plan.made,
      ownerCorp: owner,
      ratedMoment: isLift ? 2000 : plan.moment,
      hoistClass: isLift ? 'SC' : null,
      ageLimit,
      retireDate: retireDateOf(plan.made, ageLimit),
      appraisedUntil: null,
      createGroup: manager.groupId,
      createBy: manager.id,
      createTime: shownAt,
      updateBy: manager.id,
    })
    .execute()
  const row: Insertable<Tables['machineStay']> = {
    id,
    machineId,
    ...disclosed,
    position: place.installPlace ?? '见施工总平面图',
    maintainCorp: owner,
    installCorp: reached(2) ? contractor : null,
    installDate: dayOf(at('noticeInstall')),
    maxHeight: reached(2) ? (isLift ? 96 : 118) : null,
    inspectOrg: inspectDate ? '江城建筑机械检测中心' : null,
    inspectDate,
    inspectReport: inspectDate ? [paper] : [],
    acceptDate: inspectDate,
    useRegNo,
    useRegDate: dayOf(registered),
    nextInspectDate: registered && inspectDate ? nextTest(inspectDate) : null,
    suspendKind: plan.suspended ? 'hand' : null,
    suspendReason: plan.suspended ?? null,
    dismantleCorp: reached(8) ? contractor : null,
    beforeDismantle: reached(8) ? '6' : null,
    confirmedAt: plan.unconfirmed ? null : (steps.findLast((one) => one.action === 'confirm')?.at ?? null),
    deviceId: reached(9) ? null : place.deviceId,
    state: plan.state,
    version: steps.length,
    createBy: manager.id,
    createTime: shownAt,
    updateBy: manager.id,
    updateTime: steps.at(-1)?.at ?? shownAt,
  }
  await tx.insertInto('machineStay').values(row).execute()
  await insertAll(tx, 'machineStage', stageRows(told, steps, { useRegNo, disclosed }))
  await crew(tx, { id, disclosed, special: isLift ? '0402' : '0401', kind: 'operator', needed: reached(5) ? 2 : 0 })
  await crew(tx, { id, disclosed, special: '0501', kind: 'installer', needed: reached(2) ? 3 : 0 })
  await insertAll(
    tx,
    'processLog',
    steps.map(({ action, from, to, by, at: when }, i) => ({
      id: idOf(id, 'step', String(i)),
      kind: machineKind.kind,
      objectId: id,
      ...disclosed,
      action,
      fromState: from,
      toState: to,
      byId: by.id,
      byName: by.name,
      groupName: by.groupName,
      opinion: action === 'suspend' ? (plan.suspended ?? null) : action === 'register' ? useRegNo : null,
      at: when,
    })),
  )
  const stored = await tx.selectFrom('machineStay').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const todos = todosOf({ ...stored, name: place.name })
  await insertAll(tx, 'processTodo', todoRows(machineKind.kind, { id, ...disclosed }, todos, stored.updateTime, now))
  if (reached(5)) await insertAll(tx, 'processSignature', await signatures(tx, city, stored, { manager, supervisor }))
}

function stageRows(
  { id, paper, officer }: MachineStory,
  steps: readonly Step[],
  {
    useRegNo,
    disclosed,
  }: { useRegNo: string | null; disclosed: Pick<Insertable<Tables['machineStage']>, 'projectCode' | 'corpCode' | 'shownAt' | 'groups'> },
): Insertable<Tables['machineStage']>[] {
  const kept = steps.filter((one) => one.action !== 'create' && one.action !== 'confirm')
  return kept.map(({ action, by, at }, i) => ({
    id: idOf(id, 'stage', String(i)),
    stayId: id,
    ...disclosed,
    stage: action,
    date: formatDay(at),
    unit: action === 'register' ? officer.groupName : null,
    files: action === 'register' || action === 'install' || action === 'suspend' ? [] : [paper],
    note: action === 'register' ? useRegNo : null,
    byName: by.name,
    at,
  }))
}

interface Crew {
  id: string
  disclosed: Pick<Insertable<Tables['machinePerson']>, 'projectCode' | 'corpCode' | 'shownAt' | 'groups'>
  special: string
  kind: 'operator' | 'installer'
  needed: number
}
async function crew(tx: Tx, { id, disclosed, special: wantedCert, kind, needed }: Crew): Promise<void> {
  if (needed === 0) return
  const { rows } = await sql<{
    id: string
  }>`select distinct k.worker_id as id from worker_cert k join project_worker p on p.worker_id = k.worker_id
      and p.exit_time is null and p.project_code = ${disclosed.projectCode}
    where k.special_type = ${wantedCert} and k.status = '1' and k.audit_status = '1' and coalesce(k.valid_end, '9999-12-31') > current_date
    order by 1 limit ${needed}`.execute(tx)
  await insertAll(
    tx,
    'machinePerson',
    rows.map((one, at) => ({ id: idOf(id, kind, one.id), stayId: id, ...disclosed, kind, seq: at + 1, workerId: one.id })),
  )
}

async function signatures(
  tx: Tx,
  city: City,
  row: Row<'machineStay'>,
  { manager, supervisor }: Pick<MachineStory, 'manager' | 'supervisor'>,
): Promise<Insertable<Tables['processSignature']>[]> {
  const names: Readonly<Record<keyof typeof acceptParties, string>> = {
    use: manager.name,
    owner: '汪建军',
    install: '郝志远',
    contractor: '余志强',
    supervisor: supervisor.name,
  }
  const { projectCode, corpCode, shownAt, groups } = row
  return (await machineSeats({ db: tx }, row)).map(({ seat, role, content }) => {
    const name = names[seat as keyof typeof acceptParties]
    const by = seat === 'supervisor' ? supervisor : manager
    return {
      id: idOf(row.id, 'signature', seat),
      kind: machineKind.kind,
      objectId: row.id,
      projectCode,
      corpCode,
      shownAt,
      groups,
      seat,
      role,
      name,
      userId: name === by.name ? by.id : null,
      image: drawnName(name, stream(city.seed, 'drawn', name)),
      hash: contentHash(content),
      refused: false,
      place: '项目部',
      byId: by.id,
      byName: by.name,
      at: new Date(startOfDay(row.acceptDate ?? formatDay(row.updateTime)) + 15 * hour),
    }
  })
}
