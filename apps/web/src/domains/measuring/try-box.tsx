import { CloseOutlined } from '@ant-design/icons'
import { burstLimits, judgeArea, passRateOf, rounded, type Tolerance, tallyOf, toleranceWords } from '@zhugong/contract/measuring/judge'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { Card } from '#kit/feedback.tsx'
import { NumberInput } from '#kit/inputs.tsx'
import { Labelled, Rate, ResultTag } from './words.tsx'

type Tried = Tolerance & { itemName: string; unit: string }

/** Type values, see the verdict: what a rule does before somebody measures by it. */
export function TryBox({ rule, onClose }: { rule: Tried; onClose?: () => void }) {
  return (
    <aside className="measuring-try">
      <Card
        title="试算"
        remark={rule.itemName}
        actions={onClose && <Button type="text" size="small" icon={<CloseOutlined />} aria-label="关闭试算" onClick={onClose} />}
      >
        <TryFields rule={rule} />
      </Card>
    </aside>
  )
}

export function TryFields({ rule }: { rule: Tried }) {
  const [text, setText] = useState('')
  const [design, setDesign] = useState<number | null>(null)
  const values = text
    .split(/[\s,，;；]+/)
    .filter(Boolean)
    .map((one) => (Number.isFinite(Number(one)) ? Number(one) : null))
  const verdicts = judgeArea({ ...rule, pointCount: rule.isRange ? rule.pointCount : Math.max(values.length, 1) }, design, values)
  const tally = tallyOf(verdicts)
  const { low, high } = burstLimits(rule)
  return (
    <div className="measuring-form">
      <p className="zg-2">
        允许偏差 {toleranceWords(rule, rule.unit)}；偏差{rule.judgeStart < 0 && !rule.isAbsolute ? `小于 ${rounded(low)} 或` : ''}大于{' '}
        {rounded(high)}
        {rule.unit} 为爆点
      </p>
      {rule.isCustomBase && (
        <Labelled label="基准值">{(id) => <NumberInput id={id} value={design} onChange={(value) => setDesign(value ?? null)} />}</Labelled>
      )}
      <Labelled label={rule.isRange ? `${rule.pointCount} 个测点的实测值` : '实测值（空格或逗号分隔）'}>
        {(id) => <Input id={id} value={text} placeholder="例如 3 8 12.5" onChange={(event) => setText(event.target.value)} />}
      </Labelled>
      <ul className="measuring-verdicts">
        {values.map((value, i) => (
          <li key={i}>
            <span className="zg-2">测点 {i + 1}</span>
            <span className="zg-num">{value ?? '不是数字'}</span>
            <span className="zg-num zg-2">{verdicts[i] ? `偏差 ${verdicts[i].deviation}` : ''}</span>
            <ResultTag result={verdicts[i]?.result ?? null} />
          </li>
        ))}
      </ul>
      {values.length > 0 && rule.isRange && tally.measured === 0 && <p className="zg-2">极差在最后一个测点测完后判定</p>}
      {tally.measured > 0 && (
        <p>
          合格率 <Rate value={passRateOf(tally)} />，{tally.measured} 点{tally.burst > 0 ? `，爆点 ${tally.burst} 个` : ''}
        </p>
      )}
    </div>
  )
}
