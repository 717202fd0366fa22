import { CheckCircleFilled, CloseCircleFilled } from '@ant-design/icons'
import { deviceOrigins } from '@zhugong/contract/equipment/codes'
import { type DeviceRow, getDevice, listDevices, updateDevice } from '@zhugong/contract/equipment/endpoints'
import { getModel } from '@zhugong/contract/equipment/library-endpoints'
import { getFamily, listFamilies } from '@zhugong/contract/telemetry/endpoints'
import { Button, Input, Segmented } from 'antd'
import { useMemo, useState } from 'react'
import { askReason } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Can, withCode } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { Card, DetailSkeleton, ErrorPanel, Notice, Pairs, Tag } from '#kit/feedback.tsx'
import { time } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { SiteMap } from '#kit/map.tsx'
import { useProjectCode } from '#kit/me.ts'
import { notify } from '#kit/notify.ts'
import { PageDrawer } from '#kit/overlay.tsx'
import { useGo, usePage, usePageQuery } from '#kit/page.tsx'
import type { Column } from '#kit/table-columns.tsx'
import { familyTree } from './model-list-page.tsx'

type State = '0' | '1' | '2'
const needsRecord = new Set(['towerCrane', 'lifter'])
const originOptions = Object.entries(deviceOrigins).map(([value, label]) => ({ value, label }))
const passed = (row: DeviceRow) => (row.checks ?? []).filter((one) => one.ok).length

/** May this device go live? */
export default function ReviewPage() {
  const query = usePageQuery()
  const page = usePage()
  const go = useGo()
  const projectCode = useProjectCode()
  const state = (['0', '1', '2'] as const).find((one) => one === query.get('tab')) ?? '0'
  const list = useListPage(listDevices, {
    scope: useMemo(() => ({ projectCode, auditState: state, with: 'checks' }), [projectCode, state]),
    own: ['tab'],
    ...(state === '0' ? {} : { defaultSort: '-auditTime' }),
  })
  const counts = useCall(listDevices, { query: { projectCode, size: 1 } }, { quiet: true })
  const kinds = useCall(listFamilies, {}, { staleMs: 3_600_000, quiet: true })
  const [open, setOpen] = useState<DeviceRow>()
  const act = useAct(updateDevice, { success: false })
  const passAll = async (rows: readonly DeviceRow[], clear: () => void) => {
    const green = rows.filter((row) => row.checks?.every((one) => one.ok))
    let done = 0
    for (const row of green) if (await act.run({ params: { id: row.id }, body: { auditState: '1', version: row.version } })) done++
    if (green.length < rows.length) notify.warning(`${done} 台已通过；${rows.length - green.length} 台自动检查未全部通过，请逐台审核`)
    else notify.success(`${done} 台已通过`)
    clear()
  }
  const columns: Column<DeviceRow>[] = [
    { key: 'name', title: '设备', width: 120, locked: true, sort: true, filter: 'text', value: (row) => row.name },
    { key: 'deviceSn', title: '序列号', width: 130, filter: 'text', value: (row) => row.deviceSn },
    {
      key: 'family',
      title: '类别',
      width: 100,
      filter: 'tree-cascader',
      tree: familyTree(kinds.data?.list ?? []),
      value: (row) => row.familyName,
    },
    { key: 'projectName', title: '项目', width: 170, sort: true, filter: 'text', value: (row) => row.projectName },
    {
      key: 'kind',
      title: '事项',
      width: 100,
      value: (row) =>
        row.pending.length ? (
          <Tag tone="running">变更 {row.pending.length} 项</Tag>
        ) : row.auditRemark && state === '0' ? (
          <Tag tone="warning">再次提交</Tag>
        ) : (
          '登记'
        ),
    },
    { key: 'applicant', title: '申请人', width: 90, filter: 'text', value: (row) => row.applicant },
    {
      key: 'origin',
      title: '来源',
      width: 84,
      filter: 'multi',
      options: originOptions,
      value: (row) => deviceOrigins[row.origin as keyof typeof deviceOrigins] ?? row.origin,
    },
    { key: 'applyTime', title: '申请时间', width: 150, sort: true, filter: 'datetime-range', value: (row) => row.applyTime },
    {
      key: 'check',
      title: '自动检查',
      width: 92,
      value: (row) => {
        const ok = passed(row)
        const all = row.checks?.length ?? 0
        return (
          <span
            className={ok < all ? 'tone-danger' : 'tone-fine'}
            title={row.checks?.flatMap((one) => (one.ok ? [] : [`${one.label}：${one.text}`])).join('；')}
          >
            {ok} / {all}
          </span>
        )
      },
    },
    ...(state === '0'
      ? []
      : ([
          { key: 'auditBy', title: '审核人', width: 90, value: (row) => row.auditBy },
          { key: 'auditTime', title: '审核时间', width: 150, sort: true, value: (row) => row.auditTime },
          { key: 'auditRemark', title: '意见', width: 180, value: (row) => row.auditRemark },
        ] satisfies Column<DeviceRow>[])),
  ]
  return (
    <ListShell
      titleActions={
        <Segmented<State>
          value={state}
          onChange={(tab) => go(page.path, { tab }, { replace: true })}
          options={[
            { value: '0', label: `待审核 ${counts.data?.counts.waiting ?? ''}` },
            { value: '1', label: '已通过' },
            { value: '2', label: '已驳回' },
          ]}
        />
      }
    >
      <DataTable
        list={list}
        columns={columns}
        unit="台"
        name={`device-review-${state}`}
        search={{ key: 'name', placeholder: '设备名称' }}
        onRow={setOpen}
        {...(state === '0'
          ? {
              selection: {
                unit: '台',
                actions: (rows: readonly DeviceRow[], clear: () => void) => (
                  <Can call={review}>
                    <Button type="primary" loading={act.running} onClick={() => void passAll(rows, clear)}>
                      检查全绿的通过
                    </Button>
                  </Can>
                ),
              },
            }
          : {})}
        emptyHint={state === '0' ? '没有等待审核的设备' : '没有记录'}
      />
      <ReviewDrawer row={open} onClose={() => setOpen(undefined)} />
    </ListShell>
  )
}

