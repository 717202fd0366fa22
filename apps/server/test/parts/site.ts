import { randomBytes } from 'node:crypto'
import { maskIdCard } from '@zhugong/contract/kit/checks'
import type { InputFor } from '@zhugong/contract/kit/endpoint'
import { projectBody as projectSchema } from '@zhugong/contract/organisation/model'
import { fillProject, type updateProject } from '@zhugong/contract/organisation/projects'
import type pg from 'pg'
import { createSecrets, type Secrets } from '#kit/secret'
import { hashToken } from '#kit/serve'
import type { CityWorld } from '../city.ts'
import { idCard } from '../givens.ts'
import type { Caller, World } from '../world.ts'
import { cloneRow, freshId } from './clone-row.ts'
import type { Part } from './table.ts'

/** As the person's card says. */
export interface PersonRow {
  name: string
  idCardNumber: string
}

/** What one company has on the site: an example of everything that belongs to a company. */
export interface CompanyRows {
  corpCode: string
  projectCorpId: string
  teamId: string
  projectTeamId: string
  workerId: string
  worker: PersonRow
  projectWorkerId: string
  certificateId: string
  contractId: string
  badRecordId: string
  /** A session whose marks are not in, and the one person who is called to it. */
  trainingId: string
  trainingTaskId: string
  deviceId: string
  alarmId: string
  labourAlarmId: string
  tempAlarmId: string
  dueId: string
  repairId: string
  /** A machine without papers or repairs. */
  spareDeviceId: string
  /** A team and a person that have left, for whoever lets them in again. */
  leftTeamId: string
  emptyTeamId: string
  leftWorker: PersonRow
  /** A stay entered just now. */
  newStayId: string
  /** A waiting self-registration for the company's team. */
  selfEntryId: string
}

/** What belongs to the site as a whole. */
export interface SiteRows {
  projectCode: string
  /** The project's file as its form would send it back. */
  projectBody: InputFor<typeof updateProject>['body']
  gatewayId: string
  triggerId: string
  execId: string
  execLogId: string
  dutyId: string
  runId: string
  suppressId: string
  zoneId: string
  vehicleFenceId: string
  registeredId: string
  meterPriceId: string
  meterEntryId: string
  meterId: string
  meterMonthId: string
  pileId: string
  /** One nobody worked on. */
  sparePileId: string
  pileRunId: string
  videoPatrolId: string
  videoMarkId: string
  liftTestId: string
  liftStopId: string
  pileWorkId: string
  pileRigId: string
  platformMoveId: string
  alarmReadingId: string
  nightPermitId: string
  siteAlarmId: string
  platformId: string
  lifterId: string
  pitPointId: string
  /** Of the bay that calls about a pour find by its name. */
  formworkPointId: string
  sprayPlanId: string
  offlineSpanId: string
  helmetGroupId: string
  helmetId: string
  gateId: string
  truckId: string
  /** An application about the site that waits. */
  changeId: string
  stateApplyId: string
  sprayId: string
  craneId: string
  ticketId: string
  weighbridgeId: string
  cameraId: string
  passageId: string
  passageInId: string
  liftRunId: string
  craneCycleId: string
  aiEventId: string
  userId: string
  govCode: string
  /** A unit without people. */
  emptyUnitId: string
}

/** Who asks: what he has uploaded himself. */
export interface Asker {
  fileId: string
}

export interface SiteOfParts {
  site: SiteRows
  asker: Record<Part, Asker>
  company: Record<Part, CompanyRows>
  as: Record<Part, Caller>
}

/** Which part types the six companies of the site have, and whether they have left. */
const partTypes: Record<Part, { corpType: string; left: boolean }> = {
  owner: { corpType: '008', left: false },
  leader: { corpType: '009', left: false },
  supervisor: { corpType: '007', left: false },
  subcontractor: { corpType: '006', left: false },
  exited: { corpType: '006', left: true },
  former: { corpType: '009', left: true },
}

