import type { FamilyView } from '@zhugong/contract/telemetry/model'
import { Segmented } from 'antd'
import { useState } from 'react'
import { Card, Empty, Notice } from '#kit/feedback.tsx'
import { span, time } from '#kit/format.ts'
import { isStale } from '#kit/live.ts'
import type { Reading } from '#kit/live-store.ts'
import { Copyable } from './copyable.tsx'
import type { Device } from './device.ts'
import { qualityWords } from './device-words.tsx'
import { fieldOf, valueWords } from './field-words.ts'

const secret = new Set(['driverIdCard', 'alarmBits'])

export function Latest({
  device,
  family,
  reading,
  now,
}: {
  device: Device
  family: FamilyView | undefined
  reading: Reading | undefined
  now: number
}) {
  const [raw, setRaw] = useState<'values' | 'raw'>('values')
  if (!reading) {
    return (
      <Card title="最新数据">
        <Empty
          small
          text="尚未收到数据"
          hint={
            device.protocol === 'mqtt'
              ? `请检查网关 ${device.gatewayName ?? ''} 是否在线、序列号 ${device.deviceSn} 是否与设备一致`
              : '请检查接入信息是否与设备一致'
          }
        />
      </Card>
    )
  }
  const stale = isStale(reading, now, device.intervalSeconds * 1000)
  const keys = [...(family?.metrics ?? []).map((one) => one.key), ...Object.keys(reading.values)].filter(
    (key, i, all) => all.indexOf(key) === i && key in reading.values && !secret.has(key),
  )
  return (
    <>
      {stale && (
        <Notice tone="warning">
          最后一条数据在 {span(now - reading.at)}前，超过三个上报间隔；满 {span(device.offlineSeconds * 1000)}没有数据判为离线
        </Notice>
      )}
      <Card
        title="最新数据"
        remark={`设备 ${time(reading.at)}，接收 ${time(reading.receivedAt)}，延迟 ${((reading.receivedAt - reading.at) / 1000).toFixed(1)} s`}
        actions={
          <Segmented
            value={raw}
            options={[
              { value: 'values', label: '读数' },
              { value: 'raw', label: '报文内容' },
            ]}
            onChange={setRaw}
          />
        }
        flush
      >
        {raw === 'raw' ? (
          <div className="zg-pad-12">
            <Copyable
              text={JSON.stringify(
                { time: reading.at, data: Object.fromEntries(Object.entries(reading.values).filter(([key]) => key !== 'driverIdCard')) },
                null,
                2,
              )}
            />
          </div>
        ) : (
          <dl className="eq-values">
            {keys.map((key) => {
              const field = fieldOf(family, key)
              const [text, unit] = valueWords(reading.values[key], field)
              const doubt = reading.quality?.[key]
              return (
                <div key={key} className={stale || doubt ? 'stale' : ''}>
                  <dt>{field?.label ?? key}</dt>
                  <dd>
                    {text}
                    <small>{unit}</small>
                    {doubt && <small className="tone-warning">{qualityWords[doubt] ?? doubt}</small>}
                  </dd>
                </div>
              )
            })}
          </dl>
        )}
      </Card>
    </>
  )
}
