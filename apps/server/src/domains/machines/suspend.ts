import { machineMoves } from '@zhugong/contract/machines/moves'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import type { Context } from '#kit/context'
import { tellKeepers } from '../notify/public.ts'
import { replaceTodos, writeLog } from '../process/public.ts'
import { machineKind, pageOf, source } from './kind.ts'
import { keepStage, type Test, tested } from './writes.ts'

interface Cause {
  /** `check`: an inspection found it unfit; `alarm`: telemetry did. */
  by: 'check' | 'alarm'
  reason: string
}

/** The stay that is in use, by its own id or by the telemetry device that watches it. */
async function stayOf(ctx: Pick<Context, 'db'>, by: { stayId: string } | { deviceId: string }, state: string): Promise<string | undefined> {
  const where = 'stayId' in by ? sql`id = ${by.stayId}` : sql`device_id = ${by.deviceId}`
  const { rows } = await sql<{ id: string }>`select id from machine_stay where ${where} and state = ${state} limit 1`.execute(ctx.db)
  return rows[0]?.id
}

/**
 * Suspends a machine as the effect of an inspection (停用整改) or an alarm, in the transaction of the caller, whose right it is. Returns whether
 * it was in use.
 */
export async function suspendMachine(
  ctx: Context,
  by: { stayId: string } | { deviceId: string },
  { by: kind, reason }: Cause,
): Promise<boolean> {
  const id = await stayOf(ctx, by, '6')
  if (!id) return false
  await moveAlone(ctx, id, { action: 'autoSuspend', to: '7', values: { suspendKind: kind, suspendReason: reason }, reason })
  return true
}

/** Marks a machine as beyond repair: it is suspended where it is in use, and neither resumed nor brought to another site. */
export async function scrapMachine(ctx: Context, stayId: string, reason: string): Promise<void> {
  const at = new Date(ctx.clock.now())
  await sql`update special_machine m set scrapped_at = coalesce(m.scrapped_at, ${at}) from machine_stay s where s.id = ${stayId} and m.id = s.machine_id`.execute(
    ctx.db,
  )
  await suspendMachine(ctx, { stayId }, { by: 'check', reason })
}

/** Resumes a machine that an inspection or alarm suspended, when its cause is gone; one that an officer suspended stays suspended. */
export async function resumeMachine(
  ctx: Context,
  by: { stayId: string } | { deviceId: string },
  { by: kind, reason }: Cause,
): Promise<boolean> {
  const id = await stayOf(ctx, by, '7')
  if (!id) return false
  const row = await machineKind.lock(ctx, id)
  if (row.suspendKind !== kind || machineKind.hinder(ctx, row, 'resume') !== undefined) return false
  await moveAlone(ctx, id, { action: 'autoResume', to: '6', values: { suspendKind: null, suspendReason: null }, reason })
  return true
}

/** A test that a check of the machine brought: its day, organisation and report become those of the machine, unless it has a newer one. */
export async function recordTest(ctx: Context, stayId: string, test: Test): Promise<void> {
  const row = await machineKind.lock(ctx, stayId)
  const { from } = machineMoves.retest
  if (!from.some((state) => state === row.state) || (row.inspectDate !== null && test.inspectDate < row.inspectDate)) return
  const values = await tested(ctx, row, test)
  await keepStage(ctx, row, 'retest', { date: test.inspectDate, unit: test.inspectOrg, files: values.inspectReport })
  const opinion = `${test.inspectOrg} ${test.inspectDate}，下次检验 ${values.nextInspectDate}`
  await changeRow(ctx, 'machineStay', { key: { id: stayId }, version: row.version, noun: machineKind.noun, by: ctx.user.id, values })
  const after = await machineKind.lock(ctx, stayId)
  await writeLog(ctx, source, after, { action: 'retest', from: row.state, to: row.state, opinion })
  await replaceTodos(ctx, machineKind, after)
}

interface Alone {
  action: 'autoSuspend' | 'autoResume'
  to: '6' | '7'
  values: { suspendKind: 'check' | 'alarm' | null; suspendReason: string | null }
  reason: string
}

async function moveAlone(ctx: Context, id: string, { action, to, values, reason }: Alone): Promise<void> {
  const row = await machineKind.lock(ctx, id)
  await changeRow(ctx, 'machineStay', {
    key: { id },
    version: row.version,
    noun: machineKind.noun,
    by: ctx.user.id,
    values: { ...values, state: to },
  })
  const after = await machineKind.lock(ctx, id)
  await writeLog(ctx, source, after, { action, from: row.state, to, opinion: reason })
  await replaceTodos(ctx, machineKind, after)
  const title = to === '7' ? '起重机械已停用' : '起重机械恢复使用'
  const { projectCode, corpCode } = after
  await tellKeepers(ctx, {
    projectCode,
    corpCode,
    code: machineMoves.save.needs,
    title,
    text: `${after.name}：${reason}`,
    link: pageOf(id),
    kind: source,
  })
}
