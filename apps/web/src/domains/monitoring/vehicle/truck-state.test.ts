import { expect, test } from 'vitest'
import { banded, gpxOf, labelOf, pointAt, pointStateOf, truckOf } from './truck-state.ts'

const reading = (values: Record<string, unknown>) => ({ deviceId: 'd', at: 1, receivedAt: 1, values })
const place = { longitude: 114.3, latitude: 30.5 }

test.each([
  [{ ...place, speed: 36, accOn: true }, true, 'driving'],
  [{ ...place, speed: 0, accOn: true }, true, 'standing'],
  [{ ...place, speed: 0, accOn: false }, true, 'off'],
  [{ ...place, speed: 36, accOn: true }, false, 'away'],
])('%j, online %s, is %s', (values, online, motion) => {
  expect(truckOf(reading(values), online).motion).toBe(motion)
})

test('full and open on the road is a warning, an alarm of the second level is one', () => {
  const open = truckOf(reading({ ...place, speed: 30, loadState: '3', cover: '0' }), true)
  expect(open).toMatchObject({ isUncovered: true, load: '满载', cover: '未密闭' })
  expect(pointStateOf(open, null)).toBe('warning')
  expect(pointStateOf(open, 2)).toBe('alarm')
  expect(pointStateOf(truckOf(undefined, true), null)).toBe('normal')
  expect(pointStateOf(truckOf(reading(place), false), 1)).toBe('offline')
  expect(labelOf('鄂B32817', open)).toBe('鄂B32817 30 km/h 满载')
})

const track = [0, 10, 30, 30, 70].map((speed, i) => ({ time: i * 1000, lng: i, lat: 0, speed }))

test('a line is cut by speed, without gaps', () => {
  expect(banded(track).map(({ band, points }) => [band, points.map((one) => one.lng)])).toEqual([
    ['slow', [0, 1]],
    ['usual', [1, 2, 3]],
    ['fast', [3, 4]],
  ])
})

test('where it was at a moment', () => {
  const later = track.map((one) => ({ ...one, time: one.time + 60_000 }))
  expect(pointAt([track, later], 2_500)?.lng).toBe(2)
  expect(pointAt([track, later], 30_000)?.lng).toBe(4)
  expect(pointAt([track, later], 61_000)?.lng).toBe(1)
  expect(pointAt([track], -1)).toBeUndefined()
})

test('GPX holds a segment for each line, and no sign breaks it', () => {
  const text = gpxOf('鄂B<1>', [track.slice(0, 2), track.slice(2)])
  expect(text.match(/<trkseg>/g)).toHaveLength(2)
  expect(text).toContain('<name>鄂B&lt;1&gt;</name>')
  expect(text).toContain('<trkpt lat="0" lon="1"><time>1970-01-01T00:00:01.000Z</time></trkpt>')
})
