import { LeftOutlined, RightOutlined } from '@ant-design/icons'
import { personalDays } from '@zhugong/contract/attendance/days'
import { Button } from 'antd'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Card, Empty, ErrorPanel, TableSkeleton } from '#kit/feedback.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { useProjectCode } from '#kit/me.ts'
import { hrefOf, usePageTitle } from '#kit/page.tsx'
import { DayAccount } from './day-account.tsx'
import { usePageParams } from './page-params.ts'
import { dayWords, shiftDate } from './sheet-mark.ts'
import { DayWords } from './words.tsx'
import './attendance.css'

/** One day of one person, with how its result was calculated. */
export default function DayDetailPage() {
  const [params, setParams] = usePageParams()
  const project = useProjectCode()
  const workerId = params.get('workerId') ?? ''
  const requested = params.get('date') ?? ''
  const last = useLastDay(workerId, requested === '')
  const date = requested || (last.data?.date ?? '')
  const known = Boolean(workerId && date)
  const { data } = useCall(
    personalDays,
    { query: { workerId: workerId || '-', startDate: date || '2000-01-01', endDate: date || '2000-01-01' } },
    { enabled: known, quiet: true },
  )
  const row = data?.list[0]
  const stay = data?.worker?.stays[0]
  const projectCode = params.get('projectCode') ?? row?.projectCode ?? stay?.projectCode ?? (project === '*' ? '' : project)
  const name = data?.worker?.name
  usePageTitle(name && date ? `${name} ${date.slice(5)}` : undefined)
  if (last.error) return <ErrorPanel error={last.error} retry={last.refetch} />
  if (workerId && !known && !last.data) {
    return (
      <PageShell>
        <TableSkeleton rows={4} columns={3} />
      </PageShell>
    )
  }
  if (!known) {
    return (
      <PageShell>
        <Empty
          text={workerId ? '此人还没有考勤' : '未指定人员'}
          hint={workerId ? '进场后的第一天起有考勤；人员也可能不在您的管辖范围内' : '请从考勤列表或月考勤表进入'}
        >
          <Link to="/checkingList">打开考勤列表</Link>
        </Empty>
      </PageShell>
    )
  }
  return (
    <PageShell
      title={name ? `${name}，${dayWords(date)}` : '考勤详情'}
      remark={[stay?.corpName, stay?.teamName, stay?.workTypeName].filter(Boolean).join(' · ')}
      actions={
        <>
          <Button icon={<LeftOutlined />} onClick={() => setParams({ date: shiftDate(date, -1) })}>
            前一天
          </Button>
          <Button onClick={() => setParams({ date: shiftDate(date, 1) })}>
            后一天 <RightOutlined />
          </Button>
          <Link to={hrefOf('/SingleAttendance', { workerId, month: date.slice(0, 7) })}>个人考勤</Link>
        </>
      }
    >
      <Card title="当日考勤" remark={row ? <DayWords row={row} /> : undefined}>
        {projectCode ? (
          <div className="att-day">
            <DayAccount day={{ projectCode, workerId, date }} name={name} />
          </div>
        ) : (
          <Empty small text="当日不在场" hint="换一天，或查看个人考勤" />
        )}
      </Card>
    </PageShell>
  )
}

/** Date of the person's latest day, used when the URL has none. */
function useLastDay(workerId: string, enabled: boolean) {
  const { data, error, refetch } = useCall(
    personalDays,
    { query: { workerId: workerId || '-', size: 1, sort: '-date' } },
    { enabled: enabled && workerId !== '', quiet: true },
  )
  return { data: data && { date: data.list[0]?.date }, error: error ?? undefined, refetch }
}
