import type * as contract from '@zhugong/contract/experts/library'
import { admissionProblems, type ExpertCert, paperNames } from '@zhugong/contract/experts/model'
import { expertStates } from '@zhugong/contract/experts/moves'
import { birthdayOfIdCard, genderOfIdCard, maskIdCard, maskPhone } from '@zhugong/contract/kit/checks'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { addDays, formatDay } from '#kit/clock'
import { type Context, found, type Shared } from '#kit/context'
import { type Db, isUniqueViolation, type Row, type Tx } from '#kit/db'
import type { HandlerOf } from '#kit/serve'
import { recordLook } from '../access/public.ts'
import { keptFiles } from '../files/public.ts'
import { type Outcome, replaceTodos, take, writeLog } from '../process/public.ts'
import { type Expert, expertKind, toStated } from './kind.ts'
import { ownLibrary } from './library.ts'
import { expertFor } from './rows.ts'

type Secrets = Pick<Shared, 'secrets'>
const hashOfNumber = ({ secrets }: Secrets, number: string) => secrets.blindIndex('id-card', number)
export const hashOfPhone = ({ secrets }: Secrets, phone: string): string => secrets.blindIndex('phone', phone)

function sealed({ secrets }: Secrets, text: string): Buffer {
  const buffer = secrets.seal(text)
  if (!buffer) throw new Error('nothing to seal')
  return buffer
}
export const numberColumns = (ctx: Secrets, number: string) => ({
  idCardNumber: sealed(ctx, number),
  idCardHash: hashOfNumber(ctx, number),
  idCardMask: maskIdCard(number),
  gender: genderOfIdCard(number) ?? '1',
  birthday: birthdayOfIdCard(number) ?? '',
})
export const phoneColumns = (ctx: Secrets, phone: string) => ({
  phone: sealed(ctx, phone),
  phoneHash: hashOfPhone(ctx, phone),
  phoneMask: maskPhone(phone),
})

/** Replaces the certificates of a file. */
export async function writeCerts(db: Db | Tx, newId: () => string, expertId: string, certs: readonly ExpertCert[]): Promise<void> {
  await sql`delete from expert_cert where expert_id = ${expertId}`.execute(db)
  if (certs.length === 0) return
  await db
    .insertInto('expertCert')
    .values(certs.map((one, seq) => ({ id: newId(), expertId, seq, name: one.name, number: one.number, validEnd: one.validEnd })))
    .execute()
}

/** @throws AppError `invalidInput` at the first paper that is missing */
function requirePapers(row: Pick<Row<'expert'>, keyof typeof paperNames>): void {
  const missing = (Object.keys(paperNames) as (keyof typeof paperNames)[]).find((name) => !row[name])
  if (missing) throw new AppError('invalidInput', `请上传${paperNames[missing]}后再提交`, { field: missing })
}

/** What stands against admission today, from the stored file. */
export const problemsOf = (
  ctx: Pick<Shared, 'clock'>,
  { birthday, title, workYears }: Pick<Row<'expert'>, 'birthday' | 'title' | 'workYears'>,
  library: Pick<Row<'expertLibrary'>, 'maxAge' | 'leastYears'>,
) => admissionProblems({ birthday, title, workYears }, library, formatDay(ctx.clock.now()))

export const register: HandlerOf<typeof contract.createExpert> = async ({ body }, ctx) => {
  const library = await ownLibrary(ctx)
  const { rows } = await sql<{ id: string }>`select id from expert where library_group = ${library.groupId} and not twin
    and id_card_hash = ${hashOfNumber(ctx, body.idCardNumber)}`.execute(ctx.db)
  if (rows[0]) {
    ctx.note('打开已有专家档案', rows[0].id)
    return { id: rows[0].id, known: true }
  }
  const { idCardNumber, phone, certs, submit, ...plain } = body
  const problem = problemsOf(ctx, { ...body, birthday: birthdayOfIdCard(idCardNumber) ?? '' }, library)[0]
  if (problem) throw new AppError('invalidInput', problem.message, { field: problem.field })
  if (submit) requirePapers(plain)
  await keptPapers(ctx, plain)
  const id = ctx.newId()
  const now = new Date(ctx.clock.now())
  const row = await ctx.db
    .insertInto('expert')
    .values({
      id,
      libraryGroup: library.groupId,
      ...plain,
      ...numberColumns(ctx, idCardNumber),
      ...phoneColumns(ctx, phone),
      writtenBy: ctx.user.id,
      state: submit ? expertStates.waiting : expertStates.draft,
      submitTime: submit ? now : null,
      createTime: now,
      updateBy: ctx.user.id,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? new AppError('refused', '该证件号已有档案，请刷新后打开', { field: 'idCardNumber' }) : error
    })
  await writeCerts(ctx.db, ctx.newId, id, certs)
  const file = toStated(row)
  await writeLog(ctx, expertKind.kind, file, { action: 'create', from: null, to: file.state })
  await replaceTodos(ctx, expertKind, file)
  ctx.note('登记专家', id)
  return { id, known: false }
}

