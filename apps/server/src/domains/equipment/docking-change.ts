import type * as calls from '@zhugong/contract/equipment/docking-endpoints'
import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import { sql } from 'kysely'
import { changeRow, conflictOf } from '#kit/change-row'
import type { Context } from '#kit/context'
import type { HandlerOf } from '#kit/serve'
import { differences, noteChange } from './change-log.ts'
import { getDockingRow, givenOr, guarded, newKey, type Row, requireComplete } from './docking-store.ts'
import { requireSecretAgain } from './docking-try.ts'
import { matchExternal, recheckMatches } from './external-devices.ts'

export const createDocking: HandlerOf<typeof calls.createDocking> = async ({ body }, ctx) => {
  requireComplete(body)
  const id = ctx.newId()
  const pushSecret = body.connType === '2' ? newKey() : undefined
  await guarded(
    sql`insert into gateway3rd (id, code, name, vendor, conn_type, endpoint, http_method, auth_kind, auth_name, auth_secret, token_expire, schedule_minutes, mapping,
        model_match, project_match, push_secret, sample, remark, enable, create_time, create_by, update_time)
      values (${id}, ${body.code || `DK${id.slice(-8).toUpperCase()}`}, ${body.name}, ${body.vendor}, ${body.connType}, ${body.endpoint ?? null}, ${body.httpMethod},
        ${body.authKind}, ${body.authName ?? null}, ${ctx.secrets.seal(body.authSecret)}, ${body.tokenExpire ?? null}, ${body.scheduleMinutes},
        ${JSON.stringify(body.mapping)}::jsonb, ${JSON.stringify(body.modelMatch)}::jsonb, ${JSON.stringify(body.projectMatch)}::jsonb,
        ${ctx.secrets.seal(pushSecret)}, ${body.sample ?? null}, ${body.remark ?? null}, ${body.enable}, ${new Date(ctx.clock.now())}, ${ctx.user.name}, ${new Date(ctx.clock.now())})`.execute(
      ctx.db,
    ),
  )
  await noteChange(ctx, { subject: 'docking', id, act: '新增' })
  ctx.note(`新增第三方网关 ${body.name}`, id)
  return { id, pushSecret: pushSecret || undefined }
}

export const updateDocking: HandlerOf<typeof calls.updateDocking> = async ({ params, body }, ctx) => {
  const row = await getDockingRow(ctx, params.id)
  if (body.version !== undefined && body.version !== row.version) throw await conflictOf(ctx, 'gateway3rd', { id: row.id }, '第三方网关')
  if (body.match) {
    const deviceId = await matchExternal(ctx, row, body.match)
    return { id: row.id, deviceId: deviceId || undefined }
  }
  if (body.sync) return { id: row.id, runId: await askForRun(ctx, row, body.sync) }
  const connType = body.connType ?? row.connType
  requireComplete({ connType, endpoint: body.endpoint === undefined ? row.endpoint : body.endpoint })
  requireSecretAgain(body.endpoint === undefined ? row.endpoint : body.endpoint, row, body.authSecret)
  const pushSecret = body.renewSecret || (connType === '2' && row.connType !== '2') ? newKey() : undefined
  await guarded(
    changeRow(ctx, 'gateway3rd', {
      key: { id: row.id },
      version: row.version,
      noun: '第三方网关',
      by: ctx.user.name,
      values: {
        code: body.code || row.code,
        name: body.name ?? row.name,
        vendor: body.vendor ?? row.vendor,
        connType,
        endpoint: givenOr(body.endpoint, row.endpoint),
        httpMethod: body.httpMethod ?? row.httpMethod,
        authKind: body.authKind ?? row.authKind,
        authName: givenOr(body.authName, row.authName),
        authSecret: sql`coalesce(${ctx.secrets.seal(body.authSecret)}::bytea, auth_secret)`,
        tokenExpire: givenOr(body.tokenExpire, row.tokenExpire),
        scheduleMinutes: body.scheduleMinutes ?? row.scheduleMinutes,
        mapping: JSON.stringify(body.mapping ?? row.mapping),
        modelMatch: JSON.stringify(body.modelMatch ?? row.modelMatch),
        projectMatch: JSON.stringify(body.projectMatch ?? row.projectMatch),
        pushSecret: sql`coalesce(${ctx.secrets.seal(pushSecret)}::bytea, push_secret)`,
        sample: givenOr(body.sample, row.sample),
        remark: givenOr(body.remark, row.remark),
        enable: body.enable ?? row.enable,
      },
    }),
  )
  if (body.modelMatch || body.projectMatch) await recheckMatches(ctx, row.id)
  const detail = differences<Record<string, unknown>>(
    {
      name: '名称',
      vendor: '厂商',
      connType: '接入方式',
      endpoint: '接口地址',
      authKind: '鉴权方式',
      tokenExpire: '凭证到期',
      scheduleMinutes: '间隔（分钟）',
      mapping: '字段映射',
      modelMatch: '型号映射',
      projectMatch: '项目映射',
      enable: '启用',
    },
    row as unknown as Record<string, unknown>,
    body as Record<string, unknown>,
  )
  await noteChange(ctx, { subject: 'docking', id: row.id, act: body.authSecret || pushSecret ? '更新凭证' : '修改', detail })
  ctx.note(`修改第三方网关 ${row.name}`, row.id)
  return { id: row.id, pushSecret: pushSecret || undefined }
}