/** A site on which each part is taken by a company of its own, with its own people and machines, and an administrator who holds every code. */
export async function siteOfParts(world: World, settled: CityWorld, which = 0): Promise<SiteOfParts> {
  const pool = world.database.pool
  const project = settled.city.projects[which]
  if (!project) throw new Error('the city has no project')
  const { projectCode } = project
  const rows = await siteRows(pool, projectCode)
  const made = await Promise.all(
    (Object.keys(partTypes) as Part[]).map(async (part) => {
      const rows = await companyRows(pool, createSecrets(world.config.secretKey), projectCode, part)
      const { token, fileId } = await sessionOf(pool, rows.corpCode, `${part}.${which}`)
      return { part, rows, caller: world.caller(token), asker: { fileId } }
    }),
  )
  const leader = made.find(({ part }) => part === 'leader')?.caller
  const file: Record<string, unknown> = { ...(await leader?.call(fillProject, { params: { projectCode } })) }
  const fields = Object.keys(projectSchema.shape)
  const projectBody = Object.fromEntries(Object.entries(file).filter(([key]) => fields.includes(key) && key !== 'linkPhone')) as never
  return {
    site: { ...rows, projectBody },
    company: Object.fromEntries(made.map(({ part, rows: r }) => [part, r])) as Record<Part, CompanyRows>,
    asker: Object.fromEntries(made.map(({ part, asker }) => [part, asker])) as Record<Part, Asker>,
    as: Object.fromEntries(made.map(({ part, caller }) => [part, caller])) as Record<Part, Caller>,
  }
}

const one = async <T extends object>(pool: pg.Pool, text: string, values: unknown[]): Promise<T> => {
  const { rows } = await pool.query<T>(text, values)
  if (!rows[0]) throw new Error(`nothing found by ${text} ${JSON.stringify(values)}`)
  return rows[0]
}

/** The company of the city that has the part, or an invented one for a part that the city does not know. */
async function companyOf(pool: pg.Pool, projectCode: string, part: Part): Promise<{ corpCode: string; projectCorpId: string }> {
  const { corpType, left } = partTypes[part]
  const like = await one<{ id: string; corp_code: string }>(
    pool,
    'select id, corp_code from project_corp where project_code = $1 and corp_type = $2 and exit_time is null order by id',
    [projectCode, corpType],
  )
  if (!left) return { corpCode: like.corp_code, projectCorpId: like.id }
  const corpCode = `9142020X${randomBytes(5).toString('hex').toUpperCase()}`
  await cloneRow(pool, 'corporation', like.corp_code, { id: freshId(), corp_code: corpCode, corp_name: `已离场单位${part}` }, 'corp_code')
  await pool.query('insert into tenant (id, type, code, name) values ($1, 2, $2, $3)', [freshId(), corpCode, `已离场单位${part}`])
  const projectCorpId = await cloneRow(pool, 'project_corp', like.id, {
    corp_code: corpCode,
    exit_time: '2026-11-01',
    stationed: '2',
    parent_corp_code: null,
  })
  return { corpCode, projectCorpId }
}

