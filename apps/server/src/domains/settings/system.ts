import { exportStatus } from '@zhugong/contract/exports/endpoints'
import { AppError } from '@zhugong/contract/kit/errors'
import * as contract from '@zhugong/contract/settings/system'
import { sql } from 'kysely'
import { changedMeanwhile } from '#kit/change-row'
import { formatInstant } from '#kit/clock'
import type { Config } from '#kit/config'
import { AfterCommit, type Context } from '#kit/context'
import type { HandlerOf, Serve } from '#kit/serve'
import { isAdminAddress } from '../identity/public.ts'
import { version } from './profile.ts'

/** The installation's mail and SMS channels; undefined if not configured. */
export interface ChannelSenders {
  mail: { send(to: string, title: string, text: string, id: string): Promise<void> } | undefined
  sms: { send(phone: string, text: string, id: string): Promise<void> } | undefined
}

/** Settings of the whole deployment, made by the operator. */
export function systemRoutes(serve: Serve, config: Config, senders: ChannelSenders) {
  serve(contract.getSystem, async (_input, ctx) => {
    const [safety, retention] = [await partOf(ctx, 'safety'), await partOf(ctx, 'retention')]
    return {
      safety: { value: contract.safety.parse(safety.value), ...safety.last },
      retention: { value: contract.retention.parse(retention.value), ...retention.last },
      channels: { mail: senders.mail !== undefined, sms: senders.sms !== undefined },
      status: await statusOf(ctx, config),
    }
  })
  serve(contract.setSystem, setSystem)
  serve(contract.tryChannel, async ({ body }, ctx) => {
    const words = `这是一条测试消息，由 ${ctx.user.name} 发出。`
    const { mail, sms } = senders
    const isMail = body.channel === 'mail'
    if (!(isMail ? mail : sms)) throw new AppError('refused', isMail ? '本平台未接入邮件' : '本平台未接入短信', { field: 'to' })
    ctx.note(`测试通知渠道 ${isMail ? '邮件' : '短信'}`)
    return new AfterCommit(async () => {
      try {
        await (isMail ? mail?.send(body.to, '筑工 通知渠道测试', words, ctx.newId()) : sms?.send(body.to, words, ctx.newId()))
      } catch (error) {
        ctx.log.warn({ err: error }, 'a channel was tried in vain')
        throw new AppError('refused', '发送失败：对方未接收，请核对渠道配置', { field: 'to' })
      }
      return undefined
    })
  })
}

type Part = 'safety' | 'retention'

async function partOf(ctx: Pick<Context, 'system'>, part: Part) {
  const row = await ctx.system.selectFrom('setting').selectAll().where('key', '=', part).executeTakeFirst()
  const { version: kept, by, ...value } = row?.value ?? {}
  return {
    value,
    last: {
      version: typeof kept === 'number' ? kept : 0,
      updateBy: typeof by === 'string' ? by : null,
      updateTime: row ? formatInstant(row.updateTime) : null,
    },
  }
}

const partNames: Readonly<Record<Part, string>> = { safety: '安全策略', retention: '数据保留' }

const setSystem: HandlerOf<typeof contract.setSystem> = async ({ body: { part, value, version: before } }, ctx) => {
  if (part === 'safety' && !isAdminAddress(value.adminAddresses, ctx.ip))
    throw new AppError('refused', `名单不含您现在的地址 ${ctx.ip}，保存后您自己也不能再登录`, { field: 'value.adminAddresses' })
  const text = JSON.stringify({ ...value, by: ctx.user.name, version: before + 1 })
  const done = await sql`
    insert into setting (key, value, update_by, update_time) values (${part}, ${text}::jsonb, ${ctx.user.id}, ${new Date(ctx.clock.now())})
    on conflict (key) do update set value = excluded.value, update_by = excluded.update_by, update_time = excluded.update_time
    where coalesce((setting.value ->> 'version')::int, 0) = ${before}`.execute(ctx.db)
  if (done.numAffectedRows === 0n) throw changedMeanwhile('设置')
  ctx.note(
    `修改系统设置：${partNames[part]} ${Object.entries(value)
      .map(([key, one]) => `${key}=${one}`)
      .join('，')}`,
    part,
  )
  return undefined
}

async function statusOf(ctx: Pick<Context, 'system'>, config: Config) {
  const { rows } = await sql<{ version: string; size: string; sessions: number; exports: number }>`
    select current_setting('server_version') as version, pg_size_pretty(pg_database_size(current_database())) as size,
      (select count(*)::int from session where expires_at > now()) as sessions,
      (select count(*)::int from export_task where status = ${exportStatus.running}) as exports`.execute(ctx.system)
  const found = rows[0]
  return [
    { label: '产品版本', value: version },
    { label: '运行方式', value: config.mode === 'demo' ? '演示' : '生产' },
    { label: '数据库', value: `PostgreSQL ${found?.version ?? ''}` },
    { label: '数据库大小', value: found?.size ?? '' },
    { label: '在线会话', value: `${found?.sessions ?? 0} 个` },
    { label: '进行中的导出', value: `${found?.exports ?? 0} 个` },
  ]
}
