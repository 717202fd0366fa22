import { MinusOutlined, PlusOutlined } from '@ant-design/icons'
import type { InspectionSheet, SheetItem } from '@zhugong/contract/scoring/inspections'
import { mostItemPhotos } from '@zhugong/contract/scoring/moves'
import { type ItemResult, itemResults, scoreSheet } from '@zhugong/contract/scoring/score'
import { Button, Input, InputNumber, Segmented } from 'antd'
import { type ReactNode, useId } from 'react'
import { askReason } from '#kit/ask.ts'
import { Notice, Tag } from '#kit/feedback.tsx'
import { FieldPhotos } from '#kit/field/field-photos.tsx'
import { marks } from './score-words.tsx'
import './scoring.css'

/** What was found at one item. */
export interface Found {
  result: ItemResult
  deduction: number
  note: string | null
  photos: string[]
  reason: string | null
}

export const foundOf = ({ result, deduction, note, photos, reason }: SheetItem): Found => ({ result, deduction, note, photos, reason })
const results = [
  { value: itemResults.right, label: '合格' },
  { value: itemResults.wrong, label: '不合格' },
  { value: itemResults.notApplicable, label: '不涉及' },
]
/** A first deduction; the stepper goes on in points. */
const usualDeduction = 1

interface SheetCardsProps {
  sheet: InspectionSheet
  /** With the changes of this device. */
  items: readonly SheetItem[]
  unsaved: number
  /** Changes that cannot be saved yet. */
  incomplete: number
  saving: boolean
  onChange: (item: SheetItem, more: Partial<Found>) => void
  onChangeAll: (found: Record<string, Found>) => void
  onSave: (notApplicable?: string | null) => Promise<boolean>
  next: { id: string; name: string }
  onNext: (id: string) => void
  /** What was found at an item before. */
  hintOf?: (item: SheetItem) => ReactNode
}

/** One sheet, one card an item. */
export function SheetCards({
  sheet,
  items,
  unsaved,
  incomplete,
  saving,
  onChange,
  onChangeAll,
  onSave,
  next,
  onNext,
  hintOf,
}: SheetCardsProps) {
  const score = scoreSheet({ items, notApplicable: sheet.notApplicable !== null })
  const leave = async () => {
    const reason = await askReason(`${sheet.name}整表不涉及`, '不涉及原因')
    if (reason) await onSave(reason.slice(0, 100))
  }
  const open = items.filter((item) => item.result === itemResults.unchecked)
  if (sheet.notApplicable !== null)
    return (
      <div className="scoring-cards">
        <Notice tone="info">
          整表不涉及：{sheet.notApplicable}{' '}
          <button type="button" className="zg-bare zg-link" disabled={saving} onClick={() => void onSave(null)}>
            恢复检查
          </button>
        </Notice>
      </div>
    )
  return (
    <div className="scoring-cards">
      <div className="zg-row zg-wrap zg-gap-6 zg-middle">
        <b>
          本表 {marks(score?.score ?? null)} 分
          {score && (
            <span className="zg-2">
              {' '}
              实得 {score.got} / 实查满分 {score.full}
            </span>
          )}
        </b>
        <span className="zg-end zg-row zg-gap-6">
          {open.length > 0 && open.length < items.length && (
            <Button
              onClick={() =>
                onChangeAll(Object.fromEntries(open.map((item) => [item.itemCode, { ...foundOf(item), result: itemResults.right }])))
              }
            >
              其余 {open.length} 项合格
            </Button>
          )}
          <Button onClick={() => void leave()}>整表不涉及</Button>
        </span>
      </div>
      {score?.zero && <Notice tone="danger">本表将记零分，整次巡检不合格：{score.zero}</Notice>}
      {items.map((item) => (
        <ItemCard key={item.itemCode} item={item} hint={hintOf?.(item)} onChange={(more) => onChange(item, more)} />
      ))}
      <div className="scoring-bar">
        <Button type="primary" size="large" loading={saving} disabled={unsaved === 0} onClick={() => void onSave()}>
          {unsaved === 0 ? '已保存' : `保存 ${unsaved} 项`}
        </Button>
        <Button size="large" disabled={saving} onClick={() => onNext(next.id)}>
          下一张：{next.name}
        </Button>
        {incomplete > 0 && <span className="tone-danger">{incomplete} 项还缺扣分或不涉及原因，暂不保存</span>}
        {sheet.savedBy && unsaved === 0 && (
          <span className="zg-2">
            {sheet.savedBy} {sheet.savedAt?.slice(11, 16)} 保存
          </span>
        )}
      </div>
    </div>
  )
}

