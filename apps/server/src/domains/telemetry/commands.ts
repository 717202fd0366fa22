import type { Fleet } from '../equipment/public.ts'
import type { Gateways } from './gateways.ts'
import type { CommandAnswer } from './local.ts'

const replyMs = 10_000
const tries = 3
/** Said twice they do no more than once: these are repeated when no reply comes. */
const repeatable = new Set(['spray.stop', 'device.syncTime', 'device.setInterval', 'device.setParams', 'camera.snapshot'])

interface Waiting {
  resolve(answer: CommandAnswer): void
}

/** Commands down to devices behind a gateway, and their replies. */
export class Commands {
  private readonly fleet: Fleet
  private readonly gateways: Gateways
  private readonly waiting = new Map<string, Waiting>()
  private readonly now: () => number

  constructor(fleet: Fleet, gateways: Gateways, now: () => number) {
    this.fleet = fleet
    this.gateways = gateways
    this.now = now
    gateways.onReply = (gatewayId, deviceSn, cmdId, body) => {
      const waiting = this.waiting.get(`${gatewayId}/${deviceSn}/${cmdId}`)
      waiting?.resolve({
        cmdId,
        result: typeof body.result === 'number' ? body.result : 1,
        message: typeof body.message === 'string' ? body.message.slice(0, 200) : '',
      })
    }
  }

  /** Sends and waits for the reply. A command that comes too late must not be carried out: it carries its end. */
  async send(command: { deviceId: string; cmdId: string; cmd: string; params: Record<string, unknown> }): Promise<CommandAnswer> {
    const device = this.fleet.device(command.deviceId)
    const { cmdId, cmd, params } = command
    if (!device?.gatewayId || device.protocol !== 'mqtt') return { cmdId, result: -1, message: '设备不支持下发指令' }
    const { gatewayId, sn } = device
    const key = `${gatewayId}/${sn}/${cmdId}`
    const attempts = repeatable.has(cmd) ? tries : 1
    const each = replyMs / attempts
    try {
      for (let attempt = 0; attempt < attempts; attempt++) {
        const reply = new Promise<CommandAnswer | undefined>((resolve) => {
          const timer = setTimeout(() => resolve(undefined), each)
          this.waiting.set(key, {
            resolve: (answer) => {
              clearTimeout(timer)
              resolve(answer)
            },
          })
        })
        if (!this.gateways.send(gatewayId, sn, { v: 1, cmdId, cmd, params, expireAt: this.now() + replyMs }))
          return { cmdId, result: -1, message: '网关不在线，指令未下发' }
        const answer = await reply
        if (answer) return answer
      }
      return { cmdId, result: -2, message: '设备无应答' }
    } finally {
      this.waiting.delete(key)
    }
  }
}
