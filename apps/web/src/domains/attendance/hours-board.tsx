import type { corpStats } from '@zhugong/contract/attendance/stats'
import type { InputFor } from '@zhugong/contract/kit/endpoint'
import { useCall } from '#kit/call.ts'
import { Card, Empty, ErrorPanel } from '#kit/feedback.tsx'
import { HeatBoard } from './heat-board.tsx'
import { most, type Unit } from './stats-query.ts'

/** Heat map of one day by hour, a row per company or team. A cell opens the people who were inside at the end of the hour. */
export function HoursBoard({
  call,
  query,
  counts,
  title,
  remark,
  label,
  onHour,
}: {
  call: (typeof corpStats)['byHour']
  query: Omit<InputFor<(typeof corpStats)['byHour']>['query'], 'size' | 'page'> & { date: string }
  /** Value and intensity of a cell: people who entered within the hour, or people inside at its end. */
  counts: 'inCount' | 'onDuty'
  title: string
  remark: string
  label: string
  onHour: (unit: Unit, hour: string) => void
}) {
  const { data, error, refetch } = useCall(call, { query: { ...query, size: most } }, { quiet: true, keepPrevious: true })
  const rows = (data?.list ?? []).map((r) => ({
    ...r,
    key: `${r.corpCode ?? ''}|${r.teamSysNo ?? ''}`,
    name: r.teamName ?? r.corpName ?? r.corpCode ?? '',
  }))
  const peak = Math.max(1, ...rows.flatMap((r) => r.hours.map((h) => h[counts])))
  return (
    <Card title={title} remark={`${query.date}，${remark}`} className="wide">
      {error ? (
        <ErrorPanel error={error} retry={refetch} />
      ) : !data ? (
        <div className="zg-bone att-wait" />
      ) : rows.length === 0 ? (
        <Empty small text="当日没有数据" />
      ) : (
        <HeatBoard
          label={label}
          heads={(rows[0]?.hours ?? []).map((h) => h.hour)}
          rows={rows.map((r) => ({
            key: r.key,
            title: r.name,
            cells: r.hours.map((h) => ({
              text: h[counts] ? String(h[counts]) : '',
              share: h[counts] / peak,
              words: `${r.name} ${h.hour} 时：进 ${h.inCount}，出 ${h.outCount}，末在场 ${h.onDuty}`,
            })),
          }))}
          onCell={(key, i) => {
            const row = rows.find((r) => r.key === key)
            const hour = row?.hours[i]?.hour
            if (row && hour) onHour({ corpCode: row.corpCode, teamSysNo: row.teamSysNo, name: row.name }, hour)
          }}
        />
      )}
    </Card>
  )
}
