import type { RunResult } from '@zhugong/contract/linkage/codes'
import { linkagePart } from '@zhugong/contract/rules/exec-model'
import { commandResults } from '@zhugong/contract/telemetry/commands'
import { sql } from 'kysely'
import type { Database, Tx } from '#kit/db'
import { newId } from '#kit/ids'
import type { Log } from '#kit/log'
import { writeAlarmOps } from '../alarms/public.ts'
import { decide, type Facts, type Step, tries } from './decide.ts'
import { beginFor, failedKey, takeHappenings } from './happenings.ts'
import { dustOf, holdingText, judgeInterlocks, readSite, type SiteReading, unknownText, type Verdict } from './interlocks.ts'
import { linkageName, type Run, runColumns, stillOpen } from './run.ts'
import { commandName, type Told, tell } from './told.ts'
import { blockOf, cooldownOf } from './world.ts'

export interface SentCommand {
  deviceId: string
  cmdId: string
  cmd: string
  params: Record<string, unknown>
  expireAt: number
  by: string
}
/** The way to a device: the ingest, which knows who speaks what. */
export type SendCommand = (command: SentCommand) => Promise<{ result: number; message: string }>

export interface RunnerDependencies {
  database: Database
  log: Log
  send: SendCommand
  now(): number
}

/** Whoever looks at a run is believed to be at it this long; a device answers within eleven seconds. */
const claimMs = 60_000
const atOnce = 20
/** A command is carried out within this time or not at all; just below the ingest's own patience, so that each try is one command. */
const expireMs = 9_500
const againMs = 5_000
const stopAgainMs = 60_000

interface Claimed {
  run: Run
  claim: string
}
/** A run with what was seen around it. */
interface Seen extends Claimed {
  facts: Facts
  alarmIds: string[]
  alarmDevices: string[]
  site: SiteReading[]
  verdicts: Verdict[]
  now: number
}

/** Carries runs from alarm to stop. Nothing is held in memory but what is being sent: any number of these may work side by side. */
export class LinkageRunner {
  private readonly deps: RunnerDependencies
  private readonly flying = new Set<Promise<void>>()

  constructor(deps: RunnerDependencies) {
    this.deps = deps
  }

  /** Takes what has happened and looks at every run that is due; resolves when all of it is done. */
  async turn(): Promise<void> {
    await this.take()
    await this.pump()
    await this.settled()
  }

  async take(): Promise<void> {
    while (await takeHappenings(this.deps.database.kysely, this.deps.log, this.deps.now()));
  }

  /** Sets off whatever is due, without waiting for devices to answer. */
  async pump(): Promise<void> {
    for (const claimed of await this.claim(atOnce - this.flying.size)) {
      const work = this.look(claimed)
        .catch((error: unknown) => this.deps.log.warn({ err: error, run: claimed.run.id }, 'linkage run'))
        .finally(() => this.flying.delete(work))
      this.flying.add(work)
    }
  }

  async settled(): Promise<void> {
    while (this.flying.size) await Promise.all(this.flying)
  }

  private async claim(most: number): Promise<Claimed[]> {
    if (most <= 0) return []
    const now = this.deps.now()
    const claim = newId(now)
    const { rows } = await sql<Run>`update linkage_run r set claim = ${claim}, claimed_until = ${new Date(now + claimMs)}, wake = false
      where r.id in (select id from linkage_run where state <> 'ended' and due_at <= ${new Date(now)} and (claimed_until is null or claimed_until <= ${new Date(now)})
        order by due_at limit ${most} for update skip locked)
      returning ${runColumns}`.execute(this.deps.database.kysely)
    return rows.map((run) => ({ run, claim }))
  }

  private async look({ run, claim }: Claimed): Promise<void> {
    // What is stored passes the contract's own check once more before anything moves.
    const parsed = linkagePart.safeParse(run.definition)
    if (!parsed.success || parsed.data.command !== run.command) {
      await this.settle(
        run,
        claim,
        sql`state = 'ended', result = 'refused', reason = '安全关键动作不由云端执行', end_time = ${new Date(this.deps.now())}`,
      )
      return
    }
    const seen = await this.see({ run: { ...run, definition: parsed.data }, claim })
    const step = decide(seen.run, seen.facts)
    await this.carryOut(seen, step)
  }