async function keptPapers(
  ctx: Context,
  papers: Pick<Row<'expert'>, keyof typeof paperNames>,
  before: Pick<Row<'expert'>, keyof typeof paperNames> | undefined = undefined,
): Promise<void> {
  for (const field of Object.keys(paperNames) as (keyof typeof paperNames)[]) {
    const id = papers[field]
    if (id) await keptFiles(ctx, [id], [before?.[field]], field)
  }
}

export const change: HandlerOf<typeof contract.changeExpert> = async ({ params: { id }, body }, ctx) => {
  found(await expertFor(ctx, id), '专家')
  await take(ctx, expertKind, { id, action: body.action, version: body.version }, (row) => write(ctx, row, body))
  return undefined
}

/** The last day of a term of so many years that begins on `from`, both yyyy-MM-dd. */
export const termEnd = (from: string, years: number): string =>
  addDays(`${Number(from.slice(0, 4)) + years}${from.slice(4).replace('02-29', '02-28')}`, -1)

async function write(ctx: Context, row: Expert, body: ParsedFor<typeof contract.changeExpert>['body']): Promise<Outcome<Expert>> {
  const today = formatDay(ctx.clock.now())
  const now = new Date(ctx.clock.now())
  switch (body.action) {
    case 'save':
      return save(ctx, row, body)
    case 'submit': {
      requirePapers(row)
      const problem = problemsOf(ctx, row, await ownLibrary(ctx))[0]
      if (problem) throw new AppError('refused', problem.message, { field: problem.field })
      return { values: { submitTime: now, writtenBy: ctx.user.id, opinion: null } }
    }
    case 'pass': {
      const problem = problemsOf(ctx, row, await ownLibrary(ctx))[0]
      if (problem) throw new AppError('refused', `${problem.message}，请驳回`)
      const validEnd = termEnd(today, body.years)
      return {
        values: { validStart: today, validEnd, opinion: body.opinion },
        opinion: `聘期至 ${validEnd}${body.opinion ? `，${body.opinion}` : ''}`,
      }
    }
    case 'renew': {
      const from = row.validEnd && row.validEnd >= today ? addDays(row.validEnd, 1) : today
      const validEnd = termEnd(from, body.years)
      return { values: { validStart: row.validStart ?? today, validEnd }, opinion: `聘期至 ${validEnd}` }
    }
    case 'accept':
      return { values: { specialties: row.wish ?? row.specialties, wish: null } }
    case 'refuse':
      return { values: { wish: null }, opinion: body.opinion }
    default:
      return { values: { opinion: body.opinion }, opinion: body.opinion }
  }
}

async function save(ctx: Context, row: Expert, body: Extract<ParsedFor<typeof contract.changeExpert>['body'], { action: 'save' }>) {
  const { action: _action, version: _version, phone, certs, specialties, ...plain } = body
  await keptPapers(ctx, plain, row)
  await writeCerts(ctx.db, ctx.newId, row.id, certs)
  // Who is in the library keeps the old specialties until the change is decided.
  const listed = row.state === expertStates.listed || row.state === expertStates.paused
  const changed = [...specialties].sort().join() !== [...row.specialties].sort().join()
  return {
    values: {
      ...plain,
      ...(phone ? phoneColumns(ctx, phone) : {}),
      ...(listed ? { wish: changed ? specialties : null } : { specialties }),
      writtenBy: ctx.user.id,
    },
    opinion: listed && changed ? '申报专业变更，待审核' : null,
  }
}

export const unmask: HandlerOf<typeof contract.unmaskExpert> = async ({ params: { id }, body }, ctx) => {
  const row = found(await expertFor(ctx, id), '专家')
  if (row.libraryGroup !== ctx.group.id) throw new AppError('forbidden', '只有专家所在库的机构可以查看证件与电话')
  await recordLook(ctx, { objectId: id, summary: `查看专家证件与电话（${body.reason}）`, projectCode: null })
  ctx.note('查看专家证件与电话', id)
  return { idCardNumber: ctx.secrets.open(row.idCardNumber) ?? '', phone: ctx.secrets.open(row.phone) ?? '' }
}
