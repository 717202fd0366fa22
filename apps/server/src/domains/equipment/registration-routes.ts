import * as calls from '@zhugong/contract/equipment/endpoints'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import type { HandlerOf, Serve } from '#kit/serve'
import { noteChange } from './change-log.ts'
import { getDeviceRow } from './device-write.ts'
import { findRegistration, letRegister } from './registrations.ts'

export function registrationRoutes(serve: Serve): void {
  serve(calls.openRegistration, openRegistration)
  serve(calls.closeRegistration, closeRegistration)
}

const openRegistration: HandlerOf<typeof calls.openRegistration> = async ({ params, body }, ctx) => {
  const row = await terminalOf(ctx, params.id)
  if (row.status !== '1') throw new AppError('refused', '设备未在使用中，不能开放注册')
  await letRegister(ctx, row.id, body)
  const act = body.replaces ? '开放终端注册（更换终端）' : '开放终端注册'
  const detail = [{ label: '时长', before: null, after: `${body.hours} 小时` }]
  await noteChange(ctx, { subject: 'device', id: row.id, projectCode: row.projectCode, act, detail })
  ctx.note(`${act} ${row.name}，${body.hours} 小时`, row.id)
  return findRegistration(ctx, row.id)
}

const closeRegistration: HandlerOf<typeof calls.closeRegistration> = async ({ params }, ctx) => {
  const row = await terminalOf(ctx, params.id)
  await sql`delete from jt808_registration where device_id = ${row.id}`.execute(ctx.db)
  await noteChange(ctx, { subject: 'device', id: row.id, projectCode: row.projectCode, act: '关闭终端注册' })
  ctx.note(`关闭终端注册 ${row.name}`, row.id)
  return findRegistration(ctx, row.id)
}

async function terminalOf(ctx: Context, id: string) {
  const row = await getDeviceRow(ctx, id)
  if (row.protocol !== 'jt808') throw new AppError('refused', '只有 JT/T 808 终端需要注册')
  return row
}
