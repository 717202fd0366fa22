import { Button } from 'antd'
import { NoticeMark, useNoticeForm, useNotices } from '#domains/alarms/public.tsx'

/** Below this share of its readings a machine is not watched on a day, whatever its page shows. */
export const leastReport = 90

interface MachineDay {
  deviceId: string
  day: string
}

/** How much of a day a machine told. */
export const reportCell = (row: { reportPercent: number }) => (
  <span className={row.reportPercent < leastReport ? 'tone-danger' : ''}>{row.reportPercent.toFixed(1)}</span>
)

/** A machine's day, as the pages of the family are asked for it. */
export const dayOf = ({ deviceId, day }: MachineDay) => ({ deviceId, period: `${day},${day}` })

interface ReportedDay extends MachineDay {
  projectCode: string
  deviceName: string
  reportPercent: number | null
}

/** From a list of days the sites are urged, each of its own machine and day; what came of it stands in the row. */
export function useDayNotice(projectCode: string, text: string) {
  const notices = useNotices(projectCode)
  const notice = useNoticeForm()
  const urge = (rows: readonly ReportedDay[]) =>
    notice.send({
      kind: 'urge',
      hours: 24,
      text,
      targets: rows.map((one) => ({
        projectCode: one.projectCode,
        deviceId: one.deviceId,
        subject: `${one.deviceName} ${one.day}${one.reportPercent === null ? ' 无上报' : ` 上报率 ${one.reportPercent.toFixed(0)} %`}`,
      })),
    })
  return {
    form: notice.form,
    mark: (row: MachineDay) => <NoticeMark notice={notices({ deviceId: row.deviceId, says: row.day })} />,
    action: (row: ReportedDay) => notice.may && { label: '催办', onClick: () => urge([row]) },
    selection: notice.may
      ? { unit: '台·日', actions: (rows: readonly ReportedDay[]) => <Button onClick={() => urge(rows)}>催办</Button> }
      : undefined,
  }
}
