import * as contract from '@zhugong/contract/labour/tables'
import type { Serve } from '#kit/serve'
import { enterpriseRows, enterpriseTotals } from './enterprise-stats.ts'
import { governmentRows, governmentTotals } from './government-stats.ts'
import { personnelRows, personnelTotals } from './personnel-stats.ts'
import { projectRows, projectTotals } from './project-stats.ts'
import { pageOf } from './stats-cells.ts'

/** Routes of the monthly meeting's tables. */
export function statsTableRoutes(serve: Serve) {
  serve(contract.listProjectStats, async ({ query }, ctx) => pageOf(await projectRows(ctx, query), query))
  serve(contract.projectStatsTotals, projectTotals)
  serve(contract.listGovernmentStats, async ({ query }, ctx) => pageOf(await governmentRows(ctx, query), query))
  serve(contract.governmentStatsTotals, governmentTotals)
  serve(contract.listEnterpriseStats, async ({ query }, ctx) => pageOf(await enterpriseRows(ctx, query), query))
  serve(contract.enterpriseStatsTotals, enterpriseTotals)
  serve(contract.listPersonnelStats, async ({ query }, ctx) => pageOf(await personnelRows(ctx, query), query))
  serve(contract.personnelStatsTotals, ({ query }, ctx) => personnelTotals(ctx, query))
}
