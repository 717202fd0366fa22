import { AppError } from '@zhugong/contract/kit/errors'
import { docTypeOf, noticePrint, noticesZip, reportPrint } from '@zhugong/contract/rectify/papers'
import { penaltyPrint } from '@zhugong/contract/rectify/penalty'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import type { z } from 'zod'
import { formatDay, formatInstant } from '#kit/clock'
import { projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, equals, inProjects } from '#kit/list'
import { type Drawn, Pdf } from '#kit/pdf'
import { type PrintContext, registerPrint } from '../exports/registry.ts'
import { drawnSeats, drawVerifyCode } from '../process/public.ts'
import { rectifyKind } from './kind.ts'
import type { Notice } from './notice.ts'
import { drawPenalty, printedNotice, printedRound, registerPapers } from './papers.ts'
import { receiverSeat } from './seats.ts'

type NoticeQuery = z.output<typeof noticePrint>
type ReportQuery = z.output<typeof reportPrint>

/**
 * The notice (监督文书 201, 202, 204, or the notice of a site), the report on its correction (203, 205) and the proposal of a penalty (207) as
 * papers to sign and seal. `publicUrl`: address in their QR codes.
 */
export function registerRectifyPrints(publicUrl?: string): void {
  registerPrint({
    feature: 'rectifyNotice',
    title: '整改通知书',
    query: noticePrint as z.ZodType<NoticeQuery>,
    several: noticesZip.transform(({ ids }) => ids.map((id) => ({ id }))) as unknown as z.ZodType<readonly NoticeQuery[]>,
    draw: (ctx, query) => drawNotice(ctx, query, publicUrl),
  })
  registerPrint({
    feature: 'rectifyReport',
    title: '整改报告',
    query: reportPrint as z.ZodType<ReportQuery>,
    draw: (ctx, query) => drawReport(ctx, query, publicUrl),
  })
  registerPrint({
    feature: 'rectifyPenalty',
    title: '行政处罚建议书',
    query: penaltyPrint as z.ZodType<NoticeQuery>,
    draw: (ctx, query) => drawPenalty(ctx, query, publicUrl),
  })
  registerPapers()
}

type Paper = Notice & { projectName: string; corpName: string }
type Answered = Row<'rectifyAnswer'>

/** Photographs of one paper; more stay on the platform, so that it can still be printed and sent. */
const mostPhotos = 60

async function paperOf(ctx: PrintContext, id: string): Promise<Paper> {
  const { rows } =
    await sql<Paper>`select r.*, false as extend_asked, p.name as project_name, c.corp_name from rectify r join project p on p.project_code = r.project_code
    join corporation c on c.corp_code = r.corp_code
    where ${allOf(...equals('r.id', id), ...inProjects('r.projectCode', projectsFor(ctx)))}`.execute(ctx.db)
  const paper = rows[0]
  if (!paper) throw new AppError('notFound', '整改单不存在或已删除')
  if (paper.code === null) throw new AppError('refused', '草稿不能打印，请先下发')
  return paper
}
const linesOf = async (ctx: PrintContext, id: string) =>
  (await sql<Row<'rectifyLine'>>`select * from rectify_line where rectify_id = ${id} order by seq`.execute(ctx.db)).rows

const stopPart = '3'
const stopWhole = '4'
/** What is demanded, in the words of the paper. */
function demandOf(r: Paper, count: number): string {
  const found = `${r.corpName}：经 ${r.checkDate} 对你单位承建的 ${r.projectName} 检查，发现 ${count} 个问题（见下表）。`
  const report = `责令你单位于 ${r.deadline} 前整改完毕，经监理单位复核后将整改情况书面回复。`
  if (r.noticeType === stopWhole) return `${found}责令该项目立即全面停止施工。${report}未经复查合格不得复工。`
  if (r.noticeType === stopPart) return `${found}责令所列部位立即停止施工。${report}未经复查合格，所列部位不得复工。`
  return `${found}${report}`
}

