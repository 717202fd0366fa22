import { LeftOutlined, RightOutlined } from '@ant-design/icons'
import { type MatrixCell, planMatrix } from '@zhugong/contract/plans/calls'
import { Button, Pagination } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { Card, Empty, ErrorPanel, RiskBadge, TableSkeleton, Tag } from '#kit/feedback.tsx'
import { Choice } from '#kit/inputs.tsx'
import { hrefOf } from '#kit/page.tsx'
import { Sideways } from '../scoring/public.tsx'

const months = Array.from({ length: 12 }, (_, i) => i + 1)
const pageSize = 50

/** The sites of the scope with their visits month by month, the riskiest first; or those without a plan in force. */
export function PlanMatrix({ projectCode, unplanned }: { projectCode: string; unplanned: boolean }) {
  const dicts = useDicts('checkDiscipline')
  const now = new Date()
  const [year, setYear] = useState(now.getFullYear())
  const [discipline, setDiscipline] = useState<string>()
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useCall(
    planMatrix,
    { query: { projectCode, year, discipline, page, size: pageSize, unplanned: unplanned ? ('true' as const) : undefined } },
    { quiet: true, keepPrevious: true },
  )
  return (
    <Card
      title={unplanned ? `${year} 年无有效计划的在建项目` : `${year} 年检查矩阵`}
      remark={data && `${data.total} 个项目`}
      actions={
        <>
          <Choice value={discipline ?? null} options={dicts.options('checkDiscipline')} onChange={(next) => setDiscipline(next)} />
          <Button icon={<LeftOutlined />} aria-label="上一年" onClick={() => setYear(year - 1)} />
          <Button icon={<RightOutlined />} aria-label="下一年" onClick={() => setYear(year + 1)} />
        </>
      }
      scrolls
    >
      {error ? (
        <ErrorPanel error={error} retry={refetch} />
      ) : !data ? (
        <TableSkeleton />
      ) : data.list.length === 0 ? (
        <Empty small text={unplanned ? '在建项目都有有效计划' : '没有在监项目'} />
      ) : (
        <>
          <div className="plan-legend zg-2">
            <span>
              <Mark mark="planned" /> 应检
            </span>
            <span>
              <Mark mark="done" /> 已检
            </span>
            <span>
              <Mark mark="missed" /> 漏检
            </span>
            <span>斜纹：停工，不计</span>
          </div>
          <Sideways label="年度矩阵">
            <table className="plan-matrix">
              <thead>
                <tr>
                  <th scope="col">项目</th>
                  <th scope="col">风险</th>
                  <th scope="col">监督人员</th>
                  {months.map((month) => (
                    <th
                      key={month}
                      scope="col"
                      className={`month ${year === now.getFullYear() && month === now.getMonth() + 1 ? 'now' : ''}`}
                    >
                      {month}月
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {data.list.map((row) => (
                  <tr key={row.projectCode} data-paused={row.paused ? '' : undefined}>
                    <th scope="row">
                      {row.planId ? (
                        <Link to={hrefOf('/jgt/checkplan/details', { id: row.planId })}>{row.projectName}</Link>
                      ) : (
                        <Link to={hrefOf('/jgt/checkplan/edit', { projectCode: row.projectCode })}>{row.projectName}</Link>
                      )}{' '}
                      <span className="zg-2">{row.areaName}</span>
                    </th>
                    <td>{row.riskLevel && <RiskBadge level={row.riskLevel} word={false} />}</td>
                    <td>{row.planId ? row.supervisors.join('、') : <Tag tone="danger">无计划</Tag>}</td>
                    {months.map((month) => (
                      <td key={month} className="month">
                        <Cell
                          cell={row.cells.find((one) => one.month === month)}
                          href={hrefOf('/jgt/daycheck', {
                            projectCode: row.projectCode,
                            checkDate: `${year}-${String(month).padStart(2, '0')}-01,${year}-${String(month).padStart(2, '0')}-${lastDay(year, month)}`,
                          })}
                        />
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </Sideways>
          {data.total > pageSize && (
            <Pagination current={page} pageSize={pageSize} total={data.total} showSizeChanger={false} onChange={setPage} />
          )}
        </>
      )}
    </Card>
  )
}

const lastDay = (year: number, month: number) => new Date(year, month, 0).getDate()

const Mark = ({ mark }: { mark: 'planned' | 'done' | 'missed' }) => <i className="plan-mark" data-mark={mark} />

/** What was planned in a month; a click lists its checks. */
function Cell({ cell, href }: { cell: MatrixCell | undefined; href: string }) {
  if (!cell) return null
  const marks = [
    ...Array.from({ length: cell.done }, () => 'done' as const),
    ...Array.from({ length: cell.missed }, () => 'missed' as const),
    ...Array.from({ length: cell.planned }, () => 'planned' as const),
  ]
  const words = `已检 ${cell.done}，漏检 ${cell.missed}，应检 ${cell.planned}`
  return (
    <Link to={href} aria-label={words} title={words}>
      {marks.map((mark, i) => (
        <Mark key={i} mark={mark} />
      ))}
    </Link>
  )
}
