import { Button } from 'antd'
import { NoticeMark, useNoticeForm, useNotices } from '#domains/alarms/public.tsx'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { FamilyScope } from './family-scope.tsx'

/** Share of the expected readings of a day, in percent, below which a machine counts as not monitored. */
export const leastReport = 90

interface MachineDay {
  deviceId: string
  day: string
}

/** Columns that every list of machine days has. */
export const dayColumns = {
  day: { key: 'day', width: 104, sort: true, filter: 'date-range', value: (r: MachineDay) => r.day },
  reportPercent: {
    key: 'reportPercent',
    width: 104,
    align: 'right',
    sort: true,
    filter: 'numeric-range',
    value: ({ reportPercent }: { reportPercent: number }) => (
      <span className={reportPercent < leastReport ? 'tone-danger' : ''}>{reportPercent.toFixed(1)}</span>
    ),
  },
} as const

/** Query of a family's pages for one machine and day. */
const dayOf = ({ deviceId, day }: MachineDay) => ({ deviceId, period: `${day},${day}` })

interface ReportedDay extends MachineDay {
  projectCode: string
  deviceName: string
  reportPercent: number
}

interface DayLinks {
  readings: string
  cycles: { label: string; path: string }
}

/**
 * A list of machine days: sends notices to the sites of rows, one per machine and day, shows the state of the notice in the row, and gives
 * what `DataTable` needs besides list and columns.
 */
export function useDayRows(scope: FamilyScope, text: string, { readings, cycles }: DayLinks) {
  const go = useGo()
  const notices = useNotices(scope.projectCode)
  const notice = useNoticeForm()
  const urge = (rows: readonly ReportedDay[]) =>
    notice.send({
      kind: 'urge',
      hours: 24,
      text,
      targets: rows.map((one) => ({
        projectCode: one.projectCode,
        deviceId: one.deviceId,
        subject: `${one.deviceName} ${one.day} 上报率 ${one.reportPercent.toFixed(0)} %`,
      })),
    })
  return {
    form: notice.form,
    column: {
      key: 'notice',
      width: 116,
      value: (row: MachineDay) => <NoticeMark notice={notices({ deviceId: row.deviceId, says: row.day })} />,
    } as const,
    table: {
      rowKey: (row: MachineDay) => `${row.deviceId}${row.day}`,
      unit: '台·日',
      onRow: (row: MachineDay) => go(readings, dayOf(row)),
      actions: (row: ReportedDay) => [
        { label: '读数', href: hrefOf(readings, dayOf(row)) },
        { label: cycles.label, href: hrefOf(cycles.path, dayOf(row)) },
        notice.may && { label: '催办', onClick: () => urge([row]) },
      ],
      selection: notice.may
        ? { unit: '台·日', actions: (rows: readonly ReportedDay[]) => <Button onClick={() => urge(rows)}>催办</Button> }
        : undefined,
    },
  }
}
