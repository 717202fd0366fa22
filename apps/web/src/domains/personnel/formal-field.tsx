import { enterWorker, setTerms } from '@zhugong/contract/labour/stays'
import { grantWorkers } from '@zhugong/contract/personnel/flow'
import { registerWorker, updateWorker } from '@zhugong/contract/personnel/workers'
import { Fragment, useEffect } from 'react'
import { Link } from 'react-router'
import { useCan } from '#kit/can.tsx'
import { useFormInstance } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice } from '#kit/inputs.tsx'
import { hrefOf, usePageQuery } from '#kit/page.tsx'
import { editFieldOf, isStayField } from './formal-words.ts'

/** Label suffix of a field that is optional at registration and required for becoming formal. */
export const formalOnly = '转正式必填'

const { Field } = formOf(setTerms, enterWorker, registerWorker, grantWorkers)

const insuranceOptions = [
  { value: 'true', label: '已参加' },
  { value: 'false', label: '未参加' },
]
function InsuranceChoice({ value, onChange, id }: { value?: boolean | null; onChange?: (value: boolean | null) => void; id?: string }) {
  return (
    <Choice
      id={id}
      options={insuranceOptions}
      placeholder="尚未询问"
      value={value === undefined || value === null ? null : String(value)}
      onChange={(next) => onChange?.(next === undefined ? null : next === 'true')}
    />
  )
}
/** Unknown until answered. */
export const InsuranceField = ({ name, label = '工伤或意外险' }: { name: 'hasBuyInsurance' | 'stay.hasBuyInsurance'; label?: string }) => (
  <Field name={name} label={label} extra={formalOnly}>
    <InsuranceChoice />
  </Field>
)

/** Scrolls to the field named by `?field=`. */
export function ToField() {
  const form = useFormInstance()
  const field = usePageQuery().get('field')
  useEffect(() => {
    if (!field) return
    // Deferred: the form sets its own initial focus in the same tick.
    const soon = setTimeout(() => form.scrollToField(field, { block: 'center', focus: true }))
    return () => clearTimeout(soon)
  }, [field, form])
  return null
}

/** Names of empty fields, each linking to its field in the form. */
export function LackingFields({ names, workerId, onTerms }: { names: readonly string[]; workerId: string; onTerms?: () => void }) {
  const mayEdit = useCan(updateWorker)
  const mayTerms = useCan(setTerms)
  return names.map((name, i) => {
    const field = editFieldOf(name)
    return (
      <Fragment key={name}>
        {i > 0 && '、'}
        {field && mayEdit ? (
          <Link className="zg-in-text" to={hrefOf('/personListEdit', { id: workerId, field })}>
            {name}
          </Link>
        ) : onTerms && mayTerms && isStayField(name) ? (
          <button type="button" className="zg-bare zg-link zg-in-text" onClick={onTerms}>
            {name}
          </button>
        ) : (
          name
        )}
      </Fragment>
    )
  })
}
