import { AppError } from '@zhugong/contract/kit/errors'
import type * as calls from '@zhugong/contract/monitoring/video/video'
import { sql } from 'kysely'
import { AfterCommit } from '#kit/context'
import { pick } from '#kit/pick'
import type { HandlerOf } from '#kit/serve'
import { textOr } from '../shared/family.ts'
import { findMedia, type Media, mediaKey } from './media.ts'
import { findGb, type GbMedia, type GbServer, gbCameraOf, gbKey } from './media-gb.ts'

const usualConcurrent = 16

export const mediaAccount: HandlerOf<typeof calls.mediaAccount> = async (_input, ctx) => {
  const media = await findMedia(ctx)
  const gb = await findGb(ctx)
  return {
    configured: media !== undefined,
    provider: media?.provider ?? null,
    // Only operators may see the address of the media server.
    baseUrl: ctx.codes.has('system.set') ? (media?.baseUrl ?? null) : null,
    kind: media?.kind ?? null,
    updateTime: media?.updateTime ?? null,
    concurrent: media?.concurrent ?? usualConcurrent,
    gb: {
      configured: gb !== undefined,
      isOn: gb?.isOn ?? false,
      provider: gb?.provider ?? null,
      baseUrl: ctx.codes.has('system.set') ? (gb?.baseUrl ?? null) : null,
      updateTime: gb?.updateTime ?? null,
    },
  }
}

export const setGbAccount: HandlerOf<typeof calls.setGbAccount> = async ({ body }, ctx) => {
  const before = await findGb(ctx)
  const apiKey = body.apiKey === null ? before?.apiKey : ctx.secrets.seal(body.apiKey)?.toString('base64')
  if (!apiKey) throw new AppError('invalidInput', '请填写接口密钥', { field: 'apiKey' })
  // A key belongs to one server: it is not sent to another origin.
  if (body.apiKey === null && before && new URL(before.baseUrl).origin !== new URL(body.baseUrl).origin)
    throw new AppError('invalidInput', '地址换了服务器，请重新填写接口密钥', { field: 'apiKey' })
  const server: GbServer = { provider: body.provider, baseUrl: body.baseUrl, apiKey, isOn: body.isOn, updateTime: ctx.clock.now() }
  const value = JSON.stringify(server)
  await ctx.db
    .insertInto('setting')
    .values({ key: gbKey, value, updateBy: ctx.user.name })
    .onConflict((c) => c.column('key').doUpdateSet({ value, updateBy: ctx.user.name, updateTime: new Date(ctx.clock.now()) }))
    .execute()
  ctx.note(`设置国标流媒体服务：${body.provider}${body.isOn ? '' : '（停用）'}`)
}

const missingShown = 50

export const checkGb =
  (gb: GbMedia): HandlerOf<typeof calls.checkGb> =>
  async (_input, ctx) => {
    const server = await findGb(ctx)
    if (!server) throw new AppError('refused', '请先保存国标流媒体服务')
    const { rows } = await sql<{ name: string; projectName: string; params: Record<string, unknown> }>`
      select d.name, p.name as project_name, d.params from device d join project p on p.project_code = d.project_code
      where d.family = 'videoAi' and d.status = '1' order by p.name, d.name`.execute(ctx.db)
    return new AfterCommit(async () => {
      const { is: there, why } = await gb.devices(ctx, server)
      if (!there) return { devices: 0, online: 0, cameras: 0, known: 0, missing: [], why: why ?? '没有应答' }
      const missing = rows.filter((row) => !there.online.has(gbCameraOf(row.params)?.deviceId ?? ''))
      return {
        why: null,
        devices: there.total,
        online: [...there.online.values()].filter(Boolean).length,
        cameras: rows.length,
        known: rows.length - missing.length,
        missing: missing
          .slice(0, missingShown)
          .map(({ name, projectName, params }) => ({ name, projectName, gbDeviceId: textOr(params.gbDeviceId) })),
      }
    })
  }

export const setMediaAccount: HandlerOf<typeof calls.setMediaAccount> = async ({ body }, ctx) => {
  const media: Media = {
    ...pick(body, 'provider', 'baseUrl', 'kind', 'concurrent'),
    secret: ctx.secrets.seal(body.secret)?.toString('base64') ?? '',
    updateTime: ctx.clock.now(),
  }
  const value = JSON.stringify(media)
  await ctx.db
    .insertInto('setting')
    .values({ key: mediaKey, value, updateBy: ctx.user.name })
    .onConflict((c) => c.column('key').doUpdateSet({ value, updateBy: ctx.user.name, updateTime: new Date(ctx.clock.now()) }))
    .execute()
  ctx.note(`设置流媒体服务：${body.provider}`)
}
