import * as contract from '@zhugong/contract/labour/teams'
import { sql } from 'kysely'
import { exportOf } from '../exports/registry.ts'
import { conditions, count, measures, order, type RawTeam, select, toTeam } from './team-rows.ts'

export function registerTeamExport(): void {
  exportOf(
    contract.teamList,
    {
      title: '班组',
      widths: { teamName: 24, corpCode: 30, projectName: 30 },
      async *rows(ctx, query) {
        const where = conditions(ctx, { ...query, projectCode: undefined })
        const { rows } = await sql<RawTeam>`
          select t.*, ${measures(ctx)} from (${select(ctx)}) t where ${where} order by ${order(query.sort)}`.execute(ctx.db)
        for (const row of rows) yield toTeam(row)
      },
      count: (ctx, query) => count(ctx, conditions(ctx, { ...query, projectCode: undefined })),
    },
    {
      workType: (t) => t.workTypeName,
      corpCode: (t) => t.corpName,
    },
  )
}
