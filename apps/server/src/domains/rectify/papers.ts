import { AppError } from '@zhugong/contract/kit/errors'
import { docTypeOf } from '@zhugong/contract/rectify/papers'
import { penaltyDocType } from '@zhugong/contract/rectify/penalty'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import type { Db, Row } from '#kit/db'
import { allOf, equals, inProjects } from '#kit/list'
import { Pdf } from '#kit/pdf'
import type { PrintContext } from '../exports/registry.ts'
import { drawVerifyCode, registerPaper } from '../process/public.ts'
import { noticeContent, roundContent } from './seats.ts'

type Reader = { db: Context['db'] | Db }

/** What a printed notice says; its deadline moves with an extension, and an older print then differs. */
export const printedNotice = async (ctx: Reader, r: Row<'rectify'>) => ({ ...(await noticeContent(ctx, r)), deadline: r.deadline })
export const printedRound = roundContent

type Named = { projectName: string; corpName: string; issuerGroupName: string; noticeCode: string | null }
type Proposal = Row<'rectifyPenalty'> & Named

const printedPenalty = ({
  code,
  rectifyId,
  projectCode,
  corpCode,
  facts,
  clause,
  amountYuan,
  issueTime,
  issuedBy,
}: Row<'rectifyPenalty'>) => ({
  ...{ code, rectifyId, projectCode, corpCode, facts, clause, amountYuan, issueTime, issuedBy },
})

const selectPenalty = sql`select y.*, p.name as project_name, c.corp_name, r.issuer_group_name, r.code as notice_code
  from rectify_penalty y join rectify r on r.id = y.rectify_id join project p on p.project_code = y.project_code
  join corporation c on c.corp_code = y.corp_code`

const revoked = '8'

/** The papers that a stranger can verify by their QR code. */
export function registerPapers(): void {
  type Notice = Row<'rectify'> & { projectName: string }
  const noticeOf = async ({ db }: { db: Db }, id: string) => {
    const { rows } = await sql<Notice>`select r.*, p.name as project_name from rectify r join project p on p.project_code = r.project_code
      where r.id = ${id} and r.code is not null`.execute(db)
    return rows[0]
  }
  const titleOf = (r: Notice, paper: 'notice' | 'report') => {
    const own = paper === 'notice' ? '整改通知单' : '整改回复单'
    return r.origin === 'gov' ? (dictName('superviseDocType', docTypeOf(r, paper)) ?? own) : own
  }
  registerPaper('notice', async (ctx, id) => {
    const r = await noticeOf(ctx, id)
    if (!r) return undefined
    const { code, issuerGroupName, issueTime, projectName, state } = r
    const head = { title: titleOf(r, 'notice'), number: code ?? '', issuer: issuerGroupName, date: issueTime, projectName }
    return { ...head, revoked: state === revoked, content: await printedNotice(ctx, r) }
  })
  registerPaper('report', async (ctx, named) => {
    const [id = '', round = ''] = named.split('_')
    const r = await noticeOf(ctx, id)
    const { rows } = await sql<Pick<Row<'rectifyReply'>, 'at' | 'round'>>`select at, round from rectify_reply
      where rectify_id = ${id} and round = ${Number(round)}`.execute(ctx.db)
    const sent = rows[0]
    if (!r || !sent) return undefined
    const { rows: corps } = await sql<{ name: string }>`select corp_name as name from corporation where corp_code = ${r.corpCode}`.execute(
      ctx.db,
    )
    const head = { title: titleOf(r, 'report'), number: `${r.code ?? ''} 第 ${sent.round} 轮`, issuer: corps[0]?.name ?? '', date: sent.at }
    return { ...head, projectName: r.projectName, revoked: r.state === revoked, content: await printedRound(ctx, id, sent.round) }
  })
  registerPaper('penalty', async (ctx, id) => {
    const { rows } = await sql<Proposal>`${selectPenalty} where y.id = ${id} and y.code is not null`.execute(ctx.db)
    const r = rows[0]
    return (
      r && {
        title: penaltyTitle,
        number: r.code ?? '',
        issuer: r.issuerGroupName,
        date: r.issueTime,
        projectName: r.projectName,
        revoked: false,
        content: printedPenalty(r),
      }
    )
  })
}
const penaltyTitle = dictName('superviseDocType', penaltyDocType) ?? '行政处罚建议书'

/** 行政处罚建议书 207, once it has its number. */
export async function drawPenalty(ctx: PrintContext, { id }: { id: string }, publicUrl: string | undefined): Promise<Pdf> {
  const within = allOf(...equals('y.id', id), ...inProjects('y.projectCode', projectsFor(ctx)))
  const { rows } = await sql<Proposal>`${selectPenalty} where ${within}`.execute(ctx.db)
  const r = rows[0]
  if (!r) throw new AppError('notFound', '行政处罚建议书不存在')
  if (r.code === null) throw new AppError('refused', '建议书还没有出具，不能打印')
  const pdf = new Pdf({
    title: penaltyTitle,
    subtitle: r.code,
    foot: `监督文书 ${penaltyDocType}　${r.code}　打印 ${formatInstant(ctx.clock.now())}　${ctx.user.name}`,
  })
  pdf.facts([
    ['项目', r.projectName],
    ['责任单位', r.corpName],
    ['整改通知', r.noticeCode],
    ['建议机构', r.issuerGroupName],
    ['出具日期', r.issueTime && formatDay(r.issueTime)],
    ['建议罚款', r.amountYuan === null ? '未提出' : `${r.amountYuan.toLocaleString('en-US')} 元`],
  ])
  pdf.heading('违法事实')
  pdf.paragraph(r.facts)
  pdf.heading('依据')
  pdf.paragraph(r.clause)
  pdf.heading('建议')
  pdf.paragraph(
    `建议对 ${r.corpName} 依法予以行政处罚${r.amountYuan === null ? '' : `，罚款 ${r.amountYuan.toLocaleString('en-US')} 元`}。是否处罚及数额由有处罚权的机关决定。`,
  )
  pdf.signed([{ role: '承办人' }, { role: '科室负责人' }])
  pdf.small(`${r.issuerGroupName}（机构盖章）`, 'right')
  drawVerifyCode(pdf, ctx.secrets, publicUrl, { name: 'penalty', id, content: printedPenalty(r) })
  return pdf
}
