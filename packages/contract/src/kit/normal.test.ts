import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { enterWorker, setAccount } from '../labour/stays.ts'
import { importBase } from '../personnel/import.ts'
import { listStays } from '../personnel/people.ts'
import { registerBody, updateBody, verifyBody } from '../personnel/registration-model.ts'
import { syncWorker } from '../personnel/workers.ts'
import { splitQuery } from './private-query.ts'

/** Common spellings of a value, and its canonical form. Every input must accept all of them. */
const spellings = {
  name: [
    ['公　例', '公例'],
    ['古丽.艾比', '古丽·艾比'],
    ['古丽 • 艾比', '古丽·艾比'],
    ['\u202a王\u200b小明\u202c', '王小明'],
    ['John  Smith', 'John Smith'],
  ],
  cellPhone: [
    ['138 1234 5678', '13812345678'],
    ['138-1234-5678', '13812345678'],
    ['+8613812345678', '13812345678'],
    ['+86 138-1234-5678', '13812345678'],
    ['8613812345678', '13812345678'],
    ['\u202d13812345678\u202c', '13812345678'],
    ['１３８１２３４５６７８', '13812345678'],
    ['+852-91234567', '+852-91234567'],
    ['00852-9123-4567', '+852-91234567'],
  ],
  idCardNumber: [
    ['11010519491231002x\u200b', '11010519491231002X'],
    ['110105 19491231 002X', '11010519491231002X'],
    ['１１０１０５１９４９１２３１００２Ｘ', '11010519491231002X'],
  ],
  card: [['6222 0200-0000 0000\u200b000', '6222020000000000000']],
} as const satisfies Record<string, readonly (readonly [string, string])[]>

type Kind = keyof typeof spellings
const body = (schema: unknown) => schema as z.ZodObject
const stay = (registerBody.shape.stay as z.ZodOptional<z.ZodObject>).unwrap()
const card = (verifyBody.options as readonly z.ZodObject[])[0] as z.ZodObject
const query = body(listStays.schemas.query)
const doors: Record<string, { kind: Kind; schema: z.ZodType | undefined }> = {
  'form name': { kind: 'name', schema: registerBody.shape.name },
  'form urgent name': { kind: 'name', schema: registerBody.shape.urgentLinkMan },
  'form telephone': { kind: 'cellPhone', schema: registerBody.shape.cellPhone },
  'form urgent telephone': { kind: 'cellPhone', schema: registerBody.shape.urgentLinkManPhone },
  'form number': { kind: 'idCardNumber', schema: registerBody.shape.idCardNumber },
  'form wage card': { kind: 'card', schema: (stay.shape as Record<string, z.ZodType>).payRollBankCardNumber },
  'edit telephone': { kind: 'cellPhone', schema: updateBody.shape.cellPhone },
  'check name': { kind: 'name', schema: card.shape.name as z.ZodType },
  'check number': { kind: 'idCardNumber', schema: card.shape.idCardNumber as z.ZodType },
  'look-up number': { kind: 'idCardNumber', schema: body(syncWorker.schemas.body).shape.idCardNumber as z.ZodType },
  'return name': { kind: 'name', schema: body(enterWorker.schemas.body).shape.name as z.ZodType },
  'return number': { kind: 'idCardNumber', schema: body(enterWorker.schemas.body).shape.idCardNumber as z.ZodType },
  'account card': { kind: 'card', schema: body(setAccount.schemas.body).shape.payRollBankCardNumber as z.ZodType },
  'filter name': { kind: 'name', schema: query.shape.name as z.ZodType },
  'filter telephone': { kind: 'cellPhone', schema: query.shape.cellPhone as z.ZodType },
  'filter number': { kind: 'idCardNumber', schema: query.shape.idCardNumber as z.ZodType },
  'search of names': { kind: 'name', schema: query.shape.q as z.ZodType },
  'search of telephones': { kind: 'cellPhone', schema: query.shape.q as z.ZodType },
  'search of numbers': { kind: 'idCardNumber', schema: query.shape.q as z.ZodType },
}

describe.each(Object.entries(doors))('%s', (_door, { kind, schema }) => {
  test.each(spellings[kind].map((pair) => [...pair]))('%s is kept as %s', (written, kept) => {
    const read = schema?.safeParse(written)
    // The example card is not a real one; only its spelling is tested.
    if (read?.success) expect(read.data).toBe(kept)
    else expect([kind, read?.error?.issues.map((i) => i.message)]).toEqual(['card', ['银行卡号校验位不正确']])
  })
})

test('a pasted table is cleaned, not refused, and a real number of full width stays out of the address', () => {
  const rows = [{ name: '甲', cellPhone: '\u202d13812345678\u202c', address: '路1号\n2单元' }]
  const read = body(importBase.schemas.body).parse({ rows, projectCode: null }) as { rows: unknown[] }
  expect(read.rows[0]).toEqual({ name: '甲', cellPhone: '13812345678', address: '路1号2单元' })
  expect(splitQuery(query, { q: '１３８１２３４５６７８' }).open).toEqual({})
})
