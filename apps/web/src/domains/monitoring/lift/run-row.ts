import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import type { findLiftRuns } from '@zhugong/contract/monitoring/lift-lists'

/** A run as lists and pictures hold it. */
export type RunRow = OutputFor<typeof findLiftRuns>['list'][number]
