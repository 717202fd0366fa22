import type { Move } from '@zhugong/contract/kit/process'
import type { Kind } from '../process/public.ts'
import { constructionKind, type Log, ownLogKind, safetyLogKind } from './kind.ts'
import type { LogType } from './tables.ts'

/** The kinds by the type of process, for what all of them do alike. */
export const logKinds: Readonly<Record<LogType, Kind<Log, Readonly<Record<string, Move>>>>> = {
  safetyPLog: safetyLogKind,
  construction: constructionKind,
  log: ownLogKind,
}
