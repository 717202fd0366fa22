import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listAdvice } from '@zhugong/contract/advice/calls'
import { complaint } from '@zhugong/contract/advice/moves'
import { listAlarms } from '@zhugong/contract/alarms/endpoints'
import { findAlarms, findSiteAlarms } from '@zhugong/contract/alarms/lists'
import { listAnnouncements } from '@zhugong/contract/announcements/calls'
import { stateOf } from '@zhugong/contract/announcements/model'
import { dailyCounts, listDaily } from '@zhugong/contract/attendance/days'
import { listRecords, recordCounts } from '@zhugong/contract/attendance/records'
import { briefingGaps, listGangBriefings, unbriefedPeople } from '@zhugong/contract/briefings/calls'
import { listSecurityChecks } from '@zhugong/contract/checks/security-check'
import { listCivilChecks } from '@zhugong/contract/civil/inspection'
import { listDayChecks } from '@zhugong/contract/daychecks/calls'
import { listConstructionLogs } from '@zhugong/contract/daylogs/construction'
import { listSafetyLogs, safetyLogMatrix } from '@zhugong/contract/daylogs/safety-log'
import { listBin } from '@zhugong/contract/documents/bin'
import { listGoods } from '@zhugong/contract/documents/goods'
import { listTravel } from '@zhugong/contract/documents/travel'
import { openStates } from '@zhugong/contract/documents/travel-moves'
import { driverDevices, listDrivers } from '@zhugong/contract/drivers/calls'
import { listDustChecks } from '@zhugong/contract/dustchecks/calls'
import { listDevices } from '@zhugong/contract/equipment/endpoints'
import { listGateways } from '@zhugong/contract/equipment/gateway-endpoints'
import { listExamines } from '@zhugong/contract/examine/calls'
import { listActivities, listTrips } from '@zhugong/contract/experts/activities'
import { listDraws } from '@zhugong/contract/experts/draws'
import { listExperts } from '@zhugong/contract/experts/library'
import { submitExport } from '@zhugong/contract/exports/endpoints'
import { listFire } from '@zhugong/contract/fire/calls'
import { listHazards, listPermits } from '@zhugong/contract/hazards/calls'
import { getMainPage, type HomeFigure, listApprovals, listTodos } from '@zhugong/contract/home/endpoints'
import { findHouses } from '@zhugong/contract/houses/houses'
import { ownGroups } from '@zhugong/contract/identity/endpoints'
import { companyBlackFigures, listCompanyBlack } from '@zhugong/contract/labour/black-lists'
import { enterpriseStatsTotals, governmentStatsTotals, listProjectStats } from '@zhugong/contract/labour/tables'
import { listTeams, teamFigures } from '@zhugong/contract/labour/teams'
import { getUnitInfo } from '@zhugong/contract/labour/unit-info'
import { listUnits, unitFigures } from '@zhugong/contract/labour/units'
import { labourAlarmCounts, listLabourAlarms } from '@zhugong/contract/labour-alarms/endpoints'
import { listMachines } from '@zhugong/contract/machines/calls'
import { listMaterials, materialFlow } from '@zhugong/contract/materials/calls'
import { listMeasures } from '@zhugong/contract/measures/measures'
import { findMeasurePoints } from '@zhugong/contract/measuring/records'
import { listMeasureTasks } from '@zhugong/contract/measuring/tasks'
import { listBadActions, listExpertMisconduct } from '@zhugong/contract/misconduct/calls'
import { alarmsOfTheBox, listHelmets } from '@zhugong/contract/monitoring/helmet/helmets'
import { projectStates } from '@zhugong/contract/organisation/codes'
import { listAlters } from '@zhugong/contract/organisation/project-alter'
import { listProjects, pickProjects } from '@zhugong/contract/organisation/projects'
import { listQuality } from '@zhugong/contract/papers/quality'
import { listSafety } from '@zhugong/contract/papers/safety'
import { certFigures, listCertDues, listCerts } from '@zhugong/contract/personnel/certificates'
import { flowFigures, listFlow } from '@zhugong/contract/personnel/flow'
import { fileFigures, listFiles, listWorkers, stayFigures } from '@zhugong/contract/personnel/people'
import { listSessions, listTrained, trainBoard, trainFigures } from '@zhugong/contract/personnel/training'
import { listPlans } from '@zhugong/contract/plans/calls'
import { listImprovements } from '@zhugong/contract/quality/improvement'
import { listQualityChecks } from '@zhugong/contract/quality/inspection'
import { listRectify } from '@zhugong/contract/rectify/calls'
import { listReplies } from '@zhugong/contract/rectify/replies'
import { listResidents, listRooms } from '@zhugong/contract/residence/calls'
import { listSchedules, listScheduleTasks } from '@zhugong/contract/schedule/calls'
import { listInspections } from '@zhugong/contract/scoring/inspections'
import { listSheets } from '@zhugong/contract/sheets/calls'
import { listSpotChecks } from '@zhugong/contract/spotchecks/calls'
import { listSteps } from '@zhugong/contract/steps/calls'
import { listStops } from '@zhugong/contract/stops/calls'
import { listThemeChecks } from '@zhugong/contract/themes/calls'
import { listMachineChecks, machineBoard } from '@zhugong/contract/upkeep/inspections'
import { listMaintenance } from '@zhugong/contract/upkeep/maintenance'
import { undecided } from '@zhugong/contract/workflow/flow'
import { listWorks } from '@zhugong/contract/works/calls'
import { readXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createLog } from '#kit/log'
import { createSecrets } from '#kit/secret'
import { seedAttendance } from '../src/demo/seed-attendance.ts'
import { runExport } from '../src/domains/exports/run-export.ts'
import { keepLabourAlarms } from '../src/domains/labour-alarms/keep.ts'
import { type CityWorld, settleCity } from './city.ts'
import { raiseAlarms } from './raised-alarms.ts'
import { type Caller, openWorld, type World } from './world.ts'

/** A figure that opens a list equals the number of rows of that list, for every account and on every day. */

/** The default filter of the alarm list: pending alarms. */
const waiting = { state: 'open,acknowledged', simulated: false, historical: false }

/** The list behind each page that figures link to, queried with the link's parameters. */
const lists: Record<string, (who: Caller, request: Record<string, string>) => Promise<number>> = {
  '/alarm/record': async (who, answer) => (await who.call(listAlarms, { query: { ...waiting, ...answer } })).total,
  '/personList': async (who, answer) => (await who.call(listWorkers, { query: { view: 'project', ...answer } })).total,
  '/checkingList': async (who, answer) => (await who.call(listDaily, { query: answer })).total,
  '/gov/project': async (who, answer) => (await who.call(listProjects, { query: answer })).total,
}
/** Figures that are percentages, not counts. */
const rates = new Set(['online'])

/** A linked figure of a strip or card: label, value, and the number of rows behind the link. */
type Linked = [what: string, value: number | null | undefined, list: () => Promise<{ total: number }>]

async function notices(who: Caller, origin: 'gov' | 'site') {
  const { counts } = await who.call(listRectify, { query: { origin, size: 1 } })
  return { counts, list: (more: object) => () => who.call(listRectify, { query: { origin, size: 1, ...more } }) }
}