async function drawNotice(ctx: PrintContext, { id }: NoticeQuery, publicUrl: string | undefined): Promise<Pdf> {
  const r = await paperOf(ctx, id)
  const lines = await linesOf(ctx, id)
  const isGov = r.origin === 'gov'
  const type = docTypeOf(r)
  const pdf = new Pdf({
    title: isGov ? (dictName('superviseDocType', type) ?? '整改通知书') : '整改通知单',
    subtitle: r.code ?? '',
    foot: `${isGov ? `监督文书 ${type}　` : ''}${r.code ?? ''}　打印 ${formatInstant(ctx.clock.now())}　${ctx.user.name}`,
  })
  pdf.facts([
    ['项目', r.projectName],
    ['责任单位', r.corpName],
    ['整改责任人', r.responsiblePerson],
    ['检查日期', r.checkDate],
    ['通知类型', dictName('rectifyNoticeType', r.noticeType)],
    ['整改类别', dictName('rectifyCategory', r.category)],
    ['隐患等级', dictName('hiddenDangerLevel', r.level)],
    ['整改期限', r.deadline],
    ...(r.majorClause ? ([['判定条款', r.majorClause]] as const) : []),
  ])
  pdf.document.moveDown(0.5)
  pdf.paragraph(demandOf(r, lines.length))
  pdf.heading('问题与整改要求')
  await pdf.table(
    [
      { title: '序号', width: 6, align: 'right', value: (one) => one.seq },
      { title: '部位', width: 16, value: (one) => one.part },
      { title: '问题', width: 30, value: (one) => one.description },
      { title: '依据', width: 20, value: (one) => one.clause },
      { title: '整改要求', width: 26, value: (one) => one.requirement },
      { title: '整改人', width: 10, value: (one) => one.person },
    ],
    lines,
  )
  await drawPhotos(
    ctx,
    pdf,
    lines.flatMap((one) => one.photos.map((photo) => ({ photo, caption: `问题 ${one.seq}　${one.part}` }))),
  )
  const seats = await drawnSeats(ctx, rectifyKind, r)
  const issuers = seats.filter((one) => one.seat.startsWith('issuer'))
  pdf.signed(isGov ? issuers : [...issuers, ...seats.filter((one) => one.seat === receiverSeat)])
  sealPlace(pdf, `${r.issuerGroupName}${isGov ? '（机构盖章）' : '（盖章）'}`, r.issueTime)
  if (isGov)
    receiptStub(
      pdf,
      r,
      seats.find((one) => one.seat === receiverSeat),
    )
  drawVerifyCode(pdf, ctx.secrets, publicUrl, { name: 'notice', id, content: await printedNotice(ctx, r) })
  return pdf
}

async function drawReport(ctx: PrintContext, { id, round }: ReportQuery, publicUrl: string | undefined): Promise<Pdf> {
  const r = await paperOf(ctx, id)
  const { rows: rounds } = await sql<Row<'rectifyReply'>>`select * from rectify_reply where rectify_id = ${id} order by round`.execute(
    ctx.db,
  )
  const sent = round === undefined ? rounds.at(-1) : rounds.find((one) => one.round === round)
  if (!sent) throw new AppError('refused', '还没有回复，不能打印整改报告')
  const lines = await linesOf(ctx, id)
  const { rows: answers } =
    await sql<Answered>`select * from rectify_answer where rectify_id = ${id} and round = ${sent.round} and not draft`.execute(ctx.db)
  const answered = lines.flatMap((line) => {
    const answer = answers.find((one) => one.lineId === line.id)
    return answer ? [{ line, answer }] : []
  })
  const isGov = r.origin === 'gov'
  const type = docTypeOf(r, 'report')
  const pdf = new Pdf({
    title: isGov ? (dictName('superviseDocType', type) ?? '整改报告') : '整改回复单',
    subtitle: `对应 ${r.code ?? ''}　第 ${sent.round} 轮`,
    foot: `${isGov ? `监督文书 ${type}　` : ''}${r.code ?? ''}　打印 ${formatInstant(ctx.clock.now())}　${ctx.user.name}`,
  })
  pdf.facts([
    ['项目', r.projectName],
    ['责任单位', r.corpName],
    ['通知编号', r.code],
    ['下发机构', r.issuerGroupName],
    ['整改期限', r.deadline],
    ['回复时间', formatInstant(sent.at)],
    ['回复人', `${sent.groupName} ${sent.byName}`],
    ['回复问题', `${sent.lines} 个，共 ${lines.length} 个`],
  ])
  if (sent.onBehalf) pdf.small(`本报告由 ${sent.groupName} ${sent.byName} 根据纸质整改报告代录，原因：${sent.reason ?? ''}`)
  if (sent.opinion) pdf.paragraph(sent.opinion)
  pdf.heading('整改情况')
  await pdf.table(
    [
      { title: '序号', width: 6, align: 'right', value: (one) => one.line.seq },
      { title: '部位', width: 16, value: (one) => one.line.part },
      { title: '问题', width: 26, value: (one) => one.line.description },
      { title: '整改措施', width: 28, value: (one) => one.answer.measure },
      { title: '完成日期', width: 12, value: (one) => one.answer.doneDate },
      { title: '整改人', width: 10, value: (one) => one.answer.person },
      { title: '监理', width: 14, value: (one) => verdict(one.answer.reviewPassed, one.answer.reviewOpinion) },
      { title: '复查', width: 14, value: (one) => verdict(one.answer.recheckPassed, one.answer.recheckOpinion) },
    ],
    answered,
  )
  await drawPhotos(
    ctx,
    pdf,
    answered.flatMap(({ line, answer }) => [
      ...line.photos.map((photo) => ({ photo, caption: `问题 ${line.seq}　整改前` })),
      ...answer.photos.map((photo) => ({ photo, caption: `问题 ${line.seq}　整改后` })),
    ]),
  )
  pdf.heading('复核与复查')
  pdf.facts([
    ['监理复核', decided(sent.reviewPassed, [sent.reviewBy], sent.reviewAt)],
    ['复查', decided(sent.recheckPassed, [sent.recheckBy, sent.second], sent.recheckAt)],
  ])
  pdf.signatures(['项目经理（签章）', '总监理工程师（签章）', '建设单位代表'])
  sealPlace(pdf, `${r.corpName}（盖章）`, sent.at)
  const officers = (await drawnSeats(ctx, rectifyKind, r)).filter((one) => one.seat.startsWith(`recheck${sent.round}.`))
  if (officers.length > 0) pdf.signed(officers)
  const content = await printedRound(ctx, id, sent.round)
  drawVerifyCode(pdf, ctx.secrets, publicUrl, { name: 'report', id: `${id}_${sent.round}`, content })
  return pdf
}

