import { expect, test } from 'vitest'
import { changeOf } from './brand-settings.tsx'

const field = (own: boolean) => ({ value: 'x', own, fromName: null, lockedBy: null })
const named = (own: boolean) => ({ sysName: field(own), logo: field(false), primaryColor: field(false), screen: field(false) })

test('a brand with something of its own is never called as delivered, though nobody knows who set it', () => {
  expect(changeOf({ updateBy: null, updateTime: null, shown: named(true) })).toBeUndefined()
  expect(changeOf({ updateBy: null, updateTime: null, shown: named(false) })).toEqual({ by: null, at: null })
  expect(changeOf({ updateBy: '刘振华', updateTime: '2026-11-20 10:00:00', shown: named(true) })).toMatchObject({
    by: '刘振华',
  })
})
