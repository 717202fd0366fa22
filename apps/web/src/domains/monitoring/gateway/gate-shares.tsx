import { gateShareList } from '@zhugong/contract/monitoring/gateway/passages'
import { NoticeMark, useNoticeForm, useNotices } from '#domains/alarms/public.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { time } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { hrefOf } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import type { FamilyScope } from '../family-scope.tsx'

/** Shares below this percentage are highlighted. */
const leastPercent = 95
const answerHours = 24
const percent = (n: number | null, isShare: boolean) =>
  n === null ? null : <span className={isShare && n < leastPercent ? 'tone-danger' : ''}>{n.toFixed(1)}</span>

/** Unwashed or uncovered trucks by gate; supervising bodies can send the site a notice. */
export function GateShares({ scope }: { scope: FamilyScope }) {
  const list = useListPage(gateShareList, { scope: scope.query, own: [...scope.own, 'by'], defaultSort: 'washPercent' })
  const notices = useNotices(scope.projectCode)
  const notice = useNoticeForm()
  const columns: ColumnOf<typeof gateShareList>[] = [
    { key: 'projectName', width: 180, locked: true, filter: 'text', value: (r) => r.projectName },
    {
      key: 'gateName',
      width: 132,
      locked: true,
      filter: 'text',
      value: (r) => (
        <>
          {r.gateName} <NoticeMark notice={notices({ deviceId: r.deviceId, says: r.gateName })} />
        </>
      ),
    },
    { key: 'entries', width: 72, align: 'right', weak: true, value: (r) => r.entries },
    { key: 'exits', width: 72, align: 'right', weak: true, value: (r) => r.exits },
    { key: 'muckOut', width: 104, align: 'right', sort: true, value: (r) => r.muckOut },
    { key: 'washPercent', width: 108, align: 'right', sort: true, filter: 'numeric-range', value: (r) => percent(r.washPercent, true) },
    { key: 'unwashed', width: 84, align: 'right', sort: true, value: (r) => r.unwashed },
    { key: 'coverPercent', width: 108, align: 'right', sort: true, value: (r) => percent(r.coverPercent, true) },
    { key: 'uncovered', width: 84, align: 'right', sort: true, value: (r) => r.uncovered },
    { key: 'unknownPercent', width: 104, align: 'right', value: (r) => percent(r.unknownPercent, false) },
    { key: 'lastTime', width: 152, weak: true, value: (r) => time(r.lastTime) },
  ]
  return (
    <>
      <DataTable
        list={list}
        columns={columns}
        rowKey="deviceId"
        unit="个大门"
        emptyHint="这段时间没有车辆通过"
        actions={(row) => [
          {
            label: '未冲洗',
            href: hrefOf('/vehicleAccessRecord/list', {
              deviceId: row.deviceId,
              washState: '2,3',
              direction: '2',
              vehicleType: '1',
              period: '7',
            }),
          },
          notice.may && {
            label: '督办',
            onClick: () =>
              notice.send({
                kind: 'supervise',
                targets: [{ projectCode: row.projectCode, deviceId: row.deviceId, subject: `${row.gateName} 冲洗与密闭` }],
                text: `${row.gateName}渣土车出场 ${row.muckOut} 辆次，冲洗率 ${row.washPercent?.toFixed(1) ?? '--'} %、密闭率 ${row.coverPercent?.toFixed(1) ?? '--'} %，未冲洗 ${row.unwashed} 辆次、未密闭 ${row.uncovered} 辆次。请核查原因并整改。`,
                hours: answerHours,
              }),
          },
        ]}
      />
      {notice.form}
    </>
  )
}
