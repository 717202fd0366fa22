import { areaRebound, mostAreas, readingsPerArea, type SpotTest, strengthOf, usualRebound } from '@zhugong/contract/spotchecks/readings'
import { Button, Input, InputNumber, Segmented } from 'antd'
import { Card } from '#kit/feedback.tsx'

type Num = number | null
/** Readings while they are typed: every number may be missing. */
export type Typed =
  | { test: 'rebound'; grade: Num; areas: { name: string; readings: Num[]; carbonation: Num }[] }
  | { test: 'thickness'; design: Num; points: { name: string; value: Num }[] }
  | { test: 'scan'; member: 'slab' | 'beam'; spacing: Num; cover: Num; points: { name: string; spacing: Num; cover: Num }[] }
  | { test: 'material' | 'other'; note: string }

const firstPoints = 5
const emptyArea = (n: number) => ({
  name: `测区 ${n}`,
  readings: Array.from({ length: readingsPerArea }, (): Num => null),
  carbonation: null,
})

export function emptyReadings(test: SpotTest): Typed {
  const points = Array.from({ length: firstPoints }, (_one, i) => `测点 ${i + 1}`)
  if (test === 'rebound') return { test, grade: null, areas: [emptyArea(1)] }
  if (test === 'thickness') return { test, design: null, points: points.map((name) => ({ name, value: null })) }
  if (test === 'scan')
    return { test, member: 'slab', spacing: null, cover: null, points: points.map((name) => ({ name, spacing: null, cover: null })) }
  return { test, note: '' }
}

interface EditorProps<T> {
  value: T
  onChange: (next: T) => void
}

/** The table of readings of the chosen test. */
export function ReadingsEditor({ value, onChange }: EditorProps<Typed>) {
  if (value.test === 'rebound') return <Rebound value={value} onChange={onChange} />
  if (value.test === 'thickness') return <Thickness value={value} onChange={onChange} />
  if (value.test === 'scan') return <Scan value={value} onChange={onChange} />
  return (
    <Card title={value.test === 'material' ? '取样情况' : '检查情况'}>
      <Input.TextArea
        aria-label="取样或检查情况"
        rows={3}
        maxLength={500}
        placeholder="取了什么，取自哪里，多少"
        value={value.note}
        onChange={(event) => onChange({ ...value, note: event.target.value })}
      />
    </Card>
  )
}

function Figure({ label, unit, value, onChange }: { label: string; unit?: string; value: Num; onChange: (next: Num) => void }) {
  return (
    <InputNumber
      aria-label={label}
      className="spot-number"
      controls={false}
      inputMode="decimal"
      placeholder={label}
      suffix={unit}
      value={value}
      onChange={(next) => onChange(next)}
    />
  )
}

const replaced = <T,>(list: readonly T[], at: number, next: T) => list.map((one, i) => (i === at ? next : one))

