import { expect, test } from 'vitest'
import { patiently } from './lazy.tsx'

test('a chunk is tried three times', async () => {
  let tries = 0
  await expect(
    patiently(() => {
      tries++
      return tries < 3 ? Promise.reject(new Error('gone')) : Promise.resolve('page')
    }, [1, 1]),
  ).resolves.toBe('page')
  expect(tries).toBe(3)
})

test('[route-chunk-error-silent] and then given up', async () => {
  let tries = 0
  await expect(
    patiently(() => {
      tries++
      return Promise.reject(new Error('gone'))
    }, [1, 1]),
  ).rejects.toThrow('gone')
  expect(tries).toBe(3)
})

test('a load that hangs has failed', async () => {
  await expect(patiently(() => new Promise(() => undefined), [], 5)).rejects.toThrow('timed out')
})
