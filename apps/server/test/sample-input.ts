import { randomUUID } from 'node:crypto'
import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import type { Subject } from '@zhugong/contract/kit/fields'
import { dictionaryOf } from '@zhugong/contract/settings/dictionaries'
import { z } from 'zod'

interface Schema {
  type?: string
  enum?: unknown[]
  const?: unknown
  default?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minItems?: number
  minimum?: number
  exclusiveMinimum?: number
  minLength?: number
  pattern?: string
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  subject?: Subject
  dictionary?: string
  area?: boolean
}

/** A place in an endpoint's input that contains the id of a tenant's row. */
export interface Reference {
  part: 'params' | 'query' | 'body'
  path: string[]
  subject: Subject
  /** The option of each union of objects that the path leads through: `{ 'body': 2 }` is the third action of a body. */
  options: Options
  /** The id of a new record, made by the device: a known id would repeat a former request. */
  isNew: boolean
}

/** Index of the option taken, by the dotted path of the union. */
type Options = Readonly<Record<string, number>>

/** Pattern of ids that a device makes for a new record. */
const newIdPattern = '^[0-9a-f]{32}$'

const known = new WeakMap<z.ZodType, Schema>()
/** Converted once: the isolation tests request the same schema a thousand times. */
function jsonSchema(schema: z.ZodType): Schema {
  const json = known.get(schema) ?? (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema)
  known.set(schema, json)
  return json
}

export function referencesOf(endpoint: Endpoint): Reference[] {
  return (['params', 'query', 'body'] as const).flatMap((part) => {
    const schema = endpoint.schemas[part]
    return schema ? find(jsonSchema(schema), [part], {}) : []
  })
}

function find(schema: Schema, at: string[], options: Options): Reference[] {
  const [part, ...path] = at
  if (schema.subject)
    return [{ part: part as Reference['part'], path, subject: schema.subject, options, isNew: schema.pattern === newIdPattern }]
  const choice = schema.anyOf ?? schema.oneOf ?? []
  const ofObjects = isUnionOfObjects(choice)
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, child]) => find(child, [...at, name], options)),
    ...(schema.items ? find(schema.items, [...at, '0'], options) : []),
    ...choice.flatMap((child, i) => find(child, at, ofObjects ? { ...options, [at.join('.')]: i } : options)),
    ...(schema.allOf ?? []).flatMap((child) => find(child, at, options)),
  ]
}

/** Options that differ in their fields, such as the actions of one call. */
const isUnionOfObjects = (choice: readonly Schema[]): boolean => choice.length > 1 && choice.every((option) => option.properties)

/** How many actions a call has: options of the union that its body is. */
export function actionsOf(endpoint: Endpoint): number {
  const { body } = endpoint.schemas
  const schema = body && jsonSchema(body)
  const choice = schema?.anyOf ?? schema?.oneOf ?? []
  return isUnionOfObjects(choice) ? choice.length : 1
}

/** Values by field name, for fields whose format the schema does not show because a function checks it. */
const byName: Record<string, unknown> = {
  corpCode: '91420200MA4TERT13Y',
  contractorCorpCode: '91420200MA4TERT13Y',
  buildCorpCode: '91420200MA4TERT13Y',
  creditCode: '91420200MA4TERT13Y',
  idCardNumber: '42020219900101001X',
  legalManIdCardNumber: '42020219900101001X',
  pmIdCardNumber: '42020219900101001X',
  responsiblePersonIdNumber: '42020219900101001X',
  linkPhone: '13800138000',
  cellPhone: '13800138000',
  pmPhone: '13800138000',
  responsiblePersonPhone: '13800138000',
  urgentLinkManPhone: '13900139000',
  phone: '13800138000',
  password: 'Sample#Pass99',
  newPassword: 'Sample#Pass99',
  oldPassword: 'Sample#Pass98',
  account: 'sample.user',
  name: '样例名称',
  lng: 115,
  lat: 30,
  birthday: '1990-01-01',
  startDate: '2026-01-01',
  endDate: '2027-01-01',
  completeDate: '2027-01-01',
  registerDate: '2020-01-01',
  entryTime: '2026-11-01',
  exitTime: '2026-11-02',
  startTime: '2026-11-01 00:00:00',
  endTime: '2026-11-02 00:00:00',
  date: '2026-11-01',
  version: 0,
  reason: '隔离测试的原因说明',
  month: '2026-11',
  family: 'towerCrane',
  alarmKey: 'windAlarm',
  levels: [{ level: 2, condition: { type: 'threshold', metric: 'windSpeed', op: '>=', value: 12 } }],
  until: '2030-01-01 00:00:00',
}

