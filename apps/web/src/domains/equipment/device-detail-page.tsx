import { findAlarms } from '@zhugong/contract/alarms/lists'
import { deviceStatus } from '@zhugong/contract/equipment/codes'
import { getDevice, updateDevice } from '@zhugong/contract/equipment/endpoints'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { getFamily } from '@zhugong/contract/telemetry/endpoints'
import type { FamilyView } from '@zhugong/contract/telemetry/model'
import { Button, Segmented } from 'antd'
import { lazy, Suspense, useEffect, useState } from 'react'
import { AlarmDrawer, lasted, peakWords } from '#domains/alarms/public.tsx'
import { DeviceUnjudged } from '#domains/rules/public.tsx'
import { useCall } from '#kit/call.ts'
import { Can, withCode } from '#kit/can.tsx'
import { DetailShell } from '#kit/detail-shell.tsx'
import { Card, DetailSkeleton, Empty, ErrorPanel, Notice, Pairs, RiskBadge, TableSkeleton, Tag } from '#kit/feedback.tsx'
import { age, daysLeft, span, time } from '#kit/format.ts'
import { PageShell } from '#kit/list-shell.tsx'
import { isStale, putReading, useLatest, useNow } from '#kit/live.ts'
import type { Reading } from '#kit/live-store.ts'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { Thumb } from '#kit/viewers.tsx'
import { Copyable } from './copyable.tsx'
import { DeviceGate } from './device-gate.tsx'
import { DeviceService } from './device-service.tsx'
import { livePages, OnlineTag, placeOf, protocols, qualityWords, StatusTag } from './device-words.tsx'
import './equipment.css'
import { FamilyWire } from './family-wire.tsx'
import { fieldOf, valueWords } from './field-words.ts'
import { historyCalls } from './history-calls.ts'
import { ChangeList } from './library-parts.tsx'
import { SectionNav } from './section-nav.tsx'
import { Transfer } from './transfer.tsx'

const DeviceForm = lazy(() => import('./device-form.tsx').then((file) => ({ default: file.DeviceForm })))
const History = lazy(() => import('./device-history.tsx').then((file) => ({ default: file.DeviceHistory })))

type Device = OutputFor<typeof getDevice>

/** The file of one device for trade people. */
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
  const family = useCall(
    getFamily,
    { params: { key: device?.family ?? '' } },
    { enabled: device !== undefined, quiet: true, staleMs: 3_600_000 },
  )
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
          {live && <Button onClick={() => go(live, { deviceId: id })}>看实时</Button>}
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

const secret = new Set(['driverIdCard', 'alarmBits'])

function Latest({
  device,
  family,
  reading,
  now,
}: {
  device: Device
  family: FamilyView | undefined
  reading: Reading | undefined
  now: number
}) {
  const [raw, setRaw] = useState<'values' | 'raw'>('values')
  if (!reading) {
    return (
      <Card title="最新数据">
        <Empty
          small
          text="尚未收到数据"
          hint={
            device.protocol === 'mqtt'
              ? `请检查网关 ${device.gatewayName ?? ''} 是否在线、序列号 ${device.deviceSn} 是否与设备一致`
              : '请检查接入信息是否与设备一致'
          }
        />
      </Card>
    )
  }
  const stale = isStale(reading.at, now, device.intervalSeconds * 1000)
  const keys = [...(family?.metrics ?? []).map((one) => one.key), ...Object.keys(reading.values)].filter(
    (key, i, all) => all.indexOf(key) === i && key in reading.values && !secret.has(key),
  )
  return (
    <>
      {stale && (
        <Notice tone="warning">
          最后一条数据在 {span(now - reading.at)}前，超过三个上报间隔；满 {span(device.offlineSeconds * 1000)}没有数据判为离线
        </Notice>
      )}
      <Card
        title="最新数据"
        remark={`设备 ${time(reading.at)}，接收 ${time(reading.receivedAt)}，延迟 ${((reading.receivedAt - reading.at) / 1000).toFixed(1)} s`}
        actions={
          <Segmented
            value={raw}
            options={[
              { value: 'values', label: '读数' },
              { value: 'raw', label: '报文内容' },
            ]}
            onChange={setRaw}
          />
        }
        flush
      >
        {raw === 'raw' ? (
          <div style={{ padding: 12 }}>
            <Copyable
              text={JSON.stringify(
                { time: reading.at, data: Object.fromEntries(Object.entries(reading.values).filter(([key]) => key !== 'driverIdCard')) },
                null,
                2,
              )}
            />
          </div>
        ) : (
          <dl className="eq-values">
            {keys.map((key) => {
              const field = fieldOf(family, key)
              const [text, unit] = valueWords(reading.values[key], field)
              const doubt = reading.quality?.[key]
              return (
                <div key={key} className={stale || doubt ? 'stale' : ''}>
                  <dt>{field?.label ?? key}</dt>
                  <dd>
                    {text}
                    <small>{unit}</small>
                    {doubt && <small className="tone-warning">{qualityWords[doubt] ?? doubt}</small>}
                  </dd>
                </div>
              )
            })}
          </dl>
        )}
      </Card>
    </>
  )
}

