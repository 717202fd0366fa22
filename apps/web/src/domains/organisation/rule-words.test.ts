import { expect, test } from 'vitest'
import { ruleDifferences, ruleFault } from './rule-words.ts'

const before = { departments: ['安全部'], posts: [{ post: '安全员', roleId: 'r1', isKey: true }] }
const name = (id: string) => ({ r1: '安全管理', r2: '项目只读' })[id] ?? '角色'

test('what would change is told post by post', () => {
  expect(ruleDifferences(before, before, name)).toEqual([])
  const after = {
    departments: ['安全部', '质量部'],
    posts: [
      { post: '安全员', roleId: 'r2', isKey: false },
      { post: '资料员', roleId: null, isKey: false },
    ],
  }
  expect(ruleDifferences(before, after, name)).toEqual([
    { label: '部门模板', before: '安全部', after: '安全部、质量部' },
    { label: '岗位 安全员', before: '安全管理，关键岗位', after: '项目只读' },
    { label: '岗位 资料员', before: '无', after: '不给角色' },
  ])
})

test('an unnamed post and one that stands twice cannot be saved', () => {
  const post = { post: '安全员', roleId: null, isKey: false }
  expect(ruleFault({ departments: [], posts: [post] })).toBeUndefined()
  expect(ruleFault({ departments: [], posts: [{ ...post, post: '' }] })).toBe('请填写岗位')
  expect(ruleFault({ departments: [], posts: [post, post] })).toBe('岗位不能重复')
  expect(ruleFault({ departments: ['a/b'], posts: [] })).toContain('不能含有')
})
