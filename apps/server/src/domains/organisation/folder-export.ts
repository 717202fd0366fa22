import { folderProjectList } from '@zhugong/contract/organisation/project-groups'
import { sql } from 'kysely'
import { exportOf } from '../exports/registry.ts'
import { folderProjectConditions, folderProjectOrder, folderProjects, type RawFolderProject, toFolderProject } from './folder-rows.ts'
import { lookedAt } from './folders.ts'

export function registerFolderProjectExport(): void {
  exportOf(
    folderProjectList,
    {
      title: '组织项目',
      widths: { name: 32, projectCode: 22, groupPath: 30 },
      async *rows(ctx, query) {
        const where = folderProjectConditions(query, await lookedAt(ctx, query))
        const { rows } = await sql<RawFolderProject>`
          select * from (${folderProjects(ctx, query.module)}) p where ${where} order by ${folderProjectOrder(query.sort)}`.execute(ctx.db)
        for (const row of rows) yield toFolderProject(row)
      },
      count: async (ctx, query) => {
        const where = folderProjectConditions(query, await lookedAt(ctx, query))
        const { rows } = await sql<{
          n: number
        }>`select count(*)::int as n from (${folderProjects(ctx, query.module)}) p where ${where}`.execute(ctx.db)
        return rows[0]?.n ?? 0
      },
    },
    {
      prjStatus: (p) => p.prjStatusName,
      areaCode: (p) => p.areaName,
      ourRole: (p) => p.ourRoleName,
    },
  )
}
