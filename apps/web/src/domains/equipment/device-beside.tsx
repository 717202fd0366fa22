import { findAlarms } from '@zhugong/contract/alarms/lists'
import { Button } from 'antd'
import { lasted, peakWords } from '#domains/alarms/public.tsx'
import { useCall } from '#kit/call.ts'
import { Card, Empty, ErrorPanel, RiskBadge, TableSkeleton, Tag } from '#kit/feedback.tsx'
import { time } from '#kit/format.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import { Thumb } from '#kit/viewers.tsx'
import type { Device } from './device.ts'
import { ChangeList } from './library-parts.tsx'

export function Alarms({
  deviceId,
  projectCode,
  now,
  onOpen,
}: {
  deviceId: string
  projectCode: string
  now: number
  onOpen: (id: string) => void
}) {
  const { data, error, isPending, refetch } = useCall(findAlarms, { query: { deviceId, size: 50, sort: '-startTime' } }, { quiet: true })
  const go = useGo()
  if (isPending) return <TableSkeleton rows={6} columns={4} />
  if (error) return <ErrorPanel error={error} retry={refetch} />
  const rows = data.list
  return (
    <Card
      title="告警"
      remark={`最近 ${rows.length} 条，共 ${data.total} 条`}
      actions={
        <Button size="small" onClick={() => go(hrefOf('/alarm/record', { tab: 'all' }))}>
          告警记录
        </Button>
      }
      flush
    >
      {rows.length === 0 ? (
        <Empty small text="没有告警" hint="这台设备还没有产生过告警" />
      ) : (
        rows.map((one) => (
          <button key={one.id} type="button" className="zg-bare eq-row" data-project={projectCode} onClick={() => onOpen(one.id)}>
            <RiskBadge level={one.level} />
            <b>{one.alarmLabel}</b>
            <span className="zg-2">{peakWords(one)}</span>
            <span className="right">
              <span className="zg-2">
                {time(one.startTime)}，持续 {lasted(one, now)}
              </span>
              <Tag tone={one.active ? 'danger' : 'fine'}>{one.active ? '告警中' : '已恢复'}</Tag>
            </span>
          </button>
        ))
      )}
    </Card>
  )
}

export function Moves({ device }: { device: Device }) {
  return (
    <>
      <Card title="调拨" remark={`${device.moves.length} 次`} flush>
        {device.moves.length === 0 ? (
          <Empty small text="没有调拨" hint="设备换到其他项目后，往来记在这里" />
        ) : (
          device.moves.map((one) => (
            <div key={one.at} className="eq-row">
              <b>
                {one.fromName} → {one.toName}
              </b>
              <span className="zg-2">
                自 {one.since} 起{one.reason && `，${one.reason}`}
              </span>
              <span className="right zg-2">
                {one.byName} {one.at}
              </span>
            </div>
          ))
        )}
      </Card>
      <Card title="变更">
        <ChangeList changes={device.changes} />
      </Card>
    </>
  )
}

export function Files({ device }: { device: Device }) {
  return (
    <Card title="附件" remark="照片、说明与检测报告">
      {device.files.length === 0 ? (
        <Empty small text="没有附件" hint="编辑设备时上传" />
      ) : (
        <div className="zg-row zg-wrap">
          {device.files.map((src) => (
            <Thumb key={src} src={src} />
          ))}
        </div>
      )}
    </Card>
  )
}
