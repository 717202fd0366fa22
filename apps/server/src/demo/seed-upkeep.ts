import { itemResults } from '@zhugong/contract/scoring/score'
import { maintainDays, nextCheck, nextMaintenance } from '@zhugong/contract/upkeep/due'
import { itemsOf } from '@zhugong/contract/upkeep/items'
import type { City } from '@zhugong/simulator/city-types'
import { drawFile } from '@zhugong/simulator/pictures'
import { idOf, stream } from '@zhugong/simulator/random'
import { type Insertable, sql } from 'kysely'
import { machineKind, todosOf } from '#domains/machines/public'
import { contentHash } from '#domains/process/public'
import { deviceInspect, deviceMaintain, maintainKind } from '#domains/upkeep/public'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import type { Row, Tables, Tx } from '#kit/db'
import { drawnName } from './drawn-name.ts'
import { rectifyPhoto } from './media/rectify-scene.ts'
import type { Actor } from './rectify-story.ts'
import { linked, type Numbers, numbersFrom } from './seed-checks.ts'
import { type Drawn, keepFile } from './seed-pictures.ts'
import { keepAll } from './seed-proofs.ts'
import { type Actors, actorsOf, type Rows, rowsOf, tell } from './seed-rectify.ts'
import { insertAll, inserterOf } from './seed-trade.ts'
import { todoRows } from './todo-rows.ts'
import { contradicted, type DefectPlan, defects, maintainAges, monthlyAges, pastDays, shiftDays } from './upkeep-plan.ts'

const hour = 3_600_000
const wanted = 6
const company = '江城建筑机械租赁有限公司'
const people = [
  { workerId: null, name: '许国栋', certNo: 'T42011985091', certEnd: '2028-06-30', verified: null },
  { workerId: null, name: '段文涛', certNo: 'T42011990412', certEnd: '2027-11-30', verified: null },
]

interface Machine {
  id: string
  projectCode: string
  corpCode: string
  name: string
  deviceType: string
  position: string
  deviceId: string | null
  site: string
}
interface Stage {
  tx: Tx
  city: City
  actors: Actors
  machines: Machine[]
  numbers: Numbers
  files: Map<string, { machine: string; defect: string; paper: string }>
  now: number
}

/** Two months of checks and maintenance of six machines: one stands, one check and one job are late, one job contradicts telemetry. */
export async function seedUpkeep(tx: Tx, city: City, now: number, folder: string): Promise<void> {
  const actors = await actorsOf(tx)
  const machines = await machinesOf(tx, city)
  const stage: Stage = {
    tx,
    city,
    actors,
    machines,
    numbers: await numbersFrom(tx),
    files: await pictures(tx, city, machines, folder),
    now,
  }
  await clerk(tx)
  const rows: Rows[] = []
  for (const [at, machine] of machines.entries()) rows.push(...routine(stage, machine, at))
  for (const plan of defects) rows.push(...(await defect(stage, plan)))
  for (const [at, machine] of machines.entries()) rows.push(await maintained(stage, machine, at))
  const put = inserterOf(tx, rows)
  for (const table of tables) await put(table)
  await stage.numbers.store()
  await signed(stage)
}
const tables = [
  'siteCheck',
  'deviceInspect',
  'rectify',
  'rectifyLine',
  'rectifyAnswer',
  'rectifyReply',
  'siteCheckProblem',
  'deviceMaintain',
  'processLog',
  'processTodo',
] as const

async function machinesOf(tx: Tx, city: City): Promise<Machine[]> {
  const managers = city.personas.filter((one) => one.account.endsWith('-pm') && one.projectCode)
  const hospital = managers.find((one) => one.account === 'hospital-pm')?.projectCode ?? ''
  const codes = managers
    .filter((one) => city.personas.some((p) => p.account === one.account.replace('-pm', '-jl')))
    .map((one) => one.projectCode ?? '')
  const { rows } = await sql<Omit<Machine, 'site'>>`select s.id, s.project_code, s.corp_code, m.name, m.device_type, s.position, s.device_id
    from machine_stay s join special_machine m on m.id = s.machine_id where s.state = '6' and s.project_code = any (${codes})
    order by s.project_code <> ${hospital}, m.device_type, s.device_id is null, m.name, s.id limit ${wanted}`.execute(tx)
  return rows.map((row) => ({
    ...row,
    site: managers.find((one) => one.projectCode === row.projectCode)?.account.replace('-pm', '') ?? '',
  }))
}

