import { driverDeviceList } from '@zhugong/contract/drivers/calls'
import { Link } from 'react-router'
import { DataTable } from '#kit/data-table.tsx'
import { Tag } from '#kit/feedback.tsx'
import { useListPage } from '#kit/list.ts'
import { type Around, ListShell } from '#kit/list-shell.tsx'
import { useProjectCode, useProjectScope } from '#kit/me.ts'
import { hrefOf } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { paths } from './driver-words.tsx'

/** Machines with who may operate them, and what is missing. */
export function DeviceTable({ around }: { around: Around }) {
  const scope = useProjectScope()
  const projectCode = useProjectCode()
  const list = useListPage(driverDeviceList, { scope, own: ['view'] })
  const all: ColumnOf<typeof driverDeviceList>[] = [
    { key: 'name', width: 170, locked: true, sort: true, filter: 'text', value: (r) => r.name },
    { key: 'projectName', width: 180, sort: true, value: (r) => r.projectName },
    {
      key: 'drivers',
      width: 420,
      value: (r) =>
        r.drivers.map((one) => (
          <span key={one.id} className="driver-of">
            <Link className="zg-link" to={hrefOf(paths.detail, { id: one.id })}>
              {one.name}
            </Link>{' '}
            <span className={one.valid ? 'zg-2' : 'tone-danger'}>
              {one.driverTypeName}
              {one.valid ? '' : '（无效）'}
            </span>
          </span>
        )),
    },
    { key: 'gap', width: 220, keeps: true, value: (r) => (r.gap ? <Tag tone="danger">{r.gap}</Tag> : <Tag tone="fine">有有效司机</Tag>) },
  ]
  return (
    <ListShell actions={around.actions} strip={around.strip}>
      <DataTable
        list={list}
        columns={projectCode === '*' ? all : all.filter((column) => column.key !== 'projectName')}
        unit="台"
        rowKey="deviceId"
        search={{ key: 'name', placeholder: '设备' }}
        toolbar={around.views}
        filterWords={{ bare: { title: '司机', words: { true: '无有效司机' } } }}
        emptyHint="本项目没有使用中的塔机和升降机"
      />
    </ListShell>
  )
}
