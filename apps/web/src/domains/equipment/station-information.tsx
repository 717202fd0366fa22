import { updateGateway } from '@zhugong/contract/equipment/gateway-endpoints'
import { stationProtocol } from '@zhugong/contract/protocols/hj212'
import { listCommands, listFrames, sendCommand } from '@zhugong/contract/telemetry/wire-endpoints'
import { Button } from 'antd'
import { useEffect, useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { Card, Notice } from '#kit/feedback.tsx'
import { PageModal } from '#kit/overlay.tsx'
import { Copyable } from './copyable.tsx'
import { StationCommands } from './station-commands.tsx'
import { type StationDraft, StationFields } from './station-fields.tsx'
import { StationFrames } from './station-frames.tsx'
import { useStation } from './use-station.ts'
import './equipment.css'

/** Settings to enter in the station, and whether it sends data. */
export default function StationInformation() {
  const { id, data: one } = useStation()
  const [draft, setDraft] = useState<StationDraft>()
  const [secret, setSecret] = useState<string>()
  const save = useAct(updateGateway, { onDone: () => setDraft(undefined) })
  const renew = useAct(updateGateway, { success: false, onDone: (done) => setSecret(done.secret) })
  const frames = useCall(listFrames, { query: { deviceId: id, size: 20 } }, { enabled: id !== '', quiet: true, everyMs: 10_000 })
  const commands = useCall(listCommands, { params: { id }, query: { size: 20 } }, { enabled: id !== '', quiet: true })
  const station = one?.station
  useEffect(() => {
    if (one?.station && !draft)
      setDraft({
        name: one.name,
        mn: one.station.mn,
        crcMode: one.station.crcMode,
        units: one.station.units as StationDraft['units'],
        maxLength: one.station.maxLength,
        intervalSeconds: one.station.intervalSeconds,
        sm4Key: '',
      })
  }, [one, draft])
  if (!one || !station || !draft) return null
  const set = (change: Partial<StationDraft>) => setDraft({ ...draft, ...change })
  const submit = () =>
    save.run({
      params: { id },
      body: {
        name: draft.name,
        version: one.version,
        station: {
          mn: draft.mn.trim(),
          crcMode: draft.crcMode,
          units: draft.units,
          maxLength: draft.maxLength,
          intervalSeconds: draft.intervalSeconds,
          sm4Key: draft.sm4Key || undefined,
        },
      },
    })
  const reset = () =>
    renew.afterRequesting(
      {
        thing: `重置 ${one.name} 的密码`,
        consequence: '旧密码立即失效，写入新密码前监测站的报文会被拒绝。',
        verb: '重置密码',
        keep: '保留旧密码',
      },
      { params: { id }, body: { renewSecret: true } },
    )
  return (
    <>
      {station.unitsMissing.length > 0 && (
        <Notice tone="danger">粉尘单位未确认：数据照常保存，但不判断告警。请核对监测站说明书后选择单位。</Notice>
      )}
      <Card
        title="接入"
        actions={
          <Can call={updateGateway}>
            <Can code="device-admin.secret">
              <Button size="small" onClick={() => void reset()}>
                重置密码
              </Button>
            </Can>
            <Button size="small" type="primary" loading={save.running} onClick={() => void submit()}>
              保存
            </Button>
          </Can>
        }
      >
        <StationFields draft={draft} set={set} edition={station.edition} hasKey={one.match?.hasKey ?? false} />
      </Card>
      <Card title="写入设备" remark="逐项写入监测站，密码在新增与重置时显示一次">
        <dl className="eq-steps">
          <div>
            <dt>主机与端口</dt>
            <dd>
              <Copyable text={`${location.hostname}:${one.ports[stationProtocol]}`} />
            </dd>
          </div>
          <div>
            <dt>MN</dt>
            <dd>
              <Copyable text={station.mn} />
            </dd>
          </div>
        </dl>
      </Card>
      <Can call={sendCommand}>
        <StationCommands id={id} sent={commands.data?.list ?? []} onSent={() => void commands.refetch()} />
      </Can>
      <Can call={listFrames}>
        <StationFrames frames={frames.data?.list} />
      </Can>
      <PageModal
        open={secret !== undefined}
        title="新密码只显示这一次"
        okText="已保存"
        onOk={() => setSecret(undefined)}
        onCancel={() => setSecret(undefined)}
      >
        {secret && <Copyable text={secret} label="复制密码" />}
      </PageModal>
    </>
  )
}