/** The library pages are of one project. */
async function oneProjectOf(who: Caller): Promise<string> {
  const { list } = await who.call(pickProjects, { query: { page: 1, size: 20 } })
  return list[0]?.projectCode ?? '*'
}

/** Every strip with linked figures, read as its page reads it, with every permitted account. */
const strips: Record<string, (who: Caller, today: string) => Promise<Linked[]>> = {
  '/notice': async (who) => {
    const of = (query: object) => () => who.call(listAnnouncements, { query: { projectCode: '*', size: 1, ...query } })
    const { counts } = await of({})()
    const sent: Linked[] = await of({ box: 'out' })().then(
      () => [
        ['草稿', counts.drafts, of({ box: 'out', state: [stateOf.draft] })],
        ['待审核', counts.submitted, of({ box: 'out', state: [stateOf.submitted] })],
        ['有人未读或未签收', counts.missing, of({ box: 'out', missing: 'true' })],
      ],
      () => [],
    )
    return [
      ['未读', counts.unread, of({ myState: ['unread'] })],
      ['待签收', counts.unsigned, of({ myState: ['unsigned'] })],
      ['超期', counts.overdue, of({ myState: ['overdue'] })],
      ...sent,
    ]
  },
  '/personList': async (who) => {
    const f = await who.call(stayFigures, { query: {} })
    const people = (query: object) => () => who.call(listWorkers, { query: { view: 'project', stationed: '1', size: 1, ...query } })
    return [
      ['在册人员', f.onSite, people({})],
      ['今日出勤', f.came, people({ firstIn: 'in' })],
      ['特种证 30 日内到期', f.certEnding, people({ certState: 'expiring' })],
      ['缺证与过期', f.certMissing + f.certEnded, people({ certState: 'missing,expired' })],
      ['进场未签合同', f.noContract, people({ hasContract: '0' })],
      ['进场条件未齐', f.notFormal, people({ formalStatus: '0' })],
      ['已退场', f.left, people({ stationed: '2' })],
    ]
  },
  '/unitListStock': async (who) => {
    const { onSite } = await who.call(unitFigures, { query: {} })
    return [['在册人数', onSite, () => who.call(listWorkers, { query: { view: 'project', stationed: '1', size: 1 } })]]
  },
  '/person/train': async (who) => {
    const f = await who.call(trainFigures, { query: {} })
    const people = (query: object) => () => who.call(listTrained, { query: { view: 'train', size: 1, ...query } })
    return [
      ['在场', f.onSite, people({})],
      ['已培训', f.trained, people({ entryTrained: '1' })],
      ['未培训', f.untrained, people({ entryTrained: '0' })],
    ]
  },
  '/flowPerson': async (who, today) => {
    const f = await who.call(flowFigures, { query: {} })
    const moves = (flowType: string) => () =>
      who.call(listFlow, { query: { view: 'flow', flowType, flowDate: `${today.slice(0, 7)}-01,${today}`, size: 1 } })
    return [
      ['本月进场', f.cameThisMonth, moves('1')],
      ['本月退场', f.leftThisMonth, moves('0')],
      ['在场', f.onSite, () => who.call(listWorkers, { query: { view: 'project', stationed: '1', size: 1 } })],
    ]
  },
  '/personnelSystem': async (who) => {
    const f = await who.call(fileFigures, {})
    const files = (query: object) => () => who.call(listFiles, { query: { view: 'file', size: 1, ...query } })
    return [
      ['档案人数', f.total, files({})],
      ['未核验', f.total - f.verified, files({ realNameState: '0' })],
      ['待完善', f.incomplete, files({ missing: 'any' })],
    ]
  },
  '/person/certificate': async (who) => {
    const f = await who.call(certFigures, { query: {} })
    const certs = (query: object) => () => who.call(listCerts, { query: { view: 'cert', onSite: '1', size: 1, ...query } })
    const dues = (query: object) => () => who.call(listCertDues, { query: { view: 'certAlarm', size: 1, ...query } })
    return [
      ['在场人员证书', f.total, certs({})],
      ['待审核', f.waiting, certs({ auditStatus: '0' })],
      [
        '无有效证的特种工种人员',
        f.asked - f.held,
        () => who.call(listWorkers, { query: { view: 'project', stationed: '1', missing: 'cert', size: 1 } }),
      ],
      ['已过期仍在场', f.expired, dues({ urgency: 'expired' })],
      ['特种工种缺证', f.missing, dues({ urgency: 'missing', dueState: 'open,reminded' })],
      ['30 日内到期', f.within30, dues({ urgency: '30' })],
      ['90 日内到期', f.within30 + f.within60 + f.within90, dues({ urgency: '30,60,90' })],
      ['已忽略', f.ignored, dues({ dueState: 'ignored' })],
    ]
  },
  '/unitListEditDetails': async (who) => {
    const { list: units } = await who.call(listUnits, { query: { size: 3 } })
    const linked = units.map(async ({ id }): Promise<Linked[]> => {
      const { corpCode, projectCode, gaps } = await who.call(getUnitInfo, { query: { id } })
      const people = (missing: string) => () =>
        who.call(listWorkers, { query: { view: 'project', stationed: '1', corpCode, projectCode, missing, size: 1 } })
      return [
        ['未签合同', gaps.contract, people('contract')],
        ['未入场教育', gaps.training, people('training')],
        ['无工资卡', gaps.payCard, people('payCard')],
      ]
    })
    return (await Promise.all(linked)).flat()
  },
  '/governmentTable': async (who) => {
    const t = await who.call(governmentStatsTotals, { query: {} })
    const sites = (query: object) => () => who.call(listProjectStats, { query: { size: 1, ...query } })
    return [
      ['监管项目', t.rows, sites({})],
      ['未达标项目', t.failing, sites({ prjStatus: projectStates.building, failing: '1,' })],
    ]
  },
  '/enterpriseTable': async (who) => {
    const { blackInPlace } = await who.call(enterpriseStatsTotals, { query: {} })
    const listed = () => who.call(listCompanyBlack, { query: { projectCode: '*', view: 'effective', inPlace: '1,', size: 1 } })
    return [
      ['黑名单在场', blackInPlace, listed],
      ['仍在场企业', (await who.call(companyBlackFigures, { query: { projectCode: '*' } })).inPlace, listed],
    ]
  },
  '/jgt/project/tgzg_index': async (who) => {
    const { counts, list } = await notices(who, 'gov')
    return [
      ['未闭合', counts.running, list({ tab: 'running' })],
      ['逾期', counts.overdue, list({ overdue: true })],
      ['逾期 7 天以上', counts.late, list({ late: true })],
      ['待我办理', counts.mine, list({ tab: 'mine' })],
    ]
  },
  '/jgt/project/zghf_index': async (who) => {
    const query = { view: 'reply', size: 1 } as const
    const { counts } = await who.call(listReplies, { query })
    const list = (more: object) => () => who.call(listReplies, { query: { ...query, ...more } })
    return [
      ['待我复查', counts.forMe, list({ forMe: true })],
      ['需现场复查', counts.toVisit, list({ tab: 'recheck', mustVisit: true })],
      ['今日已办', counts.doneToday, list({ doneToday: true })],
    ]
  },
  '/person/expert/list': async (who, today) => {
    const { counts } = await who.call(listExperts, { query: { projectCode: '*', size: 1 } })
    const list = (more: object) => () => who.call(listExperts, { query: { projectCode: '*', size: 1, ...more } })
    const later = new Date(Date.parse(today) + 90 * 86_400_000).toISOString().slice(0, 10)
    return [
      ['在库', counts.listed, list({ tab: 'listed' })],
      ['待审核', counts.waiting, list({ tab: 'waiting' })],
      ['草稿与驳回', counts.drafts, list({ tab: 'drafts' })],
      ['已出库', counts.removed, list({ tab: 'removed' })],
      ['90 日内聘期届满', counts.ending, list({ tab: 'listed', validEnd: `${today},${later}` })],
      ['本年抽取', counts.draws, () => who.call(listDraws, { query: { projectCode: '*', size: 1, thisYear: true } })],
    ]
  },
  '/person/expert/dailyActivity': async (who, today) => {
    const { counts } = await who.call(listActivities, { query: { projectCode: '*', size: 1 } })
    const list = (more: object) => () => who.call(listActivities, { query: { projectCode: '*', size: 1, ...more } })
    const later = new Date(Date.parse(today) + 6 * 86_400_000).toISOString().slice(0, 10)
    return [
      ['未来 7 日', counts.week, list({ date: `${today},${later}` })],
      ['待召开与进行中', counts.coming, list({ state: '1,2' })],
      ['待归档', counts.unfiled, list({ state: '3' })],
      ['已完成', counts.done, list({ state: '4' })],
    ]
  },
  '/person/expert/outActivity': async (who) => {
    const { counts } = await who.call(listTrips, { query: { projectCode: '*', size: 1 } })
    const list = (more: object) => () => who.call(listTrips, { query: { projectCode: '*', size: 1, ...more } })
    return [
      ['待审批', counts.waiting, list({ state: '0' })],
      ['报告逾期', counts.late, list({ late: true })],
    ]
  },
  '/jgt/adviceReply/index': async (who) => {
    const query = { projectCode: '*', size: 1 }
    const { counts } = await who.call(listAdvice, { query })
    const list = (more: object) => () => who.call(listAdvice, { query: { ...query, ...more } })
    return [
      ['待回复', counts.waiting, list({ tab: 'waiting' })],
      ['超 3 日', counts.late, list({ late: true })],
      ['投诉举报', counts.complaints, list({ type: complaint })],
    ]
  },
  '/safetySupervisionRectification/list': async (who) => {
    const { counts, list } = await notices(who, 'gov')
    return [
      ['待签收', counts.unsigned, list({ state: '1' })],
      ['待回复', counts.toReply, list({ state: '2,3,6' })],
      ['待监理复核', counts.toReview, list({ state: '4' })],
      ['逾期', counts.overdue, list({ overdue: true })],
    ]
  },
  '/safetyP/abarbeitung/list': async (who) => {
    const { counts, list } = await notices(who, 'site')
    return [
      ['未闭合', counts.running, list({ tab: 'running' })],
      ['今日到期', counts.dueToday, list({ dueToday: true })],
      ['逾期', counts.overdue, list({ overdue: true })],
      ['待我办理', counts.mine, list({ tab: 'mine' })],
    ]
  },
  '/securityCheck/securityCheckList': async (who) => {
    const query = { projectCode: '*', size: 1 }
    const { counts } = await who.call(listSecurityChecks, { query })
    const list = (more: object) => () => who.call(listSecurityChecks, { query: { ...query, ...more } })
    return [
      ['未闭合', counts.open, list({ tab: 'open' })],
      ['逾期', counts.overdue, list({ overdue: true })],
      ['今日检查', counts.today, list({ today: true })],
      ['待我处理', counts.todo, list({ tab: 'todo' })],
    ]
  },
  '/qualityInspectionList': async (who) => {
    const query = { projectCode: '*', size: 1 }
    const { counts } = await who.call(listQualityChecks, { query })
    const list = (more: object) => () => who.call(listQualityChecks, { query: { ...query, ...more } })
    const top = counts.topProblem
    return [
      ['未闭合', counts.open, list({ tab: 'open' })],
      ['逾期', counts.overdue, list({ overdue: true })],
      ['高频通病的检查', top?.checks ?? 0, list(top ? { qualityProblem: top.code, checkTime: `${top.from},` } : { qualityProblem: '00' })],
      ['待我处理', counts.todo, list({ tab: 'todo' })],
    ]
  },
  '/qualityImprovementList': async (who) => {
    const query = { projectCode: '*', size: 1 }
    const { counts } = await who.call(listImprovements, { query })
    const list = (more: object) => () => who.call(listImprovements, { query: { ...query, ...more } })
    return [
      ['进行中', counts.running, list({ tab: 'running' })],
      ['逾期', counts.overdue, list({ overdue: true })],
      ['已验证有效', counts.effective, list({ tab: 'effective' })],
      ['复发', counts.again, list({ tab: 'again' })],
    ]
  },
  '/safety/log': async (who) => {
    const query = { projectCode: '*', view: 'matrix', size: 1 } as const
    const { counts } = await who.call(safetyLogMatrix, { query })
    const list = (standing: 'due' | 'written' | 'missing' | 'silent') => () => who.call(safetyLogMatrix, { query: { ...query, standing } })
    return [
      ['应报项目', counts.due, list('due')],
      ['已报', counts.written, list('written')],
      ['未报', counts.missing, list('missing')],
      ['连续 3 日未报', counts.silent, list('silent')],
    ]
  },
  '/safetyP/log/list': async (who, today) => {
    const query = { projectCode: '*', month: today.slice(0, 7), size: 1 }
    const { counts } = await who.call(listSafetyLogs, { query })
    const list = (more: object) => () => who.call(listSafetyLogs, { query: { ...query, ...more } })
    return [
      ['已写', counts.written, list({ tab: 'written' })],
      ['补记', counts.late, list({ tab: 'written', late: true })],
      ['未回复批阅', counts.unanswered, list({ tab: 'unanswered', month: undefined })],
    ]
  },
  '/safetyP/construction/list': async (who, today) => {
    const query = { projectCode: '*', month: today.slice(0, 7), size: 1 }
    const { counts } = await who.call(listConstructionLogs, { query })
    const list = (more: object) => () => who.call(listConstructionLogs, { query: { ...query, ...more } })
    return [
      ['已写', counts.written, list({ tab: 'written' })],
      ['影响施工天数', counts.affected, list({ tab: 'written', impact: 'weather,stop,other' })],
    ]
  },
  '/useMonitor2': async (who) => {
    const query = { projectCode: await oneProjectOf(who), size: 1 }
    const { counts } = await who.call(listQuality, { query })
    const list = (more: object) => () => who.call(listQuality, { query: { ...query, ...more } })
    return [
      ['检验批', counts.lots, list({})],
      ['有缺项', counts.missing, list({ missing: true })],
      ['待监理', counts.waiting, list({ waiting: true })],
      ['有后补', counts.late, list({ late: true })],
    ]
  },
  '/useMonitor3': async (who) => {
    const query = { projectCode: await oneProjectOf(who), size: 1 }
    const { counts } = await who.call(listSafety, { query })
    const list = (more: object) => () => who.call(listSafety, { query: { ...query, ...more } })
    return [
      ['应归', counts.owed, list({ tab: 'owed' })],
      ['已归', counts.filed, list({ tab: 'filed' })],
      ['逾期', counts.overdue, list({ tab: 'overdue' })],
      ['30 日内到期', counts.soon, list({ tab: 'soon' })],
    ]
  },
  '/useMonitor4': async (who) => {
    const query = { projectCode: '*', size: 1 }
    const { counts } = await who.call(listGoods, { query })
    const list = (more: object) => () => who.call(listGoods, { query: { ...query, ...more } })
    return [
      ['批次', counts.all, list({})],
      ['不得使用', counts.banned, list({ evidence: 'banned' })],
      ['缺资料', counts.missing, list({ evidence: 'missing' })],
    ]
  },
  '/useMonitor5': async (who) => {
    const query = { projectCode: '*', size: 1 }
    const { counts } = await who.call(listTravel, { query })
    const list = (more: object) => () => who.call(listTravel, { query: { ...query, ...more } })
    return [
      ['待我办理', counts.open, list({ state: openStates.join(',') })],
      ['我已超期', counts.late, list({ late: 'true' })],
      ['被退回', counts.returned, list({ state: '4' })],
      ['下级超期', counts.behind, list({ tab: 'issued', late: 'true' })],
    ]
  },
  '/recycleBin': async (who) => {
    const query = { projectCode: '*', size: 1 }
    const { counts } = await who.call(listBin, { query })
    const list = (more: object) => () => who.call(listBin, { query: { ...query, ...more } })
    return [
      ['条目数', counts.entries, list({})],
      ['3 日内清除', counts.soon, list({ soon: 'true' })],
    ]
  },
  '/safetyP/examine/list': async (who) => {
    const query = { projectCode: '*', size: 1 }
    const { counts } = await who.call(listExamines, { query })
    const list = (more: object) => () => who.call(listExamines, { query: { ...query, ...more } })
    return [
      ['未闭合', counts.open, list({ tab: 'open' })],
      ['逾期', counts.overdue, list({ overdue: true })],
    ]
  },
  '/safetyP/checksP/list': async (who) => {
    const query = { projectCode: '*', size: 1 }
    const { counts } = await who.call(listThemeChecks, { query })
    const list = (more: object) => () => who.call(listThemeChecks, { query: { ...query, ...more } })
    return [
      ['未闭合检查', counts.open, list({ tab: 'open' })],
      ['逾期检查', counts.overdue, list({ overdue: true })],
    ]
  },
  '/civiConsInspection/list': async (who) => {
    const query = { projectCode: '*', size: 1 }
    const { counts } = await who.call(listCivilChecks, { query })
    const list = (more: object) => () => who.call(listCivilChecks, { query: { ...query, ...more } })
    return [
      ['未闭合', counts.open, list({ tab: 'open' })],
      ['逾期', counts.overdue, list({ overdue: true })],
    ]
  },
  '/material/management': async (who) => {
    const query = { projectCode: '*', size: 1 }
    const { counts } = await who.call(listMaterials, { query })
    const list = (step: 'accept' | 'sample' | 'report' | 'banned') => () => who.call(listMaterials, { query: { ...query, step } })
    return [
      ['待验收', counts.accept, list('accept')],
      ['待取样', counts.sample, list('sample')],
      ['待报告', counts.report, list('report')],
      ['禁用批次', counts.banned, list('banned')],
    ]
  },
  '/schedule/management': async (who) => {
    const query = { projectCode: '*', size: 1 }
    const { counts, list: plans } = await who.call(listSchedules, { query })
    const list = (more: object) => () => who.call(listSchedules, { query: { ...query, ...more } })
    const projectCode = plans[0]?.projectCode
    const tasks = { projectCode: projectCode ?? '', view: 'tasks' as const, size: 1 }
    const own = projectCode ? (await who.call(listScheduleTasks, { query: tasks })).counts : undefined
    const ofTasks = (tab: 'late' | 'severe') => () => who.call(listScheduleTasks, { query: { ...tasks, tab } })
    return [
      ['滞后', counts.late, list({ delayDays: '8,' })],
      ['严重滞后项目', counts.severe, list({ delayDays: '31,' })],
      ['一周未填报', counts.stale, list({ stale: true })],
      ['基准待批准', counts.waiting, list({ baseState: '1' })],
      ...(own
        ? ([
            ['滞后任务', own.late, ofTasks('late')],
            ['严重滞后', own.severe, ofTasks('severe')],
          ] as [string, number, () => Promise<{ total: number }>][])
        : []),
    ]
  },
  '/material/records': async (who) => {
    const query = { projectCode: '*', view: 'flow' as const, size: 1 }
    const { counts, monthStart } = await who.call(materialFlow, { query })
    const list = (more: object) => () => who.call(materialFlow, { query: { ...query, ...more } })
    return [
      ['本月进场批', counts.received, list({ action: 'receive', at: `${monthStart},` })],
      ['待复验', counts.retest, list({ action: 'receive', pending: true })],
      ['不合格退场', counts.exited, list({ action: 'withdraw' })],
      ['过磅偏差', counts.deviates, list({ action: 'receive', deviates: true })],
    ]
  },
  '/safety/technical': async (who) => {
    const query = { projectCode: '*', size: 1 }
    const { counts } = await who.call(listGangBriefings, { query })
    const list = (more: object) => () => who.call(listGangBriefings, { query: { ...query, ...more } })
    return [
      ['本月交底', counts.month, list({ tab: 'month' })],
      ['应交底未交底', counts.gaps, () => who.call(briefingGaps, { query: { ...query, view: 'gap' } })],
      ['签字不全', counts.open, list({ tab: 'open' })],
      ['签字存疑', counts.doubtful, list({ doubtful: true })],
    ]
  },
  '/safetyP/train/list': async (who, today) => {
    const { counts } = await who.call(trainBoard, { query: { projectCode: '*', month: today.slice(0, 7) } })
    const list = (more: object) => () => who.call(listSessions, { query: { projectCode: '*', size: 1, ...more } })
    return [
      ['本月计划', counts.planned, list({ tab: 'month' })],
      ['待补考', counts.retestSessions, list({ tab: 'retest' })],
    ]
  },
  '/safetyP/technical/list': async (who) => {
    const query = { projectCode: '*', size: 1 }
    const { counts } = await who.call(listGangBriefings, { query })
    const people = (more: object) => () => who.call(unbriefedPeople, { query: { ...query, view: 'people', ...more } })
    return [
      ['待签字', counts.open, () => who.call(listGangBriefings, { query: { ...query, tab: 'open' } })],
      ['待我处理', counts.todo, () => who.call(listGangBriefings, { query: { ...query, tab: 'todo' } })],
      ['本周新进场未交底', counts.fresh, people({ fresh: true })],
      ['在场未交底', counts.unbriefed, people({})],
      ['即将作业', counts.soon, () => who.call(briefingGaps, { query: { ...query, view: 'gap', soon: true } })],
    ]
  },
  '/safetyP/qualityP/list': async (who) => {
    const query = { projectCode: '*', size: 1 }
    const { counts, rank } = await who.call(listSteps, { query })
    const list = (more: object) => () => who.call(listSteps, { query: { ...query, ...more } })
    return [
      ['待监理验收', counts.waiting, list({ tab: 'waiting' })],
      ['未闭合问题', counts.failed, list({ tab: 'failed' })],
      ['待我处理', counts.todo, list({ tab: 'todo' })],
      ...rank
        .slice(0, 1)
        .map((one): [string, number, () => Promise<{ total: number }>] => ['首位通病', one.count, list({ qualityProblem: one.code })]),
    ]
  },
  '/fireProtection/assessment': async (who) => {
    const query = { projectCode: '*', size: 1 }
    const { counts } = await who.call(listFire, { query })
    const list = (more: object) => () => who.call(listFire, { query: { ...query, ...more } })
    return [
      ['待受理', counts.waiting, list({ state: '1' })],
      ['待派组', counts.unassigned, list({ unassigned: true })],
      ['评定中', counts.running, list({ state: '4' })],
      ['超期', counts.late, list({ deadline: 'late' })],
    ]
  },
  '/safety/dangerous': async (who) => {
    const query = { projectCode: '*', size: 1 }
    const { counts, permits } = await who.call(listHazards, { query })
    const list = (more: object) => () => who.call(listHazards, { query: { ...query, ...more } })
    const ofPermits = (more: object) => () => who.call(listPermits, { query: { ...query, kind: 'permit' as const, ...more } })
    return [
      ['一级风险', counts.first, list({ riskLevel: '1', live: true })],
      ['二级风险', counts.second, list({ riskLevel: '2', live: true })],
      ['巡查逾期', counts.overdue, list({ overdue: true })],
      ['今日作业票', permits.today, ofPermits({ tab: 'today' })],
      ['作业中', permits.running, ofPermits({ state: '3' })],
      ['超时未关闭', permits.overdue, ofPermits({ state: '6' })],
    ]
  },
  '/safety/driver': async (who) => {
    const { counts } = await who.call(listDrivers, { query: { size: 1 } })
    const list = (more: object) => () => who.call(listDrivers, { query: { size: 1, ...more } })
    return [
      ['已通过', counts.passed, list({ auditStatus: '1' })],
      ['待审核', counts.waiting, list({ auditStatus: '0' })],
      ['30 日内到期', counts.ending, list({ ending: true })],
      ['无有效司机设备', counts.bare, () => who.call(driverDevices, { query: { size: 1, bare: true } })],
    ]
  },
  '/projectAlter': async (who) => {
    const of = (query: object) => () => who.call(listAlters, { query: { projectCode: '*', page: 1, size: 1, ...query } })
    const { counts, year } = await of({})()
    const accepted = { state: '2', decideTime: `${year.from},${year.to}` }
    return [
      ['审批中', counts.running, of({ state: '1' })],
      ['超 3 个工作日', counts.late, of({ late: 'true' })],
      ['本年项目负责人变更', counts.managers, of({ ...accepted, type: '3' })],
      ['本年总监变更', counts.chiefs, of({ ...accepted, type: '4' })],
      ['待我审批', counts.waiting, of({ tab: 'waiting' })],
    ]
  },
  '/residence': async (who) => {
    const query = { projectCode: '*', size: 1 }
    const { counts } = await who.call(listRooms, { query })
    const people = (more: object) => () => who.call(listResidents, { query: { ...query, ...more } })
    // Names, and so the links of the strip, are for whoever manages the rooms.
    if ((await who.ask(listResidents, { query })).status !== 0) return []
    return [
      ['在住', counts.living, people({})],
      ['已退场未退宿', counts.leftOver, people({ leftOver: true })],
    ]
  },
  '/qualitySpotCheck': async (who) => {
    const query = { size: 1 }
    const { counts } = await who.call(listSpotChecks, { query })
    const list = (more: object) => () => who.call(listSpotChecks, { query: { ...query, ...more } })
    return [
      ['待报告', counts.awaited, list({ tab: 'awaited' })],
      ['报告超期', counts.late, list({ late: true })],
      ['不合格待处理', counts.failed, list({ tab: 'failed' })],
      ['待我处理', counts.todo, list({ tab: 'todo' })],
    ]
  },
  '/safetyMeasuresList': async (who) => {
    const query = { projectCode: '*', size: 1 }
    const { counts } = await who.call(listMeasures, { query })
    const list = (more: object) => () => who.call(listMeasures, { query: { ...query, ...more } })
    return [
      ['实施中', counts.running, list({ tab: 'running' })],
      ['到期未落实', counts.overdue, list({ overdue: true })],
      ['一二级风险措施', counts.grave, list({ tab: 'running', riskLevel: '1,2' })],
      ['待我处理', counts.todo, list({ tab: 'todo' })],
    ]
  },
  '/measure_task': async (who) => {
    const query = { projectCode: '*', size: 1 }
    const { counts } = await who.call(listMeasureTasks, { query })
    const list = (more: object) => () => who.call(listMeasureTasks, { query: { ...query, ...more } })
    return [
      ['待测', counts.waiting, list({ state: '1' })],
      ['进行中', counts.running, list({ state: '2,3' })],
      ['待整改/待复测', counts.review, list({ tab: 'review' })],
      ['本月提交', counts.month, list({ thisMonth: true })],
    ]
  },
  '/measure_history': async (who) => {
    const query = { projectCode: '*', size: 1 }
    const { counts } = await who.call(findMeasurePoints, { query })
    return [['待整改点', counts.open, () => who.call(findMeasurePoints, { query: { ...query, open: true } })]]
  },
  '/house_async': async (who) => {
    const query = { projectCode: '*', size: 1 }
    const { counts } = await who.call(findHouses, { query })
    const list = (more: object) => () => who.call(findHouses, { query: { ...query, ...more } })
    return [
      ['应验收户', counts.total, list({ gone: false })],
      ['合格', counts.passed, list({ state: '4' })],
      ['待整改/复验', counts.open, list({ open: true })],
      ['来源已无', counts.gone, list({ gone: true })],
    ]
  },
  '/jgt/daycheck': async (who) => {
    const everywhere = { projectCode: '*', size: 1 }
    const { counts } = await who.call(listDayChecks, { query: everywhere })
    const checks = (tab: 'today' | 'running' | 'open') => () => who.call(listDayChecks, { query: { ...everywhere, tab } })
    return [
      ['今日任务', counts.today, checks('today')],
      ['检查中', counts.running, checks('running')],
      ['待整改', counts.open, checks('open')],
    ]
  },
  '/jgt/checkplan': async (who) => {
    const everywhere = { projectCode: '*', size: 1 }
    const { counts } = await who.call(listPlans, { query: everywhere })
    return [['有漏检的计划', counts.missed, () => who.call(listPlans, { query: { ...everywhere, tab: 'missed' } })]]
  },
  '/jgt/stopapply': async (who) => {
    const everywhere = { projectCode: '*', size: 1 }
    const { counts } = await who.call(listStops, { query: everywhere })
    const stops = (query: object) => () => who.call(listStops, { query: { ...everywhere, ...query } })
    return [
      ['待我办理', counts.mine, stops({ tab: 'mine' })],
      ['停工中', counts.stopping, stops({ stopping: true })],
      ['超计划复工日', counts.overdue, stops({ overdue: true })],
      ['本年复工', counts.resumed, stops({ resumed: true })],
    ]
  },
  '/jgt/manualsheet': async (who) => {
    const everywhere = { projectCode: '*', size: 1 }
    const { counts } = await who.call(listSheets, { query: everywhere })
    const sheets = (query: object) => () => who.call(listSheets, { query: { ...everywhere, ...query } })
    return [
      ['待项目签字', counts.signing, sheets({ tab: 'signing' })],
      ['超 3 日未签', counts.late, sheets({ late: true })],
      ['待归档', counts.signed, sheets({ tab: 'signed' })],
      ['本年归档', counts.filed, sheets({ filed: true })],
    ]
  },
  '/misconduct': async (who) => {
    const query = { projectCode: '*', size: 1 }
    const { counts } = await who.call(listBadActions, { query })
    const list = (more: object) => () => who.call(listBadActions, { query: { ...query, ...more } })
    return [
      ['待审核', counts.waiting, list({ state: '1' })],
      ['公示中', counts.published, list({ published: true })],
      ['申诉中', counts.appealed, list({ state: '4' })],
      ['本年扣分', counts.deducted, list({ deducted: true })],
    ]
  },
  '/person/expert/misconduct': async (who) => {
    const query = { projectCode: '*', size: 1 }
    const { counts } = await who.call(listExpertMisconduct, { query })
    const list = (state: string) => () => who.call(listExpertMisconduct, { query: { ...query, state } })
    return [
      ['待审核', counts.waiting, list('1')],
      ['公示中', counts.published, list('2')],
      ['申诉中', counts.appealed, list('4')],
    ]
  },
  '/jgt/bigproject': async (who) => {
    const everywhere = { projectCode: '*', size: 1 }
    const { counts } = await who.call(listWorks, { query: everywhere })
    const works = (query: object) => () => who.call(listWorks, { query: { ...everywhere, ...query } })
    return [
      ['实施中', counts.running, works({ state: '6' })],
      ['超规模', counts.overScale, works({ overScale: true, tab: 'open' })],
      ['手续缺项', counts.lacking, works({ lacking: true })],
      ['监测告警', counts.alarming, works({ monitorState: 'alarm' })],
    ]
  },
  '/jgt/spdevice/index': async (who) => {
    const everywhere = { projectCode: '*', size: 1 }
    const { counts } = await who.call(listMachines, { query: everywhere })
    const machines = (query: object) => () => who.call(listMachines, { query: { ...everywhere, ...query } })
    return [
      ['使用中', counts.used, machines({ tab: '6' })],
      ['检测到期 ≤30 日', counts.testDue, machines({ testDue: true })],
      ['超 30 日未登记', counts.unregistered, machines({ unregistered: true })],
      ['超年限', counts.overAge, machines({ overAge: true })],
    ]
  },
  '/deviceInspect': async (who) => {
    const everywhere = { projectCode: '*', size: 1 }
    const { counts } = await who.call(listMachineChecks, { query: everywhere })
    const board = await who.call(machineBoard, { query: everywhere })
    const checks = (query: object) => () => who.call(listMachineChecks, { query: { ...everywhere, ...query } })
    return [
      ['今日检查', counts.today, checks({ today: true })],
      ['逾期未检', board.counts.late, () => who.call(machineBoard, { query: { ...everywhere, late: true } })],
      ['停用整改', counts.stopped, checks({ stopped: true })],
      ['未闭合', counts.open, checks({ tab: 'open' })],
    ]
  },
  '/deviceMaintenance': async (who) => {
    const everywhere = { projectCode: '*', size: 1 }
    const { counts } = await who.call(listMaintenance, { query: everywhere })
    const board = await who.call(machineBoard, { query: everywhere })
    const jobs = (query: object) => () => who.call(listMaintenance, { query: { ...everywhere, ...query } })
    return [
      ['本月已保', counts.month, jobs({ month: true })],
      ['逾期未保', board.counts.maintainLate, () => who.call(machineBoard, { query: { ...everywhere, maintainLate: true } })],
      ['本月更换部件', counts.parts, jobs({ month: true, parts: true })],
      ['存疑记录', counts.doubtful, jobs({ doubtful: true })],
    ]
  },
  '/dustInspection': async (who) => {
    const everywhere = { projectCode: '*', size: 1 }
    const { counts } = await who.call(listDustChecks, { query: everywhere })
    const checks = (query: object) => () => who.call(listDustChecks, { query: { ...everywhere, ...query } })
    return [
      ['未闭合', counts.open, checks({ tab: 'open' })],
      ['今日检查', counts.today, checks({ today: true })],
      ['与监测矛盾', counts.contradicted, checks({ contradicted: true })],
    ]
  },
  '/safetyInspection/list': async (who) => {
    const query = { projectCode: '*', size: 1 }
    const { counts } = await who.call(listInspections, { query })
    return [['未闭合', counts.open, () => who.call(listInspections, { query: { ...query, tab: 'open' } })]]
  },
  '/teamSystem': async (who) => {
    const f = await who.call(teamFigures, { query: {} })
    const teams = (query: object) => () => who.call(listTeams, { query: { size: 1, ...query } })
    return [
      ['班组数', f.total, teams({})],
      ['在场班组', f.present, teams({ state: 'present' })],
      ['空闲班组', f.idle, teams({ state: 'idle' })],
      ['需关注', f.care, teams({ state: 'care' })],
    ]
  },
  '/checkingList': async (who) => {
    const f = await who.call(dailyCounts, { query: {} })
    const days = (chip: 'due' | 'came' | 'entered' | 'wrong' | 'absent' | 'keyAbsent') => () =>
      who.call(listDaily, { query: { chip, size: 1 } })
    return [
      ['应到', f.expected, days('due')],
      ['实到', f.attended, days('came')],
      ['出勤', f.came, days('entered')],
      ['异常待处理', f.wrong, days('wrong')],
      ['应到未到', f.absent, days('absent')],
      ['关键岗位未到', f.keyAbsent, days('keyAbsent')],
    ]
  },
  '/checkRecord': async (who, today) => {
    const f = await who.call(recordCounts, { query: {} })
    return [['今日通行', f.total, () => who.call(listRecords, { query: { date: `${today},${today}`, size: 1 } })]]
  },
  '/alarmSet': async (who) => {
    const f = await who.call(labourAlarmCounts, { query: { projectCode: '*' } })
    const reported = (query: object) => () => who.call(listLabourAlarms, { query: { projectCode: '*', size: 1, ...query } })
    return [
      ['待处理', f.open, reported({ state: '1' })],
      ['已忽略', f.ignored, reported({ state: '3' })],
      ...f.byType.map((one): Linked => [one.typeName ?? one.type, one.open, reported({ state: '1', type: one.type })]),
    ]
  },
  '/helmet/monitoring': async (who) => {
    const { openAlarms } = await who.call(listHelmets, { query: { category: '700', size: 1 } })
    return [
      [
        '未恢复报警',
        openAlarms,
        async () => {
          const { list } = await who.call(findAlarms, {
            query: { active: true, simulated: false, historical: false, family: 'smartHelmet', size: 1000 },
          })
          return { total: list.filter((one) => !alarmsOfTheBox.some((key) => key === one.alarmKey)).length }
        },
      ],
    ]
  },
  '/workbench': async (who, today) => {
    const todos = await who.call(listTodos, { query: { group: 'active', size: 1 } })
    const tasks = (query: object) => () => who.call(listTodos, { query: { group: 'active', size: 1, ...query } })
    return [
      ['待我处理', todos.groups[0]?.count, tasks({})],
      ['今日到期', todos.dueToday, tasks({ dueIn: 'today' })],
      ['今日到期，按日历', todos.dueToday, tasks({ dueIn: 'today', dueOn: today })],
      ['已逾期', todos.groups[0]?.overdue, tasks({ dueIn: 'overdue' })],
      ...todos.days.map((one): Linked => [one.day, one.count, tasks({ dueOn: one.day })]),
      ['我发起未完', todos.startedOpen, () => who.call(listApprovals, { query: { box: 'mine', state: undecided.join(','), size: 1 } })],
    ]
  },
  '/workbench/approval': async (who) => {
    const box = (query: object) => who.call(listApprovals, { query: { box: 'todo', size: 1, ...query } })
    const { counts } = await box({})
    return [
      ['待办', counts.todo, () => box({})],
      ['今日到期', counts.dueToday, () => box({ due: 'today' })],
      ['逾期', counts.overdue, () => box({ due: 'overdue' })],
    ]
  },
  '/main': async (who) => {
    const { service, projects, devices, kind } = await who.call(getMainPage, { query: {} })
    const machines = await who.call(listDevices, { query: { size: 1 } }).catch(() => undefined)
    const inState = (prjStatus: string) => () => who.call(listProjects, { query: { enable: '1', prjStatus, size: 1 } })
    return [
      ...(service
        ? [
            [
              '离线网关',
              service.gatewaysOffline,
              () => who.call(listGateways, { query: { status: '1', online: 'false' } }),
            ] satisfies Linked,
          ]
        : []),
      ...(machines
        ? [
            ['设备', devices.reduce((n, one) => n + one.total, 0), async () => ({ total: machines.counts.inUse })] satisfies Linked,
            ['在线设备', devices.reduce((n, one) => n + one.online, 0), async () => ({ total: machines.counts.online })] satisfies Linked,
          ]
        : []),
      ...(kind === 'government'
        ? [
            [
              '停工项目',
              projects.filter((one) => one.prjStatus === projectStates.stopped).length,
              inState(projectStates.stopped),
            ] satisfies Linked,
          ]
        : []),
    ]
  },
}

