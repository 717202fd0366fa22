import { suspendedMachine } from '@zhugong/contract/machines/moves'
import { listMaintenance } from '@zhugong/contract/upkeep/maintenance'
import type { MaintenanceRow } from '@zhugong/contract/upkeep/maintenance-row'
import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { thisMonth } from '#kit/day-calendar.tsx'
import { Card, DetailSkeleton, Empty, ErrorPanel, Tag } from '#kit/feedback.tsx'
import { day } from '#kit/format.ts'
import { hrefOf } from '#kit/page.tsx'
import { FitTag, paths } from './upkeep-words.tsx'
import { useMachines } from './use-machines.ts'

/** Jobs of a month that are drawn. */
const mostJobs = 1000

/** Days of a month, yyyy-MM-dd. */
export function daysOf(month: string): string[] {
  const [year = 0, no = 1] = month.split('-').map(Number)
  const last = new Date(Date.UTC(year, no, 0)).getUTCDate()
  return Array.from({ length: last }, (_, i) => `${month}-${String(i + 1).padStart(2, '0')}`)
}
const shifted = (month: string, by: number) => {
  const [year = 0, no = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, no - 1 + by, 1)).toISOString().slice(0, 7)
}

/** Machines by the days of a month: what was done, and when the next job is due. */
export function MaintainCalendar({ scope, late, toolbar }: { scope: { projectCode: string }; late: boolean; toolbar: ReactNode }) {
  const [month, setMonth] = useState(thisMonth)
  const days = daysOf(month)
  const { machines, error, refetch, data } = useMachines({ ...scope, maintainLate: late || undefined })
  const range = `${days[0]},${days.at(-1)}`
  const jobs = useCall(listMaintenance, { query: { ...scope, maintainDate: range, size: mostJobs } }, { quiet: true, keepPrevious: true })
  const today = day(Date.now())
  const byCell = Map.groupBy(jobs.data?.list ?? [], (one) => `${one.machineId} ${one.maintainDate}`)
  const severalSites = new Set(machines.map((one) => one.projectCode)).size > 1
  return (
    <Card className="upkeep-board">
      <div className="zg-row zg-middle zg-gap-8 zg-wrap">
        {toolbar}
        <span className="zg-row zg-middle zg-gap-6">
          <Button size="small" aria-label="上个月" onClick={() => setMonth(shifted(month, -1))}>
            ‹
          </Button>
          <strong className="zg-num">{month}</strong>
          <Button size="small" aria-label="下个月" onClick={() => setMonth(shifted(month, 1))}>
            ›
          </Button>
        </span>
        {late && (
          <Tag tone="danger">
            只看逾期未保 <Link to={paths.maintain}>全部设备</Link>
          </Tag>
        )}
        <span className="zg-2">● 维保　◆ 更换部件或维修　○ 应保</span>
      </div>
      {error ? (
        <ErrorPanel error={error} retry={refetch} />
      ) : !data ? (
        <DetailSkeleton />
      ) : machines.length === 0 ? (
        <Empty text={late ? '没有逾期未保的设备' : '没有在用的设备'} hint="起重机械在“监督设备”中建档并办理使用登记后显示在这里" />
      ) : (
        <div className="upkeep-scroll">
          <table className="upkeep-matrix upkeep-days">
            <thead>
              <tr>
                <th>设备</th>
                {days.map((one) => (
                  <th key={one} data-today={one === today ? '' : undefined}>
                    {Number(one.slice(8))}
                  </th>
                ))}
                <th>下次</th>
              </tr>
            </thead>
            <tbody>
              {machines.map((row) => (
                <tr key={row.id}>
                  <th scope="row">
                    <Link to={hrefOf(paths.maintain, { view: 'list', machineId: row.id })}>{row.name}</Link>{' '}
                    {row.state === suspendedMachine && <FitTag row={row} />}
                    {severalSites && (
                      <>
                        <br />
                        <span className="zg-2">{row.projectName}</span>
                      </>
                    )}
                  </th>
                  {days.map((one) => (
                    <td key={one} data-today={one === today ? '' : undefined}>
                      <Marks jobs={byCell.get(`${row.id} ${one}`) ?? []} due={row.maintainDue === one} late={row.maintainLate} />
                    </td>
                  ))}
                  <td data-late={row.maintainLate ? '' : undefined}>
                    <span className={row.maintainLate ? 'tone-danger' : undefined}>{row.maintainDue?.slice(5) ?? '--'}</span>
                    {row.maintainLate && <small className="tone-danger"> 逾期 {row.maintainLateDays} 天</small>}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  )
}

/** 故障维修 and 部件更换 in dictionary deviceMaintainType. */
const repairs: readonly string[] = ['4', '5']

function Marks({ jobs, due, late }: { jobs: readonly MaintenanceRow[]; due: boolean; late: boolean }) {
  return (
    <>
      {jobs.map((one) => (
        <Link
          key={one.id}
          to={hrefOf(paths.maintainDetail, { id: one.id })}
          className={one.doubts.length > 0 ? 'tone-warning' : undefined}
          title={[one.typeName, one.content, ...one.doubts].join('，')}
          aria-label={`${one.maintainDate} ${one.typeName}`}
        >
          {repairs.includes(one.type) || one.parts.length > 0 ? '◆' : '●'}
        </Link>
      ))}
      {due && jobs.length === 0 && (
        <span className={late ? 'tone-danger' : 'zg-2'} title="应保">
          ○
        </span>
      )}
    </>
  )
}
