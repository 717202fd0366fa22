import { unusualPay } from '@zhugong/contract/personnel/rules'
import { useFieldValue } from '#kit/form.tsx'

/** Question under a pay field when the amount is unusual. */
export function PayQuestion({ payment, pay }: { payment: string; pay: string }) {
  const words = unusualPay(useFieldValue<string>(payment), useFieldValue<number>(pay))
  return words ? <span className="tone-warning">{words}</span> : null
}

/** Note under a contract's first day: a contract that begins after the entry does not cover the days before. */
export function StartQuestion({ start, entry }: { start: string; entry: string }) {
  const from = useFieldValue<string>(start)
  const entered = useFieldValue<string>(entry)?.slice(0, 10)
  return from && entered && from > entered ? (
    <span className="tone-warning">晚于进场日期 {entered}，起始日前进场条件“合同”不算齐</span>
  ) : null
}
