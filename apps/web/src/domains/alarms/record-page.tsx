import type { AlarmRow } from '@zhugong/contract/alarms/endpoints'
import { listFamilies } from '@zhugong/contract/telemetry/endpoints'
import { useMemo } from 'react'
import { useCall } from '#kit/call.ts'
import { time } from '#kit/format.ts'
import { useNow } from '#kit/live.ts'
import { SidePanel } from '#kit/side-panel.tsx'
import type { AlarmColumn } from './alarm-columns.tsx'
import { peakWords } from './alarm-words.tsx'
import { FamilyAlarm } from './family-alarm.tsx'
import { escalationWords } from './timeline.ts'
import './alarms.css'

/** Duty desk of one project: open alarms of all device families. */
export default function AlarmRecordPage() {
  const families = useCall(listFamilies, {}, { staleMs: 3_600_000, quiet: true })
  const names = families.data?.list
  const columns = useMemo<AlarmColumn[]>(
    () => [
      {
        key: 'family',
        width: 100,
        hidden: true,
        value: (row) => row.familyName,
        filter: 'multi',
        options: (names ?? []).map((one) => ({ value: one.key, label: one.name })),
      },
      {
        key: 'peakValue',
        title: '峰值 / 阈值',
        width: 200,
        value: (row) => [peakWords(row), row.thresholdText].filter(Boolean).join(' / '),
      },
      {
        key: 'escalation',
        width: 100,
        when: (row) => row.escalation !== null,
        value: (row) => (row.escalation ? <NextRung next={row.escalation} /> : null),
      },
      { key: 'handleTime', width: 152, hidden: true, value: (row) => time(row.handleTime) },
      { key: 'clearTime', width: 152, hidden: true, value: (row) => time(row.clearTime) },
    ],
    [names],
  )
  return (
    <FamilyAlarm
      columns={columns}
      strip={(counts) => [
        {
          label: '告警中',
          value: counts?.active,
          unit: '条',
          remark: '条件尚未恢复',
          tone: counts?.active ? 'danger' : undefined,
        },
        {
          label: '待接单（一二级）',
          value: counts?.urgent,
          unit: '条',
          remark: '恢复后仍须处理',
          tone: counts?.urgent ? 'danger' : undefined,
        },
        {
          label: '超时未处置',
          value: counts?.overdue,
          unit: '条',
          remark: '超过 24 小时',
          tone: counts?.overdue ? 'warning' : undefined,
        },
        { label: '今日新增', value: counts?.today, unit: '条', remark: '零点起' },
      ]}
      left={(counts, family, choose) => {
        const all = Object.entries(counts?.byFamily ?? {}).sort(([, a], [, b]) => b - a)
        return (
          <SidePanel
            title="设备类型"
            selected={family}
            onSelect={choose}
            all={{ title: '全部', count: all.reduce((sum, [, count]) => sum + count, 0) }}
            nodes={all.map(([key, count]) => ({
              key,
              title: names?.find((one) => one.key === key)?.name ?? (names ? '其他设备' : '…'),
              count,
            }))}
          />
        )
      }}
    />
  )
}

/** Next escalation: recipient and time. */
function NextRung({ next }: { next: NonNullable<AlarmRow['escalation']> }) {
  const words = escalationWords(next, useNow(1000))
  return words ? (
    <span title={time(next.at)}>
      {words.who} <span className={words.soon ? 'tone-danger' : 'zg-2'}>{words.when}</span>
    </span>
  ) : null
}
