import { expect, test } from 'vitest'
import { motionIn, poseIn, shortName, status } from './crane-state.ts'

const now = 1_000_000_000
const base = { online: true, lastTime: null, intervalMs: 10_000, now, alarm: undefined, fine: '力矩 41 %' }
const reading = (agoMs: number, values: Record<string, unknown> = {}) => ({ deviceId: 'a', at: now - agoMs, receivedAt: now, values })

test.each([
  ['nothing ever came', { reading: undefined }, 'none', '未激活'],
  ['in service, but nothing ever came', { reading: undefined, activated: true }, 'none', '尚无数据'],
  ['all is well', { reading: reading(1000) }, 'fine', '力矩 41 %'],
  ['three intervals are not yet old', { reading: reading(30_000) }, 'fine', '力矩 41 %'],
  ['older than three intervals', { reading: reading(30_001) }, 'offline', '数据陈旧'],
  ['offline with its age', { reading: reading(300_000), online: false }, 'offline', '离线 5 分钟'],
  ['offline by the list alone', { reading: undefined, online: false, lastTime: now - 60_000 }, 'offline', '离线 1 分钟'],
  ['stopped for maintenance', { reading: reading(0, { sensorStatus: '2' }) }, 'maintenance', '停机维护'],
  ['an alarm is named', { reading: reading(0), alarm: { level: 2, label: '碰撞预警' } }, 'warning', '碰撞预警'],
  ['level 1 is red', { reading: reading(0), alarm: { level: 1, label: '力矩严重超限' } }, 'alarm', '力矩严重超限'],
  [
    'offline comes before its alarm',
    { reading: reading(300_000), online: false, alarm: { level: 1, label: 'x' } },
    'offline',
    '离线 5 分钟',
  ],
] as const)('%s', (_, given, tone, word) => expect(status({ ...base, ...given })).toEqual({ tone, word }))

test('speeds become degrees and metres a second', () => {
  expect(motionIn({ slewSpeed: 0.5, trolleySpeed: 30, hoistSpeed: -60 })).toEqual({ slew: 3, trolley: 0.5, hoist: -1 })
  expect(motionIn(undefined)).toEqual({ slew: 0, trolley: 0, hoist: 0 })
})

test('no place without an angle', () => {
  expect(poseIn({ radius: 20 })).toBeUndefined()
  expect(poseIn({ radius: 20, slewAngle: 0 })).toEqual({ angle: 0, radius: 20, hook: 0 })
})

test('short names', () => expect(['3# 塔机', '塔机', '东塔吊', '5#'].map(shortName)).toEqual(['3#', '塔机', '东', '5#']))