/** The officer of the main site also keeps its machines. */
async function clerk(tx: Tx): Promise<void> {
  await sql`insert into member_role (member_id, role_id) select m.id, r.id from member m join app_user u on u.id = m.user_id and u.account = 'hospital-officer',
    role r where r.groups_type = 3 and r.name = '机械员' and r.group_id is null on conflict do nothing`.execute(tx)
}

/** Photographs shared by the records of a site. */
async function pictures(tx: Tx, city: City, machines: readonly Machine[], folder: string): Promise<Stage['files']> {
  const files: Stage['files'] = new Map()
  const drawn: Drawn[] = []
  const lines = ['起升钢丝绳 35W×7-16-1870', '编号 GS-20261105', '检验合格']
  const [machinePhoto, defectPhoto] = [rectifyPhoto('base', true), rectifyPhoto('base', false)]
  for (const projectCode of new Set(machines.map((one) => one.projectCode))) {
    const file = (what: string, name: string) => ({ id: idOf(city.seed, 'upkeep', projectCode, what), name, mime: 'image/png' as const })
    const own = { machine: file('machine', '整机.png'), defect: file('defect', '缺陷.png'), paper: file('paper', '产品合格证.png') }
    drawn.push(
      await keepFile(folder, projectCode, own.machine, machinePhoto),
      await keepFile(folder, projectCode, own.defect, defectPhoto),
      await keepFile(folder, projectCode, own.paper, drawFile({ ...own.paper, kind: 'licence', title: '产品合格证', lines })),
    )
    files.set(projectCode, { machine: own.machine.id, defect: own.defect.id, paper: own.paper.id })
  }
  await keepAll(tx, drawn)
  return files
}

interface Check {
  machine: Machine
  type: string
  at: Date
  by: Actor
  inspectType: string
  failing?: string
  result?: string
  state?: string
  suspendedAt?: Date | null
  releasedAt?: Date | null
}

function checkRows(
  stage: Stage,
  { machine, type, at, by, inspectType, failing, result = '1', state = '7', ...stop }: Check,
): Rows & { id: string } {
  const { city, numbers, files } = stage
  const { projectCode, corpCode } = machine
  const id = idOf(city.seed, 'deviceInspect', machine.id, type, at.toISOString())
  const { year, no } = numbers.next(projectCode, 'SB', at)
  const project = city.projects.find((one) => one.projectCode === projectCode)
  const disclosed = { projectCode, corpCode, shownAt: at, groups: [by.groupId] }
  const day = formatDay(at)
  const items = itemsOf(machine.deviceType, type).map(({ code, group, name }) => ({
    code,
    group,
    name,
    result: code === failing ? itemResults.wrong : itemResults.right,
    note: null,
    photos: [],
  }))
  return {
    id,
    siteCheck: [
      {
        id,
        kind: deviceInspect,
        code: `${project?.shortName}-SB-${year}-${String(no).padStart(3, '0')}`,
        ...disclosed,
        checkerGroup: by.groupId,
        checkerGroupName: by.groupName,
        checkerId: by.id,
        inspectType,
        checkTime: at,
        checkers: [by.name],
        part: `${machine.name} ${machine.position}`.slice(0, 100),
        remark: null,
        photos: [files.get(projectCode)?.machine ?? ''],
        dangerLevel: failing ? '1' : null,
        problemCount: failing ? 1 : 0,
        state,
        version: 1,
        createBy: by.id,
        createTime: at,
        updateBy: by.id,
        updateTime: at,
      },
    ],
    deviceInspect: [
      {
        checkId: id,
        ...disclosed,
        stayId: machine.id,
        machineName: machine.name,
        deviceType: machine.deviceType,
        type,
        day,
        checkOrg: by.groupName,
        items: JSON.stringify(items),
        failItems: items.filter((one) => one.code === failing).map((one) => one.name),
        result,
        nextDate: nextCheck(type, day),
        reports: [],
        suspendedAt: stop.suspendedAt ?? null,
        releasedAt: stop.releasedAt ?? null,
      },
    ],
    processLog: [
      {
        id: idOf(id, 'step'),
        kind: deviceInspect,
        objectId: id,
        ...disclosed,
        action: 'submit',
        fromState: '0',
        toState: state === '7' && !failing ? '7' : '1',
        byId: by.id,
        byName: by.name,
        groupName: by.groupName,
        opinion: failing ? '1 项不合格，1 个问题' : '逐项合格',
        at,
      },
    ],
  }
}

