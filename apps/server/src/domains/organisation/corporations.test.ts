import { getCorporation, updateCorporation } from '@zhugong/contract/organisation/corporations'
import type { CorporationDetail } from '@zhugong/contract/organisation/model'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'

let world: World
let city: CityWorld
let company: Caller
let corpCode: string
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  city = await settleCity(world)
  const persona = city.city.personas.find((p) => p.account === 'yunze-lu')
  corpCode = persona?.corpCode ?? ''
  company = await city.as('yunze-lu')
})
afterAll(() => world.close())

const kept = [
  'corpCode',
  'corpName',
  'corpType',
  'corpKind',
  'licenseNum',
  'areaCode',
  'address',
  'legalMan',
  'legalManIdCardType',
  'regCapital',
  'capitalCurrencyType',
  'registerDate',
  'linkMan',
  'safetyLicenseNo',
  'safetyLicenseEnd',
] as const satisfies readonly (keyof CorporationDetail)[]

test('a licence is a file that the one who names it sees, and whoever sees the company gets a link to it', async () => {
  const stored = `insert into stored_file (id, project_code, group_id, name, mime, bytes, sha256, create_by)
    select $1, case when t.type = 3 then t.code end, t.id, 'f.png', 'image/png', 1, 'x', 't' from tenant t where t.type = $2 and t.code = $3`
  const { rows } = await world.database.pool.query<{ code: string }>(
    'select project_code as code from project p where not exists (select 1 from project_corp c where c.project_code = p.project_code and c.corp_code = $1) limit 1',
    [corpCode],
  )
  await world.database.pool.query(stored, ['theirs', 3, rows[0]?.code])
  await world.database.pool.query(stored, ['ours', 2, corpCode])
  const before = await company.call(getCorporation, { params: { corpCode } })
  const body = Object.fromEntries(kept.map((key) => [key, before[key]]))
  const save = (licenseFile: string) => company.ask(updateCorporation, { params: { corpCode }, body: { ...body, licenseFile } as never })
  expect(await save('theirs')).toMatchObject({ http: 400, data: { field: 'licenseFile' } })
  expect((await company.call(getCorporation, { params: { corpCode } })).licenseUrl).toBe(null)
  expect(await save('ours')).toMatchObject({ status: 0 })
  expect((await company.call(getCorporation, { params: { corpCode } })).licenseUrl).toMatch(/id=ours&expires=\d+&sign=/)
})
