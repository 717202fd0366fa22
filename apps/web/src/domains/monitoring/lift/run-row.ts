import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import type { findLiftRuns } from '@zhugong/contract/monitoring/lift/lift-lists'

/** A row of the list of runs. */
export type RunRow = OutputFor<typeof findLiftRuns>['list'][number]