const actorOf = (actors: Actors, account: string): Actor => {
  const known = actors.get(account)
  if (!known) throw new Error(`nobody is called ${account}`)
  return known
}
const moment = (now: number, age: number, hours: number) =>
  new Date(Math.min(now - hour / 2, startOfDay(addDays(formatDay(now), -age)) + hours * hour))

/** Checks before the shift, by the day, week and month. */
function routine(stage: Stage, machine: Machine, at: number): Rows[] {
  const { actors, now } = stage
  const officer = actorOf(actors, `${machine.site}-officer`)
  const supervisor = actorOf(actors, `${machine.site}-jl`)
  const one = (type: string, age: number, hours: number, by: Actor) =>
    checkRows(stage, { machine, type, at: moment(now, age, hours), by, inspectType: by === supervisor ? '13' : '12' })
  const rows: Rows[] = []
  const stands = defects.some((plan) => plan.machine === at && plan.result === '3' && plan.notice.state !== '7')
  for (let age = shiftDays; age >= (stands ? 3 : 0); age--) rows.push(one('1', age, 7 + at * 0.1, officer))
  for (let age = shiftDays; age >= (stands ? 3 : 1); age--) rows.push(one('2', age, 17 + at * 0.1, officer))
  for (let age = pastDays - at; age >= (stands ? 4 : 2); age -= 7) rows.push(one('3', age, 10 + at * 0.2, officer))
  const last = monthlyAges[at] ?? 15
  const faulty = defects.find((plan) => plan.machine === at)
  for (let age = last; age <= pastDays; age += 28) if (age !== faulty?.notice.age) rows.push(one('4', age, 14 + at * 0.2, supervisor))
  if (machine.deviceType === '1') rows.push(one('5', 30 + at, 15, supervisor))
  return rows
}

/** A monthly check that failed, its notice, and what it did to the machine. */
async function defect(stage: Stage, plan: DefectPlan): Promise<Rows[]> {
  const { tx, city, actors, machines, numbers, files, now } = stage
  const machine = machines[plan.machine]
  if (!machine) return []
  const supervisor = actorOf(actors, `${machine.site}-jl`)
  const notice = { site: machine.site, by: `${machine.site}-jl`, lines: 1, ...plan.notice }
  const noticeStory = { ...tell(city, actors, notice, `upkeep ${plan.machine}`, now, [plan.words]), sourceType: '13' }
  const { story } = noticeStory
  const at = story.issueTime ?? moment(now, plan.notice.age, 10)
  const stops = plan.result === '3'
  const rows = checkRows(stage, {
    machine,
    type: '4',
    at,
    by: supervisor,
    inspectType: '13',
    failing: plan.failing,
    result: plan.result,
    state: plan.notice.state,
    suspendedAt: stops ? at : null,
    releasedAt: stops ? (story.closeTime ?? null) : null,
  })
  const { year, no } = numbers.next(machine.projectCode, 'AQ', at)
  const code = `${noticeStory.project.shortName}-AQ-${year}-${String(no).padStart(3, '0')}`
  const issued = linked(rowsOf(noticeStory, code, await siteGroupOf(tx, machine.projectCode), now), deviceInspect, rows.id, undefined)
  const own = files.get(machine.projectCode)
  const photos = [own?.defect ?? '']
  const lines = issued.rectifyLine?.map((one) => ({ ...one, photos })) ?? []
  const problems = lines.map(
    (line): Insertable<Tables['siteCheckProblem']> => ({
      id: idOf(rows.id, 'problem'),
      checkId: rows.id,
      projectCode: line.projectCode,
      corpCode: line.corpCode,
      shownAt: line.shownAt,
      groups: line.groups,
      seq: 1,
      description: line.description,
      part: line.part,
      itemCode: plan.failing,
      clause: line.clause ?? null,
      dangerLevel: '1',
      majorClause: null,
      requirement: line.requirement,
      person: line.person ?? null,
      deadline: issued.rectify?.[0]?.deadline ?? formatDay(at),
      photos,
      mended: null,
      rectifyId: line.rectifyId,
      lineId: line.id,
    }),
  )
  const answers = issued.rectifyAnswer?.map((one) => ({ ...one, photos: [own?.machine ?? ''] })) ?? []
  const repairs = (issued.rectifyReply ?? []).map((reply) =>
    jobRow(stage, machine, {
      day: formatDay(reply.at as Date),
      type: plan.part ? '5' : '4',
      content: `${plan.words.description}：${plan.words.measure}`,
      parts: plan.part ? [{ ...plan.part, count: 1, certificates: [own?.paper ?? ''] }] : [],
      by: { id: reply.byId, name: reply.byName },
      rectifyId: reply.rectifyId,
      round: reply.round,
    }),
  )
  if (stops && !story.closeTime) await suspend(stage, machine, at, supervisor, rows.siteCheck?.[0]?.code ?? '')
  return [rows, { ...issued, rectifyLine: lines, rectifyAnswer: answers, siteCheckProblem: problems, deviceMaintain: repairs }]
}

