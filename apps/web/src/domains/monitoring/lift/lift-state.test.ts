import { describe, expect, test } from 'vitest'
import {
  byCage,
  carriedHeight,
  floorIsDoubtful,
  floorMarks,
  headingIn,
  isRunning,
  liftParams,
  oneBelowAnother,
  openDoors,
} from './lift-state.ts'

const at = (cage: string | undefined, time: number, height: number) => ({
  deviceId: 'd',
  at: time,
  receivedAt: time,
  values: { height, ...(cage ? { cage } : {}) },
  quality: undefined,
})

test.each([
  ['upwards', { height: 10, speed: 0.6, direction: '1' }, 5, 13],
  ['downwards', { height: 10, speed: 0.6, direction: '2' }, 5, 7],
  ['one interval at most', { height: 10, speed: 0.6, direction: '1' }, 60, 16],
  ['to its upper limit', { height: 73, speed: 0.6, direction: '1' }, 10, 74.1],
  ['to its lower limit', { height: 1, speed: 0.6, direction: '2' }, 10, 0],
  ['standing', { height: 10, speed: 0, direction: '0' }, 10, 10],
  ['beyond its limit it stays where it says', { height: 75, speed: 0.6, direction: '1' }, 10, 75],
])('a cage glides between reports: %s', (_, values, seconds, height) => {
  expect(carriedHeight(values, seconds, 10, 74.1)).toBeCloseTo(height, 5)
})
test('a cage that never told its height has none', () => expect(carriedHeight({ speed: 1 }, 1, 10, 74)).toBeUndefined())

test.each([
  [{ height: 0, floor: 1 }, false],
  [{ height: 39, floor: 11 }, false],
  [{ height: 39, floor: 14 }, true],
  [{ height: 39 }, false],
])('floor and height that do not belong together are told: %j', (values, doubtful) => {
  expect(floorIsDoubtful(values, { maxHeight: 74.1, floors: 19 })).toBe(doubtful)
})

test('the marks of the floors leave each other room, and the lowest is always there', () => {
  expect(floorMarks(4, 30, 18)).toEqual([1, 2, 3, 4])
  expect(floorMarks(7, 10, 18)).toEqual([1, 3, 5, 7])
  expect(floorMarks(32, 8, 18)).toEqual([1, 5, 10, 15, 20, 25, 30])
})

test('doors, way and motion are read as they are told', () => {
  expect(openDoors({ frontDoorOpen: true, rearDoorOpen: false })).toEqual(['前门'])
  expect(openDoors(undefined)).toEqual([])
  expect([headingIn({ direction: '1' }), headingIn({ direction: '2' }), headingIn({})]).toEqual(['up', 'down', 'still'])
  expect([isRunning({ speed: 0.05 }), isRunning({ speed: 0.2 })]).toEqual([false, true])
})

test('of two cages on one box each keeps its own newest reading; a single cage takes what has no name', () => {
  const two = byCage([at('1', 1, 5), at('2', 2, 9), at('1', 3, 6), undefined, at(undefined, 9, 99)], ['1', '2'])
  expect([...two].map(([cage, one]) => [cage, one.values.height])).toEqual([
    ['1', 6],
    ['2', 9],
  ])
  expect(byCage([at(undefined, 1, 4)], ['0']).get('0')?.values.height).toBe(4)
})

test('a lift nobody described is drawn all the same', () => {
  expect(liftParams(undefined)).toMatchObject({ floors: 20, maxHeight: 60, ratedPersons: 9 })
  expect(liftParams({ maxFloor: 19, maxHeight: 74.1, ratedPersons: 12 })).toMatchObject({ floors: 19, ratedPersons: 12 })
})

describe('words of cages in one column', () => {
  test('stand at their cages where there is room', () => expect(oneBelowAnother([20, 200], 84, 400)).toEqual([20, 200]))
  test('go below each other where the cages stand alike, the upper one first', () =>
    expect(oneBelowAnother([110, 100], 84, 400)).toEqual([184, 100]))
  test('stay above the ground', () => expect(oneBelowAnother([310, 316], 84, 400)).toEqual([232, 316]))
})
