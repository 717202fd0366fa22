import { deviceStatus } from '@zhugong/contract/equipment/codes'
import { type DeviceRow, getDevice, updateDevice } from '@zhugong/contract/equipment/endpoints'
import { getModel } from '@zhugong/contract/equipment/model-endpoints'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import type { FamilyView } from '@zhugong/contract/telemetry/model'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { ApprovalSide } from '#domains/workflow/public.tsx'
import { useAct, useCall } from '#kit/call.ts'
import { useCan, withCode } from '#kit/can.tsx'
import { colors } from '#kit/colors.ts'
import { useFamily } from '#kit/family.ts'
import { Card, Pairs } from '#kit/feedback.tsx'
import { time } from '#kit/format.ts'
import { SiteMap } from '#kit/map.tsx'
import { PageDrawer } from '#kit/overlay.tsx'
import { useGo } from '#kit/page.tsx'
import { Lines, Rounds, Signatures, WorkItem } from '#kit/work-item.tsx'

type Device = OutputFor<typeof getDevice>

/** Only the site may review devices of its companies; no company reviews its own. */
export const review = { ...withCode(updateDevice, 'device-admin.audit'), acts: 'site' } as const

/** Families that need a record number of the authority before going live. */
const needsRecord = new Set(['towerCrane', 'lifter'])
const drawerPx = 960
const newestShown = 12

export function ReviewDrawer({ row, onClose }: { row: DeviceRow | undefined; onClose: () => void }) {
  return (
    <PageDrawer
      open={row !== undefined}
      size={drawerPx}
      title={null}
      closable={false}
      styles={{ body: { padding: 0, background: colors.ground } }}
      onClose={onClose}
    >
      {row && <Review key={row.id} row={row} onClose={onClose} />}
    </PageDrawer>
  )
}

function Review({ row, onClose }: { row: DeviceRow; onClose: () => void }) {
  const go = useGo()
  const { data: device, error, refetch } = useCall(getDevice, { params: { id: row.id } }, { quiet: true })
  const { data: family } = useFamily(row.family)
  return (
    <WorkItem
      title={row.name}
      facts={[
        { label: '类别', value: row.familyName },
        { label: '项目', value: row.projectName },
      ]}
      actions={<Button onClick={() => go('/administrationDetails', { id: row.id })}>看档案</Button>}
      waiting={!device}
      error={error}
      retry={refetch}
      onClose={onClose}
      side={
        device && (
          <>
            <Rounds title="上次审核" rounds={roundsOf(row)} />
            <Signatures
              signed={[
                { role: '申请人', name: row.applicant, at: row.applyTime ?? '' },
                { role: '审核人', name: row.auditBy, at: row.auditTime ?? '' },
              ]}
            />
            <RecordNumber row={row} device={device} onDone={refetch} />
            {row.review && <ApprovalSide itemId={row.review.itemId} onDone={onClose} />}
          </>
        )
      }
    >
      {device && (
        <>
          <Changes row={row} />
          <Lines title="自动检查" lines={row.checks ?? []} />
          <Registered device={device} />
          <Parameters device={device} family={family} />
          <Place device={device} />
          <Newest device={device} family={family} />
        </>
      )}
    </WorkItem>
  )
}

function roundsOf({ auditRemark, auditBy, auditTime, status }: DeviceRow) {
  if (!auditRemark) return []
  const by = `${auditBy ?? ''} ${auditTime ?? ''}`.trim()
  return status === deviceStatus.inUse
    ? [{ verdict: '通过', tone: 'fine' as const, by, text: auditRemark }]
    : [{ verdict: '驳回', tone: 'danger' as const, by, text: auditRemark }]
}

