import { createHash } from 'node:crypto'
import * as alarms from '@zhugong/contract/alarms/endpoints'
import * as notices from '@zhugong/contract/alarms/notices'
import * as fixes from '@zhugong/contract/attendance/fix-endpoints'
import * as attendance from '@zhugong/contract/attendance/setting'
import * as devices from '@zhugong/contract/equipment/endpoints'
import * as gates from '@zhugong/contract/equipment/gate-endpoints'
import * as gatewayCalls from '@zhugong/contract/equipment/gateway-endpoints'
import * as openApps from '@zhugong/contract/equipment/open-apps'
import * as services from '@zhugong/contract/equipment/service-endpoints'
import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import * as exits from '@zhugong/contract/labour/exits'
import * as staysCalls from '@zhugong/contract/labour/stays'
import * as teamsCalls from '@zhugong/contract/labour/teams'
import * as units from '@zhugong/contract/labour/unit-info'
import * as unitsCalls from '@zhugong/contract/labour/units'
import * as labourAlarms from '@zhugong/contract/labour-alarms/endpoints'
import * as linkage from '@zhugong/contract/linkage/endpoints'
import * as sprayPlans from '@zhugong/contract/linkage/spray-plans'
import * as aiEvents from '@zhugong/contract/monitoring/ai-events'
import { stateFinding } from '@zhugong/contract/monitoring/alarm-findings'
import { attachReadings, detachReadings } from '@zhugong/contract/monitoring/alarm-readings'
import { setCameraAi } from '@zhugong/contract/monitoring/camera-ai'
import * as zones from '@zhugong/contract/monitoring/crane-zones'
import { stateCause } from '@zhugong/contract/monitoring/exceed-causes'
import * as formwork from '@zhugong/contract/monitoring/formwork'
import { setPlaceSetting } from '@zhugong/contract/monitoring/helmet-care'
import * as helmets from '@zhugong/contract/monitoring/helmets'
import { resumeLift, stopLift } from '@zhugong/contract/monitoring/lift-stops'
import { addLiftTest, voidLiftTest } from '@zhugong/contract/monitoring/lift-tests'
import { addMeterEntry, voidMeterEntry } from '@zhugong/contract/monitoring/meter-entries'
import * as meterSettle from '@zhugong/contract/monitoring/meter-settle'
import { addNightPermit, voidNightPermit } from '@zhugong/contract/monitoring/night-permits'
import { joinPassages, partPassages } from '@zhugong/contract/monitoring/passage-pairs'
import * as piles from '@zhugong/contract/monitoring/pile-register'
import * as pileTests from '@zhugong/contract/monitoring/pile-tests'
import { addPileTrouble, endPile, startPile } from '@zhugong/contract/monitoring/pile-work'
import * as pits from '@zhugong/contract/monitoring/pits'
import { addPlatformMove, zeroPlatform } from '@zhugong/contract/monitoring/platform-moves'
import { changePitPoint, zeroBay } from '@zhugong/contract/monitoring/point-changes'
import { advisePour } from '@zhugong/contract/monitoring/pour-advice'
import * as recordFixes from '@zhugong/contract/monitoring/record-fixes'
import * as vehicleFences from '@zhugong/contract/monitoring/vehicle-fences'
import * as registry from '@zhugong/contract/monitoring/vehicle-registry'
import * as marks from '@zhugong/contract/monitoring/video-marks'
import * as patrols from '@zhugong/contract/monitoring/video-patrols'
import { checkTicket } from '@zhugong/contract/monitoring/weigh-checks'
import * as weighing from '@zhugong/contract/monitoring/weighing'
import * as notify from '@zhugong/contract/notify/endpoints'
import * as onboarding from '@zhugong/contract/onboarding/endpoints'
import * as fencesCalls from '@zhugong/contract/organisation/fences'
import * as projectChangesCalls from '@zhugong/contract/organisation/project-changes'
import * as factCalls from '@zhugong/contract/organisation/project-facts'
import * as views from '@zhugong/contract/organisation/project-views'
import * as projectsCalls from '@zhugong/contract/organisation/projects'
import * as badRecordsCalls from '@zhugong/contract/personnel/bad-records'
import * as batches from '@zhugong/contract/personnel/batches'
import * as careersCalls from '@zhugong/contract/personnel/careers'
import * as certificates from '@zhugong/contract/personnel/certificates'
import * as papersCalls from '@zhugong/contract/personnel/papers'
import * as selfEntry from '@zhugong/contract/personnel/self-entry'
import * as training from '@zhugong/contract/personnel/training'
import * as workersCalls from '@zhugong/contract/personnel/workers'
import * as prevention from '@zhugong/contract/prevention/endpoints'
import * as rules from '@zhugong/contract/rules/endpoints'
import * as boards from '@zhugong/contract/settings/dashboard'
import * as materials from '@zhugong/contract/settings/materials'
import { explainSilence } from '@zhugong/contract/telemetry/crane-lists'
import * as environment from '@zhugong/contract/telemetry/environment-endpoints'
import { bindCraneCameras } from '@zhugong/contract/telemetry/machine-cameras'
import * as wire from '@zhugong/contract/telemetry/wire-endpoints'
import type pg from 'pg'
import { bankCard, idCard, mobile } from '../givens.ts'
import { freshId } from './clone-row.ts'
import type { Asker, CompanyRows, SiteRows } from './site.ts'
import type { Concern } from './table.ts'

const pileAs = (pileNo: string) => ({ pileNo, kind: 'bored' as const, designLength: 20, madeOn: '2026-01-02' })

/** A changing call, what it is about, and an input that is right in every way but for whose records it names. */
const dumpGround: [number, number][] = [
  [115, 30],
  [115.01, 30],
  [115.01, 30.01],
]

export interface Tried {
  endpoint: Endpoint
  concern: Concern
  input: (site: SiteRows, company: CompanyRows, asker: Asker) => unknown
  /** It goes on to a machine over the ingest, which does not run here: whoever may is told that it cannot be reached. */
  reachesOut?: true
  /** What is done to the site's rows before it is tried, and undone after; $1 is the project. */
  meanwhile?: readonly [before: string, after: string]
}

/** Tries a call between what it needs and its undoing. */
export async function tryCall<T>(pool: pg.Pool, tried: Tried, site: SiteRows, ask: () => Promise<T>): Promise<T> {
  if (!tried.meanwhile) return ask()
  await pool.query(tried.meanwhile[0], [site.projectCode])
  try {
    return await ask()
  } finally {
    await pool.query(tried.meanwhile[1], [site.projectCode])
  }
}
/** Curried, so that the input is read against the call that is already known. */
const call =
  <In, P, O>(endpoint: Endpoint<In, P, O>, concern: Concern, more: Pick<Tried, 'reachesOut' | 'meanwhile'> = {}) =>
  (input: (site: SiteRows, company: CompanyRows, asker: Asker) => In): Tried => ({ endpoint, concern, input, ...more })

const dayAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
const reason = '核对现场情况后办理'
/** A paper of the last stage in a state, for as long as it is tried. */
const paperThat = (state: string): Pick<Tried, 'meanwhile'> => ({
  meanwhile: [
    `insert into project_material (id, project_code, item, stage, name, state, not_needed, create_time, update_time, update_by)
       values ('paper-' || $1::text, $1, 'sample', '3', '样例', '${state}', '样例', now(), now(), '样例')`,
    `delete from project_material where item = 'sample' and project_code = $1`,
  ],
})
/** A record as it came: a step before this one is undone. */
const passageThat: Pick<Tried, 'meanwhile'> = {
  meanwhile: ['delete from record_fix where project_code = $1', 'delete from record_fix where project_code = $1'],
}
/** Nobody has paired its passages by hand. */
const unpaired: Pick<Tried, 'meanwhile'> = {
  meanwhile: ['delete from passage_pair where project_code = $1', 'delete from passage_pair where project_code = $1'],
}
/** A way in and a way out that somebody has joined. */
const pairedByHand: Pick<Tried, 'meanwhile'> = {
  meanwhile: [
    `insert into passage_pair (id, project_code, kind, in_device, in_ts, in_id, out_device, out_ts, out_id, reason, by_name, at)
       select 'pair-' || i.project_code, i.project_code, 'joined', i.device_id, i.ts, i.id, o.device_id, o.ts, o.id, '样例', '样例', now()
       from device_record i join device_record o on o.project_code = i.project_code and o.id = 'parts:3' where i.project_code = $1 and i.id = 'parts:7'`,
    'delete from passage_pair where project_code = $1',
  ],
}
/** An application of the open API. */
const anOpenApp: Pick<Tried, 'meanwhile'> = {
  meanwhile: [
    `insert into open_app (id, name, project_code, secret) values ('app-' || $1::text, '样例', $1, '\\x00')`,
    `delete from open_app where id = 'app-' || $1::text`,
  ],
}
const ofTheSite = 'id in (select worker_id from project_worker where project_code = $1)'
/** People whose papers nobody has checked. */
const unverified: Pick<Tried, 'meanwhile'> = {
  meanwhile: [
    `update worker set real_name_state = '0' where real_name_state = '1' and ${ofTheSite}`,
    `update worker set real_name_state = '1' where real_name_state = '0' and ${ofTheSite}`,
  ],
}
/** People without a contract. */
const unsigned: Pick<Tried, 'meanwhile'> = {
  meanwhile: [
    `update worker_contract set terminate_date = start_date, terminate_reason = '样例' where terminate_date is null and ${ofTheSite.replace('id in', 'worker_id in')}`,
    `with gone as (delete from worker_contract where contract_code like '批-%' and ${ofTheSite.replace('id in', 'worker_id in')})
     update worker_contract set terminate_date = null, terminate_reason = null where terminate_reason = '样例' and ${ofTheSite.replace('id in', 'worker_id in')}`,
  ],
}
/** A site without a self-registration code. */
const undoorred: Pick<Tried, 'meanwhile'> = {
  meanwhile: [`delete from self_entry_door where project_code = $1`, `delete from self_entry_door where project_code = $1`],
}
/** People who have not agreed to anything. */
const unasked: Pick<Tried, 'meanwhile'> = {
  meanwhile: [
    `update worker set consents = replace(consents::text, '"同意"', '"未同意"')::jsonb where ${ofTheSite}`,
    `update worker set consents = replace(consents::text, '"未同意"', '"同意"')::jsonb where ${ofTheSite}`,
  ],
}
/** Cameras nobody has set yet. */
const unsetCameras: Pick<Tried, 'meanwhile'> = {
  meanwhile: ['delete from camera_ai where project_code = $1', 'delete from camera_ai where project_code = $1'],
}
const registeredOf = (b: SiteRows['projectBody']) => ({
  name: b.name,
  address: b.address,
  invest: b.invest,
  contractPrice: b.contractPrice,
  buildingArea: b.buildingArea,
  startDate: b.startDate,
  completeDate: b.completeDate,
  prjSize: b.prjSize,
  structureType: b.structureType,
  fundSource: b.fundSource,
  investProjectCode: b.investProjectCode,
  approvalNum: b.approvalNum,
  builderLicenses: b.builderLicenses,
})
/** Of a process item that is known by its id. */
const all = { projectCode: '*' }
const windRule = { level: 2, condition: { type: 'threshold', metric: 'windSpeed', op: '>=', value: 12 } } as const
const team = {
  teamName: '新班组',
  workType: '020',
  responsiblePersonName: '周大勇',
  responsiblePersonIdCardType: '01',
} as const