  private async see({ run, claim }: Claimed): Promise<Seen> {
    const db = this.deps.database.kysely
    const now = this.deps.now()
    const { rows: joined } = await sql<{ id: string; deviceId: string; open: boolean }>`
      select a.id, a.device_id, ${stillOpen(new Date(now))} as open from linkage_run_alarm j join alarm a on a.id = j.alarm_id
      where j.run_id = ${run.id} order by j.joined_at, a.id`.execute(db)
    const { rows: aside } = await sql<{ enabled: boolean; inService: boolean; heard: string | null }>`
      select exists (select 1 from rule_exec where id = ${run.execId} and kind = 'linkage' and enabled) as enabled,
        exists (select 1 from device where id = ${run.deviceId} and status = '1' and project_code = ${run.projectCode}) as in_service,
        (select id from device_command where id = any (${[run.cmdId, run.stopCmdId]}) and result = 0 order by (id = ${run.stopCmdId}) desc limit 1) as heard`.execute(
      db,
    )
    const site = await readSite(db, run.projectCode, run.deviceId)
    const verdicts = judgeInterlocks(run.definition.interlocks, site, run.deviceId, now)
    const heard = aside[0]?.heard
    const facts: Facts = {
      now,
      open: joined.filter((a) => a.open).length,
      enabled: aside[0]?.enabled ?? false,
      inService: aside[0]?.inService ?? false,
      cooldownUntil: await cooldownOf(db, run.deviceId, run.command, now),
      block: await blockOf(db, run.deviceId, run.definition.stopCommand, now),
      holding: holdingText(verdicts),
      heard: heard === undefined || heard === null ? undefined : heard === run.stopCmdId ? 'stop' : 'start',
    }
    return { run, claim, facts, site, verdicts, now, alarmIds: joined.map((a) => a.id), alarmDevices: joined.map((a) => a.deviceId) }
  }

  private async carryOut(seen: Seen, step: Step): Promise<void> {
    switch (step.do) {
      case 'wait':
        await this.settle(seen.run, seen.claim, sql`due_at = case when wake then due_at else ${new Date(step.until)} end`)
        return
      case 'hold':
        return this.hold(seen, step)
      case 'end':
        return this.end(seen, step.result, step.reason)
      case 'start':
        return this.start(seen)
      case 'started':
        return this.started(seen, '已执行')
      case 'stop':
        return this.stopDevice(seen, step)
    }
  }

  /** Writes what became of a run, and lets go of it; nothing is written when somebody else has taken it over meanwhile. */
  private settle(
    run: Run,
    claim: string,
    changes: ReturnType<typeof sql>,
    then: (tx: Tx) => Promise<void> = async () => undefined,
  ): Promise<boolean> {
    return this.deps.database.kysely.transaction().execute(async (tx) => {
      const { numAffectedRows } = await sql`update linkage_run set ${changes}, claim = null, claimed_until = null, wake = false
        where id = ${run.id} and claim = ${claim}`.execute(tx)
      if (Number(numAffectedRows ?? 0) === 0) return false
      await then(tx)
      return true
    })
  }

  private tell(tx: Tx, { run, alarmIds }: Seen, told: Told): Promise<void> {
    const target = { id: run.deviceId, name: run.deviceName }
    return tell(tx, { ...run, alarmIds, target }, told, this.deps.now())
  }

  private async hold(seen: Seen, step: Extract<Step, { do: 'hold' }>): Promise<void> {
    const { run } = seen
    const changes = sql`state = 'held', reason = ${step.reason}, due_at = case when wake then due_at else ${new Date(step.until)} end`
    await this.settle(run, seen.claim, changes, async (tx) => {
      // Said once for each set of interlocks, however often their figures change.
      if (run.state === 'held' && withoutFigures(run.reason) === withoutFigures(step.reason)) return
      await this.tell(tx, seen, { step: 'hold', state: 'held', text: `未启动：${step.reason}`, result: step.reason, attempts: 0 })
    })
  }

  private async end(seen: Seen, result: RunResult, reason: string): Promise<void> {
    const { run } = seen
    const now = this.deps.now()
    const ran = run.startTime !== null
    const dust = ran && run.command === 'spray.start' ? dustOf(seen.site, seen.alarmDevices, run.deviceId, now) : null
    const cooldown = ran ? new Date(now + run.definition.cooldownSeconds * 1000) : null
    const changes = sql`state = 'ended', result = ${result}, reason = ${reason}, end_time = ${new Date(now)}, cooldown_until = ${cooldown}, pm10_after = ${dust}, due_at = ${new Date(now)}`
    await this.settle(run, seen.claim, changes, async (tx) => {
      if (!ran && run.attempts === 0)
        await this.tell(tx, seen, {
          step: 'hold',
          state: 'held',
          text: reason,
          result: reason,
          attempts: 0,
          quiet: run.state === 'held' && result === 'held',
        })
      if (ran && run.definition.stopCommand)
        await this.tell(tx, seen, {
          step: 'stop',
          state: result === 'stopFailed' ? 'failed' : 'sent',
          text: `停止：${reason}`,
          result: reason,
          attempts: run.stopAttempts,
        })
      if (ran && run.command === 'spray.start') await this.recordSpray(tx, run, result, now, dust)
      // Alarms that joined while it was being stopped begin anew.
      if (result === 'recovered')
        for (const id of seen.alarmIds) await beginFor(tx, id, this.deps.log, now, { execId: run.execId, deviceId: run.deviceId })
    })
  }

