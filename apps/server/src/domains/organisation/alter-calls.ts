import { AppError } from '@zhugong/contract/kit/errors'
import { type AlterField, isKeyPersonType, type KeyPersonType, keyPersons } from '@zhugong/contract/organisation/alter-types'
import { projectStates } from '@zhugong/contract/organisation/codes'
import { type RegistrationField, registrationFields } from '@zhugong/contract/organisation/model'
import * as contract from '@zhugong/contract/organisation/project-alter'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { approvalStates } from '@zhugong/contract/workflow/flow'
import { conflictOf } from '#kit/change-row'
import { type Context, found, oneProject } from '#kit/context'
import { isUniqueViolation, type Row } from '#kit/db'
import type { HandlerOf, Serve } from '#kit/serve'
import { keptFiles } from '../files/public.ts'
import { presentPart } from '../labour/public.ts'
import { actOn, itemOf, startFlow } from '../workflow/public.ts'
import { readAlter, readAlterList } from './alter-detail.ts'
import { candidatesFor, chosenStay } from './alter-people.ts'
import { fieldsOf, getProject, inWords, labelOf, namesOf, presentText } from './alter-store.ts'
import { applicantPart, changeKind, factsOf, titleOf } from './project-changes.ts'
import { requireSound } from './registration.ts'

/** A site or a company applies to change what is registered of a project; the companies and the authority decide. */
export function projectAlterRoutes(serve: Serve) {
  serve(contract.listAlters, readAlterList)
  serve(contract.alterForm, alterForm)
  serve(contract.getAlter, ({ params }, ctx) => readAlter(ctx, params.id))
  serve(contract.fileAlter, fileAlter)
  serve(contract.withdrawAlter, withdrawAlter)
}

/** The project, if the caller may apply for changes of its file. */
async function projectToChange(ctx: Context, requested: string): Promise<Row<'project'>> {
  const project = await getProject(ctx, oneProject(ctx, requested))
  if (ctx.scope.limited.includes(project.projectCode))
    throw new AppError('forbidden', '项目变更由项目部或建设、总承包单位申请', { field: 'projectCode' })
  if (project.prjStatus === projectStates.closed) throw new AppError('refused', '项目已终止监督，资料只读')
  return project
}

async function partFor(ctx: Pick<Context, 'db'>, type: KeyPersonType, projectCode: string) {
  const { corpType, name } = keyPersons[type]
  const unit = await presentPart(ctx, { projectCode, corpType })
  if (!unit) throw new AppError('refused', `本项目没有${dictName('projectCorpType', corpType)}，不能变更${name}`, { field: 'type' })
  return unit
}

const alterForm: HandlerOf<typeof contract.alterForm> = async ({ query }, ctx) => {
  const project = await projectToChange(ctx, query.projectCode)
  const { type } = query
  const open = await ctx.db
    .selectFrom('projectChange')
    .select(['code', 'id'])
    .where('projectCode', '=', project.projectCode)
    .where('type', '=', type)
    .where('state', '=', approvalStates.running)
    .executeTakeFirst()
  const present = fieldsOf(type).map((field) => ({ field, oldValue: presentText(project, field), newValue: '' }))
  const names = await namesOf(ctx, present)
  return {
    fields: present.map(({ field, oldValue }) => ({
      field,
      label: labelOf(field),
      value: oldValue,
      text: inWords(names, field, oldValue),
    })),
    person: isKeyPersonType(type) ? await personForm(ctx, type, project.projectCode) : null,
    waiting: open ? (open.code ?? open.id) : null,
  }
}

async function personForm(ctx: Context, type: KeyPersonType, projectCode: string) {
  const unit = await partFor(ctx, type, projectCode)
  const candidates = await candidatesFor(ctx, type, { projectCode, corpCode: unit.corpCode })
  return { role: keyPersons[type].name, corpName: unit.corpName, name: unit.pmName, candidates }
}

type Body = NonNullable<(typeof contract.fileAlter)['types']>['parsed']['body']

