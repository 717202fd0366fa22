import type { ScheduleBase } from '@zhugong/contract/schedule/calls'
import { Card, Tag } from '#kit/feedback.tsx'

/** Versions of the baseline, the newest first. */
export function Bases({ bases }: { bases: readonly ScheduleBase[] }) {
  return (
    <Card title="基准版本" remark={`${bases.length} 版`}>
      <ul className="schedule-bases">
        {bases.map((one) => (
          <li key={one.no}>
            <b>第 {one.no} 版</b> {one.approvedAt ? <Tag tone="fine">已批准</Tag> : <Tag tone="warning">待批准</Tag>}
            <div>
              {one.reason ?? '首次基准'}
              {one.moved > 0 && `，改动 ${one.moved} 项任务的日期`}
            </div>
            <div className="zg-2">
              {one.submittedBy} {one.submittedAt.slice(0, 16)} 提交
              {one.approvedAt && `，${one.approvedBy} ${one.approvedAt.slice(0, 16)} 批准`}
              {one.opinion && `，意见：${one.opinion}`}
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )
}