/** Parameters of the plan of a site, which no family's catalogue has. */
const siteParams: Readonly<Record<string, string>> = { x: '平面横坐标（m）', y: '平面纵坐标（m）', craneModel: '塔机规格' }

function Params({ device, family }: { device: Device; family: FamilyView | undefined }) {
  const fields = family?.params ?? []
  const known = new Set(fields.map((one) => one.key))
  const others = Object.entries(device.params).filter(([key]) => !known.has(key) && key !== 'behaviour')
  const missing = device.missing.map((key) => fields.find((one) => one.key === key)?.label ?? key)
  return (
    <>
      {missing.length > 0 && (
        <Notice tone="warning">
          缺少 {missing.slice(0, 6).join('、')}
          {missing.length > 6 ? ` 等 ${missing.length} 项` : ''}，相关告警无法判断
        </Notice>
      )}
      <Card title="参数" remark={`完整度 ${Math.round(device.complete)} %${device.updateTime ? `，最近修改 ${device.updateTime}` : ''}`}>
        <Pairs
          items={fields.map((one) => {
            const [text, unit] = valueWords(device.params[one.key], one)
            return { label: one.label, value: text === '--' ? '' : `${text}${unit ? ` ${unit}` : ''}` }
          })}
        />
      </Card>
      {others.length > 0 && (
        <Card title="其他参数">
          <Pairs
            items={others.map(([key, value]) => {
              const field = fieldOf(family, key)
              return { label: field?.label ?? siteParams[key] ?? key, value: valueWords(value, field).filter(Boolean).join(' ') }
            })}
          />
        </Card>
      )}
    </>
  )
}

const accessNames: Readonly<Record<string, string>> = {
  protocol: '协议',
  gatewayId: '网关标识',
  mn: 'MN',
  units: '上报单位',
  crcMode: '校验方式',
  phone: '终端手机号',
  appId: '应用编号',
}