/**
 * Builds an input that passes the endpoint's validation as far as the schema describes it, with the given values at their references. Where
 * the body is one of several actions, the last reference decides which; values of other actions are left out. `action` is the index of the
 * action where no reference decides.
 */
export function sampleInput(
  endpoint: Endpoint,
  given: readonly { reference: Reference; value: string }[],
  action = 0,
): Record<string, unknown> {
  let options: Options = given.at(-1)?.reference.options ?? {}
  if (options.body === undefined && actionsOf(endpoint) > 1) options = { ...options, body: action % actionsOf(endpoint) }
  const fitting: (typeof given)[number][] = []
  for (const one of given.toReversed()) {
    if (Object.entries(one.reference.options).some(([at, i]) => (options[at] ?? i) !== i)) continue
    options = { ...options, ...one.reference.options }
    fitting.push(one)
  }
  const input: Record<string, unknown> = {}
  for (const part of ['params', 'query', 'body'] as const) {
    const schema = endpoint.schemas[part]
    if (schema) input[part] = fill(jsonSchema(schema), [part], options)
  }
  // The last given value wins where two references have one path.
  for (const { reference, value } of fitting.toReversed()) put(input, [reference.part, ...reference.path], value)
  return input
}

function fill(schema: Schema, at: string[], options: Options): unknown {
  const [part] = at
  const name = at.findLast((step) => step !== '0') ?? ''
  if (schema.default !== undefined && part !== 'body') return undefined
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.dictionary) return dictionaryOf(schema.dictionary)?.items.find((i) => !i.hidden)?.code
  if (schema.area) return '420202'
  if (name in byName) return byName[name]
  const choice = schema.anyOf ?? schema.oneOf
  if (choice) {
    const taken = isUnionOfObjects(choice) ? choice[options[at.join('.')] ?? 0] : choice.find((c) => c.type !== 'null')
    return fill(taken ?? {}, at, options)
  }
  switch (schema.type) {
    case 'object': {
      const required = schema.required ?? []
      return Object.fromEntries(required.map((key) => [key, fill(schema.properties?.[key] ?? {}, [...at, key], options)]))
    }
    case 'array':
      return Array.from({ length: Math.max(schema.minItems ?? 0, 1) }, () => fill(schema.items ?? {}, [...at, '0'], options))
    case 'number':
    case 'integer':
      return Math.max(schema.minimum ?? 1, (schema.exclusiveMinimum ?? 0) + 1)
    case 'boolean':
      return true
    default:
      if (schema.pattern === newIdPattern) return randomUUID().replaceAll('-', '')
      if (schema.pattern?.includes('\\d{4}-\\d{2}-\\d{2}')) return '2026-11-01'
      if (schema.pattern?.includes('[0-5]\\d')) return '08:00'
      return 'x'.repeat(Math.max(1, schema.minLength ?? 1))
  }
}

function put(target: Record<string, unknown>, path: string[], value: string): void {
  let at = target as Record<string, unknown>
  for (const [i, key] of path.slice(0, -1).entries()) {
    const next = at[key]
    if (next === null || typeof next !== 'object') at[key] = /^\d+$/.test(path[i + 1] ?? '') ? [] : {}
    at = at[key] as Record<string, unknown>
  }
  at[path.at(-1) ?? ''] = value
}