const certificate = (asker: Asker) => ({
  certType: '2',
  specialType: '201',
  name: '安全生产考核证',
  certNo: `T${freshId().slice(0, 16)}`,
  level: '1',
  issueDate: '2025-01-01',
  validStart: '2025-01-01',
  validEnd: '2028-01-01',
  grantOrg: '住房和城乡建设厅',
  files: [asker.fileId],
})
const session = {
  trainingType: '003002',
  name: '入场教育第二期',
  trainer: '周大勇',
  startTime: '2026-11-12 13:30:00',
  duration: 8,
  content: '劳动纪律、高处作业、临时用电',
}
const misconduct = (asker: Asker) => ({
  badRecordType: '05',
  badRecordLevel: '1',
  actionDegree: '6',
  occurrenceDate: '2026-11-02',
  reason: '高处作业不系安全带，经劝阻不改',
  files: [asker.fileId],
})

/** Everybody's identity card has run out, which is something to be reminded of. */
const expiryOf = (day: string) =>
  `update worker set expiry_date = '${day}' where id in (select worker_id from project_worker where project_code = $1)`
const expiredCards = [expiryOf('2020-01-01'), expiryOf('2099-12-31')] as const
const expiredCard = (company: CompanyRows) => ({ projectWorkerId: company.projectWorkerId, subject: 'idCard:2020-01-01' })