async function companyRows(pool: pg.Pool, secrets: Secrets, projectCode: string, part: Part): Promise<CompanyRows> {
  const { corpCode, projectCorpId } = await companyOf(pool, projectCode, part)
  // Who has left has nobody in place: its records stand for what it once had.
  const exit = partTypes[part].left ? '2026-11-01' : null
  const like = await one<{ team: string; stay: string; pt: string; worker: string; name: string; cert: string; contract: string }>(
    pool,
    `select t.id as team, pw.id as stay, pt.id as pt, pw.worker_id as worker, pw.worker_name as name, c.id as cert, k.id as contract from project_worker pw
       join team t on t.id = pw.team_id join project_team pt on pt.team_id = t.id
       join worker_cert c on c.worker_id = pw.worker_id join worker_contract k on k.worker_id = pw.worker_id
     where pw.project_code = $1 and pw.exit_time is null and pw.work_role = '20' order by pw.id limit 1`,
    [projectCode],
  )
  const person = async (stay: { exit_time: string | null; team_id: string; formal_status?: string }) => {
    const [id, idCardNumber] = [freshId(), idCard()]
    const hash = secrets.blindIndex('id-card', idCardNumber)
    await cloneRow(pool, 'worker', like.worker, {
      id,
      id_card_hash: hash,
      id_card_number: `\\x${secrets.seal(idCardNumber)?.toString('hex')}`,
      id_card_mask: maskIdCard(idCardNumber),
      deleted: false,
      owner_group: null,
    })
    const stayId = await cloneRow(pool, 'project_worker', like.stay, {
      worker_id: id,
      corp_code: corpCode,
      id_card_hash: hash,
      card_number: null,
      is_team_leader: false,
      stationed: stay.exit_time ? '2' : '1',
      ...stay,
    })
    return { id, stayId, card: { name: like.name, idCardNumber } }
  }
  const team = (name: string, exitTime: string | null) =>
    pool.query<{ n: string }>(`select nextval('team_sys_no_seq') as n`).then(({ rows }) =>
      cloneRow(pool, 'team', like.team, {
        team_sys_no: Number(rows[0]?.n),
        corp_code: corpCode,
        team_name: name,
        exit_time: exitTime,
        team_leader_id: null,
        team_leader_name: null,
        entry_time: '2026-10-01',
      }),
    )
  const teamId = await team(`${part}一班`, exit)
  const leftTeamId = await team(`${part}二班`, '2026-11-01')
  const emptyTeamId = await team(`${part}三班`, '2026-11-01')
  const projectTeamId = await cloneRow(pool, 'project_team', like.pt, { team_id: teamId, corp_code: corpCode, exit_time: exit })
  const { id: worker, stayId: projectWorkerId, card } = await person({ exit_time: exit, team_id: teamId })
  const newcomer = await person({ exit_time: exit, team_id: teamId, formal_status: '0' })
  const left = await person({ exit_time: '2026-11-01', team_id: leftTeamId })
  const certificateId = await cloneRow(pool, 'worker_cert', like.cert, {
    worker_id: worker,
    cert_no: freshId().slice(0, 18),
    audit_status: '0',
  })
  const contractId = await cloneRow(pool, 'worker_contract', like.contract, {
    worker_id: worker,
    corp_code: corpCode,
    contract_code: freshId().slice(0, 18),
    terminate_date: null,
  })
  const badRecordId = freshId()
  await pool.query(
    `insert into worker_bad (id, type, worker_id, project_code, corp_code, bad_record_type, bad_record_level, action_degree, occurrence_date, reason, process_result)
     values ($1, '1', $2, $3, $4, '05', '1', '6', '2026-11-01', '不按规定佩戴安全帽，经劝阻不改', '批评教育')`,
    [badRecordId, worker, projectCode, corpCode],
  )
  const [trainingId, trainingTaskId] = [freshId(), freshId()]
  await pool.query(
    `insert into training (id, project_code, corp_code, training_type, name, trainer, start_time, duration, content)
     values ($1, $2, $3, '003002', '入场教育', '周大勇', '2026-11-10', 4, '劳动纪律、临时用电')`,
    [trainingId, projectCode, corpCode],
  )
  await pool.query(
    `insert into worker_training (id, project_code, corp_code, worker_id, project_worker_id, training_type, train_date, hours, training_id)
     values ($1, $2, $3, $4, $5, '003002', '2026-11-10', 4, $6)`,
    [trainingTaskId, projectCode, corpCode, worker, projectWorkerId, trainingId],
  )
  const labourAlarmId = freshId()
  await pool.query(
    `insert into labor_alarm (id, project_code, worker_id, stay_id, corp_code, team_id, type, content, time, last_time)
     values ($1, $2, $3, $4, $5, $6, '207', '进场 12 天，未签劳动合同', now(), now())`,
    [labourAlarmId, projectCode, worker, projectWorkerId, corpCode, teamId],
  )
  const tempAlarmId = freshId()
  await pool.query(
    `insert into temp_alarm (id, project_code, worker_id, corp_code, team_id, work_day, temperature, threshold, level, time, last_time)
     values ($1, $2, $3, $4, $5, '2026-11-19', 37.6, 37.3, '2', now(), now())`,
    [tempAlarmId, projectCode, worker, corpCode, teamId],
  )
  const selfEntryId = freshId()
  await pool.query(
    `insert into self_entry (id, project_code, corp_code, team_id, work_type, name, id_card_hash, id_card_mask, cell_phone_hash, cell_phone_mask,
       phone_proved, consent_face, receipt_hash, create_time)
     values ($1, $2, $3, $4, '020', '样例', $1, '420***', $1, '139****', true, false, $1, now())`,
    [selfEntryId, projectCode, corpCode, teamId],
  )
  return {
    corpCode,
    selfEntryId,
    tempAlarmId,
    labourAlarmId,
    projectCorpId,
    trainingId,
    trainingTaskId,
    teamId,
    leftTeamId,
    emptyTeamId,
    leftWorker: left.card,
    newStayId: newcomer.stayId,
    projectTeamId,
    workerId: worker,
    worker: card,
    projectWorkerId,
    certificateId,
    contractId,
    badRecordId,
    ...(await machineRows(pool, projectCode, corpCode)),
  }
}

