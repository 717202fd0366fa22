import type * as calls from '@zhugong/contract/equipment/device-tools'
import { familyOf } from '@zhugong/contract/telemetry/families'
import { sql } from 'kysely'
import { projectsFor } from '#kit/context'
import { allOf, anyOf, inProjects } from '#kit/list'
import type { HandlerOf } from '#kit/serve'
import { familyKeysOf } from './device-view.ts'

export const ownDeviceTypes: HandlerOf<typeof calls.ownDeviceTypes> = async ({ query }, ctx) => {
  const { rows } = await sql<{ family: string; count: number }>`
    select d.family, count(*)::int as count from device d where ${allOf(...inProjects('d.project_code', projectsFor(ctx, query.projectCode)))} group by 1`.execute(
    ctx.db,
  )
  const list = rows.flatMap((r) => {
    const family = familyOf(r.family)
    return family ? [{ family: family.key, code: family.code, name: family.name, count: r.count }] : []
  })
  return { list: list.sort((a, b) => a.code - b.code), total: list.length }
}

export const ownDeviceModels: HandlerOf<typeof calls.ownDeviceModels> = async ({ query }, ctx) => {
  const { rows } = await sql<{
    factoryName: string | null
    brandName: string | null
    modelName: string | null
    family: string
    count: number
  }>`
    select d.factory_name, d.brand_name, d.model_name, d.family, count(*)::int as count from device d
    where ${allOf(...inProjects('d.project_code', projectsFor(ctx, query.projectCode)), ...anyOf('d.family', familyKeysOf(query.family)))}
    group by 1, 2, 3, 4 order by 5 desc, 4, 1, 2, 3 limit 1000`.execute(ctx.db)
  return { list: rows, total: rows.length }
}
