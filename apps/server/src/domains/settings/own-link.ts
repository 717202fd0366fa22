import { maskPhone } from '@zhugong/contract/kit/checks'
import { AppError } from '@zhugong/contract/kit/errors'
import * as contract from '@zhugong/contract/settings/my-person'
import { sql } from 'kysely'
import { AfterCommit, type Context, groupTypes } from '#kit/context'
import type { HandlerOf, Serve } from '#kit/serve'
import { recordLook } from '../access/public.ts'
import { type CodeKind, dropCode, linkWorker, newCode, requireOwnPassword, tryCode } from '../identity/public.ts'
import { ownWorkerId } from './own-file.ts'
import type { ChannelSenders } from './system.ts'

/** Checking for a gate passage is not an attempt, so its limit is higher. */
const mostLooks = 100
const mostTries = 5
const linkCode = (sms: ChannelSenders['sms']): CodeKind => ({
  purpose: 'person-link',
  seal: 'person-link',
  holdsMs: contract.linkProofMinutes * 60_000,
  tries: sms ? mostTries : mostLooks,
  digits: 6,
})
/** How old the gate pass may be when an SMS code is used as well. */
const passHoldsMs = contract.linkPassHours * 3_600_000
/** dictionary attendanceSource: reported by a gate, immediately or later. */
const byGate = ['1', '2']

/**
 * Links an account to a person's file. Neither ID number nor phone is proof: every employer knows them, and one of them entered the phone.
 * The person must pass a gate of a site that is the current employer and that the account belongs to. If SMS is configured, the person
 * must also enter a code sent to the phone. A former employer can do neither.
 */
export function ownLinkRoutes(serve: Serve, senders: ChannelSenders): void {
  serve(contract.proveMyPerson, proveMyPerson(senders))
  serve(contract.linkMyPerson, linkMyPerson(senders))
  serve(contract.unlinkMyPerson, unlinkMyPerson)
}

interface LinkRequest {
  idCardNumber: string
  cellPhone: string
  password: string
}

/**
 * The person with the account's name, this number and phone. All failures give the same response, so that nobody can probe who is
 * registered.
 */
async function personRequested(ctx: Context, request: LinkRequest) {
  const user = await requireOwnPassword(ctx, request.password)
  if (user.workerId) throw new AppError('refused', '账号已关联实名档案')
  const worker = await ctx.system
    .selectFrom('worker')
    .select(['id', 'name'])
    .where('idCardHash', '=', ctx.secrets.blindIndex('id-card', request.idCardNumber))
    .where('cellPhoneHash', '=', ctx.secrets.blindIndex('phone', request.cellPhone))
    .where('deleted', '=', false)
    .executeTakeFirst()
  if (!worker || worker.name !== user.name)
    throw new AppError('refused', '未找到与账号姓名、证件号码和手机号一致的档案，请核对，或请项目劳务员核对档案', { field: 'idCardNumber' })
  return { user, workerId: worker.id }
}

const proveMyPerson =
  ({ sms }: ChannelSenders): HandlerOf<typeof contract.proveMyPerson> =>
  async ({ body }, ctx) => {
    const { user, workerId } = await personRequested(ctx, body)
    // Checked before an SMS is sent, so that a former employer cannot trigger one.
    if (sms) await requirePass(ctx, workerId)
    const code = await newCode(ctx, linkCode(sms), { subject: user.id, of: workerId })
    if (!code) throw new AppError('refused', '验证码已发送，请 1 分钟后再获取', { field: 'cellPhone' })
    ctx.note('验证本人后关联实名档案', workerId)
    const minutes = contract.linkProofMinutes
    if (!sms) return { way: 'gate' as const, minutes }
    return new AfterCommit(async () => {
      const text = `验证码 ${code}，${minutes} 分钟内有效，用于把您的实名档案关联到账号 ${user.account}。关联后该账号可查看您的证件、电话和住址，非本人操作请勿告知他人。`
      try {
        await sms.send(body.cellPhone, text, ctx.newId())
      } catch (error) {
        ctx.log.warn({ err: error }, 'a code for a link to a person was not sent')
        throw new AppError('refused', '短信未能发出，请稍后再试', { field: 'cellPhone' })
      }
      return { way: 'phone' as const, minutes }
    })
  }

