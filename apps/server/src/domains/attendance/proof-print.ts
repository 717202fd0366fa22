import { createHash } from 'node:crypto'
import { ledgerProof } from '@zhugong/contract/attendance/ledger'
import { AppError } from '@zhugong/contract/kit/errors'
import type { z } from 'zod'
import { formatInstant } from '#kit/clock'
import { projectsFor } from '#kit/context'
import { Pdf } from '#kit/pdf'
import { type ListContext, registerPrint } from '../exports/registry.ts'
import { rootHash } from './engine/ledger.ts'
import { proofOf } from './ledger-views.ts'
import { personalPage } from './personal.ts'

type Query = NonNullable<(typeof ledgerProof)['types']>['parsed']['query']
/** Maximum number of days; a year with up to a dozen passages a day takes some thirty pages. */
const mostDays = 400
const hashShown = 16

/** A77 as PDF: one person's days, the passages with number and hash, and instructions for checking them. */
export function registerProofPrint(): void {
  registerPrint({ feature: 'attendanceProof', title: '考勤证明', query: ledgerProof.schemas.query as z.ZodType<Query>, draw })
}

async function draw(ctx: ListContext, { projectCode: wanted, workerId, from, to }: Query): Promise<Pdf> {
  const [projectCode, ...others] = projectsFor(ctx, wanted) ?? []
  if (!projectCode || others.length > 0) throw new AppError('refused', '请先选择项目')
  const proof = await proofOf(ctx, projectCode, workerId, from, to)
  const days = await personalPage(ctx, { workerId, startDate: from, endDate: to, page: 1, size: mostDays, sort: 'date' }, [projectCode])
  if (days.total > mostDays) throw new AppError('refused', `考勤证明最多 ${mostDays} 天，请缩短日期范围`)
  const stay = days.worker?.stays.find((s) => s.projectCode === projectCode)
  const digest = createHash('sha256')
    .update(proof.entries.map((e) => e.hash).join(''))
    .digest('hex')
  const pdf = new Pdf({
    title: '考勤证明',
    subtitle: `${stay?.projectName ?? projectCode}　${from ?? '进场'} 至 ${to ?? '今日'}`,
    foot: `摘要 ${digest.slice(0, hashShown)}　出具 ${formatInstant(ctx.clock.now())}　${ctx.user.name}`,
  })
  pdf.facts([
    ['姓名', days.worker?.name],
    ['证件号码', days.worker?.idCardMask],
    ['用工单位', stay?.corpName],
    ['班组', stay?.teamName],
    ['工种', stay?.workTypeName],
    ['在场', `${stay?.entryTime.slice(0, 10) ?? '--'} 至 ${stay?.exitTime?.slice(0, 10) ?? '今'}`],
    ['出勤', `${days.totals.attendDays} 天，${days.totals.workHours} 工时`],
    ['记工规则', proof.rulesVersion],
  ])
  pdf.heading('逐日结果')
  await pdf.table(
    [
      { title: '日期', width: 12, value: (d) => d.date },
      { title: '首次进', width: 18, value: (d) => d.firstIn },
      { title: '末次出', width: 18, value: (d) => d.lastOut },
      { title: '工时', width: 8, align: 'right', value: (d) => d.workHours },
      { title: '结果', width: 24, value: (d) => d.resultText },
      { title: '记录', width: 6, align: 'right', value: (d) => d.recordCount },
    ],
    days.list,
  )
  pdf.heading('原始记录与账本')
  await pdf.table(
    [
      { title: '账本日', width: 10, value: (e) => e.date },
      { title: '当日序', width: 6, align: 'right', value: (e) => e.index + 1 },
      { title: '内容', width: 20, value: (e) => wordsOf(e.canonical) },
      { title: '哈希（SHA-256）', width: 46, value: (e) => e.hash },
    ],
    proof.entries,
  )
  if (proof.pending > 0) pdf.small(`另有 ${proof.pending} 条记录所在日期尚未封账，次日起可出具。`)
  pdf.heading('日根值')
  await pdf.table(
    [
      { title: '日期', width: 10, value: (r) => r.date },
      { title: '条数', width: 6, align: 'right', value: (r) => r.count },
      { title: '日根值（SHA-256）', width: 46, value: (r) => rootHash(r) },
    ],
    proof.roots,
  )
  pdf.heading('怎样核验')
  pdf.paragraph(
    '每次通行写入账本一条，哈希由本条内容与上一条的哈希算出，任何一条被改动，其后的哈希都不再相符。每日所有记录合成一个日根值，封账后送监管部门和企业留存。' +
      '核验时用平台“账本核验”或离线命令，对本证明的数据文件重算哈希和日根值，与留存的日根值比对：相符即未被改动。',
  )
  pdf.signatures(['工人', '劳务员', '项目经理'])
  return pdf
}

/** An entry's time and direction in words. */
function wordsOf(canonical: string): string {
  const { kind, time, direction } = JSON.parse(canonical) as { kind: string; time?: number; direction?: string | number | null }
  if (kind !== 'event' || time === undefined) return '更正'
  return `${formatInstant(time)} ${directions[String(direction)] ?? ''}`.trim()
}
const directions: Readonly<Record<string, string>> = { '01': '进', '02': '出' }
