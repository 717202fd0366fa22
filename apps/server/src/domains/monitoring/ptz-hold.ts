import { AppError } from '@zhugong/contract/kit/errors'
import { ptzHoldSeconds } from '@zhugong/contract/monitoring/video'
import { sql } from 'kysely'
import type { Context } from '#kit/context'

interface Turned {
  id: string
  projectCode: string
  family: string
  params: Readonly<Record<string, unknown>>
  online: boolean | null
}

/** Why a camera cannot be turned from here, in the words of its panel. */
export function whyNotTurned({ family, params, online }: Turned, isNational: boolean): string | null {
  if (family !== 'videoAi' || String(params.ptz ?? '0') !== '1') return '这台摄像机没有云台'
  if (!isNational) return '云台需经国标流媒体服务控制：请平台管理员设置，并在档案填写 20 位国标编号'
  return online ? null : '摄像机离线，不能控制云台'
}

interface Hold {
  userId: string
  userName: string
  until: Date
}

/** Who turns it now. */
export async function holdOf(ctx: Context, deviceId: string) {
  const { rows } = await sql<Hold>`select user_id, user_name, until from video_hold
    where device_id = ${deviceId} and until > ${new Date(ctx.clock.now())}`.execute(ctx.db)
  const [hold] = rows
  return { holder: hold?.userName ?? null, isMine: hold?.userId === ctx.user.id, until: hold?.until.getTime() ?? null }
}

/** Two hands at one camera turn it nowhere: whoever came first has it until he has been still for a while. Throws AppError. */
export async function takeHold(ctx: Context, { id, projectCode }: Turned): Promise<void> {
  const now = ctx.clock.now()
  const until = new Date(now + ptzHoldSeconds * 1_000)
  const done = await sql`insert into video_hold (device_id, project_code, user_id, user_name, until)
    values (${id}, ${projectCode}, ${ctx.user.id}, ${ctx.user.name}, ${until})
    on conflict (device_id) do update set user_id = excluded.user_id, user_name = excluded.user_name, until = excluded.until
      where video_hold.user_id = excluded.user_id or video_hold.until <= ${new Date(now)}`.execute(ctx.db)
  if (done.numAffectedRows === 1n) return
  const { holder, until: held } = await holdOf(ctx, id)
  throw new AppError('refused', `${holder ?? '其他人'} 正在控制云台，${Math.max(1, Math.ceil(((held ?? now) - now) / 1_000))} 秒后可接手`)
}
