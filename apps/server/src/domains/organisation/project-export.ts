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
      name: (p) => p.name,
      projectCode: (p) => p.projectCode,
      prjStatus: (p) => p.prjStatusName,
      areaCode: (p) => p.areaName,
      category: (p) => p.categoryName,
      superviseOrg: (p) => p.superviseOrgName,
      superviseNo: (p) => p.superviseNo,
      contractorCorpName: (p) => p.contractorCorpName,
      buildCorpName: (p) => p.buildCorpName,
      onSite: (p) => p.onSite,
      openAlarms: (p) => p.openAlarms,
      buildingArea: (p) => p.buildingArea,
      invest: (p) => p.invest,
      phase: (p) => p.phaseName,
      startDate: (p) => p.startDate,
      completeDate: (p) => p.completeDate,
      enable: (p) => (isOn(p.enable) ? '启用' : '停用'),
    },
  )
}
