import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { z } from 'zod'

/**
 * Every body and query field for a phone, identity, plate or serial number accepts the value as
 * pasted from a chat or a sheet, and converts it to its canonical form.
 */
const root = join(import.meta.dirname, '..')

interface Kind {
  of: RegExp
  /** A canonical value, and how people paste it. */
  kept: string
  pasted: readonly string[]
}
const kinds: readonly Kind[] = [
  {
    of: /phone|mobile|^tel$|Tel$/i,
    kept: '13812345678',
    pasted: ['\u202d13812345678\u202c', '138 1234-5678', '１３８１２３４５６７８', '+8613812345678'],
  },
  {
    of: /^idCardNumber$|^idNumber$|IdNumber$|IdCard$|^idCard$/,
    kept: '110101199003077758',
    pasted: ['110101 19900307 7758\u200b', '１１０１０１１９９００３０７７７５８'],
  },
  { of: /plate(No|Number)?$|Plate$/, kept: '鄂A9P8Q7', pasted: ['鄂A·9P8Q7', '鄂A 9P8Q7\u200b', '鄂ａ9p8q7'] },
  { of: /^serial(No|Number)?$|^deviceSn$|^sn$/, kept: 'SN-001', pasted: ['\u200bSN-001\u200b', 'ＳＮ-００１'] },
]

/** Exceptions: values sent by devices, which are identifiers of their own. */
const said: readonly RegExp[] = [/ \/api\/v1\/open\//, /\.mapping\.sn$/]

interface Field {
  name: string
  path: string
  schema: z.ZodType
}
interface Def {
  type: string
  shape?: Record<string, z.ZodType>
  element?: z.ZodType
  options?: z.ZodType[]
  innerType?: z.ZodType
  in?: z.ZodType
  out?: z.ZodType
  valueType?: z.ZodType
  left?: z.ZodType
  right?: z.ZodType
}
const defOf = (schema: z.ZodType): Def => (schema as unknown as { _zod: { def: Def } })._zod.def
const inside = ({ shape, element, options = [], innerType, in: from, valueType, left, right }: Def): z.ZodType[] =>
  shape ? [] : [element, ...options, innerType, from, valueType, left, right].filter((one) => one !== undefined)

function fieldsOf(schema: z.ZodType, path: string, depth = 0): Field[] {
  if (depth > 12) return []
  const def = defOf(schema)
  return [
    ...Object.entries(def.shape ?? {}).flatMap(([name, field]) => [
      { name, path: `${path}.${name}`, schema: field },
      ...fieldsOf(field, `${path}.${name}`, depth + 1),
    ]),
    ...inside(def).flatMap((one) => fieldsOf(one, path, depth + 1)),
  ]
}

interface Call {
  method: string
  path: string
  schemas: { query?: z.ZodType; body?: z.ZodType }
}
const isCall = (value: unknown): value is Call => typeof value === 'object' && value !== null && 'schemas' in value && 'method' in value

test('telephones, identity numbers, plates and serial numbers are taken as pasted, in every field of every call', async () => {
  const files = globSync('**/*.ts', { cwd: root }).filter((path) => !path.endsWith('.test.ts'))
  const modules = await Promise.all(files.map((path) => import(join(root, path)) as Promise<object>))
  const calls = modules.flatMap((module) => Object.values(module).filter(isCall))
  const fields = calls.flatMap(({ method, path, schemas }) =>
    (['query', 'body'] as const).flatMap((part) => {
      const schema = schemas[part]
      return schema ? fieldsOf(schema, `${method} ${path} ${part}`) : []
    }),
  )
  const wrong: string[] = []
  let tried = 0
  for (const { name, path, schema } of fields) {
    const kind = kinds.find(({ of }) => of.test(name))
    // A field that rejects the canonical value is something else with a similar name.
    if (!kind || said.some((one) => one.test(path)) || schema.safeParse(kind.kept).data !== kind.kept) continue
    tried++
    const missed = kind.pasted.filter((text) => schema.safeParse(text).data !== kind.kept)
    if (missed.length) wrong.push(`${path}: ${missed.join(' | ')}`)
  }
  expect(tried).toBeGreaterThan(80)
  expect([...new Set(wrong)].sort()).toEqual([])
  // Imports all modules of the contract.
}, 60_000)