function Rebound({ value, onChange }: EditorProps<Extract<Typed, { test: 'rebound' }>>) {
  const { grade, areas } = value
  const setArea = (at: number, more: Partial<(typeof areas)[number]>) => {
    const area = areas[at]
    if (area) onChange({ ...value, areas: replaced(areas, at, { ...area, ...more }) })
  }
  return (
    <Card title="回弹" remark="每个测区 16 个读数，去掉三大三小取平均">
      <Figure label="设计强度" unit="MPa" value={grade} onChange={(next) => onChange({ ...value, grade: next })} />
      {areas.map((area, at) => {
        const whole = area.readings.every((one) => one !== null)
        const mean = whole ? areaRebound(area.readings as number[]) : null
        return (
          // Areas are only added and removed at the end.
          <div key={at} className="spot-area">
            <div className="zg-row zg-middle zg-gap-6">
              <Input
                aria-label={`测区 ${at + 1} 名称`}
                value={area.name}
                maxLength={30}
                onChange={(event) => setArea(at, { name: event.target.value })}
              />
              <Figure label="碳化深度" unit="mm" value={area.carbonation} onChange={(carbonation) => setArea(at, { carbonation })} />
              {areas.length > 1 && at === areas.length - 1 && (
                <Button danger onClick={() => onChange({ ...value, areas: areas.slice(0, -1) })}>
                  删除
                </Button>
              )}
            </div>
            <div className="spot-readings">
              {area.readings.map((one, i) => (
                <InputNumber
                  key={i}
                  aria-label={`${area.name} 第 ${i + 1} 个回弹值`}
                  controls={false}
                  inputMode="numeric"
                  status={one !== null && (one < usualRebound.low || one > usualRebound.high) ? 'warning' : undefined}
                  value={one}
                  onChange={(next) => setArea(at, { readings: replaced(area.readings, i, next) })}
                />
              ))}
            </div>
            <p className="zg-2">
              {mean === null
                ? `还差 ${area.readings.filter((one) => one === null).length} 个读数`
                : `平均回弹值 ${mean.toFixed(1)}${area.carbonation === null ? '' : `，换算强度 ${strengthOf(mean, area.carbonation).toFixed(1)} MPa`}`}
            </p>
          </div>
        )
      })}
      <Button
        block
        type="dashed"
        disabled={areas.length >= mostAreas}
        onClick={() => onChange({ ...value, areas: [...areas, emptyArea(areas.length + 1)] })}
      >
        增加测区
      </Button>
    </Card>
  )
}

function Thickness({ value, onChange }: EditorProps<Extract<Typed, { test: 'thickness' }>>) {
  const { design, points } = value
  return (
    <Card title="楼板厚度" remark="允许偏差 +10、-5 mm">
      <Figure label="设计厚度" unit="mm" value={design} onChange={(next) => onChange({ ...value, design: next })} />
      <div className="spot-points">
        {points.map((point, at) => (
          <div key={at}>
            <span>{point.name}</span>
            <Figure
              label={`${point.name} 厚度`}
              unit="mm"
              value={point.value}
              onChange={(next) => onChange({ ...value, points: replaced(points, at, { ...point, value: next }) })}
            />
          </div>
        ))}
      </div>
      <Button
        block
        type="dashed"
        onClick={() => onChange({ ...value, points: [...points, { name: `测点 ${points.length + 1}`, value: null }] })}
      >
        增加测点
      </Button>
    </Card>
  )
}

function Scan({ value, onChange }: EditorProps<Extract<Typed, { test: 'scan' }>>) {
  const { member, spacing, cover, points } = value
  return (
    <Card title="钢筋扫描" remark="间距 ±10 mm；保护层 板 +8、-5，梁 +10、-7 mm">
      <Segmented
        options={[
          { value: 'slab', label: '板、墙' },
          { value: 'beam', label: '梁、柱' },
        ]}
        value={member}
        onChange={(next) => onChange({ ...value, member: next as 'slab' | 'beam' })}
      />
      <div className="zg-row zg-wrap zg-gap-6 zg-above">
        <Figure label="设计间距" unit="mm" value={spacing} onChange={(next) => onChange({ ...value, spacing: next })} />
        <Figure label="设计保护层" unit="mm" value={cover} onChange={(next) => onChange({ ...value, cover: next })} />
      </div>
      <div className="spot-points">
        {points.map((point, at) => (
          <div key={at}>
            <span>{point.name}</span>
            <Figure
              label="间距"
              unit="mm"
              value={point.spacing}
              onChange={(next) => onChange({ ...value, points: replaced(points, at, { ...point, spacing: next }) })}
            />
            <Figure
              label="保护层"
              unit="mm"
              value={point.cover}
              onChange={(next) => onChange({ ...value, points: replaced(points, at, { ...point, cover: next }) })}
            />
          </div>
        ))}
      </div>
      <Button
        block
        type="dashed"
        onClick={() => onChange({ ...value, points: [...points, { name: `测点 ${points.length + 1}`, spacing: null, cover: null }] })}
      >
        增加测点
      </Button>
    </Card>
  )
}