export const calls: readonly Tried[] = [
  // ---- who takes part
  call(
    unitsCalls.addUnit,
    'parties',
  )((s, c) => ({
    body: {
      projectCode: s.projectCode,
      corpCode: c.corpCode,
      corpType: '010',
      entryTime: '2026-11-02',
      pmName: '周大勇',
      pmIdCardType: '01',
      pmIdCardNumber: idCard(),
      pmPhone: mobile(),
      contractFile: [],
    },
  })),
  call(
    unitsCalls.updateUnit,
    'parties',
  )((_s, c) => ({
    body: { id: c.projectCorpId, entryTime: '2026-10-01', pmName: '周大勇', contractFile: [], version: 0 },
  })),
  call(unitsCalls.setUnitTime, 'parties')((_s, c) => ({ body: { id: c.projectCorpId, entryTime: '2026-10-02', exitTime: null } })),
  call(
    units.createUnit,
    'parties',
  )((s) => ({
    body: {
      projectCode: s.projectCode,
      company: {
        corpCode: '91420200MA4TERT13Y',
        corpName: '远山劳务有限公司',
        corpKind: ['6'],
        areaCode: '420200',
        address: '黄石大道 1 号',
        legalMan: '周大勇',
        linkMan: '周大勇',
        linkPhone: '13800138000',
      },
      corpType: '010',
      entryTime: '2026-11-02',
      pmName: '周大勇',
      pmIdCardType: '01',
      pmIdCardNumber: idCard(),
      pmPhone: mobile(),
      contractFile: [],
    },
  })),
  call(
    units.updateUnitInfo,
    'parties',
  )((_s, c) => ({ body: { part: 'remark', id: c.projectCorpId, version: 0, remark: '合同原件在经营部' } })),
  call(unitsCalls.removeUnit, 'parties')((s) => ({ body: { id: s.emptyUnitId } })),

  // ---- people and teams
  call(
    teamsCalls.createTeam,
    'people',
  )((s, c) => ({
    body: {
      ...team,
      projectCode: s.projectCode,
      corpCode: c.corpCode,
      entryTime: '2026-11-02',
      responsiblePersonPhone: mobile(),
      responsiblePersonIdNumber: idCard(),
    },
  })),
  call(teamsCalls.updateTeam, 'people')((_s, c) => ({ params: { id: c.teamId }, body: { ...team, teamName: '改名班组', version: 0 } })),
  call(teamsCalls.removeTeam, 'people')((_s, c) => ({ params: { id: c.emptyTeamId } })),
  call(
    teamsCalls.addTeamStay,
    'people',
  )((s, c) => ({ body: { projectCode: s.projectCode, teamId: c.leftTeamId, entryTime: '2026-11-10' } })),
  call(teamsCalls.setTeamTime, 'people')((_s, c) => ({ body: { id: c.projectTeamId, entryTime: '2026-10-02', exitTime: null } })),
  call(
    units.updateTeamStay,
    'people',
  )((_s, c) => ({
    params: { id: c.projectTeamId },
    body: { entryTime: '2026-10-02', remark: '二次进场', teamLeaderId: null, version: 0 },
  })),
  call(units.removeTeamStay, 'people', {
    // Two stays nobody came with, of a team without people: one may be taken back.
    meanwhile: [
      `insert into project_team (id, project_code, team_id, corp_code, entry_time)
       select md5(n || t.id), t.project_code, t.id, t.corp_code, t.entry_time from team t, unnest(array['one ', 'two ']) n where t.project_code = $1`,
      `delete from project_team where project_code = $1 and id in (select md5(n || t.id) from team t, unnest(array['one ', 'two ']) n)`,
    ],
  })((_s, c) => ({ params: { id: createHash('md5').update(`one ${c.emptyTeamId}`).digest('hex') } })),
  call(
    units.leaveWithTeam,
    'people',
  )((_s, c) => ({ body: { id: c.projectTeamId, exitTime: '2026-11-20', withPeople: true, exitReason: '1', remark: null } })),
  call(
    staysCalls.enterWorker,
    'people',
  )((s, c) => ({
    body: {
      projectCode: s.projectCode,
      name: c.leftWorker.name,
      idCardNumber: c.leftWorker.idCardNumber,
      corpCode: c.corpCode,
      teamId: c.teamId,
      workRole: '20',
      workType: '020',
      entryTime: '2026-11-12',
    },
  })),
  call(staysCalls.exitWorkers, 'people')((_s, c) => ({ body: { ids: [c.projectWorkerId], exitTime: '2026-11-20', exitReason: '1' } })),
  call(
    exits.keepOnSite,
    'people',
  )((_s, c) => ({
    body: { ids: [c.projectWorkerId], untilDay: new Date(Date.now() + 864_000_000).toISOString().slice(0, 10), reason: '外派学习' },
  })),
  call(staysCalls.removeStays, 'people')((_s, c) => ({ body: { ids: [c.newStayId] } })),
  call(
    staysCalls.setAccount,
    'people',
  )((_s, c) => ({
    body: { id: c.projectWorkerId, payRollBankCode: '102', payRollBankName: '工商银行黄石支行', payRollBankCardNumber: bankCard() },
  })),
  call(staysCalls.setTerms, 'people')((_s, c) => ({ body: { ids: [c.projectWorkerId], paymentType: '2', hasBuyInsurance: true } })),
  call(staysCalls.setContract, 'people')((_s, c) => ({ body: { id: c.projectWorkerId, contractId: c.contractId } })),
  call(
    workersCalls.registerWorker,
    'people',
  )((s, c) => ({
    body: {
      name: '田光明',
      idCardNumber: idCard(),
      stay: {
        projectCode: s.projectCode,
        corpCode: c.corpCode,
        teamId: c.teamId,
        workRole: '20',
        workType: '020',
        entryTime: '2026-11-12',
      },
    },
  })),
  call(
    workersCalls.updateWorker,
    'people',
  )((_s, c) => ({ params: { id: c.workerId }, body: { address: '黄石市样例路 8 号', version: 0 } })),
  call(
    workersCalls.updateWorkerBase,
    'people',
  )((_s, c) => ({ params: { id: c.workerId }, body: { name: '田大明', idCardNumber: idCard(), reason, version: 0 } })),
  call(
    workersCalls.moveWorker,
    'people',
  )((_s, c) => ({
    params: { id: c.workerId },
    body: { projectWorkerId: c.projectWorkerId, corpCode: c.corpCode, teamId: c.teamId, workType: '030', version: 0 },
  })),
  call(batches.moveWorkers, 'people')((_s, c) => ({ body: { ids: [c.projectWorkerId], corpCode: c.corpCode, teamId: c.teamId } })),
  call(batches.verifyWorkers, 'people', unverified)((_s, c) => ({ body: { ids: [c.projectWorkerId], seen: true } })),
  call(batches.consentWorkers, 'people', unasked)((_s, c) => ({ body: { ids: [c.projectWorkerId], seen: true } })),
  call(
    batches.signWorkers,
    'people',
    unsigned,
  )((_s, c) => ({
    body: {
      ids: [c.projectWorkerId],
      codePrefix: `批-${freshId().slice(0, 8)}-`,
      contractKind: '1',
      contractPeriodType: '1',
      paymentType: '1',
      salary: 32_000,
      payDay: 15,
      signDate: '2026-11-15',
    },
  })),
  call(selfEntry.setSelfEntryDoor, 'site', undoorred)((s) => ({ body: { projectCode: s.projectCode, action: 'open', version: 0 } })),
  call(selfEntry.decideSelfEntry, 'people', {
    meanwhile: [
      `update self_entry set state = 'waiting', version = 0 where project_code = $1`,
      `update self_entry set state = 'waiting', version = 0 where project_code = $1`,
    ],
  })((_s, c) => ({ params: { id: c.selfEntryId }, body: { action: 'return', reason: '证件号码与姓名不符', version: 0 } })),
  call(workersCalls.setFormal, 'people')((_s, c) => ({ body: { ids: [c.projectWorkerId], status: '2', reason } })),
  call(
    workersCalls.trainWorkers,
    'people',
  )((_s, c) => ({
    body: { ids: [c.projectWorkerId], trainingType: '003002', trainDate: '2026-11-15', hours: 4, passed: true },
  })),
  call(
    training.createSession,
    'people',
  )((s, c) => ({
    query: { projectCode: s.projectCode },
    body: {
      corpCode: c.corpCode,
      ...session,
      workers: [{ projectWorkerId: c.projectWorkerId, score: 90, passed: true }],
    },
  })),
  call(
    training.changeSession,
    'people',
  )((_s, c) => ({ params: { id: c.trainingId }, query: all, body: { action: 'edit', version: 0, ...session } })),
  call(training.removeSession, 'people')((_s, c) => ({ params: { id: c.trainingId }, query: all })),
  call(training.removeAttendance, 'people')((_s, c) => ({ params: { taskId: c.trainingTaskId }, query: { ...all, reason } })),
  call(careersCalls.saveHealth, 'people')((_s, c) => ({ params: { id: c.workerId }, body: { healthStatus: '1', version: 0 } })),
  call(
    careersCalls.saveHistory,
    'people',
  )((_s, c) => ({
    params: { id: freshId() },
    body: {
      workerId: c.workerId,
      projectName: '旧项目',
      corpName: '旧单位',
      workType: '020',
      entryTime: '2020-01-01',
      exitTime: '2020-12-01',
    },
  })),
  call(
    papersCalls.saveCert,
    'people',
  )((_s, c, a) => ({
    body: {
      workerId: c.workerId,
      ...certificate(a),
    },
  })),
  call(
    papersCalls.saveCerts,
    'people',
  )((_s, c, a) => ({
    body: {
      workerId: c.workerId,
      list: [certificate(a)],
    },
  })),
  call(
    workersCalls.verifyWorker,
    'people',
  )((_s, c) => ({
    body: { way: 'card', workerId: c.workerId, name: c.worker.name, idCardNumber: c.worker.idCardNumber, version: 0 },
  })),
  call(certificates.remindCerts, 'people', { meanwhile: expiredCards })((_s, c) => ({ body: { items: [expiredCard(c)] } })),
  call(certificates.ignoreCerts, 'people', { meanwhile: expiredCards })((_s, c) => ({ body: { items: [expiredCard(c)], reason } })),
  call(papersCalls.removeCert, 'people')((_s, c) => ({ params: { id: c.certificateId } })),
  call(papersCalls.auditCert, 'review')((_s, c) => ({ body: { id: c.certificateId, result: '1', opinion: '相符' } })),
  call(
    papersCalls.saveContract,
    'people',
  )((s, c, a) => ({
    body: {
      workerId: c.workerId,
      projectCode: s.projectCode,
      corpCode: c.corpCode,
      contractCode: `H${idCard().slice(0, 16)}`,
      contractKind: '1',
      contractPeriodType: '0',
      startDate: '2026-11-01',
      paymentType: '1',
      salary: 300_00,
      payDay: 20,
      signDate: '2026-11-01',
      endDate: '2027-11-01',
      files: [a.fileId],
    },
  })),
  call(
    badRecordsCalls.createBadRecord,
    'people',
  )((s, c, a) => ({
    body: {
      workerId: c.workerId,
      projectCode: s.projectCode,
      ...misconduct(a),
    },
  })),
  call(
    badRecordsCalls.updateBadRecord,
    'people',
  )((s, c, a) => ({
    params: { id: c.badRecordId },
    body: {
      workerId: c.workerId,
      projectCode: s.projectCode,
      ...misconduct(a),
      version: 0,
    },
  })),
  call(badRecordsCalls.removeBadRecord, 'people')((_s, c) => ({ params: { id: c.badRecordId } })),
  call(badRecordsCalls.auditBadRecord, 'review')((_s, c) => ({ body: { id: c.badRecordId, result: '1', opinion: '属实' } })),

  // ---- machines, their papers and alarms
  call(
    devices.createDevice,
    'machines',
  )((s, c) => ({
    body: {
      name: '新塔机',
      deviceSn: `NEW-${idCard()}`,
      projectCode: s.projectCode,
      family: 'towerCrane',
      ownerCorp: c.corpCode,
      params: {},
      access: { protocol: 'http' },
    },
  })),
  call(devices.updateDevice, 'machines')((_s, c) => ({ params: { id: c.deviceId }, body: { leader: '周大勇' } })),
  call(devices.removeDevice, 'machines')((_s, c) => ({ params: { id: c.deviceId } })),
  call(devices.removeDevices, 'machines')((_s, c) => ({ body: { ids: [c.deviceId] } })),
  call(services.createDue, 'machines')((_s, c) => ({ params: { id: c.deviceId }, body: { kind: 'calibration', dueDate: '2027-01-01' } })),
  call(services.updateDue, 'machines')((_s, c) => ({ params: { id: c.deviceId, dueId: c.dueId }, body: { remark: '已联系' } })),
  call(services.renewDues, 'machines')((_s, c) => ({ body: { items: [{ deviceId: c.deviceId, dueId: c.dueId }], dueDate: '2027-06-01' } })),
  call(services.createRepair, 'machines')((_s, c) => ({ params: { id: c.spareDeviceId }, body: { fault: '回转异响' } })),
  call(services.closeRepair, 'machines')((_s, c) => ({ params: { id: c.deviceId, repairId: c.repairId }, body: { measure: '更换轴承' } })),
  call(alarms.actOnAlarm, 'machines')((_s, c) => ({ params: { id: c.alarmId }, query: all, body: { action: 'ack' } })),

  // ---- the site as a whole
  call(projectsCalls.updateProject, 'site')((s) => ({ params: { projectCode: s.projectCode }, body: s.projectBody })),
  // One application at a time: the one that waits is out of the way for as long as this is tried.
  call(projectChangesCalls.fileProjectChange, 'site', {
    meanwhile: [
      "update project_change set state = '1' where project_code = $1",
      "update project_change set state = '0' where project_code = $1",
    ],
  })((s) => ({ body: { projectCode: s.projectCode, areaCode: s.projectCode.startsWith('420203') ? '420202' : '420203', reason } })),
  call(projectChangesCalls.auditProjectChange, 'body')((s) => ({ body: { id: s.changeId, result: '1', version: 0 } })),
  call(projectsCalls.switchProjectStatus, 'body')((s) => ({ body: { projectCode: s.projectCode, status: '0' } })),
  call(projectsCalls.removeProject, 'body')((s) => ({ params: { projectCode: s.projectCode } })),
  call(projectsCalls.changeProjectState, 'state')((s) => ({ body: { projectCode: s.projectCode, action: 'stop', reason, version: 0 } })),
  call(projectsCalls.decideStateApply, 'body', {
    meanwhile: [
      "update project_state_apply set state = case when reason = '隔离测试' then '1' else '4' end where project_code = $1 and (reason = '隔离测试' or state = '1')",
      "update project_state_apply set state = '3' where project_code = $1",
    ],
  })((s) => ({ params: { id: s.stateApplyId }, body: { action: 'pass', version: 0 } })),
  call(
    fencesCalls.setAreaRule,
    'site',
  )((s) => ({
    body: {
      projectCode: s.projectCode,
      areaRule: { type: '1', center: { lng: 114.3, lat: 30.5 }, radius: 100 },
      reason,
      version: s.projectBody.version ?? 0,
    },
  })),
  call(fencesCalls.auditAreaRule, 'site', {
    meanwhile: [
      `insert into project_fence (id, project_code, state, reason, filed_name, create_time) values ('waits', $1, '0', '样例', '样例', now())`,
      `delete from project_fence where id = 'waits' and project_code = $1`,
    ],
  })((s) => ({ body: { projectCode: s.projectCode, result: '2', opinion: reason, version: 0 } })),
  call(
    factCalls.saveProjectDaily,
    'site',
  )((s) => ({
    body: { linkMan: '周大勇', isClosedSite: true, projectCode: s.projectCode, version: s.projectBody.version ?? 0 },
  })),
  call(
    factCalls.saveProjectRegistered,
    'site',
  )((s) => ({
    body: {
      ...registeredOf(s.projectBody),
      projectCode: s.projectCode,
      version: s.projectBody.version ?? 0,
    },
  })),
  call(
    factCalls.saveProjectUnits,
    'site',
  )((s) => ({ body: { projectCode: s.projectCode, list: [], version: s.projectBody.version ?? 0 } })),
  call(factCalls.confirmProjectFacts, 'site')((s) => ({ body: { projectCode: s.projectCode } })),
  call(materials.bringMaterial, 'site', {
    meanwhile: [
      `update project_material set item = item || '.apart' where project_code = $1`,
      `update project_material set item = replace(item, '.apart', '') where project_code = $1`,
    ],
  })((s) => ({ query: { projectCode: s.projectCode }, body: { item: 'licence', notNeeded: '样例不适用', version: 0 } })),
  call(materials.submitMaterials, 'site', paperThat('0'))((s) => ({ query: { projectCode: s.projectCode }, body: { stage: '3' } })),
  call(materials.acceptMaterials, 'review', paperThat('1'))((s) => ({ query: { projectCode: s.projectCode }, body: { stage: '3' } })),
  call(
    materials.judgeMaterial,
    'review',
    paperThat('1'),
  )((s) => ({
    params: { id: `paper-${s.projectCode}` },
    query: { projectCode: s.projectCode },
    body: { action: 'accept', version: 1 },
  })),
  call(materials.askMaterial, 'review')((s) => ({ query: { projectCode: s.projectCode }, body: { name: '夜间施工许可', stage: '2' } })),
  call(
    boards.saveDashboardPolicy,
    'site',
  )((s) => ({ body: { projectCode: s.projectCode, value: { forced: [], limits: {} }, version: 0 } })),
  call(
    onboarding.changeOnboarding,
    'site',
  )((s) => ({
    params: { id: 'devices' },
    query: { projectCode: s.projectCode },
    body: { action: 'off', reason: '本项目没有监测设备', version: 0 },
  })),
  call(views.updateProjectV1, 'site')((s) => ({ params: { id: s.projectCode }, body: s.projectBody })),
  call(views.fetchSuperviseNo, 'body')((s) => ({ body: { projectCode: s.projectCode } })),
  call(projectsCalls.assignSupervisor, 'body')((s) => ({ body: { projectCodes: [s.projectCode], govCode: s.govCode } })),
  call(
    fixes.createFix,
    'people',
  )((s, c) => ({
    query: { projectCode: s.projectCode },
    body: {
      kind: 'leave' as const,
      workerIds: [c.workerId],
      fromDay: '2026-11-20',
      reason: '家中有事请假一天',
    },
  })),
  // Each of those who judge has a word in it.
  call(fixes.actOnFix, 'review', {
    meanwhile: [
      `insert into attendance_correction (id, project_code, kind, state, value, requested_by, requested_at, work_day, reason, needs)
       values ('parts-fix', $1, 'stopDay', '1', '{"target":null,"time":null,"direction":null,"fromDay":"2026-11-19","toDay":"2026-11-19","gate":null,"fromTime":null,"toTime":null,"shiftMs":null}',
         'somebody', now(), '2026-11-19', '暴雨停工一天', '{site,company,review}')`,
      `delete from attendance_correction where id = 'parts-fix' and project_code = $1`,
    ],
  })(() => ({ params: { id: 'parts-fix' }, query: all, body: { action: 'pass' as const, version: 0 } })),
  call(fixes.actOnMonth, 'site', {
    meanwhile: [
      `insert into attendance_month (id, project_code, month, version, sheet, hash, closed_at) values ('parts-month', $1, '2026-01', 1, '[]', 'x', now())`,
      `delete from attendance_month where id = 'parts-month' and project_code = $1`,
    ],
  })((s) => ({ query: { projectCode: s.projectCode }, body: { month: '2026-01', action: 'reopen' as const, version: 1, reason } })),
  call(
    prevention.actOnTempAlarms,
    'people',
  )((_s, c) => ({
    query: all,
    body: { items: [{ id: c.tempAlarmId, version: 0 }], action: 'take' as const },
  })),
  call(prevention.saveTempSetting, 'site', {
    meanwhile: ['select $1::text', 'delete from temp_alarm_setting where project_code = $1'],
  })((s) => ({ body: { projectCode: s.projectCode, setting: {}, version: 0 } })),
  call(
    labourAlarms.actOnLabourAlarms,
    'people',
  )((_s, c) => ({
    query: all,
    body: { items: [{ id: c.labourAlarmId, version: 0 }], action: 'handle' as const, remark: reason },
  })),
  call(attendance.saveSetting, 'site')((s) => ({ body: { projectCode: s.projectCode, reason, workStart: '07:30' } })),
  call(
    alarms.startSuppression,
    'site',
  )((s) => ({
    query: all,
    body: {
      deviceId: s.craneId,
      alarmKeys: ['offline'],
      kind: 'calibration',
      reason,
      personName: '周大勇',
      until: new Date(Date.now() + 3_600_000).toISOString(),
    },
  })),
  call(alarms.actOnSuppression, 'site')((s) => ({ params: { id: s.suppressId }, query: all, body: { action: 'end' } })),
  call(
    notices.sendNotice,
    'review',
  )((s) => ({
    query: all,
    body: {
      kind: 'urge',
      text: reason,
      deadline: new Date(Date.now() + 3_600_000).toISOString(),
      targets: [{ projectCode: s.projectCode, deviceId: s.craneId, subject: '塔机' }],
    },
  })),
  call(
    zones.createCraneZone,
    'site',
  )((s) => ({
    query: { projectCode: s.projectCode },
    body: {
      name: `区域${freshId().slice(0, 12)}`,
      kind: 'forbidden',
      points: [
        [0, 0],
        [9, 0],
        [9, 9],
      ],
    },
  })),
  call(
    zones.updateCraneZone,
    'site',
  )((s) => ({
    params: { id: s.zoneId },
    query: { projectCode: s.projectCode },
    body: {
      name: '学校上空',
      kind: 'forbidden',
      version: 0,
      points: [
        [0, 0],
        [9, 0],
        [9, 9],
      ],
    },
  })),
  call(
    pits.reportPitStage,
    'site',
  )((s) => ({ query: { projectCode: s.projectCode }, body: { pitName: '基坑', depth: 3.5, at: null, note: null } })),
  call(piles.createPile, 'site')((s) => ({ query: { projectCode: s.projectCode }, body: pileAs(`桩${freshId().slice(0, 8)}`) })),
  call(
    piles.updatePile,
    'site',
  )((s) => ({ params: { id: s.pileId }, query: { projectCode: s.projectCode }, body: { ...pileAs('隔离-1'), version: 0 } })),
  call(piles.removePile, 'site')((s) => ({ params: { id: s.sparePileId }, query: { projectCode: s.projectCode } })),
  call(
    piles.assignPileRun,
    'site',
  )((s) => ({ params: { id: s.pileId }, query: { projectCode: s.projectCode }, body: { record: s.pileRunId, reason } })),
  call(
    piles.judgePile,
    'review',
  )((s) => ({ params: { id: s.pileId }, query: { projectCode: s.projectCode }, body: { verdict: '1', reason, version: 0 } })),
  call(
    pileTests.addPileTest,
    'site',
  )((s) => ({
    params: { id: s.pileId },
    query: { projectCode: s.projectCode },
    body: { kind: 'lowStrain', testedOn: '2026-01-05', integrity: '1', isPassed: null, tester: '市建科院检测中心' },
  })),
  call(
    formwork.addPourStep,
    'site',
  )((s) => ({
    query: { projectCode: s.projectCode },
    body: { bayName: `区${freshId().slice(0, 12)}`, kind: 'start', volume: null, note: null },
  })),
  call(
    aiEvents.reviewAiEvent,
    'site',
  )((s) => ({ params: { id: s.aiEventId }, query: { projectCode: s.projectCode }, body: { review: '1', reason: null, version: -1 } })),
  call(
    setCameraAi,
    'site',
    unsetCameras,
  )((s) => ({
    params: { id: s.cameraId },
    query: { projectCode: s.projectCode },
    body: { thresholds: [{ type: 'noHelmet', least: 0.8 }], zones: [], version: -1 },
  })),
  call(
    meterSettle.createMeterPrice,
    'site',
  )((s) => ({ query: { projectCode: s.projectCode }, body: { kind: 'water', fromMonth: '2027-01', price: 3.2 } })),
  call(addMeterEntry, 'site', {
    meanwhile: [
      `delete from meter_entry where project_code = $1 and by_name <> '样例'`,
      `delete from meter_entry where project_code = $1 and by_name <> '样例'`,
    ],
  })((s, _c, a) => ({
    query: { projectCode: s.projectCode },
    body: { deviceId: s.meterId, kind: 'reading', at: null, reading: 900_000_000, reason: '表计离线', files: [a.fileId], sure: true },
  })),
  call(voidMeterEntry, 'site', {
    meanwhile: [
      `update meter_entry set device_id = (select min(id) from device where project_code = $1 and family = 'electricMeter') where project_code = $1`,
      `update meter_entry set void_reason = null, void_by = null, void_at = null where project_code = $1`,
    ],
  })((s) => ({ params: { id: s.meterEntryId }, query: { projectCode: s.projectCode }, body: { reason: '看错表盘' } })),
  call(meterSettle.removeMeterPrice, 'site')((s) => ({ params: { id: s.meterPriceId }, query: { projectCode: s.projectCode } })),
  call(
    meterSettle.signSheet,
    'site',
  )((s) => ({
    params: { id: s.meterMonthId },
    query: { projectCode: s.projectCode },
    body: { corpName: '样例单位', signer: '刘样', result: 'agreed', version: 0 },
  })),
  call(
    vehicleFences.createVehicleFence,
    'site',
  )((s) => ({
    query: { projectCode: s.projectCode },
    body: { name: `围栏${freshId().slice(0, 12)}`, kind: 'dumpSites', points: dumpGround },
  })),
  call(
    vehicleFences.updateVehicleFence,
    'site',
  )((s) => ({
    params: { id: s.vehicleFenceId },
    query: { projectCode: s.projectCode },
    body: { name: '消纳场', kind: 'dumpSites', version: 0, points: dumpGround },
  })),
  call(
    registry.addRegistered,
    'site',
  )((s) => ({
    query: { projectCode: s.projectCode },
    body: { kind: 'known', plateNo: `鄂B${freshId().slice(0, 5).toUpperCase()}`, vehicleType: '1' },
  })),
  call(
    registry.changeRegistered,
    'site',
  )((s) => ({
    params: { id: s.registeredId },
    query: { projectCode: s.projectCode },
    body: { kind: 'known', plateNo: '鄂A00009', corpName: '样例运输', version: 0 },
  })),
  call(registry.removeRegistered, 'site')((s) => ({ params: { id: s.registeredId }, query: { projectCode: s.projectCode, reason } })),
  call(vehicleFences.removeVehicleFence, 'site')((s) => ({ params: { id: s.vehicleFenceId }, query: { projectCode: s.projectCode } })),
  call(zones.removeCraneZone, 'site')((s) => ({ params: { id: s.zoneId }, query: { projectCode: s.projectCode } })),
  call(
    explainSilence,
    'site',
  )((s) => ({
    params: { id: s.offlineSpanId },
    query: { projectCode: s.projectCode },
    body: { cause: '停工', remark: '中午断电检修' },
  })),
  call(
    alarms.startDrill,
    'site',
  )((s) => ({ body: { deviceId: s.craneId, alarmKey: 'windAlarm', level: 3, notify: false, linkage: false } })),
  call(gatewayCalls.createGateway, 'site')((s) => ({ body: { name: '新网关', projectCode: s.projectCode } })),
  call(gatewayCalls.copyGateway, 'site')((s) => ({ params: { id: s.gatewayId } })),
  call(gatewayCalls.updateGateway, 'site')((s) => ({ params: { id: s.gatewayId }, body: { remark: '已移位' } })),
  call(gatewayCalls.switchGateway, 'site')((s) => ({ body: { id: s.gatewayId, status: '0' } })),
  call(openApps.createOpenApp, 'site')((s) => ({ body: { name: '新应用', projectCode: s.projectCode } })),
  call(openApps.updateOpenApp, 'site', anOpenApp)((s) => ({ params: { id: `app-${s.projectCode}` }, body: { name: '改名', version: 0 } })),
  call(openApps.renewOpenAppSecret, 'site', anOpenApp)((s) => ({ params: { id: `app-${s.projectCode}` } })),
  call(openApps.switchOpenApp, 'site', anOpenApp)((s) => ({ body: { id: `app-${s.projectCode}`, status: '0' } })),
  call(gatewayCalls.removeGateway, 'site')((s) => ({ params: { id: s.gatewayId } })),
  call(gates.clearGateFaces, 'site')((s) => ({ query: { deviceId: s.gateId } })),
  call(gates.syncGate, 'site')((s) => ({ body: { deviceId: s.gateId } })),
  call(wire.createGatePush, 'site')((s) => ({ params: { id: s.gateId }, body: { adapter: 'generic' } })),
  call(devices.openRegistration, 'site')((s) => ({ params: { id: s.truckId }, body: { hours: 24 } })),
  call(devices.closeRegistration, 'site')((s) => ({ params: { id: s.truckId } })),
  call(wire.sendCommand, 'site', { reachesOut: true })((s) => ({ params: { id: s.craneId }, body: { cmd: 'device.reboot' } })),
  call(environment.switchSpray, 'site', { reachesOut: true })((s) => ({ body: { deviceId: s.sprayId, status: '1', minutes: 5, reason } })),
  call(setPlaceSetting, 'site')((s) => ({ body: { projectCode: s.projectCode, placeDays: 30, version: 0 } })),
  call(helmets.createHelmetGroup, 'site')((s) => ({ body: { projectCode: s.projectCode, name: '夜班组', deviceIds: [s.helmetId] } })),
  call(helmets.updateHelmetGroup, 'site')((s) => ({ params: { id: s.helmetGroupId }, body: { name: '白班组' } })),
  call(helmets.deleteHelmetGroup, 'site')((s) => ({ params: { id: s.helmetGroupId } })),
  call(
    addLiftTest,
    'site',
  )((s) => ({
    query: { projectCode: s.projectCode },
    body: { deviceId: s.lifterId, kind: 'drop', testedOn: '2026-11-01', result: 'pass', personName: '周大勇', distanceMeters: 0.6 },
  })),
  call(voidLiftTest, 'site', {
    meanwhile: [
      `update lift_test set void_reason = null, void_by = null, void_time = null where project_code = $1`,
      `update lift_test set void_reason = null, void_by = null, void_time = null where project_code = $1`,
    ],
  })((s) => ({ params: { id: s.liftTestId }, query: { projectCode: s.projectCode }, body: { reason } })),
  call(changePitPoint, 'site', {
    meanwhile: [
      `update device set points = '{}', params = params || '{"pointCode": "样例"}' where project_code = $1 and family = 'foundationPit'`,
      `update device set points = '{}' where project_code = $1 and family = 'foundationPit'`,
    ],
  })((s) => ({
    query: { projectCode: s.projectCode },
    body: { deviceId: s.pitPointId, pointCode: '样例', kind: 'damaged', reason, initial: null, carried: null },
  })),
  call(advisePour, 'site', {
    meanwhile: [
      `update device set params = params || '{"bayName": "建议样例"}' where id = (select min(id) from device where project_code = $1 and family = 'highFormwork')`,
      `update device set params = params - 'bayName' where project_code = $1 and params ->> 'bayName' = '建议样例'`,
    ],
  })((s) => ({ query: { projectCode: s.projectCode }, body: { bayName: '建议样例', text: '东侧立杆先核对间距' } })),
  call(zeroBay, 'site', {
    meanwhile: [
      // One point of a bay of its own, heard just now.
      `with one as (update device set params = params || '{"bayName": "归零样例"}' where id = (select min(id) from device where project_code = $1
           and family = 'highFormwork' and status = '1') returning id),
         told as (insert into telemetry (device_id, ts, seq, received_at, schema_ver, v) select id, now(), 0, now(), 1, '{}' from one)
       insert into device_latest (device_id, ts, received_at, v, online, online_since) select id, now(), now(), '{}', true, now() from one
       on conflict (device_id) do update set ts = excluded.ts`,
      `update device set params = params - 'bayName', points = '{}' where project_code = $1 and params ->> 'bayName' = '归零样例'`,
    ],
  })((s) => ({ query: { projectCode: s.projectCode }, body: { bayName: '归零样例' } })),
  call(startPile, 'site', {
    meanwhile: [
      'delete from pile_work where project_code = $1 and ended_at is null',
      'delete from pile_work where project_code = $1 and ended_at is null',
    ],
  })((s) => ({ query: { projectCode: s.projectCode }, body: { deviceId: s.pileRigId, pileId: s.sparePileId } })),
  call(endPile, 'site', {
    meanwhile: [
      `update pile_work set ended_at = null, device_id = (select min(id) from device where project_code = $1 and family = 'pileFoundation')
       where id = md5('pile work ' || $1::text)`,
      `update pile_work set ended_at = started_at + interval '1 hour' where id = md5('pile work ' || $1::text)`,
    ],
  })((s) => ({ params: { id: s.pileWorkId }, query: { projectCode: s.projectCode }, body: { note: reason } })),
  call(
    addPileTrouble,
    'site',
  )((s, _c, a) => ({
    query: { projectCode: s.projectCode },
    body: { deviceId: s.pileRigId, kind: 'obstacle', depth: 6, text: '遇块石，引孔后继续', files: [a.fileId] },
  })),
  call(stopLift, 'site', {
    meanwhile: [
      `delete from lift_stop where project_code = $1 and device_id in (select id from device where family = 'lifter')`,
      `delete from lift_stop where project_code = $1 and reason <> '隔离测试'`,
    ],
  })((s) => ({ query: { projectCode: s.projectCode }, body: { deviceId: s.lifterId, alarmId: null, reason } })),
  call(resumeLift, 'site', {
    meanwhile: [
      // Its safety device is calibrated for long, whatever day the test runs on.
      `with calibrated as (
         update device set params = params || '{"safetyDeviceExpiry": "2999-12-31T00:00:00+08:00"}' where project_code = $1 and family = 'lifter')
       insert into lift_stop (id, project_code, device_id, stopped_at, reason, by_name, create_time)
       select md5('lift stop ' || $1::text), $1, min(id), '2026-10-10', '隔离测试', '样例', '2026-10-10' from device where project_code = $1 and family = 'lifter'
       on conflict (id) do update set device_id = excluded.device_id, stopped_at = excluded.stopped_at, resumed_at = null, checked_on = null`,
      `update lift_stop set resumed_at = null, resumed_by = null, checked_on = null where project_code = $1 and reason = '隔离测试'`,
    ],
  })((s, _c, a) => ({
    params: { id: s.liftStopId },
    query: { projectCode: s.projectCode },
    body: { checkedOn: '2026-10-11', personName: '周大勇', finding: '门联锁修复，试运行正常', files: [a.fileId] },
  })),
  call(attachReadings, 'site', {
    meanwhile: [
      `delete from alarm_reading where project_code = $1 and by_name <> '样例'`,
      `delete from alarm_reading where project_code = $1 and by_name <> '样例'`,
    ],
  })((s) => ({
    query: { projectCode: s.projectCode },
    body: { alarmId: s.siteAlarmId, deviceId: s.craneId, from: '2026-11-19 08:00:00', to: '2026-11-19 09:00:00' },
  })),
  call(detachReadings, 'site', {
    meanwhile: [
      'delete from alarm_reading where false and project_code = $1',
      `insert into alarm_reading (id, project_code, alarm_id, device_id, from_time, until_time, by_name, create_time)
       select md5('alarm reading ' || $1::text), $1, a.id, a.device_id, now() - interval '2 hours', now() - interval '1 hour', '样例', now() from alarm a
       where a.id = md5('alarm ' || $1::text) on conflict (id) do nothing`,
    ],
  })((s) => ({ params: { id: s.alarmReadingId }, query: { projectCode: s.projectCode } })),
  call(stateCause, 'site', {
    meanwhile: [
      `update alarm set family = 'environment', alarm_key = 'pm10Alarm' where id = md5('alarm ' || $1::text)`,
      `with gone as (delete from exceed_cause where project_code = $1 and by_name <> '样例')
       update alarm a set family = d.family, alarm_key = 'offline' from device d where d.id = a.device_id and a.id = md5('alarm ' || $1::text)`,
    ],
  })((s, _c, a) => ({
    query: { projectCode: s.projectCode },
    body: { alarmId: s.siteAlarmId, source: 'road', text: '出口道路未及时冲洗', files: [a.fileId] },
  })),
  call(stateFinding, 'review', {
    meanwhile: [
      `update alarm set family = 'electricMeter', alarm_key = 'residualAlarm' where id = md5('alarm ' || $1::text)`,
      `with gone as (delete from alarm_finding where project_code = $1 and by_name <> '样例')
       update alarm a set family = d.family, alarm_key = 'offline' from device d where d.id = a.device_id and a.id = md5('alarm ' || $1::text)`,
    ],
  })((s, _c, a) => ({
    query: { projectCode: s.projectCode },
    body: { alarmId: s.siteAlarmId, code: 'damp', text: '雨后箱体进水', files: [a.fileId] },
  })),
  call(
    addNightPermit,
    'site',
  )((s, _c, a) => ({
    query: { projectCode: s.projectCode },
    body: {
      permitNo: `夜施-${freshId().slice(0, 8)}`,
      issuer: '区住建局',
      scope: '主体结构连续浇筑',
      from: `${dayAgo(1)} 22:00:00`,
      until: `${dayAgo(0)} 06:00:00`,
      files: [a.fileId],
    },
  })),
  call(voidNightPermit, 'site', {
    meanwhile: [
      `update night_permit set void_reason = null, void_by = null, void_at = null where id = md5('night permit ' || $1::text)`,
      `update night_permit set void_reason = null, void_by = null, void_at = null where id = md5('night permit ' || $1::text)`,
    ],
  })((s) => ({ params: { id: s.nightPermitId }, query: { projectCode: s.projectCode }, body: { reason } })),
  call(addPlatformMove, 'site', {
    meanwhile: [
      `delete from platform_move where project_code = $1 and to_place <> '样例'`,
      `delete from platform_move where project_code = $1 and to_place <> '样例'`,
    ],
  })((s, _c, a) => ({
    query: { projectCode: s.projectCode },
    body: { deviceId: s.platformId, toPlace: `1# 楼 ${freshId().slice(0, 6)}`, personName: '周大勇', files: [a.fileId] },
  })),
  call(zeroPlatform, 'site', {
    meanwhile: [
      // The move of whichever platform the site has, empty and heard just now.
      `with heard as (
         insert into device_latest (device_id, ts, received_at, v, online, online_since) select id, now(), now(), '{"weight": 0.01}', true, now()
         from device where project_code = $1 and family = 'unloadingPlatform' on conflict (device_id) do update set ts = excluded.ts, v = excluded.v returning device_id)
       update platform_move set device_id = (select min(device_id) from heard) where project_code = $1`,
      `update platform_move set zero_weight = null, zeroed_at = null, zeroed_by = null where project_code = $1`,
    ],
  })((s) => ({ params: { id: s.platformMoveId }, query: { projectCode: s.projectCode }, body: { empty: true } })),
  call(
    patrols.addPatrol,
    'review',
  )((s) => ({
    query: { projectCode: s.projectCode },
    body: { cameraIds: [s.cameraId], result: 'found', finding: reason, deviceId: s.cameraId },
  })),
  call(
    patrols.answerPatrol,
    'site',
  )((s, _c, a) => ({
    params: { id: s.videoPatrolId },
    query: { projectCode: s.projectCode },
    body: { answer: '已安排清扫并检修冲洗设备', photos: [a.fileId], version: 0 },
  })),
  call(patrols.judgePatrol, 'review', {
    meanwhile: [
      `update video_patrol set state = 'answered', answer = '已处理', answer_at = now() where project_code = $1 and id = md5('video patrol ' || $1)`,
      `update video_patrol set state = 'open', answer = null, answer_at = null where project_code = $1 and id = md5('video patrol ' || $1)`,
    ],
  })((s) => ({
    params: { id: s.videoPatrolId },
    query: { projectCode: s.projectCode },
    body: { action: 'return', reason, version: 0 },
  })),
  call(
    marks.attachMark,
    'review',
  )((s) => ({ params: { id: s.videoMarkId }, query: { projectCode: s.projectCode }, body: { alarmId: null } })),
  call(
    marks.addMark,
    'review',
  )((s) => ({ query: { projectCode: s.projectCode }, body: { kind: 'bookmark', deviceId: s.cameraId, note: reason } })),
  call(
    sprayPlans.createSprayPlan,
    'site',
  )((s) => ({
    query: { projectCode: s.projectCode },
    body: { deviceId: s.sprayId, name: `计划${freshId().slice(0, 12)}`, days: [7], times: ['03:15'], minutes: 5 },
  })),
  call(
    sprayPlans.updateSprayPlan,
    'site',
  )((s) => ({
    params: { id: s.sprayPlanId },
    query: { projectCode: s.projectCode },
    body: { deviceId: s.sprayId, name: '早班前道路', days: [1, 2], times: ['06:30'], minutes: 5, version: 0 },
  })),
  call(sprayPlans.removeSprayPlan, 'site')((s) => ({ params: { id: s.sprayPlanId }, query: { projectCode: s.projectCode } })),
  call(bindCraneCameras, 'site')((s) => ({ params: { id: s.craneId }, body: { cameraIds: [s.cameraId] } })),
  call(
    weighing.manualWeighing,
    'site',
  )((s, _c, a) => ({
    query: { projectCode: s.projectCode },
    body: {
      deviceId: s.weighbridgeId,
      plateNo: `鄂A${freshId().slice(0, 5).toUpperCase()}`,
      weighType: '1',
      material: '中砂',
      grossWeight: 42.3,
      reason,
      photos: [a.fileId],
    },
  })),
  call(
    recordFixes.correctPassage,
    'site',
    passageThat,
  )((s) => ({
    params: { id: s.passageId },
    query: { projectCode: s.projectCode },
    body: { version: 0, reason, plateNo: '鄂A54321' },
  })),
  call(
    recordFixes.markPassages,
    'site',
    passageThat,
  )((s) => ({
    query: { projectCode: s.projectCode },
    body: { rows: [{ id: s.passageId, version: 0 }], plate: 'unreadable', reason },
  })),
  call(
    joinPassages,
    'site',
    unpaired,
  )((s) => ({ query: { projectCode: s.projectCode }, body: { entryId: s.passageInId, exitId: s.passageId, reason } })),
  call(partPassages, 'site', pairedByHand)((s) => ({ params: { id: s.passageId }, query: { projectCode: s.projectCode, reason } })),
  call(
    recordFixes.markLiftRun,
    'site',
    passageThat,
  )((s) => ({ params: { id: s.liftRunId }, query: { projectCode: s.projectCode }, body: { illegal: true, reason, version: 0 } })),
  call(
    recordFixes.markCraneCycle,
    'site',
    passageThat,
  )((s) => ({ params: { id: s.craneCycleId }, query: { projectCode: s.projectCode }, body: { illegal: true, reason, version: 0 } })),
  call(checkTicket, 'site')((s) => ({ query: { projectCode: s.projectCode }, body: { ticketId: s.ticketId, outcome: 'wrong', reason } })),
  call(weighing.correctTicket, 'site')((s) => ({ params: { id: s.ticketId }, body: { action: 'save', reason, material: '商品混凝土' } })),
  call(
    notify.createDuty,
    'site',
  )((s) => ({
    query: { projectCode: s.projectCode },
    body: { userId: s.userId, fromTime: '2030-01-01 08:00:00', untilTime: '2030-01-01 20:00:00' },
  })),
  call(
    notify.updateDuty,
    'site',
  )((s) => ({
    params: { id: s.dutyId },
    query: all,
    body: { userId: s.userId, fromTime: '2030-01-02 08:00:00', untilTime: '2030-01-02 20:00:00' },
  })),
  // The site's shift is of today.
  call(notify.copyDuty, 'site')((s) => ({ query: { projectCode: s.projectCode }, body: { week: dayAgo(-2) } })),
  call(notify.deleteDuty, 'site')((s) => ({ params: { id: s.dutyId }, query: all })),
  call(notify.resendNotice, 'site')((s) => ({ params: { id: s.execLogId }, query: all })),
  call(notify.testExec, 'site')((s) => ({ params: { id: s.execId }, body: { projectCode: s.projectCode } })),
  call(linkage.confirmLinkage, 'site')((s) => ({ params: { id: s.runId }, query: all })),
  call(linkage.stopLinkage, 'site')((s) => ({ params: { id: s.runId }, query: all, body: { reason } })),
  call(
    rules.createTrigger,
    'site',
  )((s) => ({
    body: {
      name: '本工地风速',
      family: 'towerCrane',
      alarmKey: 'windAlarm',
      scope: { kind: 'projects', projectCodes: [s.projectCode] },
      projectCode: s.projectCode,
      levels: [windRule],
    },
  })),
  call(rules.updateTrigger, 'site')((s) => ({ params: { id: s.triggerId }, body: { name: '改名的规则', version: 1 } as never })),
  call(rules.deleteTrigger, 'site')((s) => ({ params: { id: s.triggerId } })),
  call(rules.duplicateTrigger, 'site')((s) => ({ params: { id: s.triggerId }, body: { projectCode: s.projectCode } })),
  call(
    rules.createExec,
    'site',
  )((s) => ({
    body: { name: '通知安全员', kind: 'notify', projectCode: s.projectCode, notify: { roles: ['safety'], channels: ['1'] } as never },
  })),
  call(
    rules.updateExec,
    'site',
  )((s) => ({
    params: { id: s.execId },
    body: { name: '转给企业平台', kind: 'webhook', projectCode: s.projectCode, webhook: { url: 'https://example.com/alarms' } },
  })),
  call(rules.duplicateExec, 'site')((s) => ({ params: { id: s.execId }, body: { projectCode: s.projectCode } })),
  call(rules.deleteExec, 'site')((s) => ({ params: { id: s.execId } })),
]