  private async recordSpray(tx: Tx, run: Run, result: RunResult, now: number, after: number | null): Promise<void> {
    const began = run.startTime?.getTime() ?? now
    const data = {
      startTime: new Date(began).toISOString(),
      endTime: new Date(now).toISOString(),
      durationSeconds: Math.round((now - began) / 1000),
      trigger: 'linkage',
      ...(run.ruleId ? { ruleId: run.ruleId } : {}),
      ...(run.pm10Before === null ? {} : { pm10Before: run.pm10Before }),
      ...(after === null ? {} : { pm10After: after }),
      result: result === 'manual' || result === 'interlock' ? result : result === 'stopFailed' ? 'noReply' : 'done',
    }
    await sql`insert into device_record (device_id, project_code, ts, id, record, data, received_at)
      values (${run.deviceId}, ${run.projectCode}, ${new Date(now)}, ${`linkage:${run.id}`}, 'sprayRecord', ${JSON.stringify(data)}::jsonb, ${new Date(now)})
      on conflict do nothing`.execute(tx)
  }

  private async send(run: Run, cmd: string, cmdId: string, params: Record<string, unknown>): Promise<{ result: number; message: string }> {
    try {
      return await this.deps.send({ deviceId: run.deviceId, cmdId, cmd, params, expireAt: this.deps.now() + expireMs, by: linkageName })
    } catch (error) {
      this.deps.log.warn({ err: error, run: run.id }, 'linkage command')
      return { result: commandResults.unreachable, message: '设备接入服务暂时不可用' }
    }
  }

  /** Writes the try before it is made: whoever takes over knows that the device may have heard it. */
  private async note(run: Run, claim: string, changes: ReturnType<typeof sql>): Promise<boolean> {
    const { numAffectedRows } = await sql`update linkage_run set ${changes}, claimed_until = ${new Date(this.deps.now() + claimMs)}
      where id = ${run.id} and claim = ${claim}`.execute(this.deps.database.kysely)
    return Number(numAffectedRows ?? 0) > 0
  }

  private async start(seen: Seen): Promise<void> {
    const { run, claim } = seen
    const before = run.pm10Before ?? (run.command === 'spray.start' ? dustOf(seen.site, seen.alarmDevices, run.deviceId, seen.now) : null)
    if (!(await this.note(run, claim, sql`state = 'starting', attempts = attempts + 1, pm10_before = ${before}`))) return
    const told = { ...seen, run: { ...run, state: 'starting' as const, attempts: run.attempts + 1, pm10Before: before } }
    // Should everything else fail, a line that was told its time ends by itself.
    const own = run.command === 'spray.start' ? { durationSeconds: run.definition.maxRunSeconds } : {}
    const answer = await this.send(run, run.command, run.cmdId, { ...run.definition.params, ...own })
    if (answer.result === commandResults.done) return this.started(told, answer.message || '已执行')
    const refused = answer.result > 0
    const now = this.deps.now()
    if (!refused && told.run.attempts < tries) {
      await this.settle(
        run,
        claim,
        sql`reason = ${answer.message}, due_at = ${new Date(answer.result === commandResults.noReply ? now : now + againMs)}`,
      )
      return
    }
    const result: RunResult = refused ? 'refused' : answer.result === commandResults.unreachable ? 'unreachable' : 'noReply'
    const reason = refused
      ? `设备拒绝：${answer.message || answer.result}`
      : `${tries} 次${commandName(run.command)}指令未成功：${answer.message || '设备无应答'}`
    await this.raise(told.run, reason)
    // It may have heard and not been heard: it is told to stop.
    const takesBack = result === 'noReply' && run.definition.stopCommand
    const after = takesBack
      ? sql`state = 'stopping', stopping_at = ${new Date(now)}, due_at = ${new Date(now)}`
      : sql`state = 'ended', end_time = ${new Date(now)}`
    await this.settle(run, claim, sql`${after}, result = ${result}, reason = ${reason}, failed = true`, (tx) =>
      this.tell(tx, told, {
        step: 'start',
        state: 'failed',
        text: `启动失败：${reason}`,
        result: answer.message || '设备无应答',
        attempts: told.run.attempts,
      }),
    )
  }

