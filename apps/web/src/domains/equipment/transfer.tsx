import { type getDevice, updateDevice } from '@zhugong/contract/equipment/endpoints'
import { listGateways } from '@zhugong/contract/equipment/gateway-endpoints'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { Input } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Notice } from '#kit/feedback.tsx'
import { Choice, TimeInput } from '#kit/inputs.tsx'
import { PageModal } from '#kit/overlay.tsx'
import { ProjectChoice } from './project-choice.tsx'

/** Moves a device to another site from a given time; if it is connected through a gateway, it needs one there. */
export function Transfer({ device, onClose }: { device: OutputFor<typeof getDevice>; onClose: () => void }) {
  const [projectCode, setProjectCode] = useState<string>()
  const [gatewayId, setGatewayId] = useState<string>()
  const [since, setSince] = useState<string>()
  const [reason, setReason] = useState('')
  const needsGateway = device.protocol === 'mqtt' || device.protocol === 'poll'
  const gateways = useCall(
    listGateways,
    { query: { projectCode: projectCode ?? '*', size: 200 } },
    { enabled: needsGateway && projectCode !== undefined, quiet: true },
  )
  const act = useAct(updateDevice, { success: '已调拨', onDone: onClose })
  const access =
    device.protocol === 'mqtt'
      ? { protocol: 'mqtt' as const, gatewayId: gatewayId ?? '' }
      : { protocol: 'poll' as const, gatewayId: gatewayId ?? '', address: String(device.access.address ?? '') }
  const run = () =>
    act.run({
      params: { id: device.id },
      body: {
        projectCode: projectCode ?? '',
        version: device.version,
        transfer: { reason: reason.trim(), since: since || undefined },
        access: needsGateway ? access : undefined,
      },
    })
  return (
    <PageModal
      open
      title={`调拨 ${device.name}`}
      okText="调拨"
      okButtonProps={{ loading: act.running, disabled: !projectCode || projectCode === device.projectCode || (needsGateway && !gatewayId) }}
      onOk={() => void run()}
      onCancel={onClose}
    >
      <Notice tone="warning">之前的数据与告警记录留在 {device.projectName}；未恢复的告警随之关闭（设备已移除）。</Notice>
      <div className="zg-stack zg-above-12">
        <label htmlFor="transfer-project">从 {device.projectName} 调到</label>
        <ProjectChoice
          id="transfer-project"
          value={projectCode ?? null}
          onChange={(next) => {
            setProjectCode(next)
            setGatewayId(undefined)
          }}
        />
        {needsGateway && (
          <>
            <label htmlFor="transfer-gateway">新项目的网关</label>
            <Choice
              id="transfer-gateway"
              value={gatewayId ?? null}
              disabled={!projectCode}
              loading={gateways.isFetching}
              onChange={setGatewayId}
              options={(gateways.data?.list ?? [])
                .filter((one) => one.connectionType.startsWith('mqtt') === (device.protocol === 'mqtt'))
                .map((one) => ({ value: one.id, label: one.name }))}
            />
          </>
        )}
        <label htmlFor="transfer-since">自何时起（不填为现在）</label>
        <TimeInput id="transfer-since" value={since ?? null} onChange={setSince} />
        <label htmlFor="transfer-reason">原因</label>
        <Input id="transfer-reason" maxLength={200} value={reason} onChange={(event) => setReason(event.target.value)} />
      </div>
    </PageModal>
  )
}
