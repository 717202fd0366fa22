import { expect, test } from 'vitest'
import { runsOf } from './trend.tsx'

const at = (...times: number[]) => times.map((time) => ({ time, value: 1 }))

test('points apart by no more than the gap are one run', () => expect(runsOf(at(0, 10, 20), 10)).toHaveLength(1))
test('a gap ends a run and is never joined', () => expect(runsOf(at(0, 10, 21, 31), 10).map((run) => run.length)).toEqual([2, 2]))
test('nothing is no run', () => expect(runsOf([], 10)).toEqual([]))
