import { addDays, dayOf } from './calendar.ts'
import type { MachineRecord } from './machine.ts'

/** Plays a day's prepared records at their times. */
export class Agenda {
  private readonly of: (day: string) => MachineRecord[]
  private day = ''
  private waiting: MachineRecord[] = []
  private last = 0

  constructor(of: (day: string) => MachineRecord[]) {
    this.of = of
  }

  due(nowMs: number): MachineRecord[] {
    const day = dayOf(nowMs)
    if (this.day !== day) {
      // The first call only sets the clock; records before the start belong to the history.
      if (this.day === '') this.last = nowMs
      this.day = day
      this.waiting = [...this.of(addDays(day, -1)), ...this.of(day)].filter((record) => record.time > this.last)
    }
    const due = this.waiting.filter((record) => record.time <= nowMs)
    if (due.length) this.waiting = this.waiting.filter((record) => record.time > nowMs)
    this.last = nowMs
    return due
  }

  next(nowMs: number): MachineRecord | undefined {
    return this.waiting.find((record) => record.time > nowMs)
  }
}