  private async started(seen: Seen, message: string): Promise<void> {
    const { run } = seen
    const { definition } = run
    const now = this.deps.now()
    const runs = definition.stopCommand !== undefined
    const until = (seconds: number) => new Date(now + seconds * 1000)
    const changes = runs
      ? sql`state = 'running', reason = ${message}, start_time = ${new Date(now)}, min_until = ${until(definition.minRunSeconds)},
          max_until = ${until(definition.maxRunSeconds)}, due_at = ${new Date(now)}`
      : sql`state = 'ended', result = 'done', reason = ${message}, start_time = ${new Date(now)}, end_time = ${new Date(now)}, cooldown_until = ${until(definition.cooldownSeconds)}`
    const unknown = unknownText(seen.verdicts)
    await this.settle(run, seen.claim, changes, (tx) =>
      this.tell(tx, seen, {
        step: 'start',
        state: 'sent',
        text: `${commandName(run.command)}${unknown ? `（${unknown}）` : ''}`,
        result: message,
        attempts: run.attempts,
      }),
    )
    await this.clearFailed(run)
  }

  private async stopDevice(seen: Seen, step: Extract<Step, { do: 'stop' }>): Promise<void> {
    const { run, claim } = seen
    const { stopCommand } = run.definition
    const result = step.result ?? run.result ?? 'recovered'
    const reason = step.reason ?? run.reason
    const now = this.deps.now()
    if (!stopCommand) return this.end(seen, result, reason)
    const since = run.stoppingAt ?? new Date(now)
    if (
      !(await this.note(
        run,
        claim,
        sql`state = 'stopping', result = ${result}, reason = ${reason}, stop_attempts = stop_attempts + 1, stopping_at = ${since}`,
      ))
    )
      return
    const told = {
      ...seen,
      run: { ...run, state: 'stopping' as const, result, reason, stoppingAt: since, stopAttempts: run.stopAttempts + 1 },
    }
    const answer = await this.send(run, stopCommand, run.stopCmdId, run.definition.stopParams)
    if (answer.result === commandResults.done) {
      await this.end(told, result, reason)
      if (run.startTime !== null) await this.clearFailed(run)
      return
    }
    const after = this.deps.now()
    const { stopAttempts } = told.run
    const due = stopAttempts >= tries ? after + stopAgainMs : answer.result === commandResults.noReply ? after : after + againMs
    const failsNow = stopAttempts === tries && run.startTime !== null
    const text = `${tries} 次${commandName(stopCommand)}指令未成功：${answer.message || '设备无应答'}`
    if (failsNow) await this.raise(run, text)
    await this.settle(
      run,
      claim,
      sql`due_at = ${new Date(run.startTime === null && stopAttempts >= tries ? after : due)}, failed = failed or ${failsNow}`,
      async (tx) => {
        if (failsNow)
          await this.tell(tx, told, {
            step: 'stop',
            state: 'failed',
            text: `停止失败：${text}`,
            result: answer.message || '设备无应答',
            attempts: stopAttempts,
          })
      },
    )
  }

  /** An alarm of level 4 on the device itself; one that stands already is not doubled. Drills raise none. */
  private async raise(run: Run, text: string): Promise<void> {
    if (run.simulated) return
    const now = this.deps.now()
    await this.write([
      {
        op: 'open',
        id: newId(now),
        projectCode: run.projectCode,
        deviceId: run.deviceId,
        deviceName: run.deviceName,
        point: '',
        family: run.family,
        alarmKey: failedKey,
        label: '联动失败',
        level: 4,
        startTime: now,
        fireTime: now,
        metric: null,
        value: null,
        thresholdText: text,
        ruleId: null,
        ruleVersion: null,
        source: 'platform',
        values: { runId: run.id, command: run.command },
      },
    ])
  }

  /** The device has done as told: what was said against it is over. */
  private async clearFailed(run: Run): Promise<void> {
    const { rows } = await sql<{
      id: string
    }>`select id from alarm where device_id = ${run.deviceId} and alarm_key = ${failedKey} and active
      and not simulated and not historical`.execute(this.deps.database.kysely)
    if (rows[0]) await this.write([{ op: 'clear', id: rows[0].id, time: this.deps.now(), reason: 'recovered' }])
  }

  private async write(ops: Parameters<typeof writeAlarmOps>[1]): Promise<void> {
    const client = await this.deps.database.pool.connect()
    try {
      await client.query('begin')
      const adopted = await writeAlarmOps(client, ops)
      for (const op of ops) await client.query(`select pg_notify('zg_fleet', $1)`, [`alarm:${adopted.get(op.id) ?? op.id}`])
      await client.query('commit')
    } catch (error) {
      await client.query('rollback').catch(() => undefined)
      throw error
    } finally {
      client.release()
    }
  }
}

const withoutFigures = (text: string) => text.replace(/[\d.:]+/g, '')