/** Input for the record number, for families that need one before going live; the reviewer decides on it too. */
function RecordNumber({ row, device, onDone }: { row: DeviceRow; device: Device; onDone: () => void }) {
  const act = useAct(updateDevice, { success: '已保存备案编号', onDone })
  const mayEdit = useCan(withCode(updateDevice, 'device-admin.edit'), { projectCode: row.projectCode })
  const [recordNo, setRecordNo] = useState(device.specialRecordNo ?? '')
  if (row.status !== deviceStatus.waiting || !needsRecord.has(row.family) || !mayEdit) return null
  return (
    <Card title="产权备案编号" remark="通过前必填">
      <div className="zg-work-form">
        <Input
          aria-label="产权备案编号"
          maxLength={50}
          placeholder="如 鄂B-T-2026-001"
          value={recordNo}
          onChange={(event) => setRecordNo(event.target.value)}
        />
        <Button
          loading={act.running}
          disabled={recordNo.trim() === '' || recordNo.trim() === device.specialRecordNo}
          onClick={() => void act.run({ params: { id: row.id }, body: { specialRecordNo: recordNo.trim() } })}
        >
          保存
        </Button>
      </div>
    </Card>
  )
}

function Changes({ row }: { row: DeviceRow }) {
  if (row.pending.length === 0) return null
  return (
    <Card title="申请的变更" remark="通过后生效，现在仍按旧值判断">
      {row.pending.map((one) => (
        <div key={one.label}>
          {one.label}：<s className="zg-2">{one.before ?? '（空）'}</s> → <b>{one.after ?? '（清空）'}</b>
        </div>
      ))}
    </Card>
  )
}

function Registered({ device }: { device: Device }) {
  return (
    <Card title="登记内容">
      <Pairs
        items={[
          { label: '序列号', value: device.deviceSn },
          { label: '型号', value: [device.brandName, device.modelName].filter(Boolean).join(' ') },
          { label: '网关', value: device.gatewayName },
          { label: '安装位置', value: device.installPlace },
          { label: '安装日期', value: device.installDate },
          { label: '服务到期', value: device.dueDate },
          { label: '供应商', value: device.providerName },
        ]}
      />
    </Card>
  )
}

/** Parameters used by rules; values that differ from the model's are marked. */
function Parameters({ device, family }: { device: Device; family: FamilyView | undefined }) {
  const model = useCall(getModel, { params: { id: device.modelId ?? '' } }, { enabled: Boolean(device.modelId), quiet: true })
  return (
    <Card title="参数" remark="与型号默认值不同的标黄">
      <Pairs
        items={(family?.params ?? []).map((param) => {
          const value = device.params[param.key]
          const usual = model.data?.params[param.key]
          if (value === undefined || value === null || value === '') return { label: param.label, value: undefined }
          const words = (one: unknown) => `${param.values?.[String(one)] ?? String(one)} ${param.unit}`
          if (usual === undefined || String(usual) === String(value)) return { label: param.label, value: words(value) }
          return {
            label: param.label,
            value: (
              <span className="eq-unusual">
                {words(value)} <small className="zg-2">默认 {words(usual)}</small>
              </span>
            ),
          }
        })}
      />
    </Card>
  )
}

function Place({ device }: { device: Device }) {
  if (device.lng === null || device.lat === null) return null
  const at: [number, number] = [device.lng, device.lat]
  return (
    <Card title="位置">
      <SiteMap
        label={`${device.name} 的位置`}
        height={220}
        points={[{ id: device.id, at, state: device.online ? 'normal' : 'offline', label: device.name }]}
        focus={at}
      />
    </Card>
  )
}

function Newest({ device: { latest }, family }: { device: Device; family: FamilyView | undefined }) {
  if (!latest)
    return (
      <Card title="最近数据" remark="还没有数据">
        <span className="zg-2">投入使用前收到的报文在设备详情的报文日志里。</span>
      </Card>
    )
  const metricOf = (key: string) => family?.metrics.find((one) => one.key === key)
  return (
    <Card title="最近数据" remark={time(latest.time)}>
      <Pairs
        items={Object.entries(latest.values)
          .slice(0, newestShown)
          .map(([key, value]) => ({
            label: metricOf(key)?.label ?? '其他',
            value: `${String(value)} ${metricOf(key)?.unit ?? ''}`.trim(),
          }))}
      />
    </Card>
  )
}
