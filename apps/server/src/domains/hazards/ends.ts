import { openPermits, overduePermit, type PermitState, permitMoves } from '@zhugong/contract/hazards/permit-moves'
import { permitTypes } from '@zhugong/contract/hazards/permit-rules'
import { minuteMs } from '@zhugong/contract/kit/time'
import { sql } from 'kysely'
import { asProduct, type BackgroundDependencies } from '#kit/background'
import { changeRow } from '#kit/change-row'
import { formatInstant } from '#kit/clock'
import type { Config } from '#kit/config'
import type { Context } from '#kit/context'
import { tellKeepers } from '../notify/public.ts'
import { replaceTodos, writeLog } from '../process/public.ts'
import { askIngest } from '../telemetry/public.ts'
import { type Permit, permitKind, permitPage, permitType, readPermitRow } from './permit-kind.ts'

/** Permits ended in one look; the next look follows at once. */
const atOnce = 200
/** A call that the guardian hears later than this tells him nothing. */
const heardWithinMs = 5 * minuteMs

type Ends = BackgroundDependencies & {
  /** Socket of the ingest, which reaches the guardian's helmet; without it he is told by the site's messages only. */
  reach?: Pick<Config, 'ingestSocket'>
}

/** A clock that is set by hand or by its source may differ by this much from one look to the next. */
const clockSlackMs = 2 * minuteMs

/**
 * A permit that ended although its time is not over was ended by a clock that ran ahead: it goes on as it was, with a line that says so. Its
 * guardian was called to stop for nothing, and its end comes again. Returns the number.
 */
async function goOn(deps: Ends): Promise<number> {
  const early = new Date(deps.clock.now() + clockSlackMs)
  const { rows } = await sql<{ id: string }>`select id from work_permit where state = ${overduePermit} and closes_by > ${early}
    order by id limit ${atOnce}`.execute(deps.db)
  let reopened = 0
  for (const { id } of rows)
    reopened += await goOnWith(deps, id, early).catch((error: unknown) => {
      deps.log.error({ err: error, id }, 'work permit not reopened')
      return 0
    })
  return reopened
}

async function goOnWith(deps: Ends, id: string, early: Date): Promise<number> {
  return asProduct(deps, { userId: '', name: '系统', groupId: '' }, async (ctx) => {
    const { rows } = await sql<{ before: PermitState | null }>`select (select l.from_state from process_log l
        where l.kind = ${permitType} and l.object_id = w.id and l.action = 'overdue' order by l.at desc, l.id desc limit 1) as before
      from work_permit w where w.id = ${id} and w.state = ${overduePermit} and w.closes_by > ${early} for update skip locked`.execute(
      ctx.db,
    )
    const before = rows[0]?.before
    if (!before) return 0
    const values = { state: before, late: false, updateTime: new Date(ctx.clock.now()) }
    await changeRow(ctx, 'workPermit', { key: { id }, version: null, noun: permitKind.noun, by: null, values })
    const row = await readPermitRow(ctx, id)
    const opinion = `服务器时钟曾超前，未到 ${formatInstant(row.endTime).slice(5, 16)} 结束时间`
    await writeLog(ctx, permitType, row, { action: 'goOn', from: overduePermit, to: before, opinion })
    await replaceTodos(ctx, permitKind, row)
    return 1
  })
}

/**
 * Ends approved and running permits whose time is over, and calls their guardians. Runs every minute; two at once end each permit once.
 * What is over is asked of the clock again under the lock, so that a permit that was prolonged meanwhile goes on. Returns the number.
 */
export async function endOverdue(deps: Ends): Promise<number> {
  await goOn(deps)
  let ended = 0
  const failed: string[] = []
  for (;;) {
    const { rows } = await sql<{ id: string }>`select id from work_permit where state = any (${[...openPermits]})
      and closes_by <= ${new Date(deps.clock.now())} and id <> all (${failed}) order by closes_by, id limit ${atOnce}`.execute(deps.db)
    if (rows.length === 0) return ended
    for (const { id } of rows) {
      // One permit that cannot be ended must not keep the others open.
      const one = await endOne(deps, id).catch((error: unknown) => {
        deps.log.error({ err: error, id }, 'work permit not ended')
        return undefined
      })
      if (one) ended++
      else failed.push(id)
    }
  }
}

async function endOne(deps: Ends, id: string): Promise<boolean> {
  let helmet: string | undefined
  let said = ''
  const ended = await asProduct(deps, { userId: '', name: '系统', groupId: '' }, async (ctx) => {
    const now = new Date(ctx.clock.now())
    const { rows } = await sql<{ state: PermitState }>`select state from work_permit where id = ${id}
      and state = any (${[...openPermits]}) and closes_by <= ${now} for update skip locked`.execute(ctx.db)
    const before = rows[0]
    if (!before) return false
    const values = { state: overduePermit, late: true, extendTo: null, extendReason: null, updateTime: now }
    await changeRow(ctx, 'workPermit', { key: { id }, version: null, noun: permitKind.noun, by: null, values })
    const row = await readPermitRow(ctx, id)
    const guardian = row.facts.people.find((one) => one.role === 'guardian')
    await writeLog(ctx, permitType, row, {
      action: 'overdue',
      from: before.state,
      to: overduePermit,
      opinion: guardian ? `已提醒监护人${guardian.name}` : null,
    })
    await replaceTodos(ctx, permitKind, row)
    said = wordsFor(row)
    await tell(ctx, row, said)
    if (guardian) helmet = await helmetOf(ctx, row.projectCode, guardian.workerId)
    return true
  })
  if (ended && helmet && deps.reach) await callHelmet(deps, deps.reach, helmet, said)
  return ended
}

const wordsFor = (row: Permit) =>
  `${permitTypes[row.type]?.name ?? '作业'}已到 ${formatInstant(row.endTime).slice(11, 16)} 结束时间，请停止作业并确认完工`

async function tell(ctx: Context, row: Permit, text: string): Promise<void> {
  const { projectCode, corpCode } = row
  const link = permitPage(row.id)
  const title = `作业票超时未关闭：${row.part}`
  await tellKeepers(ctx, { projectCode, corpCode, code: permitMoves.start.needs, title, text, link, kind: 'due' })
}

/** The helmet that a person of the site wears, if it can be reached. */
async function helmetOf(ctx: Pick<Context, 'db'>, projectCode: string, workerId: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`select d.id from device d join device_latest l on l.device_id = d.id
    where d.project_code = ${projectCode} and d.family = 'smartHelmet' and d.status = '1' and l.online
      and d.params ->> 'workerId' = ${workerId} limit 1`.execute(ctx.db)
  return rows[0]?.id
}

/** A helmet that does not answer delays nothing: the permit has ended, and the site has its message. */
async function callHelmet(deps: Ends, reach: Pick<Config, 'ingestSocket'>, deviceId: string, text: string): Promise<void> {
  const now = deps.clock.now()
  const request = {
    deviceId,
    cmdId: `permit${deviceId.slice(0, 12)}${now}`,
    cmd: 'helmet.text',
    params: { text },
    expireAt: now + heardWithinMs,
    by: '作业票',
  }
  await askIngest(reach, '/command', request).catch((error: unknown) => deps.log.warn({ err: error }, 'guardian not called'))
}
