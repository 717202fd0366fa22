import {
  type AlterField,
  alterFields,
  alterNames,
  isAlterType,
  isKeyPersonType,
  keyPersons,
} from '@zhugong/contract/organisation/alter-types'
import { areaName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { type Context, found } from '#kit/context'
import type { Db, Row, Tx } from '#kit/db'
import { presentPart } from '../labour/public.ts'

export type Change = Row<'projectChange'>
export type ChangeField = Pick<Row<'projectChangeField'>, 'field' | 'oldValue' | 'newValue'>
export type ChangePerson = Row<'projectChangePerson'>
/** An application with what it changes. */
export interface WholeChange {
  change: Change
  projectName: string
  fields: ChangeField[]
  person: ChangePerson | undefined
}
type Reader = { db: Db | Tx }

export async function getProject(ctx: Reader, projectCode: string): Promise<Row<'project'>> {
  return found(await ctx.db.selectFrom('project').selectAll().where('projectCode', '=', projectCode).executeTakeFirst(), '项目')
}

/** The application with all its rows; undefined if the caller does not see it. */
export async function wholeChange(ctx: Reader, id: string): Promise<WholeChange | undefined> {
  const change = await ctx.db.selectFrom('projectChange').selectAll().where('id', '=', id).executeTakeFirst()
  if (!change) return undefined
  const project = await ctx.db.selectFrom('project').select('name').where('projectCode', '=', change.projectCode).executeTakeFirst()
  const fields = await ctx.db.selectFrom('projectChangeField').selectAll().where('changeId', '=', id).orderBy('seq').execute()
  const person = await ctx.db.selectFrom('projectChangePerson').selectAll().where('changeId', '=', id).executeTakeFirst()
  return { change, projectName: project?.name ?? change.projectCode, fields, person }
}

export const labelOf = (field: string): string => (Object.hasOwn(alterNames, field) ? alterNames[field as AlterField] : field)
export const fieldsOf = (type: string): readonly AlterField[] => (isAlterType(type) ? alterFields[type] : [])

/** The value in the file now, as text; a change in words has none. */
export function presentText(project: Row<'project'>, field: string): string | null {
  if (field === 'matter') return null
  const value = project[field as Exclude<AlterField, 'matter'>]
  return value === null || value === undefined ? null : String(value)
}

/** Names of the authorities and companies in applications, which all who see the project may read. */
export async function namesOf(ctx: Pick<Context, 'system'>, fields: readonly ChangeField[]): Promise<Map<string, string>> {
  const codes = fields.flatMap(({ oldValue, newValue }) => (oldValue ? [oldValue, newValue] : [newValue]))
  if (codes.length === 0) return new Map()
  const { rows } = await sql<{ code: string; name: string }>`
    select gov_code as code, name from government where gov_code = any (${codes})
    union all select corp_code, corp_name from corporation where corp_code = any (${codes})`.execute(ctx.system)
  return new Map(rows.map(({ code, name }) => [code, name]))
}

const units: Readonly<Record<string, string>> = { invest: ' 万元', contractPrice: ' 万元', buildingArea: ' ㎡' }
const coded: ReadonlySet<string> = new Set(['superviseOrg', 'buildCorpCode', 'contractorCorpCode'])

/** A value as it is read: areas, companies and authorities by their names, amounts with their units. */
export function inWords(names: ReadonlyMap<string, string>, field: string, value: string | null): string | null {
  if (value === null || value === '') return null
  if (field === 'areaCode') return areaName(value) ?? value
  return coded.has(field) ? (names.get(value) ?? value) : `${value}${units[field] ?? ''}`
}

export interface Difference {
  field: string
  label: string
  before: string | null
  after: string
}
/** What the application changes, as it is read. */
export function differencesIn({ fields, person, change }: WholeChange, names: ReadonlyMap<string, string>): Difference[] {
  if (person) return [{ field: 'person', label: roleOf(change.type), before: person.oldName, after: person.newName }]
  return fields.map(({ field, oldValue, newValue }) => ({
    field,
    label: labelOf(field),
    before: inWords(names, field, oldValue),
    after: inWords(names, field, newValue) ?? newValue,
  }))
}
export const roleOf = (type: string): string => (isKeyPersonType(type) ? keyPersons[type].name : '')

export interface Moved {
  label: string
  before: string | null
  now: string | null
}
/** Fields whose present value is no longer the one that the application started from. */
export async function movedIn(ctx: Pick<Context, 'db' | 'system'>, whole: WholeChange): Promise<Moved[]> {
  const { change, fields, person } = whole
  if (person) {
    const unit = await presentPart(ctx, { projectCode: change.projectCode, corpType: person.corpType })
    const now = unit?.pmName ?? null
    const same = unit?.corpCode === person.corpCode && now === person.oldName
    const place = unit && unit.corpCode !== person.corpCode ? `${now ?? '未登记'}（${unit.corpName}）` : now
    return same ? [] : [{ label: roleOf(change.type), before: person.oldName, now: place }]
  }
  const project = await getProject(ctx, change.projectCode)
  const moved = fields.filter(({ field, oldValue }) => field !== 'matter' && presentText(project, field) !== oldValue)
  const present = moved.map(({ field, oldValue }) => ({ field, oldValue, newValue: presentText(project, field) ?? '' }))
  const names = await namesOf(ctx, present)
  return present.map(({ field, oldValue, newValue }) => ({
    label: labelOf(field),
    before: inWords(names, field, oldValue),
    now: inWords(names, field, newValue),
  }))
}
