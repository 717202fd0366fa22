import { dayMs } from '@zhugong/contract/kit/time'

/** Bytes per sender within a day of the first upload, in the memory of this process. */
export class DailyBytes {
  private readonly most: number
  private readonly sent = new Map<string, { since: number; bytes: number }>()

  constructor(most: number) {
    this.most = most
  }

  /** Counts the bytes; returns false and counts nothing if the limit would be exceeded. */
  tryTake(sender: string, bytes: number, now: number): boolean {
    const before = this.sent.get(sender)
    const day = before && now - before.since < dayMs ? before : { since: now, bytes: 0 }
    if (day.bytes + bytes > this.most) return false
    this.sent.set(sender, { since: day.since, bytes: day.bytes + bytes })
    return true
  }
}
