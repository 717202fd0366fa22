import type { Row } from '#kit/db'

/** A daily check with what its rules ask about its children. */
export type DayCheck = Row<'dayCheck'> &
  Pick<Row<'siteCheck'>, 'checkers' | 'inspectType' | 'checkTime'> & {
    /** Units that are not finished. */
    undone: number
    units: number
    signedSite: boolean
    signedSupervisor: boolean
    supervised: boolean
    /** Disciplines of a group's check that nobody has signed off. */
    openDisciplines: string[]
  }
