import { randomInt } from 'node:crypto'
import { maskIdCard, maskPhone } from '@zhugong/contract/kit/checks'
import type { OutputFor, ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import * as contract from '@zhugong/contract/personnel/self-entry'
import { dictionaryOf } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import type { Shared } from '#kit/context'
import { pick } from '#kit/pick'
import { hashToken, type PublicHandler, type Serve } from '#kit/serve'
import { withoutMetadata } from '../files/public.ts'
import { type CodeSender, codeHolds, counted, phoneHash, sendCode, useUpCode, wrongCode } from './open-code.ts'

type Open<E> = PublicHandler<ParsedFor<E>, OutputFor<E>>
type EntryContext = Pick<Shared, 'system' | 'secrets'>

/** Public endpoints of self-registration; the review is in `self-entry-review.ts`. */
export function selfEntryRoutes(serve: Serve, sms: CodeSender | undefined): void {
  serve.open(contract.openSelfEntry, open(sms))
  serve.open(contract.selfEntryCode, askCode(sms))
  serve.open(contract.handInSelfEntry, handIn(sms))
  serve.open(contract.lookSelfEntry, look)
}

const keySigns = 24
/** Content of the site's QR code, signed with its counter. */
export const doorKey = ({ secrets }: Pick<Shared, 'secrets'>, projectCode: string, turn: number): string =>
  `${projectCode}.${secrets.sign('self-entry', `${projectCode}\n${turn}`).slice(0, keySigns)}`

const closed = () => new AppError('refused', '登记二维码无效或已更换，请向工地劳务员要新的', { field: 'key' })

/** The site of a valid code. Every fault gives the same message. */
async function siteOf(ctx: EntryContext, key: string): Promise<{ projectCode: string; projectName: string }> {
  const projectCode = key.slice(0, key.lastIndexOf('.'))
  const door = await ctx.system
    .selectFrom('selfEntryDoor as d')
    .innerJoin('project as p', 'p.projectCode', 'd.projectCode')
    .select(['d.turn', 'd.isOpen', 'p.name'])
    .where('d.projectCode', '=', projectCode)
    .executeTakeFirst()
  if (!door?.isOpen || doorKey(ctx, projectCode, door.turn) !== key) throw closed()
  return { projectCode, projectName: door.name }
}

interface Team {
  id: string
  teamName: string
  corpCode: string
  corpName: string
  workType: string
}
/** Teams and companies that have not left the site. */
async function teamsOf(ctx: Pick<EntryContext, 'system'>, projectCode: string): Promise<Team[]> {
  const { rows } = await sql<Team>`
    select t.id, t.team_name, t.corp_code, c.corp_name, t.work_type from team t join corporation c using (corp_code)
    where t.project_code = ${projectCode} and t.exit_time is null
      and exists (select 1 from project_corp u where u.project_code = t.project_code and u.corp_code = t.corp_code and u.exit_time is null)
    order by c.corp_name, t.team_name, t.id`.execute(ctx.system)
  return rows
}

const open =
  (sms: CodeSender | undefined): Open<typeof contract.openSelfEntry> =>
  async ({ body }, ctx) => {
    const { projectCode, projectName } = await siteOf(ctx, body.key)
    const teams = await teamsOf(ctx, projectCode)
    return {
      projectName,
      teams: teams.map(({ id, teamName, corpName, workType }) => ({ id, teamName, corpName, workType })),
      workTypes: (dictionaryOf('workerType')?.items ?? []).map(({ code, name }) => ({ code, name })),
      sms: sms !== undefined,
    }
  }

const askCode =
  (sms: CodeSender | undefined): Open<typeof contract.selfEntryCode> =>
  async ({ body }, ctx) => {
    const { projectCode } = await siteOf(ctx, body.key)
    if (!sms) throw new AppError('refused', '本平台未接入短信，不用验证码，手机号由劳务员核对', { field: 'cellPhone' })
    const { codes, codesOfPhone } = contract.selfEntryLimits
    if (!(await counted(ctx, `code of phone ${phoneHash(ctx, body.cellPhone)}`, codesOfPhone)))
      throw new AppError('tooMany', `一个手机号一天最多获取 ${codesOfPhone} 次验证码`, { field: 'cellPhone' })
    if (!(await counted(ctx, `code of site ${projectCode}`, codes))) throw new AppError('tooMany', '本工地今日验证码已用完，请联系劳务员')
    await sent(ctx, () => sendCode(ctx, sms, 'self-entry', body.cellPhone, '工地自助登记'))
    return { minutes: contract.codeMinutes }
  }

async function sent(ctx: Pick<Shared, 'log'>, send: () => Promise<boolean>): Promise<void> {
  let went: boolean
  try {
    went = await send()
  } catch (error) {
    ctx.log.warn({ err: error }, 'a code for a registration was not sent')
    throw new AppError('refused', '短信未能发出，请稍后再试', { field: 'cellPhone' })
  }
  if (!went) throw new AppError('refused', '验证码已发送，请 1 分钟后再获取', { field: 'cellPhone' })
}

const signs = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const receiptSigns = 10
const newReceipt = () => Array.from({ length: receiptSigns }, () => signs[randomInt(signs.length)]).join('')

const handIn =
  (sms: CodeSender | undefined): Open<typeof contract.handInSelfEntry> =>
  async ({ body }, ctx) => {
    const { projectCode } = await siteOf(ctx, body.key)
    const team = (await teamsOf(ctx, projectCode)).find((t) => t.id === body.teamId)
    if (!team) throw new AppError('invalidInput', '班组已退场，请重新选择', { field: 'teamId' })
    if (sms && !(body.code && (await codeHolds(ctx, 'self-entry', body.cellPhone, body.code)))) throw wrongCode()
    const photo = body.photo === null ? null : photoOf(body.photo)
    const { handedIn, waiting } = contract.selfEntryLimits
    if (!(await counted(ctx, `entry of site ${projectCode}`, handedIn)))
      throw new AppError('tooMany', '本工地今日自助登记已满，请找劳务员登记')
    const receipt = newReceipt()
    const idCardHash = ctx.secrets.blindIndex('id-card', body.idCardNumber)
    const cellPhoneHash = phoneHash(ctx, body.cellPhone)
    await ctx.system.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`self entry ${projectCode}`}, 0))`.execute(tx)
      // A repeated registration from the same phone replaces the earlier one.
      await tx
        .deleteFrom('selfEntry')
        .where('projectCode', '=', projectCode)
        .where('idCardHash', '=', idCardHash)
        .where('cellPhoneHash', '=', cellPhoneHash)
        .where('state', '<>', 'accepted')
        .execute()
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from self_entry where project_code = ${projectCode} and state = 'waiting'`.execute(tx)
      if ((rows[0]?.n ?? 0) >= waiting) throw new AppError('tooMany', '待审核的登记过多，请找劳务员登记')
      await tx
        .insertInto('selfEntry')
        .values({
          id: ctx.newId(),
          projectCode,
          corpCode: team.corpCode,
          teamId: team.id,
          ...pick(body, 'workType', 'name', 'urgentLinkMan', 'consentFace'),
          idCardNumber: ctx.secrets.seal(body.idCardNumber),
          idCardHash,
          idCardMask: maskIdCard(body.idCardNumber),
          cellPhone: ctx.secrets.seal(body.cellPhone),
          cellPhoneHash,
          cellPhoneMask: maskPhone(body.cellPhone),
          phoneProved: sms !== undefined,
          urgentPhone: ctx.secrets.seal(body.urgentLinkManPhone),
          urgentPhoneMask: maskPhone(body.urgentLinkManPhone),
          photo: ctx.secrets.seal(photo),
          receiptHash: hashToken(receipt),
          createTime: new Date(ctx.clock.now()),
        })
        .execute()
    })
    if (sms) await useUpCode(ctx, 'self-entry', body.cellPhone)
    return { receipt }
  }

