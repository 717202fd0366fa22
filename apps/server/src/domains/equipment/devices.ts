import * as deviceToolsCalls from '@zhugong/contract/equipment/device-tools'
import * as calls from '@zhugong/contract/equipment/endpoints'
import type { ListenPorts } from '@zhugong/contract/equipment/gateway-endpoints'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { projectsFor } from '#kit/context'
import { allOf, anyOf, inProjects } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { fileIdsOf, keptFiles } from '../files/public.ts'
import { updateDevice } from './device-change.ts'
import { getDevice } from './device-detail.ts'
import { listDevices, pickDevices } from './device-list.ts'
import { deviceStats } from './device-stats.ts'
import { getDeviceRow, registerDevice, removeDevices } from './device-write.ts'
import { ownDeviceModels, ownDeviceTypes } from './own-devices.ts'
import { requireOwnMachines } from './own-machines.ts'
import { ignoreUnregistered, listUnregistered } from './stranger-list.ts'
import { takenReason } from './taken-numbers.ts'

export function deviceRoutes(serve: Serve, ports: ListenPorts): void {
  serve(calls.listDevices, listDevices)
  serve(calls.pickDevices, pickDevices)
  serve(calls.getDevice, getDevice(ports))
  serve(calls.createDevice, createDevice)
  serve(calls.updateDevice, updateDevice)
  serve(calls.removeDevice, removeDevice)
  serve(calls.removeDevices, removeSeveral)
  serve(deviceToolsCalls.deviceStatistics, ({ query }, ctx) => deviceStats(ctx, query))
  serve(deviceToolsCalls.ownDeviceTypes, ownDeviceTypes)
  serve(deviceToolsCalls.ownDeviceModels, ownDeviceModels)
  serve(deviceToolsCalls.listUnregistered, listUnregistered)
  serve(deviceToolsCalls.ignoreUnregistered, ignoreUnregistered)
}

const createDevice: HandlerOf<typeof calls.createDevice> = async ({ body }, ctx) => {
  const files = await keptFiles(ctx, fileIdsOf(body.files))
  const made = await registerDevice(ctx, { ...body, files }, { source: '1', origin: body.adopts ? '3' : '1' })
  if (body.adopts) await sql`delete from unregistered_device where identifier = ${body.adopts} and reason <> ${takenReason}`.execute(ctx.db)
  ctx.note(`${body.adopts ? '认领' : '新增'}设备 ${body.name}`, made.id)
  return made
}

const removeDevice: HandlerOf<typeof calls.removeDevice> = async ({ params }, ctx) => {
  const row = await getDeviceRow(ctx, params.id)
  await requireOwnMachines(ctx, [row.id])
  await removeDevices(ctx, [row.id])
  ctx.note(`删除设备 ${row.name}`, row.id)
}

const removeSeveral: HandlerOf<typeof calls.removeDevices> = async ({ body }, ctx) => {
  const ids = [...new Set(body.ids)]
  const projects = projectsFor(ctx)
  const { rows } = await sql<{
    id: string
  }>`select d.id from device d where ${allOf(...anyOf('d.id', ids), ...inProjects('d.project_code', projects))}`.execute(ctx.db)
  if (rows.length !== ids.length) throw new AppError('notFound', '部分设备不存在或已删除', { field: 'ids' })
  await requireOwnMachines(ctx, ids)
  await removeDevices(ctx, ids)
  ctx.note(`批量删除 ${ids.length} 台设备`)
}
