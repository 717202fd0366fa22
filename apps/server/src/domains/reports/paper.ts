import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Report, ReportSection } from '@zhugong/contract/reports/endpoints'
import { Pdf } from '#kit/pdf'
import { writeXlsxStream } from '#kit/sheet-write'

export const periodWords = ({ from, to }: { from: string; to: string }): string => (from === to ? from : `${from} 至 ${to}`)

const change = (value: number | null, before: number | null): string => {
  if (value === null || before === null) return '—'
  const by = Math.round((value - before) * 10) / 10
  return by === 0 ? '持平' : by > 0 ? `+${by}` : String(by)
}
const shown = (section: ReportSection): string =>
  section.total > section.rows.length ? `共 ${section.total} 个项目，列出前 ${section.rows.length} 个` : ''

/** The report as PDF: figures, and the projects below each section. */
export async function reportPdf(report: Report): Promise<Buffer> {
  const pdf = new Pdf({
    title: report.title,
    subtitle: `${report.groupName}　统计期 ${periodWords(report)}`,
    foot: `${report.title}　生成 ${report.madeAt}`,
  })
  for (const section of report.sections) {
    pdf.heading(section.title)
    await pdf.table(
      [
        { title: '指标', width: 3, value: (fact) => fact.label },
        { title: '本期', width: 2, align: 'right', value: (fact) => (fact.value === null ? '—' : `${fact.value} ${fact.unit}`) },
        { title: '上期', width: 2, align: 'right', value: (fact) => (fact.before === null ? '—' : `${fact.before} ${fact.unit}`) },
        { title: '变化', width: 2, align: 'right', value: (fact) => change(fact.value, fact.before) },
      ],
      section.facts,
    )
    for (const line of [section.note, shown(section)]) if (line) pdf.small(line)
    if (section.rows.length > 0)
      await pdf.table(
        section.columns.map((title, i) => ({
          title,
          width: i === 0 ? 4 : 1.5,
          align: i === 0 ? ('left' as const) : ('right' as const),
          value: (row: ReportSection['rows'][number]) => row[i],
        })),
        section.rows,
      )
  }
  if (report.sections.length === 0) pdf.paragraph('本期没有您可查看的内容')
  return pdf.bytes()
}

/** The report as rows: section, figure or project, value. */
export async function reportWorkbook(report: Report): Promise<Buffer> {
  const rows: (string | number)[][] = []
  for (const section of report.sections) {
    for (const fact of section.facts) rows.push([section.title, '合计', fact.label, fact.value ?? '', fact.unit, fact.before ?? ''])
    for (const [name, ...values] of section.rows)
      for (const [i, value] of values.entries()) rows.push([section.title, safe(name), section.columns[i + 1] ?? '', value ?? '', '', ''])
  }
  const columns = ['内容', '项目', '指标', '本期', '单位', '上期'].map((header, i) => ({ header, width: i === 1 ? 28 : 14 }))
  const stream = writeXlsxStream(rows as never, { name: '报表', columns } as never)
  return buffer(Readable.fromWeb(stream as never))
}

/** Text is written as a text cell, so that no program interprets it as a formula. */
const safe = (value: string | number | null | undefined): string => (value === null || value === undefined ? '' : String(value))
