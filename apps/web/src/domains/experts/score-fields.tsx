import { lineNames, mostOfLine, scoreLines } from '@zhugong/contract/experts/scores'
import { InputNumber, Slider } from 'antd'

export type Lines = Record<(typeof lineNames)[number], number>

/** The five lines, each by slider or number. */
export function ScoreFields({ lines, onChange }: { lines: Lines; onChange: (lines: Lines) => void }) {
  return (
    <div className="expert-scores">
      {lineNames.map((name) => (
        <div key={name}>
          <span id={`score-${name}`}>{scoreLines[name]}</span>
          <Slider
            aria-labelledby={`score-${name}`}
            ariaLabelForHandle={scoreLines[name]}
            min={0}
            max={mostOfLine}
            value={lines[name]}
            onChange={(value) => onChange({ ...lines, [name]: value })}
          />
          <InputNumber
            aria-label={`${scoreLines[name]}分数`}
            min={0}
            max={mostOfLine}
            value={lines[name]}
            onChange={(value) => onChange({ ...lines, [name]: value ?? 0 })}
          />
        </div>
      ))}
    </div>
  )
}
