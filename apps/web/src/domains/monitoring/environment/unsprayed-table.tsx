import { unsprayedList, unsprayedReasons } from '@zhugong/contract/monitoring/environment/environment-lists'
import { NoticeMark, useNoticeForm, useNotices } from '#domains/alarms/public.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { Tag } from '#kit/feedback.tsx'
import { measure, thousands, time } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { hrefOf } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import type { FamilyScope } from '../family-scope.tsx'
import { aroundAlarm, replayText } from '../replay.ts'

const reasons = Object.entries(unsprayedReasons).map(([value, label]) => ({ value, label }))

/** Exceedances without spraying and the reason; supervising bodies can send the site a notice. */
export function UnsprayedTable({ scope }: { scope: FamilyScope }) {
  const { deviceId: _line, ...site } = scope.query
  const notices = useNotices(scope.projectCode)
  const notice = useNoticeForm()
  const list = useListPage(unsprayedList, { scope: site, own: scope.own, defaultSort: '-startTime' })
  const columns: ColumnOf<typeof unsprayedList>[] = [
    { key: 'projectName', width: 180, locked: true, filter: 'text', value: (r) => r.projectName },
    { key: 'areaName', width: 92, weak: true, value: (r) => r.areaName },
    { key: 'deviceName', width: 112, value: (r) => r.deviceName },
    { key: 'alarmLabel', width: 132, value: (r) => r.alarmLabel },
    { key: 'startTime', width: 140, sort: true, value: (r) => time(r.startTime).slice(5) },
    {
      key: 'endTime',
      width: 140,
      value: (r) => (r.endTime === null ? <Tag tone="danger">超标中</Tag> : time(r.endTime).slice(5)),
    },
    { key: 'minutes', width: 104, align: 'right', sort: true, value: (r) => thousands(r.minutes) },
    { key: 'peakValue', width: 84, align: 'right', sort: true, value: (r) => measure(r.peakValue, 0) },
    {
      key: 'reason',
      width: 148,
      filter: 'multi',
      options: reasons,
      value: (r) => <Tag tone={r.excused ? 'neutral' : 'danger'}>{unsprayedReasons[r.reason]}</Tag>,
    },
    { key: 'said', width: 180, weak: true, value: (r) => r.said || null },
    {
      key: 'notice',
      width: 116,
      value: (r) => <NoticeMark notice={notices({ deviceId: r.deviceId, says: time(r.startTime).slice(0, 16) })} />,
    },
  ]
  return (
    <>
      <DataTable
        list={list}
        columns={columns}
        rowKey="alarmId"
        unit="次"
        emptyHint="这段时间的超标都有喷淋"
        actions={(row) => [
          { label: '告警', href: hrefOf('/alarmrecord', { tab: 'all', alarmId: row.alarmId }) },
          {
            label: '回放',
            href: hrefOf('/monitor/environmental', {
              deviceId: row.deviceId,
              replay: replayText(aroundAlarm(row.startTime, row.endTime, Date.now())),
            }),
          },
          notice.may && {
            label: '督办',
            onClick: () =>
              notice.send({
                kind: 'supervise',
                hours: 24,
                text: '扬尘超标期间未启动喷淋，请说明原因并落实整改。',
                targets: [
                  {
                    projectCode: row.projectCode,
                    deviceId: row.deviceId,
                    subject: `${row.deviceName} ${time(row.startTime).slice(0, 16)} ${row.alarmLabel} ${row.minutes} 分未喷淋（${unsprayedReasons[row.reason]}）`,
                  },
                ],
              }),
          },
        ]}
      />
      {notice.form}
    </>
  )
}
