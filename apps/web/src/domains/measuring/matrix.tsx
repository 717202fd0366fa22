import type { MeasureFilters } from '@zhugong/contract/measuring/records'
import { findMeasureMatrix } from '@zhugong/contract/measuring/records'
import { useCall } from '#kit/call.ts'
import { Card, Empty, Known } from '#kit/feedback.tsx'
import { Spark } from '#kit/spark.tsx'
import { heatOf } from './words.tsx'

type Pick = { itemCode: string; unitCorp?: string | undefined }

/** Items by subcontractor: the weak cell is where to look; a click opens its points. */
export function Matrix({ query, onPick }: { query: MeasureFilters; onPick: (filters: Pick) => void }) {
  const read = useCall(findMeasureMatrix, { query: { ...query, view: 'matrix' } }, { quiet: true, keepPrevious: true })
  const { list = [], corps = [] } = read.data ?? {}
  return (
    <div className="measuring-scroll">
      <Known of={read} rows={8}>
        {list.length === 0 ? (
          <Empty text="没有测点" hint="换一组筛选，或先完成一个实测实量任务" />
        ) : (
          <Card title="测项 × 分包" remark="复测后合格率，括号内为首次；趋势为最近八个有测量的周" flush>
            <div className="measuring-wide">
              <table className="measuring-table">
                <thead>
                  <tr>
                    <th>测项</th>
                    <th className="num">测点</th>
                    <th className="num">合计</th>
                    <th>趋势</th>
                    {corps.map((one) => (
                      <th key={one.corpCode} className="num">
                        {one.name}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {list.map((row) => (
                    <tr key={row.itemCode}>
                      <td>{row.itemName}</td>
                      <td className="num">{row.measured}</td>
                      <Cell
                        rate={row.passRate}
                        first={row.firstRate}
                        title={`${row.itemName} 全部`}
                        onClick={() => onPick({ itemCode: row.itemCode })}
                      />
                      <td>
                        {row.trend.length > 1 ? (
                          <span title={row.trend.map((one) => `${one.week} ${one.rate}%`).join('，')}>
                            <Spark values={row.trend.map((one) => one.rate)} width={72} />
                          </span>
                        ) : (
                          <span className="zg-2">--</span>
                        )}
                      </td>
                      {corps.map(({ corpCode, name }) => {
                        const cell = row.corps.find((one) => one.corpCode === corpCode)
                        return (
                          <Cell
                            key={corpCode}
                            rate={cell?.passRate ?? null}
                            first={cell?.firstRate ?? null}
                            title={`${row.itemName} ${name}，${cell?.measured ?? 0} 点，爆点 ${cell?.burst ?? 0} 个`}
                            onClick={() => onPick({ itemCode: row.itemCode, unitCorp: corpCode || undefined })}
                          />
                        )
                      })}
                    </tr>
                  ))}
                </tbody>
                <tfoot>
                  <tr>
                    <th>合计</th>
                    <th className="num">{list.reduce((n, one) => n + one.measured, 0)}</th>
                    <th />
                    <th />
                    {corps.map((one) => (
                      <th key={one.corpCode} className="num">
                        {one.passRate === null ? '未测' : `${one.passRate}%`}
                      </th>
                    ))}
                  </tr>
                </tfoot>
              </table>
            </div>
          </Card>
        )}
      </Known>
    </div>
  )
}

function Cell({ rate, first, title, onClick }: { rate: number | null; first: number | null; title: string; onClick: () => void }) {
  if (rate === null) return <td className="num measuring-none">未测</td>
  return (
    <td className="num">
      <button type="button" className="measuring-cell" data-heat={heatOf(rate)} title={title} onClick={onClick}>
        {rate}%{first !== rate && <small>（{first}%）</small>}
      </button>
    </td>
  )
}
