import type { FleetDevice } from '../../equipment/public.ts'
import { AssemblyRoom } from './assembler.ts'
import type { Jt808Session } from './session.ts'
import type { Terminals } from './terminals.ts'

/** What is known of a terminal across its connections. */
export interface TerminalState {
  alarm: number
  alarmTime: number
  point: { longitude: number; latitude: number } | undefined
}

/** Who is connected, by device; and what each was last. */
export class TerminalBook {
  readonly sessions = new Map<string, Jt808Session>()
  readonly room = new AssemblyRoom()
  private readonly states = new Map<string, TerminalState>()

  async stateOf(device: FleetDevice, terminals: Terminals): Promise<TerminalState> {
    const known = this.states.get(device.id)
    if (known) return known
    const last = await terminals.lastState(device.id)
    const state: TerminalState = { alarm: last.alarm, alarmTime: last.time, point: last.point }
    this.states.set(device.id, state)
    return state
  }
  forget(deviceId: string): void {
    this.states.delete(deviceId)
  }
}
