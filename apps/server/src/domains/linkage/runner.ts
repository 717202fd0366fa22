import type { RunResult } from '@zhugong/contract/linkage/codes'
import { linkagePart } from '@zhugong/contract/rules/exec-model'
import { commandResults } from '@zhugong/contract/telemetry/commands'
import { sql } from 'kysely'
import type { Database, Tx } from '#kit/db'
import type { Log } from '#kit/log'
import { type Claimed, claimRuns, noteTry, settle } from './claims.ts'
import { decide, type Step, tries } from './decide.ts'
import { clearFailed, raiseFailed } from './failed-alarm.ts'
import { beginFor, takeHappenings } from './happenings.ts'
import { dustOf, unknownText } from './interlocks.ts'
import { linkageName, type Run } from './run.ts'
import { lookAround, type Seen } from './seen.ts'
import { commandName, type StepResult, tell } from './step-result.ts'

export interface SentCommand {
  deviceId: string
  cmdId: string
  cmd: string
  params: Record<string, unknown>
  expireAt: number
  by: string
}
/** Sends a command to a device through the ingest role, which knows the protocols. */
export type SendCommand = (command: SentCommand) => Promise<{ result: number; message: string }>

export interface RunnerDependencies {
  database: Database
  log: Log
  send: SendCommand
  now(): number
}

const atOnce = 20
/** Validity of a command, slightly shorter than the ingest's timeout, so that each attempt is a separate command. */
const expireMs = 9_500
const againMs = 5_000
const stopAgainMs = 60_000

/** Processes runs from alarm to stop. Only commands being sent are held in memory, so any number of runners may work in parallel. */
export class LinkageRunner {
  private readonly deps: RunnerDependencies
  private readonly flying = new Set<Promise<void>>()

  constructor(deps: RunnerDependencies) {
    this.deps = deps
  }

  /** Reads new events and processes every due run; resolves when all are done. */
  async turn(): Promise<void> {
    await this.take()
    await this.pump()
    await this.settled()
  }

  async take(): Promise<void> {
    while (await takeHappenings(this.deps.database.kysely, this.deps.log, this.deps.now()));
  }

  /** Starts processing due runs without waiting for devices to answer. */
  async pump(): Promise<void> {
    for (const claimed of await claimRuns(this.deps.database.kysely, atOnce - this.flying.size, this.deps.now())) {
      const work = this.look(claimed)
        .catch((error: unknown) => this.deps.log.warn({ err: error, run: claimed.run.id }, 'linkage run'))
        .finally(() => this.flying.delete(work))
      this.flying.add(work)
    }
  }

  async settled(): Promise<void> {
    while (this.flying.size) await Promise.all(this.flying)
  }

  private async look({ run, claim }: Claimed): Promise<void> {
    // The stored definition is validated against the contract again before a command is sent.
    const parsed = linkagePart.safeParse(run.definition)
    if (!parsed.success || parsed.data.command !== run.command) {
      await this.settle(
        { run, claim },
        sql`state = 'ended', result = 'refused', reason = '安全关键动作不由云端执行', end_time = ${new Date(this.deps.now())}`,
      )
      return
    }
    const seen = await lookAround(this.deps.database.kysely, { run: { ...run, definition: parsed.data }, claim }, this.deps.now())
    const step = decide(seen.run, seen.facts)
    await this.carryOut(seen, step)
  }

