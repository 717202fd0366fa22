import { stationProtocol } from '@zhugong/contract/protocols/hj212'
import { familyNamed } from '@zhugong/contract/telemetry/families'
import { sql } from 'kysely'
import { type Context, projectsFor } from '#kit/context'
import { allOf, inProjects } from '#kit/list'
import { missingParams, paramErrors } from './params.ts'

interface VerifyQuery {
  id?: string | undefined
  deviceSn?: string | undefined
  projectCode?: string | undefined
  family?: string | undefined
  gatewayId?: string | undefined
  mn?: string | undefined
  params?: Record<string, unknown> | undefined
  rows?: Record<string, unknown>[] | undefined
}

/**
 * Checks device data before it is stored, for a reviewer, an import or a form. Frames are tried where they are decoded
 * (`telemetry/verify.ts`).
 */
export async function verifyDevice(ctx: Context, requested: VerifyQuery) {
  const checks: { key: string; label: string; ok: boolean; text: string }[] = []
  const add = (key: string, label: string, ok: boolean, good: string, bad: string) => checks.push({ key, label, ok, text: ok ? good : bad })
  const exists = async (query: ReturnType<typeof sql>) => (await query.execute(ctx.db)).rows.length > 0
  const mine = allOf(...inProjects('project_code', projectsFor({ scope: ctx.scope, scopeChecks: ctx.scopeChecks })))
  if (requested.deviceSn) {
    // Serial numbers are unique over all projects. A check leaves no record, so it reveals only the caller's own; others are reported on
    // registration.
    const isOwn = await exists(
      sql`select 1 from device where device_sn = ${requested.deviceSn} and id <> ${requested.id ?? ''} and ${mine}`,
    )
    add('deviceSn', '序列号', !isOwn, '在您的管辖范围内未被使用', '设备序列号已存在')
  }
  if (requested.mn) {
    const isOwn = await exists(
      sql`select 1 from device where protocol = ${stationProtocol} and access_key = ${requested.mn} and id <> ${requested.id ?? ''} and ${mine}`,
    )
    add('mn', 'MN', !isOwn, '在您的管辖范围内未被使用', 'MN 已被其他设备使用')
  }
  if (requested.projectCode) {
    const projects = projectsFor({ scope: ctx.scope, scopeChecks: ctx.scopeChecks })
    const visible =
      (!projects || projects.includes(requested.projectCode)) &&
      (await exists(sql`select 1 from project where project_code = ${requested.projectCode}`))
    add('projectCode', '项目', visible, '项目存在', '项目不存在或不在您的管辖范围内')
  }
  if (requested.gatewayId)
    add(
      'gatewayId',
      '网关',
      await exists(sql`select 1 from gateway where id = ${requested.gatewayId} and status = '1'`),
      '网关已启用',
      '网关不存在或已停用',
    )
  const family = requested.family ? familyNamed(requested.family) : undefined
  if (requested.family) add('family', '设备类别', family !== undefined, family?.name ?? '', '设备类别不存在')
  if (family && requested.params) {
    const errors = paramErrors(family, requested.params)
    add('params', '参数范围', errors.length === 0, '均在范围内', errors.map((e) => e.text).join('；'))
    const missing = missingParams(family, requested.params)
    add(
      'complete',
      '参数完整',
      missing.length === 0,
      '参数齐全',
      `缺少：${missing.slice(0, 8).join('、')}${missing.length > 8 ? ' 等' : ''}`,
    )
  }
  if (requested.id) {
    const { rows } = await sql<{ receivedAt: Date }>`select received_at from device_latest where device_id = ${requested.id}`.execute(
      ctx.db,
    )
    const recent = rows[0] !== undefined && ctx.clock.now() - rows[0].receivedAt.getTime() < 3_600_000
    add('data', '最近一小时数据', recent, '已收到数据', '最近一小时没有数据')
  }
  const rows = requested.rows?.map((row, index) => ({ index, ...importErrors(row) }))
  return {
    ok: checks.every((c) => c.ok) && (rows?.every((r) => r.ok) ?? true),
    checks,
    rows: rows || undefined,
  }
}

function importErrors(row: Record<string, unknown>): { ok: boolean; errors: string[] } {
  const errors: string[] = []
  if (!row.name) errors.push('缺少设备名称')
  if (typeof row.deviceSn !== 'string' || !/^[\w.:-]{3,64}$/.test(row.deviceSn)) errors.push('设备序列号格式不正确')
  const family = typeof row.family === 'string' ? familyNamed(row.family) : undefined
  if (!family) errors.push('设备类别不存在')
  else if (typeof row.params === 'object' && row.params !== null)
    errors.push(...paramErrors(family, row.params as Record<string, unknown>).map((e) => e.text))
  return { ok: errors.length === 0, errors }
}
