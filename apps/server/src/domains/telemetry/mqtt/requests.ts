import { commandResults, repeatableCommands } from '@zhugong/contract/telemetry/commands'
import type { FleetDevice } from '../../equipment/public.ts'
import { resultOf, unreachable } from '../command-words.ts'
import type { CommandRequest } from '../ingest/extension.ts'
import type { CommandAnswer } from '../local.ts'
import type { Gateways } from './gateways.ts'

const replyMs = 10_000
const tries = 3

interface RequestDependencies {
  gateways: Pick<Gateways, 'send' | 'onReply'>
  now(): number
}

/** Sends commands to devices behind gateways and waits for the reply. Repeatable commands are sent up to three times. */
export class GatewayRequests {
  private readonly deps: RequestDependencies
  private readonly waiting = new Map<string, (answer: CommandAnswer) => void>()

  constructor(deps: RequestDependencies) {
    this.deps = deps
    deps.gateways.onReply = (gatewayId, deviceSn, cmdId, body) => {
      const isObject = typeof body.data === 'object' && body.data !== null && !Array.isArray(body.data)
      this.waiting.get(`${gatewayId}/${deviceSn}/${cmdId}`)?.({
        cmdId,
        result: typeof body.result === 'number' ? body.result : 1,
        message: typeof body.message === 'string' ? body.message.slice(0, 200) : '',
        data: isObject ? (body.data as Record<string, unknown>) : undefined,
      })
    }
  }

  /** Sends a command. It carries its expiry, so that a device does not execute it too late. */
  async send(command: CommandRequest, device: FleetDevice): Promise<CommandAnswer> {
    const { cmdId, cmd, params } = command
    const { gatewayId, sn } = device
    if (!gatewayId) return unreachable(cmdId, '设备不支持下发指令')
    const key = `${gatewayId}/${sn}/${cmdId}`
    const attempts = repeatableCommands.has(cmd) ? tries : 1
    const expireAt = command.expireAt ?? this.deps.now() + replyMs * attempts
    try {
      for (let attempt = 0; attempt < attempts; attempt++) {
        if (expireAt <= this.deps.now()) break
        const reply = this.replyTo(key)
        if (!this.deps.gateways.send(gatewayId, sn, { v: 1, cmdId, cmd, params, expireAt }, device)) {
          const away = unreachable(cmdId, '网关不在线，指令未下发')
          this.waiting.get(key)?.(away)
          return away
        }
        const answer = await reply
        if (answer) return answer
      }
      return resultOf(cmdId, commandResults.noReply)
    } finally {
      this.waiting.delete(key)
    }
  }

  private replyTo(key: string): Promise<CommandAnswer | undefined> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(undefined), replyMs)
      this.waiting.set(key, (answer) => {
        clearTimeout(timer)
        resolve(answer)
      })
    })
  }
}