/** The site reviews what its companies enter, no company what is its own. */
const review = { ...withCode(updateDevice, 'device-admin.audit'), acts: 'site' } as const

function ReviewDrawer({ row, onClose }: { row: DeviceRow | undefined; onClose: () => void }) {
  const id = row?.id ?? ''
  const go = useGo()
  const { data: device, error, refetch } = useCall(getDevice, { params: { id } }, { enabled: row !== undefined, quiet: true })
  const family = useCall(getFamily, { params: { key: row?.family ?? '' } }, { enabled: row !== undefined, quiet: true, staleMs: 3_600_000 })
  const model = useCall(getModel, { params: { id: device?.modelId ?? '' } }, { enabled: Boolean(device?.modelId), quiet: true })
  const [recordNo, setRecordNo] = useState<string>()
  const act = useAct(updateDevice, { success: '已审核', onDone: onClose })
  const waits = row !== undefined && (row.status === '0' || row.pending.length > 0)
  const wantsRecord = row !== undefined && needsRecord.has(row.family) && row.status === '0'
  const pass = () =>
    act.run({
      params: { id },
      body: { auditState: '1', version: row?.version, ...(recordNo?.trim() ? { specialRecordNo: recordNo.trim() } : {}) },
    })
  const refuse = async () => {
    const auditRemark = await askReason(`驳回 ${row?.name}`, '原因')
    if (auditRemark) void act.run({ params: { id }, body: { auditState: '2', auditRemark, version: row?.version } })
  }
  return (
    <PageDrawer
      open={row !== undefined}
      title={row?.name ?? '设备'}
      onClose={onClose}
      extra={row && <Button onClick={() => go('/administrationDetails', { id })}>看档案</Button>}
      footer={
        waits && (
          <Can call={review} at={{ projectCode: row.projectCode }}>
            <div style={{ display: 'flex', gap: 8, justifyContent: 'flex-end' }}>
              <Button danger loading={act.running} onClick={() => void refuse()}>
                驳回
              </Button>
              <Button type="primary" loading={act.running} onClick={() => void pass()}>
                通过
              </Button>
            </div>
          </Can>
        )
      }
    >
      {error ? (
        <ErrorPanel error={error} retry={refetch} />
      ) : !row || !device ? (
        <DetailSkeleton />
      ) : (
        <div style={{ display: 'grid', gap: 12 }}>
          {row.pending.length > 0 && (
            <Card title="申请的变更" remark="通过后生效，现在仍按旧值判断">
              {row.pending.map((one) => (
                <div key={one.label}>
                  {one.label}：<s className="zg-2">{one.before ?? '（空）'}</s> → <b>{one.after ?? '（清空）'}</b>
                </div>
              ))}
            </Card>
          )}
          {row.auditRemark && (
            <Notice tone="warning">
              {row.auditTime} {row.auditBy} 的意见：{row.auditRemark}
            </Notice>
          )}
          <Card title="自动检查" remark={`${passed(row)} / ${row.checks?.length ?? 0}`}>
            {(row.checks ?? []).map((one) => (
              <div key={one.key} style={{ lineHeight: '26px' }}>
                {one.ok ? <CheckCircleFilled className="tone-fine" /> : <CloseCircleFilled className="tone-danger" />} {one.label}：
                <span className={one.ok ? 'zg-2' : 'tone-danger'}>{one.text}</span>
              </div>
            ))}
          </Card>
          {wantsRecord && (
            <Card title="产权备案编号" remark="塔机、升降机通过前必填">
              <Input
                aria-label="产权备案编号"
                maxLength={50}
                placeholder={device.specialRecordNo ?? '如 鄂B-T-2026-001'}
                value={recordNo ?? device.specialRecordNo ?? ''}
                onChange={(event) => setRecordNo(event.target.value)}
              />
            </Card>
          )}
          <Card title="登记内容">
            <Pairs
              items={[
                { label: '序列号', value: device.deviceSn },
                { label: '类别', value: device.familyName },
                { label: '型号', value: [device.brandName, device.modelName].filter(Boolean).join(' ') },
                { label: '项目', value: device.projectName },
                { label: '网关', value: device.gatewayName },
                { label: '安装位置', value: device.installPlace },
                { label: '安装日期', value: device.installDate },
                { label: '服务到期', value: device.dueDate },
                { label: '供应商', value: device.providerName },
                { label: '申请人', value: `${row.applicant ?? '--'}，${row.applyTime}` },
              ]}
            />
          </Card>
          <Card title="参数" remark="与型号默认值不同的标黄">
            <Pairs
              items={(family.data?.params ?? []).map((param) => {
                const value = device.params[param.key]
                const usual = model.data?.params[param.key]
                const differs = usual !== undefined && value !== undefined && String(usual) !== String(value)
                const shown =
                  value === undefined || value === null || value === ''
                    ? undefined
                    : `${param.values?.[String(value)] ?? String(value)} ${param.unit}`
                return {
                  label: param.label,
                  value: differs ? (
                    <span style={{ background: '#FFF4E0' }}>
                      {shown} <small className="zg-2">默认 {String(usual)}</small>
                    </span>
                  ) : (
                    shown
                  ),
                }
              })}
            />
          </Card>
          {device.lng !== null && device.lat !== null && (
            <Card title="位置">
              <SiteMap
                label={`${device.name} 的位置`}
                height={220}
                points={[{ id: device.id, at: [device.lng, device.lat], state: device.online ? 'normal' : 'offline', label: device.name }]}
                focus={[device.lng, device.lat]}
              />
            </Card>
          )}
          <Card title="最近数据" remark={device.latest ? time(device.latest.time) : '还没有数据'}>
            {device.latest ? (
              <Pairs
                items={Object.entries(device.latest.values)
                  .slice(0, 12)
                  .map(([key, value]) => ({
                    label: family.data?.metrics.find((one) => one.key === key)?.label ?? key,
                    value: String(value),
                  }))}
              />
            ) : (
              <span className="zg-2">投入使用前收到的报文在设备详情的报文日志里。</span>
            )}
          </Card>
        </div>
      )}
    </PageDrawer>
  )
}
