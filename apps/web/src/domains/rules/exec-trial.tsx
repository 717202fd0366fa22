import { CheckOutlined, MinusOutlined, StopOutlined } from '@ant-design/icons'
import { pickDevices } from '@zhugong/contract/equipment/endpoints'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { trialLinkage } from '@zhugong/contract/linkage/endpoints'
import { Button } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Empty, Tag, type Tone } from '#kit/feedback.tsx'
import { Choice } from '#kit/inputs.tsx'

const everyDevice = 999_999
const verdicts: Readonly<Record<string, readonly [string, Tone]>> = {
  start: ['会启动', 'fine'],
  confirm: ['等人确认后启动', 'running'],
  join: ['已在运行，并入', 'running'],
  hold: ['不启动', 'warning'],
  blocked: ['人工停止期内', 'danger'],
}

/** What an alarm of the selected device would start now, and what prevents it. */
export function ExecTrial({ execId, projectCode }: { execId: string; projectCode: string }) {
  const [deviceId, setDeviceId] = useState<string>()
  const [result, setResult] = useState<OutputFor<typeof trialLinkage>>()
  const devices = useCall(pickDevices, { query: { projectCode, size: everyDevice } }, { quiet: true, staleMs: 60_000 })
  const act = useAct(trialLinkage, { success: false, refreshes: [], onDone: setResult })
  return (
    <div className="rule-trial">
      <Choice
        placeholder="假设报警的设备"
        value={deviceId ?? null}
        loading={devices.isPending}
        options={(devices.data?.list ?? []).map((one) => ({ value: one.id, label: one.name }))}
        onChange={(next) => {
          setDeviceId(next)
          setResult(undefined)
        }}
      />
      <Button
        disabled={!deviceId}
        loading={act.running}
        onClick={() => deviceId && void act.run({ params: { id: execId }, body: { deviceId } })}
      >
        模拟
      </Button>
      {result && result.targets.length === 0 && (
        <Empty small text="不会启动任何设备" hint="同区域没有可用的设备，或没有绑定。可改为指定设备" />
      )}
      {result?.targets.map((one) => {
        const [word, tone] = verdicts[one.would] ?? [one.would, 'neutral' as const]
        return (
          <section key={one.deviceId} className="rule-target">
            <header>
              <b>{one.deviceName}</b>
              <Tag tone={tone}>{word}</Tag>
              {!one.online && <Tag tone="danger">离线</Tag>}
            </header>
            {one.reason && <p>{one.reason}</p>}
            <ul>
              {one.interlocks.map((lock) => (
                <li key={lock.key} className={lock.holds ? 'bad' : ''}>
                  {lock.holds === null ? <MinusOutlined /> : lock.holds ? <StopOutlined /> : <CheckOutlined />}
                  {lock.label}
                  <span>{lock.text || (lock.holds === null ? '无近期数据，不作阻挡' : lock.holds ? '成立，阻止启动' : '未成立')}</span>
                </li>
              ))}
            </ul>
          </section>
        )
      })}
    </div>
  )
}
