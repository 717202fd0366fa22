import { orgMemberList } from '@zhugong/contract/organisation/org'
import { sql } from 'kysely'
import { exportOf } from '../exports/registry.ts'
import { countMembers, memberConditions, memberOrder, members, type RawMember, toMember } from './org-rows.ts'

export function registerOrgMemberExport(): void {
  exportOf(
    orgMemberList,
    {
      title: '组织人员',
      widths: { place: 30, roles: 24 },
      async *rows(ctx, query) {
        const { rows } = await sql<RawMember>`
          select * from (${members(ctx)}) m where ${memberConditions(ctx, query)} order by ${memberOrder(query)}`.execute(ctx.db)
        for (const row of rows) yield toMember(row)
      },
      count: (ctx, query) => countMembers(ctx, memberConditions(ctx, query)),
    },
    {
      place: (m) => m.places.map((p) => p.orgName).join('、'),
      post: (m) => m.places.flatMap((p) => p.post || []).join('、'),
      roles: (m) => m.roleNames.join('、'),
      enable: (m) => (m.enable === '1' ? '启用' : '停用'),
    },
  )
}
