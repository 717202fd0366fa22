import { verifyDevice } from '@zhugong/contract/equipment/device-tools'
import { protocolOf } from '@zhugong/contract/protocols/catalogue'
import { Button, Input, Select } from 'antd'
import { useState } from 'react'
import { useAct } from '#kit/call.ts'
import { Card, Notice } from '#kit/feedback.tsx'
import { protocolOptions } from './model-fields.tsx'

/** Decodes a pasted frame; stores nothing. */
export function TrialCard() {
  const [frame, setFrame] = useState('')
  const [protocol, setProtocol] = useState('mqtt')
  const act = useAct(verifyDevice, { success: false })
  const [trial, setTrial] = useState<{
    ok: boolean
    error: string | null
    values: Record<string, unknown> | null
    fields: Record<string, unknown>
  }>()
  const [dialects, setDialects] = useState<readonly DialectVerdict[]>([])
  const run = async () => {
    const done = await act.run({ body: { frame, protocol } })
    if (!done) return
    setTrial(done.data.decoded as typeof trial)
    setDialects(done.data.dialects ?? [])
  }
  return (
    <Card title="试解析" remark="不存储">
      <Select
        aria-label="协议"
        className="zg-w-all zg-below"
        value={protocol}
        options={protocolOptions.filter((one) => protocolOf(one.value)?.triable ?? true)}
        onChange={setProtocol}
      />
      <Input.TextArea
        aria-label="报文"
        rows={5}
        maxLength={8192}
        placeholder="粘贴十六进制或文本报文"
        value={frame}
        onChange={(event) => setFrame(event.target.value)}
      />
      <Button className="zg-apart" disabled={frame.trim() === ''} loading={act.running} onClick={() => void run()}>
        解析
      </Button>
      {trial && (trial.ok ? <Notice tone="fine">可以解析</Notice> : <Notice tone="danger">{trial.error ?? '无法解析'}</Notice>)}
      {trial && <pre className="eq-pre">{JSON.stringify(trial.values ?? trial.fields, null, 2)}</pre>}
      {dialects.length > 0 && <Dialects list={dialects} />}
    </Card>
  )
}

interface DialectVerdict {
  key: string
  name: string
  fits: boolean
  why: string | null
}

/** Which of all formats the pasted frame fits, and why the others do not. */
function Dialects({ list }: { list: readonly DialectVerdict[] }) {
  const fitting = list.filter(({ fits }) => fits)
  return (
    <div className="zg-above">
      <b>与各种格式比对</b>
      <p className={fitting.length ? 'tone-fine' : 'tone-danger'}>
        {fitting.length ? `符合：${fitting.map(({ name }) => name).join('、')}` : '不符合平台支持的任何一种格式'}
      </p>
      <details>
        <summary>其余 {list.length - fitting.length} 种为何不符</summary>
        <ul className="zg-bare-list" aria-label="不符的格式">
          {list
            .filter(({ fits }) => !fits)
            .map(({ key, name, why }) => (
              <li key={key}>
                {name}：<span className="zg-2">{why}</span>
              </li>
            ))}
        </ul>
      </details>
    </div>
  )
}