async function machineRows(pool: pg.Pool, projectCode: string, corpCode: string) {
  const crane = await one<{ id: string }>(
    pool,
    `select id from device where project_code = $1 and family = 'towerCrane' and status = '1' order by id`,
    [projectCode],
  )
  const machine = (sn = `PART-${freshId().slice(0, 10)}`) =>
    cloneRow(pool, 'device', crane.id, {
      device_sn: sn,
      name: `塔机 ${sn}`,
      owner_corp: corpCode,
      protocol: 'http',
      access: { protocol: 'http' },
      access_key: sn,
      gateway_id: null,
      status: '1',
    })
  const [deviceId, spareDeviceId] = [await machine(), await machine()]
  const [alarmId, dueId, repairId] = [freshId(), freshId(), freshId()]
  await pool.query(
    `insert into alarm (id, project_code, device_id, device_name, family, alarm_key, label, level, max_level, start_time, fire_time)
     values ($1, $2, $3, $4, 'towerCrane', 'offline', '离线', 3, 3, now(), now())`,
    [alarmId, projectCode, deviceId, '塔机'],
  )
  await pool.query(
    `insert into device_due (id, device_id, project_code, kind, due_date, create_time) values ($1, $2, $3, 'service', '2026-12-01', now())`,
    [dueId, deviceId, projectCode],
  )
  await pool.query(
    `insert into device_repair (id, device_id, device_name, project_code, at, by_name, fault) values ($1, $2, '塔机', $3, now(), '样例', '异响')`,
    [repairId, deviceId, projectCode],
  )
  return { deviceId, spareDeviceId, alarmId, dueId, repairId }
}

