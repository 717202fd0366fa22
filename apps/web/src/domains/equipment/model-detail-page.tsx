import { createDevice, listDevices } from '@zhugong/contract/equipment/endpoints'
import { exportModelPoints, getModel, updateModel } from '@zhugong/contract/equipment/model-endpoints'
import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { callBlob, saveBlob, showFailure, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DetailShell } from '#kit/detail-shell.tsx'
import { EnableTag } from '#kit/enable.tsx'
import { useFamily } from '#kit/family.ts'
import { Card, Notice, Tag } from '#kit/feedback.tsx'
import { hrefOf, useGo, usePageQuery } from '#kit/page.tsx'
import { FamilyWire } from './family-wire.tsx'
import { ChangeList, ChooseFirst, DockTag, useTab } from './library-parts.tsx'
import { ModelBasic, ModelDevices, ModelPoints, ModelVersions } from './model-tabs.tsx'
import { SectionNav } from './section-nav.tsx'
import { useApplyVersion } from './use-apply-version.tsx'
import './equipment.css'

/** One model: its metrics, how it is read, and where it is used. */
export default function ModelDetailPage() {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  const [tab, setTab] = useTab('basic')
  const { data: model, error, isPending, refetch } = useCall(getModel, { params: { id } }, { enabled: id !== '', quiet: true })
  const devices = useCall(listDevices, { query: { modelId: id, size: 200 } }, { enabled: id !== '', quiet: true })
  const family = useFamily(model?.family)
  const [saving, setSaving] = useState(false)
  const { apply, applying } = useApplyVersion(id, model?.modelVersion)
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
                    <Button size="small" loading={applying} onClick={() => void apply()}>
                      预览并应用
                    </Button>
                  </Can>
                }
              >
                还有 {older.reduce((sum, one) => sum + one.devices, 0)} 台设备使用旧版本
              </Notice>
            )}
            {tab === 'basic' && <ModelBasic model={model} family={family.data} />}
            {tab === 'points' && <ModelPoints model={model} />}
            {tab === 'wire' && <FamilyWire family={model.family} />}
            {tab === 'devices' && <ModelDevices devices={devices.data} />}
            {tab === 'versions' && <ModelVersions versions={model.versions} />}
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
