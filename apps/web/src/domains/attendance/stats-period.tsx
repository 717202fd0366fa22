import { Segmented } from 'antd'
import { day, month as monthText } from '#kit/format.ts'
import { DayInput } from '#kit/inputs.tsx'
import { useProjectCode } from '#kit/me.ts'
import { usePageParams } from './page-params.ts'
import { daysIn, shiftDate } from './sheet-mark.ts'

const presets = [
  { value: '7', label: '近 7 天' },
  { value: '30', label: '近 30 天' },
  { value: 'month', label: '本月' },
]

export interface Period {
  projectCode: string
  startDate: string
  endDate: string
  /** The preceding period of equal length, for comparison. */
  before: { startDate: string; endDate: string }
  days: number
  workRole: string | undefined
}

/** Selected days and work role, kept in the URL of the page. */
export function usePeriod(preset = '30'): [Period, (change: Readonly<Record<string, string | undefined>>) => void, URLSearchParams] {
  const [params, setParams] = usePageParams()
  const projectCode = useProjectCode()
  const today = day(Date.now())
  const chosen = params.get('period') ?? preset
  const endDate = params.get('to') ?? today
  const startDate =
    params.get('from') ?? (chosen === 'month' ? `${monthText(Date.now())}-01` : shiftDate(endDate, 1 - (Number(chosen) || Number(preset))))
  const days = daysIn(startDate, endDate)
  const before = { startDate: shiftDate(startDate, -days), endDate: shiftDate(startDate, -1) }
  return [{ projectCode, startDate, endDate, before, days, workRole: params.get('role') ?? undefined }, setParams, params]
}

const roles = [
  { value: '', label: '全部' },
  { value: '20', label: '工人' },
  { value: '10', label: '管理人员' },
]

export function PeriodBar({
  period,
  params,
  onChange,
}: {
  period: Period
  params: URLSearchParams
  onChange: (change: Readonly<Record<string, string | undefined>>) => void
}) {
  const own = params.has('from') || params.has('to')
  return (
    <span className="att-dates">
      <Segmented
        options={presets}
        value={own ? '' : (params.get('period') ?? '30')}
        onChange={(value) => onChange({ period: String(value), from: undefined, to: undefined })}
      />
      <DayInput
        aria-label="开始日期"
        max={period.endDate}
        value={period.startDate}
        onChange={(from) => onChange({ from, to: period.endDate })}
      />
      <span className="zg-2">至</span>
      <DayInput
        aria-label="结束日期"
        max={day(Date.now())}
        value={period.endDate}
        onChange={(to) => onChange({ from: period.startDate, to })}
      />
      <Segmented options={roles} value={period.workRole ?? ''} onChange={(role) => onChange({ role: String(role) || undefined })} />
    </span>
  )
}
