import { isOn } from '@zhugong/contract/kit/enable'
import * as contract from '@zhugong/contract/organisation/projects'
import { sql } from 'kysely'
import { projectsFor } from '#kit/context'
import { exportOf } from '../exports/registry.ts'
import { conditions, countWhere, order, type RawProject, select, toRow } from './project-rows.ts'

export function registerProjectExport(): void {
  exportOf(
    contract.projectList,
    {
      title: '项目列表',
      widths: { name: 32, projectCode: 22, superviseOrg: 26, contractorCorpName: 26, buildCorpName: 26 },
      count: (ctx, query) => countWhere(ctx, conditions(query, projectsFor(ctx))),
      async *rows(ctx, query) {
        const where = conditions(query, projectsFor(ctx))
        const { rows } = await sql<RawProject>`select * from (${select}) p where ${where} order by ${order(query.sort)}`.execute(ctx.db)
        for (const row of rows) yield toRow(row, ctx)
      },
    },
    {
      prjStatus: (p) => p.prjStatusName,
      areaCode: (p) => p.areaName,
      category: (p) => p.categoryName,
      superviseOrg: (p) => p.superviseOrgName,
      phase: (p) => p.phaseName,
      enable: (p) => (isOn(p.enable) ? '启用' : '停用'),
    },
  )
}