export const removeDocking: HandlerOf<typeof calls.removeDocking> = async ({ params }, ctx) => {
  const row = await getDockingRow(ctx, params.id)
  await sql`delete from gateway3rd where id = ${row.id}`.execute(ctx.db)
  ctx.note(`删除第三方网关 ${row.name}`, row.id)
}

export const switchDocking: HandlerOf<typeof calls.switchDocking> = async ({ body }, ctx) => {
  const row = await getDockingRow(ctx, body.id)
  await changeRow(ctx, 'gateway3rd', {
    key: { id: row.id },
    version: row.version,
    noun: '第三方网关',
    by: ctx.user.name,
    values: { enable: body.status },
  })
  await noteChange(ctx, { subject: 'docking', id: row.id, act: body.status === '1' ? '启用' : '停用' })
  ctx.note(`${body.status === '1' ? '启用' : '停用'}第三方网关 ${row.name}`, row.id)
}

export const copyDocking: HandlerOf<typeof calls.copyDocking> = async ({ params }, ctx) => {
  const row = await getDockingRow(ctx, params.id)
  const id = ctx.newId()
  const pushSecret = row.connType === '2' ? newKey() : undefined
  // Credentials are not copied; each docking has its own.
  await sql`insert into gateway3rd (id, code, name, vendor, conn_type, endpoint, http_method, auth_kind, auth_name, token_expire, schedule_minutes, mapping, model_match,
      project_match, push_secret, sample, remark, enable, create_time, create_by, update_time)
    select ${id}, ${`DK${id.slice(-8).toUpperCase()}`}, ${`${row.name} 副本`.slice(0, 100)}, vendor, conn_type, endpoint, http_method, auth_kind, auth_name, token_expire,
      schedule_minutes, mapping, model_match, project_match, ${ctx.secrets.seal(pushSecret)}::bytea, sample, remark, '0', ${new Date(ctx.clock.now())}, ${ctx.user.name},
      ${new Date(ctx.clock.now())} from gateway3rd where id = ${row.id}`.execute(ctx.db)
  await noteChange(ctx, { subject: 'docking', id, act: `由 ${row.name} 复制` })
  ctx.note(`复制第三方网关 ${row.name}`, id)
  return { id, pushSecret: pushSecret || undefined }
}

/** Queues a run for the jobs role, so that the request does not wait for another platform. */
export async function askForRun(
  ctx: Context,
  row: Row,
  requested: { from?: string | undefined; to?: string | undefined },
): Promise<string> {
  if (row.connType !== '3') throw new AppError('refused', '推送方式由对方发起，不能由平台拉取')
  const { rows } =
    await sql`select 1 from gateway3rd_run where gateway_id = ${row.id} and result in ('waiting', 'running') and at > ${new Date(ctx.clock.now() - 120_000)}`.execute(
      ctx.db,
    )
  if (rows.length) throw new AppError('refused', '同步正在进行，请稍后查看同步记录')
  const id = ctx.newId()
  const period = {
    from: requested.from ? parseInstant(requested.from) : undefined,
    to: requested.to ? parseInstant(requested.to) : undefined,
  }
  await sql`insert into gateway3rd_run (id, gateway_id, cause, at, result, refused) values (${id}, ${row.id}, 'manual', ${new Date(ctx.clock.now())}, 'waiting', ${JSON.stringify([period])}::jsonb)`.execute(
    ctx.db,
  )
  ctx.note(`立即同步 ${row.name}`, row.id)
  return id
}
