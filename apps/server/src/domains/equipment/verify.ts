import { familyNamed } from '@zhugong/contract/telemetry/families'
import { sql } from 'kysely'
import { type Context, projectsFor } from '#kit/context'
import { allOf, inProjects } from '#kit/list'
import { missingParams, paramErrors } from './params.ts'

interface Asked {
  id?: string | undefined
  deviceSn?: string | undefined
  projectCode?: string | undefined
  family?: string | undefined
  gatewayId?: string | undefined
  mn?: string | undefined
  params?: Record<string, unknown> | undefined
  rows?: Record<string, unknown>[] | undefined
}

/** What a reviewer, an import or a form wants to know before anything is stored. Frames are tried where they are decoded (`telemetry/verify.ts`). */
export async function verifyDevice(ctx: Context, asked: Asked) {
  const checks: { key: string; label: string; ok: boolean; text: string }[] = []
  const add = (key: string, label: string, ok: boolean, good: string, bad: string) => checks.push({ key, label, ok, text: ok ? good : bad })
  const exists = async (query: ReturnType<typeof sql>) => (await query.execute(ctx.db)).rows.length > 0
  const mine = allOf(...inProjects('project_code', projectsFor({ scope: ctx.scope, scopeChecks: ctx.scopeChecks })))
  if (asked.deviceSn) {
    // Serial numbers are unique over all projects. A try leaves no trace, so it tells of the caller's own: others' are met when one is registered.
    const isOwn = await exists(sql`select 1 from device where device_sn = ${asked.deviceSn} and id <> ${asked.id ?? ''} and ${mine}`)
    add('deviceSn', '序列号', !isOwn, '在您的管辖范围内未被使用', '设备序列号已存在')
  }
  if (asked.mn) {
    const isOwn = await exists(
      sql`select 1 from device where protocol = 'hj212' and access_key = ${asked.mn} and id <> ${asked.id ?? ''} and ${mine}`,
    )
    add('mn', 'MN', !isOwn, '在您的管辖范围内未被使用', 'MN 已被其他设备使用')
  }
  if (asked.projectCode) {
    const projects = projectsFor({ scope: ctx.scope, scopeChecks: ctx.scopeChecks })
    const visible =
      (!projects || projects.includes(asked.projectCode)) &&
      (await exists(sql`select 1 from project where project_code = ${asked.projectCode}`))
    add('projectCode', '项目', visible, '项目存在', '项目不存在或不在您的管辖范围内')
  }
  if (asked.gatewayId)
    add(
      'gatewayId',
      '网关',
      await exists(sql`select 1 from gateway where id = ${asked.gatewayId} and status = '1'`),
      '网关已启用',
      '网关不存在或已停用',
    )
  const family = asked.family ? familyNamed(asked.family) : undefined
  if (asked.family) add('family', '设备类别', family !== undefined, family?.name ?? '', '设备类别不存在')
  if (family && asked.params) {
    const errors = paramErrors(family, asked.params)
    add('params', '参数范围', errors.length === 0, '均在范围内', errors.map((e) => e.text).join('；'))
    const missing = missingParams(family, asked.params)
    add(
      'complete',
      '参数完整',
      missing.length === 0,
      '参数齐全',
      `缺少：${missing.slice(0, 8).join('、')}${missing.length > 8 ? ' 等' : ''}`,
    )
  }
  if (asked.id) {
    const { rows } = await sql<{ receivedAt: Date }>`select received_at from device_latest where device_id = ${asked.id}`.execute(ctx.db)
    const recent = rows[0] !== undefined && ctx.clock.now() - rows[0].receivedAt.getTime() < 3_600_000
    add('data', '最近一小时数据', recent, '已收到数据', '最近一小时没有数据')
  }
  const rows = asked.rows?.map((row, index) => ({ index, ...importErrors(row) }))
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