async function siteGroupOf(tx: Tx, projectCode: string): Promise<string> {
  const site = await tx.selectFrom('tenant').select('id').where('type', '=', 3).where('code', '=', projectCode).executeTakeFirst()
  return site?.id ?? ''
}

/** The machine stands because of the check. */
async function suspend({ tx, now }: Stage, machine: Machine, at: Date, by: Actor, code: string): Promise<void> {
  const reason = `设备检查 ${code} 停用整改`
  await sql`update machine_stay set state = '7', suspend_kind = 'check', suspend_reason = ${reason}, version = version + 1, update_time = ${at} where id = ${machine.id}`.execute(
    tx,
  )
  const stored = await tx.selectFrom('machineStay').selectAll().where('id', '=', machine.id).executeTakeFirstOrThrow()
  const { projectCode, corpCode, shownAt, groups } = stored
  await tx
    .insertInto('processLog')
    .values({
      id: idOf(machine.id, 'suspended'),
      kind: machineKind.kind,
      objectId: machine.id,
      projectCode,
      corpCode,
      shownAt,
      groups,
      action: 'autoSuspend',
      fromState: '6',
      toState: '7',
      byId: by.id,
      byName: by.name,
      groupName: by.groupName,
      opinion: reason,
      at,
    })
    .execute()
  await tx.deleteFrom('processTodo').where('kind', '=', machineKind.kind).where('objectId', '=', machine.id).execute()
  await insertAll(tx, 'processTodo', todoRows(machineKind.kind, stored, todosOf({ ...stored, name: machine.name }), at, now))
}

interface Job {
  day: string
  type: string
  content: string
  parts?: readonly { name: string; model: string; number: string; count: number; certificates: string[] }[]
  by: { id: string; name: string }
  start?: Date
  end?: Date
  rectifyId?: string
  round?: number
}

function jobRow({ city, numbers, files, now }: Stage, machine: Machine, job: Job): Insertable<Tables['deviceMaintain']> {
  const { projectCode, corpCode } = machine
  const at = new Date(Math.min(now, startOfDay(job.day) + 17 * hour))
  const { year, no } = numbers.next(projectCode, 'WB', at)
  const project = city.projects.find((one) => one.projectCode === projectCode)
  const planned = job.rectifyId === undefined && job.type !== '5'
  return {
    id: idOf(city.seed, 'deviceMaintain', machine.id, job.day, job.type, String(job.round ?? 0)),
    code: `${project?.shortName}-WB-${year}-${String(no).padStart(3, '0')}`,
    projectCode,
    corpCode,
    shownAt: at,
    groups: [],
    stayId: machine.id,
    machineName: machine.name,
    deviceType: machine.deviceType,
    type: job.type,
    maintainDate: job.day,
    startAt: job.start ?? null,
    endAt: job.end ?? null,
    maintainCorp: company,
    maintainers: JSON.stringify(people),
    content: job.content,
    parts: JSON.stringify(job.parts ?? []),
    result: '1',
    nextDate: planned ? nextMaintenance(job.day) : null,
    photos: [files.get(projectCode)?.machine ?? ''],
    acceptor: job.by.name,
    corrects: null,
    rectifyId: job.rectifyId ?? null,
    round: job.round ?? null,
    createBy: job.by.id,
    createName: job.by.name,
    createTime: at,
    updateBy: null,
  }
}

