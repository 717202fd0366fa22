import { dayMs } from '@zhugong/contract/kit/time'

/** How much each sender has sent within a day of its first piece; remembered by this process. */
export class DailyBytes {
  private readonly most: number
  private readonly sent = new Map<string, { since: number; bytes: number }>()

  constructor(most: number) {
    this.most = most
  }

  /** False, and nothing counted, when it would be too much. */
  tryTake(sender: string, bytes: number, now: number): boolean {
    const before = this.sent.get(sender)
    const day = before && now - before.since < dayMs ? before : { since: now, bytes: 0 }
    if (day.bytes + bytes > this.most) return false
    this.sent.set(sender, { since: day.since, bytes: day.bytes + bytes })
    return true
  }
}
