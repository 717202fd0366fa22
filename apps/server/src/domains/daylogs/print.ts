import { factKinds, impacts } from '@zhugong/contract/daylogs/fields'
import { draftLog } from '@zhugong/contract/daylogs/moves'
import { daySheets, monthBook } from '@zhugong/contract/daylogs/print'
import { countDiffers } from '@zhugong/contract/daylogs/rules'
import type { LogRow } from '@zhugong/contract/daylogs/shapes'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import type { z } from 'zod'
import { formatInstant } from '#kit/clock'
import { found } from '#kit/context'
import { Pdf } from '#kit/pdf'
import { type PrintContext, registerPrint } from '../exports/registry.ts'
import { childrenOf } from './children.ts'
import { attended } from './day.ts'
import { blocksOf, changesOf, commentsOf } from './detail.ts'
import { logNouns, readLog } from './kind.ts'
import { conditions, logFor, readLogs } from './rows.ts'
import type { LogType } from './tables.ts'

/** Keeps a sheet short; all photographs are on the page. */
const mostPhotos = 4
/** Two units of the works for a whole month. */
const mostInBook = 200

/** A day as a sheet, and a month of a site as a book. */
export function registerDayLogPrints(): void {
  const sheets = [
    ['safetyPLogSheet', 'safetyPLog'],
    ['constructionSheet', 'construction'],
    ['logSheet', 'log'],
  ] as const
  for (const [feature, kind] of sheets)
    registerPrint({
      feature,
      title: logNouns[kind],
      query: daySheets[feature] as z.ZodType<{ id: string }>,
      draw: (ctx, { id }) => drawDay(ctx, kind, id),
    })
  for (const kind of ['safetyPLog', 'construction'] as const)
    registerPrint({
      feature: `${kind}Book`,
      title: `${logNouns[kind]}月册`,
      query: monthBook as z.ZodType<z.output<typeof monthBook>>,
      draw: (ctx, query) => drawBook(ctx, kind, query),
    })
}

async function drawDay(ctx: PrintContext, kind: LogType, id: string): Promise<Pdf> {
  const row = found(await logFor(ctx, kind, id), logNouns[kind])
  if (row.state === draftLog) throw new AppError('refused', '草稿尚未提交，不能打印')
  const pdf = new Pdf({ title: titleOf(kind, row), subtitle: row.projectName ?? row.authorGroupName, foot: footOf(ctx, row.day) })
  await drawOne(ctx, pdf, kind, row)
  return pdf
}

async function drawBook(ctx: PrintContext, kind: LogType, { projectCode, month }: z.output<typeof monthBook>): Promise<Pdf> {
  const where = conditions(ctx, kind, { projectCode, month, tab: 'written' })
  const rows = await readLogs(ctx, where, { sort: 'day', limit: mostInBook })
  const project = await sql<{ name: string }>`select name from project where project_code = ${projectCode}`.execute(ctx.db)
  const pdf = new Pdf({ title: `${month} ${logNouns[kind]}`, subtitle: project.rows[0]?.name ?? projectCode, foot: footOf(ctx, month) })
  pdf.heading(`目录（${rows.length} 篇）`)
  await pdf.table(
    [
      { title: '日期', width: 14, value: (x) => x.day },
      { title: '单体', width: 14, value: (x) => x.unitName ?? '' },
      { title: '天气', width: 12, value: (x) => x.weatherName ?? '' },
      { title: '人数', width: 8, align: 'right', value: (x) => x.workerCount ?? '' },
      { title: '施工部位与内容', width: 36, value: (x) => x.parts },
      { title: '记录人', width: 16, value: (x) => `${x.recorder}${x.late ? '（补记）' : ''}` },
    ],
    rows,
  )
  for (const row of rows) {
    pdf.nextPage()
    pdf.heading(titleOf(kind, row))
    await drawOne(ctx, pdf, kind, row)
  }
  if (rows.length === 0) pdf.paragraph('本月没有已提交的日志。')
  return pdf
}

const titleOf = (kind: LogType, row: LogRow) => `${row.day} ${row.unitName ?? ''}${logNouns[kind]}${row.late ? '（补记）' : ''}`
const footOf = (ctx: PrintContext, what: string) => `${what}　打印 ${formatInstant(ctx.clock.now())}　${ctx.user.name}`

