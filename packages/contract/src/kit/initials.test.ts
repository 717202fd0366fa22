import { expect, test } from 'vitest'
import { initialsOf, meansName } from './initials.ts'

test.each([
  ['滨江医院', 'bjyy'],
  ['武汉光谷智谷3号楼', 'whggzg3hl'],
  ['安定区职工住宅', 'adqzgzz'],
  ['东湾国际A座', 'dwgjaz'],
  ['鄂州欧亚体育馆', 'ezoytyg'],
])('the initials of %s are %s', (name, initials) => expect(initialsOf(name)).toBe(initials))

test('a name is meant by a part of it or of its initials', () => {
  expect(meansName('滨江医院', '江医')).toBe(true)
  expect(meansName('滨江医院', 'JYY')).toBe(true)
  expect(meansName('滨江医院', 'jx')).toBe(false)
  expect(meansName('滨江医院 B 区', 'B 区')).toBe(true)
})
