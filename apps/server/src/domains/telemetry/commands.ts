import { commandResults } from '@zhugong/contract/telemetry/commands'
import type pg from 'pg'
import type { Log } from '#kit/log'
import type { Secrets } from '#kit/secret'
import type { Fleet, FleetDevice } from '../equipment/public.ts'
import { resultOf, unreachable } from './command-words.ts'
import type { AskedCommand, Extension, IngestContext } from './ingest/extension.ts'
import { withoutSecrets as withoutTerminalSecrets } from './jt808/secrecy.ts'
import type { CommandAnswer } from './local.ts'
import { seekDevice } from './seek-device.ts'

/** Whoever asked hears by then; the command itself may go on. */
const answerMs = 10_500

export interface CommandDependencies {
  pool: pg.Pool
  fleet: Fleet
  secrets: Secrets
  sendOver: IngestContext['sendOver']
  log: Log
  now(): number
}

/** Commands down to devices, over whatever they speak, and their replies. Each is kept with what became of it. */
export class Commands {
  private readonly deps: CommandDependencies

  constructor(deps: CommandDependencies) {
    this.deps = deps
  }

  /** Sends and waits for the reply, as long as a person waits. */
  async send(command: AskedCommand): Promise<CommandAnswer> {
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

  private async carryOut(command: AskedCommand, device: FleetDevice): Promise<CommandAnswer> {
    const { cmdId } = command
    if (command.expireAt !== undefined && command.expireAt <= this.deps.now()) return resultOf(cmdId, commandResults.expired)
    const send = this.deps.sendOver(device.protocol)
    return send ? send(command, device) : unreachable(cmdId, '设备不支持下发指令')
  }

  private async keep(command: AskedCommand, device: FleetDevice): Promise<void> {
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

  private async end(command: AskedCommand, device: FleetDevice, answer: CommandAnswer): Promise<void> {
    const { pool, secrets, now } = this.deps
    await pool.query('update device_command set answered_at = $2, result = $3, message = $4, steps = $5, data = $6 where id = $1', [
      command.cmdId,
      new Date(now()),
      answer.result,
      answer.message,
      JSON.stringify(answer.steps ?? []),
      answer.data ? JSON.stringify(answer.data) : null,
    ])
    if (answer.result !== commandResults.done) return
    // What the device has taken over holds here too.
    if (command.cmd === 'hj212.setPassword' && typeof command.params.password === 'string') {
      await pool.query('update device set access_secret = $2, update_time = now(), version = version + 1 where id = $1', [
        device.id,
        secrets.seal(command.params.password),
      ])
    }
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
            return { http: 200, body: await all.send(JSON.parse(body.toString('utf8')) as AskedCommand) }
          },
        },
      ],
    }
  },
}
