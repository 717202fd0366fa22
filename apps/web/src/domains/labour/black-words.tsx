import { blackStates } from '@zhugong/contract/labour/black-codes'
import type { BlackRow } from '@zhugong/contract/labour/black-model'
import { Tag, type Tone } from '#kit/feedback.tsx'
import { Filled } from '#kit/filled.tsx'
import { daysLeft } from '#kit/format.ts'

const tones: Readonly<Record<string, Tone>> = {
  [blackStates.draft]: 'neutral',
  [blackStates.waiting]: 'running',
  [blackStates.recognised]: 'danger',
  [blackStates.rejected]: 'neutral',
  [blackStates.appealed]: 'warning',
  [blackStates.repaired]: 'fine',
  [blackStates.expired]: 'neutral',
  [blackStates.cancelled]: 'neutral',
}

/** State of an entry; an approved one says so if its period has not begun or is over. */
export function BlackState({ entry }: { entry: Pick<BlackRow, 'status' | 'statusName' | 'effective'> }) {
  const decided = entry.status === blackStates.recognised || entry.status === blackStates.appealed
  return (
    <>
      <Tag tone={tones[entry.status] ?? 'neutral'} icon={false}>
        {entry.statusName ?? entry.status}
      </Tag>
      {decided && !entry.effective && <span className="zg-2"> 不在生效期</span>}
    </>
  )
}

/** Elapsed and remaining part of an entry's period. */
export function BlackSpan({ entry }: { entry: Pick<BlackRow, 'startDate' | 'endDate' | 'effective'> }) {
  const from = Date.parse(entry.startDate)
  const whole = Date.parse(entry.endDate) - from
  const share = Math.min(1, Math.max(0, (Date.now() - from) / Math.max(whole, 1)))
  return (
    <span className="lab-span" title={`${entry.startDate} 至 ${entry.endDate}`}>
      <span className="track">
        <Filled part={share} className={entry.effective ? 'holds' : ''} />
      </span>
      <span className="zg-2">{entry.effective ? daysLeft(entry.endDate) : entry.endDate}</span>
    </span>
  )
}

export const stepNames: Readonly<Record<string, string>> = {
  create: '登记草稿',
  submit: '提交审核',
  withdraw: '撤回',
  decide: '认定列入',
  reject: '驳回',
  appeal: '提出申诉',
  uphold: '维持原认定',
  cancel: '撤销',
  repair: '信用修复',
  adjust: '调整范围或期限',
  expire: '到期移出',
}
