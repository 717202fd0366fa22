import { commandResults, repeatableCommands } from '@zhugong/contract/telemetry/commands'
import type pg from 'pg'
import type { Log } from '#kit/log'
import type { Secrets } from '#kit/secret'
import type { Fleet, FleetDevice } from '../equipment/public.ts'
import type { Gateways } from './gateways.ts'
import type { Hj212Listener } from './hj212/listener.ts'
import { downlinkOf } from './jt808/downlink.ts'
import type { Jt808Listener } from './jt808/listener.ts'
import { withoutSecrets as withoutTerminalSecrets } from './jt808/secrecy.ts'
import type { CommandAnswer } from './local.ts'
import { seekDevice } from './seek-device.ts'

const replyMs = 10_000
const tries = 3
/** Whoever asked hears by then; the command itself may go on. */
const answerMs = 10_500

export interface AskedCommand {
  deviceId: string
  cmdId: string
  cmd: string
  params: Record<string, unknown>
  /** Epoch milliseconds after which it must not be carried out. */
  expireAt?: number | undefined
  by?: string | undefined
}

export interface CommandDependencies {
  pool: pg.Pool
  fleet: Fleet
  secrets: Secrets
  gateways: Gateways
  hj212: () => Hj212Listener
  jt808: () => Jt808Listener
  log: Log
  now(): number
}

const words: Readonly<Record<number, string>> = {
  [commandResults.unreachable]: '设备不在线，指令未下发',
  [commandResults.noReply]: '设备无应答',
  [commandResults.expired]: '指令已过有效期，未下发',
}

/** Commands down to devices, over whatever they speak, and their replies. Each is kept with what became of it. */
export class Commands {
  private readonly deps: CommandDependencies
  private readonly waiting = new Map<string, (answer: CommandAnswer) => void>()

  constructor(deps: CommandDependencies) {
    this.deps = deps
    deps.gateways.onReply = (gatewayId, deviceSn, cmdId, body) => {
      const isObject = typeof body.data === 'object' && body.data !== null && !Array.isArray(body.data)
      this.waiting.get(`${gatewayId}/${deviceSn}/${cmdId}`)?.({
        cmdId,
        result: typeof body.result === 'number' ? body.result : 1,
        message: typeof body.message === 'string' ? body.message.slice(0, 200) : '',
        ...(isObject ? { data: body.data as Record<string, unknown> } : {}),
      })
    }
  }

  /** Sends and waits for the reply, as long as a person waits. */
  async send(command: AskedCommand): Promise<CommandAnswer> {
    const device = await seekDevice(this.deps.fleet, this.deps.pool, command.deviceId)
    if (!device) return { cmdId: command.cmdId, result: commandResults.unreachable, message: '设备不存在或已删除' }
    await this.keep(command, device)
    const done = this.carryOut(command, device)
      .catch((error: unknown): CommandAnswer => {
        this.deps.log.warn({ err: error, cmd: command.cmd }, 'command')
        return { cmdId: command.cmdId, result: commandResults.unreachable, message: words[-1] ?? '' }
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
    const { cmdId, cmd, params } = command
    if (command.expireAt !== undefined && command.expireAt <= this.deps.now())
      return { cmdId, result: commandResults.expired, message: words[commandResults.expired] ?? '' }
    if (device.protocol === 'mqtt') return this.overMqtt(command, device)
    if (device.protocol === 'hj212') {
      const outcome = await this.deps.hj212().request(device, cmd, params, command.expireAt)
      if (!outcome) return { cmdId, result: commandResults.unreachable, message: '环境站不在线，或不支持该指令及参数' }
      return { cmdId, ...outcome }
    }
    if (device.protocol === 'jt808') return this.overJt808(command, device)
    return { cmdId, result: commandResults.unreachable, message: '设备不支持下发指令' }
  }

  private async overJt808({ cmdId, cmd, params, expireAt }: AskedCommand, device: FleetDevice): Promise<CommandAnswer> {
    const session = this.deps.jt808().sessionOf(device.id)
    if (!session) return { cmdId, result: commandResults.unreachable, message: '终端不在线，指令未下发' }
    const downlink = downlinkOf(cmd, params, session.speaks2019)
    if (!downlink) return { cmdId, result: commandResults.unreachable, message: '终端不支持该指令或参数不正确' }
    const answer = await session.request(downlink, expireAt)
    return { cmdId, message: answer.result === 0 ? '终端已应答' : (words[answer.result] ?? `终端拒绝（${answer.result}）`), ...answer }
  }

  /** A command that comes too late must not be carried out: it carries its end. */
  private async overMqtt(command: AskedCommand, device: FleetDevice): Promise<CommandAnswer> {
    const { cmdId, cmd, params } = command
    const { gatewayId, sn } = device
    if (!gatewayId) return { cmdId, result: commandResults.unreachable, message: '设备不支持下发指令' }
    const key = `${gatewayId}/${sn}/${cmdId}`
    const attempts = repeatableCommands.has(cmd) ? tries : 1
    const expireAt = command.expireAt ?? this.deps.now() + replyMs * attempts
    try {
      for (let attempt = 0; attempt < attempts; attempt++) {
        if (expireAt <= this.deps.now()) break
        const reply = new Promise<CommandAnswer | undefined>((resolve) => {
          const timer = setTimeout(() => resolve(undefined), replyMs)
          this.waiting.set(key, (answer) => {
            clearTimeout(timer)
            resolve(answer)
          })
        })
        if (!this.deps.gateways.send(gatewayId, sn, { v: 1, cmdId, cmd, params, expireAt }, device)) {
          this.waiting.get(key)?.({ cmdId, result: commandResults.unreachable, message: '网关不在线，指令未下发' })
          return { cmdId, result: commandResults.unreachable, message: '网关不在线，指令未下发' }
        }
        const answer = await reply
        if (answer) return answer
      }
      return { cmdId, result: commandResults.noReply, message: words[commandResults.noReply] ?? '' }
    } finally {
      this.waiting.delete(key)
    }
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
