import type { RatioCell } from '@zhugong/contract/labour/tables'
import * as contract from '@zhugong/contract/labour/tables'
import { exportOf, inOnePiece } from '../exports/registry.ts'
import { enterpriseRows } from './enterprise-stats.ts'
import { governmentRows } from './government-stats.ts'
import { personnelRows } from './personnel-stats.ts'
import { projectRows } from './project-stats.ts'

/** A ratio as text in percent, with numerator and denominator. */
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
      area: (r) => r.areaName,
      prjStatus: (r) => r.prjStatusName,
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
      realName: (r) => share(r.realName),
      keyPost: (r) => share(r.keyPost),
      contract: (r) => share(r.contract),
      training: (r) => share(r.training),
      cert: (r) => share(r.cert),
      attend: (r) => share(r.attend),
      fresh: (r) => share(r.fresh),
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
      corpKind: (r) => r.corpKindNames.join('、'),
      projects: (r) => r.projects.map((p) => p.name).join('、'),
      contract: (r) => share(r.contract),
      payCard: (r) => share(r.payCard),
      training: (r) => share(r.training),
      cert: (r) => share(r.cert),
      realName: (r) => share(r.realName),
      attend: (r) => share(r.attend),
      leader: (r) => share(r.leader),
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
      share: (r) => `${(r.share * 100).toFixed(1)}%`,
      contract: (r) => share(r.contract),
      training: (r) => share(r.training),
      cert: (r) => share(r.cert),
    },
  )
}
