import type { OnlyWhen } from '@zhugong/contract/rules/model'
import type { RuleLevel } from './evaluate.ts'

export interface RuleOptions {
  /** A record kind whose fields are the metrics. */
  on?: string
  onlyWhen?: OnlyWhen
  maxGapSeconds?: number
  minConfidence?: number
  confirmSamples?: number
  /** Opens once the condition has been true this long on one day. */
  daySeconds?: number
  noDataSeconds?: number
  /** The alarm is switched off for this scope: overrides wider rules and never opens. */
  off?: boolean
}

export interface TriggerParts {
  levels: readonly (Omit<RuleLevel, 'condition' | 'clear'> & { condition: unknown; clear?: unknown; clearValue?: number })[]
  schedule?: unknown
  options?: RuleOptions
}
