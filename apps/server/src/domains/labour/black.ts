import { checkIdNumber, maskIdCard, maskName, normalizeIdCard, normalizeName } from '@zhugong/contract/kit/checks'
import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import * as contract from '@zhugong/contract/labour/black'
import { blackMoves, blackStates, explainedMoves, holdingStates, wageDisputeReason } from '@zhugong/contract/labour/black-codes'
import * as blackListsCalls from '@zhugong/contract/labour/black-lists'
import * as blackModelCalls from '@zhugong/contract/labour/black-model'
import { changeRow } from '#kit/change-row'
import { formatDay } from '#kit/clock'
import { type Context, found, requireCode } from '#kit/context'
import { isUniqueViolation, type NewRow } from '#kit/db'
import type { HandlerOf, Serve } from '#kit/serve'
import { keptFiles } from '../files/public.ts'
import { detailOf } from './black-detail.ts'
import { type BlackKind, turnListed } from './black-hold.ts'
import { previewReach, reachOf, requireSource } from './black-reach.ts'
import { blackFigures, countBlack, findBlack, getBlack, type RawBlack } from './black-rows.ts'
import { hindrance, requireHand } from './black-rules.ts'

/** Black lists of people and of companies: the same steps for both kinds of entry. */
export function blackRoutes(serve: Serve) {
  serve(blackListsCalls.listLaborBlack, async ({ query }, ctx) => ({
    list: await findBlack(ctx, 'worker', query),
    total: await countBlack(ctx, 'worker', query),
  }))
  serve(blackListsCalls.listCompanyBlack, async ({ query }, ctx) => ({
    list: await findBlack(ctx, 'corp', query),
    total: await countBlack(ctx, 'corp', query),
  }))
  serve(blackListsCalls.laborBlackFigures, ({ query }, ctx) => blackFigures(ctx, 'worker', query.projectCode))
  serve(blackListsCalls.companyBlackFigures, ({ query }, ctx) => blackFigures(ctx, 'corp', query.projectCode))
  serve(contract.getLaborBlack, async ({ params }, ctx) => detailOf(ctx, await seen(ctx, 'worker', params.id)))
  serve(contract.getCompanyBlack, async ({ params }, ctx) => detailOf(ctx, await seen(ctx, 'corp', params.id)))
  serve(contract.previewLaborBlack, ({ body }, ctx) => previewReach(ctx, body))
  serve(contract.createLaborBlack, async ({ body }, ctx) => propose(ctx, await personColumns(ctx, body)))
  serve(contract.createCompanyBlack, async ({ body }, ctx) => propose(ctx, await companyColumns(ctx, body)))
  serve(contract.changeLaborBlack, changeLaborBlack)
  serve(contract.changeCompanyBlack, changeCompanyBlack)
  serve(contract.updateLaborBlack, updateLaborBlack)
  serve(contract.updateCompanyBlack, updateCompanyBlack)
  serve(contract.removeLaborBlack, async ({ params }, ctx) => removeDraft(ctx, 'worker', params.id))
  serve(contract.removeCompanyBlack, async ({ params }, ctx) => removeDraft(ctx, 'corp', params.id))
}

const seen = async (ctx: Context, kind: BlackKind, id: string): Promise<RawBlack> =>
  found(await getBlack(ctx, kind, id), kind === 'worker' ? '黑名单记录' : '企业黑名单记录')

type PersonBody = NonNullable<(typeof contract.createLaborBlack)['types']>['parsed']['body']
type CompanyBody = NonNullable<(typeof contract.createCompanyBlack)['types']>['parsed']['body']
type Columns = Omit<NewRow<'blackEntry'>, 'id' | 'groupId' | 'groupName'>

async function personColumns(
  ctx: Context,
  body: Omit<PersonBody, 'idCardNumber'> & { idCardNumber: string | null },
  before?: RawBlack,
): Promise<Columns> {
  const { notifiedTime, idCardNumber, scopeProject: _p, scopeArea: _a, ...rest } = body
  const number = normalizeIdCard(idCardNumber ?? ctx.secrets.open(before?.idCardNumber) ?? '')
  const problem = checkIdNumber(body.idCardType, number)
  if (problem) throw new AppError('invalidInput', problem, { field: 'idCardNumber' })
  const reported = parseInstant(notifiedTime) ?? 0
  if (reported > ctx.clock.now()) throw new AppError('invalidInput', '告知时间不能晚于现在', { field: 'notifiedTime' })
  // Nobody may be listed for claiming wages, so this reason requires the number of a court or authority decision.
  if (body.reasonType === wageDisputeReason && !/[〔[(（]\d{4}[〕\])）]/.test(body.reason))
    throw new AppError('refused', '以虚构劳资纠纷列入，须附生效裁判或行政决定，并在说明中写明文号（如〔2026〕15 号）', { field: 'reason' })
  const idCardHash = ctx.secrets.blindIndex('id-card', number)
  return {
    ...rest,
    ...(await sharedColumns(ctx, body, { kind: 'worker', subject: idCardHash }, before)),
    kind: 'worker',
    name: normalizeName(body.name),
    idCardNumber: ctx.secrets.seal(number),
    idCardHash,
    idCardMask: maskIdCard(number),
    notifiedTime: new Date(reported),
  }
}

