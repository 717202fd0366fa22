import type { Point } from '@zhugong/contract/rules/polygon'
import type { Budget } from './budget.ts'
import type { Memory } from './history.ts'

/** Undefined: not known. What is not known decides nothing. */
export type Truth = boolean | undefined

/** A truth, and how long it stays known when nothing more is heard. */
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

/** What a rule may ask about the world beside the device's own readings. Whatever is absent is unknown. */
export interface Facts {
  /** Time of the newest record of a kind, null when there is none. */
  lastRecord?(record: string, result: string | undefined, at: number): number | null | undefined
  /** Times of records of a kind within a window, by the value of one of their fields. */
  recordTimes?(record: string, by: string | undefined, key: unknown, since: number, until: number): readonly number[]
  /** Last values of a record's field before a moment, newest first. */
  recordValues?(record: string, metric: string, by: string, key: unknown, before: number, most: number): readonly number[]
  isListed?(list: string, value: unknown): Truth
  isRegistered?(metric: string, value: unknown): Truth
  workerIs?(state: string, values: Readonly<Record<string, unknown>>, at: number): Truth
  /** Areas and routes behind a name or id of the project, in its site's plane where positions are; undefined when there is none. */
  fence?(fence: FenceName): { areas: readonly (readonly Point[])[]; routes: readonly (readonly Point[])[] } | undefined
  countInArea?(at: number): number | undefined
  /** Since when somebody or something has been in a state (onSite), null when it is not. */
  stateSince?(state: string, values: Readonly<Record<string, unknown>>, at: number): number | null | undefined
  /** Smallest distance to another crane within the next seconds, in metres, and whether all of them are known. */
  clearanceAt?(at: number, predictSeconds: number): { meters: number; complete: boolean; unheard?: number } | undefined
  /** Distance to the nearest zone of a kind, zero inside. */
  zoneDistanceAt?(zone: string, at: number): number | undefined
}

/** What a condition is judged by: a moment of device time and all that is known then. */
export interface Moment {
  time: number
  memory: Memory
  /** The reading that just came; a record's fields when the rule is about records. */
  values: Readonly<Record<string, unknown>>
  params: Readonly<Record<string, unknown>>
  intervalMs: number
  maxGapMs: number
  /** Windows never reach behind it. */
  periodStart: number
  facts: Facts
  /** What this judgement may still cost. */
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
