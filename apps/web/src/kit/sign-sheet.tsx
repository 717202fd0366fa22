import { Input } from 'antd'
import { useId, useState } from 'react'
import { FormSheet } from './form-sheet.tsx'
import { SignaturePad } from './signature-pad.tsx'

/** What was written and drawn; empty texts are null. */
export interface SignGiven {
  name: string
  phone: string | null
  place: string | null
  image: string | undefined
  reason: string
  witness: string
}

interface SignSheetProps {
  /** `own`: the user signs; `other`: somebody without account signs on this device; `refuse`: a refusal with its witness. */
  mode: 'own' | 'other' | 'refuse'
  title: string
  saveText: string
  remark?: string
  /** The only name that can sign here. */
  expects?: string | null
  saving: boolean
  errors: Readonly<Record<string, string>>
  onSend: (given: SignGiven) => unknown
  onClose: () => void
}

/** A full-height drawer to sign in, or to record that somebody refused to. */
export function SignSheet({ mode, title, saveText, remark, expects, saving, errors, onSend, onClose }: SignSheetProps) {
  const [image, setImage] = useState<string | undefined>(undefined)
  const [name, setName] = useState(mode === 'other' ? (expects ?? '') : '')
  const [phone, setPhone] = useState('')
  const [place, setPlace] = useState('')
  const [reason, setReason] = useState('')
  const [witness, setWitness] = useState('')
  const send = () =>
    onSend({
      name: name.trim(),
      phone: phone.trim() || null,
      place: place.trim() || null,
      image,
      reason: reason.trim(),
      witness: witness.trim(),
    })
  return (
    <FormSheet
      title={title}
      remark={remark}
      saveText={saveText}
      saving={saving}
      onSave={send}
      onClose={onClose}
      errors={errors}
      dirty={image !== undefined || reason !== ''}
      width={520}
    >
      <div className="zg-sign-fields">
        {mode !== 'own' && (
          <Line label={mode === 'refuse' ? '拒签人' : '签名人'} must value={name} onChange={setName} problem={errors.name} />
        )}
        {mode === 'refuse' ? (
          <>
            <Line label="拒签理由" must rows={3} value={reason} onChange={setReason} problem={errors.reason} />
            <Line label="见证人" must hint="本单位的另一名人员" value={witness} onChange={setWitness} problem={errors.witness} />
          </>
        ) : (
          <SignaturePad onChange={setImage} problem={errors.signature ?? errors.image} />
        )}
        {mode === 'other' && <Line label="联系电话" value={phone} onChange={setPhone} problem={errors.phone} />}
        <Line label="地点" value={place} onChange={setPlace} problem={errors.place} />
      </div>
    </FormSheet>
  )
}

interface LineProps {
  label: string
  value: string
  onChange: (value: string) => void
  problem: string | undefined
  hint?: string
  must?: boolean
  rows?: number
}
function Line({ label, value, onChange, problem, hint = '可不填', must = false, rows }: LineProps) {
  const id = useId()
  const shared = {
    id,
    value,
    maxLength: rows ? 200 : 50,
    placeholder: must && hint === '可不填' ? undefined : hint,
    status: problem ? ('error' as const) : undefined,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  }
  return (
    <div data-wrong={problem ? '' : undefined}>
      <label className="zg-label" htmlFor={id}>
        {label}
        {must && (
          <span className="must" aria-hidden="true">
            *
          </span>
        )}
      </label>
      {rows ? <Input.TextArea {...shared} rows={rows} /> : <Input {...shared} />}
      {problem && <small className="tone-danger">{problem}</small>}
    </div>
  )
}