async function companyColumns(ctx: Context, body: CompanyBody, before?: RawBlack): Promise<Columns> {
  const { scopeProject: _p, scopeArea: _a, ...rest } = body
  const company = found(
    await ctx.db.selectFrom('corporation').select('corpName').where('corpCode', '=', body.corpCode).executeTakeFirst(),
    '企业',
  )
  if (body.corpCode === ctx.group.code) throw new AppError('refused', '不能把本企业列入黑名单', { field: 'corpCode' })
  return {
    ...rest,
    ...(await sharedColumns(ctx, body, { kind: 'corp', subject: body.corpCode }, before)),
    kind: 'corp',
    name: company.corpName,
  }
}

async function sharedColumns(
  ctx: Context,
  body: Omit<PersonBody, 'idCardNumber'> | CompanyBody,
  whom: { kind: BlackKind; subject: string },
  before?: RawBlack,
) {
  if (body.occurrenceDate > formatDay(ctx.clock.now()))
    throw new AppError('invalidInput', '发生日期不能晚于今天', { field: 'occurrenceDate' })
  if (body.endDate < formatDay(ctx.clock.now())) throw new AppError('invalidInput', '移出日期已过', { field: 'endDate' })
  const reach = await reachOf(ctx, body)
  await requireSource(ctx, reach.sourceProject, whom)
  return { ...reach, files: JSON.stringify(await keptFiles(ctx, body.files, before?.files)) }
}

async function propose(ctx: Context, columns: Columns) {
  const id = ctx.newId()
  const now = new Date(ctx.clock.now())
  await once(() =>
    ctx.db
      .insertInto('blackEntry')
      .values({
        ...columns,
        id,
        groupId: ctx.group.id,
        groupName: ctx.group.name,
        createBy: ctx.user.id,
        createName: ctx.user.name,
        updateTime: now,
      })
      .execute(),
  )
  await note(ctx, id, { action: 'create', from: null, to: blackStates.draft, opinion: '', files: [] })
  ctx.note(`拟列黑名单 ${reported(columns)}`, id)
  return { id }
}
const reported = (e: Pick<Columns, 'kind' | 'name'>) => (e.kind === 'worker' ? maskName(e.name) : e.name)

async function once<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('refused', '同一范围内已有一条未结束的记录，请在原记录上办理', { field: 'scope' })
    throw error
  }
}

const changeLaborBlack: HandlerOf<typeof contract.changeLaborBlack> = async ({ params, body }, ctx) => {
  const entry = await seen(ctx, 'worker', params.id)
  await step(ctx, entry, body)
  return undefined
}
const changeCompanyBlack: HandlerOf<typeof contract.changeCompanyBlack> = async ({ params, body }, ctx) => {
  const entry = await seen(ctx, 'corp', params.id)
  await step(ctx, entry, body)
  return undefined
}

const updateLaborBlack: HandlerOf<typeof contract.updateLaborBlack> = async ({ params, body: { version, ...body } }, ctx) => {
  const entry = await seen(ctx, 'worker', params.id)
  await save(ctx, entry, version, () => personColumns(ctx, body, entry))
  return undefined
}
const updateCompanyBlack: HandlerOf<typeof contract.updateCompanyBlack> = async ({ params, body: { version, ...body } }, ctx) => {
  const entry = await seen(ctx, 'corp', params.id)
  await save(ctx, entry, version, () => companyColumns(ctx, body, entry))
  return undefined
}

async function removeDraft(ctx: Context, kind: BlackKind, id: string) {
  const entry = await seen(ctx, kind, id)
  requireOwn(ctx, entry, '删除')
  if (entry.state !== blackStates.draft) throw notNow()
  await ctx.db.deleteFrom('blackEntry').where('id', '=', id).execute()
  ctx.note(`删除黑名单草稿 ${reported(entry)}`, id)
  return undefined
}

