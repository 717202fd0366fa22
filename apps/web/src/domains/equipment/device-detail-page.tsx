import { deviceStatus } from '@zhugong/contract/equipment/codes'
import { getDevice, updateDevice } from '@zhugong/contract/equipment/endpoints'
import { livePages } from '@zhugong/contract/telemetry/live-pages'
import { Button } from 'antd'
import { lazy, Suspense, useEffect, useState } from 'react'
import { AlarmDrawer } from '#domains/alarms/public.tsx'
import { DeviceUnjudged } from '#domains/rules/public.tsx'
import { useCall } from '#kit/call.ts'
import { Can, withCode } from '#kit/can.tsx'
import { DetailShell } from '#kit/detail-shell.tsx'
import { useFamily } from '#kit/family.ts'
import { DetailSkeleton, Empty, Notice, RiskBadge, TableSkeleton } from '#kit/feedback.tsx'
import { age, daysLeft, time } from '#kit/format.ts'
import { PageShell } from '#kit/list-shell.tsx'
import { putReading, useLatest, useNow } from '#kit/live.ts'
import { useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { DeviceGate } from './device-gate.tsx'
import { DeviceService } from './device-service.tsx'
import { OnlineTag, placeOf, StatusTag } from './device-words.tsx'
import './equipment.css'
import { Access } from './device-access.tsx'
import { Alarms, Files, Moves } from './device-beside.tsx'
import { Latest } from './device-latest.tsx'
import { Params } from './device-params.tsx'
import { FamilyWire } from './family-wire.tsx'
import { historyCalls } from './history-calls.ts'
import { SectionNav } from './section-nav.tsx'
import { Transfer } from './transfer.tsx'

const DeviceForm = lazy(() => import('./device-form.tsx').then((file) => ({ default: file.DeviceForm })))

const History = lazy(() => import('./device-history.tsx').then((file) => ({ default: file.DeviceHistory })))

/** File of one device for users on site. */
export default function DeviceDetailPage() {
  const query = usePageQuery()
  const page = usePage()
  const go = useGo()
  const id = query.get('id') ?? ''
  const section = query.get('tab') ?? 'state'
  const [editing, setEditing] = useState(false)
  const [moving, setMoving] = useState(false)
  const now = useNow(1000)
  const {
    data: device,
    error,
    isPending,
    refetch,
  } = useCall(getDevice, { params: { id } }, { enabled: id !== '', quiet: true, everyMs: 30_000 })
  const family = useFamily(device?.family)
  const reading = useLatest(id ? [id] : [], device?.projectCode).get(id)
  useEffect(() => {
    const last = device?.latest
    if (last)
      putReading({
        deviceId: device.id,
        at: last.time,
        receivedAt: last.receivedAt,
        values: last.values,
        quality: last.quality ?? undefined,
      })
  }, [device])
  if (!id) {
    return (
      <PageShell>
        <div className="zg-card">
          <Empty text="请先选择" hint="从设备管理中选择一台设备">
            <Button type="primary" onClick={() => go('/administration')}>
              去设备管理
            </Button>
          </Empty>
        </div>
      </PageShell>
    )
  }
  const show = (tab: string, alarmId?: string) => go(page.path, { id, tab, alarmId }, { replace: true })
  const lastTime = reading?.at ?? device?.lastTime ?? null
  const live = device && livePages[device.family]
  return (
    <DetailShell
      title={device?.name}
      place={device && placeOf(device)}
      loading={isPending}
      error={error && !device ? error : undefined}
      retry={refetch}
      tags={
        device && (
          <>
            <OnlineTag row={device} />
            <StatusTag status={device.status} />
            {device.openLevel !== null && <RiskBadge level={device.openLevel} />}
          </>
        )
      }
      facts={
        device
          ? [
              { label: '类别', value: device.familyName },
              { label: '项目', value: device.projectName },
              { label: '型号', value: device.modelName },
              { label: '最后数据', value: lastTime === null ? '尚未收到' : <span title={time(lastTime)}>{age(lastTime, now)}</span> },
              { label: '服务到期', value: device.dueDate ? daysLeft(device.dueDate, now) : '--' },
            ]
          : []
      }
      actions={
        <>
          {live && (
            <Can code={live.code}>
              <Button onClick={() => go(live.path, { deviceId: id })}>看实时</Button>
            </Can>
          )}
          <Can code="device-admin.frame">
            <Button onClick={() => go(`/equipmentDetail/${id}`)}>接入诊断</Button>
          </Can>
          {device && (
            <Can call={withCode(updateDevice, 'device-admin.transfer')}>
              <Button onClick={() => setMoving(true)}>调拨</Button>
            </Can>
          )}
          {device && (
            <Can call={updateDevice}>
              <Button type="primary" onClick={() => setEditing(true)}>
                编辑
              </Button>
            </Can>
          )}
        </>
      }
    >
      {device && (
        <div className="eq-body">
          <SectionNav
            current={section}
            onSelect={(key) => show(key)}
            items={[
              { key: 'state', title: '概况' },
              { key: 'params', title: '参数', count: device.missing.length || undefined },
              { key: 'access', title: '接入' },
              { key: 'alarms', title: '告警', count: device.alarmCount },
              { key: 'service', title: '到期与报修', count: device.dues.length + device.repairOpen || undefined },
              ...(device.family === 'faceGate' ? [{ key: 'gate', title: '门禁人员' }] : []),
              { key: 'changes', title: '调拨与变更', count: device.moves.length + device.changes.length },
              { key: 'files', title: '附件', count: device.files.length },
              ...(historyCalls[device.family] ? [{ key: 'history', title: '历史曲线' }] : []),
            ]}
          />
          <div className="eq-main">
            {device.pending.length > 0 && (
              <Notice tone="info">
                {device.applicant} 申请的变更等待审核：
                {device.pending.map((one) => `${one.label} ${one.before ?? '（空）'} → ${one.after ?? '（清空）'}`).join('；')}
              </Notice>
            )}
            {device.status === deviceStatus.refused && <Notice tone="danger">审核被驳回：{device.auditRemark}，修改后自动再次提交</Notice>}
            {section === 'state' &&
              (family.isPending ? <DetailSkeleton /> : <Latest device={device} family={family.data} reading={reading} now={now} />)}
            {section === 'params' && (family.isPending ? <DetailSkeleton /> : <Params device={device} family={family.data} />)}
            {section === 'access' && <Access device={device} />}
            {section === 'access' && <FamilyWire family={device.family} protocol={device.protocol} />}
            {section === 'alarms' && (
              <>
                <DeviceUnjudged deviceId={id} />
                <Alarms deviceId={id} projectCode={device.projectCode} now={now} onOpen={(alarmId) => show('alarms', alarmId)} />
              </>
            )}
            {section === 'service' && <DeviceService device={device} />}
            {section === 'gate' && <DeviceGate device={device} />}
            {section === 'changes' && <Moves device={device} />}
            {section === 'files' && <Files device={device} />}
            {section === 'history' && (
              <Suspense fallback={<TableSkeleton rows={6} />}>
                <History key={id} device={device} family={family.data} />
              </Suspense>
            )}
          </div>
        </div>
      )}
      {moving && device && <Transfer device={device} onClose={() => setMoving(false)} />}
      {editing && device && (
        <Suspense>
          <DeviceForm id={id} onClose={() => setEditing(false)} />
        </Suspense>
      )}
      <AlarmDrawer id={query.get('alarmId') ?? undefined} onClose={() => show('alarms')} />
    </DetailShell>
  )
}
