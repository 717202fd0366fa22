import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { frameOf, high, pngOf, sceneOf, wide } from './scene.ts'
import { isSigned, rangeIn } from './server.ts'

const signed = (text: string, key: string) => `${text}&sign=${createHmac('sha256', key).update(text).digest('hex')}`

test('an address plays while it is signed and has not ended', () => {
  const path = '/42020000001320000001/1/sub.mp4?expires=2000'
  expect(isSigned(signed(path, 'key of the operator'), 'key of the operator', 1_000)).toBe(true)
  expect(isSigned(signed(path, 'key of the operator'), 'key of the operator', 3_000)).toBe(false)
  expect(isSigned(signed(path, 'another key'), 'key of the operator', 1_000)).toBe(false)
  expect(isSigned(path, 'key of the operator', 1_000)).toBe(false)
})

test('ranges of bytes as browsers ask for them', () => {
  expect(rangeIn(undefined, 100)).toBeUndefined()
  expect(rangeIn('bytes=0-', 100)).toEqual([0, 99])
  expect(rangeIn('bytes=10-19', 100)).toEqual([10, 19])
  expect(rangeIn('bytes=-20', 100)).toEqual([80, 99])
  expect(rangeIn('bytes=90-400', 100)).toEqual([90, 99])
  expect(rangeIn('bytes=100-', 100)).toBeNull()
})

test('what a camera sees follows its name, moves, and says its second', () => {
  expect(['1# 门岗', '3# 塔机吊钩', '基坑北侧', '钢筋加工棚'].map(sceneOf)).toEqual(['gate', 'crane', 'pit', 'yard'])
  const [first, later] = [frameOf('gate', 1, ':01'), frameOf('gate', 7, ':07')]
  expect(first.length).toBe(wide * high * 4)
  expect(Buffer.compare(first, later)).not.toBe(0)
  expect(pngOf(first).subarray(1, 4).toString('latin1')).toBe('PNG')
})
