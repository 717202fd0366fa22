import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { groupState, isRequired, maxLengthOf, problemAt, problemFor, problemsOf, tidy } from './form-values.ts'

z.config(z.locales.zhCN())
const body = z
  .object({
    name: z.string({ error: '请填写名称' }).trim().min(1, '请填写名称').max(20, '名称最多 20 个字'),
    remark: z.string().max(200).default(''),
    phone: z
      .string()
      .regex(/^1\d{10}$/, '手机号应为 11 位')
      .optional(),
    leftAt: z
      .string()
      .regex(/^\d{4}-\d{2}-\d{2}$/)
      .nullable(),
    count: z.number().int(),
    kind: z.enum(['a', 'b']),
    photos: z.array(z.object({ url: z.string().min(1, '请上传照片') })).optional(),
  })
  .refine((v) => v.name !== v.remark, { path: ['remark'], message: '说明与名称相同' })

test.each([
  ['name', true],
  ['remark', false],
  ['phone', false],
  ['leftAt', false],
  ['count', true],
  ['kind', true],
  ['unknown', false],
])('%s required: %s', (name, expected) => expect(isRequired(body, [name])).toBe(expected))

test('an empty submit marks every starred field, those too that the schema asks for last', () => {
  const late = z
    .object({ count: z.number({ error: '请填写数量' }), licence: z.string().optional(), kinds: z.array(z.string()).default([]) })
    .superRefine((v, context) => {
      if (!v.licence) context.addIssue({ code: 'custom', path: ['licence'], message: '请填写许可证' })
    })
  const empty = { kinds: [] }
  expect(problemAt({ schema: late }, empty, ['count'], true)).toBe('请填写数量')
  expect(problemAt({ schema: late }, empty, ['licence'], true)).toBe('请填写')
  expect(problemAt({ schema: late }, empty, ['kinds'], true)).toBe('请填写')
  expect(problemAt({ schema: late }, empty, ['kinds'], false)).toBeUndefined()
  expect(problemAt({ schema: late }, { count: 1 }, ['licence'], true)).toBe('请填写许可证')
  expect(problemAt({ schema: late }, { ...empty, licence: 'A' }, ['licence'], true)).toBeUndefined()
})

test('the length of a text comes from the schema', () => {
  expect(maxLengthOf(body, ['name'])).toBe(20)
  expect(maxLengthOf(body, ['remark'])).toBe(200)
  expect(maxLengthOf(body, ['count'])).toBeUndefined()
})

describe('leaving values', () => {
  test('cleared fields go as the schema takes them', () => {
    expect(tidy({ name: ' 田 ', remark: '', phone: '', leftAt: '', count: 0 }, body)).toEqual({
      name: '田',
      remark: '',
      leftAt: null,
      count: 0,
    })
  })
  test('what was never touched is null where only that will do', () =>
    expect(tidy({ name: 'a' }, body)).toEqual({ name: 'a', leftAt: null }))
  test('what was filled and has been cleared is sent as empty, or the server would keep it', () => {
    const change = z.object({
      roles: z.array(z.string()).optional(),
      until: z.string().nullish(),
      note: z.string().optional(),
      kind: z.enum(['a', 'b']).optional(),
    })
    const first = { roles: ['r1'], until: '2026-12-31', note: 'x', kind: 'a' }
    expect(tidy({ roles: [], until: undefined, note: '', kind: undefined }, change, first)).toEqual({ roles: [], until: null, note: '' })
    expect(tidy({ roles: undefined, until: undefined, note: undefined }, change, first)).toEqual({ roles: [], until: null, note: '' })
    expect(tidy({ roles: undefined, until: undefined, note: undefined }, change, {})).toEqual({})
    expect(tidy({}, change, first)).toEqual({ roles: [], until: null, note: '' })
  })
  test('an empty list leaves as the schema takes it', () => {
    const some = z.object({ ids: z.array(z.string()).min(1).optional(), must: z.array(z.string()).min(1) })
    expect(tidy({ ids: [], must: [] }, some)).toEqual({ must: [] })
  })
  test('values without a schema stay', () => expect(tidy({ a: '', b: null, c: undefined }, undefined)).toEqual({ a: '', b: null }))
})

test('messages by field', () => {
  const problems = problemsOf(body, { name: '', phone: '123', leftAt: null, kind: undefined, photos: [{ url: '' }] })
  expect(problems.get('name')).toBe('请填写名称')
  expect(problems.get('phone')).toBe('手机号应为 11 位')
  expect(problems.get('count')).toBe('请填写')
  expect(problems.get('kind')).toBe('请填写')
  expect(problemFor(problems, ['photos'])).toBe('请上传照片')
  expect(problemFor(problems, ['leftAt'])).toBeUndefined()
})

test('the body is judged as it will be sent, not as the form keeps it', () => {
  const sent = z.object({ logo: z.string().nullable(), weekday: z.number().int().max(7) })
  const convert = (v: unknown) => {
    const { logo, weekday } = v as { logo: string[]; weekday: string }
    return { logo: logo[0] ?? null, weekday: Number(weekday) }
  }
  expect(problemsOf(sent, { logo: ['/f/1'], weekday: '1' }, convert).size).toBe(0)
  expect(problemsOf(sent, { logo: [], weekday: '9' }, convert).get('weekday')).toMatch(/7/)
  // The conversion needs a list that is missing: values that cannot be converted yet are not reported as wrong.
  expect([...problemsOf(sent, { weekday: '1' }, convert)]).toEqual([])
  expect([...problemsOf(sent, {}, convert)]).toEqual([['weekday', '请填写']])
})

test('rules between fields stand at their field', () => {
  expect(problemsOf(body, { name: 'a', remark: 'a', leftAt: null, count: 1, kind: 'a' }).get('remark')).toBe('说明与名称相同')
})

test('state of a group', () => {
  expect(groupState(['name', 'phone', 'photos', 'a.b'], { name: 'x', phone: '', photos: [], a: { b: 0 } }, new Set(['phone']))).toEqual({
    total: 4,
    filled: 2,
    errors: 1,
  })
})
