import { AppError } from '@zhugong/contract/kit/errors'
import { partTypes } from '@zhugong/contract/labour/codes'
import { alterTypes, isKeyPersonType, keyPersons } from '@zhugong/contract/organisation/alter-types'
import { projectStates } from '@zhugong/contract/organisation/codes'
import { type RegistrationField, registrationFields } from '@zhugong/contract/organisation/model'
import { changeRow } from '#kit/change-row'
import type { Context } from '#kit/context'
import { isUniqueViolation, type RowUpdate } from '#kit/db'
import { changeLeader, changeParty, presentPart } from '../labour/public.ts'
import { type ChangePerson, getProject, type WholeChange } from './alter-store.ts'
import { changedFields, requireRegistrar } from './registration.ts'

const numeric: ReadonlySet<string> = new Set(['invest', 'contractPrice', 'buildingArea'])
const isRegistration = (field: string): field is RegistrationField => Object.hasOwn(registrationFields, field)

/** Writes an accepted application into the file: project, parts of the companies and key persons, in the caller's transaction. */
export async function acceptChange(ctx: Context, whole: WholeChange, superviseOrg: string | undefined): Promise<void> {
  const { change, fields, person } = whole
  const project = await getProject(ctx, change.projectCode)
  if (project.prjStatus === projectStates.closed) throw new AppError('refused', '项目已终止监督，资料只读')
  if (person) {
    await acceptPerson(ctx, change.type, project.projectCode, person)
    return
  }
  const given = Object.fromEntries(fields.map(({ field, newValue }) => [field, newValue]))
  const registered = Object.fromEntries(Object.entries(given).filter(([field]) => isRegistration(field)))
  const changed = changedFields(project, { ...registered, ...(superviseOrg ? { superviseOrg } : {}) })
  await requireRegistrar(ctx, project, changed)
  const facts = Object.entries(given).filter(([field]) => !isRegistration(field) && field !== 'matter')
  const values = { ...changed, ...Object.fromEntries(facts.map(([field, text]) => [field, numeric.has(field) ? Number(text) : text])) }
  if (Object.keys(values).length > 0) await writeProject(ctx, project, values)
  if (change.type !== alterTypes.parties && !changed.buildCorpCode && !changed.contractorCorpCode) return
  const at = project.projectCode
  if (changed.buildCorpCode) await changeParty(ctx, { projectCode: at, corpType: partTypes.owner }, changed.buildCorpCode)
  if (changed.contractorCorpCode) await changeParty(ctx, { projectCode: at, corpType: partTypes.leader }, changed.contractorCorpCode)
}

async function writeProject(ctx: Context, project: { projectCode: string; version: number }, values: RowUpdate<'project'>): Promise<void> {
  try {
    const { version: _v, updateBy: _b, ...rest } = values
    await changeRow(ctx, 'project', {
      key: { projectCode: project.projectCode },
      version: project.version,
      noun: '项目',
      by: ctx.user.id,
      values: rest,
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('refused', '所在地已有同名项目', { field: 'areaCode' })
    throw error
  }
}

async function acceptPerson(ctx: Context, type: string, projectCode: string, person: ChangePerson): Promise<void> {
  if (!isKeyPersonType(type)) throw new Error(`a change of type ${type} names no person`)
  const unit = await presentPart(ctx, { projectCode, corpType: person.corpType })
  if (!unit || unit.corpCode !== person.corpCode) throw new AppError('refused', '该人员所在企业已不承担此项目，请驳回并由申请单位重新申请')
  await changeLeader(ctx, { ...unit, projectCode }, keyPersons[type].post, { ...person, name: person.newName })
}