async function drawOne(ctx: PrintContext, pdf: Pdf, kind: LogType, row: LogRow): Promise<void> {
  const log = await readLog(ctx, kind, row.id)
  const { facts, problems, tasks, pours } = await childrenOf(ctx, row.id)
  const count = row.projectCode === null ? null : await attended(ctx, row.projectCode, row.day)
  const differs = kind === 'safetyPLog' && countDiffers(row.workerCount, count)
  const degrees = row.tempLow === null && row.tempHigh === null ? null : `${row.tempLow ?? '--'} 至 ${row.tempHigh ?? '--'} ℃`
  pdf.facts([
    ['日期', row.day],
    kind === 'log' ? ['涉及项目', row.visited.map((one) => one.name).join('、')] : ['项目', row.projectName],
    ['天气', [row.weatherName, degrees, row.wind === null ? null : `${row.wind} 级风`].filter(Boolean).join('　')],
    ['记录人', `${row.recorder}　${row.authorGroupName}`],
    ...(kind === 'log' ? [] : [['现场人数', `${row.workerCount ?? '--'}${differs ? `（考勤 ${count}）` : ''}`] as const]),
    ...(kind === 'construction'
      ? [['施工影响', `${impacts[log.impact]}${row.idleCount ? `，窝工 ${row.idleCount} 人次` : ''}`] as const]
      : []),
    ['提交时间', row.submittedAt],
    ['状态', row.stateName],
  ])
  if (log.lateReason) pdf.paragraph(`补记原因：${log.lateReason}`)
  const said: readonly (readonly [string, string | null])[] = [
    ['施工部位与内容', log.parts],
    ['安全生产情况', log.safetyState],
    ['质量情况', log.qualityState],
    ['其他机械', log.machines],
    ['明日要点', log.tomorrow],
  ]
  for (const [title, text] of said) {
    if (!text) continue
    pdf.heading(title)
    pdf.paragraph(text)
  }
  const blocks = await blocksOf(ctx, row.id)
  if (blocks.length > 0) {
    pdf.heading('分项')
    for (const one of blocks) pdf.paragraph(`${one.part}${one.gang ? `（${one.gang}）` : ''}：${one.content}　${one.byName}`)
  }
  if (tasks.length > 0) {
    pdf.heading('进度')
    for (const one of tasks) pdf.paragraph(`${one.name}：${one.before}% → ${one.percent}%${one.reason ? `　${one.reason}` : ''}`)
  }
  if (pours.length > 0) {
    pdf.heading('浇筑')
    for (const one of pours) pdf.paragraph(`${one.part}　${one.grade}　${one.volume} m³　${one.fromTime} 至 ${one.untilTime}`)
  }
  if (problems.length > 0) {
    pdf.heading('问题及处理')
    for (const [i, one] of problems.entries()) pdf.paragraph(`${i + 1}. ${one.description}`)
  }
  if (facts.length > 0) {
    pdf.heading('系统带入')
    await pdf.table(
      [
        { title: '类别', width: 16, value: (f) => factKinds[f.kind] },
        { title: '内容', width: 54, value: (f) => f.words },
        { title: '数量', width: 14, align: 'right', value: (f) => (f.amount === null ? '' : `${f.amount} ${f.unit ?? ''}`) },
        { title: '填写时状态', width: 16, value: (f) => f.state ?? '' },
      ],
      facts,
    )
  }
  const pictures = await Promise.all(log.photos.slice(0, mostPhotos).map(async (file) => ctx.picture(file)))
  const taken = pictures.flatMap((body) => (body ? [{ body, caption: row.day }] : []))
  if (taken.length > 0) {
    pdf.heading('照片')
    pdf.pictures(taken)
  }
  const comments = await commentsOf(ctx, row.id)
  if (comments.length > 0) {
    pdf.heading('批阅')
    for (const one of comments) {
      pdf.paragraph(`${formatInstant(one.at)}　${one.groupName} ${one.byName}：${one.content}`)
      pdf.paragraph(one.answer ? `回复（${one.answerBy ?? ''}）：${one.answer}` : '尚未回复')
    }
  }
  const changes = await changesOf(ctx, row.id)
  if (changes.length > 0) {
    pdf.heading('提交后的更改')
    for (const one of changes)
      pdf.paragraph(
        `${formatInstant(one.at)}　${one.byName}　${one.field}：原“${one.before}”，改为“${one.after}”${one.reason ? `　${one.reason}` : ''}`,
      )
  }
  pdf.signatures(kind === 'construction' ? ['记录人', '项目技术负责人'] : ['记录人', '项目负责人'])
}
