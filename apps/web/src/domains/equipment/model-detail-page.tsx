import { protocolNames, registerTypes } from '@zhugong/contract/equipment/codes'
import { createDevice, listDevices } from '@zhugong/contract/equipment/endpoints'
import { exportModelPoints, getModel, updateModel } from '@zhugong/contract/equipment/model-endpoints'
import { getFamily } from '@zhugong/contract/telemetry/endpoints'
import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { confirmDanger } from '#kit/ask.ts'
import { callBlob, saveBlob, showFailure, useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DetailShell } from '#kit/detail-shell.tsx'
import { EnableTag } from '#kit/enable.tsx'
import { Card, Empty, Notice, Pairs, Tag } from '#kit/feedback.tsx'
import { notify } from '#kit/notify.ts'
import { hrefOf, useGo, usePageQuery } from '#kit/page.tsx'
import { Thumb } from '#kit/viewers.tsx'
import { OnlineTag } from './device-words.tsx'
import { FamilyWire } from './family-wire.tsx'
import { ChangeList, ChooseFirst, DockTag, useTab } from './library-parts.tsx'
import { SectionNav } from './section-nav.tsx'
import './equipment.css'

/** What a model can do, how it is read, where it stands. */
export default function ModelDetailPage() {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  const [tab, setTab] = useTab('basic')
  const { data: model, error, isPending, refetch } = useCall(getModel, { params: { id } }, { enabled: id !== '', quiet: true })
  const devices = useCall(listDevices, { query: { modelId: id, size: 200 } }, { enabled: id !== '', quiet: true })
  const family = useCall(
    getFamily,
    { params: { key: model?.family ?? '' } },
    { enabled: model !== undefined, quiet: true, staleMs: 3_600_000 },
  )
  const [saving, setSaving] = useState(false)
  const act = useAct(updateModel, { success: false })
  if (!id) return <ChooseFirst hint="从型号管理中选择一个" listPath="/model" listName="型号管理" />
  const points = async () => {
    setSaving(true)
    try {
      saveBlob(await callBlob(exportModelPoints, { params: { id } }))
    } catch (failure) {
      showFailure(failure)
    } finally {
      setSaving(false)
    }
  }
  const apply = async () => {
    const seen = await act.run({ params: { id }, body: { applyTo: 'preview' } })
    const applied = seen?.data.applied
    if (!applied) return
    if (applied.devices === 0) {
      notify.success('没有使用旧版本的设备')
      return
    }
    const yes = await confirmDanger({
      thing: `让 ${applied.devices} 台设备改用 V${model?.modelVersion}`,
      consequence: (
        <>
          缺少的参数按默认值补齐，已有的不覆盖。
          <ul className="eq-filled-in">
            {applied.changes.slice(0, 20).map((one) => (
              <li key={`${one.projectName}/${one.deviceName}`}>
                {one.projectName} {one.deviceName}（{one.from}）{one.params.length ? `：补 ${one.params.join('、')}` : ''}
              </li>
            ))}
          </ul>
        </>
      ),
      verb: `应用到 ${applied.devices} 台`,
      keep: '暂不应用',
    })
    if (yes && (await act.run({ params: { id }, body: { applyTo: 'all' } }))) notify.success('已应用')
  }
  const older = model?.versions.filter((one) => one.modelVersion < model.modelVersion && one.devices > 0) ?? []
  const newest = model?.versions[0]
  return (
    <DetailShell
      title={model && `${model.brandName} ${model.name}`}
      loading={isPending}
      error={error && !model ? error : undefined}
      retry={refetch}
      tags={
        model && (
          <>
            <Tag tone="neutral" icon={false}>
              V{model.modelVersion}
            </Tag>
            <EnableTag enable={model.enable} />
          </>
        )
      }
      facts={
        model
          ? [
              { label: '类别', value: model.familyName },
              { label: '厂商', value: model.factoryName },
              { label: '指标', value: `${model.metricCount} 项` },
              { label: '设备', value: `${model.devices} 台` },
            ]
          : []
      }
      actions={
        <>
          <Button loading={saving} onClick={() => void points()}>
            下载点表
          </Button>
          <Can call={createDevice}>
            <Button onClick={() => go('/administration', { create: id })}>新增设备</Button>
          </Can>
          <Can call={updateModel}>
            <Button onClick={() => go('/model/edit', { versionOf: id })}>新版本</Button>
            <Button type="primary" onClick={() => go('/model/edit', { id })}>
              编辑
            </Button>
          </Can>
        </>
      }
    >
      {model && (
        <div className="eq-body">
          <SectionNav
            current={tab}
            onSelect={setTab}
            items={[
              { key: 'basic', title: '基本' },
              { key: 'points', title: '指标与寄存器', count: model.metrics.length },
              { key: 'wire', title: '报文与标识' },
              { key: 'devices', title: '设备', count: model.devices },
              { key: 'versions', title: '版本', count: model.versions.length },
              { key: 'dock', title: '对接测试' },
              { key: 'changes', title: '变更记录', count: model.changes.length },
            ]}
          />
          <div className="eq-main">
            {newest && newest.modelVersion > model.modelVersion && (
              <Notice tone="info">
                已有更新的版本 <Link to={hrefOf('/model/details', { id: newest.id })}>V{newest.modelVersion}</Link>
              </Notice>
            )}
            {older.length > 0 && (
              <Notice
                tone="warning"
                actions={
                  <Can call={updateModel}>
                    <Button size="small" loading={act.running} onClick={() => void apply()}>
                      预览并应用
                    </Button>
                  </Can>
                }
              >
                还有 {older.reduce((sum, one) => sum + one.devices, 0)} 台设备使用旧版本
              </Notice>
            )}
            {tab === 'basic' && (
              <Card title="基本">
                <Pairs
                  items={[
                    { label: '品牌', value: <Link to={hrefOf('/brand/details', { id: model.brandId })}>{model.brandName}</Link> },
                    {
                      label: '厂商',
                      value: <Link to={hrefOf('/manufactor1.1.0/details', { id: model.factoryId })}>{model.factoryName}</Link>,
                    },
                    { label: '协议', value: model.protocols.map((p) => protocolNames[p as keyof typeof protocolNames] ?? p).join('、') },
                    { label: '更新时间', value: model.updateTime },
                    ...(family.data?.params ?? []).flatMap((p) =>
                      model.params[p.key] === undefined
                        ? []
                        : [
                            {
                              label: `默认${p.label}`,
                              value: `${p.values?.[String(model.params[p.key])] ?? String(model.params[p.key])} ${p.unit}`,
                            },
                          ],
                    ),
                    { label: '备注', value: model.remark, wide: true },
                  ]}
                />
                <div className="zg-row zg-above-12">{[model.photo, ...model.docs].map((src) => src && <Thumb key={src} src={src} />)}</div>
              </Card>
            )}
            {tab === 'points' && (
              <Card
                title="指标与寄存器"
                actions={
                  <Button size="small" onClick={() => window.print()}>
                    打印
                  </Button>
                }
                flush
              >
                <table className="eq-table">
                  <thead>
                    <tr>
                      <th>指标</th>
                      <th>标识</th>
                      <th>单位</th>
                      <th>量程</th>
                      <th>设备侧名称</th>
                      <th>寄存器</th>
                      <th>类型</th>
                      <th>比例</th>
                    </tr>
                  </thead>
                  <tbody>
                    {model.metrics.map((m) => {
                      const register = model.registers.find((r) => r.metric === m.key)
                      return (
                        <tr key={m.key}>
                          <td>{m.label}</td>
                          <td>
                            <code>{m.key}</code>
                          </td>
                          <td>{m.unit || '--'}</td>
                          <td>
                            {m.min ?? '--'}～{m.max ?? '--'}
                          </td>
                          <td>{m.alias ?? '--'}</td>
                          <td>{register?.address ?? register?.code ?? '--'}</td>
                          <td>{register ? registerTypes[register.type] : '--'}</td>
                          <td>{register?.scale ?? '--'}</td>
                        </tr>
                      )
                    })}
                  </tbody>
                </table>
                {model.metrics.length === 0 && <Empty small text="未限定指标" hint="此型号接收该类别的全部指标" />}
                {model.alarmCodes.length > 0 && (
                  <p className="zg-pad-12">报警码：{model.alarmCodes.map((a) => `${a.code} → ${a.label}`).join('，')}</p>
                )}
              </Card>
            )}
            {tab === 'wire' && <FamilyWire family={model.family} />}
            {tab === 'devices' && (
              <Card title="设备" remark={`${devices.data?.total ?? 0} 台`} flush>
                {(devices.data?.list ?? []).map((one) => (
                  <Link key={one.id} className="eq-row" to={hrefOf('/administrationDetails', { id: one.id })}>
                    <b>{one.name}</b>
                    <span className="zg-2">{one.projectName}</span>
                    <code className="zg-2">{one.deviceSn}</code>
                    <span className="right">
                      <OnlineTag row={one} />
                    </span>
                  </Link>
                ))}
                {devices.data?.total === 0 && <Empty small text="没有设备" hint="登记设备时选择此型号" />}
              </Card>
            )}
            {tab === 'versions' && (
              <Card title="版本" flush>
                {model.versions.map((one) => (
                  <div key={one.id} className="eq-row eq-row-top">
                    <Link to={hrefOf('/model/details', { id: one.id, tab: 'versions' })}>
                      <b>V{one.modelVersion}</b>
                    </Link>
                    <ul className="zg-bare-list">
                      {one.diff.map((text) => (
                        <li key={text}>{text}</li>
                      ))}
                    </ul>
                    <span className="right zg-2">
                      {one.byName} {one.createTime}，{one.devices} 台设备
                    </span>
                  </div>
                ))}
              </Card>
            )}
            {tab === 'dock' && (
              <Card title="对接测试" remark="按厂商进行">
                <DockTag state={model.dock.state} />{' '}
                <Link to={hrefOf('/manufactor1.1.0/details', { id: model.dock.factoryId, tab: 'dock' })}>
                  看 {model.factoryName} 的测试记录
                </Link>
              </Card>
            )}
            {tab === 'changes' && (
              <Card title="变更记录">
                <ChangeList changes={model.changes} />
              </Card>
            )}
          </div>
        </div>
      )}
    </DetailShell>
  )
}