const days = [
  ['a working day', '2026-11-20T10:30:00+08:00'],
  ['a rest day', '2026-11-22T10:30:00+08:00'],
] as const

/** One account of each kind: the officers of the site and of a stopped one, companies by part, supervisor, district, city, platform. */
const accounts = [
  'hospital-pm',
  'hospital-safety',
  'hospital-officer',
  'hospital-labour',
  'stopped',
  'stopped-pm',
  'yunze-lu',
  'hengsheng-shi',
  'dingli-cheng',
  'hospital-jl',
  'bj-zhao',
  'city-fang',
  'admin',
]

describe.each(days)('on %s', (_, instant) => {
  const now = Date.parse(instant)
  let world: World
  let settled: CityWorld
  let stoppedSite: string
  const seen = new Set<string>()
  beforeAll(async () => {
    world = await openWorld(inject('postgresUrl'), { clock: { now: () => now } })
    settled = await settleCity(world, instant.slice(0, 10))
    await seedAttendance(world.database, settled.city, now)
    await keepLabourAlarms(world.database.kysely, { now: () => now })
    stoppedSite = settled.city.projects.find((p) => p.prjStatus === '005')?.projectCode ?? ''
    for (const { projectCode } of settled.city.projects) await raiseAlarms(world, projectCode, now)
    // Workers recorded only when leaving.
    await world.database.pool.query(
      `update attendance_day set first_in = null where (project_code, worker_id, work_day) in
         (select project_code, worker_id, work_day from attendance_day where work_day = $1::date and first_in is not null and attend_day = 1 limit 3)`,
      [instant.slice(0, 10)],
    )
    // A disabled project is excluded from figures and lists of projects.
    await world.database.pool.query(`update project set enable = '0' where project_code = $1`, [settled.city.projects.at(-1)?.projectCode])
  }, 300_000)
  afterAll(() => world.close())

  const enter = async (account: string) => {
    if (account === 'stopped') return (await settled.as('bj-zhao')).at(stoppedSite)
    if (account === 'stopped-pm') return settled.as(settled.accounts.find((one) => one.projectCode === stoppedSite)?.account ?? '')
    return settled.as(account)
  }
  const figuresOf = async (who: Caller) => (await who.call(getMainPage, { query: {} })).figures
  const numberOf = (figures: readonly HomeFigure[], key: string) => figures.find((f) => f.key === key)?.value

  test.each(accounts)('%s: each figure is the length of the list it opens', async (account) => {
    const who = await enter(account)
    const figures = await figuresOf(who)
    const opened = figures.filter((f) => f.link !== null && !rates.has(f.key))
    expect(opened.length).toBeGreaterThan(1)
    for (const { key, value, link } of opened) {
      const { pathname, searchParams } = new URL(link ?? '', 'http://site')
      const list = lists[pathname]
      if (!list) throw new Error(`nobody has said which list ${link} shows`)
      expect([key, value]).toEqual([key, await list(who, Object.fromEntries(searchParams))])
    }
  })

  test.each(accounts)('%s: each figure of a strip is the length of the list it opens', async (account) => {
    const who = await enter(account)
    for (const [page, read] of Object.entries(strips)) {
      const linked = await read(who, instant.slice(0, 10)).catch((refusal: unknown) => {
        // Accounts that may not open the page see no strip.
        if (String(refusal).includes(' 403/403 ')) return []
        throw refusal
      })
      for (const [what, value, list] of linked) expect([page, what, value]).toEqual([page, what, (await list()).total])
      if (linked.length) seen.add(page)
    }
  })

  test.each(accounts)('%s: what a task counts is what its list shows', async (account) => {
    const who = await enter(account)
    const { list: tasks } = await who.call(listTodos, { query: { group: 'active', size: 1000 } })
    for (const { kind, title, link } of tasks) {
      const n = /^\d+/.exec(title)?.[0]
      const { pathname, searchParams } = new URL(link, 'http://site')
      const wanted = Object.fromEntries([...searchParams].filter(([name]) => name !== 'tab'))
      const shown =
        pathname === '/personList'
          ? await who.call(listWorkers, { query: { view: 'project', size: 1, ...wanted } })
          : pathname === '/alarmSet'
            ? await who.call(listLabourAlarms, { query: { projectCode: '*', size: 1, ...wanted } })
            : undefined
      if (!shown) continue
      expect([kind, title, Number(n)]).toEqual([kind, title, shown.total])
      seen.add(kind)
    }
  })

  test('every strip was read by somebody, and tasks that count people', () =>
    expect([...seen].sort()).toEqual(['contract', 'labourAlarm', ...Object.keys(strips)].sort()))

  test.each(accounts)('%s: a figure is the same wherever it is shown', async (account) => {
    const who = await enter(account)
    const figures = await figuresOf(who)
    const alarms = await who.call(listAlarms, { query: waiting })
    expect(numberOf(figures, 'openAlarms')).toBe(alarms.counts.todo)
    expect(alarms.total).toBe(alarms.counts.todo)
    const today = await who.call(dailyCounts, { query: {} })
    expect(today.expected).toBe(today.attended + today.absent)
    if (numberOf(figures, 'attended') !== undefined) expect(numberOf(figures, 'attended')).toBe(today.came)
    if (numberOf(figures, 'onSite') !== undefined)
      expect(numberOf(figures, 'onSite')).toBe((await who.call(stayFigures, { query: {} })).onSite)
    const { projects } = await who.call(getMainPage, { query: { view: 'hs' } })
    for (const site of projects) {
      const there = (await who.call(listAlarms, { query: { ...waiting, projectCode: site.projectCode } })).total
      expect([site.projectCode, site.openAlarms]).toEqual([site.projectCode, there])
      const day = await who.call(dailyCounts, { query: { projectCode: site.projectCode } })
      expect([site.projectCode, site.expected, site.arrived, site.rate]).toEqual([site.projectCode, day.expected, day.attended, day.rate])
    }
  })

  test.each(accounts.filter((account) => account !== 'stopped'))(
    '%s: cards of identities and the workbench count the alarms that wait',
    async (account) => {
      const who = await enter(account)
      const { list: groups } = await who.call(ownGroups)
      const current = groups.find((one) => one.isDefault) ?? groups[0]
      expect(current?.openAlarms).toBe((await who.call(listAlarms, { query: waiting })).total)
      const grave = (await who.call(listAlarms, { query: { ...waiting, level: '1,2' } })).total
      const todos = await who.call(listTodos, { query: { group: 'active' } })
      expect([todos.graveAlarms, todos.groups[0]?.graveAlarms]).toEqual([grave, grave])
    },
  )

  test('alarms by project name the district and the contractor of each', async () => {
    const { list } = await (await settled.as('bj-zhao')).call(findSiteAlarms, { query: { groupBy: 'project', size: 100 } })
    expect(list.length).toBeGreaterThan(1)
    for (const site of list)
      expect([site.areaName, site.contractorCorpName]).toEqual([expect.stringMatching(/./), expect.stringMatching(/./)])
  })

  test('the share online is of the machines in use, at home, in the ledger and among the alarms alike', async () => {
    const project = settled.city.projects[0]?.projectCode ?? ''
    const site = (await settled.as('bj-zhao')).at(project)
    // A disabled device that still reports, and one awaiting approval: neither counts.
    await world.database.pool.query(
      `insert into device_latest (device_id, ts, received_at, v, online, online_since) select id, now(), now(), '[]', true, now() from device where project_code = $1
       on conflict (device_id) do update set online = true`,
      [project],
    )
    await world.database.pool.query(
      `update device_latest set online = false where device_id in (select id from device where project_code = $1 order by id limit 2)`,
      [project],
    )
    await world.database.pool.query(
      `update device d set status = case when n.i = 1 then '3' else '0' end
       from (select id, row_number() over (order by id desc) as i from device where project_code = $1) n where n.id = d.id and n.i <= 2`,
      [project],
    )
    const { counts } = await site.call(listDevices, { query: { projectCode: project, size: 1 } })
    expect(counts.all - counts.inUse).toBeGreaterThanOrEqual(2)
    expect(counts.inUse - counts.online).toBe(2)
    const share = (counts.online / counts.inUse) * 100
    expect(numberOf(await figuresOf(site), 'online')).toBeCloseTo(share, 0)
    const { list } = await site.call(findSiteAlarms, { query: { groupBy: 'project', projectCode: project } })
    expect(list.map((one) => one.onlinePercent)).toEqual([Math.round(share * 10) / 10])
  })

  test('alarms are taken along as the list shows them, one by one and by project', async () => {
    const officer = await settled.as('bj-zhao')
    const folder = mkdtempSync(join(tmpdir(), 'zg-alarms-'))
    const taken = async (feature: string, query: Record<string, string>) => {
      const { id } = await officer.call(submitExport, { body: { feature, query } })
      const { database, config } = world
      await runExport(
        { database, clock: { now: () => now }, secrets: createSecrets(config.secretKey), log: createLog('test', 'warn'), folder },
        id,
      )
      return (await readXlsx(new Uint8Array(readFileSync(join(folder, `${id}.xlsx`))))).sheets[0]?.rows ?? []
    }
    const textOf = (rows: readonly unknown[]) => JSON.stringify(rows)
    const request = { ...waiting, simulated: 'false', historical: 'false', level: '1' }
    const { list, total } = await officer.call(findAlarms, { query: { ...waiting, level: '1', size: 1000 } })
    const rows = await taken('alarm', request)
    expect(rows.filter((row) => textOf(row as unknown[]).includes('未处理') || textOf(row as unknown[]).includes('已接单'))).toHaveLength(
      total,
    )
    expect(total).toBeGreaterThan(0)
    for (const title of ['等级', '处置状态', '阈值', '处理时间']) expect(textOf(rows)).toContain(title)
    expect(textOf(rows)).toContain(list[0]?.deviceName)
    const sites = await officer.call(findSiteAlarms, { query: { groupBy: 'project', size: 1000 } })
    const byProject = textOf(await taken('alarmProject', { groupBy: 'project' }))
    for (const site of sites.list) expect(byProject).toContain(site.projectName)
    rmSync(folder, { recursive: true })
  })

  test('what waits stands first, the gravest in front', async () => {
    const { list } = await (await settled.as('hospital-pm')).call(findAlarms, { query: { simulated: false, historical: false, size: 100 } })
    const waits = list.map((row) => row.state === 'open' || row.state === 'acknowledged')
    expect(waits.indexOf(false)).toBe(waits.filter(Boolean).length)
    const first = list.filter((_, i) => waits[i]).map((row) => row.level)
    expect(first).toEqual(first.toSorted((a, b) => a - b))
  })

  test('a day that expects nobody has no rate and nobody missing', async () => {
    const stopped = await (await enter('stopped')).call(getMainPage, { query: {} })
    expect(stopped.figures.find((f) => f.key === 'absentPosts')).toMatchObject({ value: null, tone: 'plain' })
    expect(stopped.figures.find((f) => f.key === 'attended')?.note).toContain('不计出勤率')
    expect(stopped.keyPosts.length).toBeGreaterThan(0)
    expect(stopped.keyPosts.filter((post) => post.expected)).toEqual([])
  })

  test('whoever supervises a site reads who holds its key posts, and the figure is the panel’s', async () => {
    const site = (await settled.as('bj-zhao')).at(settled.city.projects[0]?.projectCode ?? '')
    const { figures, keyPosts } = await site.call(getMainPage, { query: {} })
    expect(keyPosts.length).toBeGreaterThan(0)
    const missing = keyPosts.filter((post) => post.expected && !post.present).length
    expect(numberOf(figures, 'absentPosts')).toBe(keyPosts.some((post) => post.expected) ? missing : null)
  })

  test('the municipal view of one project has its district and compares whole weeks', async () => {
    const city = await settled.as('city-fang')
    const all = await city.call(getMainPage, { query: { view: 'hs' } })
    const one = await city.at(settled.city.projects[0]?.projectCode ?? '').call(getMainPage, { query: { view: 'hs' } })
    expect([one.districts.length, one.projects.length]).toEqual([1, 1])
    expect(all.districts.length).toBeGreaterThan(1)
    // Weeks with and without a Sunday are comparable: nobody is expected to attend on Sundays.
    for (const district of all.districts) if (district.change !== null) expect(Math.abs(district.change)).toBeLessThan(15)
    expect(all.districts.some((district) => district.change !== null)).toBe(true)
  })
})