async function siteRows(pool: pg.Pool, projectCode: string): Promise<Omit<SiteRows, 'projectBody'>> {
  const device = async (family: string): Promise<string> => {
    const found = await pool.query<{ id: string; project_code: string }>(
      `select id, project_code from device where family = $2 order by project_code <> $1, status <> '1', id`,
      [projectCode, family],
    )
    const [first] = found.rows
    if (!first) throw new Error(`the city has no ${family}`)
    if (first.project_code === projectCode) return first.id
    const sn = `SITE-${freshId().slice(0, 10)}`
    const own = {
      project_code: projectCode,
      device_sn: sn,
      access_key: sn,
      protocol: 'http',
      access: { protocol: 'http' },
      gateway_id: null,
    }
    return cloneRow(pool, 'device', first.id, own)
  }
  const jt808 = async () => {
    const { rows } = await pool.query<{ id: string }>(
      `select id from device where project_code = $1 and protocol = 'jt808' and status = '1' order by id limit 1`,
      [projectCode],
    )
    if (rows[0]) return rows[0].id
    const like = await one<{ id: string }>(pool, `select id from device where protocol = 'jt808' and status = '1' order by id`, [])
    const phone = String(13_000_000_000 + Math.floor(Math.random() * 1e9))
    return cloneRow(pool, 'device', like.id, {
      project_code: projectCode,
      device_sn: phone,
      access: { protocol: 'jt808', phone },
      access_key: phone,
      gateway_id: null,
    })
  }
  const made = (name: string) => one<{ id: string }>(pool, 'select md5($1) as id', [`${name} ${projectCode}`]).then((r) => r.id)
  const weighbridge = await device('weighbridge')
  const at = '2026-11-19T02:00:00Z'
  const camera = await device('videoAi')
  await pool.query(
    `insert into device_record (device_id, project_code, ts, id, record, data, received_at)
     values ($1, $2, $3, 'parts:2', 'aiEvent', '{"type":"noHelmet","confidence":0.9}', $3)`,
    [camera, projectCode, at],
  )
  await pool.query(
    `insert into device_record (device_id, project_code, ts, id, record, data, received_at)
     values ($1, $2, $3, 'parts:1', 'weighRecord', '{"plateNo":"鄂B12345","grossWeight":40,"tareWeight":12,"netWeight":28,"weighType":1}', $3)`,
    [weighbridge, projectCode, at],
  )
  const lane = await device('truckAccess')
  const lift = await device('lifter')
  const rig = await device('pileFoundation')
  const crane = await device('towerCrane')
  await pool.query(
    `insert into device_record (device_id, project_code, ts, id, record, data, received_at)
     values ($1, $2, $4, 'parts:3', 'accessRecord', '{"plateNo":"鄂A12345","direction":"1"}', $4),
       ($1, $2, $4::timestamptz - interval '1 hour', 'parts:7', 'accessRecord', '{"plateNo":"鄂A1Z345","direction":"0"}', $4),
       ($3, $2, $4, 'parts:4', 'workingCycle', '{"cage":"1","maxPersonCount":4}', $4),
       ($5, $2, $4, 'parts:5', 'pileRecord', '{"finalDepth":22}', $4), ($6, $2, $4, 'parts:6', 'workingCycle', '{"maxLoad":2.4}', $4)`,
    [lane, projectCode, lift, at, rig, crane],
  )
  const recordKey = async (deviceId: string, id: string, time = Date.parse(at)) =>
    `${deviceId}.${time}.${(await one<{ h: string }>(pool, 'select left(md5($1), 8) as h', [id])).h}`
  const spray = await device('sprayController')
  const unit = await one<{ id: string }>(pool, 'select id from project_corp where project_code = $1 order by id', [projectCode])
  const free = await one<{ corp_code: string }>(
    pool,
    `select corp_code from corporation where enable = '1' and corp_code not in (select corp_code from project_corp where project_code = $1) order by corp_code`,
    [projectCode],
  )
  const emptyUnitId = await cloneRow(pool, 'project_corp', unit.id, {
    corp_code: free.corp_code,
    corp_type: '011',
    parent_corp_code: null,
    exit_time: null,
  })
  const gateId = await device('faceGate')
  await pool.query(
    `insert into gate_face (device_id, worker_id, project_code, corp_code, state, at)
     select $2, worker_id, project_code, corp_code, '1', now() from project_worker where project_code = $1 and exit_time is null limit 1 on conflict do nothing`,
    [projectCode, gateId],
  )
  const truckId = await jt808()
  await pool.query(
    `insert into jt808_registration (device_id, opened_at, open_until, by_name) values ($1, now(), now() + interval '1 day', '样例') on conflict do nothing`,
    [truckId],
  )
  const user = await one<{ id: string }>(
    pool,
    `select m.user_id as id from member m join tenant t on t.id = m.group_id where t.type = 3 and t.code = $1 order by m.user_id`,
    [projectCode],
  )
  const body = await one<{ gov_code: string }>(pool, 'select supervise_org as gov_code from project where project_code = $1', [projectCode])
  const gateway = await one<{ id: string }>(
    pool,
    `select id from gateway g where project_code = $1 and not exists (select 1 from device d where d.gateway_id = g.id) order by id`,
    [projectCode],
  ).catch(async () => {
    const like = await one<{ id: string }>(
      pool,
      `select id from gateway where project_code = $1 and connection_type = 'mqtt' order by id`,
      [projectCode],
    )
    return { id: await cloneRow(pool, 'gateway', like.id, { name: '备用网关', code: null }) }
  })
  return {
    projectCode,
    gatewayId: gateway.id,
    triggerId: await made('rule'),
    execId: await made('exec'),
    execLogId: await made('log'),
    dutyId: await made('duty'),
    runId: await made('run'),
    suppressId: await made('suppress'),
    zoneId: await made('zone'),
    vehicleFenceId: await made('vehicle fence'),
    registeredId: await made('registered vehicle'),
    meterPriceId: await made('meter price'),
    meterEntryId: await made('meter entry'),
    meterId: await device('electricMeter'),
    meterMonthId: await made('meter month'),
    pileId: await made('pile'),
    sparePileId: await cloneRow(pool, 'pile', await made('pile'), { pile_no: '备用-1', made_on: null }),
    pileRunId: await recordKey(rig, 'parts:5'),
    videoPatrolId: await made('video patrol'),
    videoMarkId: await made('video mark'),
    liftTestId: await made('lift test'),
    liftStopId: await made('lift stop'),
    pileWorkId: await made('pile work'),
    pileRigId: await device('pileFoundation'),
    platformMoveId: await made('platform move'),
    alarmReadingId: await made('alarm reading'),
    nightPermitId: await made('night permit'),
    siteAlarmId: await made('alarm'),
    platformId: await device('unloadingPlatform'),
    lifterId: await device('lifter'),
    pitPointId: await device('foundationPit'),
    formworkPointId: await device('highFormwork'),
    sprayPlanId: await made('spray plan'),
    offlineSpanId: (
      await one<{ id: string }>(
        pool,
        `select e.device_id || '-' || floor(extract(epoch from e.ts))::bigint as id from device_event e join device d on d.id = e.device_id
         where d.project_code = $1 and e.kind = 'offline' order by e.ts desc`,
        [projectCode],
      )
    ).id,
    helmetGroupId: await made('group'),
    helmetId: await device('smartHelmet'),
    gateId,
    truckId,
    changeId: await made('change'),
    stateApplyId: await made('state'),
    sprayId: spray,
    craneId: crane,
    aiEventId: await recordKey(camera, 'parts:2'),
    ticketId: await recordKey(weighbridge, 'parts:1'),
    weighbridgeId: weighbridge,
    cameraId: camera,
    passageId: await recordKey(lane, 'parts:3'),
    passageInId: await recordKey(lane, 'parts:7', Date.parse(at) - 3_600_000),
    liftRunId: await recordKey(lift, 'parts:4'),
    craneCycleId: await recordKey(crane, 'parts:6'),
    userId: user.id,
    govCode: body.gov_code,
    emptyUnitId,
  }
}

