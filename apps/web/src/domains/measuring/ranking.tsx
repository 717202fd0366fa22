import type { MeasureFilters } from '@zhugong/contract/measuring/records'
import { findMeasureRank } from '@zhugong/contract/measuring/records'
import { useCall } from '#kit/call.ts'
import { Card, Empty, Known } from '#kit/feedback.tsx'
import { Filled } from '#kit/filled.tsx'
import { Rate } from './words.tsx'

/** Projects by their rate, the worst first. */
export function Ranking({ query }: { query: MeasureFilters }) {
  const read = useCall(findMeasureRank, { query: { ...query, view: 'rank' } }, { quiet: true, keepPrevious: true })
  const list = read.data?.list ?? []
  return (
    <div className="measuring-scroll">
      <Known of={read} rows={6}>
        {list.length === 0 ? (
          <Empty text="没有测点" hint="各项目还没有实测实量记录" />
        ) : (
          <Card title="项目排名" remark="合格率低的在前；选择一个项目看立面热力图" flush>
            <div className="measuring-wide">
              <table className="measuring-table">
                <thead>
                  <tr>
                    <th>项目</th>
                    <th className="num">任务</th>
                    <th className="num">测点</th>
                    <th>合格率</th>
                    <th className="num">首次</th>
                    <th className="num">爆点</th>
                    <th className="num">待整改点</th>
                  </tr>
                </thead>
                <tbody>
                  {list.map((row) => (
                    <tr key={row.projectCode}>
                      <td>{row.projectName}</td>
                      <td className="num">{row.tasks}</td>
                      <td className="num">{row.measured}</td>
                      <td>
                        <span className="zg-row zg-gap-6 zg-middle">
                          <span className="measuring-share">
                            <Filled part={row.passed} whole={row.measured} />
                          </span>{' '}
                          <Rate value={row.passRate} />
                        </span>
                      </td>
                      <td className="num">{row.firstRate === null ? '未测' : `${row.firstRate}%`}</td>
                      <td className="num">{row.burst}</td>
                      <td className="num">{row.open}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </Card>
        )}
      </Known>
    </div>
  )
}
