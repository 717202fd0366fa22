import { issueCareerProof, listCareerProofs, printCareerProof } from '@zhugong/contract/settings/career-proof'
import { Button } from 'antd'
import { useAct, useCall } from '#kit/call.ts'
import { Card, Empty, ErrorPanel } from '#kit/feedback.tsx'

export const useOwnProofs = (enabled = true) =>
  useCall(listCareerProofs, { query: { page: 1, size: 20 } }, { quiet: true, enabled, staleMs: 15_000 })

/** Certificates of employment for the next employer. */
export function OwnProofs() {
  const read = useOwnProofs()
  const issue = useAct(issueCareerProof, { success: '已开具，可下载' })
  const print = useAct(printCareerProof, { success: false, refreshes: [] })
  return (
    <Card
      title="从业证明"
      remark="只含平台考勤记录；持有人可扫码或凭编号核验，核验页不显示姓名全称和证件"
      actions={
        <Button loading={issue.running} onClick={() => void issue.run()}>
          开具从业证明
        </Button>
      }
      flush
    >
      {read.error && <ErrorPanel error={read.error} retry={read.refetch} />}
      {read.data?.list.length === 0 && <Empty small text="还没有开具过" />}
      {read.data?.list.map((one) => (
        <div className="set-line" key={one.number}>
          <span className="what">{one.number}</span>
          <span>
            {one.issuedTime} 开具，{one.stays} 段经历，出勤 {one.attendDays} 天
          </span>
          <div className="acts">
            <Button onClick={() => void print.run({ params: { number: one.number } })}>下载 PDF</Button>
          </div>
        </div>
      ))}
    </Card>
  )
}
