import { CameraOutlined } from '@ant-design/icons'
import { helmetSnaps, helmetVideos } from '@zhugong/contract/monitoring/helmet/helmet-media'
import { commandResults } from '@zhugong/contract/telemetry/commands'
import { sendCommand } from '@zhugong/contract/telemetry/wire-endpoints'
import { Button } from 'antd'
import { useState } from 'react'
import { refresh, useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Empty, Known, Notice, Tag } from '#kit/feedback.tsx'
import { PageModal } from '#kit/overlay.tsx'
import { wearingWord } from './helmet-state.ts'
import '../family.css'

/** A request for a picture expires after this many seconds: later it would show another place. */
const takenWithinSeconds = 30

/** Requests a picture from a helmet; its wearer is notified by sound. */
export function RemoteShot({ projectCode }: { projectCode: string }) {
  const may = [useCan('helmet.media'), useCan('helmet.call'), useCan('device-admin.command')].every(Boolean)
  const [open, setOpen] = useState(false)
  if (!may || projectCode === '*') return null
  return (
    <>
      <Button icon={<CameraOutlined />} onClick={() => setOpen(true)}>
        远程抓拍
      </Button>
      {open && <Shoot projectCode={projectCode} onClose={() => setOpen(false)} />}
    </>
  )
}

function Shoot({ projectCode, onClose }: { projectCode: string; onClose: () => void }) {
  const found = useCall(helmetVideos, { query: { projectCode, size: 1 } }, { quiet: true })
  const act = useAct(sendCommand, { success: false })
  const [result, setResult] = useState<{ done: boolean; words: string }>()
  const cameras = found.data?.cameras ?? []
  const shoot = async (deviceId: string, name: string) => {
    const answer = await act.run({
      params: { id: deviceId },
      body: { cmd: 'camera.snapshot', params: {}, expireSeconds: takenWithinSeconds },
    })
    const done = answer?.data.result === commandResults.done
    setResult({ done, words: `${name}：${answer?.data.message || (done ? '已抓拍' : '没有应答')}` })
    if (done) refresh(helmetSnaps)
  }
  return (
    <PageModal open width={420} title="远程抓拍" footer={null} onCancel={onClose}>
      <p className="zg-2">抓拍时佩戴人会听到提示音；操作计入日志</p>
      {cameras.length === 0 ? (
        <Known of={found}>
          <Empty small text="没有带摄像头的安全帽" />
        </Known>
      ) : (
        <ul className="shot-cameras">
          {cameras.map((one) => (
            <li key={one.deviceId}>
              <span>
                {one.name} <span className="zg-2">{one.teamName}</span>
              </span>
              <WornTag helmet={one} />
              <Button size="small" disabled={!one.online} loading={act.running} onClick={() => void shoot(one.deviceId, one.name)}>
                抓拍
              </Button>
            </li>
          ))}
        </ul>
      )}
      {result && <Notice tone={result.done ? 'fine' : 'warning'}>{result.words}</Notice>}
    </PageModal>
  )
}

/** Helmets put away for the night do not count as not worn. */
function WornTag({ helmet }: { helmet: { online: boolean; wearing: boolean | null; racked: boolean } }) {
  const word = wearingWord(helmet)
  if (!helmet.online) return <Tag>离线</Tag>
  return word === '未佩戴' ? <Tag tone="warning">{word}</Tag> : word === '未使用' ? <Tag>{word}</Tag> : <Tag tone="fine">在线</Tag>
}
