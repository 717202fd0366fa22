import { AppError } from '@zhugong/contract/kit/errors'
import { ptzHoldSeconds } from '@zhugong/contract/monitoring/video/video'
import { talkSeconds } from '@zhugong/contract/monitoring/video/video-talk'
import { sql } from 'kysely'
import type { Context } from '#kit/context'

interface Turned {
  id: string
  projectCode: string
  family: string
  params: Readonly<Record<string, unknown>>
  online: boolean | null
}

/** Why a camera cannot be moved, as text for its panel. */
export function whyNotTurned({ family, params, online }: Turned, isNational: boolean): string | null {
  if (family !== 'videoAi' || String(params.ptz ?? '0') !== '1') return '这台摄像机没有云台'
  if (!isNational) return '云台需经国标流媒体服务控制：请平台管理员设置，并在档案填写 20 位国标编号'
  return online ? null : '摄像机离线，不能控制云台'
}

/** Why talking to a camera is impossible. Only the camera knows whether it has a loudspeaker: that is found out on the attempt. */
export function whyNotSpoken({ family, online }: Turned, isNational: boolean): string | null {
  if (family !== 'videoAi') return '只能向固定摄像机对讲'
  if (!isNational) return '对讲需经国标流媒体服务：请平台管理员设置，并在档案填写 20 位国标编号'
  return online ? null : '摄像机离线，不能对讲'
}

/** What one person at a time can do with a camera: table, duration and label. */
const current = {
  turning: { table: sql.table('video_hold'), seconds: ptzHoldSeconds, word: '控制云台' },
  speaking: { table: sql.table('video_talk'), seconds: talkSeconds, word: '对讲' },
} as const
type What = keyof typeof current

interface Hold {
  userId: string
  userName: string
  until: Date
}

/** Current holder. */
export async function holdOf(ctx: Context, what: What, deviceId: string) {
  const { rows } = await sql<Hold>`select user_id, user_name, until from ${current[what].table}
    where device_id = ${deviceId} and until > ${new Date(ctx.clock.now())}`.execute(ctx.db)
  const [hold] = rows
  return { holder: hold?.userName ?? null, isMine: hold?.userId === ctx.user.id, until: hold?.until.getTime() ?? null }
}

/** Reserves a camera for one person: concurrent moves or voices interfere. @throws AppError while another person holds it. */
export async function takeHold(ctx: Context, what: What, { id, projectCode }: Turned): Promise<void> {
  const { table, seconds, word } = current[what]
  const now = ctx.clock.now()
  const until = new Date(now + seconds * 1_000)
  const done = await sql`insert into ${table} as h (device_id, project_code, user_id, user_name, until)
    values (${id}, ${projectCode}, ${ctx.user.id}, ${ctx.user.name}, ${until})
    on conflict (device_id) do update set user_id = excluded.user_id, user_name = excluded.user_name, until = excluded.until
      where h.user_id = excluded.user_id or h.until <= ${new Date(now)}`.execute(ctx.db)
  if (done.numAffectedRows === 1n) return
  const { holder, until: last } = await holdOf(ctx, what, id)
  throw new AppError('refused', `${holder ?? '其他人'} 正在${word}，${Math.max(1, Math.ceil(((last ?? now) - now) / 1_000))} 秒后可接手`)
}

export async function endHold(ctx: Context, what: What, deviceId: string): Promise<void> {
  await sql`delete from ${current[what].table} where device_id = ${deviceId} and user_id = ${ctx.user.id}`.execute(ctx.db)
}
