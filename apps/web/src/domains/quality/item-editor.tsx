import type { QualityItemInput } from '@zhugong/contract/quality/inspection-moves'
import { type ItemResult, itemResults } from '@zhugong/contract/scoring/score'
import { Button, Input, Segmented } from 'antd'
import { useDicts } from '#kit/dicts.ts'
import { Card, Empty } from '#kit/feedback.tsx'
import { TreeChoice } from '#kit/inputs.tsx'
import './quality.css'

interface ItemsProps {
  items: readonly QualityItemInput[]
  /** Sub-items checked last. */
  recent: readonly { code: string; name: string }[]
  wrong: Readonly<Record<string, string>>
  onChange: (items: QualityItemInput[]) => void
}

const choices = [
  { value: itemResults.right, label: '合格' },
  { value: itemResults.wrong, label: '不合格' },
  { value: itemResults.notApplicable, label: '不涉及' },
]

/** What is looked at: sub-items with their results, the recent ones first. */
export function ItemEditor({ items, recent, wrong, onChange }: ItemsProps) {
  const dicts = useDicts('qualityCheckItem')
  const add = (itemCode: string | undefined) => {
    if (itemCode && !items.some((one) => one.itemCode === itemCode))
      onChange([...items, { itemCode, result: itemResults.unchecked, measured: null, standard: null, note: null }])
  }
  const set = (at: number, more: Partial<QualityItemInput>) => onChange(items.map((one, i) => (i === at ? { ...one, ...more } : one)))
  const offered = recent.filter(({ code }) => !items.some((one) => one.itemCode === code))
  return (
    <Card title="检查项" remark={items.length > 0 ? `${items.length} 项` : undefined}>
      {wrong.items && <p className="tone-danger">{wrong.items}</p>}
      <div className="quality-items">
        {items.map((one, i) => (
          <section key={one.itemCode} data-result={one.result} aria-label={dicts.name('qualityCheckItem', one.itemCode)}>
            <header>
              <b>{dicts.name('qualityCheckItem', one.itemCode)}</b>
              <Button type="text" onClick={() => onChange(items.filter((_, n) => n !== i))}>
                移除
              </Button>
            </header>
            <Segmented<string>
              block
              size="large"
              options={choices}
              value={one.result === itemResults.unchecked ? '' : one.result}
              onChange={(result) => set(i, { result: result as ItemResult })}
            />
            <div className="quality-measured">
              <Input
                aria-label="实测值"
                placeholder="实测值（可不填），例如 间距 235 mm"
                maxLength={60}
                value={one.measured ?? ''}
                onChange={(event) => set(i, { measured: event.target.value || null })}
              />
              <Input
                aria-label="设计值与允许偏差"
                placeholder="设计值与允许偏差，例如 200 ± 10 mm"
                maxLength={60}
                value={one.standard ?? ''}
                onChange={(event) => set(i, { standard: event.target.value || null })}
              />
            </div>
            {(wrong[`items.${i}.result`] ?? wrong[`items.${i}.itemCode`]) && (
              <small className="tone-danger" role="alert">
                {wrong[`items.${i}.result`] ?? wrong[`items.${i}.itemCode`]}
              </small>
            )}
          </section>
        ))}
      </div>
      {items.length === 0 && <Empty small text="还没有检查项" hint="从最近检查的里选，或在下面查找" />}
      {offered.length > 0 && (
        <div className="check-chips">
          {offered.map(({ code, name }) => (
            <button key={code} type="button" aria-pressed={false} onClick={() => add(code)}>
              ＋ {name}
            </button>
          ))}
        </div>
      )}
      <div className="quality-add-item">
        <TreeChoice
          aria-label="添加检查项"
          placeholder="添加检查项：分部 / 子分部"
          tree={dicts.tree('qualityCheckItem')}
          value={null}
          onChange={add}
        />
      </div>
    </Card>
  )
}
