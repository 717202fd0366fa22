import { createSession, type trainBoard } from '@zhugong/contract/personnel/training'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Can } from '#kit/can.tsx'
import { Card, DetailSkeleton, Empty, ErrorPanel, Tag } from '#kit/feedback.tsx'
import { day } from '#kit/format.ts'
import { useProjectCode } from '#kit/me.ts'
import { monthGrid } from '#kit/month-grid.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import { SessionTag, sessionPaths } from './session-words.tsx'
import './train-board.css'

type Board = NonNullable<(typeof trainBoard)['types']>['out']
interface Read {
  data: Board | undefined
  error: Error | null
  refetch: () => unknown
}

const weekdays = ['一', '二', '三', '四', '五', '六', '日']
const kinds: Readonly<Record<Board['proposals'][number]['kind'], string>> = {
  entry: '新进场',
  resume: '节后复工',
  yearly: '年度',
  work: '危大工程',
}

/** The month of a site: sessions on their days, and proposals beside it. */
export function TrainBoard({
  read,
  month,
  onMonth,
  views,
}: {
  read: Read
  month: string
  onMonth: (month: string) => void
  views: ReactNode
}) {
  const go = useGo()
  const isOne = useProjectCode() !== '*'
  const today = day(Date.now())
  const board = read.data
  const shift = (by: number) => {
    const [year = 0, number = 1] = month.split('-').map(Number)
    onMonth(new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7))
  }
  const byDay = Map.groupBy(board?.sessions ?? [], (one) => one.startTime.slice(0, 10))
  return (
    <div className="train-board">
      <div className="bar">
        {views}
        <Button aria-label="上个月" onClick={() => shift(-1)}>
          ‹
        </Button>
        <b className="zg-num">{month}</b>
        <Button aria-label="下个月" onClick={() => shift(1)}>
          ›
        </Button>
        <Can call={createSession}>
          <Button type="primary" onClick={() => go(sessionPaths.form)}>
            新建培训
          </Button>
        </Can>
      </div>
      {read.error ? (
        <ErrorPanel error={read.error} retry={read.refetch} />
      ) : !board ? (
        <DetailSkeleton />
      ) : (
        <div className="body">
          <table>
            <caption className="zg-2">{board.sessions.length} 场，已取消的不列</caption>
            <thead>
              <tr>
                {weekdays.map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {monthGrid(month).map((week) => (
                <tr key={week[0]}>
                  {week.map((date) => (
                    <td key={date} className={date === today ? 'today' : date.startsWith(month) ? '' : 'other'}>
                      <span className="zg-num">{Number(date.slice(8))}</span>
                      {byDay.get(date)?.map((one) => (
                        <Link key={one.id} to={hrefOf(sessionPaths.detail, { id: one.id })} title={`${one.typeName ?? ''} ${one.trainer}`}>
                          <SessionTag row={one} /> <span>{one.startTime.slice(11, 16)}</span> {one.name}{' '}
                          <span className="zg-2">{one.people} 人</span>
                        </Link>
                      ))}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
          <Card title="建议安排" remark={isOne ? undefined : '选择一个项目后显示'}>
            <ul className="proposals">
              {board.proposals.map((one) => (
                <li key={one.key}>
                  <div>
                    <Tag icon={false}>{kinds[one.kind]}</Tag> <b>{one.title}</b>
                    <div className="zg-2">
                      {one.date} · {one.remark}
                    </div>
                  </div>
                  <Can call={createSession}>
                    <Button
                      size="small"
                      onClick={() => go(sessionPaths.form, { proposal: one.key, type: one.trainingType, name: one.title, day: one.date })}
                    >
                      安排
                    </Button>
                  </Can>
                </li>
              ))}
            </ul>
            {isOne && board.proposals.length === 0 && <Empty small text="本月没有需要补充的培训" />}
          </Card>
        </div>
      )}
    </div>
  )
}
