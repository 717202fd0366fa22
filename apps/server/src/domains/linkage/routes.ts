import { AppError } from '@zhugong/contract/kit/errors'
import { blockMinutes, runStates } from '@zhugong/contract/linkage/codes'
import * as calls from '@zhugong/contract/linkage/endpoints'
import { linkagePart } from '@zhugong/contract/rules/exec-model'
import { sql } from 'kysely'
import { type Context, found, projectsFor } from '#kit/context'
import { allOf, inProjects, pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { logAlarms } from '../alarms/public.ts'
import { findExec } from '../rules/public.ts'
import { blockText, cooldownText } from './decide.ts'
import { holdingText, judgeInterlocks, readSite, unknownText } from './interlocks.ts'
import { sprayPlanRoutes } from './spray-plans.ts'
import { commandName } from './step-result.ts'
import { findRun, findRuns, toRun } from './store.ts'
import { type SiteDevice, selectTargets } from './targets.ts'
import { blockOf, cooldownOf } from './world.ts'

export function linkageRoutes(serve: Serve): void {
  serve(calls.listLinkageRuns, ({ query }, ctx) => {
    const filter = { ...query, projects: projectsFor(ctx, query.projectCode) }
    return findRuns(ctx.db, filter, pageSlice(query), ctx.clock.now())
  })

  serve(calls.confirmLinkage, confirmLinkage)
  serve(calls.stopLinkage, stopLinkage)
  serve(calls.trialLinkage, trialLinkage)
  sprayPlanRoutes(serve)
}

const confirmLinkage: HandlerOf<typeof calls.confirmLinkage> = async ({ params, query }, ctx) => {
  const run = await getRun(ctx, params.id, query.projectCode)
  const now = ctx.clock.now()
  if (run.state !== 'waitingConfirm') throw new AppError('refused', `联动${runStates[run.state]}，不在等待确认`, { state: run.state })
  if (run.confirmUntil && run.confirmUntil.getTime() <= now) throw new AppError('refused', '确认已超过时限，联动不再启动')
  await sql`update linkage_run set state = 'starting', confirmed_by = ${ctx.user.name}, reason = ${`${ctx.user.name}已确认`}, due_at = ${new Date(now)}, wake = true
      where id = ${run.id}`.execute(ctx.db)
  const { rows: alarms } = await sql<{ alarmId: string }>`select alarm_id from linkage_run_alarm where run_id = ${run.id}`.execute(ctx.db)
  const text = `${run.execName} · ${run.deviceName}：确认启动`
  await logAlarms(
    ctx.db,
    alarms.map((a) => a.alarmId),
    { at: now, event: 'linkage', text, byName: ctx.user.name },
  )
  ctx.note(`确认联动：${run.execName}（${run.deviceName}）`, run.id)
  return reported(ctx, run.id)
}

const stopLinkage: HandlerOf<typeof calls.stopLinkage> = async ({ params, query, body }, ctx) => {
  const run = await getRun(ctx, params.id, query.projectCode)
  if (run.state === 'ended') throw new AppError('refused', '联动已结束', { state: run.state })
  const at = new Date(ctx.clock.now())
  await sql`update linkage_run set stop_by = ${ctx.user.name}, stop_reason = ${body.reason}, due_at = ${at}, wake = true where id = ${run.id}`.execute(
    ctx.db,
  )
  await sql`insert into linkage_block (device_id, project_code, until_time, reason, by_name, create_time)
      values (${run.deviceId}, ${run.projectCode}, ${new Date(at.getTime() + blockMinutes * 60_000)}, ${body.reason}, ${ctx.user.name}, ${at})
      on conflict (device_id) do update set project_code = excluded.project_code, until_time = excluded.until_time, reason = excluded.reason,
        by_name = excluded.by_name, create_time = excluded.create_time`.execute(ctx.db)
  ctx.note(`人工停止联动：${run.execName}（${run.deviceName}），${body.reason}`, run.id)
  return reported(ctx, run.id)
}

const trialLinkage: HandlerOf<typeof calls.trialLinkage> = async ({ params, body }, ctx) => {
  const exec = await findExec(ctx, params.id)
  const { rows } = await sql<{ id: string; projectCode: string }>`select id, project_code from device
      where id = ${body.deviceId} and ${allOf(...inProjects('project_code', projectsFor(ctx)))}`.execute(ctx.db)
  const source = found(rows[0], '设备')
  if (exec.kind !== 'linkage') throw new AppError('refused', '不是联动动作')
  const parsed = linkagePart.safeParse(exec.definition)
  if (!parsed.success) throw new AppError('refused', parsed.error.issues[0]?.message ?? '动作内容不正确')
  const linkage = parsed.data
  if (exec.projectCode !== null && exec.projectCode !== source.projectCode) throw new AppError('refused', '设备不属于此动作的项目')
  const targets = await selectTargets(ctx.db, linkage, source.id, source.projectCode)
  const now = ctx.clock.now()
  const looked = []
  for (const target of targets) looked.push(await tryOut(ctx, linkage, target, now))
  return { command: linkage.command, commandName: commandName(linkage.command), targets: looked }
}

async function tryOut(ctx: Context, linkage: ReturnType<typeof linkagePart.parse>, target: SiteDevice, now: number) {
  const verdicts = judgeInterlocks(linkage.interlocks, await readSite(ctx.db, target.projectCode, target.id), target.id, now)
  const { rows: live } =
    await sql`select 1 from linkage_run where device_id = ${target.id} and command = ${linkage.command} and state <> 'ended'`.execute(
      ctx.db,
    )
  const block = await blockOf(ctx.db, target.id, linkage.stopCommand, now)
  const cooldown = await cooldownOf(ctx.db, target.id, linkage.command, now)
  const holding = holdingText(verdicts)
  const outcome = (): { would: 'start' | 'confirm' | 'join' | 'hold' | 'blocked'; reason: string } => {
    if (live.length) return { would: 'join', reason: '正在联动，告警将加入' }
    if (block) return { would: 'blocked', reason: blockText(block) }
    if (cooldown !== undefined) return { would: 'hold', reason: cooldownText(cooldown) }
    if (holding) return { would: 'hold', reason: holding }
    const unknown = unknownText(verdicts)
    return linkage.confirm === 'person' ? { would: 'confirm', reason: '人工确认后启动' } : { would: 'start', reason: unknown }
  }
  return { deviceId: target.id, deviceName: target.name, family: target.family, online: target.online, ...outcome(), interlocks: verdicts }
}

async function getRun(ctx: Context, id: string, projectCode?: string) {
  return found(await findRun(ctx.db, id, projectsFor(ctx, projectCode)), '联动记录')
}

/** Notifies the linkage workers on commit. */
async function reported(ctx: Context, id: string) {
  await sql`select pg_notify('zg_linkage', ${id})`.execute(ctx.db)
  return toRun(await getRun(ctx, id), ctx.clock.now())
}
