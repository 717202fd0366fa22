import { type GateDialectKey, gateDialects } from '@zhugong/contract/telemetry/gate-dialects'
import { createGatePush } from '@zhugong/contract/telemetry/wire-endpoints'
import { Button } from 'antd'
import { useState } from 'react'
import { confirmDanger } from '#kit/ask.ts'
import { useAct } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { Card, Notice } from '#kit/feedback.tsx'
import { Choice } from '#kit/inputs.tsx'
import { Copyable } from './copyable.tsx'

const dialects = gateDialects.map(({ key, name, hint }) => ({ value: key, label: name, hint }))

/** URL to which a face gate pushes passages. Its key is shown once; a new key replaces the old one. */
export function GatePush({ deviceId }: { deviceId: string }) {
  const [adapter, setAdapter] = useState<GateDialectKey>('event')
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
  const chosen = dialects.find(({ value }) => value === adapter)
  return (
    <Can call={createGatePush}>
      <Card title="推送地址" remark="门禁主动把通行记录推送到平台时使用">
        <div className="zg-stack-12">
          <div className="zg-row zg-middle eq-gate-push">
            <Choice
              aria-label="推送方式"
              clear={false}
              options={dialects}
              value={adapter}
              onChange={(next) => {
                const other = dialects.find(({ value }) => value === next)
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
