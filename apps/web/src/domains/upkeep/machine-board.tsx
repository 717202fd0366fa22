import { boardTypes } from '@zhugong/contract/upkeep/due'
import { type BoardRow, createMachineCheck, results } from '@zhugong/contract/upkeep/inspections'
import { beforeShift } from '@zhugong/contract/upkeep/items'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Can } from '#kit/can.tsx'
import { useDicts } from '#kit/dicts.ts'
import { Card, DetailSkeleton, Empty, ErrorPanel, Tag } from '#kit/feedback.tsx'
import { hrefOf, useGo } from '#kit/page.tsx'
import { FitTag, paths } from './upkeep-words.tsx'
import { useMachines } from './use-machines.ts'

/** Machines by the kinds of checks: the last day, the next, and what is late. */
export function MachineBoard({ scope, late, toolbar }: { scope: { projectCode: string }; late: boolean; toolbar: ReactNode }) {
  const go = useGo()
  const dicts = useDicts('deviceInspectType')
  const { machines, total, error, refetch, data } = useMachines({ ...scope, late: late || undefined })
  const severalSites = new Set(machines.map((one) => one.projectCode)).size > 1
  return (
    <Card className="upkeep-board">
      <div className="zg-row zg-middle zg-gap-8 zg-wrap">
        {toolbar}
        {late && (
          <Tag tone="warning">
            只看逾期未检 <Link to={hrefOf(paths.inspect, { view: 'board' })}>全部设备</Link>
          </Tag>
        )}
        <span className="zg-2">
          {total !== undefined && total > machines.length
            ? `前 ${machines.length} 台，共 ${total} 台`
            : `${machines.length} 台在用或停用的设备`}
        </span>
      </div>
      {error ? (
        <ErrorPanel error={error} retry={refetch} />
      ) : !data ? (
        <DetailSkeleton />
      ) : machines.length === 0 ? (
        <Empty text={late ? '没有逾期未检的设备' : '没有在用的设备'} hint="起重机械在“监督设备”中建档并办理使用登记后显示在这里" />
      ) : (
        <div className="upkeep-scroll">
          <table className="upkeep-matrix">
            <thead>
              <tr>
                <th>设备</th>
                {boardTypes.map((type) => (
                  <th key={type}>{dicts.name('deviceInspectType', type)}</th>
                ))}
                <th>维保</th>
                <th aria-label="操作" />
              </tr>
            </thead>
            <tbody>
              {machines.map((row) => (
                <tr key={row.id}>
                  <th scope="row">
                    <Link to={hrefOf(paths.inspect, { view: 'list', machineId: row.id })}>{row.name}</Link> <FitTag row={row} />
                    <br />
                    <span className="zg-2">
                      {[severalSites ? row.projectName : '', row.deviceTypeName, row.position].filter(Boolean).join(' · ')}
                    </span>
                  </th>
                  {row.cells.map((cell) => (
                    <td key={cell.type} data-late={cell.late ? '' : undefined} data-bad={isBad(cell.result) ? '' : undefined}>
                      <Cell cell={cell} working={row.working} />
                    </td>
                  ))}
                  <td data-late={row.maintainLate ? '' : undefined}>
                    <Link to={hrefOf(paths.maintain, { view: 'list', machineId: row.id })}>{row.maintained ?? '未维保'}</Link>
                    <br />
                    <small className={row.maintainLate ? 'tone-danger' : 'zg-2'}>
                      {row.maintainLate ? `逾期 ${row.maintainLateDays} 天` : row.maintainDue && `下次 ${row.maintainDue.slice(5)}`}
                    </small>
                  </td>
                  <td>
                    <Can call={createMachineCheck}>
                      <Button size="small" disabled={row.scrapped} onClick={() => go(paths.inspect, { machine: row.id })}>
                        登记
                      </Button>
                    </Can>
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

const isBad = (result: string | null) => result !== null && result !== results.fit

function Cell({ cell, working }: { cell: BoardRow['cells'][number]; working: boolean }) {
  const { type, last, lastId, due, late, result } = cell
  const next = late
    ? type === beforeShift && working
      ? '今日已作业，未检'
      : `应检 ${due?.slice(5) ?? ''}，逾期`
    : due === null
      ? last === null
        ? ''
        : '按工况'
      : `下次 ${due.slice(5)}`
  return (
    <>
      {lastId ? (
        <Link to={hrefOf(paths.inspectDetail, { id: lastId })}>
          {last?.slice(5)} {isBad(result) ? '不合格' : '合格'}
        </Link>
      ) : (
        <span className="zg-2">--</span>
      )}
      <br />
      <small className={late ? 'tone-danger' : 'zg-2'}>{next}</small>
    </>
  )
}
