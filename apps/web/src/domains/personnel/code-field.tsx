import { Button, Input } from 'antd'
import { useEffect, useState } from 'react'
import { betweenCodesSeconds, OpenField } from './open-field.tsx'

/** Input for an SMS code, with the button that requests it. */
export function CodeField({
  value,
  onChange,
  fault,
  ask,
}: {
  value: string
  onChange: (code: string) => void
  fault: string | undefined
  /** Resolves to true if a code was sent. */
  ask: () => Promise<boolean>
}) {
  const [left, setLeft] = useState(0)
  const [isOpen, setIsOpen] = useState(false)
  useEffect(() => {
    if (left <= 0) return
    const timer = setTimeout(() => setLeft(left - 1), 1000)
    return () => clearTimeout(timer)
  }, [left])
  const get = async () => {
    setIsOpen(true)
    if (await ask()) setLeft(betweenCodesSeconds)
    setIsOpen(false)
  }
  return (
    <OpenField label="短信验证码" id="open-code" fault={fault}>
      <div className="zg-row">
        <Input
          id="open-code"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={6}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
        <Button loading={isOpen} disabled={left > 0} onClick={() => void get()}>
          {left > 0 ? `${left} 秒后重发` : '获取验证码'}
        </Button>
      </div>
    </OpenField>
  )
}
