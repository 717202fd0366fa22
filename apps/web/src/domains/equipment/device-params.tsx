import type { FamilyView } from '@zhugong/contract/telemetry/model'
import { Card, Notice, Pairs } from '#kit/feedback.tsx'
import type { Device } from './device.ts'
import { fieldOf, valueWords } from './field-words.ts'

/** Parameters for the site plan, in no family's catalogue. */
const siteParams: Readonly<Record<string, string>> = { x: '平面横坐标（m）', y: '平面纵坐标（m）', craneModel: '塔机规格' }

export function Params({ device, family }: { device: Device; family: FamilyView | undefined }) {
  const fields = family?.params ?? []
  const known = new Set(fields.map((one) => one.key))
  const others = Object.entries(device.params).filter(([key]) => !known.has(key) && key !== 'behaviour')
  const missing = device.missing.map((key) => fields.find((one) => one.key === key)?.label ?? key)
  return (
    <>
      {missing.length > 0 && (
        <Notice tone="warning">
          缺少 {missing.slice(0, 6).join('、')}
          {missing.length > 6 ? ` 等 ${missing.length} 项` : ''}，相关告警无法判断
        </Notice>
      )}
      <Card title="参数" remark={`完整度 ${Math.round(device.complete)} %${device.updateTime ? `，最近修改 ${device.updateTime}` : ''}`}>
        <Pairs
          items={fields.map((one) => {
            const [text, unit] = valueWords(device.params[one.key], one)
            return { label: one.label, value: text === '--' ? '' : `${text}${unit ? ` ${unit}` : ''}` }
          })}
        />
      </Card>
      {others.length > 0 && (
        <Card title="其他参数">
          <Pairs
            items={others.map(([key, value]) => {
              const field = fieldOf(family, key)
              return { label: field?.label ?? siteParams[key] ?? key, value: valueWords(value, field).filter(Boolean).join(' ') }
            })}
          />
        </Card>
      )}
    </>
  )
}