const verdict = (passed: boolean | null, opinion: string | null): string =>
  passed === null ? '' : `${passed ? '合格' : '不合格'}${opinion ? `：${opinion}` : ''}`
function decided(passed: boolean | null, names: readonly (string | null)[], at: Date | null): string | null {
  if (passed === null) return null
  return `${passed ? '通过' : '退回'}　${names.filter(Boolean).join('、')}　${at ? formatInstant(at) : ''}`
}

async function drawPhotos(ctx: PrintContext, pdf: Pdf, all: readonly { photo: string; caption: string }[]): Promise<void> {
  const pictures: { body: Buffer; caption: string }[] = []
  for (const { photo, caption } of all.slice(0, mostPhotos)) {
    const body = await ctx.picture(photo)
    if (body) pictures.push({ body, caption })
  }
  if (pictures.length === 0) return
  pdf.heading('照片')
  pdf.pictures(pictures)
  if (all.length > mostPhotos) pdf.small(`另有 ${all.length - mostPhotos} 张照片，请在平台查看。`)
}

function sealPlace(pdf: Pdf, whose: string, at: Date | null): void {
  pdf.room(sealHeight)
  pdf.document.moveDown(1)
  pdf.small(whose, 'right')
  pdf.small(at ? formatDay(at) : '　　年　　月　　日', 'right')
  pdf.document.moveDown(1)
}
const sealHeight = 60

/** 送达回证, to be cut off: who received the paper, when and how. */
function receiptStub(pdf: Pdf, r: Paper, receiver: Drawn | undefined): void {
  pdf.room(stubHeight)
  const isRefused = receiver?.note !== undefined && !receiver.image
  const { document } = pdf
  document.moveDown(0.5)
  document
    .save()
    .dash(4, { space: 3 })
    .moveTo(pdf.left, document.y)
    .lineTo(pdf.left + pdf.width, document.y)
    .stroke()
    .undash()
    .restore()
  document.moveDown(0.5)
  pdf.heading('送达回证')
  pdf.facts([
    ['文书编号', r.code],
    ['送达机构', r.issuerGroupName],
    ['受送达单位', r.corpName],
    ['送达地点', r.projectName],
    [
      '送达方式',
      r.receiveTime === null
        ? null
        : r.deemed
          ? '平台送达，24 小时未签收，视同送达'
          : isRefused
            ? '当面送达，当事人拒签'
            : '平台送达，当事人签收',
    ],
    ['签收人', r.receiver],
    ['送达时间', r.receiveTime && formatInstant(r.receiveTime)],
    ['下发时间', r.issueTime && formatInstant(r.issueTime)],
  ])
  pdf.signed([receiver ?? { role: '受送达人' }, { role: '送达人' }, { role: '见证人' }], 3)
}
const stubHeight = 210
