import { listMyDays, listMyTrainings } from '@zhugong/contract/settings/my-requests'
import { Button, Pagination } from 'antd'
import { type ReactElement, type ReactNode, useState } from 'react'
import { useCall } from '#kit/call.ts'
import { Card, DetailSkeleton, Empty, ErrorPanel, Tag } from '#kit/feedback.tsx'
import { day } from '#kit/format.ts'
import { MonthInput } from '#kit/inputs.tsx'
import { DisputeDrawer, type Disputed } from './ask-drawers.tsx'

const thisMonth = () => day(Date.now()).slice(0, 7)
export const useOwnDays = (month = thisMonth(), enabled = true) =>
  useCall(listMyDays, { query: { month } }, { quiet: true, enabled, staleMs: 15_000 })

/** The user's attendance of a month; wrong and missing days can be disputed. */
export function OwnDays() {
  const [month, setMonth] = useState(thisMonth)
  const [disputed, setDisputed] = useState<Disputed>()
  const read = useOwnDays(month)
  return (
    <Card
      title="每日考勤"
      remark={read.data && `出勤 ${read.data.list.filter((one) => one.attended).length} 天`}
      actions={
        <>
          <div className="set-month">
            <MonthInput aria-label="月份" value={month} onChange={(next) => next && setMonth(next)} />
          </div>
          <Button onClick={() => setDisputed({ subject: 'attendance', says: '' })}>缺少某天的考勤</Button>
        </>
      }
      flush
    >
      <OwnTable
        read={read}
        none="本月没有考勤"
        heads={['日期', '项目', '进', '出', '工时', '结果']}
        row={(one) => (
          <tr key={`${one.stayId} ${one.workDay}`}>
            <td>{one.workDay}</td>
            <td>{one.projectName}</td>
            <td>{one.firstIn ?? '--'}</td>
            <td>{one.lastOut ?? '--'}</td>
            <td className="num">{one.workHours.toFixed(1)}</td>
            <td>
              <Tag tone={one.attended ? 'fine' : 'neutral'}>
                {one.attended ? '出勤' : one.workDay >= day(Date.now()) ? '当日未结束' : '未出勤'}
              </Tag>
            </td>
            <td>
              <button
                type="button"
                className="zg-bare zg-link"
                onClick={() =>
                  setDisputed({
                    subject: 'attendance',
                    stayId: one.stayId,
                    workDay: one.workDay,
                    says: `${one.projectName}，进 ${one.firstIn ?? '无'}，出 ${one.lastOut ?? '无'}，${one.workHours.toFixed(1)} 小时`,
                  })
                }
              >
                有异议
              </button>
            </td>
          </tr>
        )}
      />
      {disputed && <DisputeDrawer of={disputed} onClose={() => setDisputed(undefined)} />}
    </Card>
  )
}

const perPage = 20
export const useOwnTrainings = (page = 1, enabled = true) =>
  useCall(listMyTrainings, { query: { page, size: perPage } }, { quiet: true, enabled, staleMs: 15_000 })

/** The user's trainings and results. */
export function OwnTrainings() {
  const [page, setPage] = useState(1)
  const [disputed, setDisputed] = useState<Disputed>()
  const read = useOwnTrainings(page)
  return (
    <Card title="教育培训" remark={read.data && `${read.data.total} 次`} flush>
      <OwnTable
        read={read}
        none="还没有培训记录"
        heads={['日期', '培训', '项目', '学时', '成绩', '结果']}
        row={(one) => (
          <tr key={one.id}>
            <td>{one.trainDate}</td>
            <td>{one.name ?? one.typeName}</td>
            <td>{one.projectName}</td>
            <td className="num">{one.hours}</td>
            <td className="num">{one.score ?? '--'}</td>
            <td>{one.passed === null ? '未出成绩' : one.passed ? '合格' : '不合格'}</td>
            <td>
              <button
                type="button"
                className="zg-bare zg-link"
                onClick={() =>
                  setDisputed({
                    subject: 'training',
                    trainingId: one.id,
                    says: `${one.typeName ?? '培训'} ${one.trainDate}，${one.hours} 学时，${one.passed === null ? '未出成绩' : one.passed ? '合格' : '不合格'}`,
                  })
                }
              >
                有异议
              </button>
            </td>
          </tr>
        )}
      >
        {read.data && read.data.total > perPage && (
          <div className="set-end">
            <Pagination size="small" current={page} pageSize={perPage} total={read.data.total} showSizeChanger={false} onChange={setPage} />
          </div>
        )}
      </OwnTable>
      {disputed && <DisputeDrawer of={disputed} onClose={() => setDisputed(undefined)} />}
    </Card>
  )
}

interface OwnTableProps<Row> {
  read: { data?: { list: Row[] } | undefined; error: Error | null; refetch: () => unknown }
  none: string
  heads: readonly string[]
  row: (row: Row) => ReactElement
  children?: ReactNode
}

/** Table of the user's own rows. */
function OwnTable<Row>({ read, none, heads, row, children }: OwnTableProps<Row>) {
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  if (!read.data) return <DetailSkeleton />
  if (read.data.list.length === 0) return <Empty small text={none} />
  return (
    <div className="set-scroll">
      <table className="set-table">
        <thead>
          <tr>
            {heads.map((one) => (
              <th key={one}>{one}</th>
            ))}
            <th>
              <span className="zg-heard">操作</span>
            </th>
          </tr>
        </thead>
        <tbody>{read.data.list.map(row)}</tbody>
      </table>
      {children}
    </div>
  )
}
