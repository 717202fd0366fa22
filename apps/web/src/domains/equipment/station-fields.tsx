import { updateGateway } from '@zhugong/contract/equipment/gateway-endpoints'
import { type CrcMode, crcModes, segmentLimits } from '@zhugong/contract/protocols/hj212'
import { Input, InputNumber, Select } from 'antd'
import { useCan } from '#kit/can.tsx'
import './equipment.css'

const particulates = { tsp: 'TSP', pm10: 'PM10', pm25: 'PM2.5' } as const

export interface StationDraft {
  name: string
  mn: string
  crcMode: CrcMode
  units: Record<string, 'ug' | 'mg'>
  maxLength: number
  intervalSeconds: number
  sm4Key: string
}

interface StationFieldsProps {
  draft: StationDraft
  set: (change: Partial<StationDraft>) => void
  /** Edition found in its messages. */
  edition: string | null
  hasKey: boolean
}

/** Protocol settings of a station. */
export function StationFields({ draft, set, edition, hasKey }: StationFieldsProps) {
  const may = useCan(updateGateway)
  return (
    <div className="eq-mapping">
      <div>
        <span className="zg-2">名称</span>
        <Input
          aria-label="名称"
          maxLength={100}
          disabled={!may}
          value={draft.name}
          onChange={(event) => set({ name: event.target.value })}
        />
      </div>
      <div>
        <span className="zg-2">MN</span>
        <Input aria-label="MN" maxLength={40} disabled={!may} value={draft.mn} onChange={(event) => set({ mn: event.target.value })} />
      </div>
      <div>
        <span className="zg-2">版本（由 Flag 识别）</span>
        <Input aria-label="版本（由 Flag 识别）" disabled value={edition ?? '尚未收到'} />
      </div>
      <div>
        <span className="zg-2">校验方式</span>
        <Select
          aria-label="校验方式"
          className="zg-w-all"
          disabled={!may}
          value={draft.crcMode}
          options={Object.entries(crcModes).map(([value, label]) => ({ value, label }))}
          onChange={(crcMode) => set({ crcMode })}
        />
      </div>
      {Object.entries(particulates).map(([key, label]) => (
        <div key={key}>
          <span className="zg-2">{label} 单位</span>
          <Select
            aria-label={`${label} 单位`}
            className="zg-w-all"
            disabled={!may}
            allowClear
            placeholder="未确认"
            status={draft.units[key] ? '' : 'error'}
            value={draft.units[key] ?? null}
            options={[
              { value: 'ug', label: 'μg/m³' },
              { value: 'mg', label: 'mg/m³' },
            ]}
            onChange={(unit: 'ug' | 'mg' | null) => {
              const { [key]: _old, ...rest } = draft.units
              set({ units: unit ? { ...rest, [key]: unit } : rest })
            }}
          />
        </div>
      ))}
      <div>
        <span className="zg-2">上报间隔（秒）</span>
        <InputNumber
          aria-label="上报间隔（秒）"
          className="zg-w-all"
          disabled={!may}
          min={1}
          max={86_400}
          value={draft.intervalSeconds}
          onChange={(n) => set({ intervalSeconds: n ?? 60 })}
        />
      </div>
      <div>
        <span className="zg-2">最大长度（字节，标准为 {segmentLimits.standard}）</span>
        <InputNumber
          aria-label="最大长度（字节）"
          className="zg-w-all"
          disabled={!may}
          min={segmentLimits.standard}
          max={segmentLimits.most}
          precision={0}
          value={draft.maxLength}
          onChange={(n) => set({ maxLength: n ?? segmentLimits.standard })}
        />
      </div>
      <div>
        <span className="zg-2">SM4 密钥（2025 版）{hasKey ? '，已保存，不填则不变' : ''}</span>
        <Input.Password
          aria-label="SM4 密钥"
          autoComplete="new-password"
          maxLength={32}
          disabled={!may}
          placeholder="32 位十六进制"
          value={draft.sm4Key}
          onChange={(event) => set({ sm4Key: event.target.value })}
        />
      </div>
    </div>
  )
}
