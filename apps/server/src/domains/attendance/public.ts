import './tables.ts'
import type { Tx } from '#kit/db'
import type { DayKeeper } from './day-keeper.ts'
import type { GateRecord } from './gate-record.ts'
import { ingestGateRecords, type LivePass } from './ingest-events.ts'

export { type DayKeeper, startDayKeeper } from './day-keeper.ts'
export { isInside, runningDay } from './day-list.ts'
export { markStateChanged, markStayChanged } from './dirty.ts'
export { type Due, dueColumns, hasArrived, hasCome, isDue, sumDue } from './due.ts'
export { registerFixKind } from './fix-flow.ts'
export type { GateRecord } from './gate-record.ts'
/** Basis for a month's wages. @public */
export { closedMonth } from './month-closing.ts'
export { keyPostPresence, type PostPresence, type Presence, presenceByProject, presenceRate } from './presence.ts'
export { dropTemperatures } from './records.ts'
export { forgetSetting } from './settings.ts'
export { marksOf } from './sheet-marks.ts'
export { type KeyPostWarning, keyPostWarnings, type Thresholds, thresholdsOf } from './warnings.ts'

/**
 * Hook for the ingest role: stores a message's gate records in its transaction. After the commit it pushes them and triggers the
 * computation of their days.
 */
export function gateRecordHook(keeper: Pick<DayKeeper, 'poke'>, now: () => number = Date.now) {
  return async (
    tx: Tx,
    records: readonly GateRecord[],
    live: { gatePass(projectCode: string, message: LivePass['message']): void },
  ): Promise<() => void> => {
    const { passes } = await ingestGateRecords(tx, records, now())
    return () => {
      for (const pass of passes) live.gatePass(pass.projectCode, pass.message)
      keeper.poke()
    }
  }
}
