import type { Hj212Frame } from './frame.ts'

/** Progress of a request: accepted by 9011, its data, completed by 9012. */
export interface ExchangeStep {
  at: number
  step: 'sent' | 'repeated' | 'accepted' | 'data' | 'done' | 'timeout' | 'refused'
  text: string
}

export interface ExchangeOutcome {
  /** 0 done; 1 and above refused by the station; -1 connection lost, -2 no reply. */
  result: number
  message: string
  steps: ExchangeStep[]
  /** Data received between request and completion, by name. */
  data: Record<string, string>
}

interface Pending {
  qn: string
  frame: Buffer
  at: number
  sent: number
  expireAt: number | undefined
  accepted: boolean
  steps: ExchangeStep[]
  data: Record<string, string>
  resolve(outcome: ExchangeOutcome): void
}

const waitMs = 10_000
const repeats = 3
const maxData = 200

const qnRtn: Readonly<Record<string, string>> = {
  '1': '准备执行请求',
  '2': '请求被拒绝',
  '3': '密码错误',
  '4': 'MN 错误',
  '5': '系统编码错误',
  '6': '标志错误',
  '7': '请求编码错误',
  '8': '命令编码错误',
  '9': '校验错误',
  '100': '未知错误',
}
const exeRtn: Readonly<Record<string, string>> = {
  '1': '执行成功',
  '2': '执行失败',
  '3': '条件不满足',
  '4': '执行超时',
  '5': '系统繁忙',
  '6': '系统故障',
  '100': '没有数据',
}

/** Requests to stations in their three steps. Pure: the caller passes the clock and sends the frames. */
export class Exchanges {
  private readonly pending = new Map<string, Pending>()

  /** Registers a request that has just been sent. After `expireAt` (epoch milliseconds) it is not sent again. */
  begin(qn: string, frame: Buffer, now: number, expireAt?: number): Promise<ExchangeOutcome> {
    return new Promise((resolve) =>
      this.pending.set(qn, {
        qn,
        frame,
        at: now,
        sent: 1,
        expireAt,
        accepted: false,
        steps: [{ at: now, step: 'sent', text: '已发送请求' }],
        data: {},
        resolve,
      }),
    )
  }

  /**
   * Applies a frame to its request (accepted, completed, or data with the request's QN). Returns whether the frame belongs to a request.
   */
  take(frame: Hj212Frame, now: number): boolean {
    const one = this.pending.get(frame.qn)
    if (!one) return false
    const value = (name: string) => frame.pairs?.find(([key]) => key === name)?.[1]
    one.at = now
    if (frame.cn === '9011') {
      const code = value('QnRtn') ?? '100'
      if (code === '1') {
        one.accepted = true
        one.steps.push({ at: now, step: 'accepted', text: '现场机已接受请求（9011）' })
        return true
      }
      const text = qnRtn[code] ?? `QnRtn=${code}`
      one.steps.push({ at: now, step: 'refused', text })
      this.end(one, Number(code) || 100, text)
      return true
    }
    if (frame.cn === '9012') {
      const code = value('ExeRtn') ?? '2'
      const text = exeRtn[code] ?? `ExeRtn=${code}`
      one.steps.push({ at: now, step: 'done', text: `${text}（9012）` })
      this.end(one, code === '1' ? 0 : Number(code) || 2, text)
      return true
    }
    // The standard completes some requests by a notice (9013, 9014) alone.
    if (frame.cn === '9013' || frame.cn === '9014') {
      one.steps.push({ at: now, step: 'done', text: `已应答（${frame.cn}）` })
      this.end(one, 0, '已应答')
      return true
    }
    one.accepted = true
    for (const [name, text] of frame.pairs ?? []) if (Object.keys(one.data).length < maxData) one.data[name] = text
    if (one.steps.length < 50) one.steps.push({ at: now, step: 'data', text: `收到数据 CN=${frame.cn}` })
    return true
  }

  /** Frames to retransmit now, with the same QN. A request that was accepted is not retransmitted. */
  due(now: number): Buffer[] {
    const again: Buffer[] = []
    for (const one of [...this.pending.values()]) {
      if (now - one.at < waitMs) continue
      one.at = now
      const isOver = one.expireAt !== undefined && now >= one.expireAt
      if (one.accepted || isOver || one.sent > repeats) {
        const text = one.accepted ? '已接受请求，但没有收到执行结果（9012）' : `发送 ${one.sent} 次均无应答（9011）`
        one.steps.push({ at: now, step: 'timeout', text })
        this.end(one, -2, text)
        continue
      }
      one.sent++
      one.steps.push({ at: now, step: 'repeated', text: `第 ${one.sent} 次发送` })
      again.push(one.frame)
    }
    return again
  }

  close(): void {
    for (const one of [...this.pending.values()]) this.end(one, -1, '连接已断开')
  }

  private end(one: Pending, result: number, message: string): void {
    this.pending.delete(one.qn)
    one.resolve({ result, message, steps: one.steps, data: one.data })
  }
}
