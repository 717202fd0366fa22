import { randomBytes } from 'node:crypto'
import type { DayResult } from '@zhugong/contract/attendance/facts'
import { maskName } from '@zhugong/contract/kit/checks'
import type { OutputFor, ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import * as contract from '@zhugong/contract/personnel/own-look'
import { codeMinutes, selfEntryLimits } from '@zhugong/contract/personnel/self-entry'
import { sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import type { Shared } from '#kit/context'
import type { Tx } from '#kit/db'
import { pick } from '#kit/pick'
import { hashToken, type PublicHandler, type Serve } from '#kit/serve'
import { lookAction, recordEvent } from '../access/public.ts'
import { marksOf } from '../attendance/public.ts'
import { contractsOf } from './contracts.ts'
import { type CodeSender, codeHolds, counted, phoneHash, sendCode, useUpCode, wrongCode } from './open-code.ts'

type Open<E> = PublicHandler<ParsedFor<E>, OutputFor<E>>
type OwnContext = Pick<Shared, 'system' | 'clock' | 'secrets'>

/** A worker reads his own file, identified by its phone number. Every answer is limited to the one person of the token. */
export function ownLookRoutes(serve: Serve, sms: CodeSender | undefined): void {
  serve.open(contract.ownLookCode, askCode(sms))
  serve.open(contract.openOwnLook, open)
  serve.open(contract.readOwnLook, read)
  serve.open(contract.closeOwnLook, async ({ body }, ctx) => {
    await ctx.system.deleteFrom('ownLook').where('tokenHash', '=', hashToken(body.token)).execute()
    return undefined
  })
}

interface Owner {
  id: string
  name: string
  idCardNumber: Buffer
}
/** Newest files first; a phone number shared by more people is not expected. */
const mostOwners = 50
/** People whose file has this phone number. */
const ownersOf = (ctx: OwnContext, phone: string): Promise<Owner[]> =>
  ctx.system
    .selectFrom('worker')
    .select(['id', 'name', 'idCardNumber'])
    .where('cellPhoneHash', '=', phoneHash(ctx, phone))
    .where('deleted', '=', false)
    .orderBy('createTime', 'desc')
    .limit(mostOwners)
    .execute()

const askCode =
  (sms: CodeSender | undefined): Open<typeof contract.ownLookCode> =>
  async ({ body }, ctx) => {
    if (!sms) throw new AppError('refused', '本平台未接入短信，不能凭手机号查询，请找工地劳务员打印', { field: 'cellPhone' })
    const phone = body.cellPhone
    // Neither the response nor its duration reveals whether such a person exists.
    void sendToOwner(ctx, sms, phone).catch((error: unknown) =>
      ctx.log.warn({ err: error }, 'a code for a look at one’s own file was not sent'),
    )
    return { minutes: codeMinutes }
  }

async function sendToOwner(ctx: Shared, sms: CodeSender, phone: string): Promise<void> {
  if ((await ownersOf(ctx, phone)).length === 0) return
  if (!(await counted(ctx, `own look of phone ${phoneHash(ctx, phone)}`, selfEntryLimits.codesOfPhone))) return
  await sendCode(ctx, sms, 'own-look', phone, '查看本人考勤与合同')
}

const tokenBytes = 32

const open: Open<typeof contract.openOwnLook> = async ({ body }, ctx) => {
  if (!(await codeHolds(ctx, 'own-look', body.cellPhone, body.code))) throw wrongCode()
  const owners = await ownersOf(ctx, body.cellPhone)
  const minutes = contract.ownLookMinutes
  // If several people share the number, the last digits of the ID number select one; each attempt counts as an attempt on the code.
  if (owners.length > 1 && !body.last6) return { token: null, needsLast6: true, minutes }
  const [owner, ...others] = body.last6 ? owners.filter((one) => ctx.secrets.open(one.idCardNumber)?.endsWith(body.last6 ?? '')) : owners
  if (!owner || others.length > 0) throw new AppError('refused', '证件号码后 6 位与该手机号登记的人员不符', { field: 'last6' })
  await useUpCode(ctx, 'own-look', body.cellPhone)
  const token = randomBytes(tokenBytes).toString('base64url')
  const now = ctx.clock.now()
  await ctx.system.deleteFrom('ownLook').where('expiresAt', '<=', new Date(now)).execute()
  await ctx.system
    .insertInto('ownLook')
    .values({ tokenHash: hashToken(token), workerId: owner.id, expiresAt: new Date(now + minutes * 60_000) })
    .execute()
  await recordEvent(ctx.system, ctx.clock, {
    userId: null,
    account: '',
    userName: maskName(owner.name),
    action: lookAction,
    summary: '本人凭手机验证码查看考勤与合同',
    result: 'ok',
    ip: ctx.ip,
    objectId: owner.id,
  })
  return { token, needsLast6: false, minutes }
}

const read: Open<typeof contract.readOwnLook> = async ({ body }, ctx) => {
  const look = await ctx.system
    .selectFrom('ownLook as l')
    .innerJoin('worker as w', 'w.id', 'l.workerId')
    .select(['w.id', 'w.name'])
    .where('l.tokenHash', '=', hashToken(body.token))
    .where('l.expiresAt', '>', new Date(ctx.clock.now()))
    .where('w.deleted', '=', false)
    .executeTakeFirst()
  if (!look) throw new AppError('refused', '查询已到时，请重新获取验证码')
  return ctx.system
    .transaction()
    .execute(async (tx) => ({ name: look.name, stays: await staysOf({ ...ctx, db: tx }, look.id, body.month) }))
}

interface Stay {
  id: string
  projectCode: string
  corpCode: string
  projectName: string
  corpName: string | null
  teamName: string | null
  entryTime: Date
  exitTime: Date | null
  closed: boolean
}
interface Day {
  stayId: string
  workDay: string
  firstIn: Date | null
  lastOut: Date | null
  workHours: number
  attendDay: number
  results: DayResult[]
}

type Reading = Pick<Shared, 'clock' | 'secrets'> & { db: Tx }

/**
 * The person's stays that overlap the month, current ones first. A stay is shown only if it began before the phone number was written to
 * the file: the number is whatever a site entered, and a former employer may have entered its own. Entering the number again confirms it.
 * For files older than `phone_written_at` the creation time counts. The minute covers a person and a stay created in one step.
 */
async function staysOf(ctx: Reading, workerId: string, month: string): Promise<OutputFor<typeof contract.readOwnLook>['stays']> {
  const from = `${month}-01`
  const { rows: stays } = await sql<Stay>`
    select s.id, s.project_code, s.corp_code, p.name as project_name, c.corp_name, t.team_name, s.entry_time, s.exit_time,
      exists (select 1 from attendance_month m where m.project_code = s.project_code and m.month = ${month} and m.hash is not null
        and m.reopened_at is null) as closed
    from project_worker s join worker f on f.id = s.worker_id join project p using (project_code)
      left join corporation c on c.corp_code = s.corp_code left join team t on t.id = s.team_id
    where s.worker_id = ${workerId} and s.create_time <= coalesce(f.phone_written_at, f.create_time) + interval '1 minute'
      and s.entry_time < (${from}::date + interval '1 month') at time zone 'Asia/Shanghai'
      and (s.exit_time is null or s.exit_time >= ${from}::date::timestamp at time zone 'Asia/Shanghai')
    order by s.exit_time is not null, s.entry_time desc, s.id`.execute(ctx.db)
  const { rows: days } = await sql<Day>`
    select stay_id, work_day, first_in, last_out, work_hours, attend_day, results from attendance_day
    where worker_id = ${workerId} and work_day >= ${from}::date and work_day < ${from}::date + interval '1 month' and (record_count > 0 or expected)
    order by work_day`.execute(ctx.db)
  const contracts = await contractsOf(ctx, workerId)
  return stays.map((s) => {
    const own = days.filter((d) => d.stayId === s.id)
    return {
      ...pick(s, 'id', 'projectName', 'corpName', 'teamName', 'closed'),
      entryDate: formatDay(s.entryTime),
      exitDate: s.exitTime && formatDay(s.exitTime),
      days: own.map(toDay),
      attendDays: own.reduce((sum, d) => sum + d.attendDay, 0),
      hours: Math.round(own.reduce((sum, d) => sum + Number(d.workHours), 0) * 10) / 10,
      contracts: contracts
        .filter((k) => k.projectCode === s.projectCode && k.corpCode === s.corpCode)
        .map((k) => ({
          id: k.id,
          contractCode: k.contractCode,
          corpName: k.corpName,
          contractPeriodType: k.contractPeriodType,
          startDate: k.startDate,
          endDate: k.endDate,
          paymentTypeName: k.paymentTypeName,
          unitName: k.unitName,
          unitPrice: k.unitPrice,
          salary: k.salary,
          payDay: k.payDay,
          signDate: k.signDate,
          state: k.state,
          files: k.files,
        })),
    }
  })
}

const clock = (at: Date | null) => at && formatInstant(at).slice(11, 16)
const toDay = (d: Day) => ({
  workDay: d.workDay,
  mark: marksOf(d.results, d.attendDay > 0),
  firstIn: clock(d.firstIn),
  lastOut: clock(d.lastOut),
  hours: Number(d.workHours),
  attended: d.attendDay > 0,
})
