import * as contract from '@zhugong/contract/experts/apply'
import type { ExpertBody } from '@zhugong/contract/experts/model'
import { expertStates } from '@zhugong/contract/experts/moves'
import { birthdayOfIdCard, maskPhone } from '@zhugong/contract/kit/checks'
import type { OutputFor, ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { dictionaryOf } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { asProduct } from '#kit/background'
import { changeRow } from '#kit/change-row'
import { formatInstant } from '#kit/clock'
import { type Context, groupTypes, type Shared } from '#kit/context'
import type { Row } from '#kit/db'
import { pick } from '#kit/pick'
import type { PublicHandler, Serve } from '#kit/serve'
import { giveFiles, keepStrangersFile } from '../files/public.ts'
import { placeOf } from '../identity/public.ts'
import { type CodeSender, counted } from '../personnel/public.ts'
import { replaceTodos, writeLog } from '../process/public.ts'
import { type Expert, expertKind, stateName } from './kind.ts'
import { numberColumns, problemsOf, writeCerts } from './register.ts'
import { countUpload, openTicket, requireTicket, sendApplyCode, type Ticket } from './ticket.ts'

type Open<E> = PublicHandler<ParsedFor<E>, OutputFor<E>>
type Answer = OutputFor<typeof contract.applyExpert>

/** What is typed before it is submitted; kept sealed under the phone. */
interface Draft {
  library: string | null
  person?: unknown
  career?: unknown
  papers?: unknown
}

/** Public calls: application and its files. */
export function applyRoutes(serve: Serve, sms: CodeSender | undefined, folder: string): void {
  serve.open(contract.applyExpert, apply(sms))
  serve.open(contract.uploadExpertFile, upload(folder))
}

const apply =
  (sms: CodeSender | undefined): Open<typeof contract.applyExpert> =>
  async ({ body }, ctx): Promise<Answer> => {
    switch (body.step) {
      case 'code':
        await sendApplyCode(ctx, sms, body)
        return {}
      case 'verify': {
        const { token, ticket } = await openTicket(ctx, body.phone, body.code)
        return { ticket: token, options: await optionsOf(ctx), ...(await stateOf(ctx, ticket)) }
      }
      case 'query':
        return { options: await optionsOf(ctx), ...(await stateOf(ctx, await requireTicket(ctx, body.ticket))) }
      case 'save': {
        const ticket = await requireTicket(ctx, body.ticket)
        await saveDraft(ctx, ticket, body)
        return stateOf(ctx, ticket)
      }
      case 'submit': {
        const ticket = await requireTicket(ctx, body.ticket)
        await submit(ctx, ticket)
        return stateOf(ctx, ticket)
      }
      case 'withdraw': {
        const ticket = await requireTicket(ctx, body.ticket)
        await withdraw(ctx, ticket)
        return stateOf(ctx, ticket)
      }
    }
  }

const optionsFrom = (dictionary: string) => (dictionaryOf(dictionary)?.items ?? []).map(({ code, name }) => ({ value: code, label: name }))

async function optionsOf(ctx: Pick<Shared, 'system'>): Promise<NonNullable<Answer['options']>> {
  type Raw = Pick<Row<'expertLibrary'>, 'groupId' | 'name' | 'maxAge' | 'leastYears'>
  const { rows } =
    await sql<Raw>`select group_id, name, max_age, least_years from expert_library where is_open order by length(area_front), name`.execute(
      ctx.system,
    )
  return {
    libraries: rows.map(({ groupId, name, maxAge, leastYears }) => ({ value: groupId, label: name, maxAge, leastYears })),
    titles: optionsFrom('titleLevel'),
    degrees: optionsFrom('education'),
    specialties: optionsFrom('expertSpecialty'),
  }
}

async function draftOf(ctx: Pick<Shared, 'system' | 'secrets'>, { phoneHash }: Ticket): Promise<Draft> {
  const { rows } = await sql<Pick<Row<'expertDraft'>, 'content'>>`select content from expert_draft where phone_hash = ${phoneHash}`.execute(
    ctx.system,
  )
  return rows[0] ? (JSON.parse(ctx.secrets.open(rows[0].content) ?? '{"library":null}') as Draft) : { library: null }
}

/** The newest application of the phone. */
async function applied(ctx: Pick<Shared, 'system'>, { phoneHash }: Ticket) {
  const { rows } = await sql<Row<'expert'> & { libraryName: string }>`select e.*, l.name as library_name from expert e
    join expert_library l on l.group_id = e.library_group where e.phone_hash = ${phoneHash} and e.applied
    order by e.create_time desc limit 1`.execute(ctx.system)
  return rows[0]
}

async function stateOf(ctx: Pick<Shared, 'system' | 'secrets'>, ticket: Ticket): Promise<Answer> {
  const { library = null, person, career, papers } = await draftOf(ctx, ticket)
  const row = await applied(ctx, ticket)
  return {
    draft: { library, person: person ?? null, career: career ?? null, papers: papers ?? null },
    application: row
      ? {
          ...pick(row, 'state', 'libraryName', 'validEnd'),
          stateName: row.state === expertStates.draft ? '已撤回' : stateName(row.state),
          opinion: row.state === expertStates.rejected ? row.opinion : null,
          submitTime: row.submitTime && formatInstant(row.submitTime),
        }
      : null,
  }
}

/** @throws AppError `invalidInput` when the library takes no applications */
async function libraryOf(ctx: Pick<Shared, 'system'>, groupId: string | null): Promise<Row<'expertLibrary'>> {
  const { rows } = await sql<Row<'expertLibrary'>>`select * from expert_library where group_id = ${groupId} and is_open`.execute(ctx.system)
  if (!rows[0]) throw new AppError('invalidInput', '该专家库暂不接受申请，请重新选择', { field: 'library' })
  return rows[0]
}

type Saved = Extract<ParsedFor<typeof contract.applyExpert>['body'], { step: 'save' }>

async function saveDraft(ctx: Shared, ticket: Ticket, { library: groupId, person, career, papers }: Saved): Promise<void> {
  const library = await libraryOf(ctx, groupId)
  const before = await draftOf(ctx, ticket)
  if (person) requireAdmission(ctx, person, library)
  if (papers) await requireOwnFiles(ctx, ticket, Object.values(papers))
  const draft: Draft = {
    library: groupId,
    person: person ?? before.person,
    career: career ?? before.career,
    papers: papers ?? before.papers,
  }
  const content = ctx.secrets.seal(JSON.stringify(draft))
  if (!content) throw new Error('a draft was not sealed')
  const row = { content, updateTime: new Date(ctx.clock.now()) }
  await ctx.system
    .insertInto('expertDraft')
    .values({ phoneHash: ticket.phoneHash, ...row })
    .onConflict((conflict) => conflict.column('phoneHash').doUpdateSet(row))
    .execute()
}

function requireAdmission(
  ctx: Pick<Shared, 'clock'>,
  person: Pick<ExpertBody, 'idCardNumber' | 'title' | 'workYears'>,
  library: Row<'expertLibrary'>,
): void {
  const problem = problemsOf(ctx, { ...person, birthday: birthdayOfIdCard(person.idCardNumber) ?? '' }, library)[0]
  if (problem) throw new AppError('invalidInput', problem.message, { field: problem.field })
}

/** A ticket names files that were uploaded under its phone, and no others. */
async function requireOwnFiles(ctx: Pick<Shared, 'system'>, { phoneHash }: Ticket, ids: readonly string[]): Promise<void> {
  const { rows } = await sql<{
    id: string
  }>`select id from expert_upload where phone_hash = ${phoneHash} and id = any (${[...ids]})`.execute(ctx.system)
  const known = new Set(rows.map((row) => row.id))
  if (ids.some((id) => !known.has(id))) throw new AppError('invalidInput', '附件不存在，请重新上传', { field: 'photo' })
}

/** @throws AppError `invalidInput` at the part that is not complete */
function wholeOf(draft: Draft): ExpertBody {
  const person = contract.personPart.safeParse(draft.person)
  if (!person.success) throw new AppError('invalidInput', '基本信息未填完', { field: 'person' })
  const career = contract.careerPart.safeParse(draft.career)
  if (!career.success) throw new AppError('invalidInput', '专业与业绩未填完', { field: 'career' })
  const papers = contract.papersPart.safeParse(draft.papers)
  if (!papers.success) throw new AppError('invalidInput', '附件未传完', { field: 'papers' })
  return { ...person.data, ...career.data, ...papers.data }
}

async function submit(ctx: Shared, ticket: Ticket): Promise<void> {
  const draft = await draftOf(ctx, ticket)
  const body = wholeOf(draft)
  const library = await libraryOf(ctx, draft.library)
  requireAdmission(ctx, body, library)
  const papers = [body.photo, body.unitOpinion, body.commitments]
  await requireOwnFiles(ctx, ticket, papers)
  if (!(await counted(ctx, `expert applications of ${placeOf(ctx.ip)}`, contract.applyLimits.submits)))
    throw new AppError('tooMany', `同一网络一天最多提交 ${contract.applyLimits.submits} 份申请，请明天再试`)
  await inLibrary(ctx, library, async (own) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`expert application ${ticket.phoneHash}`}, 0))`.execute(own.db)
    const row = await writeApplication(own, ticket, library.groupId, body)
    await writeLog(own, expertKind.kind, row, { action: 'apply', from: null, to: row.state })
    await replaceTodos(own, expertKind, row)
  })
  await giveFiles(ctx.system, papers, library.groupId)
}

/** States in which an application is written again instead of a new one. */
const changeable: readonly string[] = [expertStates.draft, expertStates.rejected]

async function writeApplication(ctx: Context, ticket: Ticket, libraryGroup: string, body: ExpertBody): Promise<Expert> {
  const { rows } = await sql<Row<'expert'>>`select * from expert where phone_hash = ${ticket.phoneHash} and applied
    order by create_time desc limit 1 for update`.execute(ctx.db)
  const before = rows[0]
  if (before?.state === expertStates.waiting) throw new AppError('refused', '申请已提交，请等待审核')
  if (before && !changeable.includes(before.state)) throw new AppError('refused', '您已有专家档案，变更请联系专家库所在机构')
  const { idCardNumber, certs, ...plain } = body
  const number = numberColumns(ctx, idCardNumber)
  const now = new Date(ctx.clock.now())
  const { rows: others } =
    await sql`select from expert where library_group = ${libraryGroup} and id_card_hash = ${number.idCardHash} and not twin
    and id <> ${before?.id ?? ''}`.execute(ctx.db)
  // The clerk is told that there is a file already; the applicant gets the same answer as everybody.
  const values = {
    libraryGroup,
    ...plain,
    ...number,
    twin: others.length > 0,
    state: expertStates.waiting,
    submitTime: now,
    opinion: null,
    writtenBy: '',
  }
  const id = before?.id ?? ctx.newId()
  if (before) await changeRow(ctx, 'expert', { key: { id }, version: before.version, noun: '申请', by: null, values })
  else
    await ctx.db
      .insertInto('expert')
      .values({ id, ...values, ...phoneOf(ctx, ticket), applied: true, createTime: now })
      .execute()
  await writeCerts(ctx.db, ctx.newId, id, certs)
  return expertKind.lock(ctx, id)
}

function phoneOf({ secrets }: Pick<Shared, 'secrets'>, { phone, phoneHash }: Ticket) {
  const plain = secrets.open(phone) ?? ''
  return { phone, phoneHash, phoneMask: maskPhone(plain) }
}

async function withdraw(ctx: Shared, ticket: Ticket): Promise<void> {
  const row = await applied(ctx, ticket)
  if (row?.state !== expertStates.waiting) throw new AppError('refused', '没有待审核的申请可以撤回')
  await inLibrary(ctx, { groupId: row.libraryGroup, name: row.libraryName }, async (own) => {
    const locked = await expertKind.lock(own, row.id)
    if (locked.state !== expertStates.waiting) throw new AppError('refused', '申请已审核，不能撤回')
    const values = { state: expertStates.draft }
    const version = await changeRow(own, 'expert', { key: { id: row.id }, version: locked.version, noun: '申请', by: null, values })
    const after = { ...locked, ...values, version }
    await writeLog(own, expertKind.kind, after, { action: 'withdraw', from: locked.state, to: after.state })
    await replaceTodos(own, expertKind, after)
  })
}

/** One transaction in the name of the library: whoever applies has no account. */
const inLibrary = (ctx: Shared, { groupId, name }: Pick<Row<'expertLibrary'>, 'groupId' | 'name'>, work: (own: Context) => Promise<void>) =>
  asProduct(
    { db: ctx.system, clock: ctx.clock, secrets: ctx.secrets, log: ctx.log },
    { userId: '', name: '申请人', groupId, group: { id: groupId, type: groupTypes.government, code: '', name, areaCode: null } },
    work,
  )

const upload =
  (folder: string): Open<typeof contract.uploadExpertFile> =>
  async (_input, ctx) => {
    const token = ctx.headers[contract.ticketHeader]
    const ticket = await requireTicket(ctx, Array.isArray(token) ? token[0] : token)
    await countUpload(ctx, ticket)
    const { library } = await draftOf(ctx, ticket)
    if (!library) throw new AppError('refused', '请先保存基本信息')
    const file = await keepStrangersFile(ctx, folder, await ctx.upload(), library)
    await ctx.system
      .insertInto('expertUpload')
      .values({ id: file.id, phoneHash: ticket.phoneHash, createTime: new Date(ctx.clock.now()) })
      .execute()
    return file
  }
