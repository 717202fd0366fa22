import { HistoryOutlined } from '@ant-design/icons'
import { startSuppression, type suppressKinds } from '@zhugong/contract/alarms/endpoints'
import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { ProjectSuppress } from '#domains/alarms/public.tsx'
import { hrefOf } from '#kit/page.tsx'
import { MoreMenu, type RowAction } from '#kit/row-actions.tsx'
import type { Desk } from './family-monitor.tsx'
import { usualReplayMs } from './replay.ts'

interface MonitorActionsProps {
  desk: Desk
  /** Label of maintenance for such a machine, and the kind of suppression proposed. */
  service: { label: string; kind: keyof typeof suppressKinds; alarmKeys?: readonly string[] }
  /** Whether a minute-by-minute replay is offered; false for families that show days. */
  past?: boolean
  /** Toolbar actions of the family. */
  children?: ReactNode
  /** Actions of the family under 更多. */
  more?: readonly RowAction[]
}

/** Actions of every monitor for the selected machine: replay, maintenance, device record, and those of its family. */
export function MonitorActions({ desk, service, past = true, children, more = [] }: MonitorActionsProps) {
  const [serving, setServing] = useState(false)
  const replayed = desk.replay !== undefined
  return (
    <>
      {past && (
        <Button
          icon={<HistoryOutlined />}
          aria-pressed={replayed}
          onClick={() => desk.setReplay(replayed ? undefined : { from: Date.now() - usualReplayMs, to: Date.now() })}
        >
          {replayed ? '回到实时' : '回放'}
        </Button>
      )}
      {!replayed && children}
      <MoreMenu
        items={[
          ...more,
          { label: service.label, needs: startSuppression, onClick: () => setServing(true) },
          { label: '设备档案', href: hrefOf('/administrationDetails', { id: desk.selected }), needs: 'device-admin.view' },
        ]}
      />
      {serving && (
        <ProjectSuppress
          devices={desk.live.devices}
          deviceId={desk.selected}
          projectCode={desk.projectCode}
          kind={service.kind}
          title={service.label}
          alarmKeys={service.alarmKeys}
          onClose={() => setServing(false)}
        />
      )}
    </>
  )
}
