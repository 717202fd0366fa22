import type { Period } from './stats-period.tsx'
import type { UnitDays } from './stats-words.ts'

/** Largest page size; exceeds the units of a site and the days of a year for six units. */
export const most = 1000

export const queryOf = ({ projectCode, startDate, endDate, workRole }: Period) => ({ projectCode, startDate, endDate, workRole })

/** A company, or one of its teams. */
export type Unit = Pick<UnitDays, 'corpCode' | 'teamSysNo' | 'name'>

/** Query filters for the people of a unit. */
export const ofUnit = (unit: Unit) => ({ corpCode: unit.corpCode ?? undefined, teamSysNo: unit.teamSysNo ?? undefined })
