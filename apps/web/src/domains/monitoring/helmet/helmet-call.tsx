import { commandResults, warnTextMax } from '@zhugong/contract/telemetry/commands'
import { sendCommand } from '@zhugong/contract/telemetry/wire-endpoints'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useAct } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Notice } from '#kit/feedback.tsx'
import { PageModal } from '#kit/overlay.tsx'
import '../family.css'

/** Most used sentences. */
export const usual = ['请立即撤离危险区', '请戴好安全帽', '请到项目部集合']
/** A call expires after this many seconds. */
const heardWithinSeconds = 60

export interface Called {
  deviceId: string
  name: string
}

/** Calls helmets or plays one sentence in them, one after another, and shows each result. */
export function HelmetCall({
  people,
  text: said = '',
  onClose,
}: {
  people: readonly Called[]
  text?: string | undefined
  onClose: () => void
}) {
  const [text, setText] = useState(said)
  const [result, setResult] = useState<readonly { name: string; done: boolean; message: string }[]>([])
  const act = useAct(sendCommand, { success: false })
  const send = async (cmd: 'helmet.call' | 'helmet.text') => {
    setResult([])
    for (const one of people) {
      const answer = await act.run({
        params: { id: one.deviceId },
        body: { cmd, params: cmd === 'helmet.text' ? { text: text.trim() } : {}, expireSeconds: heardWithinSeconds },
      })
      const done = answer?.data.result === commandResults.done
      setResult((before) => [...before, { name: one.name, done, message: answer?.data.message || (done ? '已应答' : '没有应答') }])
    }
  }
  const first = people[0]?.name ?? ''
  return (
    <PageModal
      open
      width={460}
      title={people.length > 1 ? `向 ${people.length} 人播报` : `呼叫 ${first}`}
      okText="文字播报"
      cancelText="关闭"
      okButtonProps={{ disabled: text.trim() === '', loading: act.running }}
      onOk={() => void send('helmet.text')}
      onCancel={onClose}
    >
      {people.length === 1 && (
        <div className="fam-acts">
          <Button type="primary" loading={act.running} onClick={() => void send('helmet.call')}>
            语音呼叫
          </Button>
          <span className="zg-2">对方帽内响铃，接听后通话</span>
        </div>
      )}
      <label htmlFor="helmet-text">播报一句话（最多 {warnTextMax} 个字，帽内读出）</label>
      <Input id="helmet-text" value={text} maxLength={warnTextMax} showCount onChange={(event) => setText(event.target.value)} />
      <div className="fam-acts">
        {usual.map((one) => (
          <Button key={one} size="small" onClick={() => setText(one)}>
            {one}
          </Button>
        ))}
      </div>
      {result.map((one) => (
        <Notice key={one.name} tone={one.done ? 'fine' : 'warning'}>
          {one.name}：{one.message}
        </Notice>
      ))}
    </PageModal>
  )
}

export const useMayCall = (): boolean => useCan('helmet.call')