function Access({ device }: { device: Device }) {
  const go = useGo()
  const shown = Object.entries(device.access).filter(([key, value]) => value !== undefined && value !== null && key !== 'protocol')
  return (
    <Card
      title="接入"
      remark={protocols[device.protocol] ?? device.protocol}
      actions={
        device.gatewayId && (
          <Can code="device-admin.gateway">
            <Button size="small" onClick={() => go('/gateway/details', { id: device.gatewayId ?? '' })}>
              看网关
            </Button>
          </Can>
        )
      }
    >
      <Pairs
        items={[
          { label: '序列号', value: device.deviceSn },
          { label: '网关', value: device.gatewayName },
          ...shown.map(([key, value]) => ({
            label: accessNames[key] ?? key,
            value:
              typeof value === 'object'
                ? Object.entries(value as Record<string, unknown>)
                    .map(([k, v]) => `${k} ${String(v)}`)
                    .join('，')
                : String(value),
          })),
          { label: '上报间隔', value: `${device.intervalSeconds} 秒` },
          { label: '判离线', value: `${span(device.offlineSeconds * 1000)}没有数据` },
          { label: '安装位置', value: device.installPlace },
          { label: '坐标', value: device.lng === null || device.lat === null ? '' : `${device.lng}, ${device.lat}` },
          { label: '安装日期', value: device.installDate },
          { label: '负责人', value: device.leader },
          { label: '登记时间', value: device.createTime },
          { label: '厂家', value: [device.factoryName, device.brandName].filter(Boolean).join(' / ') },
          { label: '供应商', value: device.providerName },
          { label: '产权单位', value: device.ownerCorpName },
          { label: '产权备案编号', value: device.specialRecordNo },
          { label: '使用年限', value: device.ageYears === null ? '' : `${device.ageYears} 年` },
        ]}
      />
    </Card>
  )
}

function Alarms({
  deviceId,
  projectCode,
  now,
  onOpen,
}: {
  deviceId: string
  projectCode: string
  now: number
  onOpen: (id: string) => void
}) {
  const { data, error, isPending, refetch } = useCall(findAlarms, { query: { deviceId, size: 50, sort: '-startTime' } }, { quiet: true })
  const go = useGo()
  if (isPending) return <TableSkeleton rows={6} columns={4} />
  if (error) return <ErrorPanel error={error} retry={refetch} />
  const rows = data.list
  return (
    <Card
      title="告警"
      remark={`最近 ${rows.length} 条，共 ${data.total} 条`}
      actions={
        <Button size="small" onClick={() => go(hrefOf('/alarm/record', { tab: 'all' }))}>
          告警记录
        </Button>
      }
      flush
    >
      {rows.length === 0 ? (
        <Empty small text="没有告警" hint="这台设备还没有产生过告警" />
      ) : (
        rows.map((one) => (
          <button key={one.id} type="button" className="zg-bare eq-row" data-project={projectCode} onClick={() => onOpen(one.id)}>
            <RiskBadge level={one.level} />
            <b>{one.alarmLabel}</b>
            <span className="zg-2">{peakWords(one)}</span>
            <span className="right">
              <span className="zg-2">
                {time(one.startTime)}，持续 {lasted(one, now)}
              </span>
              <Tag tone={one.active ? 'danger' : 'fine'}>{one.active ? '告警中' : '已恢复'}</Tag>
            </span>
          </button>
        ))
      )}
    </Card>
  )
}

function Moves({ device }: { device: Device }) {
  return (
    <>
      <Card title="调拨" remark={`${device.moves.length} 次`} flush>
        {device.moves.length === 0 ? (
          <Empty small text="没有调拨" hint="设备换到其他项目后，往来记在这里" />
        ) : (
          device.moves.map((one) => (
            <div key={one.at} className="eq-row">
              <b>
                {one.fromName} → {one.toName}
              </b>
              <span className="zg-2">
                自 {one.since} 起{one.reason && `，${one.reason}`}
              </span>
              <span className="right zg-2">
                {one.byName} {one.at}
              </span>
            </div>
          ))
        )}
      </Card>
      <Card title="变更">
        <ChangeList changes={device.changes} />
      </Card>
    </>
  )
}

function Files({ device }: { device: Device }) {
  return (
    <Card title="附件" remark="照片、说明与检测报告">
      {device.files.length === 0 ? (
        <Empty small text="没有附件" hint="编辑设备时上传" />
      ) : (
        <div style={{ display: 'flex', gap: 8, flexWrap: 'wrap' }}>
          {device.files.map((src) => (
            <Thumb key={src} src={src} />
          ))}
        </div>
      )}
    </Card>
  )
}
