import { faceStates } from '@zhugong/contract/equipment/codes'
import type { getDevice } from '@zhugong/contract/equipment/endpoints'
import { clearGateFaces, gateFaces, gateSnaps, listGates, syncGate } from '@zhugong/contract/equipment/gate-endpoints'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { Button } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { Card, Empty, FigureStrip, Tag, type Tone } from '#kit/feedback.tsx'
import { thousands, time } from '#kit/format.ts'
import { Thumb } from '#kit/viewers.tsx'
import { GatePush } from './gate-push.tsx'
import './equipment.css'

const tones: Readonly<Record<string, Tone>> = { '0': 'running', '1': 'fine', '2': 'danger', '3': 'warning' }

/** People granted at a gate, and passages. Viewing face pictures is audited, so they load on request only. */
export function DeviceGate({ device }: { device: OutputFor<typeof getDevice> }) {
  const [looking, setLooking] = useState(false)
  const gate = useCall(listGates, { query: { deviceId: device.id, size: 1 } }, { quiet: true })
  const faces = useCall(gateFaces, { query: { deviceId: device.id, size: 100 } }, { enabled: looking, quiet: true })
  const snaps = useCall(gateSnaps, { query: { deviceId: device.id, size: 12 } }, { quiet: true })
  const sync = useAct(syncGate, {
    success: (done) => `待下发 ${done.added} 人，待移除 ${done.removed} 人，${done.skipped} 人没有人脸授权`,
  })
  const clear = useAct(clearGateFaces, { success: (done) => `已标记移除 ${done.removed} 人` })
  const one = gate.data?.list[0]
  const empty = () =>
    clear.afterRequesting(
      {
        thing: `清空 ${device.name} 上的人脸`,
        consequence: '所有人须刷卡或重新下发后才能刷脸通过；考勤记录保留。',
        verb: `清空 ${thousands(one?.onGate)} 人`,
        keep: '不清空',
        typeName: device.name,
        typeLabel: '输入设备名称确认',
      },
      { query: { deviceId: device.id } },
    )
  return (
    <>
      <FigureStrip
        loading={!gate.data}
        items={[
          { label: '应有', value: one?.expected, unit: '人' },
          { label: '已下发', value: one?.onGate, unit: '人', tone: 'fine' },
          { label: '等待', value: one?.waiting, unit: '人' },
          { label: '今日通行', value: one?.passesToday, unit: '次' },
        ]}
      />
      {device.protocol === 'http' && <GatePush deviceId={device.id} />}
      <Card
        title="人员"
        remark={one?.lastSync ? `最近同步 ${one.lastSync}` : '还没有同步'}
        flush
        actions={
          <Can call={syncGate}>
            <Button size="small" loading={sync.running} onClick={() => void sync.run({ body: { deviceId: device.id } })}>
              人员同步
            </Button>
            <Button size="small" onClick={() => setLooking(true)}>
              查看人员
            </Button>
            <Button size="small" danger loading={clear.running} onClick={() => void empty()}>
              人脸清空
            </Button>
          </Can>
        }
      >
        {!looking && <Empty small text="人员清单未打开" hint="查看会记入变更记录；人脸照片只在门禁上，平台不显示" />}
        {looking &&
          (faces.data?.list ?? []).map((face) => (
            <div key={face.workerId} className="eq-row">
              <b>{face.name}</b>
              <span className="zg-2">
                {face.corpName} {face.teamName}
              </span>
              <span className="right">
                {face.reason && <span className="zg-2">{face.reason}</span>}
                <Tag tone={tones[face.state] ?? 'neutral'}>{faceStates[face.state as keyof typeof faceStates] ?? face.state}</Tag>
                <span className="zg-2">{face.at}</span>
              </span>
            </div>
          ))}
        {looking && faces.data?.total === 0 && <Empty small text="没有人员" hint="先做人员同步" />}
      </Card>
      <Can call={gateSnaps}>
        <Card title="最近通行" remark="最近 12 次" flush>
          {(snaps.data?.list ?? []).map((row) => (
            <div key={row.id} className="eq-row">
              {row.photo && <Thumb src={row.photo} width={48} height={36} />}
              <b>{row.name}</b>
              <span>
                {row.direction} {row.mode}
              </span>
              <Tag tone={row.pass ? 'fine' : 'danger'}>{row.pass ? '放行' : '未放行'}</Tag>
              <span className="right zg-2">{time(row.time)}</span>
            </div>
          ))}
          {snaps.data?.total === 0 && <Empty small text="没有通行" hint="有人通过后显示在这里" />}
        </Card>
      </Can>
    </>
  )
}
