import { expect, test } from 'vitest'
import { isOnDevice, photosIn, withAddresses } from './photos.ts'

const body = {
  action: 'reply',
  opinion: 'device is a word here',
  lines: [
    { id: '1', photos: ['device:aa', '/api/v1/tool/image?id=bb'], person: null },
    { id: '2', photos: ['device:cc', 'device:aa'] },
  ],
}

test('photographs on the device are found wherever they stand in a body', () => {
  expect(photosIn(body)).toEqual(['device:aa', 'device:cc', 'device:aa'])
  expect(photosIn(undefined)).toEqual([])
  expect(isOnDevice('/api/v1/tool/image?id=device')).toBe(false)
})

test('their addresses are replaced, and nothing else is', () => {
  const sent = withAddresses(
    body,
    new Map([
      ['device:aa', '/a'],
      ['device:cc', '/c'],
    ]),
  )
  expect(sent).toEqual({
    ...body,
    lines: [
      { id: '1', photos: ['/a', '/api/v1/tool/image?id=bb'], person: null },
      { id: '2', photos: ['/c', '/a'] },
    ],
  })
  expect(body.lines[0]?.photos[0]).toBe('device:aa')
})