/** Somebody who administers the company, signed in. */
async function sessionOf(pool: pg.Pool, corpCode: string, name: string): Promise<{ token: string; fileId: string }> {
  const group = await one<{ id: string }>(pool, 'select id from tenant where type = 2 and code = $1', [corpCode])
  const role = await one<{ id: string }>(pool, `select id from role where group_id is null and groups_type = 2 and name = '企业管理员'`, [])
  const [userId, memberId, token] = [freshId(), freshId(), randomBytes(32).toString('base64url')]
  await pool.query(`insert into app_user (id, account, name, password_hash) values ($1, $2, $3, 'none')`, [
    userId,
    `part.${name}`,
    `${name}管理员`,
  ])
  await pool.query('insert into member (id, user_id, group_id) values ($1, $2, $3)', [memberId, userId, group.id])
  await pool.query('insert into member_role (member_id, role_id) values ($1, $2)', [memberId, role.id])
  await pool.query(
    `insert into session (token_hash, user_id, group_id, live, entry, ip, expires_at, hard_expires_at)
     values ($1, $2, $3, false, 'default', '127.0.0.1', now() + interval '1 hour', now() + interval '2 hours')`,
    [hashToken(token), userId, group.id],
  )
  const fileId = freshId()
  await pool.query(
    `insert into stored_file (id, group_id, name, mime, bytes, sha256, create_by) values ($1, $2, '照片.jpg', 'image/jpeg', 3, $1, $3)`,
    [fileId, group.id, userId],
  )
  return { token, fileId }
}
