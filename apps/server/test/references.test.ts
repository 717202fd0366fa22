import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { allFixtures } from './fixtures/all.ts'
import { referencesOf } from './sample-input.ts'
import { openWorld, type World } from './world.ts'

/**
 * The isolation tests take foreign ids from the marks in the contract: `ref('worker')`, or `pointsTo('worker', …)` around a less strict field. An
 * unmarked id would not be tested, so every field named like an id must be marked or listed here with a reason.
 */
const exempt: Readonly<Record<string, string>> = {
  code: 'a name somebody gives to his own thing',
  codes: 'permission codes of the product',
  areaCode: 'areas are public',
  areaCodes: 'areas are public',
  zipCode: 'postal',
  birthPlaceCode: 'areas are public',
  workTypeCode: 'a dictionary',
  itemCode: 'a check item: of the standard, which is a dictionary, or of the library of the caller’s own group',
  sheetCode: 'a dictionary',
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
  licenseNo: 'text of a paper',
  designReviewNo: 'text of a paper',
  subCode: 'a part of the catalogue of a fire acceptance that the case named beside it holds',
  roomNo: 'text on a door',
  refId:
    'a record of any kind, looked for among the rows that the writer of a log or the keeper of a library sees: daylogs.test.ts, papers.test.ts',
  commentId: 'a comment of the log named beside it',
  policyNo: 'text of a paper',
  batchNo: 'text of a paper',
  reportNo: 'text of a paper',
  sampleNo: 'what is printed on a seal: unique over all sites, and whether it is taken is all that is told',
  investProjectCode: 'text of a paper',
  creditCode: 'the public number of an organisation that is entered',
  contractorCorpCode: 'the public number of a company: any in the library may be named, and is asked when a project is entered',
  buildCorpCode: 'the public number of a company: any in the library may be named, and is asked when a project is entered',
  externalId: 'what another platform calls a thing inside a docking named beside it',
  terminalId: 'what a terminal says of itself',
  sn: 'what another platform calls a thing inside a docking named beside it',
}
/** Exemptions by call, for field names that are ambiguous, or calls that only compute and read nothing. */
const exemptCalls: readonly { call: RegExp; field: RegExp; why: string }[] = [
  { call: /^POST \/api\/v1\/attendance\/rehearse$/, field: /./, why: 'computes with the facts it is given' },
  { call: /\/api\/v1\/iot\/factory/, field: /^corpCode$/, why: 'the public number of a maker in the platform’s library' },
  { call: /^(POST|PUT) \/api\/v[12]\/oa\/corporation/, field: /^corpCode$/, why: 'the company that is entered itself' },
  { call: /\/tool\/upload\/:id/, field: /^id$/, why: 'looked for among the caller’s own unfinished uploads: files/parts.test.ts' },
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
  {
    call: /\/api\/v1\/measure\//,
    field: /(^|\.)(taskNo|instrumentNo|itemNo|areaNo)$/,
    why: 'text of a record, or a place in the task named beside it',
  },
  { call: /^POST \/api\/v1\/house\/sync$/, field: /externalNo$/, why: 'what the source calls a house of the project named beside it' },
  {
    call: /\/oa\/process\/spdevice/,
    field: /^(recordNo|useRegNo|manufactureNo)$/,
    why: 'numbers on the plate of a machine: whoever knows the record number may take it over, and learns neither site nor company',
  },
  { call: /\/oa\/process\//, field: /^problems\.\[\]\.itemCode$/, why: 'code of a check item, of the dictionary or of a library' },
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

/** Paths of fields named like an id without a mark. */
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
  // If this fails: mark the field in the contract with ref('…') or pointsTo('…', …), or add a reason above.
  expect(found).toEqual([])
})

test('every kind of id that a call takes has owners in the fixtures, or the reason why not', () => {
  const known = allFixtures.flatMap(({ owners, unowned }) => [...Object.keys(owners ?? {}), ...Object.keys(unowned ?? {})])
  const taken = new Set<string>(world.api.serve.endpoints.flatMap(referencesOf).map(({ subject }) => subject))
  const missing = [...taken].filter((subject) => !known.includes(subject))
  expect(missing, 'say whose its rows are in `owners` of a *.fixtures.ts of its domain').toEqual([])
  expect(
    known.filter((subject) => !taken.has(subject)),
    'no call takes it: remove it from the fixtures',
  ).toEqual([])
})