function ItemCard({ item, hint, onChange }: { item: SheetItem; hint: ReactNode; onChange: (more: Partial<Found>) => void }) {
  const key = useId()
  const found = foundOf(item)
  const choose = (result: ItemResult) =>
    onChange({
      result,
      deduction: result === itemResults.wrong ? found.deduction || Math.min(usualDeduction, item.maxScore) : 0,
    })
  return (
    <section className="zg-card scoring-item" data-result={item.result} aria-labelledby={`${key}-name`}>
      <header>
        <b id={`${key}-name`}>{item.name}</b>
        {item.guarantee && <Tag icon={false}>保证项目</Tag>}
        {item.own && <Tag icon={false}>自有</Tag>}
        {item.maxScore > 0 && <span className="zg-2 zg-end">满分 {item.maxScore}</span>}
      </header>
      {item.rule && <p className="zg-2">{item.rule}</p>}
      {hint}
      <Segmented
        block
        size="large"
        aria-label={`${item.name}的结果`}
        options={results}
        value={item.result === itemResults.unchecked ? '' : item.result}
        onChange={(result) => choose(result as ItemResult)}
      />
      {item.result === itemResults.wrong && <Deduction item={item} found={found} onChange={onChange} />}
      {item.result === itemResults.notApplicable && (
        <div>
          <label className="zg-label" htmlFor={`${key}-reason`}>
            不涉及原因
          </label>
          <Input
            id={`${key}-reason`}
            size="large"
            maxLength={100}
            value={found.reason ?? ''}
            onChange={(event) => onChange({ reason: event.target.value })}
          />
        </div>
      )}
    </section>
  )
}

function Deduction({ item, found, onChange }: { item: SheetItem; found: Found; onChange: (more: Partial<Found>) => void }) {
  const key = useId()
  const phrase = (words: string) => onChange({ note: found.note ? `${found.note}；${words}` : words })
  return (
    <div className="scoring-deduct">
      {item.maxScore > 0 && <Stepper item={item} found={found} onChange={onChange} />}
      {item.phrases.length > 0 && (
        <fieldset className="scoring-phrases" aria-label={`${item.name}的常用问题`}>
          {item.phrases.map((words) => (
            <button key={words} type="button" aria-pressed={found.note?.includes(words) ?? false} onClick={() => phrase(words)}>
              {words}
            </button>
          ))}
        </fieldset>
      )}
      <label className="zg-label" htmlFor={`${key}-note`}>
        问题
      </label>
      <Input.TextArea
        id={`${key}-note`}
        rows={2}
        maxLength={300}
        placeholder="部位和现象"
        value={found.note ?? ''}
        onChange={(event) => onChange({ note: event.target.value })}
      />
      <label className="zg-label" htmlFor={`${key}-photos`}>
        照片
      </label>
      <FieldPhotos id={`${key}-photos`} max={mostItemPhotos} value={found.photos} onChange={(photos) => onChange({ photos })} />
    </div>
  )
}

interface StepperProps {
  item: SheetItem
  found: Found
  onChange: (more: Partial<Found>) => void
}
/** Points taken off, up to the full marks of the item. */
function Stepper({ item, found, onChange }: StepperProps) {
  const take = (deduction: number) => onChange({ deduction: Math.min(item.maxScore, Math.max(0, deduction)) })
  return (
    <div className="scoring-stepper">
      <span className="zg-label">扣分</span>
      <Button size="large" icon={<MinusOutlined />} aria-label={`${item.name}少扣 1 分`} onClick={() => take(found.deduction - 1)} />
      <InputNumber
        size="large"
        controls={false}
        aria-label={`${item.name}扣分`}
        min={0}
        max={item.maxScore}
        precision={1}
        value={found.deduction}
        formatter={(shown) => String(Number(shown ?? 0))}
        onChange={(value) => take(value ?? 0)}
      />
      <Button size="large" icon={<PlusOutlined />} aria-label={`${item.name}多扣 1 分`} onClick={() => take(found.deduction + 1)} />
      <span className={found.deduction >= item.maxScore ? 'tone-danger' : 'zg-2'}>
        得 {Math.round((item.maxScore - found.deduction) * 10) / 10} 分
        {item.guarantee && found.deduction >= item.maxScore && '，保证项目得零分'}
      </span>
    </div>
  )
}
