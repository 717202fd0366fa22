import { expect, test } from 'vitest'
import { mostAtOnce, type PlaceSeries, plannedFloors, seriesFault, sizeOf } from './series.ts'
import { floorNumber, kindsIn, maySitIn, roomOnFloor } from './tree.ts'

const series = (more: Partial<PlaceSeries> = {}): PlaceSeries => ({
  units: [],
  from: 1,
  to: 2,
  floorName: '{层}层',
  rooms: 2,
  roomName: '{层}{序}',
  ...more,
})

test('floors without a floor 0, cellars without rooms, units each with all floors', () => {
  expect(plannedFloors(series({ from: -1, to: 1 }))).toEqual([
    { unit: null, name: '地下1层', rooms: [] },
    { unit: null, name: '1层', rooms: ['101', '102'] },
  ])
  const floors = plannedFloors(series({ units: ['1 单元', '2 单元'], to: 1, roomName: '{序} 室' }))
  expect(floors.map((one) => [one.unit, one.name, one.rooms.join()])).toEqual([
    ['1 单元', '1层', '01 室,02 室'],
    ['2 单元', '1层', '01 室,02 室'],
  ])
  expect(sizeOf(floors)).toBe(2 + 2 + 4)
})

test.each([
  [series({ from: 3, to: 2 }), '止层不能低于起层'],
  [series({ floorName: '标准层' }), '楼层名称须含 {层}，否则各层重名'],
  [series({ floorName: '屋面', to: 1, from: 1 }), undefined],
  [series({ roomName: '房' }), '房间名称须含 {序}，否则同层重名'],
  [series({ roomName: '' }), '房间名称须含 {序}，否则同层重名'],
  [series({ rooms: 0, roomName: '' }), undefined],
  [series({ units: ['1', '1'] }), '单元不能重名'],
  [series({ to: 200, rooms: 60 }), `一次最多生成 ${mostAtOnce} 个部位，现为 12200 个`],
])('%o: %s', (given, message) => {
  expect(seriesFault(given)?.message).toBe(message)
})

test('the number of a room follows its floor, its name does not', () => {
  expect([floorNumber('5层'), floorNumber('地下1层'), floorNumber('B2'), floorNumber('屋面')]).toEqual([5, -1, -2, undefined])
  expect(roomOnFloor('501', 5, 6)).toBe('601')
  expect(roomOnFloor('1203', 12, 3)).toBe('303')
  expect(roomOnFloor('B101', -1, -2)).toBe('B201')
  expect(roomOnFloor('强电井', 5, 6)).toBe('强电井')
  expect(roomOnFloor('5 号库', 5, 6)).toBe('5 号库')
  expect(roomOnFloor('501', 5, undefined)).toBe('501')
})

test('what stands in what', () => {
  expect(kindsIn(null)).toEqual(['building', 'area'])
  expect(kindsIn('floor')).toEqual(['room'])
  expect(kindsIn('room')).toEqual([])
  expect(maySitIn('floor', 'unit')).toBe(true)
})
