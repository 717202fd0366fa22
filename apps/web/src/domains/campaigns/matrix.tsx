import { campaignMatrix } from '@zhugong/contract/campaigns/checks'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Card, Empty, Known } from '#kit/feedback.tsx'
import { hrefOf } from '#kit/page.tsx'
import { anywhere } from './campaign-acts.ts'
import { marks } from './campaign-words.tsx'

/** Least scores of the shades, from no loss to a heavy one; the figure stands in the cell. */
const shades = [
  { from: 95, name: 'none' },
  { from: 85, name: 'little' },
  { from: 75, name: 'some' },
  { from: 0, name: 'much' },
] as const
const shadeOf = (score: number | null): string => (score === null ? 'open' : (shades.find((one) => score >= one.from)?.name ?? 'much'))

/** Projects by the ten categories, shaded by the points lost; the weakest project first. */
export function Matrix({ id }: { id: string }) {
  const read = useCall(campaignMatrix, { params: { id }, query: anywhere }, { quiet: true })
  const data = read.data
  const known = data?.categories.filter((one) => one.mean !== null) ?? []
  const weakest = [...known].sort((a, b) => (a.mean ?? 0) - (b.mean ?? 0))[0]
  return (
    <Card
      title="问题矩阵"
      remark={weakest && `最薄弱：${weakest.name}，平均 ${marks(weakest.mean)} 分`}
      flush
      className="campaign-matrix-card"
    >
      <Known of={read}>
        {data &&
          (data.list.length === 0 ? (
            <Empty small text="还没有提交的检查" />
          ) : (
            <section className="campaign-scroll" aria-label="问题矩阵">
              <table className="campaign-matrix">
                <thead>
                  <tr>
                    <th>项目</th>
                    {data.categories.map((one) => (
                      <th key={one.code}>{one.name}</th>
                    ))}
                    <th>总分</th>
                  </tr>
                </thead>
                <tbody>
                  {data.list.map((row) => (
                    <tr key={row.taskId}>
                      <th>
                        <Link to={hrefOf('/jgt/provinces/checkResult', { taskId: row.taskId })}>{row.projectName}</Link>
                      </th>
                      {row.scores.map((score, at) => (
                        <td key={data.categories[at]?.code} data-loss={shadeOf(score)}>
                          {score === null ? '--' : score.toFixed(0)}
                          {(row.problems[at] ?? 0) > 0 && <small>{row.problems[at]} 个问题</small>}
                        </td>
                      ))}
                      <td className="zg-num">{marks(row.score)}</td>
                    </tr>
                  ))}
                </tbody>
                <tfoot>
                  <tr>
                    <th>平均</th>
                    {data.categories.map((one) => (
                      <td key={one.code} data-loss={shadeOf(one.mean)}>
                        {one.mean === null ? '--' : one.mean.toFixed(0)}
                      </td>
                    ))}
                    <td />
                  </tr>
                </tfoot>
              </table>
            </section>
          ))}
      </Known>
    </Card>
  )
}
