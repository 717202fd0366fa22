import { commandResults, warnTextMax } from '@zhugong/contract/telemetry/commands'
import { sendCommand } from '@zhugong/contract/telemetry/wire-endpoints'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useAct } from '#kit/call.ts'
import { Notice } from '#kit/feedback.tsx'
import { PageModal } from '#kit/overlay.tsx'
import './family.css'

/** A warning expires after this many seconds. */
const heardWithinSeconds = 30

interface CabinWarnProps {
  deviceId: string
  /** Location of the driver: 3# 驾驶室, 1# 左笼. */
  place: string
  /** Most used sentences. */
  usual: readonly string[]
  onClose: () => void
}

/** Sends one sentence to a machine's driver and shows the result. It does not control the machine. */
export function CabinWarn({ deviceId, place, usual, onClose }: CabinWarnProps) {
  const [text, setText] = useState('')
  const [reply, setReply] = useState<{ text: string; done: boolean }>()
  const act = useAct(sendCommand, {
    success: false,
    onDone: ({ result, message }) =>
      setReply({
        text: result === commandResults.done ? `司机处已应答：${message || '已播报'}` : message || '司机处没有应答',
        done: result === commandResults.done,
      }),
  })
  return (
    <PageModal
      open
      width={440}
      title={`向 ${place}喊话`}
      okText={reply ? '再发一次' : '播报'}
      cancelText="关闭"
      okButtonProps={{ disabled: text.trim() === '', loading: act.running }}
      onOk={() => {
        setReply(undefined)
        void act.run({
          params: { id: deviceId },
          body: { cmd: 'crane.warn', params: { text: text.trim() }, expireSeconds: heardWithinSeconds },
        })
      }}
      onCancel={onClose}
    >
      <label htmlFor="cabin-warn">喊话内容（最多 {warnTextMax} 个字，播报一句话，不控制机械动作）</label>
      <Input id="cabin-warn" value={text} maxLength={warnTextMax} showCount onChange={(event) => setText(event.target.value)} />
      <div className="fam-acts">
        {usual.map((one) => (
          <Button key={one} size="small" onClick={() => setText(one)}>
            {one}
          </Button>
        ))}
      </div>
      {reply && <Notice tone={reply.done ? 'fine' : 'warning'}>{reply.text}</Notice>}
    </PageModal>
  )
}
