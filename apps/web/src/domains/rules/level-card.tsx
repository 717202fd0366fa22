import { SoundOutlined } from '@ant-design/icons'
import { type LevelRow, sounds } from '@zhugong/contract/rules/level-model'
import { Button, Input } from 'antd'
import { colors } from '#kit/colors.ts'
import { Choice } from '#kit/inputs.tsx'
import { contrastOf, playSound } from './level-looks.ts'
import { LevelPlanFields, Line } from './level-plan.tsx'

/** Colours legible on white and dark pages, in the national order red, orange, yellow, blue. */
const palette = [colors.danger, '#B71C1C', '#F08C1B', '#E65100', '#FFD21F', '#F9A825', colors.primary, '#0D47A1']

const soundNames = Object.keys(sounds) as LevelRow['sound'][]

/** Name, colour, sound and notice plan of one level. */
export function LevelCard({ level: one, onChange }: { level: LevelRow; onChange: (part: Partial<LevelRow>) => void }) {
  return (
    <section className="rule-level-card" style={{ borderTopColor: one.color }} aria-label={`等级 ${one.level}`}>
      <header>
        <strong>{one.level}</strong>
        <span className="zg-2">未恢复 {one.openNow} 条</span>
      </header>
      <Line label="名称">
        <Input maxLength={20} value={one.name} onChange={(event) => onChange({ name: event.target.value })} />
      </Line>
      <Line label="说明">
        <Input maxLength={20} value={one.label} onChange={(event) => onChange({ label: event.target.value })} />
      </Line>
      <Line
        label={`颜色，与白底对比 ${contrastOf(one.color, colors.white).toFixed(1)}，与深底 ${contrastOf(one.color, '#0B1A33').toFixed(1)}`}
      >
        <div role="radiogroup" aria-label="颜色" className="zg-row zg-gap-6 zg-wrap">
          {[...new Set([one.color.toUpperCase(), ...palette])].map((color) => (
            <button
              key={color}
              type="button"
              role="radio"
              aria-checked={color === one.color.toUpperCase()}
              aria-label={color}
              onClick={() => onChange({ color })}
              className="rule-swatch"
              style={{ background: color }}
            />
          ))}
        </div>
      </Line>
      <Line label="声音">
        <div className="rule-sound">
          <Choice
            clear={false}
            value={one.sound}
            options={soundNames.map((value) => ({ value, label: sounds[value] }))}
            onChange={(name) => onChange({ sound: soundNames.find((one) => one === name) ?? one.sound })}
          />
          <Button icon={<SoundOutlined />} disabled={one.sound === 'none'} onClick={() => playSound(one.sound)}>
            试听
          </Button>
        </div>
      </Line>
      <LevelPlanFields plan={one.plan} level={one.level} onChange={(part) => onChange({ plan: { ...one.plan, ...part } })} />
    </section>
  )
}
