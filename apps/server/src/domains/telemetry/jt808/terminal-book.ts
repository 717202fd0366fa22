import type { FleetDevice } from '../../equipment/public.ts'
import { AssemblyRoom } from './assembler.ts'
import type { TerminalState } from './terminal-state.ts'
import type { Terminals } from './terminals.ts'

/** Sessions of connected terminals by device, and the last known state of each. */
export class TerminalBook<Session> {
  readonly sessions = new Map<string, Session>()
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