/** Changing calls that have no line above, and why: what they touch does not hang on a part in a project. */
export const asideCalls: Readonly<Record<string, string>> = {
  'POST /api/v1/oa/worker/project/grant':
    'goes between two projects: flow.test.ts tries who leads both and who has one; each entry and exit is held as those calls are',
  'POST /api/v1/oa/worker/merge': 'what only the platform keeps',
  'POST /api/v1/oa/workerImport/excel': 'a draft of the own group; whom it registers is held to the same acts in the background',
  'POST /api/v1/oa/workerImport/base': 'a draft of the own group, as the file',
  'PUT /api/v1/oa/workerImport/:id': 'the same draft',
  ...because('whose it is follows from its own reach, and row-level security says the same (labour/black.test.ts)', [
    'POST /api/v1/oa/process/laborBlack',
    'PUT /api/v1/oa/process/laborBlack/:id',
    'PUT /api/v1/oa/process/laborBlack/:id/entry',
    'PUT /api/v1/oa/process/companyBlack/:id/entry',
    'DELETE /api/v1/oa/process/laborBlack/:id',
    'POST /api/v1/oa/process/companyBlack',
    'PUT /api/v1/oa/process/companyBlack/:id',
    'DELETE /api/v1/oa/process/companyBlack/:id',
  ]),
  ...because('a month can be settled only once it has readings (monitoring/meter-settle.test.ts)', ['POST /api/v1/oa/process/meterSettle']),
  ...because('the caller’s own account or session', [
    'POST /api/v1/sys/logout',
    'PUT /api/v1/sys/my/password',
    'PUT /api/v1/sys/my/contact',
    'POST /api/v2/oa/project/switch/project',
    'PUT /api/v1/sys/my/message/read',
    'DELETE /api/v1/sys/my/session/:id',
  ]),
  ...because('the caller’s own group: roles, accounts, settings, files, exports', [
    'POST /api/v1/oa/role/',
    'PUT /api/v1/oa/role/:id',
    'DELETE /api/v1/oa/role/:id',
    'POST /api/v1/sys/user',
    'POST /api/v1/oa/org',
    'PUT /api/v1/oa/org/:id',
    'DELETE /api/v1/oa/org/:id',
    'POST /api/v1/oa/org/add/user',
    'POST /api/v1/oa/org/batch/addUser',
    'POST /api/v1/oa/org/batch/changePos',
    'POST /api/v1/oa/org/batch/remove',
    'PUT /api/v1/oa/org/update/user/:id',
    'POST /api/v1/oa/org/exit/group',
    'PUT /api/v1/oa/group/:id',
    'POST /api/v1/oa/org/rules/apply',
    'POST /api/v1/oa/project/group',
    'PUT /api/v1/oa/project/group/:id',
    'DELETE /api/v1/oa/project/group/:id',
    'PUT /api/v1/oa/project/group/change',
    'POST /api/v1/oa/project/group/copy',
    'POST /api/v2/oa/project/add/group',
    'POST /api/v2/oa/project/remove/group',
    'POST /api/v1/sys/user/switch/status',
    'PUT /api/v1/iot/device/due/setting',
    'PUT /api/v1/iot/rule/level/',
    'POST /api/v1/tool/upload',
    'POST /api/v1/export',
  ]),
  ...because('a wall asks for its own next token, nobody else may (screens/screens.test.ts)', ['POST /api/v1/screen/token/renew']),
  ...because('walls of one’s own group and of those below it, asked of the part as a whole (screens/screens.test.ts)', [
    'POST /api/v1/oa/org/logo/settings',
    'POST /api/v1/home/token',
    'DELETE /api/v1/screen/token/:id',
    'POST /api/v1/screen/template',
    'PUT /api/v1/screen/template/:id',
    'POST /api/v1/screen/template/copy/:id',
    'DELETE /api/v1/screen/template/:id',
    'DELETE /api/v1/screen/template/batch',
  ]),
  ...because('kept by the platform alone', [
    'POST /api/v1/sys/setting/update',
    'PUT /api/v1/third/account',
    'PUT /api/v1/third/gb',
    'POST /api/v1/third/gb/check',
    'POST /api/v1/iot/factory',
    'PUT /api/v1/iot/factory/:id',
    'DELETE /api/v1/iot/factory/:id',
    'POST /api/v1/iot/brand',
    'PUT /api/v1/iot/brand/:id',
    'DELETE /api/v1/iot/brand/:id',
    'POST /api/v1/iot/model',
    'PUT /api/v1/iot/model/:id',
    'DELETE /api/v1/iot/model/:id',
    'POST /api/v1/iot/gateway3rd',
    'PUT /api/v1/iot/gateway3rd/:id',
    'DELETE /api/v1/iot/gateway3rd/:id',
    'POST /api/v1/iot/gateway3rd/switch/status',
    'POST /api/v1/iot/gateway3rd/copy/:id',
    'POST /api/v1/iot/gateway3rd/trial',
    'PUT /api/v1/iot/device/unregistered/:identifier',
    'POST /api/v1/integrated_enterprise/register',
  ]),
  ...because('bodies and companies are no part of a project', [
    'POST /api/v1/oa/group/',
    'POST /api/v1/oa/group/administrator',
    'POST /api/v2/oa/government',
    'PUT /api/v2/oa/government/:govCode',
    'DELETE /api/v2/oa/government/:govCode',
    'POST /api/v2/oa/government/switch/status',
    'POST /api/v1/oa/corporation',
    'PUT /api/v1/oa/corporation/:id',
    'POST /api/v2/oa/corporation',
    'PUT /api/v2/oa/corporation/:corpCode',
    'DELETE /api/v2/oa/corporation/:corpCode',
    'POST /api/v2/oa/corporation/switch/status',
  ]),
  ...because('a seat decides, whatever the part: workflow/flows.test.ts tries every kind, state, act and part', [
    'PUT /api/v1/oa/todo/audit/:id',
    'PUT /api/v1/oa/todo/:id',
  ]),
  ...because('a seat answers and whoever sent it withdraws: decided.test.ts tries every state, act and account', [
    'PUT /api/v1/oa/process/notice/:id',
  ]),
  ...because('who decides in the own group, and who stands in; of its sites: workflow/flow-settings.test.ts', [
    'POST /api/v1/oa/todo/audit/config',
    'POST /api/v1/oa/todo/deputy',
    'DELETE /api/v1/oa/todo/deputy/:id',
  ]),
  ...because('an application is taken back by the group that filed it', ['DELETE /api/v2/oa/project/change/:id']),
  ...because('nobody has a part in a project that does not exist yet', [
    'POST /api/v2/oa/project',
    'POST /api/v2/oa/project/fast',
    'POST /api/v1/oa/project/',
  ]),
  ...because('a file of a person without any stay belongs to the group that entered it; with one it stays', [
    'DELETE /api/v1/oa/worker/:id',
    'DELETE /api/v2/person/:id',
    'DELETE /api/v1/oa/worker/project/history/:id',
  ]),
  ...because('apps, menus and their arrangement are kept by the platform, defaults of an area by its authority as well', [
    'POST /api/v2/sys/app',
    'POST /api/v1/sys/app',
    'PUT /api/v2/sys/app/:id',
    'PUT /api/v1/sys/app/:id',
    'DELETE /api/v2/sys/app/:id',
    'DELETE /api/v1/sys/app/:id',
    'POST /api/v2/sys/app/sort',
    'POST /api/v1/sys/app/category',
    'PUT /api/v1/sys/app/category',
    'DELETE /api/v1/sys/app/category/:id',
    'POST /api/v1/sys/grant/default/app',
    'POST /api/v1/sys/menu',
    'PUT /api/v1/sys/menu/:id',
    'DELETE /api/v1/sys/menu/:id',
    'PUT /api/v1/sys/menu/fresh/menu/:id',
    'PUT /api/v1/sys/menu/change/app/:id',
    'POST /api/v1/sys/ui/group',
    'PUT /api/v1/sys/ui/group/:id',
    'DELETE /api/v1/sys/ui/group/:id',
    'PUT /api/v1/sys/ui/menu/:id',
    'DELETE /api/v1/sys/ui/menu/:id',
    'POST /api/v1/sys/ui',
    'POST /api/v1/sys/uiRule',
    'PUT /api/v1/sys/uiRule/:id',
    'DELETE /api/v1/sys/uiRule/:id',
  ]),
  ...because('what a group may use is given by who holds it, tried part by part in domains/apps/grants.test.ts', [
    'POST /api/v1/sys/grant',
    'PUT /api/v1/sys/grant/:id',
    'DELETE /api/v1/sys/grant/:id',
    'POST /api/v1/sys/grant/remind',
    'POST /api/v1/sys/grant/batch/deadline',
    'POST /api/v1/sys/grant/batch/app',
  ]),
  ...because('each row of a workbook goes the way of a new device, which stands above', ['POST /api/v1/iot/device/import']),
  ...because('a workbook; who brings one in and who does not is told by its own test', [
    'POST /api/v1/oa/process/pitSurvey',
    'POST /api/v1/oa/process/pile/import',
  ]),
  ...because('needs a media server; who takes a piece of a recording and who does not is told by monitoring/routes.test', [
    'POST /api/v1/third/clip',
    'POST /api/v1/third/ptz',
    'POST /api/v1/third/talk',
    'POST /api/v1/third/talk/stop',
  ]),
  ...because('asks the devices within a circle; who may and who may not is told by monitoring/helmet-care.test', [
    'POST /api/v1/iot/helmet/broadcast',
  ]),
  ...because('one’s own picture or bookmark, and nobody else’s', ['DELETE /api/v1/oa/process/videoMark/:id']),
  ...because('one’s own layout of a wall, and nobody else’s', [
    'POST /api/v1/oa/process/videoWall',
    'PUT /api/v1/oa/process/videoWall/:id',
    'DELETE /api/v1/oa/process/videoWall/:id',
  ]),
  ...because('the caller’s own account: what secures it and what reaches him', [
    'PUT /api/v1/sys/my/notice',
    'POST /api/v1/oa/todo/snooze',
    'POST /api/v1/sys/my/contact/code',
    'POST /api/v1/sys/my/otp',
    'PUT /api/v1/sys/my/otp',
    'POST /api/v1/sys/my/otp/recovery',
    'POST /api/v1/sys/my/otp/remove',
    'DELETE /api/v1/sys/my/session',
  ]),
  ...because('the caller’s own file, which his account alone says', [
    'POST /api/v1/sys/my/person/link',
    'POST /api/v1/sys/my/person/stay/:id',
    'POST /api/v1/sys/my/person/link/proof',
    'DELETE /api/v1/sys/my/person/link',
    'POST /api/v1/sys/my/person/open',
    'PUT /api/v1/sys/my/person/consent',
    'POST /api/v1/sys/my/certificate',
    'DELETE /api/v1/sys/my/certificate/:id',
    'POST /api/v1/sys/my/record',
    'DELETE /api/v1/sys/my/record/:id',
    'POST /api/v1/sys/my/proof',
    'POST /api/v1/oa/process/recordDispute',
    'POST /api/v1/oa/process/wageComplaint',
    'POST /api/v1/oa/process/badAppeal',
    'POST /api/v1/oa/process/idRenewal',
    'POST /api/v1/oa/process/dataErasure',
    'DELETE /api/v1/sys/my/request/:id',
  ]),
  ...because('who of the caller’s own group may do what: no part of a project (access/delegating.test.ts)', [
    'DELETE /api/v2/oa/role/:id',
    'POST /api/v2/oa/role/temp',
    'PUT /api/v2/oa/role/temp/:id',
    'DELETE /api/v2/oa/role/temp/:id',
    'POST /api/v1/sys/user/projects/hand',
    'DELETE /api/v1/sys/user/projects/hand/:id',
    'POST /api/v1/oa/groupRole',
    'PUT /api/v1/oa/groupRole/:id',
    'POST /api/v1/oa/groupRole/related/project',
    'POST /api/v1/oa/groupRole/user/add',
    'POST /api/v1/oa/groupRole/user/remove',
    'POST /api/v1/oa/groupRole/user/changeRole',
    'POST /api/v1/oa/groupRole/global/set',
    'POST /api/v1/sys/groupUser',
    'PUT /api/v1/sys/groupUser/:id',
    'DELETE /api/v1/sys/groupUser/:id',
    'POST /api/v1/sys/groupUser/extend',
    'PUT /api/v1/sys/user/:id',
    'POST /api/v1/sys/user/unlock',
    'POST /api/v1/sys/user/offline',
    'POST /api/v1/sys/user/reset',
    'POST /api/v1/sys/user/otp/reset',
  ]),
  ...because('whom a group asks to work for it, and what the owner of an account answers (access/joining.test.ts)', [
    'PUT /api/v1/sys/my/join/:id',
    'DELETE /api/v1/sys/join/:id',
  ]),
  ...because('the administration of a group below: which groups are is asked of the part as a whole (access/admins.test.ts)', [
    'POST /api/v2/oa/role/group/perm',
    'POST /api/v1/sys/adminGrant',
    'PUT /api/v1/sys/adminGrant/:id',
    'PUT /api/v1/sys/adminGrant/switch/account/:id',
    'POST /api/v1/oa/groupRole/reset/admin',
  ]),
  ...because('who of the caller’s own group is sent which figures, each under his own eyes (reports/reports.test.ts)', [
    'POST /api/v1/oa/report/setting',
    'PUT /api/v1/oa/report/setting/:id/enable',
    'DELETE /api/v1/oa/report/setting/:id',
    'POST /api/v1/oa/report/setting/preview',
    'POST /api/v1/oa/report/setting/:id/test',
    'POST /api/v1/oa/report/sending/:id/resend',
    'PUT /api/v1/sys/my/report/:id/follow',
  ]),
  ...because('the site’s own account alone arranges its home page (settings/dashboard.test.ts)', [
    'PUT /api/v1/oa/project/setting/dashboard',
  ]),
  ...because('each project of it goes the way of the call for one, which stands above', [
    'POST /api/v1/oa/project/setting/dashboardPolicy/spread',
    'POST /api/v1/oa/project/fence/default',
  ]),
  ...because('how the caller’s own group appears, and what those below show of it (organisation/brands.test.ts)', [
    'PUT /api/v1/oa/org/logo/policy',
  ]),
  ...because(
    'a company’s own papers and qualifications, which no part of a project touches (settings/company-papers, organisation/aptitudes)',
    [
      'POST /api/v1/oa/process/corpMaterial',
      'PUT /api/v1/oa/process/corpMaterial/:id',
      'POST /api/v2/oa/corporation/:corpCode/qualification',
      'PUT /api/v2/oa/corporation/:corpCode/qualification/:id',
      'PUT /api/v2/oa/corporation/:corpCode/qualification-reminder',
    ],
  ),
  ...because('only the paper’s own company puts it into checklists of sites it acts for (settings/company-papers.test.ts)', [
    'POST /api/v1/oa/process/corpMaterial/:id/link',
  ]),
  ...because('what the operator decides for the whole deployment (settings/system.test.ts)', [
    'PUT /api/v1/sys/setting/system',
    'POST /api/v1/sys/setting/channel/test',
  ]),
  ...because('what the caller’s own group tells its people (settings/system.test.ts)', ['PUT /api/v1/oa/org/info']),
  ...because('what the caller’s own group adds to its words (settings/own-words.test.ts)', [
    'PUT /api/v1/sys/dict/own',
    'POST /api/v1/sys/dict/own/reset',
    'PUT /api/v1/tool/area/own',
  ]),
  ...because('a group asks for itself, and the platform decides (apps/apply.test.ts)', [
    'POST /api/v1/oa/process/appApply',
    'PUT /api/v1/oa/process/appApply/:id',
  ]),
  ...because('what belongs to a body is said by the platform alone', ['POST /api/v1/oa/government/setting/scope']),
  ...because('how data goes up and who hands in from below: of whoever keeps the connection (docking/docking.test.ts)', [
    'POST /api/v1/docking/platform',
    'PUT /api/v1/docking/platform',
    'PUT /api/v1/docking/platform/:id/pause',
    'POST /api/v1/docking/platform/:id/test',
    'PUT /api/v1/docking/platform/:id/progress',
    'POST /api/v1/docking/platform/:id/compare',
    'PUT /api/v1/docking/mapping/:objectType',
    'POST /api/v1/docking/mapping/:objectType/try',
    'POST /api/v1/docking/mapping/:objectType/weigh',
    'PUT /api/v1/docking/error',
    'POST /api/v1/docking/key',
    'PUT /api/v1/docking/key/:id/revoke',
  ]),
  ...because('rows the product makes of people and passages, in sight as those are (docking/docking.test.ts)', [
    'POST /api/v1/docking/record/push',
    'POST /api/v1/docking/record/:id/look',
  ]),
  ...because('what the product can do at all is the platform’s', ['POST /api/v1/sys/menu/functions']),
  ...because('what somebody keeps in front of his own list', ['PUT /api/v1/sys/my/project/:projectCode/mark']),
  ...because('who administers a group below, by whoever may name him (onboarding/links.test.ts)', [
    'POST /api/v1/sys/adminLink',
    'PUT /api/v1/sys/adminLink/:id',
  ]),
  ...because('new groups and sites by a workbook of the caller’s own group (onboarding/opening/opening.test.ts)', [
    'POST /api/v1/oa/opening',
    'PUT /api/v1/oa/opening/:id',
    'POST /api/v1/oa/opening/:id/result',
  ]),
}

function because(why: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, why]))
}