/** Monthly maintenance; of a hoist also the anti-fall device that was replaced. */
async function maintained(stage: Stage, machine: Machine, at: number): Promise<Rows> {
  const { tx, actors, files, now } = stage
  const officer = actorOf(actors, `${machine.site}-officer`)
  const today = formatDay(now)
  const isHoist = machine.deviceType === '2'
  const words = isHoist
    ? '润滑齿轮齿条，紧固标准节螺栓，检查制动、限位与门锁，试运行正常'
    : '紧固标准节与回转螺栓，润滑各转动部位，检查制动间隙、限位与力矩限制器'
  const first = maintainAges[at] ?? 10
  const jobs: Insertable<Tables['deviceMaintain']>[] = []
  for (let age = first; age <= pastDays; age += maintainDays - 1) {
    const day = addDays(today, -age)
    const span = age === first && at === contradicted ? await turningSpan(tx, machine, now) : undefined
    jobs.push(
      jobRow(stage, machine, {
        day: span ? formatDay(span.start) : day,
        type: age === first ? '2' : '6',
        content: words,
        by: officer,
        start: span?.start ?? new Date(startOfDay(day) + 12 * hour),
        end: span?.end ?? new Date(startOfDay(day) + 12.5 * hour),
      }),
    )
  }
  if (isHoist && at === stage.machines.findIndex((one) => one.deviceType === '2'))
    jobs.push(
      jobRow(stage, machine, {
        day: addDays(today, -17),
        type: '5',
        content: '防坠安全器到期，更换经标定的防坠安全器，额定载荷坠落试验合格',
        parts: [
          {
            name: '防坠安全器',
            model: 'SAJ40-1.2',
            number: 'FZ-2026-0317',
            count: 1,
            certificates: [files.get(machine.projectCode)?.paper ?? ''],
          },
        ],
        by: officer,
      }),
    )
  return { deviceMaintain: jobs }
}

/** An hour in which telemetry saw the machine work within the last days. */
async function turningSpan(tx: Tx, { deviceId }: Machine, now: number): Promise<{ start: Date; end: Date } | undefined> {
  const { rows } = await sql<{
    ts: Date
  }>`select ts from device_record where device_id = ${deviceId} and record = 'workingCycle' and ts < ${new Date(now - 2 * hour)}
    order by ts desc limit 1`.execute(tx)
  const ts = rows[0]?.ts
  return ts && { start: new Date(+ts - hour), end: new Date(+ts + hour / 2) }
}

/** Drawings of whoever accepted each job. */
async function signed({ tx, city, machines }: Stage): Promise<void> {
  const stored = (await tx
    .selectFrom('deviceMaintain')
    .selectAll()
    .where(
      'stayId',
      'in',
      machines.map((one) => one.id),
    )
    .execute()) as Row<'deviceMaintain'>[]
  const images = new Map(stored.map(({ acceptor }) => [acceptor, drawnName(acceptor, stream(city.seed, 'drawn', acceptor))]))
  const rows = await Promise.all(
    stored.map(async (row) => {
      const [seat] = await maintainKind.seats({ db: tx }, row)
      const { id, projectCode, corpCode, shownAt, groups, acceptor, createBy, createTime } = row
      return {
        id: idOf(id, 'signature'),
        kind: deviceMaintain,
        objectId: id,
        projectCode,
        corpCode,
        shownAt,
        groups,
        seat: 'acceptor',
        role: seat?.role ?? '',
        name: acceptor,
        userId: null,
        image: images.get(acceptor) ?? null,
        hash: contentHash(seat?.content),
        refused: false,
        place: '项目部',
        byId: createBy,
        byName: acceptor,
        at: createTime,
      }
    }),
  )
  await insertAll(tx, 'processSignature', rows)
}
