import { itemResults } from '@zhugong/contract/scoring/score'
import type { UpkeepItem } from '@zhugong/contract/upkeep/items'
import { Button, Input } from 'antd'
import { Card } from '#kit/feedback.tsx'
import { FailFields } from '../checks/public.tsx'
import type { Looked } from './looked.ts'
import { itemWord } from './upkeep-words.tsx'

const choices = [
  [itemResults.right, '合格'],
  [itemResults.wrong, '不合格'],
  [itemResults.notApplicable, '不涉及'],
] as const

interface CheckItemsProps {
  list: readonly UpkeepItem[]
  items: Readonly<Record<string, Looked>>
  corps: readonly { code: string; name: string; people: readonly string[] }[]
  /** The check of the same kind before this one. */
  before: readonly { code: string; result: string }[]
  beforeDate: string | null
  faults: Readonly<Record<string, Readonly<Record<string, string>>>>
  onLook: (item: UpkeepItem, change: Partial<Looked>) => void
  onAllPass: () => void
}

/** The items of a machine by group, each with three answers and what the last check said. */
export function CheckItems({ list, items, corps, before, beforeDate, faults, onLook, onAllPass }: CheckItemsProps) {
  const groups = [...Map.groupBy(list, (one) => one.group)]
  const done = list.filter((one) => items[one.code] !== undefined).length
  return (
    <Card
      title="检查项"
      remark={`${done} / ${list.length}${beforeDate ? `，上次同类检查 ${beforeDate}` : ''}`}
      actions={
        <Button disabled={done === list.length} onClick={onAllPass}>
          其余全部合格
        </Button>
      }
    >
      {groups.map(([group, all]) => (
        <fieldset key={group} className="upkeep-group">
          <legend>{group}</legend>
          {all.map((item) => {
            const looked = items[item.code]
            const last = before.find((one) => one.code === item.code)
            const fault = faults[item.code] ?? {}
            return (
              <div key={item.code} className="upkeep-item" data-wrong={fault.item ? '' : undefined}>
                <p>
                  {item.name}
                  {last && last.result === itemResults.wrong && <small className="tone-danger"> 上次{itemWord(last.result)}</small>}
                </p>
                <div className="check-chips">
                  {choices.map(([result, label]) => (
                    <button key={result} type="button" aria-pressed={looked?.result === result} onClick={() => onLook(item, { result })}>
                      {label}
                    </button>
                  ))}
                </div>
                {fault.item && <small className="tone-danger">{fault.item}</small>}
                {looked?.problem && (
                  <FailFields
                    value={looked.problem}
                    corps={corps}
                    faults={fault}
                    levels
                    onChange={(change) => looked.problem && onLook(item, { problem: { ...looked.problem, ...change } })}
                  />
                )}
                {looked?.result === itemResults.notApplicable && (
                  <Input
                    aria-label={`${item.name}：不涉及的原因`}
                    placeholder="为什么不涉及（可不填）"
                    maxLength={200}
                    value={looked.note ?? ''}
                    onChange={(event) => onLook(item, { note: event.target.value || null })}
                  />
                )}
              </div>
            )
          })}
        </fieldset>
      ))}
    </Card>
  )
}