const notNow = () => new AppError('refused', '当前状态不允许该操作')
const requireOwn = (ctx: Context, entry: RawBlack, act: string) => {
  if (entry.groupId !== ctx.group.id) throw new AppError('forbidden', `只有提出单位（${entry.groupName}）可以${act}`)
}

async function save(ctx: Context, entry: RawBlack, version: number, columns: () => Promise<Columns>): Promise<void> {
  requireOwn(ctx, entry, '修改')
  if (entry.state !== blackStates.draft && entry.state !== blackStates.rejected) throw notNow()
  await write(ctx, entry, version, await columns())
  ctx.note(`修改黑名单 ${reported(entry)}`, entry.id)
}

type Move = NonNullable<(typeof contract.changeLaborBlack)['types']>['parsed']['body']

async function step(ctx: Context, entry: RawBlack, body: Move): Promise<void> {
  if (body.action === 'adjust') return adjust(ctx, entry, body)
  const move = blackMoves[body.action]
  requireCode(ctx, move.needs)
  if (!(move.from as readonly string[]).includes(entry.state)) throw notNow()
  requireHand(ctx, entry, body.action)
  const hindered = await hindrance(ctx, entry, body.action)
  if (hindered) throw new AppError('refused', hindered)
  if (explainedMoves.includes(body.action) && body.opinion.length < 2)
    throw new AppError('invalidInput', `${move.name}请填写意见（至少 2 个字）`, { field: 'opinion' })
  if (body.action === 'repair' && body.files.length === 0) throw new AppError('invalidInput', '信用修复须上传整改证明', { field: 'files' })
  const now = new Date(ctx.clock.now())
  await write(ctx, entry, body.version, {
    state: move.to,
    ...(body.action === 'submit' ? { submitBy: ctx.user.id, submitTime: now } : {}),
    ...(body.action === 'decide' ? { issuer: ctx.group.name, decidedBy: ctx.user.id, decidedTime: now } : {}),
  })
  await note(ctx, entry.id, {
    action: body.action,
    from: entry.state,
    to: move.to,
    opinion: body.opinion,
    files: await keptFiles(ctx, body.files),
  })
  if (holdingStates.includes(entry.state) !== holdingStates.includes(move.to)) await turn(ctx, entry)
  ctx.note(`${move.name}黑名单 ${reported(entry)}`, entry.id)
}

/** Changes the reach or end of an approved entry, with a reason. */
async function adjust(ctx: Context, entry: RawBlack, body: Move): Promise<void> {
  requireCode(ctx, blackMoves.decide.needs)
  if (entry.state !== blackStates.recognised) throw notNow()
  requireHand(ctx, entry, 'decide')
  if (body.opinion.length < 2) throw new AppError('invalidInput', '调整请填写理由（至少 2 个字）', { field: 'opinion' })
  const reach = body.scope
    ? await reachOf(ctx, {
        scope: body.scope,
        scopeProject: body.scopeProject,
        scopeArea: body.scopeArea,
        sourceProject: entry.sourceProject,
      })
    : undefined
  if (body.endDate && body.endDate <= entry.startDate) throw new AppError('invalidInput', '移出日期应晚于列入日期', { field: 'endDate' })
  if (body.endDate && body.endDate > blackModelCalls.latestEnd(entry.startDate))
    throw new AppError('invalidInput', '最长 3 年', { field: 'endDate' })
  await write(ctx, entry, body.version, { ...(reach ?? {}), endDate: body.endDate || undefined })
  await note(ctx, entry.id, { action: 'adjust', from: entry.state, to: entry.state, opinion: body.opinion, files: [] })
  await turn(ctx, entry)
  ctx.note(`调整黑名单 ${reported(entry)}`, entry.id)
}

const turn = async (ctx: Context, entry: RawBlack) => {
  if (entry.idCardHash) await turnListed(ctx.db, entry.idCardHash, ctx.clock.now())
}

async function write(ctx: Context, entry: RawBlack, version: number, changes: Partial<Columns>): Promise<void> {
  await once(() => changeRow(ctx, 'blackEntry', { key: { id: entry.id }, version, noun: '记录', by: ctx.user.id, values: { ...changes } }))
}

async function note(
  ctx: Context,
  entryId: string,
  step: { action: string; from: string | null; to: string; opinion: string; files: string[] },
): Promise<void> {
  await ctx.db
    .insertInto('blackLog')
    .values({
      id: ctx.newId(),
      entryId,
      action: step.action,
      fromState: step.from,
      toState: step.to,
      opinion: step.opinion,
      files: JSON.stringify(step.files),
      at: new Date(ctx.clock.now()),
      byUser: ctx.user.id,
      byName: ctx.user.name,
      groupName: ctx.group.name,
    })
    .execute()
}
