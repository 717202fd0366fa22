import { expect, test } from 'vitest'
import { whyNot } from './stream.ts'

const token = { reason: null, codec: null, kind: 'mp4', url: '/media/1' }

test('what cannot play says why, and the camera’s own reason comes first', () => {
  const can = (kind: string) => kind === 'mp4'
  expect(whyNot(token, can)).toBeUndefined()
  expect(whyNot({ ...token, reason: '离线', codec: 'H.265' }, can)).toBe('离线')
  expect(whyNot({ ...token, codec: 'H.265' }, can)).toBe('编码不支持（H.265）')
  expect(whyNot({ ...token, kind: 'flv' }, can)).toBe('编码不支持（flv）')
  expect(whyNot({ ...token, url: null }, can)).toBe('无码流')
})
