import { expect, test } from 'vitest'
import { z } from 'zod'
import { pruneOf, undeclaredKeys } from './declared-keys.ts'

const kept = (schema: z.core.$ZodType, value: unknown) => {
  const prune = pruneOf(schema)
  return prune ? prune(value) : value
}

test('objects, arrays, records and tuples lose what is not declared', () => {
  const schema = z.object({
    total: z.number(),
    list: z.array(z.object({ id: z.string(), tags: z.array(z.string()) })),
    byCode: z.record(z.string(), z.object({ name: z.string() })),
    pair: z.tuple([z.object({ a: z.number() }), z.number()]),
  })
  const value = {
    total: 1,
    list: [{ id: '1', tags: ['x'], secret: 'no' }],
    byCode: { a: { name: 'A', secret: 'no' } },
    pair: [{ a: 1, secret: 'no' }, 2],
    secret: 'no',
  }
  expect(JSON.stringify(kept(schema, value))).not.toContain('secret')
  expect(undeclaredKeys(schema, value).sort()).toEqual(['byCode.a.secret', 'list[].secret', 'pair[].secret', 'secret'])
  expect(kept(schema, value)).toEqual({ total: 1, list: [{ id: '1', tags: ['x'] }], byCode: { a: { name: 'A' } }, pair: [{ a: 1 }, 2] })
})

test('wrappers are looked through, values that are no plain objects stay', () => {
  const inner = z.object({ at: z.string() })
  const at = new Date(0)
  for (const schema of [inner.optional(), inner.nullable(), inner.readonly(), inner.default({ at: '' }), inner.transform((v) => v)]) {
    expect(kept(z.object({ one: schema }), { one: { at, more: 1 } })).toEqual({ one: { at } })
    expect(kept(z.object({ one: schema }), { one: null })).toEqual({ one: null })
  }
  expect(kept(z.object({ one: inner.optional() }), {})).toEqual({})
})

test('a discriminated union keeps its member’s keys, a plain one those of all', () => {
  const [a, b] = [z.object({ kind: z.literal('a'), left: z.number() }), z.object({ kind: z.literal('b'), right: z.number() })]
  const value = { kind: 'a', left: 1, right: 2, secret: 3 }
  expect(kept(z.discriminatedUnion('kind', [a, b]), value)).toEqual({ kind: 'a', left: 1 })
  expect(kept(z.union([a, b]), value)).toEqual({ kind: 'a', left: 1, right: 2 })
  expect(kept(z.union([z.string(), z.array(a)]), [value])).toEqual([{ kind: 'a', left: 1 }])
  expect(kept(z.union([z.string(), a]), 'text')).toBe('text')
})

test('a loose schema keeps everything', () => {
  for (const schema of [z.looseObject({ a: z.number() }), z.unknown(), z.union([z.looseObject({}), z.object({ a: z.number() })])]) {
    expect(kept(schema, { a: 1, more: 2 })).toEqual({ a: 1, more: 2 })
  }
})

test('a recursive schema is pruned at every depth', () => {
  interface Node {
    name: string
    children: Node[]
  }
  const node: z.ZodType<Node> = z.lazy(() => z.object({ name: z.string(), children: z.array(node) }))
  const value = { name: 'a', x: 1, children: [{ name: 'b', x: 1, children: [{ name: 'c', x: 1, children: [] }] }] }
  expect(undeclaredKeys(node, value)).toEqual(['x', 'children[].x', 'children[].children[].x'])
  expect(JSON.stringify(kept(node, value))).not.toContain('"x"')
})
