import * as calls from '@zhugong/contract/equipment/service-endpoints'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { found } from '#kit/context'
import { pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { getDeviceRow } from './device-write.ts'
import { requireOwnMachines } from './own-machines.ts'

export function repairRoutes(serve: Serve): void {
  serve(calls.listRepairs, listRepairs)
  serve(calls.createRepair, createRepair)
  serve(calls.closeRepair, closeRepair)
}

const listRepairs: HandlerOf<typeof calls.listRepairs> = async ({ params, query }, ctx) => {
  const device = await getDeviceRow(ctx, params.id)
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<{
    id: string
    deviceId: string
    deviceName: string
    providerName: string | null
    at: Date
    byName: string
    fault: string
    doneAt: Date | null
    doneBy: string | null
    measure: string | null
    score: number | null
    comment: string | null
  }>`select r.id, r.device_id, r.device_name, f.name as provider_name, r.at, r.by_name, r.fault, r.done_at, r.done_by, r.measure, r.score, r.comment
      from device_repair r left join factory f on f.id = r.provider_id where r.device_id = ${device.id} order by r.at desc, r.id limit ${limit} offset ${offset}`.execute(
    ctx.db,
  )
  const total = await sql<{ n: number }>`select count(*)::int as n from device_repair where device_id = ${device.id}`.execute(ctx.db)
  return {
    list: rows.map((r) => ({
      ...r,
      at: formatInstant(r.at),
      doneAt: r.doneAt ? formatInstant(r.doneAt) : null,
      hours: Math.round(((r.doneAt?.getTime() ?? ctx.clock.now()) - r.at.getTime()) / 360_000) / 10,
    })),
    total: total.rows[0]?.n ?? 0,
  }
}

const createRepair: HandlerOf<typeof calls.createRepair> = async ({ params, body }, ctx) => {
  const device = await getDeviceRow(ctx, params.id)
  await requireOwnMachines(ctx, [device.id])
  const open = await sql`select 1 from device_repair where device_id = ${device.id} and done_at is null`.execute(ctx.db)
  if (open.rows.length) throw new AppError('refused', `${device.name} 已有未结报修`)
  const id = ctx.newId()
  await sql`insert into device_repair (id, device_id, device_name, project_code, provider_id, at, by_name, fault)
      values (${id}, ${device.id}, ${device.name}, ${device.projectCode}, ${device.providerId}, ${new Date(ctx.clock.now())}, ${ctx.user.name}, ${body.fault})`.execute(
    ctx.db,
  )
  ctx.note(`报修 ${device.name}`, id)
  return { id }
}

const closeRepair: HandlerOf<typeof calls.closeRepair> = async ({ params, body }, ctx) => {
  const device = await getDeviceRow(ctx, params.id)
  await requireOwnMachines(ctx, [device.id])
  const { rows } = await sql<{
    id: string
    doneAt: Date | null
  }>`select id, done_at from device_repair where id = ${params.repairId} and device_id = ${device.id}`.execute(ctx.db)
  const row = found(rows[0], '报修记录')
  if (row.doneAt) throw new AppError('refused', '报修已完成')
  await sql`update device_repair set done_at = ${new Date(ctx.clock.now())}, done_by = ${ctx.user.name}, measure = ${body.measure}, score = ${body.score ?? null},
      comment = ${body.comment ?? null} where id = ${row.id}`.execute(ctx.db)
  ctx.note(`完成报修 ${device.name}`, row.id)
}
