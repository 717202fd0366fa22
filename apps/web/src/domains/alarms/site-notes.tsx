import { actOnSuppression, type listDrills, type listSuppressions } from '@zhugong/contract/alarms/endpoints'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { Button } from 'antd'
import { useAct } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { Card, Empty, Notice, RiskBadge } from '#kit/feedback.tsx'
import { span, time } from '#kit/format.ts'
import { useNow } from '#kit/live.ts'
import { useGo } from '#kit/page.tsx'
import './alarms.css'

interface StoppedNoticesProps {
  list: OutputFor<typeof listSuppressions>['list']
  projectCode: string
}

/** Alarms currently suppressed and when they resume. */
export function StoppedNotices({ list, projectCode }: StoppedNoticesProps) {
  const now = useNow(30_000)
  const end = useAct(actOnSuppression, { success: '已恢复，告警重新判定' })
  return list.map((one) => (
    <Notice
      key={one.id}
      tone="warning"
      actions={
        <Can call={actOnSuppression} at={{ projectCode }}>
          <Button
            size="small"
            loading={end.running}
            onClick={() => void end.run({ params: { id: one.id }, query: { projectCode }, body: { action: 'end', version: one.version } })}
          >
            提前恢复
          </Button>
        </Can>
      }
    >
      {one.deviceName}
      {one.point && ` ${one.point}`} 临时停用{' '}
      {one.alarmLabels.length > 4
        ? `${one.alarmLabels.slice(0, 3).join('、')}等 ${one.alarmLabels.length} 种告警`
        : one.alarmLabels.join('、')}
      ，{one.reason}，负责人 {one.personName}，{time(one.until)} 恢复（还有 {span(one.until - now)}）
    </Notice>
  ))
}

export function LastDrills({ list }: { list: OutputFor<typeof listDrills>['list'] }) {
  const go = useGo()
  return (
    <Card
      title="最近演练"
      actions={
        <Button type="link" size="small" onClick={() => go('/alarm/record', { tab: 'drill' })}>
          全部
        </Button>
      }
    >
      {list.length ? (
        <ul className="alarm-drills">
          {list.map((one) => (
            <li key={one.id}>
              <RiskBadge level={one.level} word={false} /> {one.deviceName} {one.alarmLabel}
              <div className="zg-2">
                {time(one.startTime)}，{one.byName ?? '系统'}，{one.notify ? '已发通知' : '未发通知'}
                {one.linkage && '，含联动'}
              </div>
            </li>
          ))}
        </ul>
      ) : (
        <Empty small text="还没有演练" hint="每月演练一次，确认通知到得了人" />
      )}
    </Card>
  )
}
