import { AuditOutlined, PlusOutlined } from '@ant-design/icons'
import {
  auditDriver,
  createDriver,
  type DriverRow,
  driverList,
  driverStates,
  listDrivers,
  removeDriver,
} from '@zhugong/contract/drivers/calls'
import { driverTypes } from '@zhugong/contract/drivers/rules'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can, useCanAll } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { FigureStrip } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { type Around, ListShell } from '#kit/list-shell.tsx'
import { useProjectCode, useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { Thumb } from '#kit/viewers.tsx'
import { AuditDrawer } from './audit-drawer.tsx'
import { DeviceTable } from './device-table.tsx'
import { AuditTag, paths, SendTag, ValidEnd } from './driver-words.tsx'
import './drivers.css'

/** Who may operate cranes and lifts, and which machine has nobody? */
export default function DriverListPage() {
  const go = useGo()
  const scope = useProjectScope()
  const byDevice = usePageQuery().get('view') === 'device'
  const [auditing, setAuditing] = useState(false)
  const { data } = useCall(listDrivers, { query: { ...scope, page: 1, size: 1 } }, { quiet: true, keepPrevious: true })
  const counts = data?.counts
  const around: Around = {
    actions: (
      <>
        {counts !== undefined && counts.waiting > 0 && (
          <Can call={auditDriver}>
            <Button icon={<AuditOutlined />} onClick={() => setAuditing(true)}>
              逐个审核（{counts.waiting}）
            </Button>
          </Can>
        )}
        <Can call={createDriver}>
          <Button type="primary" icon={<PlusOutlined />} onClick={() => go(paths.form)}>
            登记司机
          </Button>
        </Can>
      </>
    ),
    strip: (
      <FigureStrip
        loading={!counts}
        items={[
          { label: '已通过', value: thousands(counts?.passed), unit: '人', href: `${paths.list}?auditStatus=1` },
          {
            label: '待审核',
            value: thousands(counts?.waiting),
            unit: '人',
            tone: counts?.waiting ? 'warning' : undefined,
            href: `${paths.list}?auditStatus=0`,
          },
          {
            label: '30 日内到期',
            value: thousands(counts?.ending),
            unit: '人',
            tone: counts?.ending ? 'warning' : undefined,
            href: `${paths.list}?ending=true`,
          },
          {
            label: '无有效司机设备',
            value: thousands(counts?.bare),
            unit: '台',
            tone: counts?.bare ? 'danger' : undefined,
            href: `${paths.list}?view=device&bare=true`,
          },
        ]}
      />
    ),
    views: (
      <Segmented
        options={[
          { value: '', label: '人员' },
          { value: 'device', label: '设备视角' },
        ]}
        value={byDevice ? 'device' : ''}
        onChange={(view) => go(paths.list, view ? { view } : {})}
      />
    ),
  }
  return (
    <>
      {byDevice ? <DeviceTable around={around} /> : <DriverTable around={around} />}
      {auditing && <AuditDrawer onClose={() => setAuditing(false)} />}
    </>
  )
}

function DriverTable({ around }: { around: Around }) {
  const go = useGo()
  const scope = useProjectScope()
  const can = useCanAll()
  const list = useListPage(driverList, { scope, own: ['view'] })
  const columns = useColumns()
  const removal = useAct(removeDriver, { success: '已删除，正在从设备撤回' })
  return (
    <ListShell actions={around.actions} strip={around.strip}>
      <DataTable
        list={list}
        columns={columns}
        unit="人"
        search={{ key: 'name', placeholder: '姓名' }}
        toolbar={around.views}
        onRow={(row) => go(paths.detail, { id: row.id })}
        emptyHint="从在场人员中登记塔机、升降机的司机，审核通过后下发到设备"
        filterWords={{ ending: { title: '证书', words: { true: '30 日内到期' } }, deviceId: { title: '设备', words: {} } }}
        actions={(row) => [
          { label: '查看', href: hrefOf(paths.detail, { id: row.id }) },
          can(removeDriver, row) && {
            label: '删除',
            danger: true,
            run: () =>
              removal.afterRequesting(
                { thing: `删除司机 ${row.name}`, consequence: '设备将不再识别此人，登记和审核记录不再保留。', verb: '删除' },
                { query: { id: row.id } },
              ),
          },
        ]}
      />
    </ListShell>
  )
}

function useColumns(): ColumnOf<typeof driverList>[] {
  const dicts = useDicts('specialCertType')
  const projectCode = useProjectCode()
  const types = Object.entries(driverTypes).map(([value, { name }]) => ({ value, label: name }))
  const known = new Set(Object.values(driverTypes).flatMap((one) => one.licences))
  const states = Object.entries(driverStates).map(([value, label]) => ({ value, label }))
  const all: ColumnOf<typeof driverList>[] = [
    { key: 'photo', width: 64, value: (r) => r.photo && <Thumb src={r.photo} name={r.name} width={32} height={40} /> },
    { key: 'name', width: 96, locked: true, filter: 'text', sort: true, value: (r) => r.name },
    { key: 'projectName', width: 150, value: (r) => r.projectName },
    { key: 'idCardNumber', width: 170, weak: true, value: (r) => <span className="zg-num">{r.idCardNumber}</span> },
    { key: 'driverType', width: 140, keeps: true, filter: 'multi', options: types, value: (r) => r.driverTypeName },
    { key: 'certNo', width: 170, filter: 'text', value: (r) => <span className="zg-num">{r.certNo}</span> },
    {
      key: 'certType',
      width: 140,
      weak: true,
      filter: 'multi',
      options: dicts.options('specialCertType').filter((one) => known.has(one.value)),
      value: (r) => r.certTypeName,
    },
    { key: 'certValidEnd', width: 170, sort: true, filter: 'date-range', value: (r) => <ValidEnd row={r} /> },
    { key: 'devices', width: 230, value: (r: DriverRow) => r.devices.map((one) => <SendTag key={one.deviceId} one={one} />) },
    {
      key: 'lastRecognised',
      width: 136,
      value: (r) => r.lastRecognised && <span className="zg-num">{r.lastRecognised.slice(0, 16)}</span>,
    },
    { key: 'auditStatus', width: 104, keeps: true, sort: true, filter: 'multi', options: states, value: (r) => <AuditTag row={r} /> },
  ]
  return projectCode === '*' ? all : all.filter((column) => column.key !== 'projectName')
}
