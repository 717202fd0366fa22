import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { openWorld, type World } from './world.ts'

/**
 * The isolation tests take foreign ids from what the contract marks: `ref('worker')`, or `pointsTo('worker', …)` round a looser field.
 * An unmarked id would never be tried, so every field that is called like one is marked or stands here with the reason why not.
 */
const exempt: Readonly<Record<string, string>> = {
  code: 'a name somebody gives to his own thing',
  codes: 'permission codes of the product',
  areaCode: 'areas are public',
  areaCodes: 'areas are public',
  zipCode: 'postal',
  birthPlaceCode: 'areas are public',
  workTypeCode: 'a dictionary',
  featCode: 'a dictionary',
  featCodes: 'a dictionary',
  deviceSn: 'the serial of a machine that is entered: unique over all sites, and whether it is taken is all that is told',
  identifier:
    'what a stranger calls itself before it belongs to anybody; the platform alone lists them, frames are asked with their device',
  pointCode: 'a point of the device named beside it',
  uid: 'a place on a screen, numbered within it',
  terminalCode: 'narrows a list of one’s own passages',
  plateNo: 'text of a record',
  billNo: 'text of a record',
  cycleNo: 'text of a record',
  pileNo: 'text of a record',
  certNo: 'text of a paper',
  certCode: 'text of a paper',
  contractCode: 'text of a paper',
  contractNo: 'text of a paper',
  specialRecordNo: 'text of a paper',
  safetyLicenseNo: 'text of a paper',
  superviseNo: 'text of a paper',
  docNo: 'text of a paper',
  permitNo: 'text of a paper',
  policyNo: 'text of a paper',
  investProjectCode: 'text of a paper',
  creditCode: 'the public number of an organisation that is entered',
  contractorCorpCode: 'the public number of a company: any in the library may be named, and is asked when a project is entered',
  buildCorpCode: 'the public number of a company: any in the library may be named, and is asked when a project is entered',
  externalId: 'what another platform calls a thing inside a docking named beside it',
  terminalId: 'what a terminal says of itself',
  sn: 'what another platform calls a thing inside a docking named beside it',
}
/** Places where a name above all says too little, or calls that compute with what they are given and read nothing. */
const exemptCalls: readonly { call: RegExp; field: RegExp; why: string }[] = [
  { call: /^POST \/api\/v1\/attendance\/rehearse$/, field: /./, why: 'computes with the facts it is given' },
  { call: /\/api\/v1\/iot\/factory/, field: /^corpCode$/, why: 'the public number of a maker in the platform’s library' },
  { call: /^(POST|PUT) \/api\/v[12]\/oa\/corporation/, field: /^corpCode$/, why: 'the company that is entered itself' },
  { call: /^DELETE \/api\/v1\/sys\/my\/session/, field: /^id$/, why: 'looked for among the caller’s own sessions' },
  {
    call: /integrated_enterprise/,
    field: /^(id|corpCode|operators|enterprises)/,
    why: 'records of a public register, which everybody reads',
  },
  { call: /projectCorp\/create\/corp$/, field: /^company\.corpCode$/, why: 'the public number of a company that is named with its papers' },
  { call: /^GET \/api\/v2\/oa\/corporation\/direct\/search$/, field: /^corpCode$/, why: 'a search by the public number of a company' },
  {
    call: /^GET \/api\/v1\/docking\/record$/,
    field: /^(errorCode|receiptNo)$/,
    why: 'what a platform above answered, looked for among rows in sight',
  },
  { call: /^GET \/api\/v1\/docking\/standing$/, field: /^sourceId$/, why: 'of an object of any kind, looked for among rows in sight' },
  { call: /^PUT \/api\/v1\/iot\/gateway\/:id$/, field: /^modelMatch\./, why: 'codes of a model’s registers' },
]

interface Schema {
  subject?: string
  dictionary?: string
  area?: boolean
  enum?: unknown[]
  const?: unknown
  type?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

const likeAnId = /(^|[a-z])(id|ids|Id|Ids|code|codes|Code|Codes|No|Nos|Sn|sn|identifier)$/

/** Fields called like an id that nothing marks, as paths. */
function unmarked(schema: Schema, path: readonly string[] = []): string[] {
  if (schema.subject || schema.dictionary || schema.area || schema.enum || schema.const !== undefined || schema.type === 'null') return []
  const children = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
  const name = path.findLast((part) => part !== '[]') ?? ''
  if (!schema.properties && !schema.items && children.length === 0) return likeAnId.test(name) && !(name in exempt) ? [path.join('.')] : []
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([key, child]) => unmarked(child, [...path, key])),
    ...(schema.items ? unmarked(schema.items, [...path, '[]']) : []),
    ...children.flatMap((child) => unmarked(child, path)),
  ]
}

let world: World
beforeAll(async () => {
  world = await openWorld(inject('postgresUrl'))
})
afterAll(() => world.close())

test('every id a call takes says whose it is', () => {
  const found = world.api.serve.endpoints.flatMap((endpoint) =>
    (['params', 'query', 'body'] as const).flatMap((part) => {
      const schema = endpoint.schemas[part]
      const call = `${endpoint.method} ${endpoint.path}`
      const fields = schema ? unmarked(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema) : []
      return fields
        .filter((field) => !exemptCalls.some((one) => one.call.test(call) && one.field.test(field)))
        .map((field) => `${call} ${part} ${field}`)
    }),
  )
  // Mark it in the contract with ref('…') or pointsTo('…', …), or say above why it points to nobody's row.
  expect(found).toEqual([])
})
