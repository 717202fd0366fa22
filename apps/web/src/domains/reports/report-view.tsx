import type { Report } from '@zhugong/contract/reports/endpoints'
import { Empty, FigureStrip } from '#kit/feedback.tsx'
import { changeText, periodText } from './report-words.ts'
import './reports.css'

/** One report: figures with those of the previous period, and the projects behind them. */
export function ReportView({ report }: { report: Report }) {
  if (report.sections.length === 0) return <Empty text="没有您可查看的内容" hint="报表只含您在本组有权查看的项目与内容" />
  return (
    <div className="rep-view">
      <p className="zg-2">
        {report.groupName}　统计期 {periodText(report)}　生成 {report.madeAt}
      </p>
      {report.sections.map((section) => (
        <section key={section.key}>
          <h3>{section.title}</h3>
          <FigureStrip
            items={section.facts.map((fact) => ({
              label: fact.label,
              value: fact.value ?? '--',
              unit: fact.unit,
              remark: changeText(fact.value, fact.before) || undefined,
            }))}
          />
          {section.note && <p className="zg-2">{section.note}</p>}
          {section.rows.length > 0 && (
            <div className="rep-scroll">
              <table className="rep-table">
                <caption className="zg-heard">{section.title}按项目</caption>
                <thead>
                  <tr>
                    {section.columns.map((title) => (
                      <th key={title} scope="col">
                        {title}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {section.rows.map((row) => (
                    <tr key={String(row[0])}>
                      {row.map((value, i) => (
                        <td key={section.columns[i]}>{value ?? '--'}</td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
          {section.total > section.rows.length && (
            <p className="zg-2">
              共 {section.total} 个项目，列出前 {section.rows.length} 个
            </p>
          )}
        </section>
      ))}
    </div>
  )
}
