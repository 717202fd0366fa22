import { commandResults } from '@zhugong/contract/telemetry/commands'
import type pg from 'pg'
import type { Log } from '#kit/log'
import type { Fleet, FleetDevice } from '../equipment/public.ts'
import { resultOf, unreachable } from './command-words.ts'
import type { CommandRequest, Extension, IngestContext } from './ingest/extension.ts'
import { withoutSecrets as withoutTerminalSecrets } from './jt808/secrecy.ts'
import type { CommandAnswer } from './local.ts'
import { seekDevice } from './seek-device.ts'

/** The client gets a reply within this time; the command may still be running then. */
const answerMs = 10_500

export interface CommandDependencies {
  pool: pg.Pool
  fleet: Fleet
  downlinkOf: IngestContext['downlinkOf']
  log: Log
  now(): number
}

/** Sends commands to devices over their protocol and receives the replies. Each command is stored with its result. */
export class Commands {
  private readonly deps: CommandDependencies

  constructor(deps: CommandDependencies) {
    this.deps = deps
  }

  /** Sends the command and waits for the reply, at most `answerMs`. After that the result is `pending`. */
  async send(command: CommandRequest): Promise<CommandAnswer> {
    const device = await seekDevice(this.deps.fleet, this.deps.pool, command.deviceId)
    if (!device) return unreachable(command.cmdId, '设备不存在或已删除')
    await this.keep(command, device)
    const done = this.carryOut(command, device)
      .catch((error: unknown): CommandAnswer => {
        this.deps.log.warn({ err: error, cmd: command.cmd }, 'command')
        return resultOf(command.cmdId, commandResults.unreachable)
      })
      .then(async (answer) => {
        await this.end(command, device, answer).catch((error: unknown) => this.deps.log.warn({ err: error }, 'command not kept'))
        return answer
      })
    let timer: NodeJS.Timeout | undefined
    const meanwhile = new Promise<CommandAnswer>((resolve) => {
      timer = setTimeout(() => resolve({ cmdId: command.cmdId, result: commandResults.pending, message: '已下发，设备尚未应答' }), answerMs)
    })
    const answer = await Promise.race([done, meanwhile])
    clearTimeout(timer)
    return answer
  }

  private async carryOut(command: CommandRequest, device: FleetDevice): Promise<CommandAnswer> {
    const { cmdId } = command
    if (command.expireAt !== undefined && command.expireAt <= this.deps.now()) return resultOf(cmdId, commandResults.expired)
    const downlink = this.deps.downlinkOf(device.protocol)
    return downlink ? downlink.send(command, device) : unreachable(cmdId, '设备不支持下发指令')
  }

  private async keep(command: CommandRequest, device: FleetDevice): Promise<void> {
    await this.deps.pool.query(
      `insert into device_command (id, device_id, project_code, cmd, params, by_name, sent_at, expire_at) values ($1, $2, $3, $4, $5, $6, $7, $8)
       on conflict do nothing`,
      [
        command.cmdId,
        device.id,
        device.projectCode,
        command.cmd,
        JSON.stringify(withoutSecrets(command.params)),
        command.by ?? null,
        new Date(this.deps.now()),
        command.expireAt === undefined ? null : new Date(command.expireAt),
      ],
    )
  }

  private async end(command: CommandRequest, device: FleetDevice, answer: CommandAnswer): Promise<void> {
    const { pool, now } = this.deps
    await pool.query('update device_command set answered_at = $2, result = $3, message = $4, steps = $5, data = $6 where id = $1', [
      command.cmdId,
      new Date(now()),
      answer.result,
      answer.message,
      JSON.stringify(answer.steps ?? []),
      answer.data ? JSON.stringify(answer.data) : null,
    ])
    if (answer.result !== commandResults.done) return
    // The device has applied the new setting, so the platform's copy is updated too.
    await this.deps.downlinkOf(device.protocol)?.done?.(command, device)
    const seconds = Number(command.params.seconds ?? command.params.intervalSeconds)
    if (/setInterval$/.test(command.cmd) && seconds > 0) {
      await pool.query('update device set interval_seconds = $2, update_time = now(), version = version + 1 where id = $1', [
        device.id,
        seconds,
      ])
    }
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
const withoutSecrets = (params: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(withoutTerminalSecrets(params)).map(([key, value]) => [
      key,
      /password|secret|key|token/i.test(key) ? '***' : isObject(value) ? withoutSecrets(value) : value,
    ]),
  )

/** `POST /command` on the local socket. */
export const commands: Extension = {
  name: 'commands',
  start(ctx) {
    const all = new Commands(ctx)
    return {
      calls: [
        {
          path: '/command',
          async answer({ method, body }) {
            if (method !== 'POST') return undefined
            return { http: 200, body: await all.send(JSON.parse(body.toString('utf8')) as CommandRequest) }
          },
        },
      ],
    }
  },
}