const fileAlter: HandlerOf<typeof contract.fileAlter> = async ({ query, body }, ctx) => {
  const project = await projectToChange(ctx, query.projectCode)
  const fields = changedIn(project, body)
  const person = isKeyPersonType(body.type) ? await newcomer(ctx, body.type, project.projectCode, body.stayId ?? '') : undefined
  if (fields.length === 0 && !person) throw new AppError('refused', '所填内容与现登记相同', { field: fieldsOf(body.type)[0] ?? 'type' })
  requireSpan(project, fields)
  await requireSoundWish(ctx, project, fields)
  const id = ctx.newId()
  const now = new Date(ctx.clock.now())
  await insertChange(ctx, {
    id,
    projectCode: project.projectCode,
    type: body.type,
    code: null,
    files: await keptFiles(ctx, body.files),
    consent: await keptFiles(ctx, body.consent, [], 'consent'),
    reason: body.reason,
    opinion: null,
    filedGroup: ctx.group.id,
    filedBy: ctx.user.id,
    filedName: `${ctx.group.name} ${ctx.user.name}`,
    createTime: now,
    decidedName: null,
    decideTime: null,
  })
  if (fields.length > 0)
    await ctx.db
      .insertInto('projectChangeField')
      .values(fields.map((one, seq) => ({ changeId: id, seq, ...one })))
      .execute()
  if (person)
    await ctx.db
      .insertInto('projectChangePerson')
      .values({ changeId: id, ...person })
      .execute()
  const { code } = await startFlow(ctx, {
    kind: changeKind,
    groupId: ctx.group.id,
    projectCode: project.projectCode,
    objectId: id,
    title: titleOf(body.type, project.name),
    facts: factsOf({ change: body, fields }, await applicantPart(ctx, ctx.group.id, project.projectCode)),
  })
  await ctx.db.updateTable('projectChange').set({ code }).where('id', '=', id).execute()
  ctx.note(`申请项目变更（${dictName('projectAlterType', body.type)}）：${project.name}`, id)
  return { id, code }
}

async function insertChange(ctx: Context, values: Omit<Row<'projectChange'>, 'version' | 'state'>): Promise<void> {
  try {
    await ctx.db.insertInto('projectChange').values(values).execute()
  } catch (error) {
    if (isUniqueViolation(error))
      throw new AppError('refused', `本项目的“${dictName('projectAlterType', values.type)}”变更正在审批，请等待办结或先撤回`, {
        field: 'type',
      })
    throw error
  }
}

interface Changed {
  field: AlterField
  oldValue: string | null
  newValue: string
}
/** The fields of the type that differ from the file; what it holds now is read here, never taken from the applicant. */
function changedIn(project: Row<'project'>, body: Body): Changed[] {
  return fieldsOf(body.type).flatMap((field) => {
    const wanted = body[field]
    const oldValue = presentText(project, field)
    return wanted === undefined || String(wanted) === oldValue ? [] : [{ field, oldValue, newValue: String(wanted) }]
  })
}

async function newcomer(ctx: Context, type: KeyPersonType, projectCode: string, stayId: string) {
  const unit = await partFor(ctx, type, projectCode)
  const stay = await chosenStay(ctx, stayId)
  if (!stay || stay.corpCode !== unit.corpCode) throw new AppError('invalidInput', `请选择${unit.corpName}在册的人员`, { field: 'stayId' })
  if (stay.name === unit.pmName && (unit.pmIdCardHash === null || unit.pmIdCardHash === stay.idCardHash))
    throw new AppError('refused', `${stay.name}已是${keyPersons[type].name}`, { field: 'stayId' })
  const { name, corpCode, ...identity } = stay
  return { corpType: keyPersons[type].corpType, corpCode, oldName: unit.pmName, newName: name, ...identity }
}

function requireSpan(project: Row<'project'>, fields: readonly Changed[]): void {
  const wish = (field: AlterField) => fields.find((one) => one.field === field)?.newValue
  const [from, to] = [wish('startDate') ?? project.startDate, wish('completeDate') ?? project.completeDate]
  if (from !== null && to !== null && to <= from)
    throw new AppError('invalidInput', '计划竣工日期应晚于开工日期', { field: wish('completeDate') ? 'completeDate' : 'startDate' })
}

/** An application may name only a new area: the authority there decides who supervises. */
async function requireSoundWish(ctx: Context, project: Row<'project'>, fields: readonly Changed[]): Promise<void> {
  const wished: Partial<Record<RegistrationField, string>> = Object.fromEntries(
    fields.filter(({ field }) => Object.hasOwn(registrationFields, field)).map(({ field, newValue }) => [field, newValue]),
  )
  if (Object.keys(wished).length === 0) return
  await requireSound(ctx, wished.areaCode && !wished.superviseOrg ? { ...project, superviseOrg: null } : project, wished)
}

const withdrawAlter: HandlerOf<typeof contract.withdrawAlter> = async ({ params, body }, ctx) => {
  const change = found((await readAlter(ctx, params.id)) ?? undefined, '变更申请')
  if (change.version !== body.version) throw await conflictOf(ctx, 'projectChange', { id: params.id }, '变更申请')
  const own = await ctx.db.selectFrom('projectChange').select('filedGroup').where('id', '=', params.id).executeTakeFirst()
  if (own?.filedGroup !== ctx.group.id) throw new AppError('forbidden', '只能撤回本单位的申请')
  if (change.state !== approvalStates.running) throw new AppError('refused', '申请已办结，不能撤回')
  await actOn(ctx, (await itemOf(ctx, changeKind, params.id)).id, { result: 'withdraw', opinion: body.reason })
  ctx.note(`撤回项目变更：${change.projectName}`, params.id)
  return undefined
}