  private async carryOut(seen: Seen, step: Step): Promise<void> {
    switch (step.do) {
      case 'wait':
        await this.settle(seen, sql`due_at = case when wake then due_at else ${new Date(step.until)} end`)
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

  private settle(claimed: Claimed, ...changes: [ReturnType<typeof sql>, ((tx: Tx) => Promise<void>)?]): Promise<boolean> {
    return settle(this.deps.database.kysely, claimed, ...changes)
  }
  private note(claimed: Claimed, changes: ReturnType<typeof sql>): Promise<boolean> {
    return noteTry(this.deps.database.kysely, claimed, changes, this.deps.now())
  }

  private tell(tx: Tx, { run, alarmIds }: Seen, reported: StepResult): Promise<void> {
    const target = { id: run.deviceId, name: run.deviceName }
    return tell(tx, { ...run, alarmIds, target }, reported, this.deps.now())
  }

  private async hold(seen: Seen, step: Extract<Step, { do: 'hold' }>): Promise<void> {
    const { run } = seen
    const changes = sql`state = 'held', reason = ${step.reason}, due_at = case when wake then due_at else ${new Date(step.until)} end`
    await this.settle(seen, changes, async (tx) => {
      // Logged once per set of interlocks, however often their values change.
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
    await this.settle(seen, changes, async (tx) => {
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
      // Alarms that joined while the device was being stopped start a new run.
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
      ruleId: run.ruleId || undefined,
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

  private async start(seen: Seen): Promise<void> {
    const { run } = seen
    const before = run.pm10Before ?? (run.command === 'spray.start' ? dustOf(seen.site, seen.alarmDevices, run.deviceId, seen.now) : null)
    if (!(await this.note(seen, sql`state = 'starting', attempts = attempts + 1, pm10_before = ${before}`))) return
    const reported = { ...seen, run: { ...run, state: 'starting' as const, attempts: run.attempts + 1, pm10Before: before } }
    // Safety net: the spray line stops by itself after this time, even if everything else fails.
    const own = run.command === 'spray.start' ? { durationSeconds: run.definition.maxRunSeconds } : {}
    const answer = await this.send(run, run.command, run.cmdId, { ...run.definition.params, ...own })
    if (answer.result === commandResults.done) return this.started(reported, answer.message || '已执行')
    const refused = answer.result > 0
    const now = this.deps.now()
    if (!refused && reported.run.attempts < tries) {
      await this.settle(
        seen,
        sql`reason = ${answer.message}, due_at = ${new Date(answer.result === commandResults.noReply ? now : now + againMs)}`,
      )
      return
    }
    const result: RunResult = refused ? 'refused' : answer.result === commandResults.unreachable ? 'unreachable' : 'noReply'
    const reason = refused
      ? `设备拒绝：${answer.message || answer.result}`
      : `${tries} 次${commandName(run.command)}指令未成功：${answer.message || '设备无应答'}`
    await raiseFailed(this.deps.database, reported.run, reason, now)
    // The device may have received the command although no answer came, so it is stopped.
    const takesBack = result === 'noReply' && run.definition.stopCommand
    const after = takesBack
      ? sql`state = 'stopping', stopping_at = ${new Date(now)}, due_at = ${new Date(now)}`
      : sql`state = 'ended', end_time = ${new Date(now)}`
    await this.settle(seen, sql`${after}, result = ${result}, reason = ${reason}, failed = true`, (tx) =>
      this.tell(tx, reported, {
        step: 'start',
        state: 'failed',
        text: `启动失败：${reason}`,
        result: answer.message || '设备无应答',
        attempts: reported.run.attempts,
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
    await this.settle(seen, changes, (tx) =>
      this.tell(tx, seen, {
        step: 'start',
        state: 'sent',
        text: `${commandName(run.command)}${unknown ? `（${unknown}）` : ''}`,
        result: message,
        attempts: run.attempts,
      }),
    )
    await clearFailed(this.deps.database, run, this.deps.now())
  }

  private async stopDevice(seen: Seen, step: Extract<Step, { do: 'stop' }>): Promise<void> {
    const { run } = seen
    const { stopCommand } = run.definition
    const result = step.result ?? run.result ?? 'recovered'
    const reason = step.reason ?? run.reason
    const now = this.deps.now()
    if (!stopCommand) return this.end(seen, result, reason)
    const since = run.stoppingAt ?? new Date(now)
    if (
      !(await this.note(
        seen,
        sql`state = 'stopping', result = ${result}, reason = ${reason}, stop_attempts = stop_attempts + 1, stopping_at = ${since}`,
      ))
    )
      return
    const reported = {
      ...seen,
      run: { ...run, state: 'stopping' as const, result, reason, stoppingAt: since, stopAttempts: run.stopAttempts + 1 },
    }
    const answer = await this.send(run, stopCommand, run.stopCmdId, run.definition.stopParams)
    if (answer.result === commandResults.done) {
      await this.end(reported, result, reason)
      if (run.startTime !== null) await clearFailed(this.deps.database, run, this.deps.now())
      return
    }
    const after = this.deps.now()
    const { stopAttempts } = reported.run
    const due = stopAttempts >= tries ? after + stopAgainMs : answer.result === commandResults.noReply ? after : after + againMs
    const failsNow = stopAttempts === tries && run.startTime !== null
    const text = `${tries} 次${commandName(stopCommand)}指令未成功：${answer.message || '设备无应答'}`
    if (failsNow) await raiseFailed(this.deps.database, run, text, after)
    await this.settle(
      seen,
      sql`due_at = ${new Date(run.startTime === null && stopAttempts >= tries ? after : due)}, failed = failed or ${failsNow}`,
      async (tx) => {
        if (failsNow)
          await this.tell(tx, reported, {
            step: 'stop',
            state: 'failed',
            text: `停止失败：${text}`,
            result: answer.message || '设备无应答',
            attempts: stopAttempts,
          })
      },
    )
  }
}

const withoutFigures = (text: string) => text.replace(/[\d.:]+/g, '')