const linkMyPerson =
  ({ sms }: ChannelSenders): HandlerOf<typeof contract.linkMyPerson> =>
  async ({ body }, ctx) => {
    const { user, workerId } = await personRequested(ctx, body)
    const kind = linkCode(sms)
    const tried = await tryCode(ctx, kind, { subject: user.id, of: workerId }, body.code ?? '')
    if (sms) {
      if (!tried?.isRight) throw new AppError('refused', '验证码不正确或已失效，请核对后重试或重新获取', { field: 'code' })
      await requirePass(ctx, workerId)
    } else if (!tried || !(await hasPassed(ctx, workerId, tried.askedAt)))
      throw new AppError('refused', `请点“验证本人”后 ${contract.linkProofMinutes} 分钟内，在所在项目的闸机刷脸通行一次`, { field: 'code' })
    await dropCode(ctx, kind, user.id)
    const { taken } = await linkWorker(ctx, workerId)
    ctx.note('关联本人实名档案', workerId)
    const summary = `账号 ${user.account} 关联本人档案${taken.length ? `，原关联账号 ${taken.join('、')} 已解除` : ''}`
    await recordLook(ctx, { objectId: workerId, summary, projectCode: null })
    ctx.afterCommit(async () => {
      const text = `您的实名档案已关联账号 ${user.account}。如非本人操作，请用本人账号重新关联，或联系所在项目劳务员。`
      await sms
        ?.send(body.cellPhone, text, ctx.newId())
        .catch((error: unknown) => ctx.log.warn({ err: error, to: maskPhone(body.cellPhone) }, 'a link to a person was not told'))
    })
    return undefined
  }

async function requirePass(ctx: Context, workerId: string): Promise<void> {
  if (!(await hasPassed(ctx, workerId, ctx.clock.now() - passHoldsMs)))
    throw new AppError('refused', `近 ${contract.linkPassHours} 小时没有您在所在项目闸机的通行记录，请通行一次后再验证`, {
      field: 'idCardNumber',
    })
}

/** Requires a passage at a site that employs the person now and that the account belongs to: a former employer's gate proves nothing. */
async function hasPassed(ctx: Context, workerId: string, since: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from attendance_event e join project_worker s on s.project_code = e.project_code and s.worker_id = e.worker_id
      and s.exit_time is null and s.confirmed_at is not null
    where e.worker_id = ${workerId} and e.time >= ${new Date(since)} and e.time <= ${new Date(ctx.clock.now())} and e.source = any (${byGate})
      and e.quarantine is null and not (e.flags && '{refused,stranger}')
      and exists (select 1 from member m join tenant t on t.id = m.group_id where m.user_id = ${ctx.user.id} and m.enable = '1'
        and zg_employs(t.type, t.code, e.project_code) and (t.type <> ${groupTypes.corporation} or exists (
          select 1 from project_corp c where c.project_code = e.project_code and c.corp_code = t.code and c.exit_time is null)))
    limit 1`.execute(ctx.system)
  return rows.length > 0
}

const unlinkMyPerson: HandlerOf<typeof contract.unlinkMyPerson> = async (_input, ctx) => {
  const workerId = await ownWorkerId(ctx)
  if (!workerId) throw new AppError('refused', '账号没有关联实名档案')
  await linkWorker(ctx, null)
  ctx.note('解除本人实名档案关联', workerId)
  await recordLook(ctx, { objectId: workerId, summary: `账号 ${ctx.user.account} 解除与本人档案的关联`, projectCode: null })
  return undefined
}
