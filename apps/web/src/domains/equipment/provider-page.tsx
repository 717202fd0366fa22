import { factoryRoles, providerRoles } from '@zhugong/contract/equipment/codes'
import { listDevices } from '@zhugong/contract/equipment/endpoints'
import {
  createFactory,
  type FactoryRow,
  getFactory,
  listFactories,
  providerList,
  removeFactory,
  updateFactory,
} from '@zhugong/contract/equipment/library-endpoints'
import { pickCorporations } from '@zhugong/contract/organisation/corporations'
import { Button, Input, Rate } from 'antd'
import { useMemo, useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { Card, DetailSkeleton, Empty, FigureStrip, Tag } from '#kit/feedback.tsx'
import { FormDrawer, useFormInstance } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { daysLeft, daysUntil } from '#kit/format.ts'
import { Choice, Choices, DayInput, LongText, Upload } from '#kit/inputs.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { PageDrawer, PageModal } from '#kit/overlay.tsx'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import './equipment.css'

const { Field } = formOf(updateFactory, createFactory)

const roleOptions = providerRoles.map((value) => ({ value, label: factoryRoles[value] }))
const slowHours = 48

/** Companies that rent out, install and service the devices: fees and quality of service. */
export default function ProviderPage() {
  const go = useGo()
  const list = useListPage(providerList, { scope: useMemo(() => ({ kind: 'provider' as const }), []), defaultSort: 'serviceUntil' })
  const counts = useCall(listFactories, { query: { kind: 'provider', size: 1 } }, { quiet: true })
  const [form, setForm] = useState<{ id: string | undefined }>()
  const [binding, setBinding] = useState<FactoryRow>()
  const [shown, setShown] = useState<string>()
  const removal = useAct(removeFactory, { success: '已删除' })
  const remove = (row: FactoryRow) =>
    removal.afterRequesting(
      {
        thing: `删除 ${row.name}`,
        consequence: '供应商档案与合同附件一并删除。',
        verb: '删除供应商',
        keep: '不删除',
      },
      { params: { id: row.id } },
    )
  const columns: ColumnOf<typeof providerList>[] = [
    { key: 'name', width: 190, locked: true, sort: true, filter: 'text', value: (row) => row.name },
    { key: 'corpCode', width: 168, hidden: true, filter: 'text', value: (row) => row.corpCode },
    {
      key: 'roles',
      width: 150,
      filter: 'multi',
      options: roleOptions,
      value: (row) => row.roles.map((role) => factoryRoles[role as keyof typeof factoryRoles] ?? role).join('、'),
    },
    { key: 'projects', width: 64, align: 'right', sort: true, value: (row) => row.projects },
    { key: 'devices', width: 72, align: 'right', sort: true, filter: 'numeric-range', value: (row) => row.devices },
    {
      key: 'serviceUntil',
      width: 130,
      sort: true,
      filter: 'date-range',
      value: (row) => {
        const days = daysUntil(row.serviceUntil)
        if (days === undefined) return undefined
        return days <= 30 ? (
          <Tag tone={days < 0 ? 'danger' : 'warning'}>
            {row.serviceUntil} {daysLeft(row.serviceUntil)}
          </Tag>
        ) : (
          row.serviceUntil
        )
      },
    },
    {
      key: 'repairHours',
      width: 96,
      align: 'right',
      sort: true,
      value: (row) =>
        row.repairHours === null ? undefined : (
          <span className={row.repairHours > slowHours ? 'tone-danger' : ''}>{row.repairHours.toFixed(1)} 小时</span>
        ),
    },
    {
      key: 'overdueRepairs',
      width: 84,
      align: 'right',
      sort: true,
      value: (row) => <span className={row.overdueRepairs ? 'tone-danger' : ''}>{row.overdueRepairs}</span>,
    },
    {
      key: 'repairScore',
      width: 84,
      align: 'right',
      value: (row) => (row.repairScore === null ? undefined : `${row.repairScore} / 5`),
    },
    { key: 'contact', width: 160, value: (row) => [row.contact, row.contactPhone].filter(Boolean).join(' ') },
  ]
  const c = counts.data?.counts
  const add = (
    <Can call={updateFactory}>
      <Button type="primary" onClick={() => setForm({ id: undefined })}>
        新增供应商
      </Button>
    </Can>
  )
  return (
    <ListShell
      strip={
        <FigureStrip
          loading={!counts.data}
          items={[
            { label: '供应商', value: c?.all, unit: '家' },
            { label: '30 日内到期', value: c?.expiring, unit: '家', tone: c?.expiring ? 'warning' : undefined },
            { label: '修复超 48 小时', value: c?.slow, unit: '家', tone: c?.slow ? 'danger' : undefined },
            { label: '未结报修', value: c?.openTickets, unit: '项', tone: c?.openTickets ? 'warning' : undefined },
          ]}
        />
      }
      actions={add}
    >
      <DataTable
        list={list}
        columns={columns}
        unit="家"
        search={{ key: 'name', placeholder: '供应商名称' }}
        onRow={(row) => setShown(row.id)}
        actions={(row) => [
          { label: '设备', href: hrefOf('/administrationAll', { providerId: row.id, tab: 'list' }) },
          { label: '编辑', needs: updateFactory, onClick: () => setForm({ id: row.id }) },
          { label: '绑定设备', needs: updateFactory, onClick: () => setBinding(row) },
          {
            label: '删除',
            needs: removeFactory,
            danger: true,
            disabled: row.devices > 0 && `还有 ${row.devices} 台设备由它服务`,
            onClick: () => remove(row),
          },
        ]}
        emptyHint="登记出租、安装和维保监测设备的单位，再把设备绑定给它"
        emptyAction={add}
      />
      {form && <ProviderForm key={form.id ?? 'new'} id={form.id} onClose={() => setForm(undefined)} />}
      {binding && <BindDevices provider={binding} onClose={() => setBinding(undefined)} />}
      <Repairs
        id={shown}
        onClose={() => setShown(undefined)}
        onDevices={(id) => go('/administrationAll', { providerId: id, tab: 'list' })}
      />
    </ListShell>
  )
}

function ProviderForm({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const known = useCall(getFactory, { params: { id: id ?? '' } }, { enabled: id !== undefined, staleMs: 0 })
  const create = useAct(createFactory, { success: '供应商已新增' })
  const change = useAct(updateFactory)
  const one = known.data
  if (id && !one) return null
  const fields = (
    <>
      <FromCorporation />
      <Field name="name" label="名称" required>
        <Input />
      </Field>
      <Field name="corpCode" label="统一社会信用代码">
        <Input />
      </Field>
      <Field name="roles" label="角色" required>
        <Choices options={Object.entries(factoryRoles).map(([value, label]) => ({ value, label }))} />
      </Field>
      <Field name="serviceUntil" label="服务到期">
        <DayInput />
      </Field>
      <Field name="contact" label="联系人">
        <Input />
      </Field>
      <Field name="contactPhone" label="电话">
        <Input />
      </Field>
      <Field name="serviceHours" label="服务时间">
        <Input placeholder="如 7×24 小时，4 小时到场" />
      </Field>
      <Field name="files" label="合同附件" span="all">
        <Upload max={10} accept="image/*,.pdf" maxMb={10} />
      </Field>
      <Field name="remark" label="备注" span="all">
        <LongText />
      </Field>
    </>
  )
  return one ? (
    <FormDrawer
      open
      title="编辑供应商"
      remark={one.name}
      act={change}
      initial={Object.fromEntries(
        (['name', 'corpCode', 'roles', 'serviceUntil', 'contact', 'contactPhone', 'serviceHours', 'files', 'remark'] as const).map(
          (key) => [key, one[key] ?? undefined],
        ),
      )}
      onClose={onClose}
      input={(values: Record<string, unknown>) => ({ params: { id: one.id }, body: { ...values, version: one.version } })}
    >
      {fields}
    </FormDrawer>
  ) : (
    <FormDrawer open title="新增供应商" act={create} initial={{ roles: ['maintain'] }} onClose={onClose}>
      {fields}
    </FormDrawer>
  )
}

/** Copies name and code from a company of the library; free entry stays possible. */
function FromCorporation() {
  const form = useFormInstance()
  const { data, isPending } = useCall(pickCorporations, { query: {} }, { quiet: true, staleMs: 300_000 })
  return (
    <div className="zg-span-all zg-below-12">
      <label htmlFor="from-corporation">从企业库带入</label>
      <Choice
        id="from-corporation"
        loading={isPending}
        placeholder="企业名称，可不选"
        options={(data?.list ?? []).map((one) => ({ value: one.code, label: one.name }))}
        onChange={(code) => {
          const found = data?.list.find((one) => one.code === code)
          if (found) form.setFieldsValue({ name: found.name, corpCode: found.code })
        }}
      />
    </div>
  )
}

function BindDevices({ provider, onClose }: { provider: FactoryRow; onClose: () => void }) {
  const [chosen, setChosen] = useState<string[]>([])
  const devices = useCall(listDevices, { query: { size: 1000, sort: 'projectName' } }, { quiet: true })
  const act = useAct(updateFactory, { success: `已绑定 ${chosen.length} 台`, onDone: onClose })
  return (
    <PageModal
      open
      title={`绑定设备给 ${provider.name}`}
      okText={`绑定 ${chosen.length} 台`}
      okButtonProps={{ disabled: chosen.length === 0, loading: act.running }}
      onOk={() => void act.run({ params: { id: provider.id }, body: { bindDevices: chosen } })}
      onCancel={onClose}
    >
      <label htmlFor="bind-devices">设备</label>
      <Choices
        id="bind-devices"
        value={chosen}
        onChange={(next) => setChosen(next ?? [])}
        loading={devices.isPending}
        options={(devices.data?.list ?? [])
          .filter((one) => one.providerId !== provider.id)
          .map((one) => ({
            value: one.id,
            label: `${one.projectName} ${one.name}${one.providerName ? `（现由 ${one.providerName}）` : ''}`,
          }))}
      />
    </PageModal>
  )
}

function Repairs({ id, onClose, onDevices }: { id: string | undefined; onClose: () => void; onDevices: (id: string) => void }) {
  const { data } = useCall(getFactory, { params: { id: id ?? '' } }, { enabled: id !== undefined, quiet: true })
  return (
    <PageDrawer
      open={id !== undefined}
      title={data?.name ?? '供应商'}
      onClose={onClose}
      extra={id && <Button onClick={() => onDevices(id)}>服务的设备</Button>}
    >
      {data ? (
        <Card title="报修与评价" remark={`最近 ${data.repairs.length} 次`} flush>
          {data.repairs.length === 0 && <Empty small text="没有报修" hint="在设备档案中报修，完成后评价" />}
          {data.repairs.map((one) => (
            <div key={one.id} className="eq-row">
              <Tag tone={one.doneAt ? 'fine' : one.hours > slowHours ? 'danger' : 'warning'}>{one.doneAt ? '已修复' : '未结'}</Tag>
              <span>
                <b>{one.deviceName}</b> <span className="zg-2">{one.projectName}</span>
                <br />
                {one.fault}
              </span>
              <span className="right eq-scores">
                <span className="zg-2">
                  {one.at}，{one.doneAt ? '用时' : '已'} {one.hours} 小时
                  {one.score !== null && <Rate disabled value={one.score} />}
                  {one.comment && <div>{one.comment}</div>}
                </span>
              </span>
            </div>
          ))}
        </Card>
      ) : (
        <DetailSkeleton />
      )}
    </PageDrawer>
  )
}
