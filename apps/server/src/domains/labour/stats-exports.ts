import type { RatioCell } from '@zhugong/contract/labour/tables'
import * as contract from '@zhugong/contract/labour/tables'
import { exportOf, inOnePiece } from '../exports/registry.ts'
import { enterpriseRows } from './enterprise-stats.ts'
import { governmentRows } from './government-stats.ts'
import { personnelRows } from './personnel-stats.ts'
import { projectRows } from './project-stats.ts'

/** A share as a meeting reads it, with what it was counted from. */
const share = ({ part, whole }: RatioCell) => (whole === 0 ? '--' : `${((part / whole) * 100).toFixed(1)}%（${part}/${whole}）`)

export function registerStatsExports(): void {
  projectStatsFile()
  governmentStatsFile()
  enterpriseStatsFile()
  personnelStatsFile()
}

function projectStatsFile(): void {
  exportOf(
    contract.projectStatsList,
    {
      title: '项目统计表',
      widths: { name: 30, contractorName: 26 },
      ...inOnePiece(projectRows),
    },
    {
      name: (r) => r.name,
      contractorName: (r) => r.contractorName,
      area: (r) => r.areaName,
      prjStatus: (r) => r.prjStatusName,
      onSite: (r) => r.onSite,
      realName: (r) => share(r.realName),
      contract: (r) => share(r.contract),
      training: (r) => share(r.training),
      cert: (r) => share(r.cert),
      payCard: (r) => share(r.payCard),
      attend: (r) => share(r.attend),
      keyPost: (r) => share(r.keyPost),
      gate: (r) => share(r.gate),
      manual: (r) => share(r.manual),
      late: (r) => share(r.late),
      upload: (r) => share(r.upload),
      alarms: (r) => r.alarms,
      failing: (r) => r.failing,
      rank: (r) => r.rank,
    },
  )
}

function governmentStatsFile(): void {
  exportOf(
    contract.governmentStatsList,
    {
      title: '政府机构统计表',
      widths: { name: 30 },
      ...inOnePiece(governmentRows),
    },
    {
      name: (r) => r.name,
      areaName: (r) => r.areaName,
      projects: (r) => r.projects,
      building: (r) => r.building,
      onSite: (r) => r.onSite,
      realName: (r) => share(r.realName),
      keyPost: (r) => share(r.keyPost),
      contract: (r) => share(r.contract),
      training: (r) => share(r.training),
      cert: (r) => share(r.cert),
      attend: (r) => share(r.attend),
      alarms: (r) => r.alarms,
      alarmHours: (r) => r.alarmHours,
      blackListed: (r) => r.blackListed,
      fresh: (r) => share(r.fresh),
      rank: (r) => r.rank,
    },
  )
}

function enterpriseStatsFile(): void {
  exportOf(
    contract.enterpriseStatsList,
    {
      title: '企业统计表',
      widths: { corpName: 30, projects: 40 },
      ...inOnePiece(enterpriseRows),
    },
    {
      corpName: (r) => r.corpName,
      corpKind: (r) => r.corpKindNames.join('、'),
      projects: (r) => r.projects.map((p) => p.name).join('、'),
      onSite: (r) => r.onSite,
      teams: (r) => r.teams,
      contract: (r) => share(r.contract),
      payCard: (r) => share(r.payCard),
      training: (r) => share(r.training),
      cert: (r) => share(r.cert),
      realName: (r) => share(r.realName),
      attend: (r) => share(r.attend),
      leader: (r) => share(r.leader),
      bad: (r) => r.bad,
      badWithSubs: (r) => r.badWithSubs,
      creditScore: (r) => r.creditScore,
    },
  )
}

function personnelStatsFile(): void {
  exportOf(
    contract.personnelStatsList,
    {
      title: '人员统计表',
      ...inOnePiece(personnelRows),
    },
    {
      name: (r) => r.name,
      count: (r) => r.count,
      share: (r) => `${(r.share * 100).toFixed(1)}%`,
      male: (r) => r.male,
      female: (r) => r.female,
      averageAge: (r) => r.averageAge,
      contract: (r) => share(r.contract),
      training: (r) => share(r.training),
      cert: (r) => share(r.cert),
      averageDays: (r) => r.averageDays,
      before: (r) => r.before,
    },
  )
}