/** The photo without metadata (position, time). */
function photoOf(base64: string): string {
  const body = Buffer.from(base64, 'base64')
  if (body.length < 12 || body[0] !== 0xff || body[1] !== 0xd8 || body[2] !== 0xff)
    throw new AppError('invalidInput', '照片不正确，请重拍', { field: 'photo' })
  return withoutMetadata(body, 'image/jpeg').toString('base64')
}

const look: Open<typeof contract.lookSelfEntry> = async ({ body }, ctx) => {
  const row = await ctx.system
    .selectFrom('selfEntry as e')
    .innerJoin('project as p', 'p.projectCode', 'e.projectCode')
    .leftJoin('team as t', 't.id', 'e.teamId')
    .select(['e.state', 'e.reason', 'e.createTime', 'e.decidedAt', 'p.name as projectName', 't.teamName'])
    .where('e.receiptHash', '=', hashToken(body.receipt))
    .executeTakeFirst()
  if (!row) throw new AppError('refused', '没有此回执号的登记，请核对', { field: 'receipt' })
  return {
    ...pick(row, 'state', 'projectName', 'teamName', 'reason'),
    stateName: contract.selfEntryStates[row.state],
    createTime: formatInstant(row.createTime),
    decidedTime: row.decidedAt && formatInstant(row.decidedAt),
  }
}
