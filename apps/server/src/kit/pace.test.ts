import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { pacedBody } from './pace.ts'

test('whoever leaves before anybody reads his body ends the body and not the process', async () => {
  const raw = Object.assign(new EventEmitter(), { socket: { bytesRead: 0 }, complete: false })
  const paced = pacedBody({ raw } as unknown as Parameters<typeof pacedBody>[0], new PassThrough()) as PassThrough
  raw.emit('close')
  await new Promise((resolve) => setImmediate(resolve))
  expect(paced.destroyed).toBe(true)
})
