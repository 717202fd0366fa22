import { expect, test } from 'vitest'
import { planMoves } from '../plans/moves.ts'
import { rectifyMoves } from '../rectify/moves.ts'
import { dictName } from '../settings/dictionaries.ts'
import { sheetMoves } from '../sheets/moves.ts'
import { stopMoves } from '../stops/moves.ts'
import type { Move } from './process.ts'

test.each<[string, Readonly<Record<string, Move>>]>([
  ['checkPlanState', planMoves],
  ['manualSheetState', sheetMoves],
  ['rectifyState', rectifyMoves],
  ['stopApplyState', stopMoves],
])('[supervision-status-open] every state of %s has a name, and every one but drafts is reached by an action', (dictionary, moves) => {
  const states = Object.values(moves).flatMap(({ from, to }) => [...from, ...(to === null ? [] : Array.isArray(to) ? to : [to])])
  expect(states.length).toBeGreaterThan(0)
  expect([...new Set(states)].filter((state) => !dictName(dictionary, state))).toEqual([])
  const reached = new Set(Object.values(moves).flatMap(({ to }) => (to === null ? [] : to)))
  expect(Object.values(moves).flatMap(({ from }) => from.filter((state) => state !== '0' && !reached.has(state)))).toEqual([])
})
