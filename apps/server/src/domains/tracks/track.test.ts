import { isOnDuty, type Place, stayOfCheck, staysOf, trackOf, usualDuty } from '@zhugong/contract/tracks/track'
import { expect, test } from 'vitest'

const start = Date.parse('2026-11-27T09:00:00+08:00')
const minute = 60_000
/** A place some metres east of the first one, at a minute of the day. */
const place = (minutes: number, meters: number, projectCode: string | null = null): Place => ({
  time: start + minutes * minute,
  lng: 114.3 + meters / (111_320 * Math.cos((30.6 * Math.PI) / 180)),
  lat: 30.6,
  accuracy: 10,
  projectCode,
})

test('a gap splits the line and its straight distance is not counted', () => {
  const track = trackOf([place(0, 0), place(1, 500), place(40, 9_000), place(41, 9_500)])
  expect(track.segments.map((one) => one.length)).toEqual([2, 2])
  expect(track.km).toBe(1)
  expect(track.jumps).toEqual([])
})

test('places in any order make the same track', () => {
  const given = [place(3, 900), place(0, 0), place(1, 300), place(2, 600)]
  expect(trackOf(given)).toEqual(trackOf([...given].reverse()))
  expect(trackOf(given).km).toBe(0.9)
})

test('an impossible position is flagged, neither drawn nor counted', () => {
  const track = trackOf([place(0, 0), place(1, 200), place(1.5, 60_000), place(2, 400)])
  expect(track.jumps.map((one) => one.time)).toEqual([start + 1.5 * minute])
  expect(track.segments).toHaveLength(1)
  expect(track.km).toBe(0.4)
})

test('after three impossible positions in a row the earlier one was wrong', () => {
  const track = trackOf([place(0, 0), place(1, 60_000), place(2, 60_100), place(3, 60_200), place(4, 60_300)])
  expect(track.segments.map((one) => one.length)).toEqual([1, 4])
  expect(track.km).toBeLessThan(1)
})

test('stays are joined over short interruptions, not over gaps, and passing by is none', () => {
  const lines = trackOf([
    ...[0, 4, 8].map((at) => place(at, 10, 'A')),
    place(10, 60),
    ...[12, 16].map((at) => place(at, 20, 'A')),
    ...[50, 55].map((at) => place(at, 20, 'A')),
    place(58, 800, 'B'),
    place(59, 1_500),
  ]).segments
  expect(staysOf(lines)).toEqual([
    { projectCode: 'A', from: start, to: start + 16 * minute, minutes: 16 },
    { projectCode: 'A', from: start + 50 * minute, to: start + 55 * minute, minutes: 5 },
  ])
})

test('a check belongs to a stay of its site only', () => {
  const stays = staysOf(trackOf([place(0, 0, 'A'), place(5, 0, 'A'), place(10, 0, 'A')]).segments)
  expect(stayOfCheck(stays, { projectCode: 'A', time: start + 20 * minute })).toBe(stays[0])
  expect(stayOfCheck(stays, { projectCode: 'A', time: start + 60 * minute })).toBeUndefined()
  expect(stayOfCheck(stays, { projectCode: 'B', time: start + 5 * minute })).toBeUndefined()
})

test('duty hours are those of Beijing, on their weekdays, without the last minute', () => {
  const at = (text: string) => isOnDuty(usualDuty, Date.parse(`${text}+08:00`))
  expect(at('2026-11-27T08:00:00')).toBe(true)
  expect(at('2026-11-27T07:59:59')).toBe(false)
  expect(at('2026-11-27T18:00:00')).toBe(false)
  expect(at('2026-11-29T10:00:00')).toBe(false)
})
