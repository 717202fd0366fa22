import type { Period } from './stats-period.tsx'
import type { UnitDays } from './stats-words.ts'

/** A page of a call; a site has fewer units, and a year of six of them has more days than this. */
export const most = 1000

export const queryOf = ({ projectCode, startDate, endDate, workRole }: Period) => ({ projectCode, startDate, endDate, workRole })

/** A company, or one of its teams. */
export type Unit = Pick<UnitDays, 'corpCode' | 'teamSysNo' | 'name'>

/** How a call asks for its people. */
export const ofUnit = (unit: Unit) => ({ corpCode: unit.corpCode ?? undefined, teamSysNo: unit.teamSysNo ?? undefined })
