import { setTerms } from '@zhugong/contract/labour/stays'
import { saveContract } from '@zhugong/contract/personnel/papers'
import { unusualPay } from '@zhugong/contract/personnel/rules'
import { registerWorker } from '@zhugong/contract/personnel/workers'
import { formOf } from '#kit/form-of.ts'

const { useValue } = formOf(registerWorker, setTerms, saveContract)

interface PayQuestionProps {
  payment: 'paymentType' | 'stay.paymentType' | 'contract.paymentType'
  pay: 'salary' | 'unitPriceCents' | 'contract.salary' | 'stay.unitPriceCents'
}

/** Question below a pay field if the amount is unusual. */
export function PayQuestion({ payment, pay }: PayQuestionProps) {
  const words = unusualPay(useValue(payment), useValue(pay))
  return words ? <span className="tone-warning">{words}</span> : null
}

/** Hint below the start of a contract: one that starts after the entry leaves the days before uncovered. */
export function StartQuestion() {
  const from = useValue('contract.startDate')
  const entered = useValue('stay.entryTime')?.slice(0, 10)
  return from && entered && from > entered ? (
    <span className="tone-warning">晚于进场日期 {entered}，起始日前进场条件“合同”不算齐</span>
  ) : null
}
