import * as environment from '@zhugong/contract/monitoring/environment/environment-endpoints'
import { projectsFor } from '#kit/context'
import { pageSlice } from '#kit/list'
import { rowOf, rowSchemaOf } from '#kit/row-of'
import type { HandlerOf } from '#kit/serve'
import { findDeviceRows, latestOf } from '../shared/devices.ts'

const family = 'environment'

export const openEnvDevices: HandlerOf<typeof environment.openEnvDevices> = async ({ query }, ctx) => {
  const { rows, total } = await findDeviceRows(ctx.db, family, projectsFor(ctx, query.projectCode), {}, pageSlice(query))
  return {
    list: rows.map((r) =>
      rowOf(rowSchemaOf(environment.openEnvDevices), r, {
        deviceId: r.id,
        online: r.online ?? false,
      }),
    ),
    total,
  }
}

export const openEnvRealtime: HandlerOf<typeof environment.openEnvRealtime> = async ({ query }, ctx) => {
  const { rows, total } = await findDeviceRows(ctx.db, family, projectsFor(ctx, query.projectCode), query, pageSlice(query))
  return { list: rows.map((r) => ({ deviceId: r.id, name: r.name, projectCode: r.projectCode, reading: latestOf(r) })), total }
}
