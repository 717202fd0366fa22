import { createGatePush } from '@zhugong/contract/telemetry/wire-endpoints'
import { Button } from 'antd'
import { useState } from 'react'
import { confirmDanger } from '#kit/ask.ts'
import { useAct } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { Card, Notice } from '#kit/feedback.tsx'
import { Choice } from '#kit/inputs.tsx'
import { Copyable } from './copyable.tsx'

type Adapter = 'event' | 'callback' | 'generic'
const adapters: { value: Adapter; label: string; hint: string }[] = [
  {
    value: 'event',
    label: '事件推送（AccessControllerEvent）',
    hint: '在门禁的 网络 → 高级 → HTTP 监听 中填写这一地址；JSON 或 multipart 均可，照片为第二部分',
  },
  {
    value: 'callback',
    label: '识别回调（deviceKey、personId）',
    hint: '在人脸机的 识别记录回调地址 中填写；表单或 JSON 均可，照片为 path 或 imgBase64',
  },
  { value: 'generic', label: '通用（本平台的通行记录）', hint: '由厂商平台按接口文档中的通行记录推送' },
]

/** URL to which a face gate pushes passages. Its key is shown once; a new key replaces the old one. */
export function GatePush({ deviceId }: { deviceId: string }) {
  const [adapter, setAdapter] = useState<Adapter>('event')
  const [address, setAddress] = useState<string>()
  const make = useAct(createGatePush, {
    success: '推送地址已生成',
    onDone: ({ path }) => setAddress(`${location.origin}${path}`),
  })
  const generate = async () => {
    const sure = await confirmDanger({
      thing: '生成推送地址',
      consequence: '以前生成的地址立即失效，门禁换上新地址之前的通行留在门禁上，换好后由它补传。',
      verb: '生成新地址',
      keep: '不生成',
    })
    if (sure) await make.run({ params: { id: deviceId }, body: { adapter } })
  }
  const chosen = adapters.find(({ value }) => value === adapter)
  return (
    <Can call={createGatePush}>
      <Card title="推送地址" remark="门禁主动把通行记录推送到平台时使用">
        <div className="zg-stack-12">
          <div className="zg-row zg-middle eq-gate-push">
            <Choice
              aria-label="推送方式"
              clear={false}
              options={adapters}
              value={adapter}
              onChange={(next) => {
                const other = adapters.find(({ value }) => value === next)
                if (other) setAdapter(other.value)
                setAddress(undefined)
              }}
            />
            <Button loading={make.running} onClick={() => void generate()}>
              生成推送地址
            </Button>
          </div>
          <p className="zg-2">{chosen?.hint}</p>
          {address && (
            <>
              <Copyable text={address} label="复制地址" />
              <Notice tone="warning">地址只显示这一次，其中的密钥就是门禁的凭证，请勿外传。</Notice>
            </>
          )}
        </div>
      </Card>
    </Can>
  )
}
