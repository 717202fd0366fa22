import { vehicleTypeNames } from '@zhugong/contract/monitoring/gateway/passage-codes'
import {
  addRegistered,
  changeRegistered,
  type RegistryKind,
  type RegistryRow,
  registryKinds,
  registryList,
  removeRegistered,
} from '@zhugong/contract/monitoring/gateway/vehicle-registry'
import { Button } from 'antd'
import { useState } from 'react'
import { askReason } from '#kit/ask.ts'
import { useAct } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { Tag } from '#kit/feedback.tsx'
import { time } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { hrefOf } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import type { FamilyScope } from '../family-scope.tsx'
import { Plate } from './passage-words.tsx'
import { ChangeRegistered, NewRegistered } from './registry-form.tsx'

const types = Object.entries(vehicleTypeNames).map(([value, label]) => ({ value, label }))

/** Registered or barred vehicles of a site; gates and alarms use both lists. */
export function RegistryTable({ kind, scope }: { kind: RegistryKind; scope: FamilyScope }) {
  const { projectCode } = scope
  const list = useListPage(registryList, { scope: { projectCode, kind }, own: [...scope.own, 'by'], defaultSort: '-createTime' })
  const mayAdd = useCan(addRegistered) && projectCode !== '*'
  const [adding, setAdding] = useState(false)
  const [changing, setChanging] = useState<RegistryRow>()
  const remove = useAct(removeRegistered, { success: `已移出${registryKinds[kind]}` })
  const isBlack = kind === 'black'
  const columns: ColumnOf<typeof registryList>[] = [
    { key: 'plateNo', width: 116, locked: true, sort: true, filter: 'text', value: (r) => <Plate plateNo={r.plateNo} color={null} /> },
    ...(projectCode === '*' ? [{ key: 'projectName' as const, width: 160, value: (r: RegistryRow) => r.projectName }] : []),
    {
      key: 'vehicleType',
      width: 92,
      filter: 'multi',
      options: types,
      value: (r) => (r.vehicleType === null ? null : (vehicleTypeNames[r.vehicleType] ?? r.vehicleType)),
    },
    { key: 'corpName', width: 180, filter: 'text', value: (r) => r.corpName },
    { key: 'permitNo', width: 132, hidden: isBlack, filter: 'text', value: (r) => r.permitNo },
    { key: 'untilDay', width: 108, sort: true, filter: 'date-range', value: (r) => r.untilDay ?? '长期' },
    {
      key: 'ended',
      width: 84,
      filter: 'single',
      options: [
        { value: '0', label: '有效' },
        { value: '1', label: '已到期' },
      ],
      value: (r) => (
        <Tag tone={r.ended ? (isBlack ? 'neutral' : 'warning') : isBlack ? 'danger' : 'fine'}>{r.ended ? '已到期' : '有效'}</Tag>
      ),
    },
    { key: 'passages', width: 116, align: 'right', value: (r) => r.passages },
    { key: 'lastTime', width: 152, sort: true, value: (r) => time(r.lastTime) },
    { key: 'reason', width: 200, locked: isBlack, value: (r) => r.reason },
    { key: 'createBy', width: 84, weak: true, value: (r) => r.updateBy ?? r.createBy },
    { key: 'createTime', width: 152, hidden: true, sort: true, value: (r) => time(r.createTime) },
  ]
  return (
    <>
      <DataTable
        list={list}
        columns={columns}
        unit="辆"
        toolbar={
          mayAdd && (
            <Button type="primary" onClick={() => setAdding(true)}>
              {isBlack ? '列入黑名单' : '登记车辆'}
            </Button>
          )
        }
        emptyHint={
          isBlack
            ? '列入后车辆出现在大门即告警；可在“通行”里对一辆车点“列入黑名单”'
            : projectCode === '*'
              ? '选择一个项目后可以登记车辆'
              : '登记常来的渣土车、混凝土车与材料车，未登记的车辆通过时告警'
        }
        actions={(row) => [
          row.mayChange && { label: '修改', needs: changeRegistered, onClick: () => setChanging(row) },
          { label: '通行', href: hrefOf('/vehicleAccessRecord/list', { plateNo: row.plateNo, period: '30' }) },
          row.mayChange && {
            label: '移出',
            needs: removeRegistered,
            danger: true,
            onClick: () =>
              void askReason(`把 ${row.plateNo} 移出${registryKinds[kind]}`, '移出原因').then((reason) =>
                reason ? remove.run({ params: { id: row.id }, query: { projectCode: row.projectCode, reason } }) : undefined,
              ),
          },
        ]}
      />
      {adding && <NewRegistered projectCode={projectCode} kind={kind} onClose={() => setAdding(false)} />}
      {changing && <ChangeRegistered row={changing} onClose={() => setChanging(undefined)} />}
    </>
  )
}
