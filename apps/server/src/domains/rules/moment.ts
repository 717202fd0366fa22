import type { Point } from '@zhugong/contract/rules/polygon'
import type { Budget } from './budget.ts'
import type { Memory } from './history.ts'

/** Undefined: unknown. An unknown result changes nothing. */
export type Truth = boolean | undefined

/** A result, and until when it is valid without new readings. */
export interface Finding {
  truth: Truth
  until: number
}

export interface FenceName {
  id?: string
  kind?: string
  /** Positions are metres in the site's plane instead of longitude and latitude. */
  plane?: boolean
}

/** External facts that rules may use besides the device's readings. A missing function means unknown. */
export interface Facts {
  /** Time of the newest record of a kind, null if there is none. */
  lastRecord?(record: string, result: string | undefined, at: number): number | null | undefined
  /** Times of records of a kind within a window, filtered by a field's value. */
  recordTimes?(record: string, by: string | undefined, key: unknown, since: number, until: number): readonly number[]
  /** Last values of a record's field before a time, newest first. */
  recordValues?(record: string, metric: string, by: string, key: unknown, before: number, most: number): readonly number[]
  isListed?(list: string, value: unknown): Truth
  isRegistered?(metric: string, value: unknown): Truth
  workerIs?(state: string, values: Readonly<Record<string, unknown>>, at: number): Truth
  /** Areas and routes of a fence of the project, in its plane if `plane` is set; undefined if there is none. */
  fence?(fence: FenceName): { areas: readonly (readonly Point[])[]; routes: readonly (readonly Point[])[] } | undefined
  countInArea?(at: number): number | undefined
  /** Since when a subject has been in a state (onSite), null if it is not. */
  stateSince?(state: string, values: Readonly<Record<string, unknown>>, at: number): number | null | undefined
  /** Smallest distance to another crane within the next seconds, in metres, and whether all positions are known. */
  clearanceAt?(at: number, predictSeconds: number): { meters: number; complete: boolean; unheard?: number } | undefined
  /** Distance to the nearest zone of a kind, zero inside. */
  zoneDistanceAt?(zone: string, at: number): number | undefined
}

/** Input of an evaluation: a device time and all data known at that time. */
export interface Moment {
  time: number
  memory: Memory
  /** The new reading; the record's fields for rules about records. */
  values: Readonly<Record<string, unknown>>
  params: Readonly<Record<string, unknown>>
  intervalMs: number
  maxGapMs: number
  /** Windows never reach back before this time. */
  periodStart: number
  facts: Facts
  /** Steps this evaluation may still take. */
  budget: Budget
  unitOf(metric: string): string | undefined
}

export const unknown = (at: number): Finding => ({ truth: undefined, until: at })

export const negate = ({ truth, until }: Finding): Finding => ({ truth: truth === undefined ? undefined : !truth, until })

/** false wins, then unknown. */
export function every(all: readonly Finding[], at: number): Finding {
  const no = all.find((f) => f.truth === false)
  if (no) return no
  if (all.some((f) => f.truth === undefined)) return unknown(at)
  return { truth: true, until: Math.min(...all.map((f) => f.until)) }
}

/** true wins, then unknown. */
export function some(all: readonly Finding[], at: number): Finding {
  const yes = all.find((f) => f.truth === true)
  if (yes) return yes
  if (all.some((f) => f.truth === undefined)) return unknown(at)
  return { truth: false, until: Math.min(...all.map((f) => f.until)) }
}
