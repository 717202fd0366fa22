import { leavePush, myReport, myReportFile, myReports } from '@zhugong/contract/reports/endpoints'
import { Button } from 'antd'
import { useAct, useCall } from '#kit/call.ts'
import { Card, DetailSkeleton, Empty, ErrorPanel } from '#kit/feedback.tsx'
import { callBlob, saveBlob, showFailure } from '#kit/http.ts'
import { useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { ReportView } from './report-view.tsx'
import { periodName, periodText } from './report-words.ts'

/** Maximum number of reports listed. */
const mostShown = 50

/** Reports received by the user, to read and download. */
export function MyReports() {
  const go = useGo()
  const page = usePage()
  const { data, error, refetch } = useCall(myReports, { query: { size: mostShown } }, { quiet: true, staleMs: 0 })
  const requested = usePageQuery().get('report')
  const leave = useAct(leavePush, { success: false })
  if (error) return <ErrorPanel error={error} retry={refetch} />
  if (!data) return <DetailSkeleton />
  if (data.list.length === 0) return <Empty text="还没有收到报表" hint="本组的报表推送选中您或您的角色后，按时送到这里" />
  // A link may carry the id of another delivery of the same report, which is not in the list.
  const open = requested ?? data.list[0]?.id
  const chosen = data.list.find((one) => one.id === open)
  const turn = (follow: boolean) => {
    const input = { params: { id: chosen?.pushId ?? '' }, body: { follow } }
    if (follow) return void leave.run(input)
    void leave.afterRequesting(
      {
        thing: `退订 ${chosen?.title ?? ''}`,
        consequence: '以后不再收到这份报表；已收到的仍可查看，随时可以恢复。',
        verb: '退订',
        keep: '继续接收',
      },
      input,
    )
  }
  return (
    <div className="rep-mine">
      <nav className="zg-card rep-list" aria-label="收到的报表">
        {data.list.map((one) => (
          <button
            key={one.id}
            type="button"
            className="rep-pick"
            aria-current={one.id === open}
            onClick={() => go(page.path, { tab: 'mine', report: one.id }, { replace: true })}
          >
            {one.title}
            <div className="zg-2">
              {periodName(one.reportType)} {periodText(one)}
            </div>
          </button>
        ))}
      </nav>
      <Card
        title={chosen?.title ?? '报表'}
        actions={
          open && (
            <>
              {chosen?.follows !== null && chosen && (
                <Button type="text" onClick={() => turn(!chosen.follows)}>
                  {chosen.follows ? '退订' : '恢复接收'}
                </Button>
              )}
              <Button onClick={() => void take(open, 'pdf')}>下载 PDF</Button>
              <Button onClick={() => void take(open, 'xlsx')}>下载 Excel</Button>
            </>
          )
        }
      >
        {open && <OneReport id={open} />}
      </Card>
    </div>
  )
}

const take = (id: string, kind: 'pdf' | 'xlsx') => callBlob(myReportFile, { params: { id }, query: { kind } }).then(saveBlob, showFailure)

function OneReport({ id }: { id: string }) {
  const { data, error, refetch } = useCall(myReport, { params: { id } }, { quiet: true })
  if (error) return <ErrorPanel error={error} retry={refetch} />
  return data ? <ReportView report={data} /> : <DetailSkeleton />
}
