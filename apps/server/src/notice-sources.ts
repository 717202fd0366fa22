import { registerAlarmSource } from '#domains/alarm-notices/public'
import { registerDayCheckSource } from '#domains/daychecks/public'
import { registerDayLogSource } from '#domains/daylogs/public'
import { registerDustSource } from '#domains/dustchecks/public'
import { registerMachineSource } from '#domains/machines/public'
import { registerMeasureFindings } from '#domains/measuring/public'
import { suggestForLateNotices } from '#domains/misconduct/public'
import { registerImprovementNotices } from '#domains/quality/public'
import { registerPassedOn } from '#domains/rectify/public'
import { registerSpotCheckSource } from '#domains/spotchecks/public'
import { registerStepSource } from '#domains/steps/public'
import { registerUpkeepSource } from '#domains/upkeep/public'
import { registerWorkSource } from '#domains/works/public'

/** Registers every kind of record that notices of rectification come from, and what follows from late ones, in api and jobs. */
export function registerNoticeSources(): void {
  registerAlarmSource()
  registerDayCheckSource()
  registerDayLogSource()
  registerDustSource()
  registerPassedOn()
  registerMachineSource()
  registerImprovementNotices()
  registerMeasureFindings()
  registerUpkeepSource()
  registerWorkSource()
  registerStepSource()
  registerSpotCheckSource()
  suggestForLateNotices()
}
